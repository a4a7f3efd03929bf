"""Every lay-down a hand could make for a contract, for the question what is best (G4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from companion.referee.cards import Card, Rank, Suit
from companion.referee.arranging import wanted_naturals
from companion.referee.lay_down import pair_problems
from companion.referee.melds import Meld, is_natural_card, is_wild_card, rank_at, run_lows
from companion.referee.rules import Contract, Kind, Rules, Slot


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


def _sizes(slot: Slot, rules: Rules) -> range:
    further = not (rules.lay_off_own and rules.lay_off_same_turn)
    longer = rules.lay_down_size == "minimum" and (further or (rules.naturals_outnumber and slot.kind is Kind.RUN))
    return range(slot.size, 14) if longer else range(slot.size, slot.size + 1)


def _wilds(left: Counter[Card], rules: Rules) -> list[Card]:
    return sorted((card for card in left.elements() if is_wild_card(card, rules)), key=str)


def _sets(left: Counter[Card], slot: Slot, rules: Rules) -> Iterator[Meld]:
    for rank in Rank:
        naturals = sorted((c for c in left.elements() if c.rank is rank and is_natural_card(c, rules)), key=str)
        wilds = [card for card in _wilds(left, rules) if card.rank is not rank]
        for size in _sizes(slot, rules):
            for count in range(max(1, size - len(wilds)), min(len(naturals), size) + 1):
                if not limits_hold((*range(count), *[None] * (size - count)), rules, run=False):
                    continue
                for chosen in dict.fromkeys(combinations(naturals, count)):
                    yield Meld.set_of(rank, (*chosen, *wilds[: size - count]))


def _runs(left: Counter[Card], slot: Slot, rules: Rules) -> Iterator[Meld]:
    wilds = _wilds(left, rules)
    for size in _sizes(slot, rules):
        for suit in Suit:
            for low in run_lows(size, rules):
                yield from _window(left, wilds, suit, low, size, rules)


def _window(
    left: Counter[Card], wilds: list[Card], suit: Suit, low: Rank, size: int, rules: Rules
) -> Iterator[Meld]:
    places = [Card(rank_at(low, i), suit) for i in range(size)]
    have = [i for i in range(size) if left[places[i]]]
    for count in range(max(1, size - len(wilds)), len(have) + 1):
        for naturals in combinations(have, count):
            shape = tuple(i if i in naturals else None for i in range(size))
            if limits_hold(shape, rules, run=True):
                rest = iter(wilds)
                cards = [places[i] if i in naturals else next(rest) for i in range(size)]
                yield Meld.run_from(suit, low, cards)


def limits_hold(naturals: Sequence[int | None], rules: Rules, *, run: bool) -> bool:
    """Whether a meld with naturals and wilds (None) in these places keeps the wild limits (G3.3–G3.5)."""
    wilds = naturals.count(None)
    if len(naturals) - wilds < wanted_naturals(len(naturals), rules):
        return False
    apart = rules.adjacent_wilds == "allowed" or not run
    return apart or not any(a is b is None for a, b in pairwise(naturals))
