"""A ``Problem`` as a sentence: the reason, the cards, the meld and whose it is; how firm the rule is."""

import logging
from collections.abc import Mapping, Sequence

from flask import current_app
from flask_babel import gettext as _
from flask_babel import ngettext

from companion.referee.reasons import Firmness, Problem, Reason
from companion.referee.rules import Rules
from companion.referee.switches import SWITCHES
from companion.wording import grebber, other_games
from companion.wording import reasons_of_melds as melds
from companion.wording.facts import Facts, MissingFact, Sentence
from companion.wording.short_reasons import short_reason
from companion.wording.switches import switch_choice, switch_label, switch_names
from companion.wording.text import N_, and_list, or_list

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
    facts, said = Facts(problem, names), _SENTENCES[problem.reason]
    return facts.say(said) if isinstance(said, str) else said(facts)


def alike(problems: Sequence[Problem]) -> list[list[Problem]]:
    """Problems that one sentence says: a card that plays on several melds by the same rule (G6.2); the others alone."""
    groups: dict[object, list[Problem]] = {}
    for number, problem in enumerate(problems):
        of_a_discard = {Reason.DISCARD_EXTENDS: 1, Reason.DISCARD_JOINS_SET: 1, Reason.DISCARD_REPLACES: 2}
        kind = of_a_discard.get(problem.reason)
        key = (kind, problem.rule, problem.facts["card"]) if kind else number
        groups.setdefault(key, []).append(problem)
    return list(groups.values())


def sentence_of_all(problems: Sequence[Problem], names: Mapping[int, str] | None = None) -> str:
    """One sentence for problems that are ``alike``."""
    if len(problems) == 1:
        return sentence(problems[0], names)
    facts = Facts(problems[0], names or {})
    melds = dict.fromkeys(Facts(problem, names or {}).meld() for problem in problems)
    if problems[0].reason is not Reason.DISCARD_REPLACES:
        on = and_list(_("on %(meld)s", meld=meld) for meld in melds)
        return facts.say(N_("The %(card)s may not be thrown: it plays %(on_melds)s."), on_melds=on)
    said = N_("The %(card)s may not be thrown: it plays, for it would replace a wild in %(melds)s.")
    return facts.say(said, melds=and_list(melds))


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


def firmness_short(firmness: Firmness, switch: str | None) -> str:
    """What a verdict rests on, for a tag: how firm the rule is, or that the table chose otherwise than it is written."""
    is_chosen = switch in SWITCHES and firmness is not Firmness.SILENT
    return _("your table’s choice") if is_chosen else firmness_name(firmness)


def firmness_in_full(firmness: Firmness, switch: str | None, rules: Rules) -> str:
    """The same as a sentence, with what the table plays where that decides."""
    if switch is None or switch not in (switch_names() if firmness is Firmness.SILENT else SWITCHES):
        return _(_IN_FULL[firmness])
    choice = switch_choice(switch, getattr(rules, switch))
    if firmness is Firmness.SILENT:
        return _("The written rules are silent here; your table plays “%(choice)s”.", choice=choice)
    return _("Your table plays “%(choice)s”.", choice=choice)


_IN_FULL = {
    Firmness.KATE: N_("The text of the game says so."),
    Firmness.HOWTO: N_("Only the how-to version of the text says so."),
    Firmness.LOGIC: N_("No sentence of the text says it, but it follows from those that are there."),
    Firmness.SILENT: N_("The written rules are silent here; this is our ruling."),
    Firmness.TEXT: N_("The text of the game says so."),
}


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


# --- hands and scores ------------------------------------------------------------------------------------------------


def _missing_points(f: Facts) -> str:
    seats = f["seats"] if f.has("seats") else (f["seat"],)
    return _("Points are missing for %(names)s. An empty field is not 0.", names=and_list(map(f.name_of, seats)))


def _points_above_pack(f: Facts) -> str:
    if f.has("least"):
        return f.say(N_("The points so far are from %(least)s to %(most)s."), most=f["limit"])
    return f.say(N_("Together that makes %(total)s points, but a whole hand can hold at most %(limit)s."))


