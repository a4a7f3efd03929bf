"""Wilds that were freed and have to lie in a meld again in the same turn (P6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.referee.cards import Card
from companion.referee.engine.checks import Problems, problem
from companion.referee.reasons import Firmness, Reason
from companion.referee.state import Addition, Hand

__all__ = ["freed", "not_freed", "used", "waiting_problems"]


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


def not_freed(hand: Hand, dropped: Iterable[Addition], lies: Iterable[Card] = ()) -> Hand:
    """The hand after replacements on a meld were taken back: the wild that each freed is free no longer.

    It ``lies`` in the meld again, or left the table with it.
    """
    left, back = list(hand.freed), list(lies)
    for added in dropped:
        own = [one for one in left if one[0] == added.seat and added.wild_to == "table"]
        if own:
            left.remove(next((one for one in own if one[1] in back), own[0]))
    return hand if len(left) == len(hand.freed) else replace(hand, freed=tuple(left))


def waiting_problems(hand: Hand) -> Problems:
    """Asks where freed wilds went that nobody laid again: at the end of a hand they must lie somewhere (P6)."""
    if not hand.freed:
        return ()
    cards = tuple(card for _, card in hand.freed)
    return (problem(Reason.WILD_WAITING, "P6", firmness=Firmness.TEXT, cards=cards),)


def _may_be(one: Card, other: Card) -> bool:
    """The same card; a 2 whose suit nobody typed may be any 2."""
    return one == other or (one.rank is other.rank and None in (one.suit, other.suit))
