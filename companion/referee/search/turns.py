"""The end of a turn, and the table as one player meets it (G6.4, G7)."""

from typing import Literal, NamedTuple

from companion.referee.cards import Card
from companion.referee.melds import Meld
from companion.referee.rules import Rules

End = Literal["out", "float", "hold"]
ENDS: tuple[End, ...] = ("out", "float", "hold")  # the better first

#: How good an end of a turn is, the least is the best: points left in hand, then the place of its end in ``ENDS``.
Score = tuple[int, int]
WORST: Score = (10**9, 0)


class BestTurn(NamedTuple):
    """``points`` left in hand at the end of the turn, and how it ends.

    ``at_least`` is None: no turn is better. Otherwise the search was too long: the turn is possible, and none leaves
    fewer points than ``at_least``.
    """

    points: int
    end: End
    at_least: int | None = None


class OutOfSteps(Exception):
    """The search has taken as many steps as it may."""


class Steps:
    """Counts the steps of a search, each about a microsecond. Not by a clock, so that an answer is the same everywhere."""

    def __init__(self, limit: int) -> None:
        self.left = limit

    def take(self, number: int) -> None:
        """So many steps more; raises OutOfSteps where there are none left."""
        self.left -= number
        if self.left < 0:
            raise OutOfSteps


class MeldInPlay(NamedTuple):
    """A meld on the table: may the player lay off there (G7.1), does it forbid their discards (G6.4)?"""

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
