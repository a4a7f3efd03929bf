"""Undo and redo to any depth, over the end of a hand and of the game (law 7), and replaying a record."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.games import KATE
from companion.referee.history import effective, effective_numbers, fold, redo_target, replay, undo_target
from companion.referee.reasons import Reason
from companion.referee.standings import totals
from companion.referee.state import GameState, Phase
from tests.referee.nights import LAID, advance, melds, night

START = e.GameStarted(KATE, (0, 1, 2), 0)
BUY = e.Bought(1, 0)


def test_nothing_to_undo_or_redo_in_an_empty_record_or_at_the_start() -> None:
    assert undo_target([]) is None
    assert redo_target([]) is None
    assert undo_target([START]) is None
    assert replay([]) == replay(())
    assert replay([]).state == GameState()


def test_undo_takes_back_the_last_entry_that_holds() -> None:
    entries: list[e.Event] = [START, BUY, e.Bought(1, 1)]
    assert undo_target(entries) == 3
    entries.append(e.Undone(3))
    assert undo_target(entries) == 2
    entries.append(e.Undone(2))
    assert undo_target(entries) is None
    assert effective(entries) == (START,)


def test_redo_restores_the_last_undone_first() -> None:
    entries: list[e.Event] = [START, BUY, e.Bought(1, 1), e.Undone(3), e.Undone(2)]
    assert redo_target(entries) == 2
    entries.append(e.Redone(2))
    assert redo_target(entries) == 3
    entries.append(e.Redone(3))
    assert redo_target(entries) is None
    assert effective_numbers(entries) == (1, 2, 3)


def test_what_was_redone_can_be_undone_again() -> None:
    entries = [START, BUY, e.Undone(2), e.Redone(2)]
    assert undo_target(entries) == 2
    assert redo_target([*entries, e.Undone(2)]) == 2


def test_a_new_entry_ends_redo() -> None:
    entries = [START, BUY, e.Undone(2), e.Bought(1, 1)]
    assert redo_target(entries) is None
    assert undo_target(entries) == 4
    assert undo_target([*entries, e.Undone(4)]) is None
    assert redo_target([*entries, e.Undone(4)]) == 4


def test_undo_over_the_end_of_a_hand_restores_everything() -> None:
    going = night(4, dealer=2).do(c.Buy(1, 3), c.GoDown(1, 1, melds(LAID[0])), c.Float(1, 1))
    before = going.state
    going.score(0)
    assert going.state.hand is not None
    assert (going.state.hand.number, going.state.hand.dealer, dict(going.state.hand.buys)) == (2, 3, {})
    going.undo()
    assert going.state == before
    assert going.state.hand is not None
    assert going.state.hand.dealer == 2
    assert going.state.hand.buys == {3: 1}
    assert going.state.hand.floating == {1}
    assert len(going.state.hand.melds) == 2
    assert totals(going.state) == {0: 0, 1: 0, 2: 0, 3: 0}


def test_undo_over_the_end_of_the_game_and_over_closing() -> None:
    going = night(3).play_to(10).score(1)
    assert going.state.phase is Phase.FINISHED
    going.undo()
    assert going.state.phase is Phase.PLAYING
    assert going.state.hand is not None
    assert going.state.hand.number == 10
    going.do(c.CloseGame())
    assert going.state.phase is Phase.CLOSED
    going.undo()
    assert going.state.phase is Phase.PLAYING
    going.redo()
    assert going.state.phase is Phase.CLOSED


def test_undoing_a_correction_restores_the_old_score() -> None:
    going = night(3).score(0, p1=20, p2=35).score(1).do(c.CorrectScore(1, 0, {0: 0, 1: 25, 2: 35}))
    assert totals(going.state)[1] == 25
    assert totals(going.undo().state)[1] == 20
    assert totals(going.redo().state)[1] == 25


def test_undoing_an_overruled_switch_restores_the_rule() -> None:
    going = night(3).do(c.OverruleRule("max_wilds", 1))
    assert going.state.overruled == ("max_wilds",)
    going.undo()
    assert going.state.rules == KATE
    assert going.state.overruled == ()


def test_the_third_deck_goes_with_the_undone_joiner() -> None:
    going = night(6).do(c.JoinSeat(6))
    assert going.state.rules is not None
    assert going.state.rules.decks == 3
    going.undo()
    assert going.state.rules == KATE
    assert going.state.seats == (0, 1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("entries", "applied", "reason"),
    [
        ([BUY], 0, Reason.NOT_STARTED),
        ([START, START], 1, Reason.ALREADY_STARTED),
        ([START, e.Undone(1)], 1, Reason.NOTHING_TO_UNDO),
        ([START, BUY, BUY, e.Undone(2)], 3, Reason.NOTHING_TO_UNDO),
        ([START, BUY, e.Undone(2), e.Redone(3)], 3, Reason.NOTHING_TO_REDO),
        ([START, BUY, e.Undone(2), BUY, e.Redone(2)], 4, Reason.NOTHING_TO_REDO),
        ([START, BUY, e.Undone(99)], 2, Reason.NOTHING_TO_UNDO),
        ([e.Undone(1)], 0, Reason.NOTHING_TO_UNDO),
    ],
)
def test_replay_stops_where_a_record_makes_no_sense(entries: list[e.Event], applied: int, reason: Reason) -> None:
    found = replay(entries)
    assert found.applied == applied
    assert found.problem is not None
    assert found.problem.reason is reason
    assert found.state == fold(effective(entries[:applied]))


def test_an_old_record_that_undoes_an_entry_in_the_middle_still_reads() -> None:
    entries = [START, BUY, e.Bought(1, 1), e.Undone(2)]
    assert effective_numbers(entries) == (1, 3)
    assert redo_target(entries) == 2
    assert effective_numbers([*entries, e.Redone(2)]) == (1, 2, 3)


def test_advancing_by_one_entry_is_replaying_the_record() -> None:
    entries: list[e.Event] = []
    state = GameState()
    for event in (START, BUY, BUY, e.Undone(3), e.Undone(2), e.Redone(2), e.Floated(1, 2), e.Undone(7)):
        state = advance(state, entries, event)
        entries.append(event)
        assert state == replay(entries).state
