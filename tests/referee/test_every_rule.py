"""Rules that no other file of this folder tests by their number, and the proof that every number has its test."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from companion.referee import commands as c
from companion.referee.cards import Rank, Suit, parse_card, parse_cards
from companion.referee.claims import who_takes
from companion.referee.contracts import fills, floats, lay_down_problems, least_buys
from companion.referee.games import EHOW, KATE, PERU
from companion.referee.melds import Meld, is_wild_card, meld_problems
from companion.referee.readings import readings, readings_in_order
from companion.referee.reasons import Firmness, Reason
from companion.referee.rules import BadRules, Rules
from companion.referee.search.best_turn import BestTurn, best_turn
from companion.referee.search.can_go_down import can_go_down
from companion.referee.standings import places, standings
from companion.referee.state import TableMeld
from companion.referee.switches import SWITCHES
from companion.referee.table import copies_problems, dead_cards, discard_problems, plays
from tests.referee.nights import in_hand, night

OWNER, OTHER = 2, 1
EIGHTS = Meld.set_of(Rank.EIGHT, parse_cards("8S 8H 8D"))
HEARTS = Meld.run_from(Suit.HEARTS, Rank.FIVE, parse_cards("5H 6H 7H 8H"))

#: The numbers of the rulebook that the referee enforces: G of Gripe, P of the game from Peru, K of Grebber.
NUMBERS = """
    G1.1 G1.2 G1.3 G2.1 G2.2 G2.3 G3.1 G3.2 G3.3 G3.4 G3.5 G3.6 G4.1 G4.2 G4.3 G4.4 G4.5 G4.6
    G5.1 G5.2 G5.3 G5.4 G5.5 G5.6 G5.7 G6.1 G6.1a G6.2 G6.3 G6.4 G6.5 G6.7 G7.1 G7.2 G7.3 G7.4 G7.5
    G8.1 G8.2 G8.3 G8.4 G8.5 G9.1 G9.2 G9.3 G9.4 P1 P2 P3 P4 P5 P6 P7 P8 P9
    K1 K2 K3 K4 K5 K6 K7 K8 K9 K10
