"""Every lay-down a hand could make for a contract, for the question what is best (G4)."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from operator import attrgetter
from typing import NamedTuple

from companion.referee.cards import Card, Rank
from companion.referee.contracts import pair_problems
from companion.referee.melds import Meld, declared_ranks, is_natural_card, is_wild_card
from companion.referee.rules import Kind, Rules, Slot
from companion.referee.search.matching import AGAIN, CARD_AT, FREE, Shape, cell
from companion.referee.search.tallies import contains, count, guards, one
from companion.referee.search.turns import Steps, canonical
from companion.referee.search.windows import run_windows
from companion.referee.wild_limits import limits_of

_GUARDS = guards(FREE)


class _Option(NamedTuple):
    """A meld some cards of the hand could be."""

    wilds: int
    cards: int  # a tally by cell
    meld: Meld


#: Melds for a contract, and the cards left in hand.
LayDown = tuple[tuple[Meld, ...], list[Card]]


def enumerate_lay_downs(
    hand: Sequence[Card], slots: Sequence[Slot], rules: Rules, steps: Steps, known: dict[Meld, Meld]
) -> Iterator[LayDown]:
    """Each choice of melds for the slots once per way to lay it; melds and hand are ``canonical``.

    Melds are as short as slot and limits allow, for what is longer can be laid off in the same turn; where lay-offs on
    own melds this turn are forbidden, longer ones are listed too. Melds that are alike are one and the same object of
    ``known``.
    """
    options = {slot: _options(hand, slot, rules, steps, known) for slot in dict.fromkeys(slots)}
    hardest_first = sorted(slots, key=lambda slot: (len(options[slot]), str(slot)))
    wilds = sum(is_wild_card(card, rules) for card in hand)
    cards = [(card, cell(card)) for card in sorted(set(hand), key=str)]
    any_pair = rules.same_rank_sets == rules.same_suit_runs == "allowed"
    for melds, left in _fill(_count(hand), wilds, hardest_first, options, steps):
        if any_pair or not pair_problems(melds, rules):
            yield melds, [card for card, at in cards for _ in range(count(left, at))]


def _fill(
    left: int, wilds: int, slots: Sequence[Slot], options: dict[Slot, list[_Option]], steps: Steps
) -> Iterator[tuple[tuple[Meld, ...], int]]:
    """Melds for these slots and the tally of what is left; equal slots follow one another and are filled in order."""
    if not slots:
        yield (), left
        return
    alike, given = slots.count(slots[0]), options[slots[0]]
    steps.take(1 + len(given) // 4)
    fitting = [option for option in given if contains(left, option.cards, _GUARDS)]
    for index, option in enumerate(fitting):
        if option.wilds * alike > wilds:
            return  # the further ones have no fewer wilds
        again = options | {slots[0]: fitting[index:]} if alike > 1 else options
        for melds, rest in _fill(left - option.cards, wilds - option.wilds, slots[1:], again, steps):
            yield (option.meld, *melds), rest


def _count(cards: Iterable[Card]) -> int:
    return sum([one(cell(card)) for card in cards])


def _options(hand: Sequence[Card], slot: Slot, rules: Rules, steps: Steps, known: dict[Meld, Meld]) -> list[_Option]:
    """The melds for one slot, fewest wilds first."""
    found = _sets(hand, slot, rules) if slot.kind is Kind.SET else _runs(hand, slot, rules)
    melds: dict[int, Meld] = {}
    for meld in found:
        steps.take(10)
        alike = canonical(meld, rules) if meld.rank is not None else meld
        alike = known.setdefault(alike, alike)
        melds[id(alike)] = alike
    options = [_Option(len(meld.wild_positions()), _count(meld.cards), meld) for meld in melds.values()]
    return sorted(options, key=attrgetter("wilds"))


def _later_is_too_late(rules: Rules) -> bool:
    return not (rules.lay_off_own and rules.lay_off_same_turn)


def _wilds(hand: Sequence[Card], rules: Rules) -> list[Card]:
    return sorted((card for card in hand if is_wild_card(card, rules)), key=str)


def _sets(hand: Sequence[Card], slot: Slot, rules: Rules) -> Iterator[Meld]:
    limits = limits_of(rules)
    longer = rules.lay_down_size == "minimum" and _later_is_too_late(rules)
    all_wilds = _wilds(hand, rules)
    by_rank: dict[Rank, list[Card]] = {}
    for card in sorted((card for card in hand if is_natural_card(card, rules)), key=str):
        by_rank.setdefault(card.rank, []).append(card)
    for rank in declared_ranks(rules) or sorted(by_rank):
        naturals = by_rank.get(rank, [])
        wilds = [card for card in all_wilds if card.rank is not rank]
        for size in range(slot.size, 14 if longer else slot.size + 1):
            fewest = max(limits.fewest_naturals(Kind.SET, size), size - len(wilds))
            for number in range(fewest, min(len(naturals), size) + 1):
                for chosen in _picks(naturals, number):
                    for others in _picks(wilds, size - number):
                        meld = Meld.set_of(rank, (*chosen, *others))
                        if not limits.different or limits.allow_meld(meld):
                            yield meld


def _runs(hand: Sequence[Card], slot: Slot, rules: Rules) -> Iterator[Meld]:
    wilds = _wilds(hand, rules)
    held = 0
    for card in hand:
        if is_natural_card(card, rules) and card.suit:
            held |= 1 << cell(card) + (AGAIN if held >> cell(card) & 1 else 0)
    for window in run_windows(slot.size, rules, every_length=_later_is_too_late(rules)):
        naturals = (window.mask & held).bit_count()
        if naturals < window.needs or window.size - naturals > len(wilds):
            continue
        if window.size == slot.size or _later_is_too_late(rules) or window.ends & held == window.ends:
            yield from _window(window, held, wilds, rules)


def _window(window: Shape, held: int, wilds: list[Card], rules: Rules) -> Iterator[Meld]:
    size, limits = window.size, limits_of(rules)
    have = [i for i, at in enumerate(window.cells) if held >> at & 1]
    places = [CARD_AT[at] for at in window.cells]
    for number in range(max(window.needs, size - len(wilds)), len(have) + 1):
        # their order matters only where one may later lie as itself (P2)
        orders = _orders if rules.natural_twos else _picks
        for naturals in combinations(have, number):
            if limits.allow(Kind.RUN, size, sum([1 << i for i in range(size) if i not in naturals])):
                for order in orders(wilds, size - number):
                    rest = iter(order)
                    cards = [places[i] if i in naturals else next(rest) for i in range(size)]
                    yield Meld(Kind.RUN, tuple(cards), None, window.suit, window.low)


def _picks(cards: Sequence[Card], number: int) -> Iterator[tuple[Card, ...]]:
    """So many of these cards, which are sorted, each choice once."""
    if not number:
        yield ()
    for at, card in enumerate(cards[: len(cards) - number + 1] if number else ()):
        if not at or cards[at - 1] != card:
            for rest in _picks(cards[at + 1 :], number - 1):
                yield (card, *rest)


def _orders(cards: Sequence[Card], number: int) -> Iterator[tuple[Card, ...]]:
    """The same in every order."""
    if not number:
        yield ()
    for at, card in enumerate(cards if number <= len(cards) else ()):
        if number and (not at or cards[at - 1] != card):
            for rest in _orders([*cards[:at], *cards[at + 1 :]], number - 1):
                yield (card, *rest)
