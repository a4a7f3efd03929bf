"""Points at the start and of late joiners: a link, a preview, an entry; and what G9.4 would have given them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion import record
from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.engine import problems
from companion.referee.games import GREBBER, KATE
from companion.referee.grebber import Count
from companion.referee.history import effective
from companion.referee.joiners import given_points, other_points
from companion.referee.reasons import Reason
from companion.referee.standings import totals
from companion.referee.state import Phase
from tests.referee.nights import Night, night
from tests.web import device_of, plain, play, score, start, view, watch


def from_paper(app: Flask, client: FlaskClient, *carried: int, first: int = 4) -> str:
    device = device_of(app, client)
    with app.app_context():
        command = c.StartGame(KATE, (0, 1, 2), 0, first, carried)
        return record.start_game(command, ("Ana", "Bea", "Carl"), token=record.new_token(), device=device).code


def joined(app: Flask, code: str, name: str = "Dora") -> None:
    with app.app_context():
        record.join(code, name, token=record.new_token(), seen=view(app, code).revision)


def sent(page: str) -> dict[str, str]:
    """What the form that saves sends."""
    form = next(form for form in re.findall(r"<form.*?</form>", page, re.S) if 'id="save"' in form)
    inputs = re.findall(r"<input[^>]*>", form)
    values = {}
    for tag in inputs:
        name, value = re.search(r'name="([^"]*)"', tag), re.search(r'value="([^"]*)"', tag)
        if name and 'type="checkbox"' not in tag:
            values[name[1]] = value[1] if value else ""
    return values


def save(client: FlaskClient, code: str, page: str, status: int = 303, **more: Any) -> Any:
    answer = client.post(f"/g/{code}/scores/start", data={**sent(page), **more})
    assert answer.status_code == status, answer.text
    return answer


def preview(client: FlaskClient, code: str, status: int = 200, **points: Any) -> str:
    query = {f"start-{name[1:]}": str(value) for name, value in points.items()}
    answer = client.get(f"/g/{code}/scores/start", query_string=query)
    assert answer.status_code == status, answer.text
    return plain(answer.text)


# --- the referee ----------------------------------------------------------------------------------------------------


def test_g9_1_points_at_the_start_are_corrected_for_the_seats_named() -> None:
    going = Night().do(c.StartGame(KATE, (0, 1, 2), 0, 4, (45, 60, 30))).do(c.ScoreHand(4, 0, {1: 10, 2: 20}, True))
    going.do(c.CorrectCarried({1: 160}))
    assert going.entries[-1] == e.CarriedCorrected({1: 160})
    assert totals(going.state) == {0: 45, 1: 170, 2: 50}
    assert going.undo().state.carried == {0: 45, 1: 60, 2: 30}


@pytest.mark.parametrize(
    ("carried", "reason"),
    [
        ({9: 5}, Reason.NO_SUCH_SEAT), ({0: -5}, Reason.NEGATIVE_POINTS), ({0: 7}, Reason.NOT_MULTIPLE_OF_FIVE),
        ({0: 100_000}, Reason.POINTS_ABOVE_PACK),
    ],
)  # fmt: skip
def test_g9_2_points_that_cannot_be_are_refused(carried: dict[int, int], reason: Reason) -> None:
    going = Night().do(c.StartGame(KATE, (0, 1, 2), 0, 4, (45, 60, 30)))
    assert going.refused(c.CorrectCarried(carried)) == (reason,)
    assert going.refused(c.CorrectCarried({0: 5})) == ()


def test_nobody_came_before_the_start_and_nothing_is_corrected_in_a_game_thrown_away() -> None:
    assert [problem.reason for problem in problems(Night().state, c.CorrectCarried({0: 5}))] == [Reason.NOT_STARTED]
    assert night(3).do(c.DiscardGame()).refused(c.CorrectCarried({0: 5})) == (Reason.GAME_OVER,)


def test_k5_a_game_to_a_target_ends_and_goes_on_with_it() -> None:
    going = Night().do(c.StartGame(GREBBER.replace(target=100), (0, 1), 0, 3, (40, 10)))
    going.do(c.CountHand(3, (Count(0, 40, 0), Count(1, 10, 10))))
    assert going.state.phase is Phase.PLAYING
    going.do(c.CorrectCarried({0: 90}))
    assert going.state.phase is Phase.FINISHED
    going.do(c.CorrectCarried({0: 40}))
    assert going.state.phase is Phase.PLAYING and going.state.hand and going.state.hand.number == 4


def with_joiner(how: str = "highest") -> Night:
    going = night(3, rules=KATE.replace(late_joiner=how)).do(c.ScoreHand(1, 0, {1: 10, 2: 40}, True), c.JoinSeat(3))
    return going.do(c.ScoreHand(2, 1, {0: 5, 2: 10, 3: 20}, True))


def test_g9_4_what_a_joiner_would_have_been_given() -> None:
    going = with_joiner()
    entries = effective(going.entries)
    assert given_points(entries) == {3: 40}
    assert other_points(entries, e.ScoreCorrected(1, 0, {0: 0, 1: 10, 2: 90})) == {3: 90}
    assert other_points(entries, e.CarriedCorrected({1: 100})) == {3: 110}
    assert other_points(entries, e.ScoreCorrected(1, 0, {0: 0, 1: 30, 2: 40})) == {}, "the highest stays"
    assert other_points(entries, e.ScoreCorrected(2, 1, {0: 5, 1: 0, 2: 90, 3: 20})) == {}, "a hand they played"
    assert other_points(entries, e.CarriedCorrected({3: 35})) == {}, "their own are what the table says"
    assert other_points(effective(with_joiner("zero").entries), e.ScoreCorrected(1, 0, {0: 0, 1: 10, 2: 90})) == {}
    average = effective(with_joiner("average").entries)
    assert other_points(average, e.ScoreCorrected(1, 0, {0: 0, 1: 10, 2: 85})) == {3: 30}


def test_g9_4_one_joiners_points_carry_on_to_the_next() -> None:
    going = with_joiner().do(c.JoinSeat(4))
    entries = effective(going.entries)
    assert given_points(entries) == {3: 40, 4: 60}
    assert other_points(entries, e.ScoreCorrected(1, 0, {0: 0, 1: 10, 2: 90})) == {3: 90, 4: 110}


def test_g9_4_who_has_the_points_already_is_not_offered_them() -> None:
    going = with_joiner().do(c.CorrectCarried({3: 90}))
    assert other_points(effective(going.entries), e.ScoreCorrected(1, 0, {0: 0, 1: 10, 2: 90})) == {}


# --- the pages ------------------------------------------------------------------------------------------------------


def test_from_paper_a_link_a_preview_and_an_entry(app: Flask, client: FlaskClient) -> None:
    code = from_paper(app, client, 45, 60, 30)
    play(app, code, score(4, 0, 0, 10, 20))
    assert f'href="/g/{code}/scores/start"' in client.get(f"/g/{code}/scores").text
    form = client.get(f"/g/{code}/scores/start").text
    assert re.findall(r'name="start-(\d)"[^>]*value="(\d+)"', form) == [("0", "45"), ("1", "60"), ("2", "30")]
    page = preview(client, code, p0=45, p1=160, p2=30)
    assert "is this right?" in page and view(app, code).revision == 2
    assert ">70</span>" in page and "<strong>170</strong>" in page
    answer = save(client, code, page)
    assert answer.location == f"/g/{code}/scores"
    assert save(client, code, page).status_code == 303, "a second tap lands once"
    now = view(app, code)
    assert now.revision == 3 and totals(now.state) == {0: 45, 1: 170, 2: 50}
    assert "Points at the start corrected: Bea 160." in plain(client.get(f"/g/{code}/history").text)
    assert now.undo
    with app.app_context():
        record.undo(code, entry=3, token="u", seen=3)
    assert totals(view(app, code).state) == {0: 45, 1: 70, 2: 50}


def test_forgotten_points_of_a_night_from_paper_can_be_given(app: Flask, client: FlaskClient) -> None:
    code = from_paper(app, client)
    assert "/scores/start" in client.get(f"/g/{code}/scores").text
    save(client, code, preview(client, code, p0=45, p1=60, p2=30))
    assert totals(view(app, code).state) == {0: 45, 1: 60, 2: 30}


def test_where_nobody_came_with_points_there_is_no_line(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, score(1, 0, 0, 10, 20))
    assert "At the start<" not in client.get(f"/g/{code}/scores").text


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("", "Type the points"), ("7", "multiple of 5"), ("x", ""), ("-5", ""), ("99999", ""), ("9" * 300, ""), ("٣", ""),
        ("1e3", ""), ("\x00", ""),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_beside_the_player_and_kept(
    app: Flask, client: FlaskClient, typed: str, says: str
) -> None:
    code = from_paper(app, client, 45, 60, 30)
    page = preview(client, code, 422, p0=45, p1=typed, p2=30)
    block = page.split('for="start-1"')[1].split("</li>")[0]
    assert "field-error" in block and 'id="save"' not in page
    data = {"token": "t", "seen": 1, "start-0": 45, "start-1": typed, "start-2": 30}
    assert client.post(f"/g/{code}/scores/start", data=data).status_code == 422
    assert view(app, code).revision == 1 and isinstance(says, str)


def test_only_keepers_and_nobody_what_moved_on(app: Flask, client: FlaskClient) -> None:
    code = from_paper(app, client, 45, 60, 30)
    looker = app.test_client()
    watch(app, looker, code)
    assert "/scores/start" not in looker.get(f"/g/{code}/scores").text and "45" in looker.get(f"/g/{code}/scores").text
    assert looker.get(f"/g/{code}/scores/start").status_code == 403
    page = preview(client, code, p0=45, p1=160, p2=30)
    play(app, code, c.CorrectCarried({1: 100}))
    answer = save(client, code, page, 409)
    assert "Points at the start corrected: Bea 100." in plain(answer.text) and 'value="160"' in answer.text


def test_a_late_joiners_points_are_corrected_too(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, score(1, 0, 0, 10, 40))
    joined(app, code)
    form = plain(client.get(f"/g/{code}/scores/start").text)
    assert "Came later; by the table's rule with 40 points (G9.4)." in form.split('for="start-3"')[1]
    save(client, code, preview(client, code, p0=0, p1=0, p2=0, p3=25))
    assert totals(view(app, code).state) == {0: 0, 1: 10, 2: 40, 3: 25}


def test_a_joiner_who_came_with_nothing_has_a_line(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, rules=KATE.replace(late_joiner="zero"))
    play(app, code, score(1, 0, 0, 10, 40))
    joined(app, code)
    play(app, code, score(2, 0, 0, 10, 40, 5))
    assert "At the start" in client.get(f"/g/{code}/scores").text


def test_a_corrected_hand_says_what_the_joiner_would_have_been_given_and_offers_it(
    app: Flask, client: FlaskClient, code: str
) -> None:
    play(app, code, score(1, 0, 0, 10, 40))
    joined(app, code)
    query = {"hand": "1", "out": "0", "points-0": "", "points-1": "10", "points-2": "90"}
    page = plain(client.get(f"/g/{code}/scores/1", query_string=query).text)
    assert "Dora came later and would have been given 90 points at the start, not 40 (G9.4)." in page
    offered = re.search(r'name="joiners" value="([^"]*)"', page)
    assert offered and offered[1] == "3=90"
    data, revision = sent(page), view(app, code).revision
    assert client.post(f"/g/{code}/scores/1", data={**data, "joiners": offered[1]}).status_code == 303
    now = view(app, code)
    assert now.revision == revision + 1 and totals(now.state) == {0: 0, 1: 10, 2: 90, 3: 90}
    assert client.post(f"/g/{code}/scores/1", data={**data, "joiners": offered[1]}).status_code == 303, "sent twice"
    assert now.undo
    with app.app_context():
        record.undo(code, entry=now.undo.seq, token="u", seen=now.revision)
    assert totals(view(app, code).state) == {0: 0, 1: 10, 2: 40, 3: 40}, "one tap, one undo"


def test_the_offer_may_be_left(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, score(1, 0, 0, 10, 40))
    joined(app, code)
    query = {"hand": "1", "out": "0", "points-0": "", "points-1": "10", "points-2": "90"}
    page = plain(client.get(f"/g/{code}/scores/1", query_string=query).text)
    assert client.post(f"/g/{code}/scores/1", data=sent(page)).status_code == 303
    assert totals(view(app, code).state)[3] == 40
    quiet = plain(client.get(f"/g/{code}/scores/1", query_string={**query, "points-2": "95"}).text)
    assert "would have been given 95" in quiet
    same = client.get(f"/g/{code}/scores/1", query_string={**query, "points-1": "15", "points-2": "90"}).text
    assert 'name="joiners"' not in same, "the highest total stays what it was"


def test_points_from_paper_corrected_after_somebody_joined_offer_it_too(app: Flask, client: FlaskClient) -> None:
    code = from_paper(app, client, 45, 60, 30)
    joined(app, code)
    page = preview(client, code, p0=45, p1=160, p2=30, p3=60)
    assert "would have been given 160 points at the start, not 60" in page
    save(client, code, page, joiners="3=160")
    assert totals(view(app, code).state) == {0: 45, 1: 160, 2: 30, 3: 160}


@pytest.mark.parametrize("joiners", ["", "x", "3", "3=", "99=5", "3=7", "3=999999", "3=40;4=5", "3=٣", "3=5," * 500])
def test_made_up_offers_land_nothing_that_cannot_be(app: Flask, client: FlaskClient, code: str, joiners: str) -> None:
    play(app, code, score(1, 0, 0, 10, 40))
    joined(app, code)
    query = {"hand": "1", "out": "0", "points-0": "", "points-1": "10", "points-2": "90"}
    page = plain(client.get(f"/g/{code}/scores/1", query_string=query).text)
    answer = client.post(f"/g/{code}/scores/1", data={**sent(page), "joiners": joiners})
    assert answer.status_code in (303, 422)
    assert totals(view(app, code).state)[3] == 40
