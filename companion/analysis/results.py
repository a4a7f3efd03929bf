"""What a night came to: how it stood after every hand, and the turns it took.

Pure: the state of a game and its events in, numbers out. Totals, places and winners are those of
``companion.referee.standings``; nothing here decides them anew.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, permutations

from companion.referee.events import Event, GameStarted, HandScored, SeatJoined, SeatLeft, SeatReturned
from companion.referee.standings import Standings, standings_of
from companion.referee.state import GameState, HandScore


@dataclass(frozen=True, slots=True)
class Swing:
    """In ``hand`` seat ``up`` passed seat ``down``: ``behind`` by so many points before, ``ahead`` by so many after."""

    hand: int
    up: int
    down: int
    behind: int
    ahead: int

    @property
    def points(self) -> int:
        """How far the two moved against each other."""
        return self.behind + self.ahead


@dataclass(frozen=True, slots=True)
class WorstHand:
    """A seat and the points it was caught with in a hand."""

    hand: int
    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class LeadPeriod:
    """Hands in a row after which the same seats were in first place."""

    first: int
    last: int
    seats: tuple[int, ...]


def after_each_hand(state: GameState, events: Iterable[Event]) -> tuple[Standings, ...]:
    """How it stood before the first hand and after every scored one, corrections included.

    ``events`` are those in force; they say who was at the table when a hand was scored, which a state does not keep.
    """
    return tuple(
        _standing(state, hand, joined, here) for hand, joined, here in _attendance(events, state.first_hand - 1)
    )


def _attendance(events: Iterable[Event], start: int) -> Iterable[tuple[int, tuple[int, ...], frozenset[int]]]:
    """Before the first hand and at the end of each: who ever sat down, in that order, and who is at the table."""
    joined: tuple[int, ...] = ()
    here: frozenset[int] = frozenset()
    for event in events:
        if isinstance(event, GameStarted):
            joined, here = event.seats, frozenset(event.seats)
            yield start, joined, here
        elif isinstance(event, SeatJoined):
            joined, here = (*joined, event.seat), here | {event.seat}
        elif isinstance(event, SeatLeft):
            here -= {event.seat}
        elif isinstance(event, SeatReturned):
            here |= {event.seat}
        elif isinstance(event, HandScored):
            yield event.hand, joined, here


def _standing(state: GameState, hand: int, joined: Sequence[int], here: frozenset[int]) -> Standings:
    return standings_of(state, hand, joined, [seat for seat in joined if seat not in here])


def hands_won(state: GameState) -> Mapping[int, tuple[int, ...]]:
    """The hands that each seat won; seats that never did are left out (G7.2, K5)."""
    return _by_seat((seat, score.number) for score in state.scores for seat in hand_winners(state, score))


def hand_winners(state: GameState, score: HandScore) -> tuple[int, ...]:
    """Who won a hand: who went out; where the highest total wins, who scored most (K5)."""
    if state.rules.lowest_wins:
        return () if score.out is None else (score.out,)
    most = max(score.points.values(), default=0)
    return tuple(seat for seat, points in sorted(score.points.items()) if points == most)


def floats(state: GameState) -> Mapping[int, tuple[int, ...]]:
    """The scored hands that each seat floated in to the end; seats that never did are left out (G7.3)."""
    return _by_seat((seat, score.number) for score in state.scores for seat in sorted(score.floating))


def _by_seat(pairs: Iterable[tuple[int, int]]) -> dict[int, tuple[int, ...]]:
    hands: dict[int, tuple[int, ...]] = {}
    for seat, hand in pairs:
        hands[seat] = (*hands.get(seat, ()), hand)
    return hands


def most_buys(state: GameState) -> tuple[int, tuple[int, ...]]:
    """The most buys that anybody used in the scored hands, and who did; 0 and nobody where none was noted (G5.3)."""
    used = {seat: sum(score.buys.get(seat, 0) for score in state.scores) for seat in state.seats}
    return _most(used)


def most_hands_won(state: GameState) -> tuple[int, tuple[int, ...]]:
    """The most hands that anybody won, and who did; 0 and nobody where nobody won one."""
    won = hands_won(state)
    return _most({seat: len(won.get(seat, ())) for seat in state.seats})


def _most(counts: Mapping[int, int]) -> tuple[int, tuple[int, ...]]:
    most = max(counts.values(), default=0)
    return most, tuple(seat for seat, count in counts.items() if count == most > 0)


def worst_hands(state: GameState) -> tuple[WorstHand, ...]:
    """The dearest hand of the night, once for everybody who was caught with it; none where nobody was (G9.1)."""
    sign = 1 if state.rules.lowest_wins else -1
    cost = [
        WorstHand(score.number, seat, points)
        for score in state.scores
        for seat, points in sorted(score.points.items())
        if sign < 0 or seat != score.out
    ]
    worst = max((sign * hand.points for hand in cost), default=0)
    return tuple(hand for hand in cost if sign * hand.points == worst > 0)


def biggest_swings(progress: Sequence[Standings]) -> tuple[Swing, ...]:
    """The hand in which one player passed another and the two moved furthest against each other; all that tie.

    Only those at the table before and after count, and only who was truly behind and then truly ahead.
    """
    swings = [swing for before, after in pairwise(progress) for swing in _swings(before, after)]
    most = max((swing.points for swing in swings), default=0)
    return tuple(swing for swing in swings if swing.points == most)


def _swings(before: Standings, after: Standings) -> Iterable[Swing]:
    sign = 1 if after.lowest_wins else -1
    if after.laid:  # who is further in the list is in front, whatever the points
        return
    both = [seat for seat in before.totals if seat in before.places and seat in after.places]
    for up, down in permutations(both, 2):
        behind = sign * (before.totals[up] - before.totals[down])
        ahead = sign * (after.totals[down] - after.totals[up])
        if behind > 0 and ahead > 0:
            yield Swing(after.hand, up, down, behind, ahead)


def lead_periods(progress: Sequence[Standings]) -> tuple[LeadPeriod, ...]:
    """Who was in first place when, from the first scored hand on; nobody is while nobody is at the table."""
    after_hands = [standing for standing in progress[1:] if standing.leaders]
    runs = [list(run) for _seats, run in groupby(after_hands, key=lambda standing: standing.leaders)]
    return tuple(LeadPeriod(run[0].hand, run[-1].hand, run[0].leaders) for run in runs)
