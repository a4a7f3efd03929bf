"""The engine: ``problems``, ``decide`` and ``evolve`` for every command and event of a game.

One check serves three uses: a button asks ``problems`` whether to show itself, a page shows what it returns,
and ``decide`` refuses for exactly those reasons. ``evolve`` never refuses: what the record holds has happened.
"""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from functools import reduce
from typing import Any, NamedTuple

from companion.referee import commands, events, switches
from companion.referee.commands import Command, DoTogether
from companion.referee.engine import (
    buying,
    carried,
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
from companion.referee.engine.checks import Ambiguous, IllegalCommand, Needs, unmet
from companion.referee.engine.correcting import Correction, correction_preview
from companion.referee.events import DoneTogether, Event
from companion.referee.games import cited, game_of
from companion.referee.reasons import Problem, Reason, refuse
from companion.referee.state import GameState, Hand, Phase, Playing

__all__ = [
    "Ambiguous", "Correction", "IllegalCommand", "correction_preview", "decide", "evolve", "problems", "rests_on",
]  # fmt: skip


class _Row(NamedTuple):
    """What may be done: what the command needs, its check, the entry it makes, and the part of a game it belongs to.

    Check and outcome get the hand in play (``Playing``) where the command needs one, else the ``GameState``.
    """

    needs: Needs
    check: Callable[[Any, Any], tuple[Problem, ...]]
    outcome: Callable[[Any, Any], Event]
    part: str | None = None


def _as(kind: type[Event]) -> Callable[[object, Any], Event]:
    """The outcome of a command that only becomes the entry with the same fields."""
    names = [field.name for field in fields(kind)]
    return lambda _, command: kind(**{name: getattr(command, name) for name in names})


def _nothing_against(_: object, command: object) -> tuple[Problem, ...]:
    return ()


_COMMANDS: dict[type, _Row] = {
    commands.StartGame: _Row(Needs.NOTHING, seats.start_problems, seats.start),
    commands.Buy: _Row(Needs.DEALT_IN, buying.buy_problems, _as(events.Bought), "contracts"),
    commands.TakeBackBuy: _Row(Needs.DEALT_IN, buying.back_problems, _as(events.BuyTakenBack), "contracts"),
    commands.GoDown: _Row(Needs.DEALT_IN, go_down.go_down_problems, go_down.go_down, "contracts"),
    commands.GoDownWithoutCards: _Row(
        Needs.DEALT_IN, go_down.blind_problems, _as(events.WentDownWithoutCards), "contracts"
    ),
    commands.LayOff: _Row(Needs.DEALT_IN, lay_off.lay_off_problems, lay_off.lay_off, "contracts"),
    commands.ReplaceWild: _Row(Needs.DEALT_IN, lay_off.replace_problems, lay_off.replace_wild, "contracts"),
    commands.Rearrange: _Row(Needs.DEALT_IN, rearranging.rearrange_problems_of, rearranging.rearrange, "contracts"),
    commands.CorrectMeld: _Row(Needs.THIS_HAND, correcting.correct_meld_problems, correcting.correct_meld, "contracts"),
    commands.TakeBackGoingDown: _Row(
        Needs.THIS_HAND, go_down.take_back_problems, _as(events.GoingDownTakenBack), "contracts"
    ),
    commands.Float: _Row(Needs.DEALT_IN, hands.float_problems, _as(events.Floated), "contracts"),
    commands.TakeBackFloat: _Row(Needs.AT_TABLE, hands.float_back_problems, _as(events.FloatTakenBack), "contracts"),
    commands.SitOut: _Row(Needs.DEALT_IN, hands.sit_out_problems, _as(events.SatOut)),
    commands.SitBackIn: _Row(Needs.AT_TABLE, hands.back_in_problems, _as(events.SatBackIn)),
    commands.ScoreHand: _Row(Needs.THIS_HAND, scores.score_problems, scores.score, "points"),
    commands.CorrectScore: _Row(Needs.STARTED, scores.correct_problems, scores.correct, "points"),
    commands.CountHand: _Row(Needs.THIS_HAND, grebber.count_problems_of, grebber.counted(events.HandScored), "kruth"),
    commands.CorrectCount: _Row(
        Needs.STARTED, grebber.correct_problems, grebber.counted(events.ScoreCorrected), "kruth"
    ),
    commands.PayAntes: _Row(Needs.THIS_HAND, grebber.antes_problems, grebber.pay_antes, "kruth"),
    commands.PayChips: _Row(Needs.DEALT_IN, grebber.chips_problems, grebber.pay_chips, "kruth"),
    commands.FillPurse: _Row(Needs.AT_TABLE, grebber.fill_problems, grebber.fill_purse, "kruth"),
    commands.DealAnew: _Row(Needs.THIS_HAND, _nothing_against, _as(events.HandDealtAnew)),
    commands.JoinSeat: _Row(Needs.PLAYING, seats.join_problems, seats.join),
    commands.LeaveSeat: _Row(Needs.PLAYING, seats.leave_problems, _as(events.SeatLeft)),
    commands.ReturnToSeat: _Row(Needs.PLAYING, seats.return_problems, _as(events.SeatReturned)),
    commands.MoveSeats: _Row(Needs.PLAYING, seats.move_problems, _as(events.SeatsMoved)),
    commands.SetDealer: _Row(Needs.AT_TABLE, _nothing_against, _as(events.DealerSet)),
    commands.OverruleRule: _Row(Needs.PLAYING, lifecycle.overrule_problems, _as(events.RuleOverruled)),
    commands.CloseGame: _Row(Needs.PLAYING, _nothing_against, _as(events.GameClosed)),
    commands.ReopenGame: _Row(Needs.STARTED, lifecycle.reopen_problems, _as(events.GameReopened)),
    commands.ResumeHand: _Row(Needs.STARTED, lifecycle.resume_problems, _as(events.HandResumed)),
    commands.CorrectCarried: _Row(Needs.STARTED, carried.carried_problems, _as(events.CarriedCorrected)),
    commands.DiscardGame: _Row(Needs.STARTED, _nothing_against, _as(events.GameDiscarded)),
}


def _joins(seats: str) -> Callable[[Playing, Any], Hand]:
    """An entry that puts the player among those seats of the hand."""
    return lambda playing, event: replace(playing.hand, **{seats: getattr(playing.hand, seats) | {event.seat}})


def _leaves(seats: str) -> Callable[[Playing, Any], Hand]:
    return lambda playing, event: replace(playing.hand, **{seats: getattr(playing.hand, seats) - {event.seat}})


#: What an entry changes in the hand in play; where there is none it changes nothing.
_IN_HAND: dict[type, Callable[[Playing, Any], Hand]] = {
    events.Bought: buying.bought,
    events.BuyTakenBack: buying.taken_back,
    events.WentDown: go_down.went_down,
    events.WentDownWithoutCards: _joins("down"),
    events.LaidOff: lay_off.laid_off,
    events.WildReplaced: lay_off.wild_replaced,
    events.Rearranged: rearranging.rearranged,
    events.MeldCorrected: correcting.meld_corrected,
    events.GoingDownTakenBack: go_down.taken_back,
    events.Floated: _joins("floating"),
    events.FloatTakenBack: _leaves("floating"),
    events.SatOut: _joins("sitting_out"),
    events.SatBackIn: _leaves("sitting_out"),
    events.HandDealtAnew: hands.dealt_anew,
    events.DealerSet: hands.dealer_set,
}

#: What an entry changes in the game. Undone and Redone are resolved by ``history`` and change nothing here.
_IN_GAME: dict[type, Callable[[GameState, Any], GameState]] = {
    events.GameStarted: seats.started_game,
    events.HandScored: scores.scored,
    events.ScoreCorrected: scores.corrected,
    events.ChipsPaid: grebber.chips_paid,
    events.PurseFilled: grebber.purse_filled,
    events.SeatJoined: seats.joined,
    events.SeatLeft: seats.left,
    events.SeatReturned: seats.returned,
    events.SeatsMoved: seats.moved,
    events.RuleOverruled: lifecycle.overruled,
    events.GameClosed: lifecycle.closed,
    events.GameReopened: lifecycle.reopened,
    events.HandResumed: lifecycle.resumed,
    events.CarriedCorrected: carried.carried_corrected,
    events.GameDiscarded: lifecycle.discarded,
    events.Undone: lambda state, _: state,
    events.Redone: lambda state, _: state,
}


def _subject(state: GameState, needs: Needs) -> Any:
    """What a check or an outcome is given."""
    return state.playing if needs >= Needs.PLAYING else state


def _other_game(state: GameState, part: str | None) -> tuple[Problem, ...]:
    """Refuses what belongs to a game of another kind."""
    game = game_of(state.rules)
    if part is None or part in game.parts or state.phase is Phase.NOT_STARTED:
        return ()
    return refuse(Reason.OTHER_GAME, *game.rule("contracts"))


def problems(state: GameState, command: Command) -> tuple[Problem, ...]:
    """Every reason against a command at once, in a stable order; empty means legal. Never raises.

    >>> from companion.referee.commands import Buy
    >>> [problem.reason.name for problem in problems(GameState(), Buy(1, 0))]
    ['NOT_STARTED']
    """
    if isinstance(command, DoTogether):
        return _problems_together(state, command)
    needs, check, _, part = _COMMANDS[type(command)]
    found = _other_game(state, part) or unmet(state, command, needs) or check(_subject(state, needs), command)
    return cited(found, getattr(command, "rules", state.rules))


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
    if refused := problems(state, command):
        raise IllegalCommand(refused)
    if isinstance(command, DoTogether):
        return (DoneTogether(_decide_in_turn(state, command.commands)),)
    row = _COMMANDS[type(command)]
    return (row.outcome(_subject(state, row.needs), command),)


def _problems_together(state: GameState, together: DoTogether) -> tuple[Problem, ...]:
    """Why one of the commands is refused after those before it."""
    for command in together.commands:
        if refused := problems(state, command):
            return refused
        if command is not together.commands[-1]:
            state = evolve(state, *decide(state, command))
    return ()


def _decide_in_turn(state: GameState, wanted: Sequence[Command]) -> tuple[Event, ...]:
    made: list[Event] = []
    for command in wanted:
        made += decide(state, command)
        state = evolve(state, made[-1])
    return tuple(made)


def evolve(state: GameState, event: Event) -> GameState:
    """The state after an entry, whatever today's rules would say to it (law 6); nothing is checked.

    >>> from companion.referee.commands import Buy, StartGame
    >>> from companion.referee.games import KATE
    >>> (started,) = decide(GameState(), StartGame(KATE, seats=(0, 1, 2), dealer=0))
    >>> evolve(GameState(), started).starter
    1
    """
    if isinstance(event, DoneTogether):
        return reduce(evolve, event.events, state)
    if change := _IN_HAND.get(type(event)):
        return replace(state, hand=change(state.playing, event)) if state.playing else state
    return _IN_GAME[type(event)](state, event)


def rests_on(state: GameState, command: Command, *, every: bool = False) -> tuple[str, ...]:
    """The silent switches that the verdict on a command rests on: another value of one would turn it round.

    With ``every`` also those where the table plays something else than what is written.

    >>> from companion.referee.commands import Buy, StartGame
    >>> from companion.referee.games import KATE
    >>> (started,) = decide(GameState(), StartGame(KATE, seats=(0, 1, 2), dealer=0))
    >>> rests_on(evolve(GameState(), started), Buy(1, 2))
    ()
    """
    return switches.rests_on(lambda rules: problems(replace(state, rules=rules), command), state.rules, every=every)
