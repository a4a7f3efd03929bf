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

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter

from companion.referee.cards import Card, Rank
from companion.referee.melds import Meld, declared_ranks
from companion.referee.nearness import clash
from companion.referee.rules import Contract, Kind, Rules, Slot
from companion.referee.search.every_card import all_but_one_lie, every_card_lies
from companion.referee.search.matching import CARD_AT, CELLS_OF_RANK, FREE, Shape, cell, match_naturals
from companion.referee.search.places import fill_places, needs_places
from companion.referee.search.windows import run_windows
from companion.referee.wild_limits import limits_of

_RANK_MASKS = tuple(sum(1 << at for at in cells) for cells in CELLS_OF_RANK)

#: For each shape its places low end first: the cell of the natural there, or None for a wild.
_Laid = list[list[int | None]]


def can_go_down(hand: Sequence[Card], contract: Contract, rules: Rules) -> tuple[Meld, ...] | None:
    """A legal lay-down for the contract from the hand, melds in the order of its slots, or None: there is none (G4.2).

    Exact under every switch. Cards that are not used stay in hand.

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> [str(meld) for meld in can_go_down(parse_cards("9H 4C 9S 2D 4D 4H 2C 9D"), KATE.contracts[0], KATE)]
    ['4H 4D 4C', '9S 9H 9D']
    """
    if rules.all_at_once:
        return every_card_lies(hand, contract, rules)
    if contract.is_everything:
        return all_but_one_lie(hand, contract, rules)
    if len(hand) < contract.cards_needed:
        return None
    if needs_places(contract, rules):
        return fill_places(hand, contract, rules)
    search = _Search(hand, contract, rules, 0)
    laid = search.run(0, search.levels, 0, search.wanted)
    return None if laid is None else search.witness(laid)


def cards_away(hand: Sequence[Card], contract: Contract, rules: Rules) -> int:
    """How many well-chosen cards the hand lacks to go down; 0: it can (G4.2). Copies in the decks are not counted.

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> cards_away(parse_cards("9H 9S 4C 2D"), KATE.contracts[0], KATE)
    2
    """
    for free in range(contract.cards_needed + 1):
        search = _Search(hand, contract, rules, free)
        if len(hand) + free >= contract.cards_needed and search.run(0, search.levels, 0, search.wanted) is not None:
            return free
    return contract.cards_needed


