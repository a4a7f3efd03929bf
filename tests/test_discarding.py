"""A game started by mistake: thrown away by its keeper, out of everything, and taken back within a week."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select

from companion import record
from companion.db import db
from companion.exporting import document
from companion.models import Entry
from companion.record import exporting, finished, importing, many_nights, reading
from companion.referee.commands import Buy, CloseGame, DiscardGame
from companion.referee.engine import IllegalCommand
from companion.referee.state import Phase
from tests.web import another, device_of, plain, play, score, start, view, watch


def discard(client: FlaskClient, app: Flask, code: str, status: int = 303, **sent: Any) -> Any:
    fields = {"token": record.new_token(), "seen": view(app, code).revision, "do": "discard", **sent}
    answer = client.post(f"/g/{code}/end", data=fields)
    assert answer.status_code == status, answer.text
    return answer


def take_back(client: FlaskClient, app: Flask, code: str, status: int = 303) -> Any:
    entry = view(app, code).revision
    fields = {"token": record.new_token(), "seen": entry, "do": "undo", "entry": entry}
    answer = client.post(f"/g/{code}/end", data=fields)
    assert answer.status_code == status, answer.text
    return answer


@pytest.fixture
def wrong(app: Flask, client: FlaskClient) -> str:
    """A finished night that Ana won, and another table with people of its own that is thrown away."""
    kept = start(app, client)
    play(app, kept, score(1, 0, 0, 5, 10), CloseGame())
    code = another(app, client, ("Xenia", "Yves", "Zoe"))
    play(app, code, score(1, 0, 0, 5, 10), CloseGame())
    discard(client, app, code)
    return code


def test_it_is_out_of_lists_statistics_people_and_files(app: Flask, client: FlaskClient, wrong: str) -> None:
    for address in ("/", "/?all=", "/nights", "/statistics", "/people", "/new"):
        page = client.get(address)
        assert page.status_code == 200
        assert "Xenia" not in page.text, address
    for kind in ("json", "csv"):
        assert "Xenia" not in client.get(f"/data/everything.{kind}").text
    with app.app_context():
        device = device_of(app, client)
        assert len(many_nights.nights(device)) == len(many_nights.wins(device)) // 3 == 1
        assert exporting.how_many(device) == 1
        assert [len(house.nights) for house in exporting.everything()] == [1]
        assert db.session.execute(select(func.count()).select_from(Entry)).scalar_one() == 7, "nothing is deleted"


def test_its_pages_lead_to_the_one_that_says_so(app: Flask, client: FlaskClient, wrong: str) -> None:
    for page in ("", "scores", "recap", "throw", "players", "phones", "night.json", "print", "tv", "over"):
        answer = client.get(f"/g/{wrong}/{page}")
        assert (answer.status_code, answer.location) == (302, f"/g/{wrong}/end"), page
    said = plain(client.get(f"/g/{wrong}/end").text)
    assert "This game was thrown away" in said and "Take the game back" in said and "won" not in said
    assert "The game was thrown away." in client.get(f"/g/{wrong}/history").text
    answer = client.post(f"/g/{wrong}/do", data={"do": "buy.1.1", "hand": "2", "token": "t", "seen": "3"})
    assert answer.status_code == 303
    assert "This was not entered" in client.get(answer.location).text
    with app.app_context(), pytest.raises(IllegalCommand):
        record.append(wrong, Buy(2, 1), token="t", seen=view(app, wrong).revision)


def test_a_link_to_its_recap_shows_nothing(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    play(app, code, score(1, 0, 0, 5, 10), CloseGame())
    with app.app_context():
        link = finished.hand_out_recap(code)
    assert client.get(f"/r/{link}").status_code == 200
    discard(client, app, code)
    assert client.get(f"/r/{link}").status_code == 404
    take_back(client, app, code)
    assert client.get(f"/r/{link}").status_code == 200


def test_any_keeper_takes_it_back_and_everything_is_as_it_was(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    play(app, code, score(1, 0, 0, 5, 10), Buy(2, 1))
    before = view(app, code).state
    discard(client, app, code)
    assert view(app, code).state.phase is Phase.DISCARDED
    looker = app.test_client()
    watch(app, looker, code)
    assert "Take the game back" not in looker.get(f"/g/{code}/end").text
    take_back(looker, app, code, 403)
    take_back(client, app, code)
    assert view(app, code).state == before
    assert "Xenia" not in client.get("/").text and "Bea" in client.get("/").text
    assert client.get(f"/g/{code}/").status_code == 200


def later(monkeypatch: pytest.MonkeyPatch, by: timedelta) -> None:
    class Clock(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> datetime:
            return datetime.now(tz) + by

    monkeypatch.setattr(reading, "datetime", Clock)


def test_it_is_taken_back_for_a_week(
    app: Flask, client: FlaskClient, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    later(monkeypatch, timedelta(days=7, minutes=1))
    page = client.get(f"/g/{wrong}/end").text
    assert "The week in which it could be taken back is over." in page and "Take the game back" not in page
    assert "Undo:" not in client.get(f"/g/{wrong}/history").text
    take_back(client, app, wrong, 422)
    assert view(app, wrong).state.phase is Phase.DISCARDED
    later(monkeypatch, timedelta(days=6, hours=23))
    take_back(client, app, wrong)
    assert view(app, wrong).state.phase is Phase.CLOSED


def test_only_keepers_throw_away_and_nobody_what_moved_on(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    looker, stranger = app.test_client(), app.test_client()
    watch(app, looker, code)
    discard(looker, app, code, 403)
    discard(stranger, app, code, 404)
    assert "Throw the game away" not in looker.get(f"/g/{code}/end").text
    play(app, code, Buy(1, 1))
    answer = discard(client, app, code, 409, seen=1)
    assert "Bea bought a card" in plain(answer.text)
    discard(client, app, code)
    discard(client, app, code, 422)


def test_redo_throws_it_away_again(app: Flask, client: FlaskClient, wrong: str) -> None:
    take_back(client, app, wrong)
    seen = view(app, wrong)
    assert seen.redo
    with app.app_context():
        record.redo(wrong, entry=seen.redo.seq, token="r", seen=seen.revision)
    assert view(app, wrong).state.phase is Phase.DISCARDED
    assert "Take the game back" in client.get(f"/g/{wrong}/end").text


def test_several_are_thrown_away_at_once(app: Flask, client: FlaskClient) -> None:
    codes = [start(app, client), *(another(app, client) for _ in range(3))]
    strangers = start(app, other := app.test_client(), ("Xenia", "Yves", "Zoe"))
    page = client.get("/games").text
    assert page.count('name="game"') == 4 and "Xenia" not in page
    play(app, codes[2], Buy(1, 1))
    seen = {f"seen-{code}": "1" for code in (*codes, strangers)}
    answer = client.post("/games", data={**seen, "game": [codes[0], codes[2], codes[3], strangers, "x"]})
    assert answer.status_code == 303
    said = plain(client.get("/games").text)
    assert "2 games were thrown away." in said and "it stays" in said
    assert said.count('name="game"') == 2 and said.count("can be taken back until") == 2
    assert view(app, strangers).state.phase is Phase.PLAYING and other.get(f"/g/{strangers}/").status_code == 200
    assert client.post("/games", data={}).status_code == 422
    assert app.test_client().get("/games").text.count('name="game"') == 0


def test_hosted_a_group_sees_and_throws_away_all_its_games_and_no_others(make_app: Any) -> None:
    app = make_app(HOSTED=True)
    mine, theirs = app.test_client(), app.test_client()
    codes = [start(app, mine), *(another(app, mine) for _ in range(12))]
    other = start(app, theirs, ("Xenia", "Yves", "Zoe"))
    page = mine.get("/games").text
    assert all(f'value="{code}"' in page for code in codes) and other not in page
    mine.post("/games", data={**{f"seen-{code}": "1" for code in (*codes, other)}, "game": [*codes, other]})
    assert {view(app, code).state.phase for code in codes} == {Phase.DISCARDED}
    assert view(app, other).state.phase is Phase.PLAYING
    assert "Ana" not in mine.get("/nights").text


def test_an_export_of_a_game_taken_back_tells_of_it_and_comes_in(
    app: Flask, client: FlaskClient, make_app: Any
) -> None:
    code = start(app, client)
    play(app, code, DiscardGame())
    take_back(client, app, code)
    data = client.get(f"/g/{code}/night.json").data
    kinds = [entry["kind"] for entry in json.loads(data)["houses"][0]["games"][0]["entries"]]
    assert kinds == ["game_started", "game_discarded", "undone"]
    elsewhere = make_app()
    with elsewhere.app_context():
        (done,) = importing.bring_in(document.read(data))
        seen = record.load(done.code)
        assert seen and seen.state.phase is Phase.PLAYING


def test_games_of_the_same_people_on_the_same_day_are_told_apart(app: Flask, client: FlaskClient) -> None:
    codes = [start(app, client), another(app, client), another(app, client)]
    for code in codes:
        play(app, code, score(1, 0, 0, 5, 10), CloseGame())
    going = [another(app, client), another(app, client)]
    for address, mark in (("/", "night-more"), ("/nights", "<span>")):
        page = plain(client.get(address).text)
        lines = [line.split("</a>")[0] for line in page.split("<li>") if any(f"/g/{code}/" in line for code in codes)]
        assert len(lines) == 3 and len({line[line.index(mark) :] for line in lines}) == 3, address
    tiles = [line for line in plain(client.get("/").text).split("<li>") if any(f"/g/{code}/" in line for code in going)]
    assert len({tile.split("<strong>")[1].split("</a>")[0] for tile in tiles}) == 2
    alone = another(app, client, ("Xenia", "Yves", "Zoe"))
    assert "(" not in client.get("/").text.split(f"/g/{alone}/")[1].split("</a>")[0]
