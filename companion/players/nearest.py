"""How near a hand is to its contract, and which cards are of no use for that: the fast path of "cards away".

The referee asks hand and contract anew for each number of free cards; players ask at every card. Here the windows of the
referee's own plan are tried once, the most promising first, and a branch ends where it cannot be better. The answer
is the referee's (``cards_away``) for sets and runs, which tests compare; for other contracts, and where a 2 may be natural,
it is an estimate.
"""

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from companion.referee.cards import Card
from companion.referee.nearness import clash
from companion.referee.rules import Contract, Rules
from companion.referee.search.matching import Shape, cell
from companion.referee.search.plans import RANKS, Plan, plan_of


class Nearest(NamedTuple):
    """The fewest cards that lack, and the cards that none of the melds so near needs, in the order of the hand."""

    away: int
    spare: tuple[Card, ...]


def nearest(hand: Sequence[Card], contract: Contract, rules: Rules) -> Nearest:
    """How many well-chosen cards the hand lacks to go down, and what it can spare (G4.2).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> nearest(parse_cards("9H 9S 4C 2D KS"), KATE.contracts[0], KATE)
    Nearest(away=2, spare=(parse_card('KS'),))
    """
    plan = plan_of(contract, rules)
    if plan.instead or plan.natural_twos or plan.takes_twice:
        return _estimated(hand, contract, plan)
    search = _Nearest(hand, plan)
    search.run(0, search.copies, 0, 0)
    return Nearest(max(search.best, contract.cards_needed - len(hand)), tuple(search.spare()))


def _estimated(hand: Sequence[Card], contract: Contract, plan: Plan) -> Nearest:
    """For contracts that the windows do not describe: what lies beside no other card is spare."""
    naturals = [card for card in hand if card.rank not in plan.wild]
    spare = tuple(card for card in naturals if sum(are_friends(card, other) for other in naturals) == 1)
    return Nearest(max(0, contract.cards_needed - len(hand) + len(spare)), spare)


def are_friends(card: Card, other: Card) -> bool:
    """Whether two cards could lie side by side in one meld, or nearly."""
    return card.rank == other.rank or (card.suit is other.suit and abs(card.rank - other.rank) <= 2)


class _Nearest:
    """One search; ``best`` is the fewest cards that lack, ``kept`` the naturals of the melds by cell."""

    def __init__(self, hand: Sequence[Card], plan: Plan) -> None:
        self.plan, self.hand = plan, hand
        self.naturals = [card for card in hand if card.rank and card.rank not in plan.wild]
        wilds = sum(card.rank in plan.wild for card in hand)
        self.room = wilds if plan.most_wilds is None else min(wilds, plan.most_wilds)
        self.copies: dict[int, int] = {}
        for card in self.naturals:
            at = cell(card)
            self.copies[at] = self.copies.get(at, 0) + 1
        self.best, self.chosen = 99, list[Shape]()
        self.kept: list[Shape] = []
        have = sum(1 << at for at in self.copies)
        self.starts = [
            sorted(
                ((window.size - (window.mask & have).bit_count(), number) for number, window in enumerate(windows)),
                key=itemgetter(0),
            )
            for windows in plan.windows
        ]
        rest = [start[0][0] if start else 99 for start in self.starts]
        self.rest = [sum(rest[at:]) for at in range(len(rest) + 1)]

    def run(self, first: int, copies: dict[int, int], missing: int, needed: int) -> None:
        """Choose a window for the next run, then the sets; ``needed`` naturals are asked for by the limits of a meld."""
        plan, at = self.plan, len(self.chosen)
        if at == plan.runs:
            self._sets(copies, missing, needed)
            return
        start = self.starts[at]
        for place in range(first if at and plan.alike[at - 1] else 0, len(start)):
            least, number = start[place]
            if max(missing + least + self.rest[at + 1] - self.room, needed) >= self.best:
                return  # the windows after this one lack as much or more
            window = plan.windows[at][number]
            if plan.runs_clash and any(clash(other, window, plan.rules) for other in self.chosen):
                continue
            taken = [at for at in window.cells if copies.get(at)]
            after = dict(copies)
            for held in taken:
                after[held] -= 1
            self.chosen.append(window)
            lacks = max(0, window.needs - len(taken))
            self.run(place, after, missing + window.size - len(taken), needed + lacks)
            self.chosen.pop()

    def _sets(self, copies: dict[int, int], missing: int, needed: int) -> None:
        """The largest heaps of a rank as the sets, the largest set first."""
        plan, heaps = self.plan, dict.fromkeys(RANKS, 0)
        for card in dict.fromkeys(self.naturals):
            heaps[card.rank] += copies[cell(card)]
        sets = []
        for size, shapes in sorted(zip(plan.set_sizes, plan.set_shapes, strict=True), key=itemgetter(0), reverse=True):
            rank = max(heaps, key=heaps.__getitem__)
            taken = min(size, heaps[rank])
            missing, needed = missing + size - taken, needed + max(0, shapes[rank].needs - taken)
            heaps[rank] = -1 if plan.one_rank_once else heaps[rank] - taken
            sets.append(shapes[rank])
        away = max(missing - self.room, needed, 0)
        if away < self.best:
            self.best, self.kept = away, [*self.chosen, *sets]

    def spare(self) -> list[Card]:
        """The naturals that no meld takes."""
        left = list(self.naturals)
        for shape in self.kept:
            wanted = [card for card in dict.fromkeys(left) if self._fits(card, shape)]
            if shape.rank is not None:
                wanted = [card for card in left if card.rank == shape.rank][: shape.size]
            for card in wanted:
                left.remove(card)
        return left

    def _fits(self, card: Card, shape: Shape) -> bool:
        return shape.rank is None and cell(card) in shape.cells
