"""Every row of the rulebook's situations of Gripe, each named after its rule, with the neighbour that must stay."""

from __future__ import annotations

import pytest

from companion.referee.cards import Card, Rank, Suit, parse_card, parse_cards
from companion.referee.claims import who_takes
from companion.referee.contracts import fills, lay_down_problems
from companion.referee.games import KATE
from companion.referee.melds import Meld, meld_problems
from companion.referee.readings import readings, readings_in_order, run_readings
from companion.referee.reasons import Firmness, Problem, Reason
from companion.referee.rules import Rules
from companion.referee.search.best_turn import BestTurn, best_turn
from companion.referee.state import TableMeld
from companion.referee.switches import rests_on
from companion.referee.table import dead_cards, discard_problems, plays
from tests.referee.nights import in_hand

OWNER, NOT_DOWN = 2, 1


def run(text: str, low: Rank, suit: Suit = Suit.SPADES) -> Meld:
    return Meld.run_from(suit, low, parse_cards(text))


def on_table(*melds: Meld) -> list[TableMeld]:
    return [TableMeld(number, OWNER, meld, meld) for number, meld in enumerate(melds)]


def refusals(card: str, *melds: Meld, rules: Rules = KATE) -> tuple[Problem, ...]:
    return discard_problems(parse_card(card), on_table(*melds), NOT_DOWN, rules)


def dead(*melds: Meld, rules: Rules = KATE) -> set[str]:
    return {str(card) for card, problems in dead_cards(on_table(*melds), NOT_DOWN, rules).items() if problems}


def results(card: str, meld: Meld, action: str) -> dict[str | None, str]:
    found = [play for play in plays(parse_card(card), meld, KATE) if play.action == action]
    return {play.wild_to: str(play.result) for play in found}


HOLE = run("4S 2H 6S", Rank.FOUR)


def test_g6_2_g8_1_the_card_a_wild_stands_for_may_not_be_thrown() -> None:
    (problem,) = refusals("5S", HOLE)
    assert (problem.reason, problem.rule) == (Reason.DISCARD_REPLACES, "G8.1")
    assert (problem.facts["owner"], problem.facts["meld"], problem.facts["position"]) == (OWNER, HOLE, 1)
    assert problem.facts["wild_to"] == ("low", "high")
    assert results("5S", HOLE, "replace") == {"low": "2H 4S 5S 6S", "high": "4S 5S 6S 2H"}


@pytest.mark.parametrize("card", ["3S", "7S", "2S", "2H", "2D", "2C"])
def test_g6_2_what_extends_a_run_may_not_be_thrown(card: str) -> None:
    (problem,) = refusals(card, HOLE)
    assert (problem.reason, problem.rule) == (Reason.DISCARD_EXTENDS, "G6.2")


@pytest.mark.parametrize("card", ["4S", "6S", "5H", "8S"])
def test_g6_2_what_does_not_play_may_be_thrown(card: str) -> None:
    assert refusals(card, HOLE) == ()


def test_g6_2_these_are_all_the_dead_cards_of_that_table() -> None:
    assert dead(HOLE) == {"3S", "5S", "7S", "2S", "2H", "2D", "2C"}


def test_g8_3_a_run_from_3_frees_its_wild_to_the_top_only() -> None:
    assert results("4S", run("3S 2H 5S", Rank.THREE), "replace") == {"high": "3S 4S 5S 2H"}
    assert set(results("5S", run("4S 2H 6S", Rank.FOUR), "replace")) == {"low", "high"}


def test_g8_3_a_run_to_the_ace_frees_its_wild_to_the_bottom_only() -> None:
    assert results("KS", run("QS 2H AS", Rank.QUEEN), "replace") == {"low": "2H QS KS AS"}
    assert set(results("QS", run("JS 2H KS", Rank.JACK), "replace")) == {"low", "high"}


def test_g8_3_a_full_run_keeps_its_wild_and_the_card_may_be_thrown() -> None:
    full = run("3S 4S 5S 6S 7S 8S 2H 10S JS QS KS AS", Rank.THREE)
    assert plays(parse_card("9S"), full, KATE) == ()
    assert dead(full) == set()
    one_short = run("4S 5S 6S 7S 8S 2H 10S JS QS KS AS", Rank.FOUR)
    assert results("9S", one_short, "replace") == {"low": "2H 4S 5S 6S 7S 8S 9S 10S JS QS KS AS"}


