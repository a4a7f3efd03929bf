"""Nights come in one by one, checked before anything is written, and only so many in an hour."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Event, Thread

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select, update
from werkzeug.test import TestResponse

from companion import db as database
from companion.command import maintenance
from companion.db import db, writing
from companion.exporting import document
from companion.models import Guess, Person
from companion.record import importing, person_changes
from companion.record.exporting import ExportedHouse, Night
from companion.record.validation import InvalidImport
from tests.exported import bring, exported, night_to_import
from tests.referee.nights import night
from tests.web import plain, start

HOUR = timedelta(hours=1)


def nights(count: int) -> list[Night]:
    entries = night(4).score(0).entries
    return [night_to_import(entries, number) for number in range(count)]


def a_file(*of: Night) -> bytes:
    return document.write((ExportedHouse(of or tuple(nights(1))),))


def send(client: FlaskClient, data: bytes, address: str = "10.0.0.1") -> TestResponse:
    sent = {"file": (io.BytesIO(data), "gripe.json")}
    return client.post("/data", data=sent, environ_base={"REMOTE_ADDR": address})


# --- night by night --------------------------------------------------------------------------------------------------


def test_a_file_is_checked_without_the_lock(app: Flask) -> None:
    """Somebody writes all the while: a file that is refused never waits for it."""
    spoiled = replace(nights(1)[0], entries=())
    refused: list[str] = []

    def check() -> None:
        try:
            bring(app, *nights(1), spoiled)
        except InvalidImport as invalid:
            refused.append(invalid.why)

    with app.app_context(), writing() as session:
        session.connection()
        other = Thread(target=check)
        other.start()
        other.join(10)
        assert refused == ["too_long"]


def test_others_write_between_two_nights_of_a_file(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    add, second, seen = importing._add, Event(), list[int]()

    def slow(house: int, ready: importing._Ready, *more: object) -> str:
        if ready.night.uid == nights(2)[1].uid:
            second.set()
            until = time.monotonic() + 10
            while not database._write_lock._waiting and time.monotonic() < until:
                time.sleep(0.001)
        return add(house, ready, *more)  # type: ignore[arg-type]

    def tap() -> None:
        second.wait(10)
        with app.app_context(), writing():
            seen.append(importing.count()[0])

    monkeypatch.setattr(importing, "_add", slow)
    other = Thread(target=tap)
    other.start()
    bring(app, *nights(8))
    other.join(10)
    assert seen == [2], "whoever waits for one night comes before the next"
    with app.app_context():
        assert importing.count()[0] == 8


def test_what_breaks_off_leaves_whole_nights_and_may_be_repeated(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    project = importing.projecting.project
    left = iter([True, True])

    def breaking(*given: object) -> None:
        if not next(left, False):
            raise KeyboardInterrupt
        project(*given)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(importing.projecting, "project", breaking)
        with pytest.raises(KeyboardInterrupt):
            bring(app, *nights(4))
    with app.app_context():
        assert importing.count() == (2, 2 * len(nights(1)[0].entries))
        assert maintenance.check() == []
    assert bring(app, *nights(4)) == ["there", "there", "added", "added"]
    assert bring(app, *nights(4)) == ["there"] * 4
    with app.app_context():
        assert len(set(db.session.execute(select(Person.key)).scalars())) == 9
        assert len(db.session.execute(select(Person.key)).all()) == 9, "nobody came twice"


@pytest.mark.parametrize("whole", [True, False])
def test_a_repeated_file_knows_whom_it_brought_before(make_app: Callable[..., Flask], whole: bool) -> None:
    here, there = make_app(), make_app()
    bring(here, *(replace(one, names={**one.names, 0: "Zoraida"}) for one in nights(3)))
    with here.app_context():
        zoraida = db.session.execute(select(Person.id).where(Person.name == "Zoraida")).scalar_one()
        person_changes.forget(zoraida, seen=0, device=None, owner=True)
    (house,) = document.read(exported(here))
    with there.app_context():
        importing.bring_in([replace(house, nights=house.nights[:1])], whole=whole)
        importing.bring_in([house], whole=whole)
        forgotten = db.session.execute(select(Person.forgotten).where(Person.forgotten.is_not(None))).scalars()
        assert list(forgotten) == [1]


def test_two_names_of_one_person_are_seen_before_anything_is_written(app: Flask, client: FlaskClient) -> None:
    start(app, client, ("Ana", "Bea", "Ana Maria"))
    with app.app_context():
        ids = {row.name: row.id for row in db.session.execute(select(Person.name, Person.id))}
        with writing() as session:
            session.execute(update(Person).where(Person.name == "Ana").values(merged_into=ids["Ana Maria"]))
    entries = night(4).score(0).entries
    two = replace(night_to_import(entries, 1), names={0: "Ana", 1: "Bea", 2: "Ana Maria", 3: "Dora"})
    answer = send(client, a_file(nights(1)[0], two))
    assert answer.status_code == 422
    assert "two of its names are one person" in plain(answer.text) and "night 2 of the file" in plain(answer.text)
    assert "Nothing was changed." in plain(answer.text)
    with app.app_context():
        assert importing.count()[0] == 1


def test_what_came_in_before_a_night_that_could_not_is_said(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody merged two people just between the look and the writing."""
    add = importing._add

    def late(house: int, ready: importing._Ready, *more: object) -> str:
        if ready.night.uid == nights(3)[2].uid:
            raise InvalidImport("one_person", name="Ana")
        return add(house, ready, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(importing, "_add", late)
    page = plain(send(client, a_file(*nights(3))).text)
    assert "Ana sits twice" in page and "night 3 of the file" in page
    assert "2 nights are in." in page and "Nothing was changed" not in page


# --- so many an hour -------------------------------------------------------------------------------------------------


def test_a_phone_and_an_address_bring_in_so_much_an_hour(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert importing._PIECE == 256 * 1024
    monkeypatch.setattr(importing, "_PIECE", 10_000)
    big = a_file() + b" " * 270_000  # as 7 MB are of the real pieces
    assert [send(client, big).status_code for _ in range(3)] == [303, 303, 429]
    answer = send(client, big)
    assert 0 < int(answer.headers["Retry-After"]) <= HOUR.total_seconds()
    assert "Too much was brought in" in answer.text and "60 minutes" in answer.text
    assert send(app.test_client(), big).status_code == 429, "a phone without cookies is new each time"
    assert send(client, big, "10.0.0.2").status_code == 303, "its first file came before it was known"
    assert send(client, big, "10.0.0.4").status_code == 429, "a phone that changes its address stays what it is"
    assert send(app.test_client(), big, "10.0.0.3").status_code == 303
    with app.app_context(), writing() as session:
        session.execute(update(Guess).values(since=datetime.now(UTC) - HOUR))
    assert send(client, big).status_code == 303


def test_files_of_one_night_are_many_an_hour(client: FlaskClient) -> None:
    assert {send(client, a_file()).status_code for _ in range(60)} == {303}
    assert send(client, a_file()).status_code == 429


def test_what_is_no_export_is_counted_too(client: FlaskClient) -> None:
    assert {send(client, b"[").status_code for _ in range(60)} == {422}
    assert send(client, a_file()).status_code == 429


def test_old_nights_from_paper_are_counted_and_what_was_typed_stays(client: FlaskClient) -> None:
    lines = "date,name,1\n2019-05-04,Ana,0\n2019-05-04,Bea,30\n2019-05-04,Carl,15"
    for _ in range(60):
        send(client, b"[")
    sent = {"text": lines, "do": "import", "sure": "1"}
    answer = client.post("/data/paper", data=sent, environ_base={"REMOTE_ADDR": "10.0.0.1"})
    assert answer.status_code == 429 and answer.headers["Retry-After"]
    assert "2019-05-04,Carl,15" in answer.text and "Too much was brought in" in answer.text


def test_wrong_codes_and_files_are_counted_apart(app: Flask, client: FlaskClient) -> None:
    for _ in range(60):
        send(client, b"[")
    here = {"environ_base": {"REMOTE_ADDR": "10.0.0.1"}}
    assert client.post("/join", data={"code": "ABCD EFGH"}, **here).status_code == 422


def test_a_clock_that_was_put_back_keeps_nobody_waiting(app: Flask, client: FlaskClient) -> None:
    for _ in range(60):
        send(client, b"[")
    with app.app_context(), writing() as session:
        session.execute(update(Guess).values(since=datetime.now(UTC) + timedelta(days=20_000)))
    assert send(client, a_file()).status_code == 303
