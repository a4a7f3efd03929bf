"""The frozen state of a game: what ``evolve`` makes of the record so far."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.referee.cards import Card
from companion.referee.melds import Meld
from companion.referee.rules import Contract, Rules


class Phase(enum.Enum):
    """Where the night stands."""

    NOT_STARTED = "not_started"
    PLAYING = "playing"
    FINISHED = "finished"  # the last hand is scored
    CLOSED = "closed"  # ended early by the table


@dataclass(frozen=True, slots=True)
class Addition:
    """A card somebody laid off on a meld, or with which they replaced a wild of it."""

    seat: int
    card: Card
    action: str  # "add" | "low" | "high" | "replace"
    wild_to: str | None = None  # for "replace": "low" | "high" | "hand"


@dataclass(frozen=True, slots=True)
class TableMeld:
    """A meld on the table: as its owner laid it (``base``), what was laid off, and how it lies now (``meld``)."""

    number: int
    owner: int
    base: Meld
    meld: Meld
    additions: tuple[Addition, ...] = ()


@dataclass(frozen=True, slots=True)
class Hand:
    """The hand in play. ``buys`` are buys used by seat (absent: 0)."""

    number: int
    dealer: int
    buys: Mapping[int, int] = field(default_factory=dict)
    down: frozenset[int] = frozenset()
    floating: frozenset[int] = frozenset()
    sitting_out: frozenset[int] = frozenset()
    melds: tuple[TableMeld, ...] = ()
    next_meld: int = 0

    def without_cards(self) -> frozenset[int]:
        """Seats that are down though nobody entered their melds."""
        return self.down - {meld.owner for meld in self.melds}


@dataclass(frozen=True, slots=True)
class HandScore:
    """A finished hand: who went out (None: nobody), points by seat of everybody dealt in, buys used by seat."""

    number: int
    dealer: int
    out: int | None
    points: Mapping[int, int]
    buys: Mapping[int, int] = field(default_factory=dict)
    down: frozenset[int] = frozenset()
    floating: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class GameState:
    """Everything about a game. ``order`` is the chairs clockwise, of those who are here; ``away`` left the table."""

    rules: Rules | None = None
    phase: Phase = Phase.NOT_STARTED
    seats: tuple[int, ...] = ()  # everybody who ever sat here, in the order they joined
    order: tuple[int, ...] = ()
    away: frozenset[int] = frozenset()
    carried: Mapping[int, int] = field(default_factory=dict)  # points a seat started with
    first_hand: int = 1
    hand: Hand | None = None  # None once the last hand is scored
    scores: tuple[HandScore, ...] = ()
    overruled: tuple[str, ...] = ()  # switches the table changed during play

    @property
    def contract(self) -> Contract | None:
        """The contract of the hand in play, or None when there is none."""
        return self.rules.contracts[self.hand.number - 1] if self.rules and self.hand else None
