"""A refusal because the game has moved on says who entered what, when and from which phone, and blames nobody for one's own."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import insert

from companion import record
from companion.db import writing
from companion.models import Membership
from companion.referee.commands import Buy
from tests.web import another, device_of, plain, play, score, view

QUICKER = "Somebody was quicker"


@pytest.fixture
def bea(app: Flask, code: str) -> FlaskClient:
    """Bea's phone, a keeper of the same game."""
    phone = app.test_client()
    with app.app_context():
        device, game = device_of(app, phone), view(app, code).id
        with writing() as session:
            session.execute(insert(Membership).values(game_id=game, device_id=device, role="keeper", number=2))
    phone.post(f"/g/{code}/phones", data={"do": "me", "seat": "1", "name": "Blue one"})
    return phone


def tap(phone: FlaskClient, code: str, do: str, status: int, **more: Any) -> str:
    """A tap on the table, with a token of its own."""
    answer = phone.post(f"/g/{code}/do", data={"do": do, "hand": "1", "seen": "1", "token": record.new_token(), **more})
    assert answer.status_code == status, plain(answer.text)
    page = plain(answer.text)
    return page[page.index('id="refused"') :].partition("</section>")[0] if status != 303 else ""


def test_who_entered_what_when_and_from_which_phone(client: FlaskClient, code: str, bea: FlaskClient) -> None:
    tap(bea, code, "buy.2.1", 303)
    said = tap(client, code, "buy.2.1", 409)
    assert QUICKER in said
    line = re.search(r"<li>(Carl bought.*?)</li>", said)
    assert line
    assert re.fullmatch(
        r'Carl bought a card\. <small class="soft"><time datetime="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ">\d\d:\d\d</time>'
        r' · <bdi translate="no">Bea</bdi> · <bdi>Blue one</bdi></small>',
        line[1],
    )


def test_ones_own_back_is_nobody_elses_doing(client: FlaskClient, code: str) -> None:
    tap(client, code, "buy.2.1", 303)
    said = tap(client, code, "buy.2.1", 409, token="of another page")
    assert "This page is older than what this phone entered last: this was not entered." in said
    assert QUICKER not in said
    assert "this phone</bdi>" in said


def test_what_came_from_here_and_from_elsewhere_is_blamed_on_nobody(
    client: FlaskClient, code: str, bea: FlaskClient
) -> None:
    tap(client, code, "buy.2.1", 303)
    tap(bea, code, "buy.1.1", 303)
    said = tap(client, code, "buy.2.1", 409, token="of another page")
    assert "The game has moved on: this was not entered." in said
    assert QUICKER not in said


def test_a_form_sent_again_with_something_else_in_it_says_so(client: FlaskClient, code: str) -> None:
    hand = {"hand": "1", "out": "0", "points-1": "5", "points-2": "10", "seen": "1", "token": "once"}
    assert client.post(f"/g/{code}/over", data=hand).status_code == 303
    answer = client.post(f"/g/{code}/over", data={**hand, "points-2": "20"})
    assert answer.status_code == 409
    assert "This form was entered before, with something else in it: this was not entered." in answer.text
    assert QUICKER not in answer.text


def test_a_server_put_back_to_an_earlier_state_is_nobodys_doing(app: Flask, client: FlaskClient, code: str) -> None:
    for do in ("buy.2.1", "undo.7"):
        said = tap(client, code, do, 409, seen="8")
        assert "The server was put back to an earlier state" in said
        assert QUICKER not in said
    page = client.get(f"/g/{code}/over?hand=3&out=0&points-1=5&points-2=5&seen=8")
    assert page.status_code == 409
    assert "The server was put back to an earlier state" in page.text


def test_with_nothing_in_between_nobody_was_quicker(client: FlaskClient, code: str) -> None:
    said = tap(client, code, "undo.7", 422)
    assert QUICKER not in said


def test_where_no_hand_is_played_the_last_entry_is_said(app: Flask, client: FlaskClient, code: str) -> None:
    last = another(app, client, first=10)
    play(app, last, score(10, 0, 0, 5, 10))
    page = client.get(f"/g/{last}/throw")
    assert page.status_code == 409
    said = plain(page.text)
    assert "No hand is being played: the night is over." in said
    assert re.search(r"<li>Hand 10: Ana went out\..*<time datetime=\"[^\"]+Z\">\d\d:\d\d</time>", said)
    assert "Somebody else" not in said
    sent = client.post(f"/g/{last}/down?seat=1", data={"seen": "1"})
    assert sent.status_code == 409
    assert QUICKER in sent.text
    assert "Hand 10: Ana went out." in plain(sent.text)


def test_a_preview_says_from_which_phone_something_came_too(
    app: Flask, client: FlaskClient, code: str, bea: FlaskClient
) -> None:
    play(app, code, score(1, 0, 0, 5, 10))
    corrected = {"hand": "1", "out": "0", "points-1": "15", "points-2": "10", "seen": "2"}
    assert bea.post(f"/g/{code}/scores/1", data=corrected).status_code == 303
    said = client.get(f"/g/{code}/over?hand=2&out=0&points-1=5&points-2=5&seen=2").text
    assert "Entered meanwhile:" in said
    assert "Blue one" in said


def test_many_others_are_all_said(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, Buy(1, 2), Buy(1, 1))
    said = tap(client, code, "buy.2.1", 409)
    assert "Carl bought" in said and "Bea bought" in said
