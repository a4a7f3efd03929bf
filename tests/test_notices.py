"""A notice belongs to the entry it is about, and goes with it."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion import record
from companion.referee.commands import Buy
from tests.web import another, play, score, view

HAND = {"hand": "1", "out": "0", "points-1": "5", "points-2": "10"}
SEVENS = {"rank": "7", "count": "3"}


def undo(app: Flask, code: str) -> None:
    """Another phone takes the last entry back."""
    seen = view(app, code)
    assert seen.undo
    with app.app_context():
        record.undo(code, entry=seen.undo.seq, token=record.new_token(), seen=seen.revision)


def notices(page: str) -> list[str]:
    return re.findall(r'<p class="notice[^>]*>([^<]+)</p>', page)


def save(client: FlaskClient, code: str, **more: str) -> None:
    assert client.post(f"/g/{code}/over", data={**HAND, "seen": "1", **more}).status_code == 303


def test_a_saved_hand_is_said_once(client: FlaskClient, code: str) -> None:
    save(client, code)
    page = client.get(f"/g/{code}/").text
    assert '<p class="notice notice-message" role="status" data-entry="2">Hand 1 is written down.</p>' in page
    assert "data-undone" not in page
    assert notices(client.get(f"/g/{code}/").text) == []


def test_nothing_is_said_of_an_entry_that_another_phone_undid_meanwhile(
    app: Flask, client: FlaskClient, code: str
) -> None:
    save(client, code)
    undo(app, code)
    page = client.get(f"/g/{code}/").text
    assert notices(page) == []
    assert 'data-undone="2"' in page
    assert "Nothing entered yet." in page


def test_an_entry_restored_holds_again(app: Flask, client: FlaskClient, code: str) -> None:
    save(client, code)
    undo(app, code)
    with app.app_context():
        record.redo(code, entry=2, token=record.new_token(), seen=3)
    page = client.get(f"/g/{code}/").text
    assert notices(page) == ["Hand 1 is written down."]
    assert "data-undone" not in page


def test_another_entry_undone_takes_nothing_away(app: Flask, client: FlaskClient, code: str) -> None:
    save(client, code)
    play(app, code, Buy(2, 1))
    undo(app, code)
    assert notices(client.get(f"/g/{code}/").text) == ["Hand 1 is written down."]


def test_a_notice_is_for_the_pages_of_its_own_game(app: Flask, client: FlaskClient, code: str) -> None:
    other = another(app, client)
    save(client, code)
    assert notices(client.get(f"/g/{other}/").text) == []
    save(client, other)
    assert notices(client.get("/").text) == []


@pytest.mark.parametrize("language", ["en", "pt"])
def test_so_it_is_with_a_corrected_hand_and_with_one_that_was_there_already(
    app: Flask, client: FlaskClient, code: str, language: str
) -> None:
    client.set_cookie("language", language)
    save(client, code)
    client.get(f"/g/{code}/")
    late = client.post(f"/g/{code}/over", data={**HAND, "seen": "1"})
    assert late.status_code == 303
    undo(app, code)
    assert notices(client.get(f"/g/{code}/scores").text) == []
    play(app, code, score(1, 0, 0, 5, 10))
    assert client.post(f"/g/{code}/scores/1", data={**HAND, "points-1": "15", "seen": "4"}).status_code == 303
    undo(app, code)
    assert notices(client.get(f"/g/{code}/scores").text) == []


def test_so_it_is_with_what_a_going_down_rests_on_and_with_the_players(
    app: Flask, client: FlaskClient, code: str
) -> None:
    two_sets_of_one_rank = {f"m{slot}-{name}": text for slot in (0, 1) for name, text in SEVENS.items()}
    assert client.post(f"/g/{code}/down?seat=1", data={**two_sets_of_one_rank, "seen": "1"}).status_code == 303
    with client.session_transaction() as session:
        assert [about[1] for about in session["about"].values()] == [2]
    assert all("Legal." in notice for notice in notices(client.get(f"/g/{code}/").text))
    assert client.post(f"/g/{code}/players", data={"do": "join", "name": "Eve", "seen": "2"}).status_code == 303
    undo(app, code)
    assert notices(client.get(f"/g/{code}/players").text) == []


def test_what_is_said_of_a_tap_sent_twice_is_its_own_entry_and_not_a_later_one(
    app: Flask, client: FlaskClient, code: str
) -> None:
    joins = {"do": "join", "name": "Eve", "seen": "1", "token": "t"}
    client.post(f"/g/{code}/players", data=joins)
    play(app, code, Buy(1, 0))
    client.post(f"/g/{code}/players", data=joins)
    said = notices(client.get(f"/g/{code}/players").text)
    assert said and all("Eve joined" in notice for notice in said)
