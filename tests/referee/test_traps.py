"""Known traps of a rummy referee, each with the neighbouring case that must stay."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.referee.cards import Rank, Suit, parse_cards
from companion.referee.contracts import fills, lay_down_problems
from companion.referee.games import KATE
from companion.referee.melds import Meld, is_wild_card
from companion.referee.readings import readings, run_readings
from companion.referee.reasons import Reason
from companion.referee.rules import Rules
from companion.referee.search.best_turn import BestTurn, best_turn
from companion.referee.search.can_go_down import can_go_down
from companion.referee.state import TableMeld
from companion.referee.table import copies_problems, plays

OUTNUMBER = KATE.replace(naturals_outnumber=True)
APART = KATE.replace(adjacent_wilds="forbidden")


def can(hand: str, number: int, rules: Rules = KATE) -> bool:
    """Whether the hand can go down in that hand of the night; a witness is checked card by card."""
    cards = parse_cards(hand)
    found = can_go_down(cards, rules.contracts[number - 1], rules)
    if found is not None:
        assert lay_down_problems(found, rules.contracts[number - 1], rules) == ()
        assert not Counter(card for meld in found for card in meld.cards) - Counter(cards)
    return found is not None


def test_two_melds_do_not_grab_the_same_wild() -> None:
    assert not can("7S 7H 9S 9H 2S", 1)
    assert can("7S 7H 9S 9H 2S 2H", 1)


def test_a_wild_is_not_counted_twice_nor_a_natural() -> None:
    assert not can("7S 7H 7D 7C 2S", 1)
    assert can("7S 7H 7D 7C 2S 2H", 1)
    assert not fills([parse_cards("7S 7H"), parse_cards("9S 9H 2S")], KATE.contracts[0], KATE)


def test_a_natural_is_spared_for_the_set_where_a_wild_can_take_its_place() -> None:
    """All three 8s and both 2s: the 8S of the run must go to the set, or the set has no natural but wilds lack."""
    assert can("5S 6S 7S 8S 8H 2S 2H", 2)
    assert can("5S 6S 7S 8S 2S 2H 2D", 2)  # the set is 8S 2 2, the run 5S 6S 7S 2
    assert not can("5S 6S 7S 8S 2S 2H", 2)


def test_a_natural_is_spared_where_wilds_per_meld_are_limited() -> None:
    one_each = KATE.replace(max_wilds=1)
    assert can("5S 6S 7S 8S 8H 2S 2H", 2, one_each)
    assert not can("5S 6S 7S 8S 2S 2H 2D", 2, one_each)


def test_naturals_may_outnumber_the_wilds_only_in_a_longer_run() -> None:
    hand = "9S 9C 9D 4H 6H 8H 2S 2H"
    assert can(hand, 2, OUTNUMBER)  # 4H 2 6H 2 8H: no four of these have three naturals
    assert not can(hand, 2, OUTNUMBER.replace(lay_down_size="exact"))
    assert can(hand, 2)


def test_a_card_twice_does_not_stretch_a_run() -> None:
    assert not can("9S 9H 9D 4H 4H 5H 6H", 2)
    assert can("9S 9H 9D 4H 4H 5H 6H 2S", 2)
    assert run_readings(parse_cards("4H 4H 5H 2S"), KATE) == ()


def test_two_overlapping_runs_of_one_suit_need_each_card_for_itself() -> None:
    assert can("4S 5S 6S 7S 5S 6S 7S 8S 4H 5H 6H 7H", 7)
    assert not can("4S 5S 6S 7S 5S 6S 8S 8C 4H 5H 6H 7H", 7)
    assert not can("4S 5S 6S 7S 5S 6S 7S 8S 4H 5H 6H 7H", 7, KATE.replace(same_suit_runs="forbidden"))


@pytest.mark.parametrize("low", list(range(3, 12)))
def test_a_run_may_start_anywhere_up_to_the_one_that_ends_at_the_ace(low: int) -> None:
    assert can("9S 9H 9D " + " ".join(f"{Rank(rank).symbol}H" for rank in range(low, low + 4)), 2)


def test_no_run_goes_past_the_ace() -> None:
    assert not can("9S 9H 9D QC KC AC 3C", 2)
    assert can("9S 9H 9D QC KC AC 2C", 2)


def test_a_run_of_all_twelve_is_a_run_and_nothing_extends_it() -> None:
    full = parse_cards("3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS")
    (reading,) = readings(full, KATE)
    assert reading.low is Rank.THREE
    assert not any(plays(card, reading, KATE) for card in parse_cards("3S AS 2S 9S"))
    assert readings(parse_cards("3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS 2H"), KATE) == ()


def test_a_meld_that_grew_twice_is_asked_as_it_lies_now() -> None:
    run = Meld.run_from(Suit.SPADES, Rank.FIVE, parse_cards("5S 6S 7S 8S"))
    (longer,) = [play.result for play in plays(parse_cards("9S")[0], run, KATE)]
    (longest,) = [play.result for play in plays(parse_cards("4S")[0], longer, KATE)]
    assert str(longest) == "4S 5S 6S 7S 8S 9S"
    assert [play.action for card in parse_cards("3S 10S") for play in plays(card, longest, KATE)] == ["low", "high"]
    assert plays(parse_cards("9S")[0], longest, KATE) == ()


def test_positions_count_from_the_low_end_of_the_whole_meld() -> None:
    run = Meld.run_from(Suit.SPADES, Rank.FOUR, parse_cards("4S 2H 6S 2D 8S"))
    assert run.wild_positions() == (1, 3)
    assert [play.position for play in plays(parse_cards("7S")[0], run, KATE)] == [3, 3]


def test_the_order_of_typing_does_not_matter_for_readings() -> None:
    assert set(readings(parse_cards("6S 2H 4S"), KATE)) == set(readings(parse_cards("2H 4S 6S"), KATE))


def test_one_natural_with_three_wilds_is_a_set_or_a_run_as_declared() -> None:
    cards = parse_cards("5S 2S 2H 2D")
    kinds = [meld.kind.value for meld in readings(cards, KATE)]
    assert kinds.count("set") == 1
    assert kinds.count("run") == 3  # the five lies first, second or third from the low end; nothing is below 3
    assert fills([parse_cards("9S 9H 9D"), cards], KATE.contracts[1], KATE)


def test_more_copies_than_the_decks_hold() -> None:
    assert copies_problems(parse_cards("7S 7S"), KATE) == ()
    (problem,) = copies_problems(parse_cards("7S 7S 7S"), KATE)
    assert (problem.reason, problem.rule, str(problem.facts["card"])) == (Reason.TOO_MANY_COPIES, "G1.1", "7S")
    assert copies_problems(parse_cards("7S 7S 7S"), KATE.replace(decks=3)) == ()
    assert fills([parse_cards("7S 7S 7S"), parse_cards("9S 9H 9D")], KATE.contracts[0], KATE)
    melds = [Meld.set_of(Rank.SEVEN, parse_cards("7S 7S 7S")), Meld.set_of(Rank.NINE, parse_cards("9S 9H 9D"))]
    assert [p.reason for p in lay_down_problems(melds, KATE.contracts[0], KATE)] == [Reason.TOO_MANY_COPIES]


def test_wilds_apart_is_asked_of_neighbours_not_of_counts() -> None:
    assert not can("9S 9H 9D 4H 7H 2S 2H", 2, APART)
    assert can("9S 9H 9D 4H 6H 2S 2H", 2, APART)  # 4H 2 6H 2


def test_a_meld_may_not_hold_a_card_of_the_hand_twice_in_the_best_turn() -> None:
    found = best_turn(parse_cards("7S 7H 7D 9S 9H 9D 4C"), KATE.contracts[0], [], 0, KATE)
    assert found is not None
    assert found == BestTurn(0, "out")


def test_g7_3_the_last_card_is_a_2_and_a_set_is_down_so_the_player_floats() -> None:
    found = best_turn(parse_cards("7S 7H 7D 9S 9H 9D 2C"), KATE.contracts[0], [], 0, KATE)
    assert found is not None
    assert found == BestTurn(0, "float")


def test_a_chain_of_replacements_is_followed_to_its_end() -> None:
    """The 5S frees the 2 to an end, where the 7S may take its place again (G8.2)."""
    run = Meld.run_from(Suit.SPADES, Rank.FOUR, parse_cards("4S 2H 6S"))
    table = [TableMeld(0, 1, run, run)]
    found = best_turn(parse_cards("5S 7S 9D"), None, table, 0, KATE)
    assert found is not None
    assert found == BestTurn(0, "out")


def test_the_3_above_a_gap_is_laid_after_the_4() -> None:
    """G6.3: the 3 does not play directly, so it may be thrown; but it can follow the 4 (a chain)."""
    run = Meld.run_from(Suit.HEARTS, Rank.FIVE, parse_cards("5H 6H 7H 8H"))
    assert plays(parse_cards("3H")[0], run, KATE) == ()
    found = best_turn(parse_cards("3H 4H KD"), None, [TableMeld(0, 1, run, run)], 0, KATE)
    assert found is not None
    assert (found.points, found.end) == (0, "out")


def test_a_wild_never_stands_for_itself() -> None:
    assert all(is_wild_card(card, KATE) for card in parse_cards("2S 2H"))
    assert readings(parse_cards("2S 3S 4S"), KATE)[0].low is Rank.THREE
    assert not can("2S 2H 2D 2C 2S 9S", 1)
    assert can("2S 2H 2D 2C 9H 9S", 1)
