"""The night as a whole: overruling a switch, closing early, playing on."""

from __future__ import annotations

import dataclasses
from dataclasses import replace

from companion.referee import commands, events
from companion.referee.engine.checks import Problems, playing, problem, started
from companion.referee.reasons import Firmness, Reason
from companion.referee.rules import BadRules, Rules
from companion.referee.state import GameState, Phase

__all__ = [
    "close", "close_problems", "closed", "overrule", "overrule_problems", "overruled", "reopen",
    "reopen_problems", "reopened",
]  # fmt: skip

#: What a game is started with and then keeps: changing it would pull the hand in play from under the table.
_FIXED = frozenset({"sheet", "contracts", "target", "purse", "stock_cards", "next_player_pays", "buy_unit"})
_SWITCHES = frozenset(field.name for field in dataclasses.fields(Rules)) - _FIXED


def overrule_problems(state: GameState, command: commands.OverruleRule) -> Problems:
    """Why the table cannot play that: no such switch, or no such value."""
    if early := playing(state):
        return early
    assert state.rules is not None
    if command.switch not in _SWITCHES:
        return (
            problem(Reason.UNKNOWN_SWITCH, "G1.1", firmness=Firmness.LOGIC, switch=command.switch, value=command.value),
        )
    if _changed(state.rules, command.switch, command.value) is None:
        return (
            problem(
                Reason.BAD_SWITCH_VALUE, "G1.1", firmness=Firmness.LOGIC, switch=command.switch, value=command.value
            ),
        )
    return ()


def _changed(rules: Rules, switch: str, value: object) -> Rules | None:
    """The rules with that value, or None where no table can play it."""
    try:
        return rules.replace(**{switch: value})
    except (BadRules, TypeError, ValueError):
        return None


def overrule(state: GameState, command: commands.OverruleRule) -> events.RuleOverruled:
    """The entry of an overruled switch."""
    return events.RuleOverruled(command.switch, command.value)


def overruled(state: GameState, event: events.RuleOverruled) -> GameState:
    """The table plays it so from now on; a value that today's rules do not know any more changes nothing."""
    rules = state.rules and _changed(state.rules, event.switch, event.value)
    if rules is None:
        return state
    names = tuple(name for name in state.overruled if name != event.switch)
    return replace(state, rules=rules, overruled=(*names, event.switch))


def close_problems(state: GameState, command: commands.CloseGame) -> Problems:
    """Why the game cannot be closed: it is over."""
    return playing(state)


def close(state: GameState, command: commands.CloseGame) -> events.GameClosed:
    """The entry of closing early."""
    return events.GameClosed()


def closed(state: GameState, event: events.GameClosed) -> GameState:
    """Over before the last hand; the hand in play is kept for a table that plays on."""
    return replace(state, phase=Phase.CLOSED)


def reopen_problems(state: GameState, command: commands.ReopenGame) -> Problems:
    """Why the table cannot play on: it is playing, or the last hand is scored."""
    if early := started(state):
        return early
    if state.phase is Phase.PLAYING:
        return (problem(Reason.GAME_NOT_OVER, "G9.1", firmness=Firmness.LOGIC),)
    if state.phase is Phase.FINISHED:
        return (problem(Reason.GAME_OVER, "G9.1", firmness=Firmness.LOGIC),)
    return ()


def reopen(state: GameState, command: commands.ReopenGame) -> events.GameReopened:
    """The entry of playing on."""
    return events.GameReopened()


def reopened(state: GameState, event: events.GameReopened) -> GameState:
    """Where the table stopped, as it lay."""
    return replace(state, phase=Phase.PLAYING if state.hand else Phase.FINISHED)