def test_g8_5_where_the_wild_comes_to_hand_a_full_run_gives_it_up() -> None:
    full = run("3S 4S 5S 6S 7S 8S 2H 10S JS QS KS AS", Rank.THREE)
    assert dead(full, rules=KATE.replace(freed_wild="hand")) == {"9S"}


def test_g6_2_g8_1_a_wild_at_the_end_is_replaced_and_the_next_card_extends() -> None:
    end = run("4S 5S 2H", Rank.FOUR)
    assert results("6S", end, "replace") == {"low": "2H 4S 5S 6S", "high": "4S 5S 6S 2H"}
    assert results("7S", end, "high") == {None: "4S 5S 2H 7S"}


def test_g8_2_a_freed_wild_can_be_replaced_again() -> None:
    after = run("4S 5S 6S 2H", Rank.FOUR)
    assert set(results("7S", after, "replace")) == {"low", "high"}


def test_g6_2_a_second_ace_does_not_play_on_a_run_to_the_ace() -> None:
    royal = run("10S JS QS KS AS", Rank.TEN)
    assert refusals("AS", royal) == ()
    assert refusals("9S", royal) != ()


def test_g8_4_in_a_set_nothing_is_replaced() -> None:
    pair = Meld.set_of(Rank.FOUR, parse_cards("4C 4D 2S"))
    assert [(p.action, str(p.result)) for p in plays(parse_card("4H"), pair, KATE)] == [("add", "4C 4D 2S 4H")]


def test_g2_1_g3_6_nothing_is_below_3_but_as_cards_it_is_a_run() -> None:
    laid = parse_cards("2H 3S 4S 5S")
    assert readings_in_order(laid, KATE) == ()
    assert list(map(str, run_readings(laid, KATE))) == ["3S 4S 5S 2H"]
    assert run_readings(laid, KATE)[0].stands_for(3) == Card(Rank.SIX, Suit.SPADES)


def test_g2_1_g3_6_nothing_is_above_the_ace() -> None:
    assert readings_in_order(parse_cards("QS KS AS 2H"), KATE) == ()
    assert list(map(str, run_readings(parse_cards("QS KS AS 2H"), KATE))) == ["2H QS KS AS"]
    assert readings_in_order(parse_cards("JS QS KS 2H"), KATE) != ()


def test_g2_1_round_the_corner_is_no_run() -> None:
    assert readings_in_order(parse_cards("KS AS 2H 3S"), KATE) == ()
    assert readings(parse_cards("KS AS 2H 3S"), KATE) == ()


def test_g3_each_set_of_hand_1_has_its_own_wild() -> None:
    groups = [parse_cards("7D 7S 2H"), parse_cards("9S 9C 2D")]
    assert fills(groups, KATE.contracts[0], KATE)
    melds = [Meld.set_of(Rank.SEVEN, groups[0]), Meld.set_of(Rank.NINE, groups[1])]
    assert lay_down_problems(melds, KATE.contracts[0], KATE) == ()


def test_g3_3_three_wilds_are_no_set_and_the_verdict_rests_on_the_switch() -> None:
    wilds = Meld.set_of(Rank.SEVEN, parse_cards("2S 2H 2D"))
    (problem,) = meld_problems(wilds, KATE)
    assert (problem.reason, problem.rule, problem.switch) == (Reason.NO_NATURAL, "G3.3", "min_naturals")
    assert problem.firmness is Firmness.SILENT
    assert rests_on(lambda rules: meld_problems(wilds, rules), KATE) == ("min_naturals",)
    assert meld_problems(Meld.set_of(Rank.SEVEN, parse_cards("7S 2H 2D")), KATE) == ()


