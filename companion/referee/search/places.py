"""Contracts with kinds of meld that Gripe has not: each meld is a row of places, and naturals are matched to places.

Shapes are chosen one slot after another: the rank of a set, the suit of cards of one suit, the low of a run. For given
shapes the most naturals that can lie are found by augmenting paths, with as many in each meld as its limits ask for.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from companion.referee.cards import Card, Rank, Suit
from companion.referee.melds import Meld, is_natural_card, is_wild_card, rank_at, run_lows
from companion.referee.nearness import clash
from companion.referee.readings import readings_as
from companion.referee.rules import Contract, Kind, Rules, Slot
from companion.referee.search.matching import cell
from companion.referee.wild_limits import WildLimits, limits_of

_PLAIN = (Kind.SET, Kind.RUN)


def needs_places(contract: Contract, rules: Rules) -> bool:
    """Whether a contract is beyond the faster search: other kinds of meld, sets of different suits, wilds far apart."""
    limits = limits_of(rules)
    if rules.natural_twos and rules.max_wilds_laid is not None:
        return True
    if limits.different or (limits.apart > 1 and limits.most_wilds(Kind.RUN, 13) > 1):
        return True
    return any(slot.kind not in _PLAIN for slot in contract.slots)


@dataclass(frozen=True, slots=True)
class Shape:
    """A meld before its cards: for each place the naturals that may lie there, by rank and suit; None is any."""

    kind: Kind
    places: tuple[tuple[Rank | None, Suit | None], ...]
    size: int  # how many cards lie; there may be more places than that
    rank: Rank | None = None
    suit: Suit | None = None
    low: Rank | None = None

    def takes(self, place: int, card: Card) -> bool:
        """Whether the natural may lie there."""
        rank, suit = self.places[place]
        return rank in (None, card.rank) and suit in (None, card.suit)


def fill_places(hand: Sequence[Card], contract: Contract, rules: Rules) -> tuple[Meld, ...] | None:
    """A legal lay-down for the contract from the hand, melds in the order of its slots; None: there is none.

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import SHEETS
    >>> rules = SHEETS["ten_phases"]
    >>> [str(meld) for meld in fill_places(parse_cards("3S 4H KD 6C 9C 9D 9H 2S"), rules.contracts[1], rules)]
    ['9C 9D 9H', 'KD 2S 3S 4H']
    """
    return _Filling(hand, contract, rules).melds()


class _Filling:
    """One hand; lives for one call."""

    def __init__(self, hand: Sequence[Card], contract: Contract, rules: Rules) -> None:
        self.rules, self.contract, self.limits = rules, contract, limits_of(rules)
        self.naturals = Counter(card for card in hand if is_natural_card(card, rules))
        wilds = [card for card in hand if is_wild_card(card, rules)]
        self.wilds = wilds
        most = rules.max_wilds_laid
        self.room = len(wilds) if most is None else min(len(wilds), most)
        self.order = contract.runs_first
        self.cards = len(hand)

    def melds(self) -> tuple[Meld, ...] | None:
        for shapes in self._shapes(0, [], self.room, self.cards):
            laid = _Match(shapes, self.naturals, self.limits).laid(self.room)
            if laid is not None and (melds := self._named(shapes, laid)) is not None:
                return melds
        return None

    def _shapes(self, at: int, chosen: list[Shape], room: int, cards: int) -> Iterator[list[Shape]]:
        """Shapes for the slots from here on, with at most so many wilds and cards in all."""
        if at == len(self.order):
            yield chosen
            return
        slot = self.contract.slots[self.order[at]]
        most = cards - sum(self.contract.slots[later].size for later in self.order[at + 1 :])
        shapes = [shape for shape in shapes_of(slot, self.rules) if shape.size <= most]
        options = [(self._missing(shape), shape) for shape in shapes]
        for missing, shape in sorted(options, key=lambda option: option[0]):
            if missing > room:
                return
            if not any(clash(shape, other, self.rules) for other in chosen):
                yield from self._shapes(at + 1, [*chosen, shape], room - missing, cards - shape.size)

    def _missing(self, shape: Shape) -> int:
        """The places no natural of the hand could fill were it the only meld."""
        if shape.kind is Kind.SET or shape.kind is Kind.COLOUR:
            have = sum(
                1 if self.limits.different and shape.kind is Kind.SET else count
                for card, count in self.naturals.items()
                if shape.takes(0, card) or (shape.kind is Kind.SET and card.rank is shape.rank)
            )
            return max(0, shape.size - have)
        return sum(not any(shape.takes(place, card) for card in self.naturals) for place in range(len(shape.places)))

    def _named(self, shapes: Sequence[Shape], laid: Sequence[Sequence[Card | None]]) -> tuple[Meld, ...] | None:
        lie = Counter(card for cards in laid for card in cards if card is not None)
        wilds = sorted((Counter(self.wilds) - lie).elements(), key=lambda card: card.rank)
        if sum(shape.size for shape in shapes) - lie.total() > len(wilds):
            return None
        melds: dict[int, Meld] = {}
        for slot, shape, cards in zip(self.order, shapes, laid, strict=True):
            last = 0 if shape.rank in self.rules.wild_ranks else -1  # in a set of 2s only jokers are wild (P2)
            held = [card if card is not None else wilds.pop(last) for card in cards]
            meld = Meld(shape.kind, tuple(held), shape.rank, shape.suit, shape.low)
            if meld not in readings_as(held, shape.kind, self.rules) and not self.limits.allow_meld(meld):
                return None
            melds[slot] = meld
        return tuple(melds[slot] for slot in sorted(melds))


def shapes_of(slot: Slot, rules: Rules) -> tuple[Shape, ...]:
    """Every meld that fills the slot, before its cards; longer ones only where nearness or the limits may ask for them."""
    by_nearness = rules.same_suit_runs not in ("allowed", "forbidden") and slot.kind is Kind.RUN
    more = range(slot.size + 1, 14) if rules.lay_down_size == "minimum" else ()
    longer = [size for size in more if by_nearness or limits_of(rules).needs_more_cards(size)]
    lows = tuple((size, run_lows(size, rules)) for size in (slot.size, *longer))
    always = () if rules.natural_twos else rules.wild_ranks
    return _shapes(slot, lows, always, limits_of(rules).different)


@lru_cache(maxsize=500)
def _shapes(
    slot: Slot, lows: tuple[tuple[int, tuple[Rank, ...]], ...], always: tuple[Rank, ...], different: bool
) -> tuple[Shape, ...]:
    ranks = [rank for rank in Rank if rank and rank not in always]
    if slot.kind is Kind.SET:
        return tuple(
            Shape(slot.kind, tuple((rank, suit) for suit in Suit) if different else ((rank, None),) * slot.size, slot.size, rank)
            for rank in ranks
        )  # fmt: skip
    if slot.kind is Kind.COLOUR:
        return tuple(Shape(slot.kind, ((None, suit),) * slot.size, slot.size, None, suit) for suit in Suit)
    suits = tuple(Suit) if slot.kind is Kind.RUN else (None,)
    return tuple(
        Shape(slot.kind, tuple((rank_at(low, at), suit) for at in range(size)), size, None, suit, low)
        for size, all_lows in lows
        for suit in suits
        for low in all_lows
    )


class _Match:
    """Naturals matched to the places of given shapes."""

    def __init__(self, shapes: Sequence[Shape], naturals: Counter[Card], limits: WildLimits) -> None:
        self.shapes, self.limits = shapes, limits
        self.have = naturals
        self.cards = sorted(naturals, key=cell)
        self.at: dict[tuple[int, int], Card] = {}  # by shape and place
        self.counts = [0] * len(shapes)
        self.fixed: frozenset[tuple[int, int]] = frozenset()

    def laid(self, room: int) -> list[list[Card | None]] | None:
        """By shape the card of each place, None for a wild; None where the wilds or the limits do not allow it."""
        needs = [self.limits.fewest_naturals(shape.kind, shape.size) for shape in self.shapes]
        apart = [
            at for at, shape in enumerate(self.shapes) if self.limits.apart and shape.kind in (Kind.RUN, Kind.ANYRUN)
        ]
        for fixed in self._apart(apart) if apart else [frozenset[tuple[int, int]]()]:
            self.at, self.counts, self.fixed = {}, [0] * len(self.shapes), fixed
            if all(self._fill(shape, place) for shape, place in fixed) and self._meets(needs):
                self._maximize()
                if sum(shape.size for shape in self.shapes) - sum(self.counts) <= room:
                    return [self._places(number) for number in range(len(self.shapes))]
        return None

    def _apart(self, runs: Sequence[int]) -> Iterator[frozenset[tuple[int, int]]]:
        """The places that have to be natural, for every choice of wilds far enough apart in every run."""
        if not runs:
            yield frozenset()
            return
        first, *rest = runs
        size = self.shapes[first].size
        for wilds in _spaced(0, size, self.limits.apart):
            fixed = {(first, place) for place in range(size) if place not in wilds}
            for others in self._apart(rest):
                yield frozenset(fixed | others)

    def _meets(self, needs: Sequence[int]) -> bool:
        for number, need in enumerate(needs):
            while self.counts[number] < need:
                if not any(self._fill(number, place) for place in self._open(number)):
                    return False
        return True

    def _maximize(self) -> None:
        for number in range(len(self.shapes)):
            for place in self._open(number):
                if self.counts[number] < self.shapes[number].size:
                    self._fill(number, place)

    def _open(self, number: int) -> list[int]:
        return [place for place in range(len(self.shapes[number].places)) if (number, place) not in self.at]

    def _fill(self, number: int, place: int) -> bool:
        """Lay a natural in that place, moving others to other cards where that makes room."""
        if not self._augment(number, place, set()):
            return False
        self.counts[number] += 1
        return True

    def _augment(self, number: int, place: int, seen: set[Card]) -> bool:
        used = Counter(self.at.values())
        for card in self.cards:
            if card in seen or not self.shapes[number].takes(place, card):
                continue
            seen.add(card)
            if used[card] < self.have[card]:
                self.at[number, place] = card
                return True
            for other in [key for key, lying in self.at.items() if lying == card]:
                if self._augment(*other, seen):
                    self.at[number, place] = card
                    return True
                if other not in self.fixed and self._elsewhere(other, seen):
                    del self.at[other]
                    self.at[number, place] = card
                    return True
        return False

    def _elsewhere(self, lying: tuple[int, int], seen: set[Card]) -> bool:
        """Lay a natural in an open place of the same meld, so that it keeps its number without that one."""
        return any(self._augment(lying[0], place, seen) for place in self._open(lying[0]))

    def _places(self, number: int) -> list[Card | None]:
        shape = self.shapes[number]
        if shape.low is not None:
            return [self.at.get((number, place)) for place in range(shape.size)]
        held: list[Card | None] = [self.at[key] for key in sorted(self.at) if key[0] == number]
        return [*held, *[None] * (shape.size - len(held))]


def _spaced(first: int, size: int, apart: int) -> Iterator[tuple[int, ...]]:
    """Every choice of places with at least so many others between two of them."""
    yield ()
    for at in range(first, size):
        for rest in _spaced(at + apart + 1, size, apart):
            yield (at, *rest)
