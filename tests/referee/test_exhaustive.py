"""Exhaustive counts, as perft is for chess: small worlds counted whole, each number explained.

A change in the referee that moves a count has changed a rule.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from math import comb

import pytest

from companion.referee.cards import FIFTY_TWO, JOKER, Card, Rank, Suit, parse_card, parse_cards
from companion.referee.contracts import fills
from companion.referee.games import KATE, LIVERPOOL, PERU
from companion.referee.melds import Meld, run_lows
from companion.referee.readings import readings, readings_in_order
from companion.referee.rules import Contract, Kind, Rules, Slot
from companion.referee.search.can_go_down import can_go_down
from companion.referee.state import TableMeld
from companion.referee.table import dead_cards, plays

NATURALS = [card for card in FIFTY_TWO if card.rank is not Rank.TWO]
TWO = parse_cards("2S")[0]


def runs_by_length(rules: Rules) -> list[int]:
    return [len(run_lows(length, rules)) for length in range(1, 15)]


def test_g3_2_windows_of_a_run_by_length() -> None:
    """Twelve ranks 3…A: 13 − n windows of n cards, one of twelve, none longer."""
    assert runs_by_length(KATE) == [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0]


def test_p3_windows_round_the_corner() -> None:
    """Thirteen ranks in a ring: thirteen windows of any length up to thirteen."""
    assert runs_by_length(PERU) == [13] * 13 + [0]


def test_windows_with_the_ace_at_both_ends() -> None:
    """A 2 … K A has fourteen places for natural 2s: 15 − n windows, but a lone ace is counted once. Where a run may not
    have an ace at either end, only the run of fourteen falls away."""
    rules = KATE.replace(wild_ranks=(), ace="both_ends")
    assert runs_by_length(rules)[1:] == [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert runs_by_length(rules.replace(ace="either"))[1:] == [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 0]
    assert runs_by_length(KATE.replace(wild_ranks=(), ace="low"))[1:3] == [12, 11]


@pytest.mark.parametrize("ace", ["either", "both_ends"])
def test_a_run_with_two_aces_is_laid_down_exactly_where_it_is_laid_off_to(ace: str) -> None:
    rules = LIVERPOOL.replace(ace=ace)
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    thirteen = parse_cards(" ".join(f"{rank}S" for rank in ranks))
    longest, all_cards = Meld.run_from(Suit.SPADES, Rank.ACE, thirteen), (*thirteen, *parse_cards("AS"))
    laid_off = [play.result for play in plays(parse_card("AS"), longest, rules)]
    assert laid_off == list(readings(all_cards, rules)) == list(readings_in_order(all_cards, rules))
    assert len(laid_off) == (ace == "both_ends")
    joker = [str(run) for run in readings((*thirteen, JOKER), rules)]
    low, high = " ".join(map(str, (*thirteen, JOKER))), " ".join(map(str, (JOKER, *thirteen[1:], thirteen[0])))
    assert sorted(joker) == (sorted([low, high]) if ace == "both_ends" else [])
    assert readings(parse_cards("QS KS AS AS"), rules) == readings(parse_cards("KS AS 2S"), rules) == ()


def test_three_natural_cards_of_one_deck() -> None:
    """Sets: 12 ranks, 3 of 4 suits: 48. Runs: 10 windows in 4 suits: 40. Of the 17,296 triples no other is a meld."""
    kinds = [reading.kind for three in combinations(NATURALS, 3) for reading in readings(three, KATE)]
    assert comb(48, 3) == 17_296
    assert (kinds.count(Kind.SET), kinds.count(Kind.RUN)) == (48, 40)


def test_two_naturals_and_a_wild() -> None:
    """Sets: 12 ranks × 6 pairs of suits = 72 pairs. Runs by suit: neighbours (11 pairs) take the wild at either end but
    at 3-4 and K-A only one, 20 readings; one rank between (10 pairs) takes it in the gap: 30 readings in 4 suits."""
    kinds = [reading.kind for pair in combinations(NATURALS, 2) for reading in readings([*pair, TWO], KATE)]
    assert (kinds.count(Kind.SET), kinds.count(Kind.RUN)) == (72, 4 * 30)


def test_one_natural_and_two_wilds() -> None:
    """Each of 48 naturals is a set, and a run in every window of three over its rank: 10 windows × 3 places × 4 suits;
    with wilds kept apart only the middle place is left; where naturals must outnumber nothing is."""

    def count(rules: Rules) -> tuple[int, int]:
        kinds = [r.kind for card in NATURALS for r in readings([card, TWO, TWO], rules)]
        return kinds.count(Kind.SET), kinds.count(Kind.RUN)

    assert count(KATE) == (48, 120)
    assert count(KATE.replace(adjacent_wilds="forbidden")) == (48, 40)
    assert count(KATE.replace(naturals_outnumber=True)) == (0, 0)
    assert count(KATE.replace(max_wilds=1)) == (0, 0)
    assert count(KATE.replace(max_wilds=2)) == (48, 120)


@pytest.mark.parametrize(("length", "orders"), [(3, 10), (4, 9), (12, 1)])
def test_in_order_each_window_with_one_wild_somewhere(length: int, orders: int) -> None:
    """A run with a wild at any of its places, in its order, has just one reading."""
    legal = 0
    for low in run_lows(length, KATE):
        for at in range(length):
            cards = [Card(Rank(low + i), Suit.HEARTS) for i in range(length)]
            cards[at] = TWO
            (reading,) = readings_in_order(cards, KATE)
            assert reading.wild_positions() == (at,)
            legal += 1
    assert legal == orders * length


def test_every_result_on_every_run_with_one_wild() -> None:
    """All runs of four of a suit with one wild: 9 windows × 4 places.

    Naturals that extend: two ends each but one at the windows 3456 and JQKA: 16 × 4 = 64. A wild does the same: 64.
    Replacing: as many ways as free ends: 64 as well.
    """
    extend = wild = replace = 0
    for low in run_lows(4, KATE):
        for at in range(4):
            cards = [Card(Rank(low + i), Suit.HEARTS) for i in range(4)]
            cards[at] = TWO
            meld = Meld.run_from(Suit.HEARTS, low, cards)
            for card in NATURALS:
                actions = [play.action for play in plays(card, meld, KATE)]
                replace += actions.count("replace")
                extend += len(actions) - actions.count("replace")
            wild += len(plays(TWO, meld, KATE))
    assert (extend, wild, replace) == (64, 64, 64)


def test_dead_cards_of_every_table_of_one_natural_run() -> None:
    """A run kills its one or two neighbours and the four 2s; the full run kills nothing at all."""
    dead = {}
    for length in (4, 11, 12):
        for low in run_lows(length, KATE):
            meld = Meld.run_from(Suit.CLUBS, low, [Card(Rank(low + i), Suit.CLUBS) for i in range(length)])
            sheet = dead_cards([TableMeld(0, 1, meld, meld)], 0, KATE)
            dead[length, low] = sum(bool(problems) for problems in sheet.values())
    assert [dead[4, low] for low in run_lows(4, KATE)] == [5, 6, 6, 6, 6, 6, 6, 6, 5]
    assert [dead[11, low] for low in run_lows(11, KATE)] == [5, 5]
    assert dead[12, Rank.THREE] == 0


#: A deck of two suits, ranks 3 to 6, one copy of each, and two wilds.
SMALL = [
    Card(rank, suit) for suit in (Suit.SPADES, Suit.HEARTS) for rank in (Rank.THREE, Rank.FOUR, Rank.FIVE, Rank.SIX)
]
WILDS = list(parse_cards("2S 2H"))
ONE_RUN = Contract((Slot(Kind.RUN, 4),))
TWO_SETS = Contract((Slot(Kind.SET, 3), Slot(Kind.SET, 3)))


def test_every_hand_of_four_that_is_a_run_of_four() -> None:
    """Of the 210 hands of four from the small deck: in each suit all four (1), three and one wild (4 × 2), two and both
    wilds (6; every two of 3…6 lie within four places): 2 × 15 = 30."""
    hands = list(combinations(SMALL + WILDS, 4))
    assert len(hands) == 210
    assert sum(can_go_down(hand, ONE_RUN, KATE) is not None for hand in hands) == 30
    assert sum(fills([hand], ONE_RUN, KATE) for hand in hands) == 30


def test_every_hand_of_six_that_is_two_sets() -> None:
    """Two ranks of two cards each and both wilds: 6 pairs of ranks. Nothing else of the 210 hands of six has two sets."""
    hands = list(combinations(SMALL + WILDS, 6))
    assert sum(can_go_down(hand, TWO_SETS, KATE) is not None for hand in hands) == 6


def test_every_hand_of_seven_that_holds_two_sets() -> None:
    """One card more than two pairs and both wilds: 6 pairs of ranks × 4 other cards, less what is counted twice: none."""
    hands = list(combinations(SMALL + WILDS, 7))
    assert len(hands) == 120
    assert sum(can_go_down(hand, TWO_SETS, KATE) is not None for hand in hands) == 24


def test_sets_of_three_with_copies_of_two_decks() -> None:
    """Three of the eight cards of a rank, alike ones not told apart: multisets of three of four suits, no card thrice:
    20 − 4 = 16 a rank."""
    nines = [card for card in NATURALS if card.rank is Rank.NINE]
    threes = [three for three in combinations_with_replacement(nines, 3) if max(map(three.count, three)) <= 2]
    assert sum(bool(readings(three, KATE)) for three in threes) == 16