def _too_many_players(f: Facts) -> str:
    if f.has("deck"):
        return grebber.kruth_players(f["count"], f["deck"], f["each"], f["limit"])
    return f.say(N_("%(count)s players are too many: at most %(limit)s can play."))


def _bad_switch_value(f: Facts) -> str:
    switch = f["switch"]
    label = switch_label(switch) if switch in switch_names() else str(switch)
    return _("“%(switch)s” cannot be played as “%(value)s”.", switch=label, value=str(f["value"])[:40])


_SENTENCES: dict[Reason, Sentence] = {
    **grebber.SENTENCES,
    **melds.SENTENCES,
    **other_games.SENTENCES,
    Reason.NO_BUYS_LEFT: _no_buys_left,
    Reason.NO_BUY_TO_RETURN: N_("%(name)s has no buy to give back."),
    Reason.BUY_ALREADY_NOTED: N_("Buy number %(nth)s of %(name)s is noted already."),
    Reason.BUYER_FLOATS: N_("%(name)s floats and draws from the stock: no buying."),
    Reason.DRAWER_DOWN: N_("%(name)s is down, and who is down draws from the stock only."),
    Reason.BUYER_DOWN: N_("%(name)s is down, and at your table that ends buying."),
    Reason.BUYS_OWN_DISCARD: N_("%(name)s discarded that very card and may not buy it."),
    Reason.MISSING_POINTS: _missing_points,
    Reason.NOT_MULTIPLE_OF_FIVE: lambda f: f.say(
        N_("%(points)s points for %(name)s cannot be: every card counts %(values)s."),
        values=or_list(map(str, f["values"])),
    ),
    Reason.NEGATIVE_POINTS: N_("%(points)s points for %(name)s cannot be: points are never below 0."),
    Reason.POINTS_ABOVE_PACK: _points_above_pack,
    Reason.POINTS_UNLIKELY: N_("%(points)s points for %(name)s? One player can hardly hold more than %(limit)s. Sure?"),
    Reason.ZERO_NOT_OUT: N_("0 for %(name)s? Only who goes out or floats has no points."),
    Reason.OUT_WITH_POINTS: N_("%(name)s went out and scores 0, not %(points)s."),
    Reason.FLOATER_WITH_POINTS: N_("%(name)s floats and scores 0, not %(points)s."),
    Reason.OTHER_HAND: N_("That was meant for hand %(asked)s; the table is at hand %(current)s now."),
    Reason.HAND_NOT_SCORED: N_("Hand %(hand)s has no scores to correct yet."),
    Reason.TOO_FEW_PLAYERS: N_("%(count)s players are too few: at least %(limit)s must play."),
    Reason.TOO_MANY_PLAYERS: _too_many_players,
    Reason.NO_SUCH_SEAT: N_("Nobody sits on that chair at this table."),
    Reason.SEAT_AWAY: N_("%(name)s does not play this hand."),
    Reason.SEATS_DIFFER: N_("The new order must hold everybody at the table, each once."),
    Reason.ALREADY_FLOATING: N_("%(name)s floats already."),
    Reason.SEAT_HERE: N_("%(name)s is at the table already."),
    Reason.NOT_FLOATING: N_("%(name)s does not float."),
    Reason.FLOATING_OFF: N_("Nobody floats at this table, so %(name)s does not either."),
    Reason.NOT_STARTED: N_("This game has not started yet."),
    Reason.ALREADY_STARTED: N_("This game has started already."),
    Reason.NO_SUCH_HAND: N_("There is no hand %(hand)s: this game has %(limit)s hands."),
    Reason.GAME_OVER: N_("This game is over. Reopen it or undo to play on."),
    Reason.GAME_NOT_OVER: N_("This game is not over; just play on."),
    Reason.UNKNOWN_SWITCH: lambda f: _("There is no rule called “%(switch)s” to change.", switch=str(f["switch"])[:40]),
    Reason.BAD_SWITCH_VALUE: _bad_switch_value,
    Reason.NOTHING_TO_UNDO: N_("There is nothing to undo."),
    Reason.NOTHING_TO_REDO: N_("There is nothing to redo."),
}
