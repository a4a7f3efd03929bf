"""The best end of a turn found step by step, every play tried: for tables on which the quick way does not hold.

That is where a 2 may be natural or a set's wild replaced (P2, P6), or where a meld lies that the table's own limits forbid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.referee.cards import Card
from companion.referee.melds import Meld, is_wild_card
from companion.referee.rules import Rules
from companion.referee.scoring import card_points, hand_points
from companion.referee.table import Play, plays
from companion.referee.turns import NOTHING, BestTurn, End, Lying, canonical

_State = tuple[tuple[Card, ...], tuple[Lying, ...]]


class Walking:
    """Laying off from one table; what was worked out is kept for the others of the same question."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.known: dict[_State, BestTurn] = {}
        self.reached = NOTHING  # the best end seen so far, from whichever table
        self.plays: dict[tuple[Card, Meld], tuple[Play, ...]] = {}

    def turn(self, hand: Sequence[Card], lies: Sequence[Lying], than: tuple[int, int]) -> BestTurn | None:
        """The best turn from here, if its rank is less than that; no melds are laid in it."""
        found = self._best(tuple(sorted(hand, key=str)), tuple(lies))
        return found if found.rank < than else None

    def _best(self, hand: tuple[Card, ...], lies: tuple[Lying, ...]) -> BestTurn:
        key = (hand, lies)
        if key not in self.known:
            self.known[key] = self._search(hand, lies)
        return self.known[key]

    def _search(self, hand: tuple[Card, ...], lies: tuple[Lying, ...]) -> BestTurn:
        found = self._stop(hand, lies)
        self.reached = min(self.reached, found.rank)
        least = least_left(hand, lies, self.rules)
        for card in dict.fromkeys(hand):
            for at, play in self._moves(card, lies):
                if least >= self.reached:
                    return found
                after = self._best(*self._after(hand, lies, card, at, play))
                if after.rank < found.rank:
                    step = (lies[at].number, card, play)
                    found = BestTurn(after.points, after.end, (), (step, *after.played), after.discard)
        return found

    def _moves(self, card: Card, lies: tuple[Lying, ...]) -> Iterator[tuple[int, Play]]:
        for at, lying in enumerate(lies):
            if lying.open:
                for play in self._plays(card, lying.meld):
                    yield at, play

    def _plays(self, card: Card, meld: Meld) -> tuple[Play, ...]:
        if (card, meld) not in self.plays:
            self.plays[card, meld] = plays(card, meld, self.rules)
        return self.plays[card, meld]

    def _after(self, hand: tuple[Card, ...], lies: tuple[Lying, ...], card: Card, at: int, play: Play) -> _State:
        left = list(hand)
        left.remove(card)
        if play.wild_to in ("hand", "table") and play.freed is not None:
            left = sorted([*left, play.freed], key=str)
        lying = lies[at]._replace(meld=canonical(play.result, self.rules))
        return tuple(left), (*lies[:at], lying, *lies[at + 1 :])

    def _stop(self, hand: tuple[Card, ...], lies: tuple[Lying, ...]) -> BestTurn:
        """The turn ends here: throw the dearest legal card, if any card is left."""
        if not hand:
            return BestTurn(0, "float" if self.rules.must_discard_to_go_out else "out", (), (), None)
        points = hand_points(hand, self.rules)
        legal = [card for card in dict.fromkeys(hand) if not self._refused(card, lies)]
        if not legal:
            return BestTurn(points, "hold", (), (), None)
        thrown = max(legal, key=lambda card: card_points(card, self.rules))
        end: End = "out" if len(hand) == 1 else "hold"
        return BestTurn(points - card_points(thrown, self.rules), end, (), (), thrown)

    def _refused(self, card: Card, lies: tuple[Lying, ...]) -> bool:
        if not self.rules.wild_discards and is_wild_card(card, self.rules):
            return True
        return any(self._plays(card, lying.meld) for lying in lies if lying.forbids)


def least_left(hand: Sequence[Card], lies: Sequence[Lying], rules: Rules) -> tuple[int, int]:
    """No turn ends better: at the least the cards stay that have no run of their suit and no set of their rank."""
    ranks = {lying.meld.rank for lying in lies if lying.meld.rank is not None and lying.open}
    suits = {lying.meld.suit for lying in lies if lying.meld.suit is not None and lying.open}
    stuck = [c for c in hand if c.rank not in ranks and c.suit not in suits and not is_wild_card(c, rules)]
    values = sorted(card_points(card, rules) for card in stuck)
    return (sum(values[:-1]), 0 if len(values) < 2 else 2)
