"""The table and the evening: starting, dealers, coming and going, switches, closing (G1.2, G1.3, G9.4)."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.engine import evolve, problems
from companion.referee.games import KATE, PERU
from companion.referee.reasons import Reason
from companion.referee.standings import places, totals
from companion.referee.state import GameState, Phase
from tests.referee.nights import Night, night


def start(players: int = 4, **more: object) -> c.StartGame:
    parts: dict[str, object] = {"rules": KATE, "seats": tuple(range(players)), "dealer": 0} | more
    return c.StartGame(**parts)  # type: ignore[arg-type]


def dealer(going: Night) -> int:
    assert going.state.hand is not None
    return going.state.hand.dealer


def decks(going: Night) -> int:
    assert going.state.rules is not None
    return going.state.rules.decks


# --- starting -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "reasons"),
    [
        (0, (Reason.TOO_FEW_PLAYERS, Reason.NO_SUCH_SEAT)), (2, (Reason.TOO_FEW_PLAYERS,)), (3, ()), (8, ()),
        (9, (Reason.TOO_MANY_PLAYERS,)),
    ],
)  # fmt: skip
def test_g1_2_three_to_eight_players(players: int, reasons: tuple[Reason, ...]) -> None:
    assert Night().refused(start(players)) == reasons


@pytest.mark.parametrize(("players", "number"), [(3, 2), (6, 2), (7, 3), (8, 3)])
def test_g1_2_seven_and_eight_bring_a_third_deck(players: int, number: int) -> None:
    assert decks(night(players)) == number


def test_p1_two_play_in_peru() -> None:
    assert Night().refused(start(2, rules=PERU)) == ()


@pytest.mark.parametrize(
    ("more", "reasons"),
    [
        ({"seats": (0, 1, 1)}, (Reason.SEATS_DIFFER,)),
        ({"seats": (0, 1, -2)}, (Reason.SEATS_DIFFER,)),
        ({"dealer": 7}, (Reason.NO_SUCH_SEAT,)),
        ({"first_hand": 0}, (Reason.NO_SUCH_HAND,)),
        ({"first_hand": 11}, (Reason.NO_SUCH_HAND,)),
        ({"first_hand": 10}, ()),
        ({"carried": (5, 5)}, (Reason.SEATS_DIFFER,)),
        ({"first_hand": 4, "carried": (5, 0, 45, 2760)}, ()),  # three hands of at most 920
        ({"first_hand": 4, "carried": (5, 0, 45, 2765)}, (Reason.POINTS_ABOVE_PACK,)),
        ({"carried": (5, -5, 7, 10**30)}, (Reason.NEGATIVE_POINTS, Reason.NOT_MULTIPLE_OF_FIVE, Reason.POINTS_ABOVE_PACK)),
    ],
)  # fmt: skip
def test_what_a_start_can_get_wrong(more: dict[str, object], reasons: tuple[Reason, ...]) -> None:
    assert Night().refused(start(**more)) == reasons  # type: ignore[arg-type]


def test_a_game_starts_once_and_nothing_happens_before() -> None:
    assert night(3).refused(start()) == (Reason.ALREADY_STARTED,)
    for command in (c.Buy(1, 0), c.CloseGame(), c.ReopenGame(), c.CorrectScore(1, 0, {}), c.JoinSeat(0)):
        assert [problem.reason for problem in problems(GameState(), command)] == [Reason.NOT_STARTED]


def test_a_night_goes_on_from_paper() -> None:
    going = night(3, dealer=1, first_hand=4, carried=(120, 0, 85))
    assert going.state.contract == KATE.contracts[3]
    assert going.score(0, p1=20, p2=35).state.scores[0].number == 4
    assert totals(going.state) == {0: 120, 1: 20, 2: 120}


def test_a_shorter_night_with_its_own_contracts() -> None:
    rules = KATE.replace(contracts=(KATE.contracts[6], KATE.contracts[0]), buys=(2, 3))
    going = night(3, rules)
    assert going.state.contract == KATE.contracts[6]
    assert going.score(0).score(1).state.phase is Phase.FINISHED


# --- the deal -------------------------------------------------------------------------------------------------------


def test_g1_3_the_deal_moves_clockwise_and_the_dealers_left_starts() -> None:
    going = night(3, dealer=1)
    seen = []
    for _ in range(4):
        seen.append((dealer(going), going.state.starter))
        going.score(0)
    assert seen == [(1, 2), (2, 0), (0, 1), (1, 2)]


def test_another_dealer_deals_and_the_deal_moves_on_from_there() -> None:
    going = night(4).do(c.SetDealer(1, 2))
    assert (dealer(going), going.state.starter) == (2, 3)
    assert dealer(going.score(0)) == 3
    assert going.refused(c.SetDealer(1, 2)) == (Reason.OTHER_HAND,)
    assert going.refused(c.SetDealer(2, 9)) == (Reason.NO_SUCH_SEAT,)


def test_a_hand_dealt_anew_is_the_same_hand_with_nothing_in_it() -> None:
    going = night(4, dealer=3).do(
        c.Buy(1, 0), c.GoDownWithoutCards(1, 1), c.GoDownWithoutCards(1, 2), c.Float(1, 2), c.SitOut(1, 3)
    )
    going.do(c.DealAnew(1))
    hand = going.state.hand
    assert hand is not None
    assert (hand.number, hand.dealer, hand.untouched, hand.sitting_out) == (1, 3, True, {3})
    assert going.refused(c.DealAnew(2)) == (Reason.OTHER_HAND,)


def test_sitting_out_and_coming_back_in() -> None:
    going = night(4).do(c.SitOut(1, 1))
    assert going.state.dealt_in == (0, 2, 3)
    assert going.state.starter == 2
    assert going.refused(c.SitOut(1, 1)) == (Reason.SEAT_AWAY,)
    assert going.refused(c.SitOut(1, 2)) == (Reason.TOO_FEW_PLAYERS,)
    assert going.refused(c.SitBackIn(1, 2)) == (Reason.SEAT_HERE,)
    assert going.do(c.SitBackIn(1, 1)).state.dealt_in == (0, 1, 2, 3)
    going.do(c.GoDownWithoutCards(1, 1), c.GoDownWithoutCards(1, 2), c.Float(1, 2))
    assert going.refused(c.SitOut(1, 1)) == (Reason.ALREADY_DOWN,)
    assert going.refused(c.SitOut(1, 2)) == (Reason.ALREADY_FLOATING,)


def test_floating_is_noted_once() -> None:
    going = night(3).do(c.GoDownWithoutCards(1, 1), c.Float(1, 1))
    assert going.refused(c.Float(1, 1)) == (Reason.ALREADY_FLOATING,)
    assert going.refused(c.TakeBackFloat(1, 0)) == (Reason.NOT_FLOATING,)
    assert going.do(c.TakeBackFloat(1, 1)).refused(c.Float(1, 1)) == ()


# --- coming late ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rule", "points"), [("highest", 95), ("average", 50), ("zero", 0)])
def test_g9_4_a_late_joiner_starts_by_the_tables_rule(rule: str, points: int) -> None:
    going = night(3, KATE.replace(late_joiner=rule)).score(0, p1=95, p2=50)
    assert going.do(c.JoinSeat(3)).state.carried[3] == points
    assert totals(going.state)[3] == points


@pytest.mark.parametrize(("scores", "average"), [((5, 10), 5), ((5, 5), 5), ((10, 15), 10), ((10, 10), 5)])
def test_g9_4_the_average_is_rounded_to_five(scores: tuple[int, int], average: int) -> None:
    # thirds: (0 + 15) / 3 = 5, (0 + 10) / 3 = 3.3 → 5, (0 + 25) / 3 = 8.3 → 10, (0 + 20) / 3 = 6.7 → 5
    going = night(3, KATE.replace(late_joiner="average")).score(0, p1=scores[0], p2=scores[1])
    assert going.do(c.JoinSeat(3)).state.carried[3] == average


def test_a_joiner_before_the_deal_plays_and_during_a_hand_waits() -> None:
    assert night(3).do(c.JoinSeat(3)).state.dealt_in == (0, 1, 2, 3)
    going = night(3).do(c.Buy(1, 0), c.JoinSeat(3))
    assert going.state.dealt_in == (0, 1, 2)
    assert going.state.order == (0, 1, 2, 3)
    assert going.score(0).state.dealt_in == (0, 1, 2, 3)
    assert set(going.state.scores[0].points) == {0, 1, 2}


@pytest.mark.parametrize(
    ("place", "order"),
    [(None, (0, 1, 2, 3)), (0, (3, 0, 1, 2)), (2, (0, 1, 3, 2)), (99, (0, 1, 2, 3)), (-5, (3, 0, 1, 2))],
)
def test_a_joiner_sits_where_they_like(place: int | None, order: tuple[int, ...]) -> None:
    assert night(3).do(c.JoinSeat(3, place)).state.order == order


def test_g9_4_a_seventh_player_brings_the_third_deck_from_the_next_hand_on() -> None:
    going = night(6).do(c.Buy(1, 0), c.JoinSeat(6))
    assert decks(going) == 2
    assert decks(going.score(0)) == 3
    assert going.state.scores[0].rules == KATE
    assert decks(night(6).do(c.JoinSeat(6))) == 3  # nothing is dealt yet: the next hand is this one
    assert decks(night(5).do(c.Buy(1, 0), c.JoinSeat(5)).score(0)) == 2


def test_a_table_that_said_two_decks_keeps_two() -> None:
    going = night(7).do(c.OverruleRule("decks", 2))
    assert decks(going.score(0)) == 2


def test_who_cannot_join() -> None:
    assert night(8).refused(c.JoinSeat(8)) == (Reason.TOO_MANY_PLAYERS,)
    assert night(3).refused(c.JoinSeat(2)) == (Reason.SEAT_HERE,)
    assert night(3).refused(c.JoinSeat(-1)) == (Reason.NO_SUCH_SEAT,)
    assert night(4).do(c.LeaveSeat(3)).refused(c.JoinSeat(3)) == (Reason.SEAT_HERE,)


# --- leaving and coming back ----------------------------------------------------------------------------------------


def test_g9_4_a_leavers_scores_stay_and_win_nothing() -> None:
    going = night(4).score(3).do(c.Buy(2, 0), c.LeaveSeat(3)).score(0)
    assert totals(going.state) == {0: 10, 1: 20, 2: 20, 3: 0}
    assert going.state.scores[1].points.keys() == {0, 1, 2}
    assert places(totals(going.state), going.state.away) == {0: 1, 1: 2, 2: 2}


def test_the_deal_skips_who_left() -> None:
    going = night(4, dealer=0).do(c.LeaveSeat(1)).score(0)
    assert dealer(going) == 2


def test_a_dealer_who_leaves_before_the_deal_is_followed_by_the_next() -> None:
    assert dealer(night(4, dealer=1).do(c.LeaveSeat(1))) == 2
    during = night(4, dealer=1).do(c.Buy(1, 0), c.LeaveSeat(1))
    assert dealer(during) == 1
    assert during.state.starter == 2
    assert dealer(during.score(0)) == 2
    anew = night(4, dealer=1).do(c.Buy(1, 0), c.LeaveSeat(1), c.DealAnew(1))
    assert dealer(anew) == 2


def test_who_cannot_leave() -> None:
    assert night(3).refused(c.LeaveSeat(0)) == (Reason.TOO_FEW_PLAYERS,)
    assert night(3, KATE.replace(min_players=2)).refused(c.LeaveSeat(0)) == ()
    assert night(4).refused(c.LeaveSeat(9)) == (Reason.NO_SUCH_SEAT,)
    assert night(5).do(c.LeaveSeat(4)).refused(c.LeaveSeat(4)) == (Reason.SEAT_AWAY,)


def test_a_leavers_melds_stay_on_the_table() -> None:
    going = night(4).do(c.GoDownWithoutCards(1, 3), c.LeaveSeat(3))
    assert going.state.hand is not None
    assert going.state.hand.down == {3}
    assert going.do(c.TakeBackGoingDown(1, 3)).state.hand is not None
    assert going.state.hand.down == frozenset()


def test_coming_back_to_the_same_chair() -> None:
    going = night(4).do(c.LeaveSeat(1), c.Buy(1, 0))
    assert going.state.order == (0, 2, 3)
    going.do(c.ReturnToSeat(1))
    assert going.state.order == (0, 1, 2, 3)
    assert going.state.dealt_in == (0, 2, 3)  # the hand is being played
    assert going.score(0).state.dealt_in == (0, 1, 2, 3)
    assert going.refused(c.ReturnToSeat(1)) == (Reason.SEAT_HERE,)
    assert going.refused(c.ReturnToSeat(9)) == (Reason.NO_SUCH_SEAT,)


def test_who_left_by_a_mis_tap_is_back_in_the_hand_they_bought_in() -> None:
    going = night(4).do(c.Buy(1, 1), c.LeaveSeat(1), c.ReturnToSeat(1))
    assert going.state.dealt_in == (0, 1, 2, 3)


def test_nobody_comes_back_to_a_full_table() -> None:
    going = night(8).do(c.LeaveSeat(1), c.JoinSeat(8))
    assert going.refused(c.ReturnToSeat(1)) == (Reason.TOO_MANY_PLAYERS,)


def test_new_chairs() -> None:
    going = night(4).do(c.LeaveSeat(1), c.MoveSeats((3, 0, 2)))
    assert going.state.order == (3, 0, 2)
    assert going.do(c.ReturnToSeat(1)).state.order == (3, 1, 0, 2)
    for order in ((0, 1), (0, 1, 2, 2), (0, 1, 2, 9), (), (0, 1, 2, 3, 4)):
        assert going.refused(c.MoveSeats(order)) == (Reason.SEATS_DIFFER,)
    assert going.do(c.MoveSeats((0, 1, 2, 3))).state.starter == 2 - 1


# --- the evening ----------------------------------------------------------------------------------------------------


def test_overruling_a_switch() -> None:
    going = night(3).do(c.OverruleRule("max_wilds", 2), c.OverruleRule("extra_melds", True))
    assert going.state.rules == KATE.replace(max_wilds=2, extra_melds=True)
    assert going.do(c.OverruleRule("max_wilds", 1)).state.overruled == ("extra_melds", "max_wilds")


@pytest.mark.parametrize(
    ("switch", "value", "reason"),
    [
        ("no_such_thing", 1, Reason.UNKNOWN_SWITCH),
        ("sheet", "ehow", Reason.UNKNOWN_SWITCH),
        ("contracts", KATE.contracts[:1], Reason.UNKNOWN_SWITCH),
        ("__class__", 1, Reason.UNKNOWN_SWITCH),
        ("max_wilds", "many", Reason.BAD_SWITCH_VALUE),
        ("decks", 10**30, Reason.BAD_SWITCH_VALUE),
        ("buys", (3,), Reason.BAD_SWITCH_VALUE),
        ("extra_melds", 1, Reason.BAD_SWITCH_VALUE),
        ("wild_ranks", [2], Reason.BAD_SWITCH_VALUE),
    ],
)
def test_what_no_table_can_play(switch: str, value: object, reason: Reason) -> None:
    (refused,) = problems(night(3).state, c.OverruleRule(switch, value))
    assert refused.reason is reason
    assert dict(refused.facts) == {"switch": switch, "value": value}


def test_closing_early_reopening_and_playing_on() -> None:
    going = night(3).play_to(3).do(c.Buy(3, 1), c.CloseGame())
    assert going.state.phase is Phase.CLOSED
    assert going.refused(c.CloseGame()) == (Reason.GAME_OVER,)
    assert going.refused(c.Buy(3, 1)) == (Reason.GAME_OVER,)
    assert going.refused(c.LeaveSeat(1)) == (Reason.GAME_OVER,)
    assert going.refused(c.CorrectScore(1, 0, {1: 5, 2: 5})) == ()
    going.do(c.ReopenGame())
    assert going.state.buys_left(1) == 2
    assert going.refused(c.ReopenGame()) == (Reason.GAME_NOT_OVER,)
    assert going.play_to(10).score(0).refused(c.ReopenGame()) == (Reason.GAME_OVER,)


def test_law_6_a_switch_that_is_no_more_changes_nothing() -> None:
    state = night(3).state
    assert evolve(state, e.RuleOverruled("forgotten", 5)) == state
    assert evolve(state, e.RuleOverruled("decks", 0)) == state
    assert evolve(GameState(), e.RuleOverruled("decks", 3)) == GameState()
