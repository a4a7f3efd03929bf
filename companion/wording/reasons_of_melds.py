"""Refusals of melds, going down, laying off and discards as sentences."""

from collections.abc import Mapping

from flask_babel import gettext as _
from flask_babel import ngettext

from companion.referee.reasons import Reason
from companion.wording.cards import cards_short, meld_cards, rank_plural, suit_name
from companion.wording.facts import Facts, Sentence
from companion.wording.text import N_


def _too_many_copies(f: Facts) -> str:
    copies = ngettext("there is only %(num)s", "there are only %(num)s", f["limit"])
    said = N_("%(card)s is entered %(count)s times, but %(copies)s of it in these decks. Check the cards.")
    return f.say(said, copies=copies)


def _unknown_suit(f: Facts) -> str:
    if f.has("card"):
        return f.say(N_("Say which suit the %(card)s has: in a run the suit matters."))
    return f.say(N_("Say the suit of every card in %(cards)s: in a run the suit matters."), cards=f.whole())


def _not_a_run(f: Facts) -> str:
    if faults := _run_faults(f):
        return faults
    said = N_("%(wrong)s is out of place in %(cards)s: a run is one suit, rank after rank, low end first.")
    return f.say(said, cards=f.whole())


def _run_faults(f: Facts) -> str:
    """What is missing, double or out of place in a run that is none; "" where nothing is."""
    faults = [_(text, cards=cards_short(f[fact])) for fact, text in _FAULTS.items() if f.has(fact)]
    if f.has("missing") and f["wilds"]:
        few = ngettext("and only %(num)s wild for it", "and only %(num)s wilds for it", f["wilds"])
        faults[-1] += ", " + few
    if f.has("ace"):
        faults.append(_(_ACE[f["ace"]]))
    return _("%(cards)s is no run (%(faults)s).", cards=f.whole(), faults="; ".join(faults)) if faults else ""


_FAULTS = {
    "others": N_("another suit: %(cards)s"),
    "double": N_("there twice: %(cards)s"),
    "missing": N_("missing: %(cards)s"),
}
#: Where the ace of a run lies, for each value of the switch (G2.1).
_ACE = {
    "high": N_("the ace is only high, after the king"),
    "low": N_("the ace is only low, before the 2"),
    "either": N_("the ace lies at an end, before the 2 or after the king"),
    "both_ends": N_("the ace lies at an end, before the 2 or after the king"),
}


def _run_out_of_range(f: Facts) -> str:
    said = N_("%(cards)s runs past the end: nothing is below the lowest card or above the highest.")
    return _run_faults(f) or f.say(said)


def _too_short(f: Facts) -> str:
    if f.has("least"):
        return f.say(N_("Too short: a meld has at least %(least)s cards, and this has %(cards)s."), cards=_length(f))
    return f.say(N_("Too short: the contract asks for %(kind)s, and this has %(cards)s."), cards=_length(f))


def _missing_meld(f: Facts) -> str:
    if f.has("least"):
        return f.say(N_("No meld was entered: a further meld is a set or a run of at least %(least)s cards."))
    if f.has("meld"):
        said = N_("This meld stands for %(slot)s of the contract, and %(cards)s is none.")
        return f.say(said, slot=f.slot(), cards=f.whole())
    return f.say(N_("Missing: %(meld)s. The whole contract goes down at once."), meld=f.slot())


def _length(f: Facts) -> str:
    return ngettext("%(num)s card", "%(num)s cards", f["length"])


def _no_natural(f: Facts) -> str:
    return ngettext(
        "%(cards)s needs at least %(num)s card that is not wild.",
        "%(cards)s needs at least %(num)s cards that are not wild.",
        f["limit"],
        cards=f.whole(),
    )


def _wilds(f: Facts) -> str:
    return ngettext("%(num)s wild", "%(num)s wilds", f["wilds"])


def _wilds_not_outnumbered(f: Facts) -> str:
    naturals = ngettext("%(num)s natural card", "%(num)s natural cards", f["naturals"])
    said = N_("The natural cards must outnumber the wilds: this has %(naturals)s and %(wilds)s.")
    return f.say(said, naturals=naturals, wilds=_wilds(f))


def _too_large_share(f: Facts) -> str:
    naturals = ngettext("%(num)s natural card", "%(num)s natural cards", f["naturals"])
    said = N_("Too many wilds beside so few natural cards: this has %(naturals)s and %(wilds)s.")
    return f.say(said, naturals=naturals, wilds=_wilds(f))


def _wilds_adjacent(f: Facts) -> str:
    if f["apart"] > 1:
        return ngettext(
            "Two wilds of %(cards)s lie too near: %(num)s other card has to lie between.",
            "Two wilds of %(cards)s lie too near: %(num)s other cards have to lie between.",
            f["apart"],
            cards=f.whole(),
        )
    return f.say(N_("Two wilds lie side by side in %(cards)s, and your table forbids that."), cards=f.whole())


def _does_not_play(f: Facts) -> str:
    if f["meld"].low is None:
        return f.say(N_("The %(card)s does not play there: it is no card for %(meld)s."))
    if "high" in f["open_ends"]:
        return f.say(N_("The %(card)s does not play at the low end of %(meld)s, but at the high end."))
    if "low" in f["open_ends"]:
        return f.say(N_("The %(card)s does not play at the high end of %(meld)s, but at the low end."))
    return f.say(N_("The %(card)s does not play there: it fits neither end of %(meld)s."))


