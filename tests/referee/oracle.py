"""A slow referee that is easy to believe: the line protocol answered straight from the rulebook.

It shares no code with the product. It knows five questions (``meld``, ``table``, ``laydown``, ``godown``, ``best``)
and the seven rules keys of the protocol, tries everything, and remembers only what it has already worked out.

What the checked cases taught, beyond the rulebook's words:

* ``rules`` may be left out or partial; the defaults are Kate's sheet. The wild limits hold at all times, so a play
  whose resulting meld would break one is no play (G6.2), and neither is a replacement (G8.1).
* A reading needs three cards and a natural. Set or run, three is enough for ``readings`` and ``ordered_run``; only
  ``run4`` asks for four.
* Nobody counts copies: with 7S 7S 7H on the table a third 7S is still listed as dead and as playing.
* In ``plays`` every meld counts, the player's own too; ``own_melds_count`` only takes the player's own melds out of
  ``illegal_discards`` and out of what forbids the discard in ``best``.
* ``plays`` names a wild that is played ``2S`` and lists it once; ``illegal_discards`` lists all four 2s. A wild that
  is moved keeps its own name.
* A card may play on a run in several ways at once: a wild on both ends, a replaced wild going to either end. With
  ``freed_wild: hand`` there is one result, needs no free end, and ``freed`` names the wild. A natural never plays by
  replacing and by extending at once, for its place in the run is either inside it or beside it.
* ``low`` stands in the results of runs only; results of sets have ``cards`` and ``freed``.
* In ``laydown`` every slot of the contract takes exactly one group and no group is left over (G4.2, G4.4); a group may
  be longer than its slot (G4.3) and any run it can be will do.
* In ``best`` the player is not down yet and goes down this very turn, then lays off and replaces in any order, on own
  and others' melds, and discards one card that does not play on a meld that counts. A hand that could still play every
  card it holds must play on: there is no legal discard. So G6.6 never arises here.

No case was found to disagree with the rulebook.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

SUITS = "SHDC"
RUN_ORDER = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]  # G2.1
ALL_CARDS = [rank + suit for rank in ["2", *RUN_ORDER] for suit in SUITS]
DEFAULT_RULES: dict[str, Any] = {
    "decks": 2,
    "max_wilds": None,
    "nat_outnumber": False,
    "no_adjacent_wilds": False,
    "swap": True,
    "freed_wild": "end",
    "own_melds_count": True,
}
CONTRACTS = {  # G4.1
    1: [("set", 3), ("set", 3)],
    2: [("set", 3), ("run", 4)],
    3: [("set", 4), ("set", 4)],
    4: [("set", 3), ("set", 3), ("set", 3)],
    5: [("set", 3), ("run", 7)],
    6: [("set", 3), ("set", 3), ("run", 5)],
    7: [("run", 4), ("run", 4), ("run", 4)],
    8: [("set", 3), ("run", 10)],
    9: [("set", 3), ("set", 3), ("set", 3), ("run", 5)],
    10: [("run", 5), ("run", 5), ("run", 5)],
}


# --- cards -----------------------------------------------------------------------------------------------------------
def rank_of(card: str) -> str:
    return card[:-1]


def suit_of(card: str) -> str:
    return card[-1]


def is_wild(card: str) -> bool:  # G2.2
    return rank_of(card) == "2"


def points_of(card: str) -> int:  # G2.3
    rank = rank_of(card)
    if rank == "2":
        return 20
    if rank == "A":
        return 15
    return 5 if rank in RUN_ORDER[:6] else 10


# --- what a meld is --------------------------------------------------------------------------------------------------
def keeps_limits(kind: str, cards: list[str], rules: dict[str, Any]) -> bool:
    """G3.3, G3.4, and for a run G3.5; a run's cards are low end first."""
    wilds = [is_wild(card) for card in cards]
    number = sum(wilds)
    if number == len(cards):
        return False
    if rules["max_wilds"] is not None and number > rules["max_wilds"]:
        return False
    if rules["nat_outnumber"] and number >= len(cards) - number:
        return False
    return not (kind == "run" and rules["no_adjacent_wilds"] and any(a and b for a, b in itertools.pairwise(wilds)))


