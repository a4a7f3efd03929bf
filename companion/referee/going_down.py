"""Can this hand go down? An exact search with a witness (G4.2, P4).

The search fills the runs first, then the sets. Cards are counted in a table of suits by ranks, wilds only by number.
A natural that lies in a run's window may be spared for a later meld and a wild laid in its place; what failed
once with the same cards left is not tried again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from companion.referee.cards import Card, Rank, Suit
from companion.referee.melds import Meld, is_natural_card, is_wild_card, rank_at, run_lows
from companion.referee.rules import Contract, Kind, Rules, Slot

_SUITS = tuple(Suit)
_ROWS = 5  # four suits and the cards whose suit nobody typed
_WIDTH = 15  # ranks 0..14


@dataclass(frozen=True, slots=True)
class _Choice:
    """One slot filled: where the naturals lie (cells of the table); the other places are wilds."""

    kind: Kind
    rank: Rank | None
    suit: Suit | None
    low: Rank | None
    naturals: tuple[int | None, ...]  # by position: the cell used, or None for a wild


def can_go_down(hand: Sequence[Card], contract: Contract, rules: Rules) -> tuple[Meld, ...] | None:
    """A legal lay-down for the contract from the hand, melds in the order of its slots, or None: there is none (G4.2).

    Exact under every switch. Cards that are not used stay in hand.
    """
    if len(hand) < contract.cards_needed:
        return None
    search = _Search(hand, contract, rules)
    return search.witness() if search.found() else None


class _Search:
    """The search over one hand; lives for one call."""

    def __init__(self, hand: Sequence[Card], contract: Contract, rules: Rules) -> None:
        self.hand, self.contract, self.rules = hand, contract, rules
        self.left = bytearray(_ROWS * _WIDTH)
        for card in hand:
            if is_natural_card(card, rules):
                self.left[cell(card)] += 1
        self.wilds = sum(1 for card in hand if is_wild_card(card, rules))
        self.jokers = sum(1 for card in hand if card.rank is Rank.JOKER)
        order = sorted(range(len(contract.slots)), key=lambda at: _slot_order(contract.slots[at]))
        self.order = order
        self.slots = [contract.slots[at] for at in order]
        self.failed: set[tuple[int, int, int, bytes]] = set()
        self.chosen: list[_Choice] = []

    def found(self) -> bool:
        """Whether the slots from here on can be filled; ``chosen`` then holds how."""
        at = len(self.chosen)
        if at == len(self.slots):
            return True
        if self._short_of_cards(at):
            return False
        key = (at, self.wilds, self.jokers, bytes(self.left) + self._previous())
        if key in self.failed:
            return False
        options = self._runs(self.slots[at]) if self.slots[at].kind is Kind.RUN else self._sets(self.slots[at])
        for choice in options:
            if self._allowed(choice) and self._with(choice):
                return True
        self.failed.add(key)
        return False

    def _with(self, choice: _Choice) -> bool:
        self._take(choice, 1)
        self.chosen.append(choice)
        if self.wilds >= 0 and self.jokers >= 0 and self.found():
            return True
        self.chosen.pop()
        self._take(choice, -1)
        return False

    def _take(self, choice: _Choice, times: int) -> None:
        for used in choice.naturals:
            if used is None:
                self.wilds -= times
                self.jokers -= times if choice.rank is Rank.TWO else 0
            else:
                self.left[used] -= times
                self.wilds -= times if used % _WIDTH == Rank.TWO else 0

    def _previous(self) -> bytes:
        """What forbids later choices: earlier melds where two alike are forbidden, and the order among equal slots."""
        strict = self.rules.same_rank_sets == "forbidden" or self.rules.same_suit_runs == "forbidden"
        if strict:
            return "".join(f"{c.kind.value}{c.rank}{c.suit};" for c in self.chosen).encode()
        return self._last_key()

    def _last_key(self) -> bytes:
        at = len(self.chosen)
        if not at or self.slots[at - 1] != self.slots[at]:
            return b""
        return repr(_order_key(self.chosen[-1])).encode()

    def _allowed(self, choice: _Choice) -> bool:
        at = len(self.chosen)
        if at and self.slots[at - 1] == self.slots[at] and _order_key(choice) < _order_key(self.chosen[-1]):
            return False
        if self.rules.same_rank_sets == "forbidden" and choice.kind is Kind.SET:
            return all(other.rank is not choice.rank for other in self.chosen if other.kind is Kind.SET)
        if self.rules.same_suit_runs == "forbidden" and choice.kind is Kind.RUN:
            return all(other.suit is not choice.suit for other in self.chosen if other.kind is Kind.RUN)
        return True

    def _short_of_cards(self, at: int) -> bool:
        """A quick bound: the wilds that the slots left need at the least."""
        sets = [slot.size for slot in self.slots[at:] if slot.kind is Kind.SET]
        runs = [slot.size for slot in self.slots[at:] if slot.kind is Kind.RUN]
        if self.rules.natural_twos:
            return sum(sets) + sum(runs) > sum(self.left) + self.jokers
        need = _wilds_for_sets(self._by_rank(), sets) if sets else 0
        for size in runs[:1]:
            need = max(need, self._wilds_for_run(size) * len(runs))
        return need > self.wilds or sum(sets) + sum(runs) > sum(self.left) + self.wilds

    def _by_rank(self) -> list[int]:
        left = self.left
        return [sum(left[rank::_WIDTH]) for rank in range(_WIDTH)]

    def _wilds_for_run(self, size: int) -> int:
        """The fewest wilds any single run of that size needs from the naturals left."""
        best = size
        for row in range(4):
            have = [1 if n else 0 for n in self.left[row * _WIDTH + 3 : (row + 1) * _WIDTH]]
            best = min([best, *(size - sum(have[i : i + size]) for i in range(max(1, len(have) - size + 1)))])
        return best

    # --- the choices for one slot ---

    def _runs(self, slot: Slot) -> Iterator[_Choice]:
        longest = 13 if self.rules.naturals_outnumber and self.rules.lay_down_size == "minimum" else slot.size
        for length in range(slot.size, longest + 1):
            lows = list(run_lows(length, self.rules))
            for row, suit in enumerate(_SUITS):
                for low in lows:
                    yield from self._window(row, suit, low, length)

    def _window(self, row: int, suit: Suit, low: Rank, length: int) -> Iterator[_Choice]:
        cells = [row * _WIDTH + rank_at(low, i) for i in range(length)]
        have = [i for i in range(length) if self.left[cells[i]]]
        missing = length - len(have)
        if missing > self.wilds or len(have) < self.rules.min_naturals:
            return
        useful = [i for i in have if self._may_spare(cells[i])]
        for spared in range(min(len(useful), self.wilds - missing) + 1):
            for left_out in combinations(useful, spared):
                naturals = tuple(cells[i] if i in have and i not in left_out else None for i in range(length))
                if limits_hold(naturals, self.rules, run=True):
                    yield _Choice(Kind.RUN, None, suit, low, naturals)

    def _may_spare(self, used: int) -> bool:
        """Whether another slot after this one could use that very card.

        A run could where it reaches there; a set could where its rank may still be enough. With a copy for each of
        them nothing need be spared.
        """
        after = self.slots[len(self.chosen) + 1 :]
        if self.rules.naturals_outnumber or self.rules.natural_twos:
            return bool(after)
        runs = sum(slot.kind is Kind.RUN for slot in after)
        sets = any(slot.kind is Kind.SET for slot in after)
        return sets or (runs > 0 and self.left[used] <= runs)

    def _sets(self, slot: Slot) -> Iterator[_Choice]:
        by_rank = self._by_rank()
        for rank in sorted(range(2, _WIDTH), key=lambda rank: (-by_rank[rank], rank)):
            most = min(by_rank[rank], slot.size)
            for count in range(most, 0, -1):
                if slot.size - count > self.wilds:
                    break
                cells = self._cells_of(rank, count)
                naturals = (*cells, *[None] * (slot.size - count))
                if limits_hold(naturals, self.rules, run=False):
                    yield _Choice(Kind.SET, Rank(rank), None, None, naturals)

    def _cells_of(self, rank: int, count: int) -> tuple[int, ...]:
        """That many cards of the rank, whichever suits; after the runs it does not matter which."""
        cells = [c for c in range(rank, _ROWS * _WIDTH, _WIDTH) for _ in range(self.left[c])]
        return tuple(cells[:count])

    # --- the witness ---

    def witness(self) -> tuple[Meld, ...]:
        """The chosen melds with real cards, in the order of the contract's slots."""
        pool = list(self.hand)
        naturals = [[_pull(pool, used) for used in choice.naturals] for choice in self.chosen]
        jokers_first = sorted((card for card in pool if is_wild_card(card, self.rules)), key=lambda c: c.rank)
        melds: list[Meld] = [Meld(Kind.SET, ())] * len(self.chosen)
        order = sorted(range(len(self.chosen)), key=lambda at: self.chosen[at].rank is not Rank.TWO)
        for at in order:
            cards = tuple(card if card else jokers_first.pop(0) for card in naturals[at])
            choice = self.chosen[at]
            melds[self.order[at]] = Meld(choice.kind, cards, choice.rank, choice.suit, choice.low)
        return tuple(melds)


