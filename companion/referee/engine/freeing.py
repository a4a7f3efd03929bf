"""Wilds that were freed and have to lie in a meld again in the same turn (P6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.referee.cards import Card
from companion.referee.state import Hand

__all__ = ["freed", "used"]


def freed(hand: Hand, seat: int, card: Card) -> Hand:
    """The hand with one more wild that the player has to lay again."""
    return replace(hand, freed=(*hand.freed, (seat, card)))


def used(hand: Hand, seat: int, cards: Iterable[Card]) -> Hand:
    """The hand after the player laid these cards: a freed wild among them is freed no longer."""
    left = list(hand.freed)
    for card in cards:
        alike = (one for one in left if one[0] == seat and _may_be(one[1], card))
        if (found := next(alike, None)) is not None:
            left.remove(found)
    return hand if len(left) == len(hand.freed) else replace(hand, freed=tuple(left))


def _may_be(one: Card, other: Card) -> bool:
    """The same card; a 2 whose suit nobody typed may be any 2."""
    return one == other or (one.rank is other.rank and None in (one.suit, other.suit))
