"""Melds: sets and runs with a position for every card (G3)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.referee.cards import Card, Rank, Suit
from companion.referee.rules import Kind


@dataclass(frozen=True, slots=True)
class Meld:
    """Cards that lie together. A run's cards are low end first, position i standing for rank ``low + i``.

    ``rank`` is set for sets, ``suit`` and ``low`` for runs; the others are None.
    """

    kind: Kind
    cards: tuple[Card, ...]
    rank: Rank | None = None
    suit: Suit | None = None
    low: Rank | None = None
