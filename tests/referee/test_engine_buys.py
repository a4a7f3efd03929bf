"""Buys in play (G5.3, G5.6, P8), each with the neighbouring case that stays legal."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.engine import problems, rests_on
from companion.referee.games import KATE, PERU
from companion.referee.reasons import Firmness, Reason
from tests.referee.nights import night

NO_BUYS_LEFT = (Reason.NO_BUYS_LEFT,)


@pytest.mark.parametrize(("hand", "limit"), [(1, 3), (9, 3), (10, 4)])
def test_g5_3_three_buys_a_hand_four_in_the_last(hand: int, limit: int) -> None:
    going = night(4).play_to(hand)
    for nth in range(1, limit + 1):
        assert going.state.buys_left(2) == limit - nth + 1
        going.do(c.Buy(hand, 2, nth))
    assert going.state.buys_left(2) == 0
    (refused,) = problems(going.state, c.Buy(hand, 2))
    assert (refused.reason, refused.rule, refused.firmness) == (Reason.NO_BUYS_LEFT, "G5.3", Firmness.KATE)
    assert dict(refused.facts) == {"seat": 2, "used": limit, "limit": limit, "hand": hand}
    assert going.refused(c.Buy(hand, 1)) == ()


def test_g5_3_buys_reset_every_hand() -> None:
    going = night(3).do(c.Buy(1, 0), c.Buy(1, 0), c.Buy(1, 0))
    assert going.refused(c.Buy(1, 0)) == NO_BUYS_LEFT
    going.score(1)
    assert going.state.buys_left(0) == 3
    assert going.state.scores[0].buys == {0: 3}


def test_a_buy_another_phone_noted_is_not_noted_twice() -> None:
    going = night(3).do(c.Buy(1, 0, 1))
    (refused,) = problems(going.state, c.Buy(1, 0, 1))
    assert refused.reason is Reason.BUY_ALREADY_NOTED
    assert dict(refused.facts) == {"seat": 0, "nth": 1}
    assert going.refused(c.Buy(1, 0, 2)) == ()
    assert going.refused(c.Buy(1, 0)) == ()
    assert going.refused(c.Buy(1, 0, -5)) == (Reason.BUY_ALREADY_NOTED,)


def test_a_buy_is_given_back_once() -> None:
    going = night(3)
    assert going.refused(c.TakeBackBuy(1, 0)) == (Reason.NO_BUY_TO_RETURN,)
    going.do(c.Buy(1, 0), c.Buy(1, 0))
    going.do(c.TakeBackBuy(1, 0, 2))
    assert going.state.buys_used(0) == 1
    assert going.refused(c.TakeBackBuy(1, 0, 2)) == (Reason.NO_BUY_TO_RETURN,)
    assert going.refused(c.TakeBackBuy(1, 0, 1)) == ()
    assert going.refused(c.TakeBackBuy(1, 1)) == (Reason.NO_BUY_TO_RETURN,)


def test_g5_6_a_floating_player_may_not_buy() -> None:
    going = night(3).do(c.GoDownWithoutCards(1, 0), c.Float(1, 0))
    assert going.refused(c.Buy(1, 0)) == (Reason.BUYER_FLOATS,)
    assert going.refused(c.Buy(1, 1)) == ()
    assert going.do(c.TakeBackFloat(1, 0)).refused(c.Buy(1, 0)) == ()


def test_g5_6_a_player_who_is_down_may_buy_unless_the_table_says_no() -> None:
    going = night(3).do(c.GoDownWithoutCards(1, 0))
    assert going.refused(c.Buy(1, 0)) == ()
    assert rests_on(going.state, c.Buy(1, 0)) == ("buy_when_down",)
    going.do(c.OverruleRule("buy_when_down", False))
    (refused,) = problems(going.state, c.Buy(1, 0))
    assert (refused.reason, refused.firmness, refused.switch) == (
        Reason.BUYER_DOWN, Firmness.SILENT, "buy_when_down",
    )  # fmt: skip
    assert going.refused(c.Buy(1, 1)) == ()


def test_every_reason_against_a_buy_at_once() -> None:
    going = night(3).do(c.Buy(1, 0), c.Buy(1, 0), c.Buy(1, 0), c.GoDownWithoutCards(1, 0), c.Float(1, 0))
    assert going.refused(c.Buy(1, 0)) == (Reason.NO_BUYS_LEFT, Reason.BUYER_FLOATS)


def test_p8_chips_are_for_the_whole_game() -> None:
    going = night(3, PERU)
    for _ in range(8):
        going.do(c.Buy(1, 0))
    assert going.refused(c.Buy(1, 0)) == NO_BUYS_LEFT
    going.score(1)
    (refused,) = problems(going.state, c.Buy(2, 0))
    assert (refused.rule, refused.firmness) == ("P8", Firmness.TEXT)
    assert going.state.buys_left(0) == 0
    assert going.state.buys_left(1) == 8


def test_a_night_with_fewer_contracts_has_its_own_buys() -> None:
    short = KATE.replace(contracts=KATE.contracts[:2], buys=(1, 0))
    going = night(3, short).do(c.Buy(1, 0))
    assert going.refused(c.Buy(1, 0)) == NO_BUYS_LEFT
    assert going.score(1).refused(c.Buy(2, 0)) == NO_BUYS_LEFT


@pytest.mark.parametrize(
    ("command", "reasons"),
    [
        (c.Buy(2, 0), (Reason.OTHER_HAND,)),
        (c.Buy(-3, 99), (Reason.OTHER_HAND,)),
        (c.Buy(1, 99), (Reason.NO_SUCH_SEAT,)),
        (c.Buy(1, -1), (Reason.NO_SUCH_SEAT,)),
        (c.TakeBackBuy(7, 0), (Reason.OTHER_HAND,)),
        (c.TakeBackBuy(1, 10**30), (Reason.NO_SUCH_SEAT,)),
    ],
)
def test_a_late_or_a_strange_buy_never_lands(command: c.Command, reasons: tuple[Reason, ...]) -> None:
    assert night(3).refused(command) == reasons


def test_who_sits_out_or_left_does_not_buy() -> None:
    going = night(5).do(c.SitOut(1, 2), c.LeaveSeat(3))
    assert going.refused(c.Buy(1, 2)) == (Reason.SEAT_AWAY,)
    assert going.refused(c.Buy(1, 3)) == (Reason.SEAT_AWAY,)
    assert going.refused(c.Buy(1, 4)) == ()
