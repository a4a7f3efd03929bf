"""Refusals of melds, going down, laying off and discards as sentences."""

from collections.abc import Callable, Mapping

from flask_babel import gettext as _
from flask_babel import ngettext

from companion.referee.reasons import Reason
from companion.wording.cards import rank_plural, suit_name
from companion.wording.facts import Facts

# --- cards and melds -------------------------------------------------------------------------------------------------


def _too_many_copies(f: Facts) -> str:
    copies = ngettext("there is only %(num)s", "there are only %(num)s", f["limit"])
    return _(
        "%(card)s is entered %(count)s times, but %(copies)s of it in these decks. Check the cards.",
        card=f.card(),
        count=f["count"],
        copies=copies,
    )


def _unknown_suit(f: Facts) -> str:
    if f.has("card"):
        return _("Say which suit the %(card)s has: in a run the suit matters.", card=f.card())
    return _("Say the suit of every card in %(cards)s: in a run the suit matters.", cards=f.whole())


def _not_a_set(f: Facts) -> str:
    return _(
        "%(wrong)s does not belong to %(meld)s: a set has one rank only, in any suits.", wrong=f.cards(), meld=f.meld()
    )


def _not_a_run(f: Facts) -> str:
    return _(
        "%(wrong)s is out of place in %(cards)s: a run is one suit, rank after rank, low end first.",
        wrong=f.cards(),
        cards=f.whole(),
    )


def _run_out_of_range(f: Facts) -> str:
    return _("%(cards)s runs past the end: nothing is below the lowest card or above the highest.", cards=f.whole())


def _size(f: Facts) -> dict[str, str]:
    return {"kind": f.slot(), "cards": ngettext("%(num)s card", "%(num)s cards", f["length"])}


def _too_short(f: Facts) -> str:
    return _("Too short: the contract asks for %(kind)s, and this has %(cards)s.", **_size(f))


def _too_long(f: Facts) -> str:
    return _("Too long: at your table it must be exactly %(kind)s, and this has %(cards)s.", **_size(f))


def _no_natural(f: Facts) -> str:
    return ngettext(
        "%(cards)s needs at least %(num)s card that is not wild.",
        "%(cards)s needs at least %(num)s cards that are not wild.",
        f["limit"],
        cards=f.whole(),
    )


def _too_many_wilds(f: Facts) -> str:
    wilds = ngettext("%(num)s wild", "%(num)s wilds", f["wilds"])
    return _("Too many wilds: this meld has %(wilds)s, and your table allows %(limit)s.", wilds=wilds, limit=f["limit"])


def _wilds_not_outnumbered(f: Facts) -> str:
    wilds = ngettext("%(num)s wild", "%(num)s wilds", f["wilds"])
    naturals = ngettext("%(num)s natural card", "%(num)s natural cards", f["naturals"])
    return _(
        "The natural cards must outnumber the wilds: this has %(naturals)s and %(wilds)s.",
        naturals=naturals,
        wilds=wilds,
    )


def _wilds_adjacent(f: Facts) -> str:
    return _("Two wilds lie side by side in %(cards)s, and your table forbids that.", cards=f.whole())


# --- the contract ----------------------------------------------------------------------------------------------------


def _missing_meld(f: Facts) -> str:
    return _("Missing: %(meld)s. The whole contract goes down at once.", meld=f.slot())


def _extra_meld(f: Facts) -> str:
    return _("%(cards)s goes beyond the contract, and your table lays no further melds.", cards=f.cards())


def _same_rank_sets(f: Facts) -> str:
    return _(
        "Two sets of %(ranks)s: your table wants different ranks in one contract.", ranks=rank_plural(f["meld"].rank)
    )


def _same_suit_runs(f: Facts) -> str:
    return _("Two runs of %(suit)s: your table wants different suits in one contract.", suit=suit_name(f["meld"].suit))


def _already_down(f: Facts) -> str:
    return _("%(name)s is down already.", name=f.name())


def _not_down(f: Facts) -> str:
    return _("%(name)s is not down yet. Only a player who has laid the contract may do this.", name=f.name())


# --- laying off and replacing ----------------------------------------------------------------------------------------


def _does_not_play(f: Facts) -> str:
    said = {"card": f.card(), "meld": f.meld()}
    if not f.is_run():
        return _("The %(card)s does not play there: it is no card for %(meld)s.", **said)
    if "high" in f["open_ends"]:
        return _("The %(card)s does not play at the low end of %(meld)s, but at the high end.", **said)
    if "low" in f["open_ends"]:
        return _("The %(card)s does not play at the high end of %(meld)s, but at the low end.", **said)
    return _("The %(card)s does not play there: it fits neither end of %(meld)s.", **said)


