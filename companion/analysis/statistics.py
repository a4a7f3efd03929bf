"""What many nights came to: rows read off the record in, numbers out, each with the nights it comes from.

Pure. Places and totals are those the record keeps with every night (``companion.referee.scoring``); nothing here
decides them anew. Only nights that ended are given: a night that nobody ended counts nowhere, and a hand that was
not played is no row, and so no zero.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

__all__ = ["Duel", "PerHand", "PlayedHand", "Sat", "Tally", "all_duels", "duels", "nights_of", "tallies", "ways"]

Nights = frozenset[int]
_NONE: Nights = frozenset()


class Sat(NamedTuple):
    """Somebody at the table of a night that ended: the place (None: left before the end) and the total (G9).

    ``whole``: the last hand was scored; otherwise the table closed the night early.
    """

    night: int
    person: int
    place: int | None
    total: int
    whole: bool


class PlayedHand(NamedTuple):
    """One of the contracts over many nights: how often somebody was dealt in, and what came of it together."""

    person: int
    hand: int
    times: int
    points: int
    outs: int
    floats: int
    buys: int


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

    def __add__(self, other: PerHand) -> PerHand:
        """Both together."""
        return PerHand(
            self.times + other.times, self.points + other.points, self.outs + other.outs,
            self.floats + other.floats, self.buys + other.buys,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tally:
    """What somebody's nights came to.

    ``won`` are the nights in first place, ``shared`` those of them with others (G9.3). ``compared`` are the nights
    whose totals can be compared: played to the last hand, to the end by this person, and all won by the lowest total
    or all by the highest (the switch "the lowest total wins"), as most were; ``average``, ``best`` and
    ``worst`` are over them, and None where there is none. ``hands`` is by the number of the contract.
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
    hands: Mapping[int, PerHand] = field(default_factory=dict)

    @property
    def whole(self) -> PerHand:
        """All hands together."""
        return sum(self.hands.values(), PerHand())


@dataclass(frozen=True, slots=True)
class Duel:
    """Two people at one table: the nights both saw the end of, by who came out in front of whom."""

    ahead: Nights = _NONE
    level: Nights = _NONE
    behind: Nights = _NONE

    @property
    def together(self) -> Nights:
        """All of these nights."""
        return self.ahead | self.level | self.behind


def ways(sat: Iterable[Sat]) -> Mapping[int, int]:
    """Which total won each night: 1 the highest, -1 the lowest, 0 where all were level."""
    found = {}
    for night, table in _by_night(sat).items():
        placed = sorted((one.place, one.total) for one in table if one.place is not None)
        first, last = (placed[0][1], placed[-1][1]) if placed else (0, 0)
        found[night] = (first > last) - (first < last)
    return found


def tallies(sat: Sequence[Sat], hands: Iterable[PlayedHand] = ()) -> Mapping[int, Tally]:
    """What everybody's nights came to, by person. ``sat`` has everybody of each of its nights."""
    firsts: dict[int, int] = defaultdict(int)
    for one in sat:
        firsts[one.night] += one.place == 1
    way = ways(sat)
    theirs: dict[int, list[Sat]] = defaultdict(list)
    for one in sat:
        theirs[one.person].append(one)
    dealt: dict[int, dict[int, PerHand]] = defaultdict(dict)
    for row in hands:
        one_more = PerHand(row.times, row.points, row.outs, row.floats, row.buys)
        dealt[row.person][row.hand] = dealt[row.person].get(row.hand, PerHand()) + one_more
    return {person: _tally(person, seats, dealt[person], firsts, way) for person, seats in theirs.items()}


def _tally(
    person: int, seats: Sequence[Sat], hands: Mapping[int, PerHand], firsts: Mapping[int, int], way: Mapping[int, int]
) -> Tally:
    won = frozenset(one.night for one in seats if one.place == 1)
    ended = [one for one in seats if one.whole and one.place is not None]
    # Most games go to the lowest total, some to the highest (K5), and a table may have turned a night about: only
    # those of the way most were played compare.
    usual = 1 if sum(way[one.night] for one in ended) > 0 else -1
    compared = [one for one in ended if way[one.night] != -usual]
    summed = sorted((one.total for one in compared), reverse=usual > 0)
    best, worst = (summed[0], summed[-1]) if summed else (None, None)
    return Tally(
        person=person,
        nights=frozenset(one.night for one in seats),
        won=won,
        shared=frozenset(night for night in won if firsts[night] > 1),
        early=frozenset(one.night for one in seats if not one.whole),
        left=frozenset(one.night for one in seats if one.place is None),
        compared=frozenset(one.night for one in compared),
        average=Fraction(sum(summed), len(summed)) if summed else None,
        best=best,
        best_nights=frozenset(one.night for one in compared if one.total == best),
        worst=worst,
        worst_nights=frozenset(one.night for one in compared if one.total == worst),
        hands=dict(sorted(hands.items())),
    )


def duels(sat: Iterable[Sat], person: int) -> Mapping[int, Duel]:
    """How somebody stands against everybody they sat with, by the other person."""
    return all_duels(sat, [person]).get(person, {})


def all_duels(sat: Iterable[Sat], people: Collection[int]) -> Mapping[int, Mapping[int, Duel]]:
    """How each of some people stands against everybody they sat with."""
    found: dict[int, dict[int, tuple[list[int], list[int], list[int]]]] = {person: {} for person in people}
    for night, table in _by_night(sat).items():
        here = [(one.person, one.place) for one in table if one.place is not None]
        for person, own in here:
            met = found.get(person)
            if met is None:
                continue
            for other, place in here:
                if other != person:
                    how = 0 if own < place else 1 if own == place else 2
                    met.setdefault(other, ([], [], []))[how].append(night)
    return {person: {other: Duel(*map(frozenset, how)) for other, how in met.items()} for person, met in found.items()}


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
_TWO = {
    "together": lambda duel: duel.together,
    "ahead": lambda duel: duel.ahead,
    "level": lambda duel: duel.level,
    "behind": lambda duel: duel.behind,
}
ALONE, TWO = tuple(_ALONE), tuple(_TWO)


def nights_of(sat: Sequence[Sat], what: str, person: int, other: int | None = None) -> Nights:
    """The nights that a number comes from, as ``tallies`` has it; raises KeyError for what is none of ``ALONE`` or ``TWO``."""
    if other is not None:
        return _TWO[what](duels(sat, person).get(other, Duel()))
    return _ALONE[what](tallies(sat).get(person, Tally(person)))


def _by_night(sat: Iterable[Sat]) -> Mapping[int, list[Sat]]:
    found: dict[int, list[Sat]] = defaultdict(list)
    for one in sat:
        found[one.night].append(one)
    return found
