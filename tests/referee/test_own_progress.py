"""Each player on an own hand of the list, and one more turn for the others once somebody is out (FAMILY 2.13 to 2.15)."""

import pytest

from companion.codec import decode, encode
from companion.referee import commands as do
from companion.referee.cards import parse_card, parse_cards
from companion.referee.engine import decide, evolve
from companion.referee.events import CarriedCorrected, HandScored, SeatJoined
from companion.referee.history import replay
from companion.referee.melds import Meld
from companion.referee.notation import format_event, parse_event
from companion.referee.reasons import Reason
from companion.referee.rules import Kind
from companion.referee.standings import standings
from companion.referee.state import GameState, Phase
from tests.referee.nights import Night
from tests.referee.test_family_engine import begun, play, reasons, scored, sets

OWN = ["frustration", "ten_phases"]


def deal(state: GameState, *laid: int, out: int | None = None, points: int = 20) -> GameState:
    """A hand in which those laid their contract and the others hold so many points."""
    assert state.hand
    held = {seat: points for seat in state.dealt_in if seat != out}
    return play(state, do.ScoreHand(state.hand.number, out, held, laid=frozenset(laid)))


def numbers(state: GameState) -> list[int]:
    return [state.number_of(seat) for seat in state.order]


def test_23_who_is_not_down_plays_the_same_phase_again_and_the_others_the_next() -> None:
    state = play(begun("ten_phases"), do.GoDown(1, 0, sets("3S 3H 3D", "9S 9H 9D")))
    state = play(state, do.GoDownWithoutCards(1, 1))
    state = play(state, scored(state, 0, s1=10, s2=45, s3=60))
    assert numbers(state) == [2, 2, 1, 1]
    assert [str(state.contract_of(seat)) for seat in (0, 2)] == [
        str(state.rules.contracts[0 if seat == 2 else 1]) for seat in (0, 2)
    ]
    assert state.contract is None
    run = (Kind.ANYRUN, parse_cards("3S 4H 5D 6C"))
    second = (*sets("8S 8H 8D"), Meld(run[0], run[1], low=parse_card("3S").rank))
    assert reasons(state, do.GoDown(2, 0, second)) == []
    assert Reason.MISSING_MELD in reasons(state, do.GoDown(2, 2, second))
    assert reasons(state, do.GoDown(2, 2, sets("3S 3H 3D", "9S 9H 9D"))) == []


@pytest.mark.parametrize("sheet", OWN)
def test_the_first_to_lay_the_last_of_the_list_ends_the_night(sheet: str) -> None:
    state = begun(sheet, 3)
    for _ in range(9):
        state = deal(state, 0, 1)
    assert (state.phase, numbers(state)) == (Phase.PLAYING, [10, 10, 1])
    state = deal(state)
    assert (state.phase, state.hand.number if state.hand else 0) == (Phase.PLAYING, 11)
    state = deal(state, 1, out=1)
    assert state.phase is Phase.FINISHED
    assert standings(state).places == {1: 1, 0: 2, 2: 3}


@pytest.mark.parametrize("sheet", OWN)
def test_of_several_who_finish_in_one_deal_the_lowest_total_wins_and_equal_ones_share(sheet: str) -> None:
    state = begun(sheet, 3)
    for _ in range(9):
        state = deal(state, 0, 1, 2, out=2)
    level = deal(state, 0, 1, points=25)
    assert standings(level).places == {0: 1, 1: 1, 2: 3}
    assert standings(level).margin is None
    state = play(state, do.ScoreHand(10, None, {0: 40, 1: 25, 2: 5}, laid=frozenset({0, 1})))
    assert standings(state).places == {1: 1, 0: 2, 2: 3}
    assert standings(state).margin == 15
    assert standings(state).totals[2] < standings(state).totals[1]


def test_a_correction_of_who_laid_ends_the_night_or_lets_it_go_on() -> None:
    night = Night().do(do.StartGame(begun("ten_phases").rules, (0, 1, 2), 0, 10))
    night.do(do.ScoreHand(10, None, {0: 20, 1: 20, 2: 20}, laid=frozenset({1})))
    assert night.state.phase is Phase.FINISHED
    night.do(do.CorrectScore(10, None, {0: 20, 1: 20, 2: 20}, laid=frozenset()))
    assert (night.state.phase, numbers(night.state)) == (Phase.PLAYING, [10, 10, 10])
    night.do(do.CorrectScore(10, 2, {0: 20, 1: 20}))
    assert (night.state.phase, standings(night.state).winners) == (Phase.FINISHED, (2,))
    night.undo()
    assert night.state.phase is Phase.PLAYING
    assert replay(night.entries).state == night.state


