"""Hypothesis strategies for the referee's questions, made to be nasty rather than likely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from tests.referee import oracle
from tests.thorough import thorough  # noqa: F401  (for work that still asks here)

SUITS = "SHDC"
RANKS = oracle.RUN_ORDER
WILDS = ["2S", "2H", "2D", "2C"]
NATURALS = [rank + suit for rank in RANKS for suit in SUITS]

# --- rules -----------------------------------------------------------------------------------------------------------
FULL_RULES = st.fixed_dictionaries(
    {
        "decks": st.sampled_from([2, 2, 2, 1, 3]),
        "max_wilds": st.sampled_from([None, None, 1, 2, 3]),
        "nat_outnumber": st.sampled_from([False, False, True]),
        "no_adjacent_wilds": st.sampled_from([False, False, True]),
        "swap": st.sampled_from([True, True, False]),
        "freed_wild": st.sampled_from(["end", "hand"]),
        "own_melds_count": st.booleans(),
    }
)


@st.composite
def rules(draw: st.DrawFn) -> dict[str, Any]:
    """All seven keys, only some of them, or none."""
    given_rules = draw(FULL_RULES)
    kept = draw(st.sampled_from(["all", "all", "some", "none"]))
    if kept == "all":
        return given_rules
    names = draw(st.sets(st.sampled_from(sorted(given_rules)))) if kept == "some" else set()
    return {key: value for key, value in given_rules.items() if key in names}


def full(given_rules: dict[str, Any]) -> dict[str, Any]:
    return oracle.DEFAULT_RULES | given_rules


def within_decks(cards: Iterable[str], decks: int, taken: Iterable[str] = ()) -> list[str]:
    """The cards in their order, without those of which the decks hold no more copies (G1.1)."""
    seen = Counter(taken)
    kept = []
    for card in cards:
        seen[card] += 1
        if seen[card] <= decks:
            kept.append(card)
    return kept


# --- cards that belong together --------------------------------------------------------------------------------------
@st.composite
def set_cards(draw: st.DrawFn, least: int = 3, most: int = 7, wilds: int | None = None) -> list[str]:
    count = draw(st.integers(least, most))
    number = draw(st.integers(0, count)) if wilds is None else min(wilds, count - 1)
    rank = draw(st.sampled_from(RANKS))
    naturals = [rank + draw(st.sampled_from(SUITS)) for _ in range(count - number)]
    return naturals + [draw(st.sampled_from(WILDS)) for _ in range(number)]


@st.composite
def run_cards(
    draw: st.DrawFn, least: int = 3, most: int = 12, suit: str | None = None, wild_chance: int = 3
) -> list[str]:
    """Low end first; about one card in ``wild_chance`` is a wild. Starts near the 3, ends near the ace, or anywhere."""
    count = draw(st.integers(least, max(least, most)))
    last = len(RANKS) - count
    start = draw(st.sampled_from([0, last]) | st.integers(0, last))
    of = suit or draw(st.sampled_from(SUITS))
    return [
        draw(st.sampled_from(WILDS)) if draw(st.integers(1, wild_chance)) == 1 else rank + of
        for rank in RANKS[start : start + count]
    ]


noise = st.lists(st.sampled_from(NATURALS) | st.sampled_from(WILDS), max_size=5)


@st.composite
def meld_cards(draw: st.DrawFn) -> list[str]:
    """Cards that are one meld, or nearly: in the order they would lie."""
    cards = draw(st.one_of(set_cards(), run_cards(most=8), run_cards(), noise, few_naturals()))
    spoiling = draw(st.sampled_from(["no", "no", "change", "double", "drop", "add"]))
    if not cards or spoiling == "no":
        return cards
    at = draw(st.integers(0, len(cards) - 1))
    other = draw(st.sampled_from(NATURALS + WILDS))
    return {
        "change": [*cards[:at], other, *cards[at + 1 :]],
        "double": [*cards, cards[at]],
        "drop": cards[:at] + cards[at + 1 :],
        "add": [*cards[:at], other, *cards[at:]],
    }[spoiling]


@st.composite
def few_naturals(draw: st.DrawFn) -> list[str]:
    """One or two naturals of a suit among many wilds: many readings."""
    suit = draw(st.sampled_from(SUITS))
    naturals = draw(st.lists(st.sampled_from(RANKS), min_size=1, max_size=2, unique=True))
    wilds = draw(st.lists(st.sampled_from(WILDS), max_size=6))
    return draw(st.permutations([rank + suit for rank in naturals] + wilds))


# --- the five questions ----------------------------------------------------------------------------------------------
@st.composite
def meld_requests(draw: st.DrawFn) -> dict[str, Any]:
    given_rules = draw(rules())
    lie = within_decks(draw(meld_cards()), full(given_rules)["decks"])
    ordered = lie if draw(st.booleans()) else draw(st.permutations(lie))
    return request("meld", given_rules, {"cards": draw(st.permutations(lie)), "ordered": ordered})


def request(kind: str, given_rules: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    return {"type": kind, "in": given, **({"rules": given_rules} if given_rules else {})}


OWNERS = ["p1", "p2", "p3"]


@st.composite
def table_melds(draw: st.DrawFn, given_rules: dict[str, Any], suit: str | None = None) -> dict[str, Any]:
    """One meld as it may lie on a table of these rules; a wild too many becomes the card it stands for."""
    owner = draw(st.sampled_from(OWNERS))
    if draw(st.integers(0, 3)) == 0:
        cards = legal_set(draw(set_cards()), full(given_rules))
        return {"kind": "set", "owner": owner, "cards": cards}
    length = draw(st.sampled_from([(3, 4), (3, 6), (4, 9), (10, 12), (12, 12)]))
    of = suit or draw(st.sampled_from(SUITS))
    cards = draw(run_cards(*length, suit=of, wild_chance=draw(st.sampled_from([2, 3, 4, 12]))))
    low, cards = legal_run(cards, of, full(given_rules))
    return {"kind": "run", "suit": of, "low": low, "owner": owner, "cards": cards}


def legal_set(cards: list[str], given_rules: dict[str, Any]) -> list[str]:
    rank = next((oracle.rank_of(card) for card in cards if not oracle.is_wild(card)), "7")
    for i, card in enumerate(cards):
        if oracle.keeps_limits("set", cards, given_rules):
            break
        if oracle.is_wild(card):
            cards = [*cards[:i], rank + SUITS[i % 4], *cards[i + 1 :]]
    return cards


def legal_run(cards: list[str], suit: str, given_rules: dict[str, Any]) -> tuple[str, list[str]]:
    known = [(i, RANKS.index(oracle.rank_of(card))) for i, card in enumerate(cards) if not oracle.is_wild(card)]
    start = known[0][1] - known[0][0] if known else (len(RANKS) - len(cards)) // 2
    for i, card in enumerate(cards):
        if oracle.keeps_limits("run", cards, given_rules):
            break
        if oracle.is_wild(card):
            cards = [*cards[:i], RANKS[start + i] + suit, *cards[i + 1 :]]
    return RANKS[start], cards


@st.composite
def table_requests(draw: st.DrawFn) -> dict[str, Any]:
    given_rules = draw(rules())
    table = draw(st.lists(table_melds(given_rules), min_size=draw(st.integers(0, 3)), max_size=4))
    return request("table", given_rules, {"table": table, "player": draw(st.sampled_from(OWNERS))})


@st.composite
def contract_groups(draw: st.DrawFn, contract: int, longer: int = 3, wild_chance: int = 3) -> list[list[str]]:
    """Cards for every slot of a contract, mostly right; runs share a suit on some days (G4.5)."""
    suit = draw(st.none() | st.sampled_from(SUITS))
    return [
        draw(set_cards(size, size + longer, wilds=draw(st.integers(0, 2))))
        if kind == "set"
        else draw(run_cards(size, min(12, size + longer), suit=suit, wild_chance=wild_chance))
        for kind, size in oracle.CONTRACTS[contract]
    ]


contracts = st.integers(1, 10)


@st.composite
def laydown_requests(draw: st.DrawFn) -> dict[str, Any]:
    given_rules = draw(rules())
    contract = draw(contracts)
    groups = draw(contract_groups(draw(contracts) if draw(st.integers(0, 7)) == 0 else contract))
    spoiling = draw(st.sampled_from(["no", "no", "no", "drop", "add", "meld", "short", "steal"]))
    at = draw(st.integers(0, len(groups) - 1))
    if spoiling == "drop":
        groups[at] = groups[at][1:]
    if spoiling == "add":
        groups[at] = [*groups[at], draw(st.sampled_from(NATURALS + WILDS))]
    if spoiling == "meld":
        groups.append(draw(meld_cards()))
    if spoiling == "short":
        groups.pop(at)
    if spoiling == "steal" and groups[at]:
        groups[at - 1] = [*groups[at - 1], groups[at].pop()]
    laid = [draw(st.permutations(group)) for group in draw(st.permutations(groups))]
    return request("laydown", given_rules, {"contract": contract, "groups": copies_kept(laid, full(given_rules))})


def copies_kept(groups: list[list[str]], given_rules: dict[str, Any]) -> list[list[str]]:
    taken: list[str] = []
    kept = []
    for group in groups:
        kept.append(within_decks(group, given_rules["decks"], taken))
        taken += kept[-1]
    return kept


@st.composite
def hands(draw: st.DrawFn, contract: int, most: int) -> list[str]:
    """A hand for a contract, of the kinds that search programs get wrong; at most ``most`` cards, decks not heeded."""
    make = draw(st.sampled_from([planted, spoiled, wild_hand, doubled_suit, spared, up_to_the_ace, random_hand]))
    return draw(make(contract))[:most]


@st.composite
def planted(draw: st.DrawFn, contract: int) -> list[str]:
    """A lay-down, tight or longer than needed, and other cards."""
    groups = draw(contract_groups(contract, longer=draw(st.sampled_from([0, 0, 1, 2]))))
    return [card for group in groups for card in group] + draw(noise)


@st.composite
def spoiled(draw: st.DrawFn, contract: int) -> list[str]:
    """A planted hand in which one card is another one."""
    hand = draw(planted(contract))
    at = draw(st.integers(0, len(hand) - 1))
    return [*hand[:at], draw(st.sampled_from(NATURALS)), *hand[at + 1 :]]


@st.composite
def wild_hand(draw: st.DrawFn, contract: int) -> list[str]:
    """Many wilds and few naturals: each wild can be in one meld only."""
    size = sum(size for _, size in oracle.CONTRACTS[contract])
    wilds = draw(st.integers(min(3, size - 1), min(8, size)))
    naturals = draw(st.lists(st.sampled_from(NATURALS), min_size=1, max_size=max(1, size - wilds + 1)))
    return naturals + draw(st.lists(st.sampled_from(WILDS), min_size=wilds, max_size=wilds))


@st.composite
def doubled_suit(draw: st.DrawFn, contract: int) -> list[str]:
    """Nearly everything of one suit, much of it twice: overlapping runs, and longer runs that pay for more wilds."""
    size = sum(size for _, size in oracle.CONTRACTS[contract])
    suits = draw(st.sampled_from(["S", "S", "SH"]))
    start = draw(st.integers(0, 5))
    near = [rank + suit for rank in RANKS[start : start + 7] for suit in suits]
    naturals = draw(st.lists(st.sampled_from(near), min_size=max(1, size - 4), max_size=size))
    return naturals + draw(st.lists(st.sampled_from(WILDS), min_size=1, max_size=5))


@st.composite
def spared(draw: st.DrawFn, contract: int) -> list[str]:
    """Naturals that both a set and a run want, so that one of them has to take a wild instead."""
    rank = draw(st.integers(0, len(RANKS) - 1))
    suit = draw(st.sampled_from(SUITS))
    wanted = [RANKS[rank] + suit] + [RANKS[rank] + draw(st.sampled_from(SUITS)) for _ in range(2)]
    slots = [slot for slot in oracle.CONTRACTS[contract] if slot[0] == "run"] or [("run", 4)]
    length = slots[0][1]
    start = draw(st.integers(max(0, rank - length + 1), min(rank, len(RANKS) - length)))
    run = [name + suit for name in RANKS[start : start + length] if draw(st.integers(0, 4))]
    rest = [card for group in draw(contract_groups(contract, longer=0))[1:-1] for card in group]
    return wanted + run + rest + draw(st.lists(st.sampled_from(WILDS), min_size=1, max_size=4))


@st.composite
def up_to_the_ace(draw: st.DrawFn, contract: int) -> list[str]:
    """Cards crowded at one end of the suits, where wilds run out of room."""
    size = sum(size for _, size in oracle.CONTRACTS[contract])
    edge = draw(st.sampled_from([["J", "Q", "K", "A"], ["3", "4", "5", "6"], ["K", "A", "3", "4"], ["A", "3", "10"]]))
    suits = draw(st.sampled_from(["S", "SD", SUITS]))
    naturals = draw(st.lists(st.sampled_from([r + s for r in edge for s in suits]), min_size=2, max_size=size))
    return naturals + draw(st.lists(st.sampled_from(WILDS), max_size=6))


@st.composite
def random_hand(draw: st.DrawFn, contract: int) -> list[str]:
    size = sum(size for _, size in oracle.CONTRACTS[contract])
    return draw(st.lists(st.sampled_from(NATURALS + WILDS * 2), min_size=size, max_size=size + 4))


@st.composite
def paid_by_length(draw: st.DrawFn, contract: int) -> list[str]:
    """Runs that only keep "naturals outnumber wilds" when longer than asked: wilds between naturals at both ends."""
    hand = []
    for kind, size in oracle.CONTRACTS[contract]:
        wilds = (size + 1) // 2
        if kind == "set" or draw(st.integers(0, 3)) == 0:
            hand += draw(set_cards(size, size, wilds=0) if kind == "set" else run_cards(size, size, wild_chance=9))
            continue
        below = (wilds + 1) // 2
        start, suit = draw(st.integers(0, len(RANKS) - 2 * wilds - 1)), draw(st.sampled_from(SUITS))
        spots = [rank + suit for rank in RANKS[start : start + 2 * wilds + 1]]
        hand += (
            spots[:below]
            + spots[below + wilds :]
            + draw(st.lists(st.sampled_from(WILDS), min_size=wilds, max_size=wilds))
        )
    return hand + draw(st.lists(st.sampled_from(NATURALS), max_size=2))


@st.composite
def godown_requests(draw: st.DrawFn, most: int = 17) -> dict[str, Any]:
    given_rules = draw(rules())
    contract = draw(contracts)
    if draw(st.integers(0, 4)) == 0:
        contract = draw(st.sampled_from([2, 5, 6, 7, 8, 9, 10]))
        given_rules = {**given_rules, "nat_outnumber": True, "max_wilds": None, "no_adjacent_wilds": False, "decks": 2}
        hand = within_decks(draw(paid_by_length(contract)), 2)[: most + 1]
        return request("godown", given_rules, {"hand": draw(st.permutations(hand)), "contract": contract})
    hand = within_decks(draw(hands(contract, most)), full(given_rules)["decks"])
    return request("godown", given_rules, {"hand": draw(st.permutations(hand)), "contract": contract})


@st.composite
def best_requests(draw: st.DrawFn, most: int = 12) -> dict[str, Any]:
    """A hand that can often go down, a table in its suits, and cards that nearly play there."""
    given_rules = draw(rules())
    if draw(st.integers(0, 2)) == 0:
        given_rules = {**given_rules, "freed_wild": "hand", "swap": True, "max_wilds": None}
    contract = draw(st.sampled_from([1, 1, 2, 2, 3, 4, 5, 6, 7]))
    suit = draw(st.none() | st.sampled_from(SUITS))
    table = draw(st.lists(table_melds(given_rules, suit=suit), min_size=draw(st.integers(0, 2)), max_size=4))
    make = draw(st.sampled_from([planted, planted, planted, wild_hand, spared, doubled_suit]))
    hand = draw(make(contract))
    near = [card for meld in table for card in neighbours(meld)]
    if near:
        hand = draw(st.lists(st.sampled_from(near), min_size=draw(st.integers(0, 2)), max_size=4)) + hand
    longest = max(most, 2 + sum(size for _, size in oracle.CONTRACTS[contract]))
    hand = few_wilds(within_decks(hand, full(given_rules)["decks"]), 4)[:longest]
    given = {"hand": draw(st.permutations(hand)), "contract": contract, "table": table, "player": draw(player_names)}
    return request("best", given_rules, given)


player_names = st.sampled_from(["p4", "p4", "p1"])


def few_wilds(hand: list[str], most: int) -> list[str]:
    """The hand without the wilds beyond that number: each one multiplies the oracle's work."""
    wilds = [i for i, card in enumerate(hand) if oracle.is_wild(card)]
    return [card for i, card in enumerate(hand) if i not in wilds[most:]]


