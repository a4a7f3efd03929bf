"""Nights of a file that are here already: how one gets in, and how a keeper lets a night go on as the file has it."""

from __future__ import annotations

import base64
import io
import re
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from companion import record
from companion.command import maintenance
from companion.db import db
from companion.exporting import document, files
from companion.models import Membership, Person
from companion.record import exporting, person_changes, phones
from companion.record.exporting import ExportedHouse, Night
from companion.record.validation import InvalidImport
from tests.exported import night_to_import
from tests.referee.nights import night
from tests.web import another, device_of, plain, play, score, start, watch


def a_file(*nights: Night) -> bytes:
    return document.write((ExportedHouse(nights),))


def short() -> Night:
    return night_to_import(night(4).score(0).entries)


def longer() -> Night:
    return night_to_import(night(4).score(0).score(1).score(2).entries)


def send(phone: FlaskClient, data: bytes, **options: Any) -> Any:
    return phone.post("/data", data={"file": (io.BytesIO(data), "gripe.json")}, **options)


def said(phone: FlaskClient, data: bytes) -> str:
    return plain(send(phone, data, follow_redirects=True).text)


def sent_back(page: str) -> dict[str, Any]:
    """What the form of the look sends."""
    return {
        "file": re.search(r'name="file" value="([^"]*)"', page)[1],
        "night": re.findall(r'name="night" value="(\w+)"', page),
    }


def here(app: Flask) -> bytes:
    with app.app_context():
        return document.write(exporting.everything())


def events(app: Flask) -> list[int]:
    """How many entries each night has."""
    with app.app_context():
        return [len(one.entries) for house in exporting.everything() for one in house.nights]


# --- on a phone without a role ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", [short, longer], ids=["the same", "longer"])
def test_a_phone_that_may_not_open_a_night_is_told_which_it_is_and_how_it_gets_in(
    app: Flask, client: FlaskClient, which: Callable[[], Night]
) -> None:
    send(client, a_file(short()))
    stranger, before = app.test_client(), here(app)
    page = said(stranger, a_file(which()))
    assert "1 night of this file is on this server already, but not on this phone" in page
    assert "(Nov 3, 2026: Maximiliane-Alexandra," in page
    assert "lets this phone in" in page and "companion link" in page
    assert "There is no night on this phone yet." in page and "was here already" not in page
    with app.app_context():
        view = record.load(record.lists.latest_games(1)[0].code)
        secrets = [view.code, *(text for link in phones.game_links(view.id) for text in (link.token, link.short))]
    assert [text for text in secrets if text in page] == []
    assert here(app) == before
    assert stranger.get(f"/g/{secrets[0]}/").status_code == 404


def test_some_in_some_not(app: Flask, client: FlaskClient) -> None:
    send(client, a_file(short()))
    page = said(app.test_client(), a_file(short(), night_to_import(night(4).score(0).entries, 1)))
    assert "1 night is in." in page and "1 night of this file is on this server already" in page


def test_hosted_nobody_learns_of_another_group(make_app: Any) -> None:
    app = make_app(HOSTED=True)
    send(app.test_client(), a_file(short()))
    assert "1 night is in." in said(app.test_client(), a_file(short()))


# --- a night that goes on --------------------------------------------------------------------------------------------


def test_a_keeper_looks_and_lets_the_night_go_on(app: Flask, client: FlaskClient) -> None:
    send(client, a_file(short()))
    before = here(app)
    look = send(client, a_file(longer()))
    page = plain(look.text)
    assert look.status_code == 200 and "1 night goes on in the file" in page
    assert "Here: Hand 2 of 10 · 2 entries" in page and "In the file: Hand 4 of 10 · 4 entries" in page
    assert here(app) == before, "a look changes nothing"
    answer = client.post("/data/further", data=sent_back(look.text))
    assert answer.status_code == 303
    assert "1 night goes on as in the file." in client.get("/data").text
    assert client.get("/data/everything.json").data == a_file(longer())
    with app.app_context():
        assert maintenance.check() == []
        code = record.lists.latest_games(1)[0].code
    play(app, code, score(4, 1, 5, 0, 10, 15))
    assert "Hand 5" in client.get(f"/g/{code}/").text
    assert client.post("/data/further", data=sent_back(look.text)).status_code == 303
    assert "was here already and has gone on since" in client.get("/data").text
    assert events(app) == [5]


def test_sent_twice_it_goes_on_once(app: Flask, client: FlaskClient) -> None:
    send(client, a_file(short()))
    form = sent_back(send(client, a_file(longer())).text)
    for _time in range(2):
        assert client.post("/data/further", data=form).status_code == 303
    assert events(app) == [4] and "is not doubled" in client.get("/data").text


def test_what_is_not_ticked_stays(app: Flask, client: FlaskClient) -> None:
    two = [night_to_import(night(4).score(0).entries, number) for number in (0, 1)]
    send(client, a_file(*two))
    page = send(client, a_file(*(night_to_import(night(4).score(0).score(1).entries, n) for n in (0, 1)))).text
    form = sent_back(page)
    assert len(form["night"]) == 2
    client.post("/data/further", data={**form, "night": form["night"][1:]})
    assert sorted(events(app)) == [2, 3]
    client.post("/data/further", data={"file": form["file"]})
    assert sorted(events(app)) == [2, 3]