def _nothing_to_replace(f: Facts) -> str:
    said = {"card": f.card(), "meld": f.meld()}
    if f.has("is_added") and f["is_added"]:
        return _("Only in a run is a wild replaced: the %(card)s is simply added to %(meld)s.", **said)
    return _("Nothing to replace: no wild stands for the %(card)s in %(meld)s.", **said)


def _no_free_end(f: Facts) -> str:
    said = {"card": f.card(), "meld": f.meld()}
    if "high" in f["open_ends"]:
        return _("The %(card)s replaces the wild in %(meld)s, but the wild can then go to the high end.", **said)
    if "low" in f["open_ends"]:
        return _("The %(card)s replaces the wild in %(meld)s, but the wild can then go to the low end.", **said)
    return _("The %(card)s cannot replace the wild in %(meld)s: both ends are closed to it.", **said)


def _swap_off(f: Facts) -> str:
    return _("The %(card)s cannot take a wild's place: your table does not replace wilds.", card=f.card())


def _lay_off_own_off(f: Facts) -> str:
    return _("At your table %(name)s may lay off only on other players' melds.", name=f.name())


def _ambiguous(f: Facts) -> str:
    return ngettext(
        "This can be read in %(num)s way. Choose it.",
        "This can be read in %(num)s ways. Choose one.",
        len(f["readings"]),
    )


# --- discards --------------------------------------------------------------------------------------------------------


def _discard_extends(f: Facts) -> str:
    return _("The %(card)s may not be thrown: it plays, for it extends %(meld)s.", card=f.card(), meld=f.meld())


def _discard_joins_set(f: Facts) -> str:
    return _("The %(card)s may not be thrown: it plays, for it joins %(meld)s.", card=f.card(), meld=f.meld())


def _discard_replaces(f: Facts) -> str:
    said = _(
        "The %(card)s may not be thrown: it plays, for it would replace the %(wild)s in %(meld)s.",
        card=f.card(),
        wild=f.replaced(),
        meld=f.meld(),
    )
    ends = f.free_ends()
    return said + " " + _("The %(wild)s would then go to %(ends)s.", wild=f.replaced(), ends=ends) if ends else said


def _discard_wild(f: Facts) -> str:
    return _("A wild card may never be discarded, so not the %(card)s either.", card=f.card())


SENTENCES: Mapping[Reason, Callable[[Facts], str]] = {
    Reason.TOO_MANY_COPIES: _too_many_copies,
    Reason.UNKNOWN_SUIT: _unknown_suit,
    Reason.NOT_A_SET: _not_a_set,
    Reason.NOT_A_RUN: _not_a_run,
    Reason.RUN_OUT_OF_RANGE: _run_out_of_range,
    Reason.TOO_SHORT: _too_short,
    Reason.TOO_LONG: _too_long,
    Reason.NO_NATURAL: _no_natural,
    Reason.TOO_MANY_WILDS: _too_many_wilds,
    Reason.WILDS_NOT_OUTNUMBERED: _wilds_not_outnumbered,
    Reason.WILDS_ADJACENT: _wilds_adjacent,
    Reason.MISSING_MELD: _missing_meld,
    Reason.EXTRA_MELD: _extra_meld,
    Reason.SAME_RANK_SETS: _same_rank_sets,
    Reason.SAME_SUIT_RUNS: _same_suit_runs,
    Reason.ALREADY_DOWN: _already_down,
    Reason.NOT_DOWN: _not_down,
    Reason.DOES_NOT_PLAY: _does_not_play,
    Reason.NOTHING_TO_REPLACE: _nothing_to_replace,
    Reason.NO_FREE_END: _no_free_end,
    Reason.SWAP_OFF: _swap_off,
    Reason.LAY_OFF_OWN_OFF: _lay_off_own_off,
    Reason.AMBIGUOUS: _ambiguous,
    Reason.NO_SUCH_MELD: lambda f: _("That meld is not on the table any more."),
    Reason.DISCARD_EXTENDS: _discard_extends,
    Reason.DISCARD_JOINS_SET: _discard_joins_set,
    Reason.DISCARD_REPLACES: _discard_replaces,
    Reason.DISCARD_WILD: _discard_wild,
}
