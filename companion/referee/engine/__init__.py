"""The engine: ``problems``, ``decide`` and ``evolve`` for every command and event of a game.

One check serves three uses: a button asks ``problems`` whether to show itself, a page shows what it returns,
and ``decide`` refuses for exactly those reasons. ``evolve`` never refuses: what the record holds has happened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.referee import commands, events, switches
from companion.referee.commands import Command
from companion.referee.engine import (
    buying,
    correcting,
    go_down,
    grebber,
    hands,
    lay_off,
    lifecycle,
    rearranging,
    scores,
    seats,
)  # fmt: skip
from companion.referee.engine.checks import problem
from companion.referee.engine.correcting import Correction, correction_preview
from companion.referee.engine.errors import Ambiguous, IllegalCommand
from companion.referee.events import Event
from companion.referee.games import game_of
from companion.referee.reasons import Problem, Reason
from companion.referee.state import GameState

__all__ = [
    "Ambiguous", "Correction", "IllegalCommand", "correction_preview", "decide", "evolve", "problems", "rests_on",
]  # fmt: skip

_Check = Callable[[GameState, Any], tuple[Problem, ...]]
_Outcome = Callable[[GameState, Any], Event]
_Change = Callable[[GameState, Any], GameState]

#: What may be done: the check of a command and the entry it makes.
_COMMANDS: dict[type, tuple[_Check, _Outcome]] = {
    commands.StartGame: (seats.start_problems, seats.start),
    commands.Buy: (buying.buy_problems, buying.buy),
    commands.TakeBackBuy: (buying.back_problems, buying.give_back),
    commands.GoDown: (go_down.go_down_problems, go_down.go_down),
    commands.GoDownWithoutCards: (go_down.blind_problems, go_down.blind),
    commands.LayOff: (lay_off.lay_off_problems, lay_off.lay_off),
    commands.ReplaceWild: (lay_off.replace_problems, lay_off.replace_wild),
    commands.Rearrange: (rearranging.rearrange_problems_of, rearranging.rearrange),
    commands.CorrectMeld: (correcting.correct_meld_problems, correcting.correct_meld),
    commands.TakeBackGoingDown: (go_down.take_back_problems, go_down.take_back),
    commands.Float: (hands.float_problems, hands.float_),
    commands.TakeBackFloat: (hands.float_back_problems, hands.no_float),
    commands.SitOut: (hands.sit_out_problems, hands.sit_out),
    commands.SitBackIn: (hands.back_in_problems, hands.back_in),
    commands.ScoreHand: (scores.score_problems, scores.score),
    commands.CorrectScore: (scores.correct_problems, scores.correct),
    commands.CountHand: (grebber.count_problems_of, grebber.count),
    commands.CorrectCount: (grebber.correct_problems, grebber.correct),
    commands.PayAntes: (grebber.antes_problems, grebber.pay_antes),
    commands.PayChips: (grebber.chips_problems, grebber.pay_chips),
    commands.DealAnew: (hands.anew_problems, hands.deal_anew),
    commands.JoinSeat: (seats.join_problems, seats.join),
    commands.LeaveSeat: (seats.leave_problems, seats.leave),
    commands.ReturnToSeat: (seats.return_problems, seats.return_),
    commands.MoveSeats: (seats.move_problems, seats.move),
    commands.SetDealer: (hands.dealer_problems, hands.set_dealer),
    commands.OverruleRule: (lifecycle.overrule_problems, lifecycle.overrule),
    commands.CloseGame: (lifecycle.close_problems, lifecycle.close),
    commands.ReopenGame: (lifecycle.reopen_problems, lifecycle.reopen),
}

#: What an entry changes. Undone and Redone are resolved by ``history`` and change nothing here.
_EVENTS: dict[type, _Change] = {
    events.GameStarted: seats.started_game,
    events.Bought: buying.bought,
    events.BuyTakenBack: buying.taken_back,
    events.WentDown: go_down.went_down,
    events.WentDownWithoutCards: go_down.went_blind,
    events.LaidOff: lay_off.laid_off,
    events.WildReplaced: lay_off.wild_replaced,
    events.Rearranged: rearranging.rearranged,
    events.MeldCorrected: correcting.meld_corrected,
    events.GoingDownTakenBack: go_down.taken_back,
    events.Floated: hands.floated,
    events.FloatTakenBack: hands.unfloated,
    events.SatOut: hands.sat_out,
    events.SatBackIn: hands.sat_back_in,
    events.HandScored: scores.scored,
    events.ScoreCorrected: scores.corrected,
    events.ChipsPaid: grebber.chips_paid,
    events.HandDealtAnew: hands.dealt_anew,
    events.SeatJoined: seats.joined,
    events.SeatLeft: seats.left,
    events.SeatReturned: seats.returned,
    events.SeatsMoved: seats.moved,
    events.DealerSet: hands.dealer_set,
    events.RuleOverruled: lifecycle.overruled,
    events.GameClosed: lifecycle.closed,
    events.GameReopened: lifecycle.reopened,
    events.Undone: lambda state, _: state,
    events.Redone: lambda state, _: state,
}


#: The part of a game that a command belongs to; the others belong to every game.
_PARTS: Mapping[type, str] = {
    **dict.fromkeys(
        (
            commands.Buy, commands.TakeBackBuy, commands.GoDown, commands.GoDownWithoutCards, commands.LayOff,
            commands.ReplaceWild, commands.Rearrange, commands.CorrectMeld, commands.TakeBackGoingDown, commands.Float,
            commands.TakeBackFloat,
        ),
        "contracts",
    ),
    **dict.fromkeys((commands.ScoreHand, commands.CorrectScore), "points"),
    **dict.fromkeys((commands.CountHand, commands.CorrectCount, commands.PayAntes, commands.PayChips), "kruth"),
}  # fmt: skip


def _other_game(state: GameState, command: Command) -> tuple[Problem, ...]:
    """Refuses what belongs to a game of another kind."""
    if state.rules is None:
        return ()
    game, part = game_of(state.rules), _PARTS.get(type(command))
    if part is None or part in game.parts:
        return ()
    rule, firmness = game.rule("contracts")
    return (problem(Reason.OTHER_GAME, rule, firmness=firmness),)


def problems(state: GameState, command: Command) -> tuple[Problem, ...]:
    """Every reason against a command at once, in a stable order; empty means legal. Never raises.

    >>> from companion.referee.commands import Buy
    >>> [problem.reason.name for problem in problems(GameState(), Buy(1, 0))]
    ['NOT_STARTED']
    """
    check, _ = _COMMANDS[type(command)]
    return _other_game(state, command) or check(state, command)


def decide(state: GameState, command: Command) -> tuple[Event, ...]:
    """The entries that a legal command makes.

    Raises IllegalCommand with ``problems(state, command)``, and Ambiguous with the ways to choose from where
    a card could go to either end, or take the place of several wilds.

    >>> from companion.referee.commands import StartGame
    >>> from companion.referee.games import KATE
    >>> (started,) = decide(GameState(), StartGame(KATE, seats=(0, 1, 2), dealer=0))
    >>> started.seats
    (0, 1, 2)
    """
    _, outcome = _COMMANDS[type(command)]
    if found := problems(state, command):
        raise IllegalCommand(found)
    return (outcome(state, command),)


def evolve(state: GameState, event: Event) -> GameState:
    """The state after an entry, whatever today's rules would say to it (law 6); nothing is checked.

    >>> from companion.referee.commands import Buy, StartGame
    >>> from companion.referee.games import KATE
    >>> (started,) = decide(GameState(), StartGame(KATE, seats=(0, 1, 2), dealer=0))
    >>> evolve(GameState(), started).starter
    1
    """
    return _EVENTS[type(event)](state, event)


def rests_on(state: GameState, command: Command) -> tuple[str, ...]:
    """The silent switches that the verdict on a command rests on: another value of one would turn it round.

    >>> from companion.referee.commands import Buy, StartGame
    >>> from companion.referee.games import KATE
    >>> (started,) = decide(GameState(), StartGame(KATE, seats=(0, 1, 2), dealer=0))
    >>> rests_on(evolve(GameState(), started), Buy(1, 2))
    ()
    """
    if state.rules is None:
        return ()
    return switches.rests_on(lambda rules: problems(replace(state, rules=rules), command), state.rules)
