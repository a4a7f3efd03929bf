"""What many nights came to: rows read off the record in, numbers out, each with the nights it comes from.

Pure. Places and totals are those the record keeps with every night (``companion.referee.standings``); nothing here
decides them anew. Only nights that ended are given: a night that nobody ended counts nowhere, and a hand that was
not played is no row, and so no zero.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from fractions import Fraction
from operator import add, attrgetter
from typing import NamedTuple

Nights = frozenset[int]
_NONE: Nights = frozenset()


class SeatResult(NamedTuple):
    """Somebody at the table of a night that ended: the place (None: left before the end) and the total (G9).

    ``whole``: the last hand was scored; otherwise the table closed the night early. ``by_total``: the total decides; it
    does not where who is further in a list of hands wins, and the lowest total only among those.
    """

    night: int
    person: int
    place: int | None
    total: int
    whole: bool
    by_total: bool = True


class PlayedHand(NamedTuple):
    """One of the contracts over many nights: how often somebody was dealt in, and what came of it together.

    ``hand`` is its number, or its contract as text where the nights had different lists ("" for none).
    """

    person: int
    hand: int | str
    sums: "PerHand"


@dataclass(frozen=True, slots=True)
class PerHand:
    """Points and buys in so many hands; the averages are None where there was none."""

    times: int = 0
    points: int = 0
    outs: int = 0
    floats: int = 0
    buys: int = 0

    @property
    def average(self) -> Fraction | None:
        """Points a hand."""
        return Fraction(self.points, self.times) if self.times else None

    @property
    def average_buys(self) -> Fraction | None:
        """Buys a hand."""
        return Fraction(self.buys, self.times) if self.times else None

    def __add__(self, other: "PerHand") -> "PerHand":
        """Both together."""
        return PerHand(*map(add, astuple(self), astuple(other)))


@dataclass(frozen=True, slots=True)
class Tally:
    """What somebody's nights came to.

    ``won`` are the nights in first place, ``shared`` those of them with others (G9.3). ``compared`` are the nights
    whose totals can be compared: played to the last hand, to the end by this person, and all won by the lowest total
    or all by the highest (the switch "the lowest total wins"), as most were; ``average``, ``best`` and
    ``worst`` are over them, and None where there is none. ``hands`` is by the number of the contract, or by the contract.
    """

    person: int
    nights: Nights = _NONE
    won: Nights = _NONE
    shared: Nights = _NONE
    early: Nights = _NONE
    left: Nights = _NONE
    compared: Nights = _NONE
    average: Fraction | None = None
    best: int | None = None
    best_nights: Nights = _NONE
    worst: int | None = None
    worst_nights: Nights = _NONE
    hands: Mapping[int | str, PerHand] = field(default_factory=dict)

    @property
    def whole(self) -> PerHand:
        """All hands together."""
        return sum(self.hands.values(), PerHand())


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Two people at one table: the nights both saw the end of, by who came out in front of whom."""

    ahead: Nights = _NONE
    level: Nights = _NONE
    behind: Nights = _NONE

    @property
    def together(self) -> Nights:
        """All of these nights."""
        return self.ahead | self.level | self.behind


def winning_directions(results: Iterable[SeatResult]) -> Mapping[int, int]:
    """Which total won each night: 1 the highest, -1 the lowest, 0 where all were level."""
    directions = {}
    for night, table in _by_night(results).items():
        placed = sorted((seat.place, seat.total) for seat in table if seat.place is not None)
        first, last = (placed[0][1], placed[-1][1]) if placed else (0, 0)
        directions[night] = (first > last) - (first < last) if all(seat.by_total for seat in table) else -1
    return directions


