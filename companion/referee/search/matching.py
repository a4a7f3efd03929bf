"""Naturals into the places of given melds so that every wild limit is met, and then as many as possible (G3.3–G3.5).

This is a matching in a graph of two sides: naturals of the hand on one, places of the shapes on the other. It grows by
*augmenting paths*: a place that needs a natural takes one from another shape, which takes one from a third, until one
takes a spare card. No path ever leaves a place empty that was filled, so what a limit asked for stays. Wilds that must
lie apart fix some naturals first: every least choice of places that leaves no two wilds side by side is tried.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from companion.referee.cards import Card, Rank, Suit
from companion.referee.rules import Kind
from companion.referee.wild_limits import WildLimits

_ROWS, WIDTH = 5, 15  # four suits and the cards whose suit nobody typed; ranks 0..14
#: The cell of cards that may be any natural.
FREE = _ROWS * WIDTH
#: So much higher is the bit of a card's second copy in the mask of a run that takes two (the ace at both ends).
AGAIN = 6 * WIDTH


def cell(card: Card) -> int:
    """Where a card is counted: suit by suit, ranks 0 to 14; an untyped suit has the last row."""
    return _ROW_OF[card.suit] + card.rank


_ROW_OF: dict[Suit | None, int] = {suit: row * WIDTH for row, suit in enumerate((*Suit, None))}


#: The card of each cell.
CARD_AT = {cell(card): card for card in (Card(rank, suit) for suit in (*Suit, None) for rank in Rank)}

#: The five cells of each rank.
CELLS_OF_RANK = tuple(tuple(range(rank, FREE, WIDTH)) for rank in range(WIDTH))


@dataclass(frozen=True, slots=True)
class Shape:
    """A meld before its cards: ``size`` places, and the cells of the naturals that may lie there.

    A run has a cell for each place, in order; they and those of its two ends are masks too. Only a run of fourteen has
    a cell twice, that of the ace.
    """

    kind: Kind
    size: int
    cells: tuple[int, ...]
    needs: int  # the fewest naturals the limits ask for
    rank: Rank | None = None
    suit: Suit | None = None
    low: Rank | None = None
    mask: int = 0
    ends: int = 0

    @property
    def takes_twice(self) -> bool:
        """Whether one card lies at both ends."""
        return self.kind is Kind.RUN and self.mask >> AGAIN > 0


@dataclass(slots=True)
class Matching:
    """Which naturals lie in which shape: ``holders[cell]`` lists the shapes that hold a copy of it."""

    shapes: Sequence[Shape]
    have: Sequence[int]
    holders: dict[int, list[int]] = field(default_factory=dict)
    counts: list[int] = field(default_factory=list)  # naturals by shape

    def __post_init__(self) -> None:
        self.counts = [0] * len(self.shapes)

    def is_covered(self, at: int, shape: int) -> bool:
        """Whether the run has all the copies of the cell that can lie there."""
        holders = self.holders.get(at, ())
        return shape in holders and holders.count(shape) >= self.shapes[shape].cells.count(at)

    def has_spare(self, at: int) -> bool:
        """Whether a copy of the cell is in no shape."""
        return len(self.holders.get(at, ())) < self.have[at]

    def lay(self, at: int, shape: int) -> None:
        """Lay a copy of the cell in the shape."""
        self.counts[shape] += 1
        self.holders.setdefault(at, []).append(shape)

    def cells_in(self, shape: int) -> list[int | None]:
        """The shape's places low end first: the cell of the natural there, or None for a wild."""
        lies = self.shapes[shape]
        if lies.kind is Kind.RUN:
            cells = [at if shape in self.holders.get(at, ()) else None for at in lies.cells]
            if lies.takes_twice and cells[0] is not None and self.holders[lies.cells[0]].count(shape) == 1:
                cells[0 if cells[-2] is None else -1] = None  # the only ace lies where no two wilds come together
            return cells
        held = [at for at in lies.cells for _ in range(self.holders.get(at, []).count(shape))]
        return [*held, *[None] * (lies.size - len(held))]