def set_ranks(cards: list[str], rules: dict[str, Any]) -> list[str]:
    """Every rank these cards are a set of (G3.1): none or one."""
    ranks = {rank_of(card) for card in cards if not is_wild(card)}
    fits = len(cards) >= 3 and len(ranks) == 1 and keeps_limits("set", cards, rules)
    return sorted(ranks) if fits else []


def ordered_runs(cards: list[str], rules: dict[str, Any]) -> list[tuple[str, str]]:
    """Every (suit, low rank) with which these cards, in this order, are a run (G3.2)."""
    if len(cards) < 3 or not keeps_limits("run", cards, rules):
        return []
    found = []
    for suit in SUITS:
        for start in range(len(RUN_ORDER) - len(cards) + 1):
            places = [rank + suit for rank in RUN_ORDER[start : start + len(cards)]]
            if all(is_wild(card) or card == place for card, place in zip(cards, places, strict=True)):
                found.append((suit, RUN_ORDER[start]))
    return found


def run_readings(cards: list[str], rules: dict[str, Any]) -> list[tuple[str, str, list[str]]]:
    """Every (suit, low rank, cards in order) that these cards can be as a run; wilds are written ``2*``.

    Each natural has one place only, so: lay the naturals on their places and fill the holes with the wilds.
    """
    naturals = sorted(card for card in cards if not is_wild(card))
    found = []
    for suit in SUITS:
        for start in range(len(RUN_ORDER) - len(cards) + 1):
            places = [rank + suit for rank in RUN_ORDER[start : start + len(cards)]]
            laid = [place if place in naturals else "2*" for place in places]
            if sorted(card for card in laid if card != "2*") == naturals and ordered_runs(laid, rules):
                found.append((suit, RUN_ORDER[start], laid))
    return found


def answer_meld(request: dict[str, Any], rules: dict[str, Any]) -> dict[str, Any]:
    cards = request["cards"]
    sets = set_ranks(cards, rules)
    runs = run_readings(cards, rules)
    return {
        "readings": [{"kind": "set", "rank": rank} for rank in sets]
        + [{"kind": "run", "suit": suit, "low": low, "cards": laid} for suit, low, laid in runs],
        "ordered_run": [{"suit": suit, "low": low} for suit, low in ordered_runs(request["ordered"], rules)],
        "set3": bool(sets),
        "run4": bool(runs) and len(cards) >= 4,
    }


# --- where a card plays ----------------------------------------------------------------------------------------------
def results_of(card: str, meld: dict[str, Any], rules: dict[str, Any]) -> list[dict[str, Any]]:
    """Every meld that results when the card is put on this meld (G6.2, G8)."""
    return results_on_set(card, meld, rules) if meld["kind"] == "set" else results_on_run(card, meld, rules)


def results_on_set(card: str, meld: dict[str, Any], rules: dict[str, Any]) -> list[dict[str, Any]]:
    rank = next(rank_of(held) for held in meld["cards"] if not is_wild(held))
    grown = [*meld["cards"], card]
    if (is_wild(card) or rank_of(card) == rank) and keeps_limits("set", grown, rules):
        return [{"cards": grown, "freed": None}]
    return []


