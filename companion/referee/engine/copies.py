"""More copies of a card on the table than the decks hold: somebody typed a wrong card (G1.1)."""

from __future__ import annotations

from collections.abc import Iterable

from companion.referee.cards import Card
from companion.referee.engine.checks import Problems
from companion.referee.state import GameState
from companion.referee.table import copies_problems

__all__ = ["table_copies"]


def table_copies(state: GameState, new: Iterable[Card], lifted: Iterable[Card] = ()) -> Problems:
    """Problems of ``new`` cards beside those on the table, of which ``lifted`` are taken away first (G1.1)."""
    assert state.hand is not None
    assert state.rules is not None
    added = tuple(new)
    lying = [card for meld in state.hand.melds for card in meld.meld.cards]
    for card in lifted:
        lying.remove(card)
    found = copies_problems((*lying, *added), state.rules)
    return tuple(fault for fault in found if fault.facts.get("card") in added)
