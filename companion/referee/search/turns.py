"""The end of a turn, and the table as one player meets it (G6.4, G7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from companion.referee.cards import Card
from companion.referee.melds import Meld
from companion.referee.rules import Rules
from companion.referee.table import Play

End = Literal["out", "float", "hold"]
ENDS: tuple[End, ...] = ("out", "float", "hold")  # the better first
NOTHING = (10**9, 0)  # a rank that everything beats


@dataclass(frozen=True, slots=True)
class BestTurn:
    """``points`` left in hand at the end of the turn and how it ends; how to get there, in order.

    ``melds`` are laid for the contract (none for a player who is down), ``played`` are (meld number, card, play),
    ``discard`` is None where no card is left to throw.
    """

    points: int
    end: End
    melds: tuple[Meld, ...]
    played: tuple[tuple[int, Card, Play], ...]
    discard: Card | None

    @property
    def rank(self) -> tuple[int, int]:
        """The least is the best: fewest points, then out before float before hold."""
        return (self.points, ENDS.index(self.end))


class Lying(NamedTuple):
    """A meld on the table: may the player lay off there (G7.1), does it forbid their discards (G6.4)?"""

    number: int
    meld: Meld
    open: bool
    forbids: bool


def any_wild(card: Card, rules: Rules) -> Card:
    """One wild for all of its rank: they are alike where none is ever natural."""
    return card if rules.natural_twos or card.rank not in rules.wild_ranks else Card(card.rank, None)


def canonical(meld: Meld, rules: Rules) -> Meld:
    """The meld with nothing that cannot matter: which wilds they are, in what order a set lies."""
    cards = tuple(any_wild(card, rules) for card in meld.cards)
    if meld.rank is not None:
        cards = tuple(sorted(cards, key=str))
    return Meld(meld.kind, cards, meld.rank, meld.suit, meld.low)