def neighbours(meld: dict[str, Any]) -> list[str]:
    """Cards that play on a meld, or do so after another has: its ends and beyond, and what its wilds stand for."""
    if meld["kind"] == "set":
        return [oracle.rank_of(card) + "S" for card in meld["cards"] if not oracle.is_wild(card)]
    start, count = RANKS.index(meld["low"]), len(meld["cards"])
    ends = [i for i in (start - 2, start - 1, start + count, start + count + 1) if 0 <= i < len(RANKS)]
    inside = [start + i for i, card in enumerate(meld["cards"]) if oracle.is_wild(card)]
    return [RANKS[i] + meld["suit"] for i in ends + inside]


# --- Peru ------------------------------------------------------------------------------------------------------------
PERU_RANKS = ["A", "2", *RANKS[:-1]]
PERU_WILDS = ["JK", "JK", *WILDS]


@st.composite
def peru_run(draw: st.DrawFn, least: int = 3, most: int = 13) -> list[str]:
    """Round the corner on most days; a wild every fourth card or so."""
    count = draw(st.integers(least, most))
    start, suit = draw(st.integers(0, 12)), draw(st.sampled_from(SUITS))
    spots = [PERU_RANKS[(start + i) % 13] + suit for i in range(count)]
    return [draw(st.sampled_from(PERU_WILDS)) if draw(st.integers(1, 4)) == 1 else card for card in spots]


