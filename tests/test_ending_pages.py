"""The end of the night: who won, places with ties, closing early, playing on, and once more."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion import record
from companion.referee.commands import (
    Buy,
    CloseGame,
    CorrectCount,
    CorrectScore,
    CountHand,
    GoDownWithoutCards,
    LeaveSeat,
    ReopenGame,
    ResumeHand,
)
from companion.referee.games import GREBBER, KATE
from companion.referee.grebber import Count
from companion.referee.standings import totals
from companion.referee.state import Phase
from tests.web import LONG_NAMES, play, score, start, view, watch


def page_of(client: FlaskClient, code: str) -> str:
    answer = client.get(f"/g/{code}/end")
    assert answer.status_code == 200
    return answer.text


def send(client: FlaskClient, code: str, status: int = 303, **sent: object):
    answer = client.post(f"/g/{code}/end", data={"token": "t", "seen": "1", **sent})
    assert answer.status_code == status, answer.text[-1500:]
    return answer


def lines(page: str) -> list[tuple[str, str, str]]:
    """Place, name and total of every line of the standings."""
    cells = r'<td class="standing-place">(.*?)</td>\s*<th[^>]*>(.*?)</th>\s*<td[^>]*>(.*?)</td>'
    rows = re.findall(cells, page)
    return [tuple(re.sub(r"<small>.*?</small>|<[^>]*>", "", cell) for cell in row) for row in rows]  # type: ignore[misc]


def title(page: str) -> str:
    found = re.search(r"<h1>(.*?)</h1>", page)
    assert found
    return found[1]


def whole_night(app: Flask, code: str) -> None:
    play(
        app,
        code,
        *(
            score(hand, hand % 3, *(0 if seat == hand % 3 else 5 * (seat + 1) for seat in range(3)))
            for hand in range(1, 11)
        ),
    )


# --- during the night ------------------------------------------------------------------------------------------------


def test_before_a_hand_is_scored_nothing_silly_is_said(app: Flask, client: FlaskClient) -> None:
    page = page_of(client, start(app, client))
    assert title(page) == "No hand is scored yet."
    assert lines(page) == [("–", "Ana", "0"), ("–", "Bea", "0"), ("–", "Carl", "0")]
    assert "Who won which hand" not in page
    assert "Again with the same people" not in page
    assert 'value="close"' in page


def test_during_the_night_the_standings_and_a_way_to_end_it(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    play(app, code, score(1, 2, 40, 25, 0))
    page = page_of(client, code)
    assert title(page) == "Carl leads"
    assert lines(page) == [("1", "Carl", "0"), ("2", "Bea", "25"), ("3", "Ana", "40")]
    assert "After hand 1 of 10." in page
    assert "Enough for tonight" in page
    assert 'value="reopen"' not in page


def test_closing_asks_first_and_then_ends_the_night(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    play(app, code, score(1, 2, 40, 25, 0))
    assert send(client, code, do="close", seen="2").location == f"/g/{code}/end"
    assert view(app, code).state.phase is Phase.CLOSED
    page = page_of(client, code)
    assert title(page) == "Carl wins"
    assert "After hand 1 of 10, closed early." in page
    assert 'value="close"' not in page
    assert f'href="/new?again={code}"' in page
    assert ">The night is over</span>" in page  # not "Hand 2 of 10"


def test_closing_twice_lands_once(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    send(client, code, do="close")
    send(client, code, do="close")
    assert view(app, code).revision == 2


def test_closing_a_closed_night_says_why_not(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    play(app, code, CloseGame())
    page = send(client, code, 422, do="close", seen="2").text
    assert "This game is over." in page


def test_closing_with_scores_that_came_meanwhile_shows_them_first(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    play(app, code, score(1, 2, 40, 25, 0))
    page = send(client, code, 409, do="close", seen="1").text
    assert "Hand 1: Carl went out." in page
    assert view(app, code).state.phase is Phase.PLAYING


# --- after it --------------------------------------------------------------------------------------------------------


def test_a_night_closed_before_any_hand_has_no_winner(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    play(app, code, CloseGame())
    page = page_of(client, code)
    assert title(page) == "Nobody won: no hand was scored."
    assert "closed early" not in page
    assert 'class="first"' not in page
    assert [place for place, _, _ in lines(page)] == ["–"] * 3
    assert 'value="reopen"' in page


def test_g9_1_the_lowest_total_after_ten_hands_wins(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    whole_night(app, code)
    page = page_of(client, code)
    assert title(page) == "Ana wins"
    assert "All 10 hands are played." in page
    assert lines(page) == [("1", "Ana", "35"), ("2", "Bea", "60"), ("3", "Carl", "105")]
    assert page.count('class="hand-number"') == 10


def test_g9_3_equal_totals_share_the_place_and_the_win(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, ("Ana", "Bea", "Carl", "Dan"))
    play(app, code, score(1, 0, 0, 25, 25, 30), score(2, 1, 25, 0, 30, 25), CloseGame())
    page = page_of(client, code)
    assert title(page) == "Ana and Bea share the win"
    assert [place for place, _, _ in lines(page)] == ["1", "1", "3", "3"]


def test_who_won_which_hand_and_a_hand_nobody_won(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    play(app, code, score(1, 2, 40, 25, 0), score(2, None, 40, 25, 5), CloseGame())
    page = page_of(client, code)
    assert re.search(r'<li value="1">.*?Carl</span></li>', page)
    assert re.search(r'<li value="2">.*?nobody', page)


def test_g9_4_a_late_joiner_brings_points_and_a_leaver_has_no_place(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, ("Ana", "Bea", "Carl", "Dan"))
    play(app, code, score(1, 0, 0, 25, 40, 10))
    with app.app_context():
        record.join(code, "Eve", token="j", seen=2)
    play(app, code, LeaveSeat(0), CloseGame())
    page = page_of(client, code)
    assert title(page) == "Dan wins"
    assert lines(page) == [
        ("1", "Dan", "10"),
        ("2", "Bea", "25"),
        ("3", "Carl", "40"),
        ("3", "Eve", "40"),
        ("–", "Ana", "0"),
    ]
    assert "started with 40 points" in page
    assert "left the table" in page


def test_a_closed_night_is_played_on(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    play(app, code, score(1, 2, 40, 25, 0), CloseGame())
    assert send(client, code, do="reopen", seen="3").location == f"/g/{code}/"
    assert view(app, code).state.phase is Phase.PLAYING


def test_after_the_last_hand_the_last_entry_is_named_and_taken_back(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    whole_night(app, code)
    page = page_of(client, code)
    assert 'value="reopen"' not in page
    assert "This takes the last entry back: Hand 10: Bea went out." in page
    assert send(client, code, do="undo", seen="11", entry="11").location == f"/g/{code}/"
    seen = view(app, code)
    assert seen.state.phase is Phase.PLAYING
    assert seen.state.hand is not None
    assert seen.state.hand.number == 10


def test_after_a_late_correction_playing_on_does_not_take_that_back(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    whole_night(app, code)
    play(app, code, CorrectScore(2, 2, {0: 50, 1: 10, 2: 0}))
    page = page_of(client, code)
    assert "This takes the last entry back" not in page and "Hand 10 is in play again" in page


def test_undo_of_another_entry_says_so(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    whole_night(app, code)
    said = send(client, code, 409, do="undo", seen="11", entry="3").text
    assert "The game has moved on: this was not entered." in said  # nothing came in between
    assert "Somebody was quicker" not in said


def test_reopening_a_game_that_is_being_played_says_why_not(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    assert "not over" in send(client, code, 422, do="reopen").text


# --- whoever asks ----------------------------------------------------------------------------------------------------


def test_a_watcher_sees_and_cannot_send(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    play(app, code, score(1, 2, 40, 25, 0))
    watcher = app.test_client()
    watch(app, watcher, code)
    page = page_of(watcher, code)
    assert title(page) == "Carl leads"
    assert 'name="do"' not in page
    send(watcher, code, 403, do="close", seen="2")


def test_another_phone_sees_nothing(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    assert app.test_client().get(f"/g/{code}/end").status_code == 404
    assert app.test_client().post(f"/g/{code}/end", data={"do": "close"}).status_code == 404


@pytest.mark.parametrize("wanted", ["", "x", "CLOSE", "close\x00", "undo", "9" * 500])
def test_garbage_is_refused(app: Flask, client: FlaskClient, wanted: str) -> None:
    code = start(app, client)
    send(client, code, 422, do=wanted)
    assert view(app, code).revision == 1


@pytest.mark.parametrize("entry", ["", "-1", "1e0", "９", "9" * 30, "0", "999"])
def test_garbage_entries_are_refused(app: Flask, client: FlaskClient, entry: str) -> None:
    code = start(app, client)
    answer = client.post(f"/g/{code}/end", data={"do": "undo", "entry": entry, "token": "t", "seen": "1"})
    assert answer.status_code in (409, 422)
    assert view(app, code).revision == 1


@pytest.mark.parametrize("seen", ["", "-1", "x", "9" * 40, "²"])
def test_garbage_revisions_still_land_or_explain(app: Flask, client: FlaskClient, seen: str) -> None:
    code = start(app, client)
    assert client.post(f"/g/{code}/end", data={"do": "close", "token": "t", "seen": seen}).status_code in (303, 409)


def test_names_are_text_whatever_they_hold(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, LONG_NAMES, KATE)
    play(app, code, score(1, 5, 5, 10, 15, 20, 25, 0, 30, 35), CloseGame())
    page = page_of(client, code)
    assert title(page) == "&lt;script&gt;alert(1)&lt;/script&gt; wins"
    assert "<script>alert" not in page


def test_looking_changes_nothing(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    client.get(f"/g/{code}/end?do=close")
    assert view(app, code).state.phase is Phase.PLAYING


def test_reopened_it_is_a_night_in_play_again(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    play(app, code, CloseGame(), ReopenGame())
    assert 'value="close"' in page_of(client, code)


def test_play_on_after_all_plays_on_though_scores_were_corrected_since(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    play(app, code, *(score(hand, 0, 0, 5, 10) for hand in range(1, 10)), Buy(10, 1), GoDownWithoutCards(10, 2))
    as_it_lay = view(app, code).state.hand
    play(app, code, score(10, 0, 0, 5, 10), CorrectScore(3, 0, {1: 25, 2: 10}), CorrectScore(10, 1, {0: 5, 2: 5}))
    finished = view(app, code).state
    page = page_of(client, code)
    assert "Hand 10 is in play again" in page and "This takes the last entry back" not in page
    send(client, code, do="resume", seen=view(app, code).revision, token="play on")
    now = view(app, code)
    assert now.state.phase is Phase.PLAYING and now.state.hand == as_it_lay
    assert totals(now.state) == {0: 0, 1: 65, 2: 90}, "the correction of hand 3 stays, the score of hand 10 is gone"
    assert now.undo
    send(client, code, 422, do="resume", seen=now.revision, token="again")
    with app.app_context():
        record.undo(code, entry=now.undo.seq, token="u", seen=now.revision)
    assert view(app, code).state == finished
    play(app, code, ResumeHand(), score(10, 2, 5, 5, 0))
    assert totals(view(app, code).state) == {0: 5, 1: 70, 2: 90}


def test_a_night_that_a_correction_ended_plays_on_too(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, ("Dot", "Eve"), GREBBER.replace(target=100))
    play(
        app, code, CountHand(1, (Count(0, 40, 0), Count(1, 10, 10))), CountHand(2, (Count(0, 30, 0), Count(1, 20, 10)))
    )
    play(
        app,
        code,
        CorrectCount(1, (Count(0, 60, 0), Count(1, 0, 0))),
        CorrectCount(2, (Count(0, 50, 0), Count(1, 0, 10))),
    )
    assert view(app, code).state.phase is Phase.FINISHED
    assert 'value="resume"' in page_of(client, code)
    send(client, code, do="resume", seen=view(app, code).revision, token="play on")
    state = view(app, code).state
    assert state.phase is Phase.PLAYING and state.hand and state.hand.number == 3 and len(state.scores) == 2
