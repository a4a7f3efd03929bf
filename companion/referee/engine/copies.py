"""More copies of a card than the decks hold: somebody typed a wrong card (G1.1)."""

from __future__ import annotations

from collections.abc import Iterable

from companion.referee.cards import Card
from companion.referee.engine.checks import Problems
from companion.referee.engine.freeing import used
from companion.referee.state import GameState
from companion.referee.table import copies_problems

__all__ = ["table_copies"]


def table_copies(
    state: GameState, new: Iterable[Card], lifted: Iterable[Card] = (), *, seat: int | None = None
) -> Problems:
    """Problems of ``new`` cards beside those on the table, of which ``lifted`` are taken away first (G1.1).

    Freed wilds that wait to be laid exist too, but for those among ``new`` that ``seat`` lays again (P6).
    """
    assert state.hand is not None
    assert state.rules is not None
    added = tuple(new)
    lying = [card for meld in state.hand.melds for card in meld.meld.cards]
    hand = state.hand if seat is None else used(state.hand, seat, added)
    waiting = [card for _, card in hand.freed]
    for card in lifted:
        lying.remove(card)
    found = copies_problems((*lying, *waiting, *added), state.rules)
    return tuple(fault for fault in found if fault.facts.get("card") in added)