def match_naturals(shapes: Sequence[Shape], have: Sequence[int], limits: WildLimits) -> Matching | None:
    """The most naturals in these shapes with every wild limit met, or None where the limits cannot be met."""
    if not limits.apart:
        matching = Matching(shapes, have)
        _maximize(matching)
        if all(count >= shape.needs for count, shape in zip(matching.counts, shapes, strict=True)):
            return matching  # nearly always: no natural has to be moved for a limit
    for fixed in _keeping_apart(shapes, list(have), 0) if limits.apart else [()]:
        matching = Matching(shapes, have)
        for shape, at in fixed:
            matching.lay(at, shape)
        if all(_meet_needs(matching, shape, Counter(fixed)) for shape in range(len(shapes))):
            _maximize(matching)
            return matching
    return None


def _keeping_apart(shapes: Sequence[Shape], left: list[int], first: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every least choice of places in the runs that leaves no two wilds side by side, as (shape, cell)."""
    if first == len(shapes):
        yield ()
        return
    covers = _covers(shapes[first].cells, left) if shapes[first].kind is Kind.RUN else iter([()])
    for cover in covers:
        for at in cover:
            left[at] -= 1
        for rest in _keeping_apart(shapes, left, first + 1):
            yield tuple((first, at) for at in cover) + rest
        for at in cover:
            left[at] += 1


def _covers(cells: tuple[int, ...], left: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Least choices of naturals so that of two neighbours at least one is natural; free cards count as any."""
    if len(cells) < 2:
        yield ()
        return
    for skip in (0, 1):  # the first place natural, or the first a wild and the second natural
        at = cells[skip]
        for used in (at, FREE):
            if left[used] > 0:
                for rest in _covers(cells[skip + 1 :], left):
                    if rest.count(FREE) + (used == FREE) <= left[FREE]:
                        yield (used, *rest)


def _meet_needs(matching: Matching, shape: int, fixed: Counter[tuple[int, int]]) -> bool:
    """Lay naturals in the shape until its limits are met, by augmenting paths."""
    while matching.counts[shape] < matching.shapes[shape].needs:
        if not _augment(matching, shape, set(), fixed):
            return False
    return True


def _augment(matching: Matching, shape: int, seen: set[int], fixed: Counter[tuple[int, int]]) -> bool:
    """Lay one natural more in the shape: a spare one, or one of another shape that gets another in its place."""
    run = matching.shapes[shape].kind is Kind.RUN
    for at in (*matching.shapes[shape].cells, FREE):
        holders = matching.holders.setdefault(at, [])
        if at in seen or not matching.have[at] or (run and at != FREE and matching.is_covered(at, shape)):
            continue
        seen.add(at)
        if matching.has_spare(at):
            matching.lay(at, shape)
            return True
        for index, other in enumerate(holders):
            if other == shape or holders.count(other) <= fixed[other, at]:
                continue
            holders[index] = shape
            if _augment(matching, other, seen, fixed):
                matching.counts[shape] += 1
                matching.counts[other] -= 1
                return True
            holders[index] = other
    return False


def _maximize(matching: Matching) -> None:
    """Lay further naturals until no more can lie; no place is uncovered."""
    for i, shape in enumerate(matching.shapes):
        if shape.kind is Kind.RUN:
            for at in shape.cells:
                if not matching.is_covered(at, i) and (matching.has_spare(at) or _swap_suit(matching, at)):
                    matching.lay(at, i)
    for i, shape in enumerate(matching.shapes):
        if shape.kind is Kind.SET:
            for at in shape.cells:
                while matching.counts[i] < shape.size and matching.has_spare(at):
                    matching.lay(at, i)


def _swap_suit(matching: Matching, at: int) -> bool:
    """Free a copy of the cell that lies in a set, by another card of its rank."""
    for index, holder in enumerate(matching.holders.get(at, ())):
        if matching.shapes[holder].kind is Kind.SET:
            for other in matching.shapes[holder].cells:
                if other != at and matching.has_spare(other):
                    del matching.holders[at][index]
                    matching.counts[holder] -= 1
                    matching.lay(other, holder)
                    return True
    return False
