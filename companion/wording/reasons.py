"""A ``Problem`` as a sentence: the reason, the cards, the meld and whose it is; how firm the rule is."""

import logging
from collections.abc import Callable, Mapping

from flask import current_app
from flask_babel import gettext as _
from flask_babel import ngettext

from companion.referee.reasons import Firmness, Problem, Reason
from companion.referee.rules import Rules
from companion.wording import grebber, other_games
from companion.wording.cards import rank_plural, suit_name
from companion.wording.facts import Facts, MissingFact
from companion.wording.short_reasons import short_reason
from companion.wording.switches import switch_label, switch_names, switch_value
from companion.wording.text import and_list, or_list

log = logging.getLogger(__name__)


def sentence(problem: Problem, names: Mapping[int, str] | None = None) -> str:
    """The problem as one or two kind sentences with its facts; ``names`` are the players' by seat.

    A problem without the facts its sentence needs is a defect: it raises MissingFact in tests; a table in play
    gets the short form, and the log the defect.
    """
    try:
        return exact_sentence(problem, names or {})
    except MissingFact:
        if current_app.testing:
            raise
        log.exception("a problem without its facts")
        return short_reason(problem.reason)


def exact_sentence(problem: Problem, names: Mapping[int, str]) -> str:
    """As ``sentence``; raises MissingFact."""
    return _SENTENCES[problem.reason](Facts(problem, names))


def rule_label(problem: Problem) -> str:
    """The number the rules page has an anchor for: ``G6.2``."""
    return problem.rule


def firmness_name(firmness: Firmness) -> str:
    """How firm a rule is, in a few words."""
    names = {
        Firmness.KATE: _("written in the rules"),
        Firmness.HOWTO: _("written in the how-to version only"),
        Firmness.LOGIC: _("follows from the written rules"),
        Firmness.SILENT: _("the written rules are silent"),
        Firmness.TEXT: _("written in the rules"),
    }
    return names[firmness]


def firmness_sentence(problem: Problem, rules: Rules | None = None) -> str:
    """What the verdict rests on, with the table's own choice where the written rules are silent."""
    if problem.firmness is not Firmness.SILENT:
        return _("Rule %(number)s, %(firmness)s.", number=problem.rule, firmness=firmness_name(problem.firmness))
    if rules is None or problem.switch not in switch_names():
        return _("Rule %(number)s: the written rules are silent; this is our ruling.", number=problem.rule)
    choice = f"{switch_label(problem.switch)}: {switch_value(problem.switch, getattr(rules, problem.switch))}"
    return _(
        "Rule %(number)s: the written rules are silent; your table plays “%(choice)s”.",
        number=problem.rule,
        choice=choice,
    )


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
    if f.is_run():
        return _("The %(card)s does not play there: it fits neither end of %(meld)s.", card=f.card(), meld=f.meld())
    return _("The %(card)s does not play there: it is no card for %(meld)s.", card=f.card(), meld=f.meld())


def _nothing_to_replace(f: Facts) -> str:
    return _("Nothing to replace: no wild stands for the %(card)s in %(meld)s.", card=f.card(), meld=f.meld())


def _no_free_end(f: Facts) -> str:
    return _(
        "The %(card)s cannot replace the wild in %(meld)s: both ends are closed to it.",
        card=f.card(), meld=f.meld(),
    )  # fmt: skip


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


# --- buys ------------------------------------------------------------------------------------------------------------


def _no_buys_left(f: Facts) -> str:
    if f.rule == "P8":
        return ngettext(
            "%(name)s has no chip left: there was %(num)s for the whole game.",
            "%(name)s has no chip left: there were %(num)s for the whole game.",
            f["limit"],
            name=f.name(),
        )
    return ngettext(
        "%(name)s has no buy left: hand %(hand)s allows %(num)s.",
        "%(name)s has no buy left: hand %(hand)s allows %(num)s, and all are used.",
        f["limit"], name=f.name(), hand=f["hand"],
    )  # fmt: skip


def _buy_already_noted(f: Facts) -> str:
    return _("Buy number %(nth)s of %(name)s is noted already.", name=f.name(), nth=f["nth"])


# --- hands and scores ------------------------------------------------------------------------------------------------


def _points(f: Facts) -> dict[str, str]:
    return {"name": f.name(), "points": str(f["points"])}


def _missing_points(f: Facts) -> str:
    seats = f["seats"] if f.has("seats") else (f["seat"],)
    return _("Points are missing for %(names)s. An empty field is not 0.", names=and_list(map(f.name_of, seats)))


def _points_above_pack(f: Facts) -> str:
    if f.has("least"):
        return _("The points so far are from %(least)s to %(most)s.", least=f["least"], most=f["limit"])
    return _(
        "Together that makes %(total)s points, but a whole hand can hold at most %(limit)s.",
        total=f["total"],
        limit=f["limit"],
    )


