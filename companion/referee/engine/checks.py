"""What every command asks first: is a game on, is this the hand, does the player take part in it; and how one is refused."""

import enum
from typing import Any

from companion.referee.commands import Command
from companion.referee.reasons import Problem, Reason, refuse
from companion.referee.state import GameState, Phase
from companion.referee.table import Play

Problems = tuple[Problem, ...]


class IllegalCommand(Exception):
    """The command is refused here; ``problems`` are all the reasons, in a stable order."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(", ".join(problem.reason.value for problem in problems))
        self.problems = problems


class Ambiguous(Exception):
    """The command is legal in several ways; ``plays`` are those to choose from."""

    def __init__(self, plays: tuple[Play, ...]) -> None:
        super().__init__(f"{len(plays)} ways")
        self.plays = plays


class Needs(enum.IntEnum):
    """What must be so before a command is looked at; each includes those before it."""

    NOTHING = 0
    STARTED = 1  #: and not thrown away
    PLAYING = 2  #: a hand is in play
    THIS_HAND = 3  #: and it is the one the command means
    AT_TABLE = 4  #: the player is here
    DEALT_IN = 5  #: and plays the hand


def unmet(state: GameState, command: Command, needs: Needs) -> Problems:
    """Why a command is refused before it is looked at; empty where all it needs is so."""
    for check in _CHECKS[:needs]:
        if problems := check(state, command):
            return problems
    return ()


def _started(state: GameState, command: Any) -> Problems:
    if state.phase is Phase.DISCARDED:
        return refuse(Reason.GAME_OVER, "G9.1")
    return refuse(Reason.NOT_STARTED, "G1.2") if state.phase is Phase.NOT_STARTED else ()


def _playing(state: GameState, command: Any) -> Problems:
    is_played = state.phase is Phase.PLAYING and state.hand
    return () if is_played else refuse(Reason.GAME_OVER, "G9.1")


def _this_hand(state: GameState, command: Any) -> Problems:
    current = state.hand and state.hand.number
    return () if command.hand == current else refuse(Reason.OTHER_HAND, "G1.3", asked=command.hand, current=current)


def at_table(state: GameState, command: Any) -> Problems:
    """Refuses a seat that nobody has, or whose player left (G9.4)."""
    if command.seat not in state.seats:
        return refuse(Reason.NO_SUCH_SEAT, "G1.2", seat=command.seat)
    return () if command.seat in state.order else refuse(Reason.SEAT_AWAY, "G9.4", seat=command.seat)


def _dealt_in(state: GameState, command: Any) -> Problems:
    return () if command.seat in state.dealt_in else refuse(Reason.SEAT_AWAY, "G1.3", seat=command.seat)


_CHECKS = (_started, _playing, _this_hand, at_table, _dealt_in)