def _nothing_to_replace(f: Facts) -> str:
    if f.has("is_added") and f["is_added"]:
        return f.say(N_("Only in a run is a wild replaced: the %(card)s is simply added to %(meld)s."))
    return f.say(N_("Nothing to replace: no wild stands for the %(card)s in %(meld)s."))


def _no_free_end(f: Facts) -> str:
    if "high" in f["open_ends"]:
        return f.say(N_("The %(card)s replaces the wild in %(meld)s, but the wild can then go to the high end."))
    if "low" in f["open_ends"]:
        return f.say(N_("The %(card)s replaces the wild in %(meld)s, but the wild can then go to the low end."))
    return f.say(N_("The %(card)s cannot replace the wild in %(meld)s: both ends are closed to it."))


def _ambiguous(f: Facts) -> str:
    return ngettext(
        "This can be read in %(num)s way. Choose it.",
        "This can be read in %(num)s ways. Choose one.",
        len(f["readings"]),
    )


def _discard_replaces(f: Facts) -> str:
    wild, ends = f.replaced(), f.free_ends()
    said = N_("The %(card)s may not be thrown: it plays, for it would replace the %(wild)s in %(meld)s.")
    where = " " + _("The %(wild)s would then go to %(ends)s.", wild=wild, ends=ends) if ends else ""
    return f.say(said, wild=wild) + where


SENTENCES: Mapping[Reason, Sentence] = {
    # cards and melds
    Reason.TOO_MANY_COPIES: _too_many_copies,
    Reason.UNKNOWN_SUIT: _unknown_suit,
    Reason.NOT_A_SET: N_("%(wrong)s does not belong to %(meld)s: a set has one rank only, in any suits."),
    Reason.NOT_A_RUN: _not_a_run,
    Reason.RUN_OUT_OF_RANGE: _run_out_of_range,
    Reason.TOO_SHORT: _too_short,
    Reason.TOO_LONG: lambda f: f.say(
        N_("Too long: at your table it must be exactly %(kind)s, and this has %(cards)s."), cards=_length(f)
    ),
    Reason.NO_NATURAL: _no_natural,
    Reason.TOO_MANY_WILDS: lambda f: f.say(
        N_("Too many wilds: this meld has %(wilds)s, and your table allows %(limit)s."), wilds=_wilds(f)
    ),
    Reason.WILDS_NOT_OUTNUMBERED: _wilds_not_outnumbered,
    Reason.NOT_ONE_SUIT: N_("%(wrong)s does not belong there: these cards are all of one suit."),
    Reason.TOO_LARGE_SHARE: _too_large_share,
    Reason.WILDS_ADJACENT: _wilds_adjacent,
    Reason.SAME_SUIT_IN_SET: N_("A suit is there twice in %(cards)s: at your table a set has different suits."),
    # the contract
    Reason.TOO_MANY_WILDS_LAID: lambda f: f.say(
        N_("Too many wilds: you would go down with %(wilds)s, and %(limit)s is the limit."), wilds=_wilds(f)
    ),
    Reason.RUNS_TOO_NEAR: lambda f: _(
        "Two runs of %(suit)s lie too near each other: %(first)s and %(second)s.",
        suit=suit_name(f["meld"].suit),
        first=meld_cards(f["meld"]),
        second=meld_cards(f["other"]),
    ),
    Reason.NOT_ALL_DEALT: lambda f: f.say(
        N_("All cards but the one you throw have to lie: %(dealt)s, and here are %(laid)s.")
    ),
    Reason.MISSING_MELD: _missing_meld,
    Reason.EXTRA_MELD: N_("%(cards)s goes beyond the contract, and your table lays no further melds."),
    Reason.SAME_RANK_SETS: lambda f: _(
        "Two sets of %(ranks)s: your table wants different ranks in one contract.", ranks=rank_plural(f["meld"].rank)
    ),
    Reason.SAME_SUIT_RUNS: lambda f: _(
        "Two runs of %(suit)s: your table wants different suits in one contract.", suit=suit_name(f["meld"].suit)
    ),
    Reason.ALREADY_DOWN: N_("%(name)s is down already."),
    Reason.NOT_DOWN: N_("%(name)s is not down yet. Only a player who has laid the contract may do this."),
    # laying off and replacing
    Reason.DOES_NOT_PLAY: _does_not_play,
    Reason.NOTHING_TO_REPLACE: _nothing_to_replace,
    Reason.NO_FREE_END: _no_free_end,
    Reason.SWAP_OFF: N_("The %(card)s cannot take a wild's place: your table does not replace wilds."),
    Reason.LAY_OFF_OFF: N_("In this game nothing is laid off on melds that lie there."),
    Reason.SWAP_NOT_YOURS: N_("%(name)s is down: at your table only who is not down yet replaces a wild."),
    Reason.LAY_OFF_OWN_OFF: N_("At your table %(name)s may lay off only on other players' melds."),
    Reason.AMBIGUOUS: _ambiguous,
    Reason.NO_SUCH_MELD: N_("That meld is not on the table any more."),
    # discards
    Reason.DISCARD_EXTENDS: N_("The %(card)s may not be thrown: it plays, for it extends %(meld)s."),
    Reason.DISCARD_JOINS_SET: N_("The %(card)s may not be thrown: it plays, for it joins %(meld)s."),
    Reason.DISCARD_REPLACES: _discard_replaces,
    Reason.DISCARD_WILD: N_("A wild card may never be discarded, so not the %(card)s either."),
}
