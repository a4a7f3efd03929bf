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
from operator import attrgetter, itemgetter

from companion.referee.cards import Card, Rank, Suit
from companion.referee.melds import Meld
from companion.referee.nearness import clash
from companion.referee.rules import Contract, Kind, Rules
from companion.referee.search.matching import AGAIN, CARD_AT, CELLS_OF_RANK, FREE, WIDTH, Shape, cell, match_naturals
from companion.referee.search.plans import RANKS, ROWS, Plan, plan_of

_RANK_MASKS = tuple(sum(1 << at for at in cells) for cells in CELLS_OF_RANK)
#: The bit of each card's cell.
_BITS = {suit: tuple([1 << cell(Card(Rank.JOKER, suit)) + rank for rank in range(WIDTH)]) for suit in (*Suit, None)}

#: For each shape its places low end first: the cell of the natural there, or None for a wild.
_Laid = list[list[int | None]]
#: How many naturals of which rank.
_Heap = tuple[int, int]
#: The masks of the first, second … copies.
_Levels = tuple[int, ...]


def can_go_down(hand: Sequence[Card], contract: Contract, rules: Rules) -> tuple[Meld, ...] | None:
    """A legal lay-down for the contract from the hand, melds in the order of its slots, or None: there is none (G4.2).

    Exact under every switch. Cards that are not used stay in hand.

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> [str(meld) for meld in can_go_down(parse_cards("9H 4C 9S 2D 4D 4H 2C 9D"), KATE.contracts[0], KATE)]
    ['4H 4D 4C', '9S 9H 9D']
    """
    plan = plan_of(contract, rules)
    if plan.instead:
        return plan.instead(hand, contract, rules)
    if len(hand) < plan.wanted:
        return None
    search = _Search(hand, plan, 0)
    laid = search.find()
    return None if laid is None else search.witness(laid)


def cards_away(hand: Sequence[Card], contract: Contract, rules: Rules) -> int:
    """How many well-chosen cards the hand lacks to go down; 0: it can (G4.2). Copies in the decks are not counted.

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> cards_away(parse_cards("9H 9S 4C 2D"), KATE.contracts[0], KATE)
    2
    """
    for free in range(contract.cards_needed + 1):
        if (
            len(hand) + free >= contract.cards_needed
            and _Search(hand, plan_of(contract, rules), free).find() is not None
        ):
            return free
    return contract.cards_needed


