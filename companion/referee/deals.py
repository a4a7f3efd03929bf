"""What one deal of a list plays otherwise, and the decks by the number of players (G1.2, G1.3)."""

from dataclasses import dataclass
from typing import Annotated, Literal

from companion.referee.cards import Rank
from companion.referee.typed import between


@dataclass(frozen=True, slots=True)
class Deal:
    """What one deal of the list plays otherwise than the rules say in general; None: as they say."""

    hand_size: Annotated[int, between(1, 30)] | None = None  # G1.3
    wild_ranks: tuple[Rank, ...] | None = None  # G2.2
    last_card: Literal["must", "may", "must_not"] | None = None  # G7.4
    all_at_once: bool = False  # going down takes every card in hand and ends the deal
    ends_at_first_lay_down: bool = False


@dataclass(frozen=True, slots=True)
class Pack:
    """The decks, and the jokers in all, for that many players at the most (G1.2)."""

    most_players: Annotated[int, between(1, 99)]
    decks: Annotated[int, between(1, 9)]
    jokers: Annotated[int, between(0, 81)]
