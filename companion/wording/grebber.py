"""Grebber in words: why something is refused, what was counted, what went into the pot."""

from collections.abc import Callable, Mapping

from flask_babel import gettext as _
from flask_babel import ngettext

from companion.referee.grebber import Count
from companion.referee.kruth import SUM
from companion.referee.reasons import Reason
from companion.wording.facts import Sentence
from companion.wording.text import N_, and_list


def chips_words(chips: int) -> str:
    """``3 chips``."""
    return ngettext("%(num)s chip", "%(num)s chips", chips)


def kruth_players(count: int, deck: int, each: int, most: int) -> str:
    """Why so many cannot play: the arithmetic of the deal (K2)."""
    facts = {"count": count, "deck": deck, "each": each, "most": most, "taken": count * each}
    if count * each > deck:
        return _("Grebber is for two or three players: the deck has %(deck)s cards, and %(count)s hands of %(each)s would "
                 "take %(taken)s.", **facts)  # fmt: skip
    return _("Grebber is for two or three players: %(count)s hands of %(each)s take all %(deck)s cards of the deck, and "
             "nothing is left to draw.", **facts)  # fmt: skip


#: The sentences of the reasons only Grebber has.
SENTENCES: Mapping[Reason, Sentence] = {
    Reason.OTHER_GAME: N_("That belongs to another game than the one this table plays."),
    Reason.KRUTH_TWICE: N_("Every card exists only once, and entered twice: %(cards)s."),
    Reason.KRUTH_SHORT: N_("Too short: a run or a triplet has at least three cards, and this is %(cards)s."),
    Reason.KRUTH_MIXED: N_("%(cards)s are neither of one suit nor of one rank."),
    Reason.KRUTH_GAP: N_("%(cards)s are no run: %(missing)s is missing between them."),
    Reason.KRUTH_FOUR: N_("Your table lays three of a rank, not all four: %(cards)s."),
    Reason.KRUTH_POINTS: N_("%(cards)s count %(points)s, not %(entered)s."),
    Reason.KRUTH_LEFT_OVER: N_("In no run and no triplet: %(cards)s. A run is three or more neighbours of one suit, a triplet "
                               "is three of one rank."),
    Reason.KRUTH_SUM: N_("Laid %(laid)s and held %(held)s make %(total)s, but the whole deck has %(limit)s points."),
    Reason.KRUTH_UNDRAWN: N_("Laid %(laid)s, held %(held)s and undrawn %(undrawn)s make %(total)s; together it must be "
                             "%(limit)s."),
    Reason.KRUTH_NOTHING_LAID: N_("No runs and triplets count %(points)s together."),
    Reason.KRUTH_WILD_ALONE: N_("A wild counts only in a run or a triplet: beside it as %(cards)s lie cards of at least "
                                "%(least)s points, not of %(points)s."),
    Reason.REQUEST_BOTH: N_("A request names a suit or a rank, never both."),
    Reason.REQUEST_NOTHING: N_("A request names a suit or a rank: choose one."),
    Reason.GAMBLING_OFF: N_("This table plays without chips, so there is no ante and no wild."),
    Reason.TOO_FEW_CHIPS: lambda f: f.say(N_("%(name)s has %(has)s in the purse, and this costs %(needed)s."),
                                          has=chips_words(f["has"]), needed=chips_words(f["needs"])),
    Reason.PURSE_FULL: N_("The purse of %(name)s is full: it has what everybody began with."),
    Reason.ANTE_PAID: N_("The antes of hand %(hand)s are in the pot already."),
    Reason.CHIPS_NOTED: N_("That is noted already: the chips of %(name)s are in the pot."),
    Reason.NO_WILD: N_("No wild lies turned up, so there is none to use."),
    Reason.OWN_WILD: N_("The wild is %(name)s’s own: using it costs nothing."),
}  # fmt: skip

#: The same in a few words.
SHORT: Mapping[Reason, str] = {
    Reason.OTHER_GAME: N_("Of another game"),
    Reason.KRUTH_TWICE: N_("Entered twice"),
    Reason.KRUTH_SHORT: N_("Fewer than three cards"),
    Reason.KRUTH_MIXED: N_("Neither one suit nor one rank"),
    Reason.KRUTH_GAP: N_("A rank is missing"),
    Reason.KRUTH_FOUR: N_("Four of a rank"),
    Reason.KRUTH_POINTS: N_("Not what the cards count"),
    Reason.KRUTH_LEFT_OVER: N_("In no run and no triplet"),
    Reason.KRUTH_SUM: N_("More than the deck has"),
    Reason.KRUTH_UNDRAWN: N_("Not sixty together"),
    Reason.KRUTH_NOTHING_LAID: N_("No meld counts that"),
    Reason.KRUTH_WILD_ALONE: N_("A wild in no meld"),
    Reason.REQUEST_BOTH: N_("Suit and rank at once"),
    Reason.REQUEST_NOTHING: N_("Neither suit nor rank"),
    Reason.GAMBLING_OFF: N_("No chips at this table"),
    Reason.TOO_FEW_CHIPS: N_("Too few chips"),
    Reason.PURSE_FULL: N_("The purse is full"),
    Reason.ANTE_PAID: N_("Antes are paid"),
    Reason.CHIPS_NOTED: N_("Noted already"),
    Reason.NO_WILD: N_("No wild turned up"),
    Reason.OWN_WILD: N_("Their own wild"),
}


def count_words(count: Count, name: str) -> str:
    """``Ana 12 − 4 = 8``: laid, held, and the score, wilds included; ``name`` is fenced already."""
    laid = count.score + count.held
    return f"{name} {laid} − {count.held} = {signed(count.score)}"


def signed(points: int) -> str:
    """A number with a true minus sign."""
    return str(points).replace("-", "−")


def check_words(laid: int, held: int) -> str:
    """The check as it stands: what is left of the sixty for the cards nobody drew (K4)."""
    return _("Laid %(laid)s + held %(held)s = %(sum)s of %(limit)s; %(left)s undrawn.",
             laid=laid, held=held, sum=laid + held, limit=SUM, left=SUM - laid - held)  # fmt: skip


def paid_sentence(what: str, paid: Mapping[int, int], name: Callable[[int], str]) -> str:
    """An entry about chips in words; what it was for by the word the record keeps."""
    payers, getters = ([seat for seat in paid if (paid[seat] < 0) is gets] for gets in (False, True))
    if not payers:
        return _("Nobody had the chips for an ante.")
    who, chips = and_list(map(name, payers)), chips_words(sum(paid[seat] for seat in payers))
    if getters:
        owners = and_list(map(name, getters))
        return _(
            "%(names)s used the wild of %(owners)s and gave %(chips)s for it.", chips=chips, names=who, owners=owners
        )
    if not any(paid.values()):
        return _("%(names)s said Greb and paid nothing: too few chips.", names=who)
    return _(_PAID.get(what, N_("%(chips)s into the pot, from %(names)s.")), chips=chips, names=who)


_PAID = {
    "ante": N_("Antes: %(chips)s into the pot, from %(names)s."),
    "greb": N_("%(names)s said Greb: %(chips)s into the pot."),
    "turn_wild": N_("%(names)s turned up a wild: %(chips)s into the pot."),
    "use_wild": N_("%(names)s used another’s wild: %(chips)s into the pot."),
}


def filled_sentence(chips: int, name: str) -> str:
    """An entry about a purse that was filled up; ``name`` is fenced already."""
    return _("%(name)s filled the purse up with %(chips)s.", name=name, chips=chips_words(chips))
