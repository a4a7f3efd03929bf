"""The slow referee for the nine-deal rummy from Peru: ``meld``, ``laydown`` and ``godown`` by rules P1–P5.

Conventions, by the rulebook alone (no checked case is from Peru):

* Jokers are written ``JK``. A 2 lying where a 2 of its suit belongs in a run, or in a set of 2s, is that natural card;
  anywhere else it is wild (P2). So a 2 of another suit may stand, wild, in the place of the 2 of the run's suit.
* A run goes round the corner: thirteen ranks in a ring, any of them the low end, each rank once (P3).
* In readings a wild 2 is written ``2*``, a natural 2 by its name, a joker ``JK``; two readings that differ only in
  where the joker lies and where the wild 2 are two readings, for what each stands for differs.
* Naturals outnumber wilds in every meld; in a run no two wilds are neighbours (P5).
* Groups beyond the contract are fine if each is a set or a run of three or more (P4).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

RING = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SUITS = "SHDC"
CONTRACTS = {  # P4
    1: [("set", 3)],
    2: [("set", 3)] * 2,
    3: [("set", 3)] * 3,
    4: [("set", 4)],
    5: [("set", 4)] * 2,
    6: [("set", 5)],
    7: [("set", 5)] * 2,
    8: [("set", 6)],
    9: [("run", 7)],
}


def may_be_wild(card: str) -> bool:  # P2
    return card == "JK" or rank_of(card) == "2"


def rank_of(card: str) -> str:
    """The rank; a joker has none, and no jack is hidden in its name."""
    return "" if card == "JK" else card[:-1]


def keeps_limits(kind: str, wilds: list[bool]) -> bool:
    """P5, from which of the cards are wild."""
    if 2 * sum(wilds) >= len(wilds):
        return False
    return kind == "set" or not any(a and b for a, b in itertools.pairwise(wilds))


def set_ranks(cards: list[str]) -> list[str]:
    """Every rank these cards are a set of."""
    return [rank for rank in RING if is_set_of(rank, cards)]


def is_set_of(rank: str, cards: list[str]) -> bool:
    natural = [rank_of(card) == rank for card in cards]
    if len(cards) < 3 or not all(fits or may_be_wild(card) for fits, card in zip(natural, cards, strict=True)):
        return False
    return keeps_limits("set", [not fits for fits in natural])


def places(suit: str, start: int, count: int) -> list[str]:
    return [RING[(start + i) % len(RING)] + suit for i in range(count)]


def is_run_at(suit: str, start: int, cards: list[str]) -> bool:
    """Are these cards, low end first, a run of that suit from that place of the ring?"""
    if not 3 <= len(cards) <= len(RING):
        return False
    natural = [card == spot for card, spot in zip(cards, places(suit, start, len(cards)), strict=True)]
    if not all(fits or may_be_wild(card) for fits, card in zip(natural, cards, strict=True)):
        return False
    return keeps_limits("run", [not fits for fits in natural])


def ordered_runs(cards: list[str]) -> list[tuple[str, str]]:
    """Every (suit, low rank) with which these cards, in this order, are a run."""
    return [(suit, RING[start]) for suit in SUITS for start in range(len(RING)) if is_run_at(suit, start, cards)]


def run_layings(cards: list[str], suit: str, start: int) -> Iterator[list[str]]:
    """Every different order in which these cards are a run of that suit from that place."""

    def lay(laid: list[str], left: Counter[str]) -> Iterator[list[str]]:
        if len(laid) == len(cards):
            if is_run_at(suit, start, laid):
                yield laid
            return
        spot = places(suit, start, len(cards))[len(laid)]
        for card in sorted(left):
            if card == spot or may_be_wild(card):
                yield from lay([*laid, card], left - Counter([card]))

    if len(cards) <= len(RING):
        yield from lay([], Counter(cards))


def written(cards: list[str], suit: str, start: int) -> list[str]:
    spots = places(suit, start, len(cards))
    return [
        card if card in (spot, "JK") or not may_be_wild(card) else "2*" for card, spot in zip(cards, spots, strict=True)
    ]


def run_readings(cards: list[str]) -> list[dict[str, Any]]:
    found = {
        (suit, RING[start], tuple(written(laid, suit, start)))
        for suit in SUITS
        for start in range(len(RING))
        for laid in run_layings(cards, suit, start)
    }
    return [{"kind": "run", "suit": suit, "low": low, "cards": list(laid)} for suit, low, laid in sorted(found)]


def answer_meld(request: dict[str, Any]) -> dict[str, Any]:
    sets, runs = set_ranks(request["cards"]), run_readings(request["cards"])
    return {
        "readings": [{"kind": "set", "rank": rank} for rank in sets] + runs,
        "ordered_run": [{"suit": suit, "low": low} for suit, low in ordered_runs(request["ordered"])],
        "set3": bool(sets),
        "run4": bool(runs) and len(request["cards"]) >= 4,
    }


def fills(kind: str, size: int, group: list[str]) -> bool:
    found = set_ranks(group) if kind == "set" else run_readings(group)
    return len(group) >= size and bool(found)


def answer_laydown(request: dict[str, Any]) -> dict[str, Any]:
    """Some groups fill the slots; each of the others is a set or a run of three or more (P4)."""
    slots, groups = CONTRACTS[request["contract"]], request["groups"]
    return {"ok": any(laying_is_right(slots, list(order)) for order in itertools.permutations(groups))}


def laying_is_right(slots: list[tuple[str, int]], groups: list[list[str]]) -> bool:
    if len(groups) < len(slots):
        return False
    filled = all(fills(*slot, group) for slot, group in zip(slots, groups, strict=False))
    return filled and all(fills("set", 3, group) or fills("run", 3, group) for group in groups[len(slots) :])


def answer_godown(request: dict[str, Any]) -> dict[str, Any]:
    slots = CONTRACTS[request["contract"]]
    return {"can": can_go_down(tuple(sorted(request["hand"])), tuple(slots))}


@lru_cache(maxsize=200_000)
def can_go_down(hand: tuple[str, ...], slots: tuple[tuple[str, int], ...]) -> bool:
    if not slots:
        return True
    left = Counter(hand)
    return any(
        can_go_down(tuple(sorted((left - Counter(meld)).elements())), slots[1:]) for meld in melds_from(hand, *slots[0])
    )


def melds_from(hand: tuple[str, ...], kind: str, size: int) -> set[tuple[str, ...]]:
    """The cards of every meld of that kind and at least that size which the hand holds."""
    make = sets_from if kind == "set" else runs_from
    return {tuple(sorted(meld)) for meld in make(list(hand), size)}


def sets_from(hand: list[str], size: int) -> Iterator[tuple[str, ...]]:
    for rank in RING:
        usable = [card for card in hand if rank_of(card) == rank or may_be_wild(card)]
        for number in range(size, len(usable) + 1):
            yield from (meld for meld in itertools.combinations(usable, number) if is_set_of(rank, list(meld)))


def runs_from(hand: list[str], size: int) -> Iterator[list[str]]:
    def grow(suit: str, start: int, laid: list[str], left: Counter[str]) -> Iterator[list[str]]:
        if len(laid) >= size and is_run_at(suit, start, laid):
            yield laid
        if len(laid) == len(RING):
            return
        spot = places(suit, start, len(laid) + 1)[-1]
        for card in sorted(left):
            if card == spot or may_be_wild(card):
                yield from grow(suit, start, [*laid, card], left - Counter([card]))

    for suit in SUITS:
        for start in range(len(RING)):
            yield from grow(suit, start, [], Counter(hand))


ANSWERS = {"meld": answer_meld, "laydown": answer_laydown, "godown": answer_godown}


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The ``out`` of a well-formed request with ``"sheet": "peru"``."""
    return ANSWERS[request["type"]](request["in"])
