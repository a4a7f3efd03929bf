"""A further contract rummy is one file for the referee: it starts, is played, scored, written down and asked."""

from __future__ import annotations

import pytest

from companion.codec import decode, encode
from companion.referee import commands as c
from companion.referee.contracts import least_buys
from companion.referee.engine import problems
from companion.referee.games import GAMES, SHEETS, game_of
from companion.referee.history import replay
from companion.referee.notation import format_game, parse_game
from companion.referee.notation import read_meld as meld
from companion.referee.protocol import answer
from companion.referee.reasons import Firmness, Reason
from companion.referee.scoring import likely_points, pack_points
from companion.referee.standings import standings
from companion.referee.state import GameState, Phase
from companion.referee.switches import SWITCHES
from tests.referee.nights import night
from tests.referee.throwaway import CROSSING, let_play


@pytest.fixture(autouse=True)
def _crossing(monkeypatch: pytest.MonkeyPatch) -> None:
    let_play(monkeypatch)


def test_it_is_a_game_with_its_own_name_and_gripes_switches() -> None:
    assert game_of(CROSSING) is GAMES["crossing"]
    assert SHEETS["crossing"] is CROSSING
    assert game_of(CROSSING).boardgame == "Rummy Crossing"
    assert game_of(CROSSING).family in SWITCHES["max_wilds"].families


def test_it_is_played_to_its_last_hand_and_who_has_the_least_wins() -> None:
    going = night(3, CROSSING)
    going.do(c.Buy(1, 0), c.GoDown(1, 0, (meld("set 9S 9H 9D"), meld("run AS 2S 3S 4S"))))
    going.do(c.LayOff(1, 0, 1, meld("run 5S 6S 7S").cards[0]))
    going.score(0, p1=34, p2=4).score(1, p0=12, p2=30).score(0, p1=4, p2=12)
    assert going.state.phase is Phase.FINISHED
    assert standings(going.state).totals == {0: 12, 1: 38, 2: 46}
    assert standings(going.state).winners == (0,)


def test_a_buy_brings_two_cards_from_the_stock_and_is_limited_hand_by_hand() -> None:
    going = night(3, CROSSING).do(c.Buy(1, 0), c.Buy(1, 0))
    (refused,) = problems(going.state, c.Buy(1, 0))
    assert (refused.reason, refused.rule, refused.firmness) == (Reason.NO_BUYS_LEFT, "X2", Firmness.TEXT)
    assert going.score(1).refused(c.Buy(2, 0)) == ()
    assert [least_buys(contract, CROSSING.replace(hand_size=3)) for contract in CROSSING.contracts] == [1, 2, 2]


def test_scores_are_refused_with_its_own_card_values() -> None:
    assert (CROSSING.card_values, CROSSING.step) == ((4, 12, 30), 2)
    assert pack_points(CROSSING) == 2 * (4 * (8 * 4 + 5 * 12) + 30)
    assert likely_points(CROSSING, 1) == 2 * 30 + 14 * 12
    (refused,) = problems(night(3, CROSSING).state, c.ScoreHand(1, 0, {1: 5, 2: 4}))
    assert (refused.reason, refused.facts["values"]) == (Reason.NOT_MULTIPLE_OF_FIVE, (4, 12, 30))


def test_too_few_players_are_refused_by_its_own_rule() -> None:
    (refused,) = problems(GameState(), c.StartGame(CROSSING, (0,), 0))
    assert (refused.reason, refused.rule) == (Reason.TOO_FEW_PLAYERS, "X1")


def test_it_is_written_down_and_stored_by_its_name() -> None:
    going = night(2, CROSSING.replace(max_wilds=1)).do(c.Buy(1, 1)).score(0)
    text = format_game(going.entries)
    assert text.startswith("1 start crossing seats 0 1 dealer 0 with max_wilds=1\n")
    assert replay(parse_game(text)).state == going.state
    assert [decode(*encode(event)) for event in going.entries] == going.entries


def test_the_line_protocol_knows_its_sheet() -> None:
    asked = {"type": "meld", "in": {"cards": ["AS", "2S", "3S", "4S"]}, "sheet": "crossing"}
    assert answer(asked)["out"]["run4"] is True


def test_a_game_of_it_opens_when_nobody_has_the_game_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    text, state = format_game(night(2, CROSSING).entries), night(2, CROSSING).state
    monkeypatch.undo()
    assert (game_of(CROSSING).key, game_of(CROSSING).boardgame) == ("crossing", "Crossing")
    assert format_game(night(2, CROSSING).entries) != text
    assert replay(parse_game(format_game(night(2, CROSSING).entries))).state == state
