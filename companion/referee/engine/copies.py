"""More copies of a card than the decks hold: somebody typed a wrong card (G1.1)."""

from collections.abc import Iterable

from companion.referee.cards import Card
from companion.referee.engine.checks import Problems
from companion.referee.engine.freeing import used
from companion.referee.state import Playing
from companion.referee.table import copies_problems


def table_copies(
    playing: Playing, new: Iterable[Card], lifted: Iterable[Card] = (), *, seat: int | None = None
) -> Problems:
    """Problems of ``new`` cards beside those on the table, of which ``lifted`` are taken away first (G1.1).

    Freed wilds that wait to be laid exist too, but for those among ``new`` that ``seat`` lays again (P6).
    """
    added = tuple(new)
    hand = playing.hand if seat is None else used(playing.hand, seat, added)
    waiting = [wild for _, wild in hand.freed]
    lying = [card for meld in playing.hand.melds for card in meld.meld.cards]
    for card in lifted:
        lying.remove(card)
    problems = copies_problems((*lying, *waiting, *added), playing.rules)
    return tuple(problem for problem in problems if problem.facts.get("card") in added)
