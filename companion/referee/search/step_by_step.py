"""The best end of a turn found step by step, every play tried: for tables that ``by_suit`` cannot answer.

That is where a 2 may be natural or a set's wild replaced (P2, P6), or where a meld lies that the table's own limits forbid.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from companion.referee.cards import Card
from companion.referee.melds import Meld, is_wild_card
from companion.referee.rules import Rules
from companion.referee.scoring import hand_points
from companion.referee.search.reach import Reach
from companion.referee.search.turns import ENDS, WORST, MeldInPlay, Score, Steps, canonical
from companion.referee.table import plays

#: The hand, and how the melds on the table lie, each by its number in ``StepSolver.melds``.
_State = tuple[tuple[Card, ...], tuple[int, ...]]


class StepSolver:
    """Laying off from one table after another; what was worked out is kept, so all must differ in their melds only."""

    def __init__(self, rules: Rules, steps: Steps, table: Sequence[MeldInPlay], reach: Reach) -> None:
        self.rules, self.steps, self.before, self.reach = rules, steps, table, reach
        self.table: Sequence[MeldInPlay] = ()
        self.in_reach = 0
        self.best_seen = WORST  # from whichever table
        self.melds: list[Meld] = []
        self._numbers: dict[Meld, int] = {}
        self._best = cache(self._search)
        self._plays_of = cache(self._find_plays)

    def turn(self, hand: Sequence[Card], laid: Sequence[MeldInPlay], than: Score) -> Score | None:
        """The best end of the turn from here, if it is better than that."""
        self.table = (*self.before, *laid)
        self.in_reach = self.reach.on_table | self.reach.of(in_play.meld for in_play in laid if in_play.open)
        score = self._best(tuple(sorted(hand, key=str)), tuple(self._number(in_play.meld) for in_play in self.table))
        return score if score < than else None

    def _number(self, meld: Meld) -> int:
        number = self._numbers.setdefault(meld, len(self.melds))
        if number == len(self.melds):
            self.melds.append(meld)
        return number

    def _search(self, hand: tuple[Card, ...], melds: tuple[int, ...]) -> Score:
        self.steps.take(20 + len(hand))
        best = self._stop(hand, melds)
        self.best_seen = min(self.best_seen, best)
        least = self.reach.lower_bound(hand, self.in_reach)
        for after in self._steps(hand, melds):
            if least >= self.best_seen:
                break
            best = min(best, self._best(*after))
        return best

    def _steps(self, hand: tuple[Card, ...], melds: tuple[int, ...]) -> Iterator[_State]:
        """Hand and table after each play of a single card."""
        for card in dict.fromkeys(hand):
            for at, meld in enumerate(melds):
                if self.table[at].open:
                    for freed, after in self._plays_of(card, meld):
                        self.steps.take(10 + len(hand) // 2)
                        left = list(hand)
                        left.remove(card)
                        if freed is not None:
                            left = sorted([*left, freed], key=str)
                        yield tuple(left), (*melds[:at], after, *melds[at + 1 :])

    def _find_plays(self, card: Card, meld: int) -> list[tuple[Card | None, int]]:
        """By each play of the card the wild that it frees to the hand (G8.5, P6), and how the meld lies then."""
        self.steps.take(20)
        options = plays(card, self.melds[meld], self.rules)
        return [(play.in_hand, self._number(canonical(play.result, self.rules))) for play in options]

    def _stop(self, hand: tuple[Card, ...], melds: tuple[int, ...]) -> Score:
        """The turn ends here: throw the dearest legal card, if any card is left."""
        if not hand:
            return 0, ENDS.index("float" if self.rules.must_discard_to_go_out else "out")
        legal = [card for card in dict.fromkeys(hand) if not self._refused(card, melds)]
        thrown = max((self.rules.value(card) for card in legal), default=0)
        goes_out = len(hand) == 1 and bool(legal)
        return hand_points(hand, self.rules) - thrown, ENDS.index("out" if goes_out else "hold")

    def _refused(self, card: Card, melds: tuple[int, ...]) -> bool:
        if not self.rules.wild_discards and is_wild_card(card, self.rules):
            return True
        at_table = zip(self.table, melds, strict=True)
        return any(in_play.forbids and self._plays_of(card, meld) for in_play, meld in at_table)
