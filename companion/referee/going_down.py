"""Can this hand go down? An exact search with a witness (G4.2, P4).

A lay-down is a *shape* (a window of places for every run, a rank for every set) and naturals in its places. For one
shape the most naturals that can lie in it are counted, not searched: a natural saves one wild wherever it lies, so
runs take theirs and sets take what is left. Two facts make that exact under every wild limit:

- each meld's limit only asks for *at least* so many naturals (or for naturals in certain places of a run);
- naturals laid to meet the limits can be completed to the greatest number without uncovering a place again
  (augmenting paths never do).

So a shape is legal when there are wilds enough for what the greatest number leaves open, and the limits can be met.
Copies of a card are bits in one mask per copy: a mask says which cells have at least one, two, … left.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from companion.referee.arranging import FREE, Arrangement, Shape, arrange, cell, cells_of_rank, wanted_naturals
from companion.referee.cards import Card, Rank, Suit
from companion.referee.melds import Meld, is_wild_card
from companion.referee.rules import Contract, Kind, Rules, Slot
from companion.referee.windows import Window, run_windows

_RANK_MASKS = tuple(sum(1 << at for at in cells_of_rank(rank)) for rank in range(15))


def can_go_down(hand: Sequence[Card], contract: Contract, rules: Rules) -> tuple[Meld, ...] | None:
    """A legal lay-down for the contract from the hand, melds in the order of its slots, or None: there is none (G4.2).

    Exact under every switch. Cards that are not used stay in hand.

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.sheets import KATE
    >>> [str(meld) for meld in can_go_down(parse_cards("9H 4C 9S 2D 4D 4H 2C 9D"), KATE.contracts[0], KATE)]
    ['4H 4D 4C', '9S 9H 9D']
    """
    if len(hand) < contract.cards_needed:
        return None
    search = _Search(hand, contract, rules, 0)
    found = search.run(0, search.levels, 0)
    return None if found is None else search.witness(found)


def cards_away(hand: Sequence[Card], contract: Contract, rules: Rules) -> int:
    """How many well-chosen cards the hand lacks to go down; 0: it can (G4.2). Copies in the decks are not counted.

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.sheets import KATE
    >>> cards_away(parse_cards("9H 9S 4C 2D"), KATE.contracts[0], KATE)
    2
    """
    for free in range(contract.cards_needed + 1):
        search = _Search(hand, contract, rules, free)
        if len(hand) + free >= contract.cards_needed and search.run(0, search.levels, 0) is not None:
            return free
    return contract.cards_needed


class _Search:
    """The search over one hand, with ``free`` cards that may be any natural; lives for one call."""

    def __init__(self, hand: Sequence[Card], contract: Contract, rules: Rules, free: int) -> None:
        self.hand, self.rules = hand, rules
        order = sorted(range(len(contract.slots)), key=lambda at: _slot_order(contract.slots[at]))
        self.order = order
        self.slots = [contract.slots[at] for at in order]
        sizes = [slot.size for slot in self.slots]
        self.wanted = [sum(sizes[at:]) for at in range(len(sizes))]  # cards, by the first slot still open
        self.runs = sum([slot.kind is Kind.RUN for slot in self.slots])
        self.free = free
        self.have = [0] * FREE + [free]
        self.wilds = self.jokers = self.own = 0
        self.levels: tuple[int, ...] = (0,)
        self._hold(hand)
        self.room = self.wilds + free
        self.shapes: list[Shape] = []
        usable = {slot: self._usable(slot) for slot in set(self.slots[: self.runs])}
        self.starts = [usable[slot] for slot in self.slots[: self.runs]]

    def _hold(self, hand: Sequence[Card]) -> None:
        """Count the cards: naturals by cell and, unless wild too, in the masks of the first, second … copies."""
        rules, have = self.rules, self.have
        wild_ranks, natural_twos = rules.wild_ranks, rules.natural_twos
        levels, own = [0], 0
        for card in hand:
            rank = card.rank
            if not rank or rank in wild_ranks:
                self.wilds += 1
                self.jokers += not rank
                if not rank or not natural_twos:
                    continue
            at = cell(card)
            copy = have[at]
            have[at] = copy + 1
            own |= 1 << at
            if rank not in wild_ranks:
                if copy == len(levels):
                    levels.append(0)
                levels[copy] |= 1 << at
        self.levels, self.own = tuple(levels), own

    def _usable(self, slot: Slot) -> list[Window]:
        """The windows with naturals enough by themselves, fewest wilds first; longer ones only with natural ends."""
        first, own = self.levels[0], self.own
        found: list[list[Window]] = [[] for _ in range(14)]
        room, free = self.room, self.free
        for window in run_windows(slot.size, self.rules):
            missing = window.size - (window.mask & first).bit_count()
            if missing > room or (window.mask & own).bit_count() + free < window.needs:
                continue
            if window.size == slot.size or free or own & window.ends == window.ends:
                found[missing].append(window)
        return [window for alike in found for window in alike]

    # --- runs ---

    def run(self, first: int, levels: tuple[int, ...], need: int) -> Arrangement | None:
        """Fill the run slots from here on, then the sets; ``first`` is where equal slots go on choosing."""
        at = len(self.shapes)
        if at == self.runs:
            return self._sets(levels, need)
        if self._too_few(at, levels, need):
            return None
        windows, present, room = self.starts[at], levels[0], self.room - need
        alike = at + 1 < self.runs and self.slots[at + 1] == self.slots[at]
        for index in range(first, len(windows)):
            window = windows[index]
            wilds = window.size - (window.mask & present).bit_count()
            if wilds > room or self._suit_taken(window.suit):
                continue
            self.shapes.append(window.shape)
            again, more = index if alike else 0, need + wilds
            found = self.run(again, _taken(levels, window.mask), more)
            if found is not None:
                return found
            self.shapes.pop()
        return None

    def _suit_taken(self, suit: Suit) -> bool:
        strict = self.rules.same_suit_runs == "forbidden"
        return strict and any(shape.suit is suit for shape in self.shapes)

    def _too_few(self, at: int, levels: tuple[int, ...], need: int) -> bool:
        """Whether the naturals left cannot bring the slots left within the wilds."""
        wanted = self.wanted[at]
        left = sum([level.bit_count() for level in levels])
        return need + wanted - left > self.room

    # --- sets ---

    def _sets(self, levels: tuple[int, ...], need: int) -> Arrangement | None:
        slots = self.slots[self.runs :]
        if not slots:
            return self._arranged()
        by_rank = [0] * len(_RANK_MASKS)
        for level in levels:
            if level:
                by_rank = [count + (level & mask).bit_count() for count, mask in zip(by_rank, _RANK_MASKS, strict=True)]
        if need + _wilds_for_sets(by_rank, [slot.size for slot in slots]) > self.room:
            return None
        ranks = [rank for rank in range(2, 15) if self.own & _RANK_MASKS[rank] or self.free]
        ranks.sort(key=lambda rank: -by_rank[rank])
        return self._set(0, ranks, by_rank, need)

    def _set(self, first: int, ranks: Sequence[int], by_rank: list[int], need: int) -> Arrangement | None:
        at = len(self.shapes)
        if at == len(self.slots):
            return self._arranged()
        size = self.slots[at].size
        strict = self.rules.same_rank_sets == "forbidden"
        for index in range(first, len(ranks)):
            rank = ranks[index]
            taken = min(size, by_rank[rank])
            if need + size - taken > self.room:
                continue
            self.shapes.append(_set_shape(rank, size, wanted_naturals(size, self.rules)))
            by_rank[rank] -= taken
            again = index + strict if at + 1 < len(self.slots) and self.slots[at + 1] == self.slots[at] else 0
            found = self._set(again, ranks, by_rank, need + size - taken) if self._rank_free(rank) else None
            by_rank[rank] += taken
            if found is not None:
                return found
            self.shapes.pop()
        return None

    def _rank_free(self, rank: int) -> bool:
        strict = self.rules.same_rank_sets == "forbidden"
        return not strict or sum(shape.rank == rank for shape in self.shapes) == 1

    def _arranged(self) -> Arrangement | None:
        found = arrange(self.shapes, self.have, self.rules)
        if found is None or not self._twos_suffice(found):
            return None
        return found

    def _twos_suffice(self, found: Arrangement) -> bool:
        """In a set of 2s only jokers are wild (P2)."""
        sets_of_twos = (at for at, shape in enumerate(self.shapes) if shape.rank is Rank.TWO)
        open_places = sum(self.shapes[at].size - found.counts[at] for at in sets_of_twos)
        return open_places <= self.jokers

    # --- the witness ---

    def witness(self, found: Arrangement) -> tuple[Meld, ...]:
        """Real cards in the places of the shapes, in the order of the contract's slots."""
        pool: dict[int, list[Card]] = {}
        for card in self.hand:
            pool.setdefault(cell(card), []).append(card)
        laid = [[None if at is None else pool[at].pop() for at in found.cells_in(i)] for i in range(len(self.shapes))]
        left = [card for cards in pool.values() for card in cards if is_wild_card(card, self.rules)]
        wilds = sorted(left, key=lambda card: card.rank)
        melds: list[Meld | None] = [None] * len(self.shapes)
        order = sorted(range(len(self.shapes)), key=lambda at: self.shapes[at].rank is not Rank.TWO)
        for at in order:
            shape = self.shapes[at]
            cards = tuple(card or wilds.pop(0) for card in laid[at])
            melds[self.order[at]] = Meld(shape.kind, cards, shape.rank, shape.suit, shape.low)
        return tuple(meld for meld in melds if meld is not None)


def _taken(levels: tuple[int, ...], mask: int) -> tuple[int, ...]:
    """The masks after one copy of each card in the window is taken."""
    kept, found = ~mask, list(levels)
    for copy, more in enumerate(levels[1:]):
        found[copy] = (levels[copy] & kept) | (more & mask)
    found[-1] &= kept
    return tuple(found)


def _slot_order(slot: Slot) -> tuple[bool, int]:
    return (slot.kind is Kind.SET, -slot.size)


def _wilds_for_sets(by_rank: Sequence[int], sizes: Sequence[int]) -> int:
    """The fewest wilds that sets of these sizes need: naturals in heaps no larger than the largest set."""
    size = max(sizes)
    heaps = []
    for have in by_rank:
        while have > size:
            heaps.append(size)
            have -= size
        heaps.append(have)
    heaps.sort(reverse=True)
    return max(0, sum(sizes) - sum(heaps[: len(sizes)]))


@lru_cache(maxsize=500)
def _set_shape(rank: int, size: int, needs: int) -> Shape:
    return Shape(Kind.SET, cells_of_rank(rank), needs, Rank(rank), size=size)
