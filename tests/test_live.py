"""Who listens to a game hears of every change; the stream, the question for a revision, and the television."""

from __future__ import annotations

import threading

import pytest

from companion import live, record
from companion.live import Board
from companion.referee.commands import Buy
from tests.web import play, start


def test_a_listener_hears_of_its_own_game_only():
    board = Board(10)
    mine, other = board.listen(1), board.listen(2)
    board.ring(1)
    assert mine.wait(5)
    assert not other.wait(0)
    assert not mine.wait(0)


def test_what_was_told_before_the_wait_is_not_missed():
    board = Board(10)
    mine = board.listen(1)
    board.ring(1)
    board.ring(1)
    assert mine.wait(0)
    assert not mine.wait(0)


def test_a_wait_ends_with_the_word_of_another_thread():
    board = Board(10)
    mine = board.listen(1)
    heard = []
    waiting = threading.Thread(target=lambda: heard.append(mine.wait(30)))
    waiting.start()
    board.ring(1)
    waiting.join(10)
    assert heard == [True]


def test_there_are_as_many_places_as_said_and_a_place_left_is_free():
    board = Board(2)
    first, second = board.listen(1), board.listen(2)
    assert board.listen(1) is None
    first.close()
    first.close()
    assert first.is_over and not second.is_over
    assert board.taken() == 1
    assert board.listen(3) is not None


def test_a_board_that_closes_wakes_everybody_and_takes_no_more():
    board = Board(5)
    mine = board.listen(1)
    board.close()
    assert mine.wait(0) and mine.is_over
    assert board.listen(1) is None


@pytest.mark.parametrize(("settings", "places"), [({}, 32), ({"THREADS": 12}, 8), ({"STREAMS": 3}, 3), ({"THREADS": 1}, 1)])
def test_streams_leave_threads_for_pages(make_app, settings, places):
    app = make_app(**settings)
    assert live.board(app).places == places


def test_every_committed_entry_is_told(app, client):
    code = start(app, client)
    with app.app_context():
        game, at = live.revision(code)
        mine = live.listen(game)
    assert at == 1
    play(app, code, Buy(1, 1))
    assert mine.wait(0)
    with app.app_context():
        assert live.revision(code) == (game, 2)
        live.roles_changed(game)
    assert mine.wait(0)


def test_two_apps_of_one_process_do_not_hear_each_other(make_app):
    one, two = make_app(), make_app()
    code = start(one, one.test_client())
    start(two, two.test_client())
    with two.app_context():
        elsewhere = live.listen(1)
    play(one, code, Buy(1, 1))
    assert not elsewhere.wait(0)


def test_no_such_game_has_no_revision(app):
    with app.app_context():
        assert live.revision("nothing") is None
        assert record.since("nothing", 0, 3) == ()


def test_since_gives_the_last_entries_in_order(app, client):
    code = start(app, client)
    play(app, code, Buy(1, 1), Buy(1, 2), Buy(1, 0))
    with app.app_context():
        assert [entry.seq for entry in record.since(code, 1, 2)] == [3, 4]
        assert [entry.seq for entry in record.since(code, 3, 9)] == [4]
        assert record.since(code, 4, 9) == record.since(code, 40, 9) == ()
