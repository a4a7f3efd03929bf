"""Windows: the places where a run may lie, as masks (G3.2, G4.3)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.referee.cards import Rank, Suit
from companion.referee.melds import rank_at, run_lows
from companion.referee.rules import Kind, Rules
from companion.referee.search.matching import Shape, wanted_naturals

_SUITS = tuple(Suit)


@dataclass(frozen=True, slots=True)
class Window:
    """A place for a run: its suit, low end and cells (suit by rank), the same as a mask, and the run as a shape."""

    suit: Suit
    low: Rank
    cells: tuple[int, ...]
    size: int
    mask: int
    ends: int  # the mask of its two end cells
    needs: int  # the fewest naturals the limits ask for
    shape: Shape


def run_windows(size: int, rules: Rules, *, every_length: bool = False) -> tuple[Window, ...]:
    """Every place a run for a slot of ``size`` may need, suit by suit; kept by the few switches that matter for it.

    Longer ones than the slot asks are worth a try only where naturals must outnumber wilds, and then only with an
    odd length: from any other an end could be taken away.
    """
    key = (
        size, rules.ace, rules.natural_twos, rules.wild_ranks, rules.min_naturals, rules.max_wilds,
        rules.naturals_outnumber, rules.lay_down_size, every_length,
    )  # fmt: skip
    known = _KNOWN.get(key)
    if known is None:
        if len(_KNOWN) > 500:
            _KNOWN.clear()
        known = _KNOWN[key] = _made(size, rules, every_length)
    return known


#: A table of constants by the switches that make it, filled when first asked for.
_KNOWN: dict[tuple[object, ...], tuple[Window, ...]] = {}


def _made(size: int, rules: Rules, every_length: bool) -> tuple[Window, ...]:
    lengths = [size]
    if rules.lay_down_size == "minimum" and (every_length or rules.naturals_outnumber):
        lengths += [length for length in range(size + 1, 14) if every_length or length % 2]
    found = []
    for length in lengths:
        needs = wanted_naturals(length, rules)
        for row, suit in enumerate(_SUITS):
            for low in run_lows(length, rules):
                cells = tuple(row * 15 + rank_at(low, i) for i in range(length))
                ends = 1 << cells[0] | 1 << cells[-1]
                shape = Shape(Kind.RUN, cells, needs, suit=suit, low=low)
                found.append(Window(suit, low, cells, length, sum(1 << at for at in set(cells)), ends, needs, shape))
    return tuple(found)
