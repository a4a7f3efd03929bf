"""Windows: the places where a run may lie, as masks (G3.2, G4.3)."""

from functools import lru_cache
from typing import Any

from companion.referee.cards import Suit
from companion.referee.melds import lows_of_runs, rank_at
from companion.referee.rules import Kind, Rules
from companion.referee.search.matching import AGAIN, Shape
from companion.referee.wild_limits import WildLimits, limits_of

#: A run with the ace at both ends (G2.1); no other is longer than thirteen.
LONGEST = 14


def run_windows(size: int, rules: Rules, *, every_length: bool = False) -> tuple[Shape, ...]:
    """Every place a run for a slot of ``size`` may need, suit by suit.

    Longer runs than the slot asks are among them only where the limits may ask for more cards, or with ``every_length``.
    A run of fourteen has the ace of its suit at both ends; in the masks the second one has the bit ``AGAIN`` higher.
    """
    exact, limits = rules.lay_down_size == "exact", limits_of(rules)
    return _run_windows(
        size, exact, limits, every_length, rules.ace, rules.natural_twos or rules.wild_places, rules.wild_ranks
    )


@lru_cache(maxsize=500)
def _run_windows(size: int, exact: bool, limits: WildLimits, every_length: bool, *lows: Any) -> tuple[Shape, ...]:
    longer = (length for length in range(size + 1, LONGEST + 1) if every_length or limits.needs_more_cards(length))
    windows = []
    for length in (size, *(() if exact else longer)):
        needs = limits.fewest_naturals(Kind.RUN, length)
        for row, suit in enumerate(Suit):
            for low in lows_of_runs(length, *lows):
                cells = tuple(row * 15 + rank_at(low, i) for i in range(length))
                bits = [1 << at + AGAIN * (at in cells[:i]) for i, at in enumerate(cells)]
                mask, ends = sum(bits), bits[0] | bits[-1]
                windows.append(Shape(Kind.RUN, length, cells, needs, None, suit, low, mask, ends))
    return tuple(windows)
