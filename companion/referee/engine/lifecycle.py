"""The night as a whole: overruling a switch, closing early, playing on."""

from dataclasses import fields, replace

from companion.referee import commands, events
from companion.referee.engine.checks import Problems
from companion.referee.reasons import Reason, refuse
from companion.referee.rules import BadRules, Rules
from companion.referee.state import GameState, Phase, Playing

#: What a game is started with and then keeps: changing it would pull the hand in play from under the table.
_FIXED = frozenset(
    {"sheet", "contracts", "target", "purse", "stock_cards", "next_player_pays", "buy_unit", "progress", "after_out"}
)
_SWITCHES = frozenset(field.name for field in fields(Rules)) - _FIXED


def overrule_problems(playing: Playing, command: commands.OverruleRule) -> Problems:
    """Why the table cannot play that: no such switch, or no such value."""
    switch, value = command.switch, command.value
    if switch not in _SWITCHES:
        return refuse(Reason.UNKNOWN_SWITCH, "G1.1", switch=switch, value=value)
    if _changed(playing.rules, switch, value) is None:
        return refuse(Reason.BAD_SWITCH_VALUE, "G1.1", switch=switch, value=value)
    return ()


def _changed(rules: Rules, switch: str, value: object) -> Rules | None:
    """The rules with that value, or None where no table can play it."""
    try:
        return rules.replace(**{switch: value})
    except (BadRules, TypeError, ValueError):
        return None


def overruled(state: GameState, event: events.RuleOverruled) -> GameState:
    """The table plays it so from now on; a value that today's rules do not know any more changes nothing."""
    rules = _changed(state.rules, event.switch, event.value)
    if rules is None or state.phase is Phase.NOT_STARTED:
        return state
    names = tuple(name for name in state.overruled if name != event.switch)
    return replace(state, rules=rules, overruled=(*names, event.switch))


def closed(state: GameState, event: events.GameClosed) -> GameState:
    """Over before the last hand; the hand in play is kept for a table that plays on."""
    return replace(state, phase=Phase.CLOSED)


def reopen_problems(state: GameState, command: commands.ReopenGame) -> Problems:
    """Why the table cannot play on: it is playing, or the last hand is scored."""
    if state.phase is Phase.PLAYING:
        return refuse(Reason.GAME_NOT_OVER, "G9.1")
    return refuse(Reason.GAME_OVER, "G9.1") if state.phase is Phase.FINISHED else ()


def reopened(state: GameState, event: events.GameReopened) -> GameState:
    """Where the table stopped, as it lay."""
    return replace(state, phase=Phase.PLAYING if state.hand else Phase.FINISHED)


def resume_problems(state: GameState, command: commands.ResumeHand) -> Problems:
    """Why no hand that ended the night can be played on: the night is not over, or was closed early (G9.1)."""
    if state.phase is Phase.PLAYING:
        return refuse(Reason.GAME_NOT_OVER, "G9.1")
    return refuse(Reason.GAME_OVER, "G9.1") if state.phase is not Phase.FINISHED or state.last_hand is None else ()


def resumed(state: GameState, event: events.HandResumed) -> GameState:
    """The last hand lies as it lay, and its score is gone; where a correction had ended the night no score goes."""
    hand = state.last_hand
    if hand is None:
        return state
    scores = tuple(score for score in state.scores if score.number < hand.number)
    return replace(state, phase=Phase.PLAYING, hand=hand, last_hand=None, scores=scores)


def discarded(state: GameState, event: events.GameDiscarded) -> GameState:
    """Everything stays as it lay, for a table that takes it back."""
    return replace(state, phase=Phase.DISCARDED)
