"""The best end of a turn found step by step, every play tried: for tables on which the quick way does not hold.

That is where a 2 may be natural or a set's wild replaced (P2, P6), or where a meld lies that the table's own limits forbid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.referee.cards import Card
from companion.referee.melds import Meld, is_wild_card
from companion.referee.rules import Rules
from companion.referee.scoring import card_points, hand_points
from companion.referee.search.turns import NOTHING, BestTurn, End, Lying, canonical
from companion.referee.table import Play, plays

#: The hand, and by place on the table how the melds lie, each way by its number in ``Walking.ways``.
_State = tuple[tuple[Card, ...], tuple[int, ...]]


class Walking:
    """Laying off from one table after another; what was worked out is kept, so all must differ in their melds only."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.table: Sequence[Lying] = ()
        self.reached = NOTHING  # the best end seen so far, from whichever table
        self.known: dict[_State, BestTurn] = {}
        self.ways: list[Meld] = []
        self._numbers: dict[Meld, int] = {}
        self._found: dict[tuple[Card, int], list[tuple[Play, int]]] = {}

    def turn(self, hand: Sequence[Card], lies: Sequence[Lying], than: tuple[int, int]) -> BestTurn | None:
        """The best turn from here, if its rank is less than that; no melds are laid in it."""
        self.table = lies
        found = self._best((tuple(sorted(hand, key=str)), tuple(self._number(lying.meld) for lying in lies)))
        return found if found.rank < than else None

    def _number(self, meld: Meld) -> int:
        number = self._numbers.setdefault(meld, len(self.ways))
        if number == len(self.ways):
            self.ways.append(meld)
        return number

    def _best(self, state: _State) -> BestTurn:
        if state not in self.known:
            self.known[state] = self._search(*state)
        return self.known[state]

    def _search(self, hand: tuple[Card, ...], ways: tuple[int, ...]) -> BestTurn:
        found = self._stop(hand, ways)
        self.reached = min(self.reached, found.rank)
        least = least_left(hand, self.table, self.rules)
        for card in dict.fromkeys(hand):
            for at, play, way in self._moves(card, ways):
                if least >= self.reached:
                    return found
                after = self._best((_left(hand, card, play), (*ways[:at], way, *ways[at + 1 :])))
                if after.rank < found.rank:
                    step = (self.table[at].number, card, play)
                    found = BestTurn(after.points, after.end, (), (step, *after.played), after.discard)
        return found

    def _moves(self, card: Card, ways: tuple[int, ...]) -> Iterator[tuple[int, Play, int]]:
        """Where the card can go: the place on the table, the play, and how the meld lies then."""
        for at, way in enumerate(ways):
            if self.table[at].open:
                for play, after in self._plays(card, way):
                    yield at, play, after

    def _plays(self, card: Card, way: int) -> list[tuple[Play, int]]:
        key = (card, way)
        if key not in self._found:
            found = plays(card, self.ways[way], self.rules)
            self._found[key] = [(play, self._number(canonical(play.result, self.rules))) for play in found]
        return self._found[key]

    def _stop(self, hand: tuple[Card, ...], ways: tuple[int, ...]) -> BestTurn:
        """The turn ends here: throw the dearest legal card, if any card is left."""
        if not hand:
            return BestTurn(0, "float" if self.rules.must_discard_to_go_out else "out", (), (), None)
        points = hand_points(hand, self.rules)
        legal = [card for card in dict.fromkeys(hand) if not self._refused(card, ways)]
        if not legal:
            return BestTurn(points, "hold", (), (), None)
        thrown = max(legal, key=lambda card: card_points(card, self.rules))
        end: End = "out" if len(hand) == 1 else "hold"
        return BestTurn(points - card_points(thrown, self.rules), end, (), (), thrown)

    def _refused(self, card: Card, ways: tuple[int, ...]) -> bool:
        if not self.rules.wild_discards and is_wild_card(card, self.rules):
            return True
        return any(self._plays(card, way) for lying, way in zip(self.table, ways, strict=True) if lying.forbids)


def _left(hand: tuple[Card, ...], card: Card, play: Play) -> tuple[Card, ...]:
    """The hand after the play, a wild that it freed among it (G8.5, P6)."""
    left = list(hand)
    left.remove(card)
    if play.wild_to in ("hand", "table") and play.freed is not None:
        left = sorted([*left, play.freed], key=str)
    return tuple(left)


def least_left(hand: Sequence[Card], lies: Sequence[Lying], rules: Rules) -> tuple[int, int]:
    """No turn ends better: at the least the cards stay that have no run of their suit and no set of their rank."""
    ranks = {lying.meld.rank for lying in lies if lying.meld.rank is not None and lying.open}
    suits = {lying.meld.suit for lying in lies if lying.meld.suit is not None and lying.open}
    stuck = [c for c in hand if c.rank not in ranks and c.suit not in suits and not is_wild_card(c, rules)]
    values = sorted(card_points(card, rules) for card in stuck)
    return (sum(values[:-1]), 0 if len(values) < 2 else 2)