""".split()  # noqa: SIM905


@cache
def names_of_tests() -> list[str]:
    """The names of all tests of this folder, each with a last underscore so that a number ends somewhere."""
    sources = sorted(Path(__file__).parent.glob("test_*.py"))
    nodes = (node for path in sources for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return [node.name + "_" for node in nodes if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]


@pytest.mark.parametrize("number", NUMBERS)
def test_every_rule_number_has_a_test_named_after_it(number: str) -> None:
    assert any(f"_{number.lower().replace('.', '_')}_" in name for name in names_of_tests())


def test_no_test_is_named_after_a_rule_that_is_none() -> None:
    words = [name.removeprefix("test_").split("_") for name in names_of_tests()]
    named = {
        f"{a}.{b}" for word in words for a, b in zip(word, word[1:], strict=False) if a[:1] == "g" and a[1:].isdigit()
    }
    known = {number.lower() for number in NUMBERS}
    assert {number for number in named - known if number.split(".")[1][:1].isdigit()} == set()
    first = {word[0] for word in words if word[0][:1] in "gpk" and word[0][1:].isdigit()}
    assert first <= {number.split(".")[0] for number in known}


def on_table(*melds: Meld, owner: int = OWNER) -> list[TableMeld]:
    return [TableMeld(number, owner, meld, meld) for number, meld in enumerate(melds)]


def dead(*melds: Meld, rules: Rules = KATE, player: int = OTHER) -> set[str]:
    return {str(card) for card, why in dead_cards(on_table(*melds), player, rules).items() if why}


def faults(meld: Meld, rules: Rules = KATE, *, going_down: bool = True) -> list[Reason]:
    return [problem.reason for problem in meld_problems(meld, rules, going_down=going_down)]


def can(hand: str, number: int, rules: Rules = KATE) -> bool:
    return can_go_down(parse_cards(hand), rules.contracts[number - 1], rules) is not None


# --- G2, G3: cards and melds ----------------------------------------------------------------------------------------
def test_g2_2_a_two_stands_for_any_card_and_never_for_itself() -> None:
    assert [is_wild_card(card, KATE) for card in parse_cards("2S 2H 3S JS")] == [True, True, False, False]
    assert readings(parse_cards("2S 2H 2D"), KATE) == ()
    assert [meld.low for meld in readings(parse_cards("2S 3S 4S"), KATE)] == [Rank.THREE]  # no 2-3-4
    for suit in "SHDC":
        assert str(readings_in_order(parse_cards(f"4S 2{suit} 6S"), KATE)[0].stands_for(1)) == "5S"


def test_g3_3_with_no_natural_asked_three_wilds_are_whatever_they_are_declared() -> None:
    wilds, rules = parse_cards("2S 2H 2D"), KATE.replace(min_naturals=0)
    assert faults(Meld.set_of(Rank.NINE, wilds), rules) == []
    assert {meld.rank for meld in readings(wilds, rules) if meld.rank} == set(Rank) - {Rank.JOKER, Rank.TWO}
    assert can("2S 2H 2D 2C 2S 2H", 1, rules)
    assert not can("2S 2H 2D 2C 2S 2H", 1)
    assert fills([wilds, parse_cards("9S 9H 9D")], KATE.contracts[0], rules)
    two = KATE.replace(min_naturals=2)
    assert can("9S 9H 2D 8S 8H 2C", 1, two)
    assert not can("9S 2H 2D 8S 8H 2C", 1, two)


def test_g3_4_wilds_in_a_meld_as_the_table_limits_them() -> None:
    crowded = Meld.set_of(Rank.NINE, parse_cards("9S 2H 2D"))
    assert faults(crowded) == []
    assert faults(crowded, KATE.replace(max_wilds=2)) == []
    assert faults(crowded, KATE.replace(max_wilds=1)) == [Reason.TOO_MANY_WILDS]
    assert faults(crowded, KATE.replace(naturals_outnumber=True)) == [Reason.WILDS_NOT_OUTNUMBERED]
    equal = Meld.set_of(Rank.NINE, parse_cards("9S 9H 2H 2D"))
    assert faults(equal, KATE.replace(naturals_outnumber=True)) == [Reason.WILDS_NOT_OUTNUMBERED]
    assert faults(Meld.set_of(Rank.NINE, parse_cards("9S 9H 2H")), KATE.replace(naturals_outnumber=True)) == []


def test_g3_4_the_limits_hold_always_or_only_when_going_down() -> None:
    always = KATE.replace(max_wilds=1)
    only_down = always.replace(wild_limit_scope="going_down")
    full = Meld.set_of(Rank.NINE, parse_cards("9S 9H 2D"))
    assert plays(parse_card("2C"), full, always) == ()
    assert [str(play.result) for play in plays(parse_card("2C"), full, only_down)] == ["9S 9H 2D 2C"]
    crowded = Meld.set_of(Rank.NINE, parse_cards("9S 2H 2D"))
    assert faults(crowded, only_down) == [Reason.TOO_MANY_WILDS]
    assert faults(crowded, only_down, going_down=False) == []
    assert faults(crowded, always, going_down=False) == [Reason.TOO_MANY_WILDS]


def test_g3_5_wilds_side_by_side_in_a_run() -> None:
    apart = KATE.replace(adjacent_wilds="forbidden")
    beside = Meld.run_from(Suit.SPADES, Rank.FOUR, parse_cards("4S 2H 2D 7S"))
    assert faults(beside) == []
    (problem,) = meld_problems(beside, apart)
    assert (problem.reason, problem.rule, problem.facts["positions"]) == (Reason.WILDS_ADJACENT, "G3.5", (1,))
    assert faults(Meld.run_from(Suit.SPADES, Rank.FOUR, parse_cards("4S 2H 6S 2D")), apart) == []
    assert faults(Meld.set_of(Rank.NINE, parse_cards("9S 2H 2D")), apart) == []  # in a set the order is free
    assert plays(parse_card("2C"), Meld.run_from(Suit.SPADES, Rank.THREE, parse_cards("3S 4S 2H")), apart) == ()


# --- G4: contracts --------------------------------------------------------------------------------------------------
def test_g4_3_a_meld_may_be_longer_than_asked_unless_the_size_is_exact() -> None:
    melds = [Meld.set_of(Rank.NINE, parse_cards("9S 9H 9D 9C")), EIGHTS]
    exact = KATE.replace(lay_down_size="exact")
    assert lay_down_problems(melds, KATE.contracts[0], KATE) == ()
    (problem,) = lay_down_problems(melds, KATE.contracts[0], exact)
    assert (problem.reason, problem.rule, problem.switch) == (Reason.TOO_LONG, "G4.3", "lay_down_size")
    assert lay_down_problems([Meld.set_of(Rank.NINE, parse_cards("9S 9H 9D")), EIGHTS], KATE.contracts[0], exact) == ()


def test_g4_4_further_melds_are_sets_and_runs_of_three() -> None:
    laid = [EIGHTS, Meld.set_of(Rank.NINE, parse_cards("9S 9H 9D"))]
    third = Meld.run_from(Suit.CLUBS, Rank.FOUR, parse_cards("4C 5C 6C"))
    assert [p.reason for p in lay_down_problems([*laid, third], KATE.contracts[0], KATE)] == [Reason.EXTRA_MELD]
    more = KATE.replace(extra_melds=True)
    assert lay_down_problems([*laid, third], KATE.contracts[0], more) == ()
    short = Meld.run_from(Suit.CLUBS, Rank.FOUR, parse_cards("4C 5C"))
    assert [p.reason for p in lay_down_problems([*laid, short], KATE.contracts[0], more)] == [Reason.TOO_SHORT]


def test_g4_5_two_runs_of_one_suit_even_overlapping() -> None:
    low = Meld.run_from(Suit.SPADES, Rank.THREE, parse_cards("3S 4S 5S 6S"))
    same = Meld.run_from(Suit.SPADES, Rank.FOUR, parse_cards("4S 5S 6S 7S"))
    melds, contract = [low, same, HEARTS], KATE.contracts[6]
    assert lay_down_problems(melds, contract, KATE) == ()
    (problem,) = lay_down_problems(melds, contract, KATE.replace(same_suit_runs="forbidden"))
    assert (problem.reason, problem.rule) == (Reason.SAME_SUIT_RUNS, "G4.5")


def test_g4_6_cards_needed_buys_needed_and_who_floats() -> None:
    assert [least_buys(contract, KATE) for contract in KATE.contracts] == [0, 0, 0, 0, 0, 0, 0, 1, 1, 2]
    floating = [
        (hand, buys)
        for hand, contract in enumerate(KATE.contracts, 1)
        for buys in range(5)
        if floats(contract, KATE, buys)
    ]
    assert floating == [(7, 0), (9, 1)]


# --- G5: drawing and buying -----------------------------------------------------------------------------------------


def test_g5_1_only_the_next_player_draws_the_discard_without_a_buy() -> None:
    assert who_takes((1,), 0, in_hand(1)).free
    assert not who_takes((2,), 0, in_hand(1)).free
    bought = night(4).do(c.Buy(1, 2))
    assert bought.state.hand is not None
    assert dict(bought.state.hand.buys) == {2: 1}  # drawing is no entry, a buy is


def test_g5_4_a_discard_is_bought_once_whoever_else_called() -> None:
    claim = who_takes((3, 2), 0, in_hand(1))
    assert (claim.seat, claim.free, claim.refused) == (2, False, ())
    assert who_takes((3,), 0, in_hand(1)).seat == 3


def test_g5_7_for_the_first_upcard_the_dealer_is_the_discarder() -> None:
    dealer = 1
    claim = who_takes((3, 2), dealer, in_hand(1))
    assert (claim.seat, claim.free) == (2, True)  # the dealer's left, who starts (G1.3)
    assert who_takes((0, 3), dealer, in_hand(1)).seat == 3
    own = who_takes((dealer,), dealer, in_hand(1))
    assert [problem.reason for problem in own.refused] == [Reason.BUYS_OWN_DISCARD]


# --- G6: discards ---------------------------------------------------------------------------------------------------
def test_g6_1_what_plays_may_not_be_thrown_by_anybody_down_or_not() -> None:
    for player in (OTHER, OWNER, None):
        assert discard_problems(parse_card("8C"), on_table(EIGHTS), player, KATE)
        assert discard_problems(parse_card("9C"), on_table(EIGHTS), player, KATE) == ()
    assert discard_problems(parse_card("8C"), [], OTHER, KATE) == ()


def test_g6_1a_where_the_ban_is_off_everything_may_be_thrown() -> None:
    assert dead(EIGHTS, HEARTS, rules=KATE.replace(discard_ban=False)) == set()
    assert dead(EIGHTS, HEARTS, rules=EHOW) == set()
    assert "8C" in dead(EIGHTS, HEARTS)


def test_g6_3_only_what_plays_directly_is_dead() -> None:
    assert {"4H", "9H"} <= dead(HEARTS)
    assert not {"3H", "10H"} & dead(HEARTS)


def test_g6_4_own_melds_count_unless_the_table_says_otherwise() -> None:
    literal = KATE.replace(own_melds_count=False)
    (problem,) = discard_problems(parse_card("8C"), on_table(EIGHTS), OWNER, KATE)
    assert (problem.rule, problem.firmness, problem.switch) == ("G6.4", Firmness.SILENT, "own_melds_count")
    assert discard_problems(parse_card("8C"), on_table(EIGHTS), OWNER, literal) == ()
    (problem,) = discard_problems(parse_card("8C"), on_table(EIGHTS), OTHER, literal)
    assert problem.rule == "G6.2"


def test_g6_5_a_set_left_out_by_g6_4_forbids_no_2() -> None:
    literal = KATE.replace(own_melds_count=False)
    assert discard_problems(parse_card("2C"), on_table(EIGHTS), OWNER, literal) == ()
    assert discard_problems(parse_card("2C"), on_table(EIGHTS), OTHER, literal) != ()


def test_g6_7_a_bad_discard_is_taken_back_by_a_switch_of_the_table() -> None:
    assert (KATE.bad_discard, SWITCHES["bad_discard"].firmness) == ("take_back", Firmness.SILENT)
    assert KATE.replace(bad_discard="take_back_plus_two").bad_discard == "take_back_plus_two"
    with pytest.raises(BadRules):
        KATE.replace(bad_discard="keep")


# --- G7: the end of a turn and of a hand ----------------------------------------------------------------------------
def ends(hand: str, *melds: Meld, rules: Rules = KATE, owner: int = OWNER) -> tuple[int, str]:
    found = best_turn(parse_cards(hand), None, on_table(*melds, owner=owner), OTHER, rules)
    assert found is not None
    return found.points, found.end


def test_g7_1_laying_off_in_the_turn_of_going_down() -> None:
    hand, contract = parse_cards("9S 9H 9D 7S 7H 7D 8C KD"), KATE.contracts[0]
    same_turn = best_turn(hand, contract, on_table(EIGHTS), OTHER, KATE)
    later = best_turn(hand, contract, on_table(EIGHTS), OTHER, KATE.replace(lay_off_same_turn=False))
    assert same_turn is not None
    assert later is not None
    assert (same_turn.points, same_turn.end) == (0, "out")
    assert later == BestTurn(5, "hold")


def test_g7_2_the_hand_ends_with_a_last_card_that_may_be_thrown() -> None:
    assert ends("8C KD", EIGHTS) == (0, "out")
    assert ends("KD", EIGHTS) == (0, "out")
    assert ends("KD QC", EIGHTS) == (10, "hold")


def test_g7_3_a_last_card_that_plays_is_played_and_the_player_floats() -> None:
    assert ends("2S", EIGHTS) == (0, "float")
    assert ends("8C", EIGHTS) == (0, "float")
    assert ends("9C", EIGHTS) == (0, "out")


def test_g7_4_where_no_discard_is_needed_the_last_card_played_ends_the_hand() -> None:
    assert ends("2S", EIGHTS, rules=KATE.replace(must_discard_to_go_out=False)) == (0, "out")
    assert ends("2S", EIGHTS, rules=EHOW) == (0, "out")


def test_g7_5_a_hand_that_ran_out_of_cards_is_scored_without_a_winner() -> None:
    assert SWITCHES["stock_out"].values == ("reshuffle", "end_hand")
    going = night(4)
    assert going.refused(c.ScoreHand(1, None, dict.fromkeys(range(4), 40))) == ()
    assert Reason.ZERO_NOT_OUT in going.refused(c.ScoreHand(1, None, {0: 0, 1: 40, 2: 40, 3: 40}))


# --- G9: scoring ----------------------------------------------------------------------------------------------------
def test_g9_3_equal_totals_share_the_place() -> None:
    assert places({0: 50, 1: 50, 2: 90, 3: 40}) == {3: 1, 0: 2, 1: 2, 2: 4}
    tied = night(3).score(None, p0=20, p1=20, p2=25)
    assert standings(tied.state).winners == (0, 1)
    assert standings(night(3).score(None, p0=20, p1=25, p2=25).state).winners == (0,)


# --- the game from Peru ---------------------------------------------------------------------------------------------
def test_p1_two_packs_with_two_jokers_each() -> None:
    assert copies_problems(parse_cards("JK JK JK JK 7S 7S"), PERU) == ()
    (problem,) = copies_problems(parse_cards("JK JK JK JK JK"), PERU)
    assert (problem.reason, problem.facts["limit"]) == (Reason.TOO_MANY_COPIES, 4)
    assert copies_problems(parse_cards("JK JK JK JK JK JK"), PERU.replace(jokers=3)) == ()
    assert (PERU.min_players, PERU.players_per_two_decks) == (2, 5)


def test_p2_wilds_cost_25_and_a_2_may_be_natural() -> None:
    values = {text: PERU.value(parse_card(text)) for text in ("JK", "2S", "AS", "KS", "8S", "7S", "3S")}
    assert values == {"JK": 25, "2S": 25, "AS": 15, "KS": 10, "8S": 10, "7S": 5, "3S": 5}
    twos = Meld.set_of(Rank.TWO, parse_cards("2S 2H JK"))
    assert faults(twos, PERU) == []
    assert faults(Meld.set_of(Rank.TWO, parse_cards("2S JK JK")), PERU) == [Reason.WILDS_NOT_OUTNUMBERED]
    natural = Meld.run_from(Suit.SPADES, Rank.ACE, parse_cards("AS 2S 3S"))
    assert (natural.wild_positions(), faults(natural, PERU)) == ((), [])
    assert Meld.run_from(Suit.SPADES, Rank.ACE, parse_cards("AS 2H 3S")).wild_positions() == (1,)


def test_p3_round_the_corner_is_a_run_and_has_each_rank_once() -> None:
    around = parse_cards("QS KS AS 2S 3S 4S 5S")
    assert [meld.low for meld in readings_in_order(around, PERU)] == [Rank.QUEEN]
    assert readings_in_order(around, KATE) == ()
    thirteen = parse_cards("QS KS AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS")
    assert len(readings_in_order(thirteen, PERU)) == 1
    assert readings_in_order((*thirteen, parse_card("QS")), PERU) == ()


def test_p4_each_contract_and_the_melds_after_it() -> None:
    kinds = [" ".join(f"{slot.kind.value}{slot.size}" for slot in contract.slots) for contract in PERU.contracts]
    assert kinds == [
        "set3", "set3 set3", "set3 set3 set3", "set4", "set4 set4", "set5", "set5 set5", "set6", "run7",
    ]  # fmt: skip
    assert can("9S 9H 9D 9C", 4, PERU)
    assert not can("9S 9H 9D", 4, PERU)
    further = [Meld.set_of(Rank.NINE, parse_cards("9S 9H 9D 9C 9S")), EIGHTS, HEARTS]
    assert lay_down_problems(further, PERU.contracts[3], PERU) == ()


def test_p5_naturals_outnumber_wilds_and_wilds_lie_apart() -> None:
    assert faults(Meld.set_of(Rank.NINE, parse_cards("9S 9H JK")), PERU) == []
    assert faults(Meld.set_of(Rank.NINE, parse_cards("9S 9H JK 2D")), PERU) == [Reason.WILDS_NOT_OUTNUMBERED]
    beside = Meld.run_from(Suit.SPADES, Rank.FOUR, parse_cards("4S JK 2H 7S 8S"))
    assert faults(beside, PERU) == [Reason.WILDS_ADJACENT]
    assert faults(Meld.run_from(Suit.SPADES, Rank.FOUR, parse_cards("4S JK 6S 2H 8S")), PERU) == []


def test_p7_no_wild_is_thrown_and_playing_cards_are() -> None:
    (problem,) = discard_problems(parse_card("JK"), [], OTHER, PERU)
    assert (problem.reason, problem.rule, problem.firmness) == (Reason.DISCARD_WILD, "P7", Firmness.TEXT)
    assert dead(EIGHTS, rules=PERU) == {"JK", "2S", "2H", "2D", "2C"}
    assert ends("2S JK", rules=PERU) == (50, "hold")  # only wilds: keep them


def test_p8_eight_chips_for_the_game_and_two_stock_cards_a_buy() -> None:
    assert (PERU.buys_per_game, PERU.stock_cards, PERU.next_player_pays, PERU.buy_unit) == (8, 2, True, "chip")
    assert [least_buys(contract, PERU) for contract in PERU.contracts] == [0] * 9
    fifteen = KATE.contracts[9]  # 12 in hand after drawing, and three more a buy
    assert floats(fifteen, PERU, 1)
    assert (least_buys(fifteen, PERU), least_buys(fifteen, KATE)) == (1, 2)
    assert who_takes((3,), 0, in_hand(9, PERU, buys={3: 8})).seat is None


def test_p9_the_deal_ends_with_the_last_card_thrown_and_the_lowest_total_wins() -> None:
    assert ends("8C KD", EIGHTS, rules=PERU) == (0, "out")
    assert PERU.must_discard_to_go_out
    assert not PERU.floating
    assert PERU.lowest_wins
    assert len(PERU.contracts) == 9
