"""Can this hand go down as Kate plays? A program tuned by hand for these rules alone: what the referee is compared with.

It knows no switch. A suit is a mask of the ranks 3 to ace, one mask for the first copies of its
cards and one for all further ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from companion.referee.cards import Card, Rank, Suit
from companion.referee.melds import Meld
from companion.referee.rules import Contract, Kind

_SHIFT = {suit: 13 * row - 3 for row, suit in enumerate(Suit)}
#: So much higher are the bits of second copies, where both lie in one mask.
_AGAIN = 64
_CARDS = {
    _SHIFT[suit] + rank + copy: Card(rank, suit) for suit in Suit for rank in Rank if rank > 2 for copy in (0, _AGAIN)
}
_RANK_IN_EVERY_SUIT = [sum(1 << 13 * row + at for row in range(4)) for at in range(12)]


@cache
def _windows(size: int) -> list[int]:
    """The masks of the runs of that many cards."""
    return [((1 << size) - 1) << 13 * row + low for row in range(4) for low in range(13 - size)]


@cache
def _sizes(contract: Contract) -> tuple[list[int], list[int]]:
    """Runs and sets, the longest first."""
    runs, sets = ([slot.size for slot in contract.slots if slot.kind is kind] for kind in (Kind.RUN, Kind.SET))
    return sorted(runs, reverse=True), sorted(sets, reverse=True)


def can_go_down(hand: Sequence[Card], contract: Contract) -> list[Meld] | None:
    """A lay-down, with wild 2s, a natural in every meld and no other limit, or None: there is none."""
    first = further = 0
    wilds = []
    for card in hand:
        rank = card.rank
        if rank == 2:
            wilds.append(card)
        else:
            bit = 1 << _SHIFT[card.suit] + rank  # type: ignore[index]
            if first & bit:
                further |= bit
            else:
                first |= bit
    runs, sets = _sizes(contract)
    naturals = _runs(first, further, len(wilds), runs, sets, 0)
    if naturals is None:
        return None
    melds = []
    for window, mask, size in naturals:
        if window:
            start = (window & -window).bit_length() - 1
            cards = [_CARDS[at] if mask >> at & 1 else wilds.pop() for at in range(start, start + size)]
            low = _CARDS[start]
            melds.append(Meld(Kind.RUN, tuple(cards), None, low.suit, low.rank))
        else:
            cards = []
            while mask:
                bit = mask & -mask
                cards.append(_CARDS[bit.bit_length() - 1])
                mask ^= bit
            rank = cards[0].rank
            while len(cards) < size:
                cards.append(wilds.pop())
            melds.append(Meld(Kind.SET, tuple(cards), rank))
    return melds


#: Melds as the window of a run (0 for a set), the mask of their naturals (second copies have the bits above), and their size.
_Masks = list[tuple[int, int, int]]


def _runs(first: int, further: int, wilds: int, runs: list[int], sets: list[int], at: int) -> _Masks | None:
    if at == len(runs):
        return _sets(first, further, wilds, sets) if sets else []
    size = runs[at]
    for window in _windows(size):
        naturals = window & first
        missing = size - naturals.bit_count()
        if naturals and missing <= wilds:
            left = first & ~window | further & window
            rest = _runs(left, further & ~window, wilds - missing, runs, sets, at + 1)
            if rest is not None:
                return [(window, naturals, size), *rest]
    return None


def _sets(first: int, further: int, wilds: int, sets: list[int]) -> _Masks | None:
    """The largest heaps of a rank into the largest sets; a rank may fill several."""
    size, heaps = sets[0], []
    for rank in _RANK_IN_EVERY_SUIT:
        mask = first & rank | (further & rank) << _AGAIN
        while mask.bit_count() > size:
            heap = mask
            while heap.bit_count() > size:
                heap &= heap - 1
            heaps.append((size, heap))
            mask ^= heap
        if mask:
            heaps.append((mask.bit_count(), mask))
    heaps.sort(reverse=True)
    while len(heaps) < len(sets):  # two heaps of one rank serve as well
        if not heaps or heaps[0][0] < 2:
            return None
        have, heap = heaps.pop(0)
        heaps += [(have - 1, heap & heap - 1), (1, heap & -heap)]
        heaps.sort(reverse=True)
    if sum(sets) - sum([have for have, _ in heaps[: len(sets)]]) > wilds:
        return None
    return [(0, heap, size) for size, (_, heap) in zip(sets, heaps, strict=False)]
