"""The situations of the family's rule book that no line of ``data/family.jsonl`` asks (FAMILY, section 10)."""

import pytest

from companion.referee import commands as do
from companion.referee.cards import parse_cards
from companion.referee.claims import who_takes
from companion.referee.contracts import fills
from companion.referee.games import SHEETS
from companion.referee.melds import Meld, meld_problems
from companion.referee.reasons import Reason
from companion.referee.rules import Rules
from tests.referee.test_family_engine import begun, play, reasons, scored

CONTRACT: Rules = SHEETS["contract"]


def test_12_where_suits_differ_no_suit_is_in_a_set_twice() -> None:
    rules = CONTRACT.replace(set_suits="different")
    two, others = parse_cards("7S 7S 7H"), parse_cards("9S 9H 9D")
    assert not fills([two, others], rules.contracts[0], rules)
    assert fills([two, others], rules.contracts[0], CONTRACT)
    assert fills([parse_cards("7S 7H 7D"), others], rules.contracts[0], rules)


def test_14_of_wilds_that_lie_side_by_side_nowhere_a_set_holds_what_can_be_laid_between_naturals() -> None:
    """The cards of a set have no order here, so only more wilds than lie apart are refused."""
    rules = SHEETS["hawaiian"].replace(adjacent_wilds="nowhere", min_naturals=1)
    nine = parse_cards("9S")[0].rank
    three, apart = (Meld.set_of(nine, parse_cards(text)) for text in ("9S JK 2H 2D", "9S JK 9H"))
    assert [problem.reason for problem in meld_problems(three, rules)] == [Reason.WILDS_ADJACENT]
    assert list(meld_problems(apart, rules)) == []


def test_19_liverpool_who_is_down_neither_buys_the_discard_nor_draws_it_in_turn() -> None:
    state = play(begun("liverpool"), do.GoDownWithoutCards(1, 2))
    claim = who_takes((2,), 0, state.playing)  # type: ignore[arg-type]
    assert (claim.seat, [problem.reason for problem in claim.refused]) == (None, [Reason.BUYER_DOWN])
    down = play(begun("liverpool"), do.GoDownWithoutCards(1, 1))
    free = who_takes((1,), 0, down.playing)  # type: ignore[arg-type]
    assert (free.seat, [problem.reason for problem in free.refused]) == (None, [Reason.DRAWER_DOWN])
    assert who_takes((1,), 0, begun("liverpool").playing).free  # type: ignore[arg-type]
    contract = play(begun("contract"), do.GoDownWithoutCards(1, 1))
    assert who_takes((1,), 0, contract.playing).free  # type: ignore[arg-type]


def test_25_carioca_with_seven_buys_a_game_refuses_the_eighth_in_a_new_deal() -> None:
    state = play(begun("carioca", buys_per_game=7), *[do.Buy(1, 1)] * 6)
    state = play(state, scored(state, 0, s1=20, s2=20, s3=20), do.Buy(2, 1))
    assert reasons(state, do.Buy(2, 1)) == [Reason.NO_BUYS_LEFT]
    assert reasons(state, do.Buy(2, 2)) == []
    assert state.rules.stock_cards == 1


def test_27_a_list_of_an_own_order_is_common_or_each_players_own_never_chosen_by_who_is_first() -> None:
    """Bolivia's form, in which the first to go down chooses, is told on the rules page and not played."""
    assert {SHEETS[sheet].progress for sheet in SHEETS} == {"common", "own"}


@pytest.mark.parametrize(("veto", "may_refuse"), [("none", ()), ("turn_player", (3,)), ("all_before", (3, 2))])
def test_30_continental_a_following_player_gets_the_discard_and_under_the_veto_others_may_refuse(
    veto: str, may_refuse: tuple[int, ...]
) -> None:
    """Play goes anticlockwise: after seat 0 comes seat 3. The app does not hear a refusal, it says who may refuse."""
    state = begun("continental", buy_veto=veto)
    claim = who_takes((1,), 0, state.playing)  # type: ignore[arg-type]
    assert (claim.seat, claim.free, claim.may_refuse) == (1, False, may_refuse)
    assert who_takes((3, 1), 0, state.playing).free  # type: ignore[arg-type]


def test_carioca_goes_anticlockwise_and_contract_clockwise() -> None:
    for sheet, following in (("carioca", 3), ("contract", 1)):
        claim = who_takes((1, 3), 0, begun(sheet, buys_per_game=7).playing)  # type: ignore[arg-type]
        assert (claim.seat, claim.free) == (following, True)