@st.composite
def peru_set(draw: st.DrawFn, least: int = 3, most: int = 7) -> list[str]:
    count = draw(st.integers(least, most))
    rank = draw(st.sampled_from([*PERU_RANKS, "2", "2"]))
    number = draw(st.integers(0, count // 2))
    naturals = [rank + draw(st.sampled_from(SUITS)) for _ in range(count - number)]
    return naturals + draw(st.lists(st.sampled_from(PERU_WILDS), min_size=number, max_size=number))


def peru_decks(cards: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """Within two packs of two jokers each (P1)."""
    seen, kept = Counter(taken), []
    for card in cards:
        seen[card] += 1
        if seen[card] <= (4 if card == "JK" else 2):
            kept.append(card)
    return kept


peru_cards = st.sampled_from([rank + suit for rank in PERU_RANKS for suit in SUITS] + PERU_WILDS)


@st.composite
def peru_meld_requests(draw: st.DrawFn) -> dict[str, Any]:
    cards = draw(st.one_of(peru_set(), peru_run(most=7), peru_run(), st.lists(peru_cards, max_size=5)))
    if draw(st.booleans()) and len(cards) < 13:
        cards = [*cards, draw(peru_cards)] if draw(st.booleans()) else cards[1:]
    cards = peru_decks(cards)
    ordered = cards if draw(st.booleans()) else draw(st.permutations(cards))
    return {"type": "meld", "sheet": "peru", "in": {"cards": draw(st.permutations(cards)), "ordered": ordered}}


@st.composite
def peru_groups(draw: st.DrawFn, contract: int) -> list[list[str]]:
    from tests.referee.oracle_peru import CONTRACTS

    return [
        draw(peru_set(size, size + 2)) if kind == "set" else draw(peru_run(size, size + 2))
        for kind, size in CONTRACTS[contract]
    ]


@st.composite
def peru_laydown_requests(draw: st.DrawFn) -> dict[str, Any]:
    contract = draw(st.integers(1, 9))
    groups = draw(peru_groups(contract))
    groups += draw(st.lists(st.one_of(peru_set(), peru_run(most=6), st.lists(peru_cards, max_size=4)), max_size=2))
    if draw(st.integers(0, 3)) == 0:
        groups.pop(0)
    taken: list[str] = []
    laid = []
    for group in draw(st.permutations(groups)):
        laid.append(peru_decks(draw(st.permutations(group)), taken))
        taken += laid[-1]
    return {"type": "laydown", "sheet": "peru", "in": {"contract": contract, "groups": laid}}


@st.composite
def peru_godown_requests(draw: st.DrawFn) -> dict[str, Any]:
    contract = draw(st.integers(1, 9))
    hand = [card for group in draw(peru_groups(contract)) for card in group]
    if draw(st.booleans()):
        hand[draw(st.integers(0, len(hand) - 1))] = draw(peru_cards)
    hand = peru_decks(hand + draw(st.lists(peru_cards, max_size=4)))[:14]
    return {"type": "godown", "sheet": "peru", "in": {"hand": draw(st.permutations(hand)), "contract": contract}}