def tallies(results: Sequence[SeatResult], hands: Iterable[PlayedHand] = ()) -> Mapping[int, Tally]:
    """What everybody's nights came to, by person. ``results`` has everybody of each of its nights."""
    firsts: dict[int, int] = defaultdict(int)
    for seat in results:
        firsts[seat.night] += seat.place == 1
    directions = winning_directions(results)
    theirs: dict[int, list[SeatResult]] = defaultdict(list)
    for seat in results:
        theirs[seat.person].append(seat)
    dealt: dict[int, dict[int | str, PerHand]] = defaultdict(dict)
    for row in hands:
        dealt[row.person][row.hand] = dealt[row.person].get(row.hand, PerHand()) + row.sums
    return {person: _tally(person, seats, dealt[person], firsts, directions) for person, seats in theirs.items()}


def _tally(
    person: int,
    seats: Sequence[SeatResult],
    hands: Mapping[int | str, PerHand],
    firsts: Mapping[int, int],
    directions: Mapping[int, int],
) -> Tally:
    won = _nights(seat for seat in seats if seat.place == 1)
    ended = [seat for seat in seats if seat.whole and seat.place is not None]
    # Most games go to the lowest total, some to the highest (K5), and a table may have turned a night about: only
    # those won in the direction that most were compare.
    usual = 1 if sum(directions[seat.night] for seat in ended) > 0 else -1
    compared = [seat for seat in ended if directions[seat.night] != -usual]
    summed = sorted((seat.total for seat in compared), reverse=usual > 0)
    best, worst = (summed[0], summed[-1]) if summed else (None, None)
    return Tally(
        person=person,
        nights=_nights(seats),
        won=won,
        shared=frozenset(night for night in won if firsts[night] > 1),
        early=_nights(seat for seat in seats if not seat.whole),
        left=_nights(seat for seat in seats if seat.place is None),
        compared=_nights(compared),
        average=Fraction(sum(summed), len(summed)) if summed else None,
        best=best,
        best_nights=_nights(seat for seat in compared if seat.total == best),
        worst=worst,
        worst_nights=_nights(seat for seat in compared if seat.total == worst),
        hands=dict(sorted(hands.items(), key=lambda item: (isinstance(item[0], str), item[0]))),
    )


def _nights(results: Iterable[SeatResult]) -> Nights:
    return frozenset(seat.night for seat in results)


def head_to_heads(results: Iterable[SeatResult], people: Collection[int]) -> Mapping[int, Mapping[int, HeadToHead]]:
    """How each of some people stands against everybody they sat with."""
    met: dict[int, dict[int, tuple[list[int], list[int], list[int]]]] = {person: {} for person in people}
    for night, table in _by_night(results).items():
        here = [(seat.person, seat.place) for seat in table if seat.place is not None]
        for person, own in here:
            for other, place in here if person in met else ():
                if other != person:
                    ahead_level_behind = met[person].setdefault(other, ([], [], []))
                    ahead_level_behind[(own > place) + (own >= place)].append(night)
    return {
        person: {other: HeadToHead(*map(frozenset, nights)) for other, nights in others.items()}
        for person, others in met.items()
    }


#: The numbers that open nights, by what an address calls them; those about another person have another function.
_ALONE = {
    "nights": lambda tally: tally.nights,
    "won": lambda tally: tally.won,
    "shared": lambda tally: tally.shared,
    "early": lambda tally: tally.early,
    "left": lambda tally: tally.left,
    "total": lambda tally: tally.compared,
    "best": lambda tally: tally.best_nights,
    "worst": lambda tally: tally.worst_nights,
}
ALONE, TWO = tuple(_ALONE), ("together", "ahead", "level", "behind")
_TWO = {what: attrgetter(what) for what in TWO}


def nights_of(results: Sequence[SeatResult], what: str, person: int, other: int | None = None) -> Nights:
    """The nights that a number comes from, as ``tallies`` has it; raises KeyError for what is none of ``ALONE`` or ``TWO``."""
    if other is not None:
        return _TWO[what](head_to_heads(results, [person])[person].get(other, HeadToHead()))
    return _ALONE[what](tallies(results).get(person, Tally(person)))


def _by_night(results: Iterable[SeatResult]) -> Mapping[int, list[SeatResult]]:
    by_night: dict[int, list[SeatResult]] = defaultdict(list)
    for seat in results:
        by_night[seat.night].append(seat)
    return by_night
