"""Who gets a bought card: G5.2–G5.7, and chips (P8)."""

from __future__ import annotations

from companion.referee.claims import who_takes
from companion.referee.games import KATE, PERU
from companion.referee.reasons import Firmness, Reason
from companion.referee.rules import Rules
from tests.referee.nights import in_hand


def taker(calls: tuple[int, ...], rules: Rules = KATE, discarder: int = 0, **hand: object) -> int | None:
    return who_takes(calls, discarder, in_hand(1, rules, **hand)).seat


def test_g5_2_the_next_player_has_first_claim_and_pays_nothing() -> None:
    claim = who_takes((3, 2, 1), 0, in_hand(1))
    assert (claim.seat, claim.free) == (1, True)


def test_g5_2_the_next_player_needs_no_buy_left_for_it() -> None:
    assert taker((1,), buys={1: 3}) == 1


def test_g5_5_of_several_buyers_the_closest_clockwise() -> None:
    claim = who_takes((3, 2), 0, in_hand(1))
    assert (claim.seat, claim.free) == (2, False)
    assert taker((0, 3), discarder=2) == 3  # the next player
    assert taker((1, 0), discarder=2) == 0  # round the table


def test_g5_5_a_table_may_let_the_first_call_win() -> None:
    assert taker((3, 2), KATE.replace(buy_priority="first_call")) == 3


def test_g5_5_the_discarder_does_not_buy_their_own_discard() -> None:
    claim = who_takes((0,), 0, in_hand(1))
    assert claim.seat is None
    assert [(p.reason, p.switch) for p in claim.refused] == [(Reason.BUYS_OWN_DISCARD, "buy_own_discard")]
    assert taker((0,), KATE.replace(buy_own_discard=True)) == 0


def test_g5_6_a_player_who_is_down_may_buy_unless_the_table_says_no() -> None:
    assert taker((2,), down={2}) == 2
    assert taker((2, 3), KATE.replace(buy_when_down=False), down={2}) == 3


def test_g5_6_a_floating_player_neither_draws_nor_buys_the_discard() -> None:
    claim = who_takes((1, 3), 0, in_hand(1, floating={1}))
    assert (claim.seat, claim.free) == (3, False)
    assert [p.reason for p in claim.refused] == [Reason.BUYER_FLOATS]


def test_g5_3_whoever_has_no_buy_left_is_passed_over() -> None:
    claim = who_takes((2, 3), 0, in_hand(1, buys={2: 3}))
    assert claim.seat == 3
    assert [(p.reason, p.facts["limit"]) for p in claim.refused] == [(Reason.NO_BUYS_LEFT, 3)]


def test_nobody_calls_nobody_gets_it() -> None:
    assert taker(()) is None


def test_p8_the_next_player_pays_a_chip_as_well_and_the_first_call_wins() -> None:
    claim = who_takes((3, 1), 0, in_hand(9, PERU, buys={3: 7}))
    assert (claim.seat, claim.free) == (3, False)
    spent = who_takes((3, 1), 0, in_hand(9, PERU, buys={3: 8}))
    assert spent.seat == 1
    assert [(p.rule, p.firmness) for p in spent.refused] == [("P8", Firmness.TEXT)]
