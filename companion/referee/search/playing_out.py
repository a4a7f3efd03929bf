"""The best turn told card by card, each play one that ``plays`` allows (G7.1, G8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.referee.cards import Card, Rank
from companion.referee.melds import is_wild_card
from companion.referee.rules import Kind, Rules
from companion.referee.search.run_states import WILD, GrowingRun, Lie, Step
from companion.referee.search.turns import Lying
from companion.referee.table import Play, plays
from companion.referee.wild_limits import lay_off_limits

#: A run's number, the run, and its steps with how it lies after each.
Way = tuple[int, GrowingRun, list[tuple[Step, Lie]]]


class Telling:
    """A hand played out on the table; ``played`` grows."""

    def __init__(self, table: Sequence[Lying], hand: Sequence[Card], thrown: Card | None, rules: Rules) -> None:
        self.rules = rules
        self.table = {lying.number: lying for lying in table}
        self.played: list[tuple[int, Card, Play]] = []
        self.wilds = [card for card in hand if is_wild_card(card, rules)]
        self.naturals = [card for card in hand if not is_wild_card(card, rules)]
        self.kept = 0
        if thrown is not None:
            if is_wild_card(thrown, rules):
                self.kept = 1
            else:
                self.naturals.remove(thrown)

    def grow(self, ways: Iterable[Way]) -> None:
        """The runs' steps: those that free a wild to the hand before all others, of whichever run (G8.5)."""
        steps = [(number, run, step, after) for number, run, taken in ways for step, after in taken]
        if self.rules.freed_wild != "end":
            steps.sort(key=lambda one: not one[2].replaces)
        for number, run, step, after in steps:
            natural = Card(Rank(step.card), run.suit) if step.card != WILD else None
            if natural is not None:
                self.naturals.remove(natural)
            card = natural or self.wilds.pop()
            self._play(number, card, (run, after))

    def fill_sets(self) -> None:
        """Naturals to sets of their rank, those that forbid no discard first; then wilds, to those that do forbid first."""
        sets = [lying.number for lying in self.table.values() if lying.meld.rank is not None and lying.open]
        sets.sort(key=lambda number: self.table[number].forbids)
        for card in list(self.naturals):
            taking = [number for number in sets if self.table[number].meld.rank is card.rank]
            if taking:
                self.naturals.remove(card)
                self._play(min(taking, key=self._is_full), card)
        for number in reversed(sets):
            while len(self.wilds) > self.kept and plays(self.wilds[-1], self.table[number].meld, self.rules):
                self._play(number, self.wilds.pop())

    def _is_full(self, number: int) -> bool:
        """Whether another natural makes no room for a wild in the set."""
        meld, limits = self.table[number].meld, lay_off_limits(self.rules)
        naturals = len(meld.cards) - len(meld.wild_positions())
        return limits.most_wilds(Kind.SET, naturals + 1) == limits.most_wilds(Kind.SET, naturals)

    def _play(self, number: int, card: Card, becomes: tuple[GrowingRun, Lie] | None = None) -> None:
        lying = self.table[number]
        found = plays(card, lying.meld, self.rules)
        play = next(play for play in found if becomes is None or becomes[0].lies_so(becomes[1], play.result))
        self.played.append((number, card, play))
        self.table[number] = lying._replace(meld=play.result)
        if play.wild_to in ("hand", "table") and play.freed is not None:
            self.wilds.append(play.freed)
