"""Which phone it is: known from its first change, by a cookie nobody can make up; and what it may do."""

from __future__ import annotations

import re

import pytest
from flask import jsonify
from sqlalchemy import func, select
from werkzeug.datastructures import MultiDict

from companion import record
from companion.db import db, writing
from companion.models import Device, Game, Membership
from companion.phones import devices
from companion.referee import commands as c
from companion.referee.games import KATE
from tests.test_record_races import together

IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Mobile/15E148 Safari"


@pytest.fixture
def phones(make_app):
    """An app with a page that looks and one that changes."""
    app = make_app()

    @app.get("/who")
    def who():
        return jsonify(devices.current_id())

    @app.post("/who")
    def me():
        return jsonify(devices.ensure())

    return app


def known(app) -> int:
    with app.app_context():
        return db.session.execute(select(func.count()).select_from(Device)).scalar_one()


def test_looking_makes_nobody_known(phones):
    response = phones.test_client().get("/who")
    assert response.json is None and "Set-Cookie" not in response.headers
    assert known(phones) == 0


def test_the_first_change_makes_a_device_known_and_it_stays_the_same(phones):
    client = phones.test_client()
    made = client.post("/who", headers={"User-Agent": IPHONE})
    cookie = next(value for value in made.headers.getlist("Set-Cookie") if value.startswith("device="))
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Secure" not in cookie and "Max-Age=34560000" in cookie
    assert client.get("/who").json == client.post("/who").json == made.json
    with phones.app_context():
        assert db.session.get(Device, made.json).kind == "iphone"
    assert phones.test_client().post("/who").json != made.json
    assert known(phones) == 2


def test_the_cookie_is_secure_under_https(phones):
    made = phones.test_client().post("/who", base_url="https://localhost")
    assert "Secure" in next(value for value in made.headers.getlist("Set-Cookie") if value.startswith("device="))


def test_the_token_itself_is_not_in_the_database(phones):
    client = phones.test_client()
    client.post("/who")
    cookie = client.get_cookie("device")
    with phones.app_context():
        (row,) = db.session.execute(select(Device.token_hash)).all()
    assert row.token_hash not in cookie.value and len(row.token_hash) == 64


@pytest.mark.parametrize("value", ["", "x", '"1".x.y', "a" * 3000, "W10.abc"])
def test_a_made_up_cookie_is_nobody(phones, value):
    client = phones.test_client()
    client.post("/who")
    client.set_cookie("device", value)
    assert client.get("/who").json is None
    assert client.post("/who").status_code == 200


@pytest.mark.parametrize("content", [1, None, ["x"], {"id": 1}, "someone else"])
def test_a_signed_cookie_with_another_content_is_nobody(phones, content):
    client = phones.test_client()
    with phones.app_context():
        client.set_cookie("device", devices._signer().dumps(content))
    assert client.get("/who").json is None


@pytest.mark.parametrize(
    ("agent", "kind"),
    [
        (IPHONE, "iphone"), ("Mozilla/5.0 (iPad; CPU OS 16_0)", "ipad"), ("Mozilla/5.0 (Linux; Android 14)", "android"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64)", "computer"), ("Mozilla/5.0 (X11; Linux x86_64)", "computer"),
        ("", "other"), ("curl/8", "other"), ("🂡" * 1000, "other"),
    ],
)  # fmt: skip
def test_the_kind_is_guessed(agent, kind):
    assert devices.guess_kind(agent) == kind


def test_five_first_requests_of_a_new_phone_at_once_make_one_device(make_app):
    app = make_app(WTF_CSRF_ENABLED=True)
    first = app.test_client()
    page = first.get("/new").text
    csrf = re.search(r'name="csrf_token" value="([^"]*)"', page)[1]
    name = app.config["SESSION_COOKIE_NAME"]
    begun = first.get_cookie(name).value
    answers = []

    def send(number):
        tab = app.test_client()
        tab.set_cookie(name, begun)
        names = [("name", name) for name in ("Ana", "Bob", "Cle")]
        data = MultiDict([("csrf_token", csrf), ("token", f"t{number}"), ("dealer", "0"), ("do", "start"), *names])
        answers.append((tab.post("/new", data=data), tab.get_cookie("device").value))

    assert together(app, 5, send) == []
    assert [answer.status_code for answer, _cookie in answers] == [303] * 5
    assert len({cookie for _answer, cookie in answers}) == 1 and known(app) == 1
    with app.app_context():
        assert db.session.execute(select(func.count(Game.id))).scalar_one() == 5
        assert len(record.games_for(1)) == 5, "it keeps all that it started"