class _Search:
    """The search over one hand, with ``free`` cards that may be any natural; lives for one call."""

    def __init__(self, hand: Sequence[Card], plan: Plan, free: int) -> None:
        self.hand, self.plan, self.free = hand, plan, free
        self.wilds: list[Card] = []
        self.by_rank = [0] * len(_RANK_MASKS)  # naturals that are not wild too
        self.levels = self._hold(hand)
        self.after_runs = self.levels  # what runs leave of them
        self.own = self.levels[0]  # naturals, also those that are wild too
        if plan.natural_twos:
            for card in self.wilds:
                self.own |= _BITS[card.suit][card.rank] if card.rank else 0
        self.room = len(self.wilds) + free
        if plan.most_wilds is not None:
            self.room = min(len(self.wilds), plan.most_wilds) + free
        self.shapes: list[Shape] = []
        self.taken: list[int] = []  # by shape the naturals it takes: of a run their mask, of a set how many
        #: Nothing but the greatest number of naturals is asked, and each is one natural only.
        self.plain = not (free or plan.natural_twos or plan.takes_twice or plan.limits.apart)
        #: The ranks that are worth a try for a set without a natural in hand.
        self.blank: Sequence[int] = RANKS if free else plan.blank
        self.starts: list[Sequence[Shape]] = []

    def _hold(self, hand: Sequence[Card]) -> _Levels:
        """Count the cards: wilds, naturals by rank, and the masks of their first, second … copies."""
        wild, by_rank, wilds = self.plan.wild, self.by_rank, self.wilds
        first = second = 0
        further = []
        for card in hand:
            rank = card.rank
            if rank in wild:
                wilds.append(card)
                continue
            if not rank:
                continue  # a joker that is not wild
            by_rank[rank] += 1
            bit = _BITS[card.suit][rank]
            if not first & bit:
                first |= bit
            elif not second & bit:
                second |= bit
            else:
                further.append(bit)
        if not further:
            return (first, second) if second else (first,)
        levels = [first, second]
        for bit in further:
            place = sum([level & bit > 0 for level in levels])
            levels += [0] * (place == len(levels))
            levels[place] |= bit
        return tuple(levels)

    def find(self) -> _Laid | None:
        """The naturals in their places, or None."""
        plan, naturals = self.plan, sum(self.by_rank)
        if not plan.runs:
            return self._sets(self.levels, 0)
        for at, windows in enumerate(plan.windows):
            again = at and plan.alike[at - 1]
            usable = self._usable_alike if not self.free and plan.fits[at] else self._usable
            self.starts.append(self.starts[-1] if again else usable(at, windows))
            if not self.starts[-1]:
                return None
        return self._run(0, self.levels, naturals, 0, plan.wanted)

    def _usable_alike(self, at: int, windows: Sequence[Shape]) -> list[Shape]:
        """The windows with naturals enough by themselves, fewest wilds first, where all are of one size."""
        first, most = self.levels[0], (self.room + 1) << 8
        found = [
            code
            for fits, row in zip(self.plan.fits[at], ROWS, strict=True)
            for code in fits(first & row)
            if code < most
        ]
        return [windows[code & 255] for code in sorted(found)]

    def _usable(self, at: int, windows: Sequence[Shape]) -> list[Shape]:
        """The same for windows of any size, and for naturals that are wild too."""
        size, first, own, room, free = self.plan.sizes[at], self._first(self.levels), self.own, self.room, self.free
        by_missing: list[tuple[int, int]] = []
        for number, window in enumerate(windows):
            mask = window.mask
            missing = window.size - (mask & first).bit_count()
            if missing > room:
                continue
            if (mask & own).bit_count() + free < window.needs and not window.takes_twice:
                continue
            longer = window.size > size  # of use only with natural ends and no natural too many
            if not longer or self.plan.nearness or (window.size - window.needs <= room and self._ends(window)):
                by_missing.append((missing, number))
        by_missing.sort()
        return [windows[number] for _, number in by_missing]

    def _ends(self, window: Shape) -> bool:
        """Whether both ends could be natural."""
        return self.free > 0 or not window.ends & ~(self.own | self.own << AGAIN)

    def _first(self, levels: _Levels) -> int:
        """The first copies, and where a run may take two the second ones too."""
        return levels[0] | levels[1] << AGAIN if self.plan.takes_twice and len(levels) > 1 else levels[0]

    # --- runs ---

    def _run(self, first: int, levels: _Levels, left: int, need: int, open_places: int) -> _Laid | None:
        """Fill the run slots from here on, then the sets; ``first`` is where equal slots go on choosing."""
        plan, at = self.plan, len(self.shapes)
        if at == plan.runs:
            return self._arranged()
        room = self.room - need
        if open_places - left > room:
            return None  # the naturals left cannot bring the slots left within the wilds
        windows, present, others = self.starts[at], self._first(levels), self.shapes if plan.runs_clash else ()
        alike, open_places, last = plan.alike[at], open_places - plan.sizes[at], at + 1 == plan.runs and plan.sets
        for index in range(first, len(windows)):
            window = windows[index]
            naturals = window.mask & present
            taken = naturals.bit_count()
            wilds = window.size - taken
            if wilds > room or (others and any(clash(shape, window, plan.rules) for shape in others)):
                continue
            self.shapes.append(window)
            self.taken.append(naturals)
            after = _taken(levels, naturals)
            if last:
                laid = self._sets(after, need + wilds)
            else:
                laid = self._run(index if alike else 0, after, left - taken, need + wilds, open_places)
            if laid is not None:
                return laid
            self.shapes.pop()
            self.taken.pop()
        return None

    # --- sets ---

    def _sets(self, levels: _Levels, need: int) -> _Laid | None:
        """Fill the set slots; most often with the largest heaps of a rank, which leave the fewest places to wilds."""
        plan, by_rank, self.after_runs = self.plan, self.by_rank.copy(), levels
        for naturals in self.taken:
            while naturals:
                at = naturals.bit_length() - 1
                by_rank[at % WIDTH] -= 1
                naturals ^= 1 << at
        heaps = _heaps(by_rank, plan.set_sizes)
        if need + plan.set_places - sum([naturals for naturals, _ in heaps]) > self.room:
            return None
        laid = self._heaped(heaps, self.room - need) if self.plain and len(heaps) == plan.sets else None
        if laid is not None:
            return laid
        ranks = [rank for rank in RANKS if self.own & _RANK_MASKS[rank] or rank in self.blank]
        ranks.sort(key=by_rank.__getitem__, reverse=True)
        return self._set(0, ranks, by_rank, need)

    def _heaped(self, heaps: Sequence[_Heap], room: int) -> _Laid | None:
        """The largest heaps as the sets, if they may be."""
        plan = self.plan
        if plan.one_rank_once:
            return None
        for (naturals, rank), size, shapes in zip(heaps, plan.set_sizes, plan.set_shapes, strict=True):
            taken = min(naturals, size)
            room -= size - taken
            self.shapes.append(shapes[rank])
            self.taken.append(taken)
        if room >= 0 and all(map(_enough, self.shapes, self.taken)):
            return self._as_taken()
        del self.shapes[plan.runs :], self.taken[plan.runs :]
        return None

    def _set(self, first: int, ranks: Sequence[int], by_rank: list[int], need: int) -> _Laid | None:
        plan, at = self.plan, len(self.shapes)
        if at == len(plan.sizes):
            return self._arranged()
        size, shapes, alike, strict = plan.sizes[at], plan.shapes[at], plan.alike[at], plan.one_rank_once
        room = self.room - need - size
        for index in range(first, len(ranks)):
            rank = ranks[index]
            taken = min(size, by_rank[rank])
            if taken + room < 0 or (strict and any(shape.rank == rank for shape in self.shapes)):
                continue
            self.shapes.append(shapes[rank])
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
        if self.plain and all(map(_enough, self.shapes, self.taken)):
            return self._as_taken()
        matching = match_naturals(self.shapes, self._have(), self.plan.limits)
        if matching is None or not self._twos_suffice(matching.counts):
            return None
        return [matching.cells_in(at) for at in range(len(self.shapes))]

    def _have(self) -> list[int]:
        """How many naturals there are, by cell."""
        have = [0] * FREE + [self.free]
        for card in self.hand:
            if card.rank and (self.plan.natural_twos or card.rank not in self.plan.wild):
                have[cell(card)] += 1
        return have

    def _as_taken(self) -> _Laid:
        laid: _Laid = []
        given = [0] * WIDTH  # by rank the naturals that lie in sets
        for shape, taken in zip(self.shapes, self.taken, strict=True):
            if shape.kind is Kind.RUN:
                laid.append([at if taken >> at & 1 else None for at in shape.cells])
                continue
            rank = shape.cells[0]
            cells = [at for at in shape.cells for level in self.after_runs if level >> at & 1]
            laid.append([*cells[given[rank] : given[rank] + taken], *[None] * (shape.size - taken)])
            given[rank] += taken
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
        melds: list[Meld | None] = [None] * len(laid)
        for place, shape, cells in zip(self.plan.order, self.shapes, laid, strict=True):
            first = -1 if shape.rank is Rank.TWO else 0
            cards = tuple([CARD_AT[at] if at is not None else wilds.pop(first) for at in cells])
            melds[place] = Meld(shape.kind, cards, shape.rank, shape.suit, shape.low)
        return tuple(melds)  # type: ignore[arg-type]

    def _wilds_left(self, laid: _Laid) -> list[Card]:
        """The wilds that do not lie as themselves, jokers last: a set of 2s can have no others (P2)."""
        if not self.plan.natural_twos:
            return self.wilds.copy()
        lie = Counter(CARD_AT[at] for cells in laid for at in cells if at is not None)
        return sorted((Counter(self.wilds) - lie).elements(), key=attrgetter("rank"), reverse=True)