def _pull(pool: list[Card], used: int | None) -> Card | None:
    if used is None:
        return None
    card = next(card for card in pool if cell(card) == used)
    pool.remove(card)
    return card


def cell(card: Card) -> int:
    """Where a card is counted: suit by suit, ranks 0 to 14; an untyped suit has the last row."""
    row = _SUITS.index(card.suit) if card.suit else _ROWS - 1
    return row * _WIDTH + card.rank


def _slot_order(slot: Slot) -> tuple[bool, int]:
    return (slot.kind is Kind.SET, -slot.size)


def _order_key(choice: _Choice) -> tuple[int, int]:
    if choice.kind is Kind.SET:
        return (0, 0)
    assert choice.suit is not None and choice.low is not None
    return (_SUITS.index(choice.suit), choice.low)


def limits_hold(naturals: Sequence[int | None], rules: Rules, *, run: bool) -> bool:
    """Whether a meld with naturals and wilds (None) in these places keeps the wild limits (G3.3–G3.5)."""
    wilds = naturals.count(None)
    own = len(naturals) - wilds
    if own < rules.min_naturals or (rules.max_wilds is not None and wilds > rules.max_wilds):
        return False
    if rules.naturals_outnumber and own <= wilds:
        return False
    apart = rules.adjacent_wilds == "allowed" or not run
    return apart or not any(a is b is None for a, b in zip(naturals, naturals[1:], strict=False))


def _wilds_for_sets(by_rank: Sequence[int], sizes: Sequence[int]) -> int:
    """The fewest wilds that sets of these sizes need: naturals in heaps no larger than the largest set."""
    size = max(sizes)
    heaps = sorted((heap for have in by_rank[2:] for heap in _heaps(have, size)), reverse=True)
    return max(0, sum(sizes) - sum(heaps[: len(sizes)]))


def _heaps(have: int, size: int) -> Iterator[int]:
    while have > 0:
        yield min(have, size)
        have -= size
