"""What a night came to: how it stood after every hand, and the turns it took.

Pure: the state of a game and its events in, numbers out. Totals, places and winners are those of
``companion.referee.scoring``; nothing here decides them anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, permutations

from companion.referee.events import Event, GameStarted, HandScored, SeatJoined, SeatLeft, SeatReturned
from companion.referee.scoring import places, totals
from companion.referee.state import GameState, HandScore

__all__ = [
    "Caught", "Spell", "Standing", "Swing", "biggest_swings", "floats", "hand_winners", "hands_won", "margin", "most_buys", "ranked",
    "spells", "standings", "worst_hands",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Standing:
    """How it stood after hand ``hand`` (the first standing is before any): the total of everybody who ever sat down
    by then, and the place of those who were at the table (G9.3, G9.4).
    """

    hand: int
    totals: Mapping[int, int]
    places: Mapping[int, int]

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats in first place, in the order they joined."""
        return tuple(seat for seat in self.totals if self.places.get(seat) == 1)


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
class Caught:
    """A seat and the points it was caught with in a hand."""

    hand: int
    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class Spell:
    """Hands in a row after which the same seats were in first place."""

    first: int
    last: int
    seats: tuple[int, ...]


def standings(state: GameState, events: Iterable[Event]) -> tuple[Standing, ...]:
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


def _standing(state: GameState, hand: int, joined: Sequence[int], here: frozenset[int]) -> Standing:
    scored = [score.points for score in state.scores if score.number <= hand]
    summed = {seat: state.carried.get(seat, 0) + sum(points.get(seat, 0) for points in scored) for seat in joined}
    away = [seat for seat in joined if seat not in here]
    return Standing(hand, summed, places(summed, away, lowest_wins=_lowest_wins(state)))


def _lowest_wins(state: GameState) -> bool:
    return state.rules is None or state.rules.lowest_wins


def ranked(state: GameState) -> tuple[tuple[int, int | None], ...]:
    """Every seat with its place as it stands now, the first first; those who left come last, without one (G9.4).

    Equal places keep the order of the chairs.
    """
    placed = places(totals(state), state.away, lowest_wins=_lowest_wins(state))
    around = sorted(state.chairs, key=lambda seat: placed.get(seat, len(state.chairs) + 1))
    return tuple((seat, placed.get(seat)) for seat in around)


def margin(state: GameState) -> int | None:
    """The points between first place and the next; None where there is no next (all level, or nobody else is left)."""
    summed = totals(state)
    here = sorted({summed[seat] for seat in state.seats if seat not in state.away}, reverse=not _lowest_wins(state))
    return abs(here[1] - here[0]) if len(here) > 1 else None


def hands_won(state: GameState) -> Mapping[int, tuple[int, ...]]:
    """The hands that each seat won; seats that never did are left out (G7.2, K5)."""
    return _by_seat((seat, score.number) for score in state.scores for seat in hand_winners(state, score))


def hand_winners(state: GameState, score: HandScore) -> tuple[int, ...]:
    """Who won a hand: who went out; where the highest total wins, who scored most (K5)."""
    if _lowest_wins(state):
        return () if score.out is None else (score.out,)
    most = max(score.points.values(), default=0)
    return tuple(seat for seat, points in sorted(score.points.items()) if points == most)


def floats(state: GameState) -> Mapping[int, tuple[int, ...]]:
    """The scored hands that each seat floated in to the end; seats that never did are left out (G7.3)."""
    return _by_seat((seat, score.number) for score in state.scores for seat in sorted(score.floating))


def _by_seat(pairs: Iterable[tuple[int, int]]) -> dict[int, tuple[int, ...]]:
    found: dict[int, tuple[int, ...]] = {}
    for seat, hand in pairs:
        found[seat] = (*found.get(seat, ()), hand)
    return found


def most_buys(state: GameState) -> tuple[int, tuple[int, ...]]:
    """The most buys that anybody used in the scored hands, and who did; 0 and nobody where none was noted (G5.3)."""
    used = {seat: sum(score.buys.get(seat, 0) for score in state.scores) for seat in state.seats}
    most = max(used.values(), default=0)
    return most, tuple(seat for seat, buys in used.items() if buys == most > 0)


def worst_hands(state: GameState) -> tuple[Caught, ...]:
    """The dearest hand of the night, once for everybody who was caught with it; none where nobody was (G9.1)."""
    sign = 1 if _lowest_wins(state) else -1
    cost = [
        Caught(score.number, seat, points)
        for score in state.scores
        for seat, points in sorted(score.points.items())
        if sign < 0 or seat != score.out
    ]
    worst = max((sign * one.points for one in cost), default=0)
    return tuple(one for one in cost if sign * one.points == worst > 0)


def biggest_swings(found: Sequence[Standing], *, lowest_wins: bool = True) -> tuple[Swing, ...]:
    """The hand in which one player passed another and the two moved furthest against each other; all that tie.

    Only those at the table before and after count, and only who was truly behind and then truly ahead.
    """
    sign = 1 if lowest_wins else -1
    swings = [swing for before, after in pairwise(found) for swing in _swings(before, after, sign)]
    most = max((swing.points for swing in swings), default=0)
    return tuple(swing for swing in swings if swing.points == most)


def _swings(before: Standing, after: Standing, sign: int) -> Iterable[Swing]:
    both = [seat for seat in before.totals if seat in before.places and seat in after.places]
    for up, down in permutations(both, 2):
        behind = sign * (before.totals[up] - before.totals[down])
        ahead = sign * (after.totals[down] - after.totals[up])
        if behind > 0 and ahead > 0:
            yield Swing(after.hand, up, down, behind, ahead)


def spells(found: Sequence[Standing]) -> tuple[Spell, ...]:
    """Who was in first place when, from the first scored hand on; nobody is while nobody is at the table."""
    after_hands = [standing for standing in found[1:] if standing.leaders]
    runs = [list(run) for _seats, run in groupby(after_hands, key=lambda standing: standing.leaders)]
    return tuple(Spell(run[0].hand, run[-1].hand, run[0].leaders) for run in runs)