class _Search:
    """The search over one hand, with ``free`` cards that may be any natural; lives for one call."""

    def __init__(self, hand: Sequence[Card], contract: Contract, rules: Rules, free: int) -> None:
        self.rules, self.limits = rules, limits_of(rules)
        self.order = contract.runs_first
        self.slots = [contract.slots[at] for at in self.order]
        self.runs = sum([slot.kind is Kind.RUN for slot in self.slots])
        self.free = free
        self.have = [0] * FREE + [free]
        self.by_rank = [0] * len(_RANK_MASKS)  # naturals that are not wild too
        self.wilds: list[Card] = []
        self.own = 0
        self.levels: tuple[int, ...] = (0,)
        self._hold(hand)
        most = rules.max_wilds_laid
        self.room = len(self.wilds) + free if most is None else min(len(self.wilds), most) + free
        self.wanted = contract.cards_needed
        self.shapes: list[Shape] = []
        self.taken: list[int] = []  # by shape the naturals it takes: of a run their mask, of a set how many
        #: Nothing but the greatest number of naturals is asked, and each is one natural only.
        self.plain = not free and not rules.natural_twos and not self.limits.apart
        #: The ranks that are worth a try for a set without a natural in hand.
        self.blank: Sequence[int] = range(2, 15) if free else declared_ranks(rules)
        self.starts: list[list[Shape]] = []
        for at in range(self.runs):
            again = at and self.slots[at] == self.slots[at - 1]
            self.starts.append(self.starts[-1] if again else self._usable(self.slots[at]))

    def _hold(self, hand: Sequence[Card]) -> None:
        """Count the cards: naturals by cell and, unless wild too, in the masks of the first, second … copies."""
        rules, have = self.rules, self.have
        wild_ranks, natural_twos = rules.wild_ranks, rules.natural_twos
        levels, own = [0], 0
        for card in hand:
            rank = card.rank
            wild = rank in wild_ranks if rank else rules.jokers_are_wild
            if not rank and not wild:
                continue
            if wild:
                self.wilds.append(card)
                if not rank or not natural_twos:
                    continue
            at = cell(card)
            copy = have[at]
            have[at] = copy + 1
            own |= 1 << at
            if not wild:
                self.by_rank[rank] += 1
                if copy == len(levels):
                    levels.append(0)
                levels[copy] |= 1 << at
        self.levels, self.own = tuple(levels), own

    def _usable(self, slot: Slot) -> list[Shape]:
        """The windows with naturals enough by themselves, fewest wilds first."""
        first, own = self.levels[0], self.own
        by_missing: list[list[Shape]] = [[] for _ in range(14)]
        room, free, size = self.room, self.free, slot.size
        by_nearness = self.rules.same_suit_runs not in ("allowed", "forbidden")
        for window in run_windows(size, self.rules, every_length=by_nearness):
            missing = window.size - (window.mask & first).bit_count()
            if missing > room or (window.mask & own).bit_count() + free < window.needs:
                continue
            longer = window.size > size  # of use only with natural ends and no natural too many
            if (
                not longer
                or by_nearness
                or (window.size - window.needs <= room and (free or own & window.ends == window.ends))
            ):
                by_missing[missing].append(window)
        return [window for alike in by_missing for window in alike]

    # --- runs ---

    def run(self, first: int, levels: tuple[int, ...], need: int, open_places: int) -> _Laid | None:
        """Fill the run slots from here on, then the sets; ``first`` is where equal slots go on choosing."""
        at = len(self.shapes)
        if at == self.runs:
            return self._sets(levels, need)
        if need + open_places - sum([level.bit_count() for level in levels]) > self.room:
            return None  # the naturals left cannot bring the slots left within the wilds
        windows, present, room = self.starts[at], levels[0], self.room - need
        strict = self.rules.same_suit_runs != "allowed"
        alike = at + 1 < self.runs and self.slots[at + 1] == self.slots[at]
        for index in range(first, len(windows)):
            window = windows[index]
            naturals = window.mask & present
            wilds = window.size - naturals.bit_count()
            if wilds > room or (strict and any(clash(shape, window, self.rules) for shape in self.shapes)):
                continue
            self.shapes.append(window)
            self.taken.append(naturals)
            rest = open_places - self.slots[at].size
            laid = self.run(index if alike else 0, _taken(levels, window.mask), need + wilds, rest)
            if laid is not None:
                return laid
            self.shapes.pop()
            self.taken.pop()
        return None

    # --- sets ---

    def _sets(self, levels: tuple[int, ...], need: int) -> _Laid | None:
        slots = self.slots[self.runs :]
        if not slots:
            return self._arranged()
        by_rank = self.by_rank.copy()
        for shape, naturals in zip(self.shapes, self.taken, strict=True):
            for at in shape.cells:
                by_rank[at % 15] -= naturals >> at & 1
        if len(slots) > 1 and need + _wilds_for_sets(by_rank, [slot.size for slot in slots]) > self.room:
            return None
        ranks = [rank for rank in range(2, 15) if by_rank[rank] or self.own & _RANK_MASKS[rank] or rank in self.blank]
        ranks.sort(key=by_rank.__getitem__, reverse=True)
        return self._set(0, ranks, by_rank, need)

    def _set(self, first: int, ranks: Sequence[int], by_rank: list[int], need: int) -> _Laid | None:
        at = len(self.shapes)
        if at == len(self.slots):
            return self._arranged()
        size = self.slots[at].size
        strict = self.rules.same_rank_sets == "forbidden"
        alike = at + 1 < len(self.slots) and self.slots[at + 1] == self.slots[at]
        for index in range(first, len(ranks)):
            rank = ranks[index]
            taken = min(size, by_rank[rank])
            if need + size - taken > self.room or (strict and any(shape.rank == rank for shape in self.shapes)):
                continue
            self.shapes.append(_set_shape(rank, size, self.limits.fewest_naturals(Kind.SET, size)))
            self.taken.append(taken)
            by_rank[rank] -= taken
            laid = self._set(index + strict if alike else 0, ranks, by_rank, need + size - taken)
            by_rank[rank] += taken
            if laid is not None:
                return laid
            self.shapes.pop()
            self.taken.pop()
        return None

    # --- the naturals in their places ---

    def _arranged(self) -> _Laid | None:
        """The naturals laid so that every limit is met; nearly always as the search took them."""
        if self.plain and all(map(self._enough, self.shapes, self.taken)):
            return self._as_taken()
        matching = match_naturals(self.shapes, self.have, self.rules)
        if matching is None or not self._twos_suffice(matching.counts):
            return None
        return [matching.cells_in(at) for at in range(len(self.shapes))]

    def _enough(self, shape: Shape, taken: int) -> bool:
        return (taken.bit_count() if shape.kind is Kind.RUN else taken) >= shape.needs

    def _as_taken(self) -> _Laid:
        have = self.have.copy()
        laid: _Laid = []
        for shape, taken in zip(self.shapes, self.taken, strict=True):
            if shape.kind is Kind.RUN:
                cells = [at if taken >> at & 1 else None for at in shape.cells]
            else:
                own = [at for at in shape.cells for _ in range(have[at])][:taken]
                cells = [*own, *[None] * (shape.size - taken)]
            for at in cells:
                if at is not None:
                    have[at] -= 1
            laid.append(cells)
        return laid

    def _twos_suffice(self, counts: Sequence[int]) -> bool:
        """In a set of 2s only jokers are wild (P2)."""
        sets_of_twos = (at for at, shape in enumerate(self.shapes) if shape.rank is Rank.TWO)
        open_places = sum(self.shapes[at].size - counts[at] for at in sets_of_twos)
        return open_places <= sum(not card.rank for card in self.wilds)

    # --- the witness ---

    def witness(self, laid: _Laid) -> tuple[Meld, ...]:
        """Real cards in the places of the shapes, in the order of the contract's slots."""
        wilds = self._wilds_left(laid)
        melds: dict[int, Meld] = {}
        for place, shape, cells in zip(self.order, self.shapes, laid, strict=True):
            first = -1 if shape.rank is Rank.TWO else 0
            cards = tuple([wilds.pop(first) if at is None else CARD_AT[at] for at in cells])
            melds[place] = Meld(shape.kind, cards, shape.rank, shape.suit, shape.low)
        return tuple([melds[place] for place in sorted(melds)])

    def _wilds_left(self, laid: _Laid) -> list[Card]:
        """The wilds that do not lie as themselves, jokers last: a set of 2s can have no others (P2)."""
        if not self.rules.natural_twos:
            return self.wilds.copy()
        lie = Counter(CARD_AT[at] for cells in laid for at in cells if at is not None)
        return sorted((Counter(self.wilds) - lie).elements(), key=attrgetter("rank"), reverse=True)


def _taken(levels: tuple[int, ...], mask: int) -> tuple[int, ...]:
    """The masks after one copy of each card in the window is taken."""
    kept, left = ~mask, list(levels)
    for copy, more in enumerate(levels[1:]):
        left[copy] = (levels[copy] & kept) | (more & mask)
    left[-1] &= kept
    return tuple(left)


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
    return Shape(Kind.SET, size, CELLS_OF_RANK[rank], needs, Rank(rank))
