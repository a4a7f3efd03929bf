"""Can every card of a hand lie, in the melds of a contract or, where none are named, in any sets and runs?

An exact cover: the first natural that lies nowhere yet goes into a meld, each such meld is tried, and so on until the
naturals are used up; wilds fill gaps, lengthen melds, or lie by themselves where that is allowed.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from companion.referee.cards import Card, Rank, Suit
from companion.referee.melds import Meld, is_wild_card, rank_at, run_lows
from companion.referee.nearness import clash
from companion.referee.readings import readings_as
from companion.referee.rules import Contract, Kind, Rules, Slot
from companion.referee.wild_limits import limits_of

_Key = tuple[Kind, object, object]


@dataclass(frozen=True, slots=True)
class _Part:
    """A meld before its wilds have names: its naturals, and how many wilds it has."""

    kind: Kind
    naturals: tuple[Card, ...]
    wilds: int
    suit: Suit | None = None
    low: Rank | None = None
    slot: int | None = None

    @property
    def rank(self) -> Rank | None:
        """The rank of a set."""
        return self.naturals[0].rank if self.kind is Kind.SET and self.naturals else None

    @property
    def size(self) -> int:
        return len(self.naturals) + self.wilds


def every_card_lies(hand: Sequence[Card], contract: Contract, rules: Rules) -> tuple[Meld, ...] | None:
    """Melds of which the whole hand is made, those of the contract in its order; None where there are none.

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import SHEETS
    >>> rules = SHEETS["three_thirteen"].in_deal(2)
    >>> [str(meld) for meld in every_card_lies(parse_cards("2D 3D 4D 5D"), rules.contracts[1], rules)]
    ['2D 3D 4D 5D']
    """
    return _Cover(hand, contract, rules).melds()


def all_but_one_lie(hand: Sequence[Card], contract: Contract, rules: Rules) -> tuple[Meld, ...] | None:
    """The same with one card left over, which is thrown."""
    for thrown in sorted(set(hand), key=lambda card: is_wild_card(card, rules)):
        left = list(hand)
        left.remove(thrown)
        if (melds := every_card_lies(left, contract, rules)) is not None:
            return melds
    return None


class _Cover:
    """One hand; lives for one call."""

    def __init__(self, hand: Sequence[Card], contract: Contract, rules: Rules) -> None:
        self.contract, self.rules, self.limits = contract, rules, limits_of(rules)
        self.wilds = [card for card in hand if is_wild_card(card, rules)]
        self.naturals = Counter(card for card in hand if not is_wild_card(card, rules))
        self.everything = contract.is_everything
        self.kinds = rules.kinds if self.everything else tuple({slot.kind: None for slot in contract.slots})
        # two melds of three and more are as good as one of six and more, where neither needs a natural
        free = self.everything and not any(self.limits.fewest_naturals(kind, 13) for kind in self.kinds)
        self.longest = 5 if free and not self.limits.apart else len(hand)
        self.failed: set[object] = set()

    def melds(self) -> tuple[Meld, ...] | None:
        naturals = tuple(
            sorted(self.naturals.elements(), key=lambda card: (card.suit.value if card.suit else "", card.rank))
        )
        parts = self._cover(
            naturals,
            len(self.wilds),
            (),
            frozenset() if self.everything else frozenset(range(len(self.contract.slots))),
        )
        return None if parts is None else self._named(parts)

    def _cover(
        self, naturals: tuple[Card, ...], wilds: int, parts: tuple[_Part, ...], slots: frozenset[int]
    ) -> tuple[_Part, ...] | None:
        if not naturals:
            return self._only_wilds(wilds, parts, slots)
        if not self.everything and not self._fits(len(naturals) + wilds, slots):
            return None
        key = (naturals, wilds, slots) if self._is_memorable else None
        if key in self.failed:
            return None
        for part in self._parts_with(naturals[0], Counter(naturals), wilds, slots):
            if self._clashes(part, parts):
                continue
            rest = tuple((Counter(naturals) - Counter(part.naturals)).elements())
            left = slots if part.slot is None else slots - {part.slot}
            if (covered := self._cover(rest, wilds - part.wilds, (*parts, part), left)) is not None:
                return covered
        if key is not None:
            self.failed.add(key)
        return None

    @property
    def _is_memorable(self) -> bool:
        """Whether what was laid before does not matter for what follows."""
        rules = self.rules
        return rules.same_rank_sets == rules.same_suit_runs == "allowed"

    def _fits(self, cards: int, slots: frozenset[int]) -> bool:
        sizes = [self.contract.slots[at].size for at in slots]
        if self.rules.lay_down_size == "exact":
            return cards == sum(sizes)
        return bool(sizes) and cards >= sum(sizes)

    def _slots_for(self, kind: Kind, slots: frozenset[int]) -> Iterator[tuple[int | None, Slot]]:
        if self.everything:
            yield None, Slot(kind, 3)
            return
        seen = set()
        for at in sorted(slots):
            slot = self.contract.slots[at]
            if slot.kind is kind and slot not in seen:
                seen.add(slot)
                yield at, slot

    def _parts_with(self, card: Card, have: Counter[Card], wilds: int, slots: frozenset[int]) -> Iterator[_Part]:
        """Every meld that this natural can be in."""
        for kind in self.kinds:
            for at, slot in self._slots_for(kind, slots):
                most = slot.size if self.rules.lay_down_size == "exact" and not self.everything else self.longest
                for part in self._parts(kind, card, have, wilds, slot.size, max(most, slot.size)):
                    yield _Part(part.kind, part.naturals, part.wilds, part.suit, part.low, at)

    def _parts(self, kind: Kind, card: Card, have: Counter[Card], wilds: int, least: int, most: int) -> Iterator[_Part]:
        if kind in (Kind.RUN, Kind.ANYRUN):
            yield from self._runs(kind, card, have, wilds, least, most)
            return
        alike = [c for c in have.elements() if (c.rank is card.rank if kind is Kind.SET else c.suit is card.suit)]
        alike.remove(card)
        for more in range(min(len(alike), most - 1), -1, -1):
            for others in dict.fromkeys(combinations(alike, more)):
                naturals = (card, *others)
                if kind is Kind.SET and not self._suits_hold(naturals):
                    continue
                for number in range(max(0, least - len(naturals)), min(wilds, most - len(naturals)) + 1):
                    if len(naturals) >= self.limits.fewest_naturals(kind, len(naturals) + number):
                        yield _Part(kind, naturals, number, card.suit if kind is Kind.COLOUR else None)

    def _suits_hold(self, naturals: Sequence[Card]) -> bool:
        suits = [card.suit for card in naturals]
        return not self.limits.different or len(set(suits)) == len(suits)

    def _runs(self, kind: Kind, card: Card, have: Counter[Card], wilds: int, least: int, most: int) -> Iterator[_Part]:
        suit = card.suit if kind is Kind.RUN else None
        by_rank: dict[Rank, list[Card]] = {}
        for other in have:
            if suit in (None, other.suit):
                by_rank.setdefault(other.rank, []).append(other)
        for length in range(least, min(most, 14) + 1):
            for low in run_lows(length, self.rules):
                places = [rank_at(low, at) for at in range(length)]
                if card.rank in places:
                    yield from self._runs_at(kind, card, places, by_rank, have, wilds)

    def _runs_at(
        self,
        kind: Kind,
        card: Card,
        places: Sequence[Rank],
        by_rank: dict[Rank, list[Card]],
        have: Counter[Card],
        wilds: int,
    ) -> Iterator[_Part]:
        """Every choice of natural or wild for each place, with the card in one of them; naturals first."""
        length, suit = len(places), card.suit if kind is Kind.RUN else None

        def fill(
            at: int, lies: tuple[Card | None, ...], left: int, used: Counter[Card]
        ) -> Iterator[tuple[Card | None, ...]]:
            if at == length:
                if card in lies:
                    yield lies
                return
            for other in by_rank.get(places[at], ()):
                if used[other] < have[other]:
                    yield from fill(at + 1, (*lies, other), left, used + Counter([other]))
            if left:
                yield from fill(at + 1, (*lies, None), left - 1, used)

        for lies in fill(0, (), wilds, Counter()):
            mask = sum(1 << at for at, lying in enumerate(lies) if lying is None)
            if self.limits.allow(kind, length, mask):
                naturals = tuple(lying for lying in lies if lying is not None)
                yield _Part(kind, naturals, mask.bit_count(), suit, places[0])

    def _only_wilds(self, wilds: int, parts: tuple[_Part, ...], slots: frozenset[int]) -> tuple[_Part, ...] | None:
        """The rest are wilds: melds of their own, where a meld needs no natural."""
        if not slots and not wilds:
            return parts if self._laid_wilds(parts) else None
        if self.everything:
            return self._melds_of_wilds(wilds, parts)
        if not slots:
            return None
        at, *others = sorted(slots, key=lambda at: self.contract.slots[at].size)
        slot, rest = self.contract.slots[at], sum(self.contract.slots[other].size for other in others)
        size = slot.size if others or self.rules.lay_down_size == "exact" else wilds
        if not self._may_be_wilds(slot.kind, size) or size < slot.size or wilds - size < rest:
            return None
        return self._only_wilds(wilds - size, (*parts, _Part(slot.kind, (), size, slot=at)), slots - {at})

    def _melds_of_wilds(self, wilds: int, parts: tuple[_Part, ...]) -> tuple[_Part, ...] | None:
        """The same where no contract asks for sizes: in melds as short as they can be, since a limit is on the longest."""
        if wilds < 3:
            return None
        number = wilds // 3
        longest = -(-wilds // number)
        kind = next((kind for kind in self.kinds if self._may_be_wilds(kind, longest)), None)
        if kind is None:
            return None
        sizes = [(wilds + at) // number for at in range(number)]
        covered = (*parts, *[_Part(kind, (), size) for size in sizes])
        return covered if self._laid_wilds(covered) else None

    def _may_be_wilds(self, kind: Kind, size: int) -> bool:
        """Whether a meld of that size may be of wilds alone (G3.3, G3.4, G3.5)."""
        return self.limits.allow(kind, size, (1 << size) - 1)

    def _clashes(self, part: _Part, parts: Sequence[_Part]) -> bool:
        """Whether two melds may not lie in one lay-down (G4.5)."""
        return any(clash(part, other, self.rules) for other in parts if part.naturals and other.naturals)

    def _laid_wilds(self, parts: Sequence[_Part]) -> bool:
        most = self.rules.max_wilds_laid
        return most is None or sum(part.wilds for part in parts) <= most

    def _named(self, parts: Sequence[_Part]) -> tuple[Meld, ...]:
        wilds = sorted(self.wilds, key=lambda card: card.rank)
        melds: list[tuple[int, Meld]] = []
        for number, part in enumerate(parts):
            cards = [*part.naturals, *[wilds.pop() for _ in range(part.wilds)]]
            readings = readings_as(cards, part.kind, self.rules)
            meld = next((m for m in readings if part.low in (None, m.low)), readings[0])
            melds.append((number if part.slot is None else part.slot, meld))
        return tuple(meld for _, meld in sorted(melds, key=lambda placed: placed[0]))
