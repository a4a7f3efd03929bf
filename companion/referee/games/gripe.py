"""Gripe as Kate tells it, and as the how-to text does (G4.1, the sheets of Gripe)."""

import string

from companion.referee.cards import Rank
from companion.referee.games.game import Game
from companion.referee.rules import Contract, Kind, Rules, Slot


def contract(text: str) -> Contract:
    """Read ``"2xset3 run5"``: slots in order, ``2x`` repeating one; ``"all"`` asks for every card.

    >>> contract("2xset3 run5").cards_needed
    11
    """
    slots: list[Slot] = []
    for part in text.replace("all", "all3").split():
        times, _, slot = part.rpartition("x")
        slots += [Slot(Kind(slot.rstrip("0123456789")), int(slot.lstrip(string.ascii_lowercase)))] * int(times or 1)
    return Contract(tuple(slots))


#: G2.3: a 9 is worth ten as well.
POINTS = tuple(
    (rank, 20 if rank is Rank.TWO else 15 if rank is Rank.ACE else 5 if rank < Rank.NINE else 10)
    for rank in Rank
    if rank is not Rank.JOKER
)

KATE = Rules(
    sheet="kate",
    contracts=tuple(
        contract(text)
        for text in (
            "2xset3", "set3 run4", "2xset4", "3xset3", "set3 run7",
            "2xset3 run5", "3xrun4", "set3 run10", "3xset3 run5", "3xrun5",
        )
    ),
    buys=(3,) * 9 + (4,),
    points=POINTS,
)  # fmt: skip

EHOW = KATE.replace(sheet="ehow", must_discard_to_go_out=False, discard_ban=False, wild_swap="off")

GAME = Game("gripe", (KATE, EHOW), boardgame="Gripe")
