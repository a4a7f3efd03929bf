"""Points that players came with, corrected: those of a night begun on paper, and of late joiners (G9.1, G9.4)."""

from dataclasses import replace
from types import MappingProxyType

from companion.referee import commands, events
from companion.referee.engine.checks import Problems
from companion.referee.engine.scores import settled
from companion.referee.engine.seats import carried_faults
from companion.referee.reasons import Reason, refuse
from companion.referee.state import GameState


def carried_problems(state: GameState, command: commands.CorrectCarried) -> Problems:
    """Why nobody can have come with that: no such player, or points that the hands so far cannot have made (G9.1)."""
    if strangers := [seat for seat in (*command.carried, *command.begins) if seat not in state.seats]:
        return refuse(Reason.NO_SUCH_SEAT, "G1.2", seat=strangers[0])
    hand = state.hand.number if state.hand else state.scores[-1].number + 1
    return carried_faults(tuple(command.carried.items()), state.rules, hand) + _begins_faults(state, command)


def _begins_faults(state: GameState, command: commands.CorrectCarried) -> Problems:
    """Hands of the list that nobody can begin with: there is no such hand, or all play the same."""
    limit = len(state.rules.contracts) if state.rules.own_progress else 0
    wrong = ((seat, number) for seat, number in command.begins.items() if not 1 <= number <= limit)
    return tuple(
        problem
        for seat, number in wrong
        for problem in refuse(Reason.NO_SUCH_HAND, "G4.1", seat=seat, hand=number, limit=limit)
    )


def carried_corrected(state: GameState, event: events.CarriedCorrected) -> GameState:
    """Other points at the start; a game to a target ends, or goes on, with what that makes of the totals (K5)."""
    begins = MappingProxyType({**state.begins, **event.begins})
    return settled(replace(state, carried=MappingProxyType({**state.carried, **event.carried}), begins=begins))