def results_on_run(card: str, meld: dict[str, Any], rules: dict[str, Any]) -> list[dict[str, Any]]:
    cards, suit = meld["cards"], meld["suit"]
    start = RUN_ORDER.index(meld["low"])
    tried = []  # (cards, place of the lowest, freed wild)
    if is_wild(card) or card == place(start - 1, suit):
        tried.append(([card, *cards], start - 1, None))
    if is_wild(card) or card == place(start + len(cards), suit):
        tried.append(([*cards, card], start, None))
    for i, wild in enumerate(cards):
        if rules["swap"] and is_wild(wild) and card == place(start + i, suit):
            replaced = [*cards[:i], card, *cards[i + 1 :]]
            if rules["freed_wild"] == "hand":  # G8.5
                tried.append((replaced, start, wild))
            else:  # G8.1
                tried.append(([wild, *replaced], start - 1, None))
                tried.append(([*replaced, wild], start, None))
    return [
        {"cards": laid, "freed": freed, "low": RUN_ORDER[low]}
        for laid, low, freed in tried
        if low >= 0 and low + len(laid) <= len(RUN_ORDER) and keeps_limits("run", laid, rules)
    ]


def place(index: int, suit: str) -> str | None:
    """The card of a suit at that place of the run order, None below the 3 and above the ace."""
    return RUN_ORDER[index] + suit if 0 <= index < len(RUN_ORDER) else None


def answer_table(request: dict[str, Any], rules: dict[str, Any]) -> dict[str, Any]:
    illegal = []
    plays: dict[str, dict[str, Any]] = {}
    for card in ALL_CARDS:
        where = {str(i): results_of(card, meld, rules) for i, meld in enumerate(request["table"])}
        where = {number: results for number, results in where.items() if results}
        if any(counts(request["table"][int(number)], request["player"], rules) for number in where):
            illegal.append(card)
        if where and (not is_wild(card) or card == "2S"):
            plays[card] = where
    return {"illegal_discards": illegal, "plays": plays}


def counts(meld: dict[str, Any], player: str, rules: dict[str, Any]) -> bool:
    """Does this meld forbid the player's discards (G6.4)?"""
    return rules["own_melds_count"] or meld["owner"] != player


# --- going down ------------------------------------------------------------------------------------------------------
def answer_laydown(request: dict[str, Any], rules: dict[str, Any]) -> dict[str, Any]:
    """Some way to give every slot one group, no group left over (G4.2, G4.4)."""
    slots, groups = CONTRACTS[request["contract"]], request["groups"]
    if len(groups) != len(slots):
        return {"ok": False}
    return {
        "ok": any(
            all(fills(kind, size, group, rules) for (kind, size), group in zip(slots, order, strict=True))
            for order in itertools.permutations(groups)
        )
    }


def fills(kind: str, size: int, group: list[str], rules: dict[str, Any]) -> bool:
    found = set_ranks(group, rules) if kind == "set" else run_readings(group, rules)
    return len(group) >= size and bool(found)


# From here on the suit of a 2 does not matter: a hand is a sorted tuple of naturals and a number of wilds.
def split(hand: list[str]) -> tuple[tuple[str, ...], int]:
    return tuple(sorted(card for card in hand if not is_wild(card))), sum(map(is_wild, hand))


def without(naturals: tuple[str, ...], used: list[str]) -> tuple[str, ...]:
    return tuple(sorted((Counter(naturals) - Counter(used)).elements()))


def freeze(rules: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(rules.items()))


Laid = tuple[str, str, str, tuple[str, ...]]  # kind, suit or "", rank or low, cards with wilds as 2*


@lru_cache(maxsize=20_000)
def melds_from(
    naturals: tuple[str, ...], wilds: int, kind: str, size: int, frozen: tuple[tuple[str, Any], ...]
) -> tuple[Laid, ...]:
    """Every meld of that kind with at least ``size`` cards that these cards hold."""
    rules = dict(frozen)
    make = sets_from if kind == "set" else runs_from
    return tuple(sorted({meld for meld in make(naturals, wilds, rules) if len(meld[3]) >= size}))


def sets_from(naturals: tuple[str, ...], wilds: int, rules: dict[str, Any]) -> Iterator[Laid]:
    for rank in RUN_ORDER:
        held = [card for card in naturals if rank_of(card) == rank]
        for number in range(1, len(held) + 1):
            for chosen in set(itertools.combinations(held, number)):
                for used in range(wilds + 1):
                    cards = [*chosen, *["2*"] * used]
                    if set_ranks(cards, rules):
                        yield ("set", "", rank, tuple(cards))