def _enough(shape: Shape, taken: int) -> bool:
    """Whether the naturals taken meet the limits."""
    return (taken.bit_count() if shape.kind is Kind.RUN else taken) >= shape.needs


def _taken(levels: Sequence[int], naturals: int) -> _Levels:
    """The masks after a copy of each of these cards is taken, two of one in the bits above."""
    if len(levels) == 1:
        return (levels[0] & ~naturals,)
    if naturals >> AGAIN:
        return _taken(_taken(levels, naturals >> AGAIN), naturals & (1 << AGAIN) - 1)
    kept = ~naturals
    if len(levels) == 2:
        first, second = levels
        return first & kept | second & naturals, second & kept
    return tuple([level & kept | more & naturals for level, more in zip(levels, (*levels[1:], 0), strict=True)])


def _heaps(by_rank: Sequence[int], sizes: Sequence[int]) -> list[_Heap]:
    """The naturals that so many sets take at most: the largest heaps of a rank, none larger than the largest set."""
    size, sets = sizes[0], len(sizes)
    largest = sorted([16 * have - rank for rank, have in enumerate(by_rank) if have], reverse=True)[:sets]
    heaps = [(code + 15 >> 4, -code & 15) for code in largest]
    if not heaps or heaps[0][0] <= size:
        return heaps
    whole = [(size, rank) for have, rank in heaps for _ in range(have // size)]
    return sorted([*whole, *[(have % size, rank) for have, rank in heaps]], key=itemgetter(0), reverse=True)[:sets]
