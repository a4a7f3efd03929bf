"""Going down in the contract rummies, against a slow oracle that tries every choice of cards (FAMILY 4)."""

import random

import pytest

from companion.referee.cards import JOKER, Card, Rank, Suit, parse_cards
from companion.referee.contracts import lay_down_problems
from companion.referee.games import SHEETS
from companion.referee.lists import read_contract
from companion.referee.reasons import Reason
from companion.referee.rules import Contract, Rules
from companion.referee.search.can_go_down import can_go_down
from tests.referee.oracle_family import can_lie

GAMES = sorted(name for name, rules in SHEETS.items() if rules.contracts)
#: What houses play otherwise.
SWITCHES: dict[str, list[object]] = {
    "min_naturals": [0, 1, 2], "max_wilds": [None, 1, 2], "naturals_outnumber": [False, True],
    "adjacent_wilds": ["allowed", "forbidden", "nowhere"], "same_rank_sets": ["allowed", "forbidden"],
    "same_suit_runs": ["allowed", "forbidden", "not_touching", "gap1", "gap2", "gap3"],
    "wild_share": ["any", "half", "third"], "max_wilds_by_size": [(), ((4, 1), (5, 2), (13, 3))],
    "max_wilds_laid": [None, 0, 1, 2], "set_naturals": [None, 2], "wilds_apart": [0, 1, 3],
    "set_suits": ["any", "different", "different_when_going_down"],
}  # fmt: skip
#: Where nothing is said of the contract's melds, since there is none.
NOT_OF_EVERYTHING = {"max_wilds_laid", "same_rank_sets", "same_suit_runs"}


def a_hand(rules: Rules, size: int, by: random.Random) -> list[Card]:
    """A hand that is nearly a contract: few suits, ranks close together, up to four wilds."""
    wild = [*[Card(rank, suit) for rank in rules.wild_ranks for suit in Suit], *[JOKER] * 3]
    first, ranks, suits = by.randint(0, 12), by.choice([3, 5, 8]), by.sample(list(Suit), by.choice([1, 2, 4]))
    pool = [Card(Rank(2 + (first + at) % 13), suit) for at in range(ranks) for suit in suits] * 3
    wilds = [by.choice(wild) for _ in range(by.randint(0, min(4, size)))]
    return wilds + by.sample(pool, min(size - len(wilds), len(pool)))


@pytest.mark.parametrize("sheet", GAMES)
def test_the_search_finds_a_lay_down_where_there_is_one(sheet: str) -> None:
    by = random.Random(sheet)
    for _ in range(12):
        number = by.randint(1, len(SHEETS[sheet].contracts))
        contract, rules = SHEETS[sheet].contracts[number - 1], SHEETS[sheet].in_deal(number)
        names = sorted(SWITCHES.keys() - NOT_OF_EVERYTHING) if contract.is_everything else sorted(SWITCHES)
        for name in by.sample(names, by.randint(0, 2)):
            rules = rules.replace(**{name: by.choice(SWITCHES[name])})
        if not contract.is_everything:
            contract = Contract(tuple(by.sample(contract.slots, min(2, len(contract.slots)))))
        if contract.cards_needed > 8 or rules.all_at_once:
            continue
        hand = a_hand(rules, 7 if contract.is_everything else 8, by)
        melds = can_go_down(hand, contract, rules)
        said = ([str(card) for card in hand], contract, rules.differences(SHEETS[sheet]))
        assert (melds is not None) is can_lie(hand, contract, rules), said
        allowed = {Reason.TOO_MANY_COPIES, Reason.NOT_ALL_DEALT}  # hands are not dealt from a pack
        assert melds is None or {problem.reason for problem in lay_down_problems(melds, contract, rules)} <= allowed, (
            said
        )


@pytest.mark.parametrize(
    ("number", "switch", "value", "hand", "can"),
    [
        (1, "max_wilds", 2, "JK JK 3C 3D", False),
        (1, "max_wilds", 3, "JK JK 3C 3D", True),
        (1, "max_wilds", 2, "JK JK 3C 9D", True),
        (1, "adjacent_wilds", "nowhere", "JK JK 3C 3D", False),
        (1, "adjacent_wilds", "nowhere", "JK 9C 9D 4C", True),
        (1, "max_wilds", 4, "JK JK JK JK 3C 3D 3H 3S 9C", True),
        (1, "max_wilds_laid", 2, "JK JK 3C 3D", False),
        (1, "max_wilds_laid", 3, "JK JK 3C 3D", True),
    ],
)
def test_melds_of_wilds_alone_keep_the_limits_where_everything_lies(
    number: int, switch: str, value: object, hand: str, can: bool
) -> None:
    sheet = SHEETS["three_thirteen"]
    rules = sheet.in_deal(number).replace(**{switch: value})
    melds = can_go_down(parse_cards(hand), sheet.contracts[number - 1], rules)
    assert (melds is not None) is can


@pytest.mark.parametrize(
    ("sheet", "text", "switches", "hand", "can"),
    [
        # A natural of the run gives its place to another one, since the set needs its suit.
        ("may_i", "set3 run4", {"set_suits": "different"}, "10D 9D 8D JK 9C 2S JK", True),
        ("may_i", "set3 run4", {"set_suits": "different"}, "10D 9D 8D 9C 2S", False),
        ("may_i", "set3 run4", {"set_suits": "different", "max_wilds": 1}, "10D 9D 8D JK 9C 2S JK", False),
    ],
)
def test_a_natural_of_a_run_may_lie_elsewhere_in_it(
    sheet: str, text: str, switches: dict[str, object], hand: str, can: bool
) -> None:
    rules = SHEETS[sheet].in_deal(1).replace(**switches)
    contract = read_contract(text)
    melds = can_go_down(parse_cards(hand), contract, rules)
    assert (melds is not None) is can is can_lie(parse_cards(hand), contract, rules)