def runs_from(naturals: tuple[str, ...], wilds: int, rules: dict[str, Any]) -> Iterator[Laid]:
    """From every place of every suit upwards, at each step the natural if held, or a wild if one is left."""

    def grow(suit: str, start: int, cards: list[str], left: int) -> Iterator[Laid]:
        if ordered_runs(cards, rules):
            yield ("run", suit, RUN_ORDER[start], tuple(cards))
        following = place(start + len(cards), suit)
        if following is None:
            return
        if following in naturals:
            yield from grow(suit, start, [*cards, following], left)
        if left:
            yield from grow(suit, start, [*cards, "2*"], left - 1)

    for suit in SUITS:
        for start in range(len(RUN_ORDER)):
            yield from grow(suit, start, [], wilds)


def ways_down(
    naturals: tuple[str, ...], wilds: int, slots: list[tuple[str, int]], rules: dict[str, Any]
) -> Iterator[tuple[tuple[Laid, ...], tuple[str, ...], int]]:
    """Every way to fill the slots from these cards: the melds, the naturals and the number of wilds left."""
    if not slots:
        yield (), naturals, wilds
        return
    (kind, size), rest = slots[0], slots[1:]
    for meld in melds_from(naturals, wilds, kind, size, freeze(rules)):
        cards = [card for card in meld[3] if card != "2*"]
        left = without(naturals, cards), wilds - (len(meld[3]) - len(cards))
        for melds, *remaining in ways_down(*left, rest, rules):
            yield (meld, *melds), *remaining


def can_go_down(
    naturals: tuple[str, ...], wilds: int, slots: tuple[tuple[str, int], ...], frozen: tuple[tuple[str, Any], ...]
) -> tuple[Laid, ...] | None:
    """The melds of one way down, or None; every meld is tried in every slot."""
    hopeless = set()

    def attempt(naturals: tuple[str, ...], wilds: int, slots: tuple[tuple[str, int], ...]) -> tuple[Laid, ...] | None:
        if not slots:
            return ()
        if (naturals, wilds, slots) in hopeless:
            return None
        for meld in melds_from(naturals, wilds, *slots[0], frozen):
            cards = [card for card in meld[3] if card != "2*"]
            rest = attempt(without(naturals, cards), wilds - (len(meld[3]) - len(cards)), slots[1:])
            if rest is not None:
                return (meld, *rest)
        hopeless.add((naturals, wilds, slots))
        return None

    return attempt(naturals, wilds, slots)


def answer_godown(request: dict[str, Any], rules: dict[str, Any]) -> dict[str, Any]:
    slots = tuple(CONTRACTS[request["contract"]])
    melds = can_go_down(*split(request["hand"]), slots, freeze(rules))
    return {"can": melds is not None, "witness": None if melds is None else [as_answer(meld) for meld in melds]}


def as_answer(meld: Laid) -> dict[str, Any]:
    kind, suit, rank, cards = meld
    if kind == "set":
        return {"kind": "set", "cards": list(cards)}
    return {"kind": "run", "suit": suit, "low": rank, "cards": list(cards)}


# --- the best that can be done ---------------------------------------------------------------------------------------
# Outcomes compare as (points left, how it ended): out before float before hold.
OUT, FLOAT, HOLD = 0, 1, 2
END_NAMES = ["out", "float", "hold"]
Outcome = tuple[int, int]
TableMeld = tuple[str, str, str, tuple[str, ...], bool]  # a Laid, and does it forbid this player's discards


