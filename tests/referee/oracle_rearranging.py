"""The slow referee for rearranging the table (P6): every table that legal steps can reach, one card at a time.

Written from the rule text alone. A step takes one card that the player has to lay, from hand or freed this turn:

* it is laid on a meld, at an end of a run (which has room) or in a set;
* or it takes the place of a wild that stands for it, which is free now;
* or it is laid at one end of a run, and the wild at the other end is free now;
* or it is exchanged in a set for another natural of the rank.

After each step every meld is one that the rules allow (P2, P3, P5: see ``oracle_peru``). At the end what the player has
still to lay are the cards of the new melds, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from tests.referee.oracle_peru import RING, is_run_at, is_set_of, places, rank_of


class Lying(NamedTuple):
    """A meld: a set of ``rank``, its cards sorted; or a run of ``suit`` from the place ``start`` of the ring."""

    cards: tuple[str, ...]
    rank: str = ""
    suit: str = ""
    start: int = 0


Table = tuple[Lying, ...]
Hand = tuple[str, ...]
#: A table, and what the player has still to lay.
State = tuple[Table, Hand]


def a_set(rank: str, cards: list[str]) -> Lying:
    return Lying(tuple(sorted(cards)), rank=rank)


def a_run(suit: str, start: int, cards: list[str]) -> Lying:
    return Lying(tuple(cards), suit=suit, start=start % len(RING))


def is_legal(meld: Lying) -> bool:
    if meld.rank:
        return is_set_of(meld.rank, list(meld.cards))
    return is_run_at(meld.suit, meld.start, list(meld.cards))


def on_set(card: str, meld: Lying) -> Iterator[tuple[Lying, list[str]]]:
    cards = list(meld.cards)
    yield a_set(meld.rank, [*cards, card]), []
    if rank_of(card) == meld.rank:
        for other in set(cards) - {card}:  # a wild that stands for it, or another natural of the rank
            left = list((Counter(cards) - Counter([other])).elements())
            yield a_set(meld.rank, [*left, card]), [other]


def on_run(card: str, meld: Lying) -> Iterator[tuple[Lying, list[str]]]:
    cards, start = list(meld.cards), meld.start
    spots = places(meld.suit, start, len(cards))
    if len(cards) < len(RING):
        yield a_run(meld.suit, start - 1, [card, *cards]), []
        yield a_run(meld.suit, start, [*cards, card]), []
        if cards[-1] != spots[-1]:
            yield a_run(meld.suit, start - 1, [card, *cards[:-1]]), [cards[-1]]
        if cards[0] != spots[0]:
            yield a_run(meld.suit, start + 1, [*cards[1:], card]), [cards[0]]
    for at, spot in enumerate(spots):
        if card == spot != cards[at]:
            yield a_run(meld.suit, start, [*cards[:at], card, *cards[at + 1 :]]), [cards[at]]


def steps(state: State) -> Iterator[State]:
    table, hand = state
    for card in set(hand):
        left = Counter(hand) - Counter([card])
        for at, meld in enumerate(table):
            for after, freed in on_set(card, meld) if meld.rank else on_run(card, meld):
                if is_legal(after):
                    now = tuple(sorted((left + Counter(freed)).elements()))
                    yield (*table[:at], after, *table[at + 1 :]), now


def reachable(table: Table, hand: Hand, most: int = 10**9) -> set[State] | None:
    """Every table that steps lead to, with what is still to be laid then; None where there are more than ``most``."""
    start = (table, tuple(sorted(hand)))
    found, waiting = {start}, [start]
    while waiting:
        for state in steps(waiting.pop()):
            if state not in found:
                found.add(state)
                waiting.append(state)
        if len(found) > most:
            return None
    return found
