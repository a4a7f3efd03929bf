"""What every command asks first: is a game on, is this the hand, does the player take part in it."""

from __future__ import annotations

from types import MappingProxyType

from companion.referee.reasons import Firmness, Problem, Reason
from companion.referee.state import GameState, Phase

__all__ = ["Problems", "at_table", "dealt_in", "in_hand", "playing", "problem", "started"]

Problems = tuple[Problem, ...]


def problem(
    reason: Reason,
    rule: str,
    *,
    firmness: Firmness = Firmness.KATE,
    rests_on: str | None = None,
    **facts: object,
) -> Problem:
    """A Problem with its facts written as keywords; ``rests_on`` names the switch it rests on."""
    return Problem(reason, rule, MappingProxyType(facts), firmness, rests_on)


def started(state: GameState) -> Problems:
    """Refuses everything before the game is started."""
    if state.rules is None or state.phase is Phase.NOT_STARTED:
        return (problem(Reason.NOT_STARTED, "G1.2", firmness=Firmness.LOGIC),)
    return ()


def playing(state: GameState) -> Problems:
    """Refuses what needs a hand in play, before the game and after its end (G9.1)."""
    if early := started(state):
        return early
    if state.phase is not Phase.PLAYING or state.hand is None:
        return (problem(Reason.GAME_OVER, "G9.1", firmness=Firmness.LOGIC),)
    return ()


def in_hand(state: GameState, hand: int) -> Problems:
    """Refuses a command meant for another hand than the one in play."""
    if early := playing(state):
        return early
    assert state.hand is not None
    if hand != state.hand.number:
        current = state.hand.number
        return (problem(Reason.OTHER_HAND, "G1.3", firmness=Firmness.LOGIC, asked=hand, current=current),)
    return ()


def at_table(state: GameState, seat: int) -> Problems:
    """Refuses a seat that nobody has, or whose player left (G9.4)."""
    if seat not in state.seats:
        return (problem(Reason.NO_SUCH_SEAT, "G1.2", firmness=Firmness.LOGIC, seat=seat),)
    if seat not in state.order:
        return (problem(Reason.SEAT_AWAY, "G9.4", firmness=Firmness.LOGIC, seat=seat),)
    return ()


def dealt_in(state: GameState, hand: int, seat: int) -> Problems:
    """Refuses a command of somebody who does not play this hand."""
    if early := in_hand(state, hand) or at_table(state, seat):
        return early
    if seat not in state.dealt_in:
        return (problem(Reason.SEAT_AWAY, "G1.3", firmness=Firmness.LOGIC, seat=seat),)
    return ()
