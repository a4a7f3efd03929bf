"""What late joiners came with, and what a correction of earlier points would have given them (G9.4)."""

from collections.abc import Sequence

from companion.referee.engine import evolve
from companion.referee.events import CarriedCorrected, Event, ScoreCorrected, SeatJoined
from companion.referee.history import fold
from companion.referee.scoring import starting_points
from companion.referee.standings import totals
from companion.referee.state import GameState


def given_points(entries: Sequence[Event]) -> dict[int, int]:
    """The points that G9.4 gives every late joiner by what is known now of the hands before, by seat in the order they
    came; ``entries`` are those in force.

    >>> from companion.referee.events import GameStarted, HandScored
    >>> from companion.referee.games import KATE
    >>> night = [GameStarted(KATE, (0, 1, 2), 0), HandScored(1, 0, {0: 0, 1: 5, 2: 40}), SeatJoined(3, 40, 3)]
    >>> given_points(night), given_points([*night, ScoreCorrected(1, 0, {0: 0, 1: 5, 2: 90})])
    ({3: 40}, {3: 90})
    """
    given, state = dict[int, int](), GameState()
    for place, event in enumerate(entries, 1):
        if isinstance(event, SeatJoined):
            known = totals(_corrected(state, entries[place:]))
            given[event.seat] = starting_points([known[seat] for seat in state.order], state.rules)
        state = evolve(state, event)
    return given


def _corrected(state: GameState, later: Sequence[Event]) -> GameState:
    """A state as it would have been with the corrections that came later."""
    for event in later:
        if isinstance(event, CarriedCorrected) or (isinstance(event, ScoreCorrected) and state.score_of(event.hand)):
            state = evolve(state, event)
    return state


def other_points(entries: Sequence[Event], correction: Event) -> dict[int, int]:
    """The points of late joiners, by seat, that would be others had the points been right when they came (G9.4).

    Where one joiner's points depend on another's, the other is taken to get theirs. Who is given points by the
    correction itself is left out.

    >>> from companion.referee.events import GameStarted, HandScored
    >>> from companion.referee.games import KATE
    >>> night = [GameStarted(KATE, (0, 1, 2), 0), HandScored(1, 0, {0: 0, 1: 5, 2: 40}), SeatJoined(3, 40, 3)]
    >>> other_points(night, ScoreCorrected(1, 0, {0: 0, 1: 5, 2: 90}))
    {3: 90}
    """
    before, others = given_points(entries), dict[int, int]()
    named = correction.carried if isinstance(correction, CarriedCorrected) else {}
    has = fold((*entries, correction)).carried
    for seat in before:
        told = (correction, CarriedCorrected(others)) if others else (correction,)
        now = given_points((*entries, *told))[seat]
        if now != before[seat] and now != has[seat] and seat not in named:
            others = {**others, seat: now}
    return others