def test_more_hands_are_played_than_the_list_has_and_each_is_judged_as_those_of_the_list() -> None:
    state = begun("ten_phases", 3)
    for _ in range(14):
        state = deal(state)
    assert numbers(state) == [1, 1, 1]
    assert reasons(state, do.ScoreHand(15, None, {0: 5000, 1: 5, 2: 5})) == [Reason.POINTS_ABOVE_PACK]
    assert reasons(state, do.ScoreHand(15, None, {0: 7, 1: 5, 2: 5})) == [Reason.NOT_MULTIPLE_OF_FIVE]
    assert reasons(state, do.ScoreHand(15, 0, {1: 5, 2: 5}, laid=frozenset({4}))) == [Reason.NO_SUCH_SEAT]
    assert reasons(state, do.Buy(15, 1)) == [Reason.NO_BUYS_LEFT]


def test_a_late_joiner_begins_with_the_hand_of_who_is_furthest_behind_and_that_is_corrected() -> None:
    state = deal(deal(begun("ten_phases", 3), 0, 1, 2), 0, 1)
    state = play(state, do.JoinSeat(3))
    assert (state.begins_with(3), numbers(state)) == (2, [3, 3, 2, 2])
    state = play(state, do.CorrectCarried({}, {3: 1, 0: 4}))
    assert numbers(state) == [6, 3, 2, 1]
    assert reasons(state, do.CorrectCarried({}, {1: 11})) == [Reason.NO_SUCH_HAND]
    assert reasons(begun("carioca"), do.CorrectCarried({}, {1: 2})) == [Reason.NO_SUCH_HAND]


def test_what_is_written_of_it_reads_back_and_other_games_write_what_they_wrote() -> None:
    for event in (
        HandScored(3, None, {0: 5, 1: 5}, laid=frozenset()),
        HandScored(3, 1, {0: 5, 1: 0}, laid=frozenset({0, 1})),
        SeatJoined(4, 40, 2, 7),
        CarriedCorrected({0: 20}, {1: 3}),
        CarriedCorrected({}, {1: 3, 2: 4}),
    ):
        assert decode(*encode(event)) == event
        assert parse_event(format_event(event)) == event
    assert encode(HandScored(3, 1, {0: 5, 1: 0})) == (
        "hand_scored",
        {"v": 1, "hand": 3, "out": 1, "points": {"0": 5, "1": 0}},
    )
    assert encode(SeatJoined(4, 40, 2)) == ("seat_joined", {"v": 1, "seat": 4, "carried": 40, "place": 2})
    assert encode(CarriedCorrected({0: 20})) == ("carried_corrected", {"v": 1, "carried": {"0": 20}})
    state = begun("carioca")
    (event,) = decide(state, scored(state, 0, s1=5, s2=5, s3=5))
    assert "laid" not in encode(event)[1]


def test_an_own_list_of_other_sizes_is_judged_by_each_players_own_hand() -> None:
    """A list of one's own: in its second hand the sizes are exact and twelve cards are dealt."""
    plain = begun("progressive", 3).rules
    rules = plain.replace(progress="own")
    state = play(GameState(), do.StartGame(rules, (0, 1, 2), 0))
    state = deal(state, 0)
    assert [state.rules_of(seat).hand_size for seat in (0, 1)] == [7, 6]
    assert state.rules_of(0) == state.rules.in_deal(2)


def test_24_three_thirteen_gives_the_others_one_more_turn_in_which_they_lay_what_they_have() -> None:
    state = begun("three_thirteen", 3, hand=4)
    whole = sets("9H 9D 9C", "KS KH KD")
    part = sets("8H 8D 8C")
    assert Reason.NOT_ALL_DEALT in reasons(state, do.GoDown(4, 1, part))
    state = play(state, do.GoDown(4, 0, whole))
    assert reasons(state, do.GoDown(4, 1, part)) == []
    assert reasons(state, do.GoDown(4, 1, ())) == [Reason.MISSING_MELD]
    assert Reason.NOT_ALL_DEALT in reasons(state, do.GoDown(4, 1, sets("8H 8D 8C 8S", "7H 7D 7C")))
    state = play(state, do.GoDown(4, 1, part))
    assert reasons(state, do.LayOff(4, 2, 0, parse_card("9S"))) == [Reason.LAY_OFF_OFF]
    assert reasons(state, scored(state, 0, s1=17, s2=0)) == []
    assert reasons(state, do.ScoreHand(4, None, {0: 4, 1: 17, 2: 4})) == []
    ran_out = do.ScoreHand(4, None, {0: 0, 1: 17, 2: 4})
    assert reasons(begun("three_thirteen", 3, 4, exact_cut=0), ran_out) == [Reason.ZERO_NOT_OUT]


def test_a_meld_of_three_thirteen_is_corrected_as_any_meld() -> None:
    state = play(begun("three_thirteen", 3, hand=4), do.GoDown(4, 0, sets("9H 9D 9C", "KS KH KD")))
    assert reasons(state, do.CorrectMeld(4, 0, sets("9H 9D 9S")[0])) == []
    assert reasons(state, do.CorrectMeld(4, 0, sets("9H 9D")[0])) == [Reason.TOO_SHORT]
    assert evolve(state, decide(state, do.CorrectMeld(4, 0, None))[0]).hand.melds[0].number == 1  # type: ignore[union-attr]