def test_g3_3_three_2s_have_one_reason_whatever_rank_they_are_declared() -> None:
    twos = Meld.set_of(Rank.TWO, parse_cards("2S 2H 2D"))
    (problem,) = meld_problems(twos, KATE)
    assert (problem.reason, problem.rule, problem.switch) == (Reason.NO_NATURAL, "G3.3", "min_naturals")
    assert [p.rule for p in meld_problems(twos, KATE.replace(max_wilds=2))] == ["G3.3", "G3.4"]
    (which,) = meld_problems(twos, KATE.replace(min_naturals=0))
    assert (which.reason, which.rule, len(which.facts["readings"])) == (Reason.AMBIGUOUS, "G3.6", 12)
    (wrong,) = meld_problems(Meld.set_of(Rank.TWO, parse_cards("9S 9H 2D")), KATE)  # a 2 never stands for itself
    assert (wrong.reason, wrong.facts["cards"]) == (Reason.NOT_A_SET, parse_cards("9S 9H"))


def test_g3_6_one_natural_and_three_wilds_are_the_run_of_hand_2() -> None:
    groups = [parse_cards("9S 9H 9D"), parse_cards("5H 2S 2D 2C")]
    assert fills(groups, KATE.contracts[1], KATE)
    declared = run("5H 2S 2D 2C", Rank.FIVE, Suit.HEARTS)
    assert lay_down_problems([Meld.set_of(Rank.NINE, groups[0]), declared], KATE.contracts[1], KATE) == ()
    assert refusals("5S", declared) == ()
    assert refusals("5S", Meld.set_of(Rank.FIVE, groups[1])) != ()


def test_g3_1_the_same_card_may_be_in_a_set_twice() -> None:
    eights = Meld.set_of(Rank.EIGHT, parse_cards("8S 8S 8H"))
    assert meld_problems(eights, KATE) == ()
    assert readings(parse_cards("8S 8S 9S"), KATE) == ()


def test_g4_5_two_sets_of_one_rank_rest_on_the_switch() -> None:
    contract = KATE.contracts[8]
    melds = [
        Meld.set_of(Rank.EIGHT, parse_cards("8S 8H 8D")),
        Meld.set_of(Rank.EIGHT, parse_cards("8C 8S 8H")),
        Meld.set_of(Rank.NINE, parse_cards("9C 9S 9H")),
        run("3S 4S 5S 6S 7S", Rank.THREE),
    ]
    assert lay_down_problems(melds, contract, KATE) == ()
    assert rests_on(lambda rules: lay_down_problems(melds, contract, rules), KATE) == ("same_rank_sets",)
    (problem,) = lay_down_problems(melds, contract, KATE.replace(same_rank_sets="forbidden"))
    assert (problem.reason, problem.rule) == (Reason.SAME_RANK_SETS, "G4.5")


def test_g6_5_a_wild_may_not_be_thrown_while_a_set_is_down() -> None:
    eights = Meld.set_of(Rank.EIGHT, parse_cards("8S 8S 8H"))
    (problem,) = refusals("2S", eights)
    assert (problem.reason, problem.rule) == (Reason.DISCARD_JOINS_SET, "G6.5")
    assert refusals("2S", Meld.set_of(Rank.EIGHT, parse_cards("8S 2S 8H")), rules=KATE.replace(max_wilds=1)) == ()


def test_g6_5_g7_3_a_last_2_must_be_played_on_the_set_and_the_player_floats() -> None:
    eights = Meld.set_of(Rank.EIGHT, parse_cards("8S 8S 8H"))
    played = best_turn(parse_cards("2S"), None, on_table(eights), NOT_DOWN, KATE)
    assert played is not None
    assert played == BestTurn(0, "float")
    thrown = best_turn(parse_cards("9S"), None, on_table(eights), NOT_DOWN, KATE)
    assert thrown is not None
    assert thrown == BestTurn(0, "out")


@pytest.mark.parametrize(("hand", "taker"), [(9, None), (10, 2)])
def test_g5_3_a_fourth_buy_is_refused_in_hand_9_and_allowed_in_hand_10(hand: int, taker: int | None) -> None:
    claim = who_takes((2,), 0, in_hand(hand, buys={2: 3}))
    assert claim.seat == taker
    assert [problem.rule for problem in claim.refused] == ([] if taker else ["G5.3"])


def test_g2_3_a_nine_counts_ten() -> None:
    assert [KATE.value(parse_card(text)) for text in ("8H", "9H")] == [5, 10]
