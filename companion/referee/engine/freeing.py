"""Wilds that were freed and have to lie in a meld again in the same turn (P6)."""

from collections.abc import Iterable
from dataclasses import replace

from companion.referee.cards import Card
from companion.referee.engine.checks import Problems
from companion.referee.reasons import Firmness, Reason, refuse
from companion.referee.state import Addition, Hand


def freed(hand: Hand, seat: int, card: Card) -> Hand:
    """The hand with one more wild that the player has to lay again."""
    return replace(hand, freed=(*hand.freed, (seat, card)))


def used(hand: Hand, seat: int, cards: Iterable[Card]) -> Hand:
    """The hand after the player laid these cards: a freed wild among them is freed no longer."""
    left = list(hand.freed)
    for card in cards:
        alike = [(owner, wild) for owner, wild in left if owner == seat and _may_be(wild, card)]
        if alike:
            left.remove(alike[0])
    return hand if len(left) == len(hand.freed) else replace(hand, freed=tuple(left))


def not_freed(hand: Hand, dropped: Iterable[Addition], lies: Iterable[Card] = ()) -> Hand:
    """The hand after replacements on a meld were taken back: the wild that each freed is free no longer.

    It ``lies`` in the meld again, or left the table with it.
    """
    left, back = list(hand.freed), list(lies)
    for added in dropped:
        own = [(owner, wild) for owner, wild in left if owner == added.seat and added.wild_to == "table"]
        if own:
            left.remove(next(((owner, wild) for owner, wild in own if wild in back), own[0]))
    return hand if len(left) == len(hand.freed) else replace(hand, freed=tuple(left))


def waiting_problems(hand: Hand) -> Problems:
    """Asks where freed wilds went that nobody laid again: at the end of a hand they must lie somewhere (P6)."""
    cards = tuple(wild for _, wild in hand.freed)
    return refuse(Reason.WILD_WAITING, "P6", Firmness.TEXT, cards=cards) if cards else ()


def _may_be(wild: Card, card: Card) -> bool:
    """The same card; a 2 whose suit nobody typed may be any 2."""
    return wild == card or (wild.rank is card.rank and None in (wild.suit, card.suit))