def test_two_phones_with_sessions_of_their_own_are_two_devices(make_app):
    app = make_app(WTF_CSRF_ENABLED=True)
    for number in range(2):
        phone = app.test_client()
        csrf = re.search(r'name="csrf_token" value="([^"]*)"', phone.get("/new").text)[1]
        names = [("name", name) for name in ("Ana", "Bob", "Cle")]
        phone.post("/new", data=MultiDict([("csrf_token", csrf), ("token", f"t{number}"), ("dealer", "0"), *names]))
    assert known(app) == 2


# --- what a device may do -------------------------------------------------------------------------------------------


def device(app) -> int:
    return app.test_client().post("/who", headers={"User-Agent": IPHONE}).json


def start(device: int | None, token: str) -> str:
    command = c.StartGame(KATE, (0, 1, 2), 0)
    return record.start_game(command, ("Ana", "Bob", "Cle"), token=token, device=device).code


def test_who_makes_a_game_keeps_it_and_nobody_else_sees_it(phones):
    mine, other = device(phones), device(phones)
    with phones.app_context():
        code = start(mine, "t")
        game = record.load(code)
        assert [record.role(game.id, one) for one in (mine, other, None)] == ["keeper", None, None]
        assert [view.code for view in record.games_for(mine)] == [code]
        assert record.games_for(other) == record.games_for(None) == ()


def test_a_watcher_stays_a_watcher(phones):
    mine, other = device(phones), device(phones)
    with phones.app_context():
        game = record.load(start(mine, "t"))
        with writing() as session:
            session.add(Membership(game_id=game.id, device_id=other, role="watch", number=2))
        assert record.role(game.id, other) == "watch"
        assert len(record.games_for(other)) == 1


def test_in_an_open_house_everybody_sees_and_keeps(make_app):
    app = make_app(OPEN_HOUSE=True)
    with app.app_context():
        code = start(None, "t")
        assert record.role(record.load(code).id, None) == "keeper"
        assert [view.code for view in record.games_for(None)] == [code]


def test_home_lists_the_last_changed_first_with_players_and_totals(phones):
    mine = device(phones)
    with phones.app_context():
        first, second = start(mine, "1"), start(mine, "2")
        record.append(first, c.ScoreHand(1, 0, {1: 45, 2: 10}), token="a", seen=1, device=mine)
        going, fresh = record.games_for(mine)
        assert (going.code, going.hand, fresh.code, fresh.hand) == (first, 2, second, 1)
        assert [(seat.name, seat.total, seat.place) for seat in going.seats] == [
            ("Ana", 0, 1), ("Bob", 45, 3), ("Cle", 10, 2)
        ]  # fmt: skip
        assert not going.is_over
        record.append(first, c.CloseGame(), token="b", seen=2, device=mine)
        assert record.games_for(mine)[0].is_over


def test_the_history_names_the_devices_by_their_number_in_the_game(phones):
    mine, other = device(phones), device(phones)
    with phones.app_context():
        code = start(mine, "t")
        record.append(code, c.Buy(1, 0), token="a", seen=1, device=other)
        labels = [view.device for view in record.entries(code)]
        assert [(label.id, label.kind, label.number) for label in labels] == [(mine, "iphone", 1), (other, "iphone", 2)]
        assert record.entries(code)[-1].device == labels[1]


def test_a_device_that_does_not_exist_changes_nothing(phones):
    with phones.app_context():
        code = start(None, "t")
        with pytest.raises(Exception, match="FOREIGN KEY"):
            record.append(code, c.Buy(1, 0), token="a", seen=1, device=99)
        assert record.load(code).revision == 1
        assert db.session.execute(select(Game.revision)).scalar_one() == 1
