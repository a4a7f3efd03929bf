"""What a run on the table can become this turn, as small numbers instead of melds (G6.2, G8)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache

from companion.referee.cards import Rank
from companion.referee.melds import Meld, rank_at, run_lows
from companion.referee.rules import Kind, Rules
from companion.referee.search.tallies import contains, count, guards, one
from companion.referee.wild_limits import lay_off_limits

#: The state of a run: cards added below, cards added above, and a mask of its wilds (bit 16 is where its first card lay).
RunState = tuple[int, int, int]
_FIRST = 16
#: Stands for any wild where otherwise a rank says which natural.
WILD = -1

_Steps = Mapping[int, list[RunState]]
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


class RunStates:
    """A run and what single cards make of it, the same as ``plays`` says, for rules in which no 2 is natural."""

    def __init__(self, meld: Meld, rules: Rules) -> None:
        self.rules, self.low, self.size = rules, meld.stands_for(0).rank, len(meld.cards)
        self.limits = lay_off_limits(rules)
        self.start: RunState = (0, 0, sum(1 << _FIRST + at for at in meld.wild_positions()))
        #: How many of its wilds a natural could set free.
        self.replaceable = 0 if rules.wild_swap == "off" else self.start[2].bit_count()
        self.used = cache(self._used)
        self.steps = cache(self._steps)
        self._is_open = cache(self._open)

    def _used(self, state: RunState) -> tuple[int, int]:
        """The naturals (a tally) and the wilds that came from the hand, less the wilds that went there (G8.5)."""
        below, above, wilds = state
        came = [at for at in range(-below, self.size + above) if not wilds >> _FIRST + at & 1]
        naturals = [at for at in came if not 0 <= at < self.size or self.start[2] >> _FIRST + at & 1]
        return sum([one(rank_at(self.low, at)) for at in naturals]), wilds.bit_count() - self.start[2].bit_count()

    def _steps(self, state: RunState) -> tuple[_Steps, _Steps]:
        """By each card that plays what it makes of the run: at an end, and in the place of a wild (G6.2, G8)."""
        below, above, wilds = state
        at_end: dict[int, list[RunState]] = defaultdict(list)
        replacing: dict[int, list[RunState]] = defaultdict(list)
        ends = [(below + 1, above, -below - 1), (below, above + 1, self.size + above)]
        ends = [end for end in ends if self._is_open(*end[:2])]
        for more_below, more_above, place in ends:
            at_end[rank_at(self.low, place)].append((more_below, more_above, wilds))
            at_end[WILD].append((more_below, more_above, wilds | 1 << _FIRST + place))
        for at in range(-below, self.size + above) if self.rules.wild_swap != "off" else ():
            if wilds >> _FIRST + at & 1:
                rest, rank = wilds ^ 1 << _FIRST + at, rank_at(self.low, at)
                if self.rules.freed_wild == "end":
                    replacing[rank] += [(b, a, rest | 1 << _FIRST + place) for b, a, place in ends]
                else:
                    replacing[rank].append((below, above, rest))
        return self._within_limits(at_end), self._within_limits(replacing)

    def _within_limits(self, steps: _Steps) -> _Steps:
        """Without the states that break a wild limit (G3.3–G3.5)."""
        allow, size = self.limits.allow, self.size
        kept = {card: [s for s in after if allow(Kind.RUN, size + s[0] + s[1], s[2])] for card, after in steps.items()}
        return {card: after for card, after in kept.items() if after}

    def _open(self, below: int, above: int) -> bool:
        return rank_at(self.low, -below) in run_lows(self.size + below + above, self.rules)

    def takes(self, state: RunState, card: int) -> bool:
        """Whether the natural of that rank, or a wild, plays on the run as it lies (G6.2)."""
        return any(card in steps for steps in self.steps(state))

    def reachable(self, have: int, wilds: int) -> list[RunState]:
        """Every state after naturals of this tally and so many wilds.

        Where a freed wild comes to the hand it is freed first: that opens every way that freeing it later does.
        """
        found, reached = {self.start}, [self.start]
        to_hand = self.rules.freed_wild != "end"
        for state in reached:
            spare = have - self.used(state)[0]
            at_end, replacing = self.steps(state)
            for steps in (at_end,) if to_hand and state[:2] != (0, 0) else (at_end, replacing):
                for card, after in steps.items():
                    for new in after if card == WILD or count(spare, card) else ():
                        if new not in found and self.used(new)[1] <= wilds:
                            found.add(new)
                            reached.append(new)
        return reached