def answer_best(request: dict[str, Any], rules: dict[str, Any]) -> dict[str, Any]:
    naturals, wilds = split(request["hand"])
    table = [as_table_meld(meld, request["player"], rules) for meld in request["table"]]
    best: Outcome | None = None
    seen: dict[Any, Outcome] = {}
    for melds, naturals_left, wilds_left in ways_down(naturals, wilds, CONTRACTS[request["contract"]], rules):
        own = [(*meld, rules["own_melds_count"]) for meld in melds]
        outcome = best_from(naturals_left, wilds_left, tuple(sorted(table + own)), rules, seen)
        best = outcome if best is None else min(best, outcome)
        if best == (0, OUT):
            break
    if best is None:
        return {"points": None, "end": None}
    return {"points": best[0], "end": END_NAMES[best[1]]}


def as_table_meld(meld: dict[str, Any], player: str, rules: dict[str, Any]) -> TableMeld:
    cards = ["2*" if is_wild(card) else card for card in meld["cards"]]
    if meld["kind"] == "run":
        return ("run", meld["suit"], meld["low"], tuple(cards), counts(meld, player, rules))
    rank = next(rank_of(card) for card in cards if card != "2*")
    return ("set", "", rank, tuple(sorted(cards, reverse=True)), counts(meld, player, rules))


def best_from(
    naturals: tuple[str, ...],
    wilds: int,
    table: tuple[TableMeld, ...],
    rules: dict[str, Any],
    seen: dict[Any, Outcome],
) -> Outcome:
    """The best end of a turn from here: discard now, or put any card on any meld and go on."""
    key = (naturals, wilds, table)
    if key not in seen:
        ends = [(0, FLOAT)] if not naturals and not wilds else []
        ends += list(ends_by_discarding(naturals, wilds, table, rules))
        for onward in plays_from(naturals, wilds, table, rules):
            if (0, OUT) in ends:
                break
            ends.append(best_from(*onward, rules, seen))
        seen[key] = min(ends)
    return seen[key]


def ends_by_discarding(
    naturals: tuple[str, ...], wilds: int, table: tuple[TableMeld, ...], rules: dict[str, Any]
) -> Iterator[Outcome]:
    total = sum(map(points_of, naturals)) + 20 * wilds
    end = OUT if len(naturals) + wilds == 1 else HOLD
    for card in sorted(set(naturals)) + ["2*"] * min(wilds, 1):
        if not any(meld[4] and results_of(card, as_dict(meld), rules) for meld in table):
            yield total - points_of(card), end


def plays_from(
    naturals: tuple[str, ...], wilds: int, table: tuple[TableMeld, ...], rules: dict[str, Any]
) -> Iterator[tuple[tuple[str, ...], int, tuple[TableMeld, ...]]]:
    for card in sorted(set(naturals)) + ["2*"] * min(wilds, 1):
        left = (naturals, wilds - 1) if card == "2*" else (without(naturals, [card]), wilds)
        for i, meld in enumerate(table):
            for result in results_of(card, as_dict(meld), rules):
                others = [*table[:i], *table[i + 1 :]]
                grown = (meld[0], meld[1], result.get("low", meld[2]), in_order(meld[0], result["cards"]), meld[4])
                yield left[0], left[1] + (result["freed"] is not None), tuple(sorted([*others, grown]))


def in_order(kind: str, cards: list[str]) -> tuple[str, ...]:
    """A run's order matters; a set's does not, and is made the same for all."""
    return tuple(cards) if kind == "run" else tuple(sorted(cards, reverse=True))


def as_dict(meld: TableMeld) -> dict[str, Any]:
    kind, suit, rank, cards, _ = meld
    return {"kind": kind, "suit": suit, "low": rank, "cards": list(cards)}


# --- the protocol ----------------------------------------------------------------------------------------------------
ANSWERS = {
    "meld": answer_meld,
    "table": answer_table,
    "laydown": answer_laydown,
    "godown": answer_godown,
    "best": answer_best,
}


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The ``out`` of a well-formed request of the line protocol."""
    return ANSWERS[request["type"]](request["in"], DEFAULT_RULES | request.get("rules", {}))
