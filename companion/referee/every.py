"""Every lay-down a hand could make for a contract, for the question what is best (G4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from companion.referee.arranging import cell, wanted_naturals
from companion.referee.cards import Card, Rank
from companion.referee.lay_down import pair_problems
from companion.referee.melds import Meld, is_natural_card, is_wild_card, rank_at
from companion.referee.rules import Contract, Kind, Rules, Slot
from companion.referee.windows import Window, run_windows


def every_lay_down(hand: Sequence[Card], contract: Contract, rules: Rules) -> Iterator[tuple[Meld, ...]]:
    """Each set of melds once per way to lay it, in the order of the contract's slots.

    Melds are as short as the slot allows, for what is longer can be laid off in the same turn; only where naturals must
    outnumber wilds, or lay-offs on own melds this turn are forbidden, are longer ones listed too.
    """
    slots = tuple(zip(contract.slots, (None, *contract.slots), strict=False))
    yield from _fill(Counter(hand), slots, (), rules)


def _fill(
    left: Counter[Card], slots: Sequence[tuple[Slot, Slot | None]], laid: tuple[Meld, ...], rules: Rules
) -> Iterator[tuple[Meld, ...]]:
    """Fill the slots from here on, each given with the one before it: equal slots are filled in one order only."""
    if not slots:
        if not pair_problems(laid, rules):
            yield laid
        return
    if left.total() < sum(slot.size for slot, _ in slots):
        return
    slot, before = slots[0]
    for meld in _melds(left, slot, rules):
        if slot == before and _key(meld) < _key(laid[-1]):
            continue
        yield from _fill(left - Counter(meld.cards), slots[1:], (*laid, meld), rules)


def _key(meld: Meld) -> tuple[str, int, str]:
    return (meld.suit.value if meld.suit else "", int(meld.low or meld.rank or 0), str(meld))


def _melds(left: Counter[Card], slot: Slot, rules: Rules) -> Iterator[Meld]:
    return _sets(left, slot, rules) if slot.kind is Kind.SET else _runs(left, slot, rules)


def _later_is_too_late(rules: Rules) -> bool:
    return not (rules.lay_off_own and rules.lay_off_same_turn)


def _set_sizes(slot: Slot, rules: Rules) -> range:
    longer = rules.lay_down_size == "minimum" and _later_is_too_late(rules)
    return range(slot.size, 14) if longer else range(slot.size, slot.size + 1)


def _wilds(left: Counter[Card], rules: Rules) -> list[Card]:
    return sorted((card for card in left.elements() if is_wild_card(card, rules)), key=str)


def _sets(left: Counter[Card], slot: Slot, rules: Rules) -> Iterator[Meld]:
    for rank in Rank:
        naturals = sorted((c for c in left.elements() if c.rank is rank and is_natural_card(c, rules)), key=str)
        wilds = [card for card in _wilds(left, rules) if card.rank is not rank]
        for size in _set_sizes(slot, rules):
            for count in range(max(1, size - len(wilds)), min(len(naturals), size) + 1):
                if not limits_hold((*range(count), *[None] * (size - count)), rules, run=False):
                    continue
                for chosen in dict.fromkeys(combinations(naturals, count)):
                    yield Meld.set_of(rank, (*chosen, *wilds[: size - count]))


def _runs(left: Counter[Card], slot: Slot, rules: Rules) -> Iterator[Meld]:
    wilds = _wilds(left, rules)
    held = sum(1 << at for at in {cell(card) for card in left if is_natural_card(card, rules) and card.suit})
    for window in run_windows(slot.size, rules, every_length=_later_is_too_late(rules)):
        length = len(window.cells)
        naturals = (window.mask & held).bit_count()
        if naturals < window.needs or length - naturals > len(wilds):
            continue
        if length == slot.size or _later_is_too_late(rules) or window.ends & held == window.ends:
            yield from _window(window, held, wilds, rules)


def _window(window: Window, held: int, wilds: list[Card], rules: Rules) -> Iterator[Meld]:
    size = len(window.cells)
    have = [i for i, at in enumerate(window.cells) if held >> at & 1]
    for count in range(max(window.needs, size - len(wilds)), len(have) + 1):
        for naturals in combinations(have, count):
            shape = tuple(i if i in naturals else None for i in range(size))
            if limits_hold(shape, rules, run=True):
                rest = iter(wilds)
                cards = [
                    Card(rank_at(window.low, i), window.suit) if i in naturals else next(rest) for i in range(size)
                ]
                yield Meld.run_from(window.suit, window.low, cards)


def limits_hold(naturals: Sequence[int | None], rules: Rules, *, run: bool) -> bool:
    """Whether a meld with naturals and wilds (None) in these places keeps the wild limits (G3.3–G3.5)."""
    wilds = naturals.count(None)
    if len(naturals) - wilds < wanted_naturals(len(naturals), rules):
        return False
    apart = rules.adjacent_wilds == "allowed" or not run
    return apart or not any(a is b is None for a, b in pairwise(naturals))
