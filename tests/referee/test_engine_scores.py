"""The end of a hand and corrections (G1.3, G7.3, G9.1, G9.2), each with the neighbour that stays legal."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.engine import problems
from companion.referee.games import EHOW, KATE, PERU
from companion.referee.history import effective, replay
from companion.referee.reasons import Reason
from companion.referee.standings import totals
from companion.referee.state import Phase
from tests.referee.nights import Night, night


def score(hand: int = 1, out: int | None = 0, **points: int) -> c.ScoreHand:
    """``score(1, 0, p1=20)``: only those named have points."""
    return c.ScoreHand(hand, out, {int(name[1:]): value for name, value in points.items()})


def facts(going: Night, command: c.Command) -> list[dict[str, object]]:
    return [dict(problem.facts) for problem in problems(going.state, command)]


def test_g9_1_who_goes_out_scores_nothing_and_the_deal_moves_on() -> None:
    going = night(3, dealer=2).do(score(p1=20, p2=35))
    assert going.entries[-1] == e.HandScored(1, 0, {0: 0, 1: 20, 2: 35})
    assert totals(going.state) == {0: 0, 1: 20, 2: 35}
    assert going.state.hand is not None
    assert (going.state.hand.number, going.state.hand.dealer, going.state.starter) == (2, 0, 1)
    assert going.refused(score(2, 0, p0=5, p1=20, p2=35)) == (Reason.OUT_WITH_POINTS,)


def test_blank_is_not_zero_and_the_missing_are_named() -> None:
    going = night(3)
    assert going.refused(score(p1=20)) == (Reason.MISSING_POINTS,)
    assert facts(going, score(p1=20)) == [{"seat": 2, "seats": (2,)}]
    assert going.refused(c.ScoreHand(1, None, {})) == (Reason.MISSING_POINTS,) * 3


def test_g9_2_only_who_goes_out_or_floats_has_nothing() -> None:
    going = night(4)
    assert going.refused(score(p1=0, p2=5, p3=10)) == (Reason.ZERO_NOT_OUT,)
    assert going.refused(c.ScoreHand(1, 0, {1: 0, 2: 5, 3: 10}, floated=frozenset({1}))) == ()
    going.do(c.GoDownWithoutCards(1, 1), c.Float(1, 1))
    assert going.refused(score(p1=0, p2=5, p3=10)) == ()
    assert going.refused(score(p2=5, p3=10)) == ()


def test_g7_3_who_floats_has_nothing() -> None:
    going = night(4).do(c.GoDownWithoutCards(1, 1), c.Float(1, 1))
    assert going.refused(score(p1=15, p2=5, p3=10)) == (Reason.FLOATER_WITH_POINTS,)
    assert going.do(c.TakeBackFloat(1, 1)).refused(score(p1=15, p2=5, p3=10)) == ()
    going.do(c.ScoreHand(1, 0, {1: 0, 2: 0, 3: 10}, floated=frozenset({1, 2})))
    assert going.state.scores[0].floating == {1, 2}
    assert going.state.scores[0].points == {0: 0, 1: 0, 2: 0, 3: 10}


def test_g7_3_a_floater_who_discards_goes_out() -> None:
    going = night(3).do(c.GoDownWithoutCards(1, 0), c.Float(1, 0), c.GoDownWithoutCards(1, 1), c.Float(1, 1))
    assert going.refused(score(p2=30)) == ()


def test_g7_4_where_nobody_floats_nobody_can_be_ticked() -> None:
    going = night(3, EHOW)
    assert going.refused(c.Float(1, 0)) == (Reason.FLOATING_OFF,)
    ticked = c.ScoreHand(1, 0, {1: 0, 2: 5}, floated=frozenset({1}))
    assert Reason.FLOATING_OFF in going.refused(ticked)
    assert going.refused(score(p1=10, p2=5)) == ()


def test_g9_2_nobody_went_out() -> None:
    going = night(3).do(score(out=None, p0=15, p1=20, p2=5))
    assert going.state.scores[0].out is None
    assert going.refused(score(2, None, p0=0, p1=20, p2=5)) == (Reason.ZERO_NOT_OUT,)


@pytest.mark.parametrize(
    ("points", "reason"),
    [(7, Reason.NOT_MULTIPLE_OF_FIVE), (-5, Reason.NEGATIVE_POINTS), (-7, Reason.NEGATIVE_POINTS)],
)
def test_g9_2_points_that_no_cards_make(points: int, reason: Reason) -> None:
    assert night(3).refused(score(p1=points, p2=5)) == (reason,)


@pytest.mark.parametrize(("hand", "likely"), [(1, 290), (9, 290), (10, 310)])
def test_g9_2_unlikely_points_are_asked_once(hand: int, likely: int) -> None:
    going = night(3).play_to(hand)
    assert going.refused(score(hand, p1=likely, p2=5)) == ()
    above = score(hand, p1=likely + 5, p2=5)
    assert going.refused(above) == (Reason.POINTS_UNLIKELY,)
    assert facts(going, above) == [{"seat": 1, "points": likely + 5, "limit": likely}]
    assert going.refused(c.ScoreHand(hand, 0, above.points, sure=True)) == ()


@pytest.mark.parametrize(("players", "likely", "pack"), [(4, 290, 920), (7, 315, 1380), (8, 315, 1380)])
def test_g9_2_no_hand_holds_more_than_the_decks(players: int, likely: int, pack: int) -> None:
    going = night(players)
    rest = dict.fromkeys(range(3, players), 5)
    left = pack - sum(rest.values())
    full = {1: left - 200, 2: 200, **rest}
    assert going.refused(c.ScoreHand(1, 0, full, sure=True)) == ()
    assert going.refused(c.ScoreHand(1, 0, full)) == (Reason.POINTS_UNLIKELY,)
    assert going.refused(c.ScoreHand(1, 0, full | {1: left - 195}, sure=True)) == (Reason.POINTS_ABOVE_PACK,)
    assert going.refused(c.ScoreHand(1, 0, {1: likely, 2: 5, **rest})) == ()
    assert Reason.POINTS_ABOVE_PACK in going.refused(c.ScoreHand(1, 0, {1: 10**30, 2: 5, **rest}))


def test_everything_wrong_with_a_hand_at_once() -> None:
    found = night(4).refused(c.ScoreHand(1, 0, {0: 5, 1: 0, 2: 7, 99: 5}))
    assert found == (
        Reason.NO_SUCH_SEAT, Reason.OUT_WITH_POINTS, Reason.ZERO_NOT_OUT, Reason.MISSING_POINTS,
        Reason.NOT_MULTIPLE_OF_FIVE,
    )  # fmt: skip


def test_strangers_on_the_sheet() -> None:
    going = night(4).do(c.SitOut(1, 3))
    assert going.refused(score(1, 99, p0=5, p1=5, p2=5)) == (Reason.NO_SUCH_SEAT,)
    assert going.refused(score(1, 3, p0=5, p1=5, p2=5)) == (Reason.SEAT_AWAY,)
    assert going.refused(score(1, 0, p1=5, p2=5, p3=5)) == (Reason.SEAT_AWAY,)
    ticked = c.ScoreHand(1, 0, {1: 5, 2: 5}, floated=frozenset({-3}))
    assert going.refused(ticked) == (Reason.NO_SUCH_SEAT,)
    assert going.refused(score(1, 0, p1=5, p2=5)) == ()


def test_who_sits_out_has_no_score_that_hand() -> None:
    going = night(4).do(c.SitOut(1, 3), score(1, 0, p1=5, p2=5))
    assert set(going.state.scores[0].points) == {0, 1, 2}
    assert going.state.dealt_in == (0, 1, 2, 3)


def test_a_hand_that_is_over_is_not_scored_twice() -> None:
    going = night(3).do(score(p1=20, p2=35))
    assert going.refused(score(p1=20, p2=35)) == (Reason.OTHER_HAND,)
    assert facts(going, score(p1=20, p2=35)) == [{"asked": 1, "current": 2}]


def test_g9_1_after_the_last_hand_the_night_is_finished() -> None:
    going = night(3).play_to(10).score(2)
    assert going.state.phase is Phase.FINISHED
    assert going.state.hand is None
    assert going.refused(score(11, p1=5, p2=5)) == (Reason.GAME_OVER,)
    assert going.refused(c.Buy(10, 0)) == (Reason.GAME_OVER,)


def test_a_score_only_night_needs_nothing_else() -> None:
    going = night(3)
    for hand in range(1, 11):
        going.do(score(hand, hand % 3, **{f"p{seat}": 5 * hand for seat in range(3) if seat != hand % 3}))
    # each hand n costs 5n to the two who are not out; 0 is out in 3, 6, 9; 1 in 1, 4, 7, 10; 2 in 2, 5, 8
    assert totals(going.state) == {0: 275 - 90, 1: 275 - 110, 2: 275 - 75}
    assert going.state.phase is Phase.FINISHED


# --- corrections ----------------------------------------------------------------------------------------------------


def test_an_old_score_is_corrected_at_any_time() -> None:
    going = night(3).play_to(6).do(c.CorrectScore(2, 1, {0: 45, 2: 10}))
    assert going.state.scores[1].points == {0: 45, 1: 0, 2: 10}
    assert going.state.scores[1].out == 1
    assert totals(going.state) == {0: 45, 1: 40, 2: 50}
    assert going.state.hand is not None
    assert going.state.hand.number == 6
    going.play_to(10).score(0).do(c.CorrectScore(10, 2, {0: 5, 1: 5}))
    assert going.state.scores[-1].out == 2
    assert going.state.phase is Phase.FINISHED


def test_a_correction_is_checked_as_the_score_was() -> None:
    going = night(3).play_to(3)
    assert going.refused(c.CorrectScore(3, 0, {1: 5, 2: 5})) == (Reason.HAND_NOT_SCORED,)
    assert going.refused(c.CorrectScore(-3, 0, {1: 5, 2: 5})) == (Reason.HAND_NOT_SCORED,)
    assert going.refused(c.CorrectScore(1, 0, {1: 5})) == (Reason.MISSING_POINTS,)
    assert going.refused(c.CorrectScore(1, 0, {1: 0, 2: 5})) == (Reason.ZERO_NOT_OUT,)
    assert going.refused(c.CorrectScore(1, 0, {1: 295, 2: 5})) == (Reason.POINTS_UNLIKELY,)
    assert going.refused(c.CorrectScore(1, 0, {1: 295, 2: 5}, sure=True)) == ()


def test_floaters_stay_unless_the_correction_says_otherwise() -> None:
    going = night(3).do(c.GoDownWithoutCards(1, 1), c.Float(1, 1)).score(0)
    assert going.refused(c.CorrectScore(1, 0, {1: 20, 2: 5})) == (Reason.FLOATER_WITH_POINTS,)
    assert going.refused(c.CorrectScore(1, 0, {2: 5})) == ()
    going.do(c.CorrectScore(1, 0, {1: 20, 2: 5}, floated=frozenset()))
    assert going.state.scores[0].floating == frozenset()
    going.do(c.CorrectScore(1, 0, {1: 5}, floated=frozenset({2})))
    assert going.state.scores[0].points == {0: 0, 1: 5, 2: 0}


def test_a_correction_is_judged_by_the_decks_of_that_hand() -> None:
    going = night(6).play_to(2).do(c.JoinSeat(6))
    old = c.CorrectScore(1, 0, {1: 900, 2: 30, 3: 5, 4: 5, 5: 5}, sure=True)
    assert going.refused(old) == (Reason.POINTS_ABOVE_PACK,)
    new = c.ScoreHand(2, 0, {1: 900, 2: 30, 3: 5, 4: 5, 5: 5, 6: 5}, sure=True)
    assert going.refused(new) == ()
    assert going.refused(c.CorrectScore(1, 0, {1: 5, 2: 5, 3: 5, 4: 5, 5: 5, 6: 5})) == (Reason.SEAT_AWAY,)


def test_a_correction_keeps_who_dealt_and_what_was_bought() -> None:
    going = night(3, dealer=1).do(c.Buy(1, 2)).score(0).do(c.CorrectScore(1, 2, {0: 5, 1: 5}))
    assert (going.state.scores[0].dealer, dict(going.state.scores[0].buys)) == (1, {2: 1})


def test_peru_pays_more_for_wilds_and_keeps_its_own_caps() -> None:
    # per suit 25 + 5·5 (3–7) + 6·10 (8–K) + 15 = 125; two packs of four suits and two jokers each at 25
    pack = 2 * (4 * 125 + 2 * 25)
    going = night(3, PERU)
    assert going.refused(c.ScoreHand(1, 0, {1: pack - 5, 2: 5}, sure=True)) == ()
    assert going.refused(c.ScoreHand(1, 0, {1: pack, 2: 5}, sure=True)) == (Reason.POINTS_ABOVE_PACK,)


def test_the_rules_of_a_hand_are_those_it_was_played_with() -> None:
    going = night(3).score(0).do(c.OverruleRule("max_wilds", 1)).score(0)
    assert [score.rules for score in going.state.scores] == [KATE, KATE.replace(max_wilds=1)]


def test_one_decision_is_one_entry_each_part_judged_after_those_before_it() -> None:
    going = night(3).do(c.GoDownWithoutCards(1, 1), c.Float(1, 1))
    before, unticked = going.state, c.DoTogether((c.TakeBackFloat(1, 1), score(p1=20, p2=35)))
    assert going.refused(score(p1=20, p2=35)) == (Reason.FLOATER_WITH_POINTS,)
    going.do(unticked)
    assert going.entries[-1] == e.DoneTogether((e.FloatTakenBack(1, 1), e.HandScored(1, 0, {0: 0, 1: 20, 2: 35})))
    assert totals(going.state) == {0: 0, 1: 20, 2: 35}
    entries = (*going.entries, e.Undone(len(going.entries)))
    assert replay(entries).state == before
    assert effective(going.entries)[-2:] == going.entries[-1].events


def test_together_lands_whole_or_not_at_all() -> None:
    going = night(3).do(c.GoDownWithoutCards(1, 1), c.Float(1, 1))
    assert going.refused(c.DoTogether((c.TakeBackFloat(1, 1), score(p1=20)))) == (Reason.MISSING_POINTS,)
    assert going.refused(c.DoTogether((c.TakeBackFloat(1, 2), score(p1=20, p2=35)))) == (Reason.NOT_FLOATING,)