def _points_unlikely(f: Facts) -> str:
    return _(
        "%(points)s points for %(name)s? One player can hardly hold more than %(limit)s. Sure?",
        limit=f["limit"],
        **_points(f),
    )


def _other_hand(f: Facts) -> str:
    return _(
        "That was meant for hand %(asked)s; the table is at hand %(current)s now.",
        asked=f["asked"],
        current=f["current"],
    )


def _too_few_players(f: Facts) -> str:
    return _("%(count)s players are too few: at least %(limit)s must play.", count=f["count"], limit=f["limit"])


def _too_many_players(f: Facts) -> str:
    if f.has("deck"):
        return grebber.kruth_players(f["count"], f["deck"], f["each"], f["limit"])
    return _("%(count)s players are too many: at most %(limit)s can play.", count=f["count"], limit=f["limit"])


def _bad_switch_value(f: Facts) -> str:
    switch = f["switch"]
    label = switch_label(switch) if switch in switch_names() else str(switch)
    return _("“%(switch)s” cannot be played as “%(value)s”.", switch=label, value=str(f["value"])[:40])


_SENTENCES: dict[Reason, Callable[[Facts], str]] = {
    **grebber.SENTENCES,
    **other_games.SENTENCES,
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
    Reason.NO_BUYS_LEFT: _no_buys_left,
    Reason.NO_BUY_TO_RETURN: lambda f: _("%(name)s has no buy to give back.", name=f.name()),
    Reason.BUY_ALREADY_NOTED: _buy_already_noted,
    Reason.BUYER_FLOATS: lambda f: _("%(name)s floats and draws from the stock: no buying.", name=f.name()),
    Reason.BUYER_DOWN: lambda f: _("%(name)s is down, and at your table that ends buying.", name=f.name()),
    Reason.BUYS_OWN_DISCARD: lambda f: _("%(name)s discarded that very card and may not buy it.", name=f.name()),
    Reason.MISSING_POINTS: _missing_points,
    Reason.NOT_MULTIPLE_OF_FIVE: lambda f: _(
        "%(points)s points for %(name)s cannot be: every card counts %(values)s.",
        values=or_list(map(str, f["values"])),
        **_points(f),
    ),
    Reason.NEGATIVE_POINTS: lambda f: _(
        "%(points)s points for %(name)s cannot be: points are never below 0.", **_points(f)
    ),
    Reason.POINTS_ABOVE_PACK: _points_above_pack,
    Reason.POINTS_UNLIKELY: _points_unlikely,
    Reason.ZERO_NOT_OUT: lambda f: _("0 for %(name)s? Only who goes out or floats has no points.", name=f.name()),
    Reason.OUT_WITH_POINTS: lambda f: _("%(name)s went out and scores 0, not %(points)s.", **_points(f)),
    Reason.FLOATER_WITH_POINTS: lambda f: _("%(name)s floats and scores 0, not %(points)s.", **_points(f)),
    Reason.OTHER_HAND: _other_hand,
    Reason.HAND_NOT_SCORED: lambda f: _("Hand %(hand)s has no scores to correct yet.", hand=f["hand"]),
    Reason.TOO_FEW_PLAYERS: _too_few_players,
    Reason.TOO_MANY_PLAYERS: _too_many_players,
    Reason.NO_SUCH_SEAT: lambda f: _("Nobody sits on that chair at this table."),
    Reason.SEAT_AWAY: lambda f: _("%(name)s does not play this hand.", name=f.name()),
    Reason.SEATS_DIFFER: lambda f: _("The new order must hold everybody at the table, each once."),
    Reason.ALREADY_FLOATING: lambda f: _("%(name)s floats already.", name=f.name()),
    Reason.SEAT_HERE: lambda f: _("%(name)s is at the table already.", name=f.name()),
    Reason.NOT_FLOATING: lambda f: _("%(name)s does not float.", name=f.name()),
    Reason.FLOATING_OFF: lambda f: _("Nobody floats at this table, so %(name)s does not either.", name=f.name()),
    Reason.NOT_STARTED: lambda f: _("This game has not started yet."),
    Reason.ALREADY_STARTED: lambda f: _("This game has started already."),
    Reason.NO_SUCH_HAND: lambda f: _(
        "There is no hand %(hand)s: this game has %(limit)s hands.", hand=f["hand"], limit=f["limit"]
    ),
    Reason.GAME_OVER: lambda f: _("This game is over. Reopen it or undo to play on."),
    Reason.GAME_NOT_OVER: lambda f: _("This game is not over; just play on."),
    Reason.UNKNOWN_SWITCH: lambda f: _("There is no rule called “%(switch)s” to change.", switch=str(f["switch"])[:40]),
    Reason.BAD_SWITCH_VALUE: _bad_switch_value,
    Reason.NOTHING_TO_UNDO: lambda f: _("There is nothing to undo."),
    Reason.NOTHING_TO_REDO: lambda f: _("There is nothing to redo."),
}
