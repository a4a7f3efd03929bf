"""What a run on the table can become this turn, as small numbers instead of melds (G6.2, G8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from companion.referee.cards import Rank, Suit
from companion.referee.melds import Meld, rank_at, run_lows
from companion.referee.rules import Kind, Rules
from companion.referee.search.tallies import contains, count, guards, one
from companion.referee.wild_limits import lay_off_limits

#: How a run lies: cards added below, cards added above, and a mask of its wilds (bit 16 is where its first card lay).
Lie = tuple[int, int, int]
_FIRST = 16
#: Stands for any wild where otherwise a rank says which natural.
WILD = -1

_RANKS = tuple(rank for rank in Rank if rank)
_GUARDS = guards(len(Rank) + 1)


def contains_ranks(have: int, wanted: int) -> bool:
    """Whether one tally of ranks holds the other."""
    return contains(have, wanted, _GUARDS)


def ranks_in(have: int) -> Iterator[tuple[Rank, int]]:
    """Each rank of a tally with its count."""
    for rank in _RANKS:
        if number := count(have, rank):
            yield rank, number


def without(have: int, kept: int | None) -> int:
    """The tally less one natural of that rank; the same for a WILD or None."""
    return have if kept is None or kept == WILD else have - one(kept)


class GrowingRun:
    """A run and what single cards make of it, the same as ``plays`` says, for rules in which no 2 is natural."""

    def __init__(self, meld: Meld, rules: Rules) -> None:
        assert meld.low is not None
        self.meld, self.rules, self.low, self.size = meld, rules, meld.low, len(meld.cards)
        self.start: Lie = (0, 0, sum(1 << _FIRST + at for at in meld.wild_positions()))
        self.limits = lay_off_limits(rules)
        self._used: dict[Lie, tuple[int, int]] = {}
        self._open: dict[tuple[int, int], bool] = {}

    @property
    def suit(self) -> Suit:
        """The run's suit."""
        assert self.meld.suit is not None
        return self.meld.suit

    @cached_property
    def replaceable(self) -> int:
        """How many of its wilds a natural could set free."""
        return 0 if self.rules.wild_swap == "off" else self.start[2].bit_count()

    def used(self, lie: Lie) -> tuple[int, int]:
        """The naturals (a tally) and the wilds that came from the hand, less the wilds that went there (G8.5)."""
        known = self._used.get(lie)
        if known is None:
            known = self._used[lie] = (self._naturals_used(lie), lie[2].bit_count() - self.start[2].bit_count())
        return known

    def _naturals_used(self, lie: Lie) -> int:
        below, above, wilds = lie
        new = [
            at for at in range(-below, self.size + above) if not 0 <= at < self.size or self.start[2] >> _FIRST + at & 1
        ]
        return sum(one(rank_at(self.low, at)) for at in new if not wilds >> _FIRST + at & 1)

    def longer(self, lie: Lie, card: int) -> Iterator[Lie]:
        """How the run lies with the natural of that rank, or a wild, at an end."""
        for after, at in self._ends(lie):
            if card == WILD:
                after = (*after[:2], after[2] | 1 << _FIRST + at)
            elif rank_at(self.low, at) != card:
                continue
            if self._allowed(after):
                yield after

    def replaced(self, lie: Lie, rank: int) -> Iterator[Lie]:
        """How the run lies with the natural of that rank in a wild's place, the wild at an end or gone to hand."""
        if self.rules.wild_swap == "off" or rank == WILD:
            return
        below, above, wilds = lie
        for at in range(-below, self.size + above):
            if wilds >> _FIRST + at & 1 and rank_at(self.low, at) == rank:
                rest = wilds ^ 1 << _FIRST + at
                if self.rules.freed_wild == "end":
                    moved = [(b, a, rest | 1 << _FIRST + to) for (b, a, _), to in self._ends(lie)]
                else:
                    moved = [(below, above, rest)]
                yield from filter(self._allowed, moved)

    def takes(self, lie: Lie, card: int) -> bool:
        """Whether the natural of that rank, or a wild, plays on the run as it lies (G6.2)."""
        return any(self.longer(lie, card)) or any(self.replaced(lie, card))

    def lies_so(self, lie: Lie, meld: Meld) -> bool:
        """Whether the meld is the run as it lies then."""
        below, above, wilds = lie
        same = meld.low is rank_at(self.low, -below) and len(meld.cards) == self.size + below + above
        return same and wilds == sum(1 << _FIRST - below + at for at in meld.wild_positions())

    def _ends(self, lie: Lie) -> Iterator[tuple[Lie, int]]:
        """The run with one more place at each open end, and where that place is."""
        below, above, wilds = lie
        if self._is_open(below + 1, above):
            yield (below + 1, above, wilds), -below - 1
        if self._is_open(below, above + 1):
            yield (below, above + 1, wilds), self.size + above

    def _is_open(self, below: int, above: int) -> bool:
        found = self._open.get((below, above))
        if found is None:
            lows = run_lows(self.size + below + above, self.rules)
            found = self._open[below, above] = rank_at(self.low, -below) in lows
        return found

    def _allowed(self, lie: Lie) -> bool:
        """Whether the wild limits hold (G3.3–G3.5)."""
        below, above, wilds = lie
        return self.limits.allow(Kind.RUN, self.size + below + above, wilds)


@dataclass(frozen=True, slots=True)
class Step:
    """One card put on a run: the rank of the natural or WILD, and how the run lay before."""

    card: int
    before: Lie
    replaces: bool


def reachable(run: GrowingRun, have: int, wilds: int) -> Mapping[Lie, Step | None]:
    """Every way the run can lie after naturals of this tally and so many wilds, with the last step to each.

    Where a freed wild comes to the hand it is freed first: that opens every way that freeing it later does.
    """
    found: dict[Lie, Step | None] = {run.start: None}
    todo = [run.start]
    ranks = [rank for rank, _ in ranks_in(have)]
    to_hand = run.rules.freed_wild != "end"
    for lie in todo:
        spare = have - run.used(lie)[0]
        cards: list[int] = [rank for rank in ranks if count(spare, rank)]
        steps = [
            (rank, after, True)
            for rank in cards
            if not to_hand or lie[:2] == (0, 0)
            for after in run.replaced(lie, rank)
        ]
        steps += [(card, after, False) for card in (*cards, WILD) for after in run.longer(lie, card)]
        for card, after, replaces in steps:
            if after not in found and run.used(after)[1] <= wilds:
                found[after] = Step(card, lie, replaces)
                todo.append(after)
    return found


def way(reached: Mapping[Lie, Step | None], lie: Lie) -> list[tuple[Step, Lie]]:
    """The steps from the run as it lay to this, in order, each with how the run lies after it."""
    steps: list[tuple[Step, Lie]] = []
    while (step := reached[lie]) is not None:
        steps.append((step, lie))
        lie = step.before
    return steps[::-1]
