"""The page “out and in”: what a phone may take out, and what it may bring in."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from companion.db import db
from companion.exporting import document
from companion.models import Membership, Person
from companion.record import phones
from companion.record.exporting import ExportedHouse
from companion.referee import commands as c
from tests.exported import night_to_import, random_night_to_import
from tests.referee.nights import night
from tests.web import NAMES, plain, play, score, start


@pytest.fixture
def code(app: Flask, client: FlaskClient) -> str:
    code = start(app, client)
    play(app, code, score(1, 0, 0, 45, 20))
    return code


def send(client: FlaskClient, data: bytes, name: str = "gripe.json"):
    return client.post("/data", data={"file": (io.BytesIO(data), name)})


def a_file(number: int = 0) -> bytes:
    return document.write((ExportedHouse((night_to_import(night(4).score(0).entries, number),)),))


def test_the_way_from_home(client: FlaskClient) -> None:
    assert 'href="/data"' in client.get("/").text
    page = client.get("/data")
    assert page.status_code == 200 and "There is no night on this phone yet." in page.text


def test_what_is_taken_out_is_what_this_phone_may_see(app: Flask, client: FlaskClient, code: str) -> None:
    other = app.test_client()
    start(app, other, ("Dora", "Emil", "Fritz"))
    assert "1 night is on this phone." in client.get("/data").text
    answer = client.get("/data/everything.json")
    assert answer.headers["Content-Disposition"] == "attachment; filename=gripe.json"
    assert (answer.mimetype, answer.headers["Cache-Control"]) == ("application/json", "no-store")
    (house,) = document.read(answer.data)
    assert [dict(one.names) for one in house.nights] == [dict(enumerate(NAMES))]
    sheet = client.get("/data/everything.csv")
    assert sheet.mimetype == "text/csv" and sheet.data.startswith(b"\xef\xbb\xbf") and b"Bea" in sheet.data
    assert b"Emil" not in sheet.data
    assert b'"games"' not in app.test_client().get("/data/everything.json").data


def test_one_night_is_for_those_who_may_see_it(app: Flask, client: FlaskClient, code: str) -> None:
    for kind in ("json", "csv"):
        answer = client.get(f"/g/{code}/night.{kind}")
        assert answer.status_code == 200 and code.encode() not in answer.data
        assert answer.headers["Content-Disposition"].startswith("attachment; filename=gripe-20")
        assert app.test_client().get(f"/g/{code}/night.{kind}").status_code == 404
    assert client.get(f"/g/{code}/night.xml").status_code == 404
    watcher = app.test_client()
    with app.app_context():
        token = next(link.token for link in phones.game_links(1) if link.role == "watch")
    watcher.post(f"/j/{token}", data={"seat": ""})
    assert watcher.get(f"/g/{code}/night.json").status_code == 200
    page = client.get(f"/g/{code}/recap").text
    assert f"/g/{code}/night.csv" in page and f"/g/{code}/night.json" in page


def test_looking_and_taking_out_change_nothing(app: Flask, client: FlaskClient, code: str) -> None:
    fresh = app.test_client()
    for phone in (client, fresh):
        for address in (
            "/data",
            "/data/everything.json",
            "/data/everything.csv",
            f"/g/{code}/night.csv",
            "/people/1/data.json",
        ):
            phone.get(address)
    assert fresh.get_cookie("device") is None
    with app.app_context():
        assert db.session.execute(select(Membership.number)).scalars().all() == [1]


def test_one_persons_data(app: Flask, client: FlaskClient, code: str) -> None:
    with app.app_context():
        bea = db.session.execute(select(Person.id).where(Person.name == "Bea")).scalar_one()
    answer = client.get(f"/people/{bea}/data.json")
    assert len(document.read(answer.data)[0].nights) == 1
    assert answer.headers["Content-Disposition"] == "attachment; filename=gripe-Bea.json"
    sheet = client.get(f"/people/{bea}/data.csv").data.decode()
    assert "Bea" in sheet and "Ana" not in sheet
    for nobody in (999, 999999999):
        assert client.get(f"/people/{nobody}/data.csv").status_code == 404
    assert app.test_client().get(f"/people/{bea}/data.json").status_code == 404


def test_names_with_pictures_make_good_file_names(app: Flask, client: FlaskClient) -> None:
    start(app, client, ("Zoë 🂡", 'a"b;c', "אברהם"))
    with app.app_context():
        ids = db.session.execute(select(Person.id).order_by(Person.id)).scalars().all()
    found = [client.get(f"/people/{one}/data.csv").headers["Content-Disposition"] for one in ids]
    assert "filename*=UTF-8''gripe-Zo%C3%AB-%F0%9F%82%A1.csv" in found[0]
    assert found[1] == "attachment; filename=gripe-a-b-c.csv"
    assert "%D7%90" in found[2]


def test_a_night_comes_in_and_this_phone_keeps_it(app: Flask, client: FlaskClient) -> None:
    answer = send(client, a_file())
    assert answer.status_code == 303 and answer.location == "/data"
    page = client.get("/data").text
    assert "1 night is in." in page and "1 night is on this phone." in page
    home = client.get("/").text
    with app.app_context():
        assert "Going on" in home
    assert document.read(client.get("/data/everything.json").data) == document.read(a_file())
    assert client.get("/data/everything.json").data == a_file()
    assert send(client, a_file()).status_code == 303
    assert "was here already" in client.get("/data").text
    assert client.get("/data/everything.json").data == a_file()


def test_nights_that_differ_are_named(client: FlaskClient) -> None:
    send(client, a_file())
    other = night_to_import(night(4).score(1).entries)
    send(client, document.write((ExportedHouse((other,)),)))
    page = plain(client.get("/data").text)
    assert "went on differently here and in the file" in page and "(Nov 3, 2026: Maximiliane-Alexandra, 🂡 Zoë," in page


def test_a_watcher_does_not_become_a_keeper_by_a_file(app: Flask, client: FlaskClient, code: str) -> None:
    watcher = app.test_client()
    with app.app_context():
        token = next(link.token for link in phones.game_links(1) if link.role == "watch")
    watcher.post(f"/j/{token}", data={"seat": ""})
    send(watcher, watcher.get(f"/g/{code}/night.json").data)
    assert "was here already" in plain(watcher.get("/data").text)
    assert watcher.post(f"/g/{code}/end", data={"do": "close", "seen": "2"}).status_code == 403


def test_hosted_every_group_has_its_own(make_app: Callable[..., Flask]) -> None:
    app = make_app(HOSTED=True)
    here, there = app.test_client(), app.test_client()
    start(app, there, ("Dora", "Emil", "Fritz"))
    send(here, a_file())
    send(there, a_file())
    for phone, count in ((here, 1), (there, 2)):
        assert len(document.read(phone.get("/data/everything.json").data)[0].nights) == count
    with app.app_context():
        houses = db.session.execute(select(Person.house_id).where(Person.name == "Ana")).scalars().all()
    assert len(set(houses)) == len(houses) == 2


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "no JSON"),
        (b"name,points\r\nAna,5\r\n", "no JSON"),
        (b"\xff\xfe\x00", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b'{"format": "other"}', "not made by Gripe Companion"),
        (b'{"format": "gripe-companion", "version": 99}', "newer Gripe Companion"),
        (b'{"format": "gripe-companion", "version": 1, "houses": {}}', "missing"),
    ],
)
def test_what_is_no_export_is_said_at_the_field(app: Flask, client: FlaskClient, data: bytes, says: str) -> None:
    answer = send(client, data)
    assert answer.status_code == 422
    page = plain(answer.text)
    assert says in page and "Nothing was changed." in page and 'aria-invalid="true"' in page


def test_no_file_is_said(client: FlaskClient) -> None:
    for data in ({}, {"file": (io.BytesIO(b""), "")}, {"file": "text"}):
        answer = client.post("/data", data=data, content_type="multipart/form-data")
        assert answer.status_code == 422 and "Choose a file first." in answer.text


def test_it_is_said_where_in_the_file(client: FlaskClient) -> None:
    found = json.loads(
        document.write((ExportedHouse((night_to_import(night(3).score(0).entries), random_night_to_import(3, 20, 1))),))
    )
    found["houses"][0]["games"][1]["entries"][2]["kind"] = "stolen"
    answer = send(client, json.dumps(found).encode())
    assert answer.status_code == 422 and "night 2 of the file, entry 3" in plain(answer.text)
    assert client.get_cookie("device") is None


def test_an_empty_export_is_said_to_be_empty(client: FlaskClient) -> None:
    send(client, document.write(()))
    assert "no night in this file" in client.get("/data").text


def test_a_file_may_be_large_but_not_that_large(make_app: Callable[..., Flask]) -> None:
    app = make_app(MAX_UPLOAD=340_000)
    client = app.test_client()
    assert send(client, b" " * 300_000).status_code == 422
    answer = send(client, b" " * 400_000)
    assert answer.status_code == 413 and "companion import" in answer.text
    assert client.post("/language", data={"language": "x" * 600_000}).status_code == 413


def test_csrf_is_asked_for(make_app: Callable[..., Flask]) -> None:
    client = make_app(WTF_CSRF_ENABLED=True).test_client()
    assert send(client, a_file()).status_code == 400


def test_an_imported_night_is_played_on(app: Flask, client: FlaskClient) -> None:
    send(client, a_file())
    page = client.get("/").text
    code = page.split(' felt" href="/g/')[1].split("/")[0]
    play(app, code, score(2, 1, 5, 0, 10, 15), c.CloseGame())
    for address in ("scores", "history", "recap", "end", "players", "more", "print"):
        assert client.get(f"/g/{code}/{address}").status_code == 200, address
