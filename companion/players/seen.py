"""What a player sees, and what one is: other hands are in none of these types, so that nobody can look at them."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Protocol

from companion.referee.cards import Card
from companion.referee.commands import GoDown, LayOff, ReplaceWild
from companion.referee.contracts import least_buys
from companion.referee.rules import Contract, Rules
from companion.referee.state import TableMeld

#: What a player may want to do with cards of the own hand before throwing one.
Move = GoDown | LayOff | ReplaceWild


@dataclass(frozen=True, slots=True)
class Seen:
    """The table as one player sees it: the own hand, what lies open, and how many cards the others hold."""

    seat: int
    number: int  # of the hand of the night
    round: int  # how often play went round; 1 is the first turn of everybody
    hand: tuple[Card, ...]
    contract: Contract | None
    rules: Rules
    melds: tuple[TableMeld, ...]
    is_down: bool
    may_lay_off: bool
    buys_left: int | None
    discards: tuple[Card, ...]  # the top one last
    counts: Mapping[int, int]
    stock: int

    @property
    def top(self) -> Card | None:
        """The discard that may be taken, or None."""
        return self.discards[-1] if self.discards else None

    @property
    def lacks_cards(self) -> bool:
        """Whether the contract needs more cards than the hand will have after drawing (G4.6)."""
        return self.contract is not None and len(self.hand) + 1 < self.contract.cards_needed

    @property
    def must_buy(self) -> bool:
        """Whether nobody goes down in this hand without a buy, and this player still needs one."""
        return self.lacks_cards and self.contract is not None and least_buys(self.contract, self.rules) > 0


class Player(Protocol):
    """Who plays: three questions of a turn, and whether to buy in that of another. Each is answered by what is seen."""

    def takes(self, seen: Seen, rng: Random) -> bool:
        """Whether to draw the top discard, not the stock."""

    def buys(self, seen: Seen, rng: Random) -> bool:
        """Whether to buy the top discard."""

    def moves(self, seen: Seen, rng: Random, refused: frozenset[Move]) -> Move | None:
        """What to do next with the cards in hand, none of ``refused``; None: nothing more."""

    def throws(self, seen: Seen, rng: Random, legal: tuple[Card, ...]) -> Card:
        """Which of the cards that may be thrown."""
