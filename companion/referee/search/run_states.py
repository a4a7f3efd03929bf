"""What a run on the table can become this turn, as small numbers instead of melds (G6.2, G8)."""

from collections.abc import Sequence
from functools import cache, lru_cache

from companion.referee.cards import Rank
from companion.referee.melds import Meld, rank_at, run_lows
from companion.referee.rules import Kind, Rules
from companion.referee.search.tallies import contains, count, guards, one
from companion.referee.search.turns import Steps
from companion.referee.wild_limits import lay_off_limits

#: The state of a run: cards added below, cards added above, and a mask of its wilds (bit 16 is where its first card lay).
RunState = tuple[int, int, int]
_FIRST = 16
_RING = 13
#: Stands for any wild where otherwise a rank says which natural.
WILD = -1

#: A card that plays, the rank of a natural or WILD, and the state it makes.
_Step = tuple[int, RunState]
_RANKS = tuple(rank for rank in Rank if rank)
_GUARDS = guards(len(Rank) + 1)


def contains_ranks(have: int, wanted: int) -> bool:
    """Whether one tally of ranks holds the other."""
    return contains(have, wanted, _GUARDS)


@lru_cache(maxsize=4096)
def ranks_in(have: int) -> tuple[tuple[Rank, int], ...]:
    """Each rank of a tally with its count."""
    return tuple([(rank, number) for rank in _RANKS if (number := count(have, rank))])


def without(have: int, kept: int | None) -> int:
    """The tally less one natural of that rank; the same for a WILD or None."""
    return have if kept is None or kept == WILD else have - one(kept)


class RunStates:
    """A run and what single cards make of it, the same as ``plays`` says, for rules in which no 2 is natural."""

    def __init__(self, meld: Meld, rules: Rules) -> None:
        self.low, self.size, self.limits = meld.stands_for(0).rank, len(meld.cards), lay_off_limits(rules)
        self.start: RunState = (0, 0, sum(1 << _FIRST + at for at in meld.wild_positions()))
        self.swaps, self.to_hand = rules.wild_swap != "off", rules.freed_wild != "end"
        #: How many of its wilds a natural could set free.
        self.replaceable = self.start[2].bit_count() if self.swaps else 0
        self.steps = cache(self._steps)
        self._onward = cache(self._find_onward)
        #: By state every card that plays on the run as it lies (G6.2): the ranks of naturals, WILD.
        self.takes = cache(lambda state: {card for steps in self.steps(state) for card, _ in steps})
        self._ranks = {place: rank_at(self.low, place) for place in range(-_RING, self.size + _RING + 1)}
        self._is_open = cache(lambda below, above: self._ranks[-below] in run_lows(self.size + below + above, rules))

    def _steps(self, state: RunState) -> tuple[list[_Step], list[_Step]]:
        """Each card that plays and what it makes of the run: at an end, and in the place of a wild (G6.2, G8)."""
        below, above, wilds = state
        ends = []
        if self._is_open(below + 1, above):
            ends.append((below + 1, above, -below - 1))
        if self._is_open(below, above + 1):
            ends.append((below, above + 1, self.size + above))
        at_end: list[_Step] = [(self._ranks[place], (b, a, wilds)) for b, a, place in ends]
        at_end += [(WILD, (b, a, wilds | 1 << _FIRST + place)) for b, a, place in ends]
        replacing: list[_Step] = []
        for at in range(-below, self.size + above) if self.swaps and wilds else ():
            if wilds >> _FIRST + at & 1:
                rest, rank = wilds ^ 1 << _FIRST + at, self._ranks[at]
                if self.to_hand:
                    replacing.append((rank, (below, above, rest)))
                else:
                    replacing += [(rank, (b, a, rest | 1 << _FIRST + place)) for b, a, place in ends]
        return self._within_limits(at_end), self._within_limits(replacing)

    def _within_limits(self, steps: Sequence[_Step]) -> list[_Step]:
        """Without the states that break a wild limit (G3.3–G3.5)."""
        if self.limits.lenient:
            return list(steps)  # a run that is legal has a natural, and keeps it
        allow, size = self.limits.allow, self.size
        return [step for step in steps if allow(Kind.RUN, size + step[1][0] + step[1][1], step[1][2])]

    def _find_onward(self, state: RunState) -> list[tuple[int, int, RunState, int]]:
        """The states after one card: where it lies in a tally and its tally (0 for a wild), the state, the wilds spent.

        Where a freed wild comes to the hand it is freed first (G8.5): that opens every way that freeing it later does.
        """
        at_end, replacing = self.steps(state)
        before = self.start[2].bit_count()
        return [
            (0, 0, after, after[2].bit_count() - before)
            if card == WILD
            else (one(card + 1) - one(card), one(card), after, after[2].bit_count() - before)
            for card, after in (at_end if self.to_hand and state[:2] != (0, 0) else at_end + replacing)
        ]

    def reachable(self, have: int, wilds: int, counter: Steps) -> dict[RunState, tuple[int, int]]:
        """Every state after naturals of this tally and so many wilds, and what it takes: naturals, a tally, and wilds.

        Those that went to the hand are taken off the wilds.
        """
        reached, states = {self.start: (0, 0)}, [self.start]
        for state in states:
            counter.take(6)
            used, _ = reached[state]
            spare = have - used
            for field, card, after, spent in self._onward(state):
                if spent <= wilds and (not field or spare & field) and after not in reached:
                    reached[after] = used + card, spent
                    states.append(after)
        return reached