def test_who_only_watches_is_told_why_not(app: Flask, client: FlaskClient) -> None:
    send(client, a_file(short()))
    with app.app_context():
        code = record.lists.latest_games(1)[0].code
    watcher, stranger = app.test_client(), app.test_client()
    watch(app, watcher, code)
    form = sent_back(send(client, a_file(longer())).text)
    assert "since this phone only watches it" in said(watcher, a_file(longer()))
    for phone in (watcher, stranger):
        answer = phone.post("/data/further", data=form)
        assert answer.status_code == 422 and "Only a phone that keeps this night here lets it go on" in answer.text
    assert events(app) == [2]


def test_another_way_on_is_refused_with_the_reason(app: Flask, client: FlaskClient) -> None:
    send(client, a_file(short()))
    form = sent_back(send(client, a_file(longer())).text)
    with app.app_context():
        code = record.lists.latest_games(1)[0].code
    play(app, code, score(2, 0, 0, 5, 5, 5))
    assert client.post("/data/further", data=form).status_code == 303
    assert "went on differently here and in the file" in client.get("/data").text
    assert "went on differently" in said(client, a_file(longer()))
    assert events(app) == [3]


def test_a_game_that_was_carried_away_comes_back_with_its_phones_and_a_late_joiner(make_app: Any) -> None:
    """From one server to another, on there, and back: entries keep their phones, new ones are new."""
    home, away = make_app(), make_app()
    client, guest = home.test_client(), away.test_client()
    code = start(home, client)
    device = device_of(home, client)
    with home.app_context():
        record.append(code, score(1, 0, 0, 5, 10), token="a", seen=1, device=device)
    send(guest, client.get(f"/g/{code}/night.json").data)
    with away.app_context():
        there = record.lists.latest_games(1)[0].code
        record.join(there, "Dora", token="b", seen=2, device=device_of(away, guest))
        record.append(there, score(2, 0, 0, 5, 10, 15), token="c", seen=3, device=device_of(away, guest))
    look = send(client, guest.get(f"/g/{there}/night.json").data)
    assert re.search(r"Dora.*?<td>–</td><td>", plain(look.text), re.S)
    assert client.post("/data/further", data=sent_back(look.text)).status_code == 303
    with home.app_context():
        assert maintenance.check() == []
        made = [entry.device.id for entry in record.entries(code)]
        assert made[:2] == [device, device] and made[2] == made[3] != device
        view = record.load(code)
        assert view.names[3] == "Dora" and view.state.phase.value == "playing"
        rows = db.session.execute(
            select(Membership.number, Membership.role, Membership.live).order_by(Membership.number)
        ).all()
        assert [tuple(row) for row in rows] == [(1, "keeper", True), (2, "watch", False)]
    assert "Dora" in client.get(f"/g/{code}/scores").text
    assert client.get(f"/g/{code}/history").status_code == 200


def test_nobody_sits_twice_at_a_table_that_goes_on(make_app: Any) -> None:
    """Bia is another name of Bea here; where the night went on nobody knew."""
    home, away = make_app(), make_app()
    client, guest = home.test_client(), away.test_client()
    code = start(home, client, ("Ana", "Bea", "Carl"))
    another(home, client, ("Ana", "Bia", "Carl"))
    with home.app_context():
        ids = {row.name: row.id for row in db.session.execute(select(Person.name, Person.id))}
        person_changes.merge(ids["Bia"], ids["Bea"], seen=0, device=device_of(home, client))
    send(guest, client.get(f"/g/{code}/night.json").data)
    with away.app_context():
        record.join(record.lists.latest_games(1)[0].code, "Bia", token="b", seen=1)
    data = guest.get("/data/everything.json").data
    form = {"file": files.packed(document.read(data)), "night": document.read(data)[0].nights[0].uid}
    for answer in (send(client, data), client.post("/data/further", data=form)):
        assert answer.status_code == 422 and "sits twice at one table" in answer.text
        assert "Nothing was changed" in answer.text
    with home.app_context():
        assert record.load(code).revision == 1 and maintenance.check() == []


@pytest.mark.parametrize("text", ["", "x", "AAAA", "é" * 9, "eJw=" * 50, "A" * 100_000])
def test_what_is_no_packed_file_is_said(app: Flask, client: FlaskClient, text: str) -> None:
    start(app, client)
    answer = client.post("/data/further", data={"file": text, "night": "x" * 5000})
    assert answer.status_code == 422 and "Nothing was changed." in answer.text


def test_a_small_text_that_unpacks_to_very_much_is_cut_short(app: Flask) -> None:
    bomb = base64.b64encode(zlib.compress(b" " * (files._MOST_UNPACKED + 1) + a_file(short()), 9)).decode()
    with pytest.raises(InvalidImport):
        files.unpacked(bomb)
    assert files.unpacked(files.packed((ExportedHouse((short(),)),))) == (ExportedHouse((short(),)),)


def test_what_a_form_has_no_room_for_waits(app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_PACKED", 1)
    send(client, a_file(*(night_to_import(night(4).score(0).entries, n) for n in (0, 1))))
    both = a_file(*(night_to_import(night(4).score(0).score(1).entries, n) for n in (0, 1)))
    page = send(client, both)
    assert "1 more has no room here" in page.text
    client.post("/data/further", data=sent_back(page.text))
    page = send(client, both)
    assert "no room" not in page.text
    client.post("/data/further", data=sent_back(page.text))
    assert events(app) == [3, 3]
