"""Every change of people × who asks × home or hosted: what a phone does not keep stays as it was, in every night."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from companion import record
from companion.command import maintenance
from companion.db import db
from companion.exporting import document
from companion.models import Game, Person, PersonChange, Seat
from companion.record import exporting, importing, person_changes, phones
from tests.web import another, device_of, plain, start

#: What each change sends, and how Quentin is called afterwards in the nights that it reaches.
CHANGES = {
    "rename": ({"do": "rename", "name": "Quincy"}, "Quincy"),
    "merge": ({"do": "merge"}, "Quill"),
    "hide": ({"do": "hide"}, "Quentin"),
    "forget": ({"do": "forget"}, "Somebody 1"),
}
WHO = ("all", "some", "watcher", "stranger")


class Houses:
    """Two nights with Quentin and one with Quill, kept by ``all``; ``some`` keeps the second and the third, ``watcher``
    watches all of them, ``stranger`` has a night of its own with somebody else.
    """

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.phones = {who: app.test_client() for who in WHO}
        first = self.phones["all"]
        self.nights = [start(app, first, ("Quentin", "Bea", "Carl"))]
        self.nights += [another(app, first, names) for names in (("Quentin", "Dora", "Emil"), ("Quill", "Bea", "Carl"))]
        for who, role, nights in (("some", "keeper", self.nights[1:]), ("watcher", "watch", self.nights)):
            for code in nights:
                self.let_in(who, code, role)
        start(app, self.phones["stranger"], ("Zoe", "Yan", "Xi"))

    def let_in(self, who: str, code: str, role: str) -> None:
        device = device_of(self.app, self.phones[who])
        with self.app.app_context():
            link = next(link for link in phones.game_links(record.load(code).id) if link.role == role)
            phones.enter(link.token, device, None)

    def person(self, name: str) -> int:
        with self.app.app_context():
            return db.session.execute(select(Person.id).where(Person.name == name)).scalar_one()

    def seated_first(self, code: str) -> int:
        with self.app.app_context():
            query = (
                select(Seat.person_id).join(Game, Game.id == Seat.game_id).where(Game.code == code, Seat.number == 0)
            )
            return db.session.execute(query).scalar_one()

    def names(self) -> list[str]:
        """Who sits first at each night."""
        with self.app.app_context():
            return [record.load(code).names[0] for code in self.nights]

    def send(self, who: str, person: int, **data: object) -> Any:
        phone = self.phones[who]
        page = phone.get(f"/people/{person}", follow_redirects=True).text
        shown = re.search(r'name="seen" value="(\d+)"', page)
        return phone.post(f"/people/{person}", data={"seen": shown[1] if shown else "0", **data})

    def undo(self, who: str, person: int) -> Any:
        """Tap the button that takes back, or send what it would."""
        page = self.phones[who].get(f"/people/{person}").text
        button = re.search(r'name="change" value="(\d+)"', page)
        return self.send(who, person, do="undo", change=button[1] if button else self.last())

    def last(self) -> int:
        with self.app.app_context():
            return max(db.session.scalars(select(PersonChange.id)), default=0)

    def stored(self) -> list[Any]:
        """Whose every seat is, and how everybody is called and kept."""
        with self.app.app_context():
            seats = select(Seat.game_id, Seat.number, Seat.person_id, Seat.entered_as, Seat.hidden)
            seats = seats.order_by(Seat.game_id, Seat.number)
            people = select(Person.id, Person.name, Person.key, Person.hidden, Person.merged_into, Person.forgotten)
            people = people.where(Person.key.not_like("NOBODY%")).order_by(Person.id)
            return [tuple(row) for query in (seats, people) for row in db.session.execute(query).all()]

    def hidden(self, who: str) -> bool:
        """Whether Quentin is under the hidden ones, and suggested no more."""
        page = self.phones[who].get("/people").text
        return "1 hidden" in page and 'value="Quentin"' not in self.phones[who].get("/new").text


@pytest.fixture(params=[False, True], ids=["home", "hosted"])
def houses(request: pytest.FixtureRequest, make_app: Any) -> Iterator[Houses]:
    made = Houses(make_app(HOSTED=request.param))
    yield made
    with made.app.app_context():
        assert maintenance.check() == []


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("what", CHANGES)
def test_a_change_reaches_the_nights_that_the_phone_keeps(houses: Houses, what: str, who: str) -> None:
    quentin, before, stored = houses.person("Quentin"), houses.names(), houses.stored()
    data, after = CHANGES[what]
    answer = houses.send(who, quentin, **data, into=houses.person("Quill"))
    if who in ("watcher", "stranger"):
        assert answer.status_code == (403 if who == "watcher" else 404)
        assert houses.stored() == stored
    elif (what, who) == ("forget", "some"):
        assert answer.status_code == 422 and "would change 1 night that other phones keep" in answer.text
        assert houses.stored() == stored
    else:
        assert answer.status_code == 303
        assert houses.names() == [after if who == "all" else before[0], after, before[2]]
        if what == "hide":
            assert [houses.hidden(each) for each in WHO[:3]] == [who == "all", True, who == "all"]
        page = plain(houses.phones[who].get(answer.location).text)
        assert ("1 night with this name stays as it is" in page) is (who == "some")
        houses.undo(who, int(answer.location.rpartition("/")[2]))
        assert houses.stored() == stored


@pytest.mark.parametrize("by", ["all", "some"])
@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("what", CHANGES)
def test_who_takes_a_change_back(houses: Houses, what: str, who: str, by: str) -> None:
    """Whoever keeps every night that it changed, and nobody else."""
    stored, (data, _after) = houses.stored(), CHANGES[what]
    answer = houses.send(by, houses.person("Quentin"), **data, into=houses.person("Quill"))
    if answer.status_code == 422:  # forgetting is for those who keep all
        return
    changed, now = houses.stored(), int(answer.location.rpartition("/")[2])
    answer = houses.undo(who, now)
    # who keeps all keeps the nights of the other, too
    if who in ("all", by):
        assert answer.status_code == 303 and houses.stored() == stored
    else:
        assert houses.stored() == changed
        assert answer.status_code == {"some": 422, "watcher": 403, "stranger": 404}[who]


def test_a_fresh_phone_that_types_a_name_changes_nobody_elses_night(make_app: Any) -> None:
    """At home one name is one person; hosted the two have never met."""
    for hosted in (False, True):
        app = make_app(HOSTED=hosted)
        ours, fresh = app.test_client(), app.test_client()
        code = start(app, ours, ("Quentin", "Bea", "Carl"))
        own = start(app, fresh, ("quentin", "Dora", "Emil"))
        who = {each: _at(app).seated_first(each) for each in (code, own)}
        assert (who[code] == who[own]) is not hosted
        page = fresh.get(f"/people/{who[own]}").text
        assert ("1 night with this name stays as it is" in plain(page)) is not hosted
        assert ("Take the name away<" in page) is hosted
        if not hosted:
            for data in ({"do": "forget"}, {"do": "rename", "name": "QUENTIN"}):
                answer = fresh.post(f"/people/{who[own]}", data={**data, "seen": "0"})
                assert answer.status_code == 422 and "companion people" in answer.text
        answer = fresh.post(f"/people/{who[own]}", data={"do": "rename", "name": "Mud", "seen": "0"})
        with app.app_context():
            assert [record.load(each).names[0] for each in (code, own)] == ["Quentin", "Mud"]
        # sent twice it is done once, and the old address leads to whom the night is of now
        assert fresh.post(f"/people/{who[own]}", data={"do": "rename", "name": "Mud", "seen": "0"}).status_code == 303
        assert "Mud" not in ours.get(f"/people/{who[code]}").text and ours.get(answer.location).status_code == 404


def test_another_keeper_of_the_night_follows_a_name_that_was_changed_there_alone(
    houses: Houses, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two phones keep a night, a third one another night with the same person: the second phone's page is led on, and the
    name it typed meanwhile is refused beside its field, however close the two came together.
    """
    second = houses.phones["second"] = houses.app.test_client()
    second.get("/")
    start(houses.app, second, ("Xu", "Yan", "Zoe"))
    houses.let_in("second", houses.nights[1], "keeper")
    quentin = houses.person("Quentin")
    seen = re.search(r'name="seen" value="(\d+)"', second.get(f"/people/{quentin}").text)[1]
    rename = person_changes.rename

    def just_after(person: int, name: str, **facts: Any) -> Any:
        monkeypatch.setattr(person_changes, "rename", rename)
        assert houses.send("some", person, do="rename", name="Quincy").status_code == 303
        return rename(person, name, **facts)

    monkeypatch.setattr(person_changes, "rename", just_after)
    for _attempt in ("at the same moment", "later"):
        late = second.post(f"/people/{quentin}", data={"do": "rename", "name": "Quinta", "seen": seen})
        assert late.status_code == 409 and 'value="Quinta"' in late.text and "Quincy" in plain(late.text)
    led = second.get(f"/people/{quentin}")
    assert led.status_code == 303 and "Quincy" in plain(second.get(led.location).text)
    assert second.post(f"/people/{quentin}", data={"do": "rename", "name": "Quincy", "seen": seen}).status_code == 303
    assert second.post(f"/people/{quentin}", data={"do": "hide", "seen": seen}).location == led.location
    assert houses.phones["all"].get(f"/people/{quentin}").status_code == 200
    assert houses.names() == ["Quentin", "Quincy", "Quill"]


def test_a_name_of_others_is_not_taken_over_by_renaming(make_app: Any) -> None:
    app = make_app()
    ours, fresh = app.test_client(), app.test_client()
    start(app, ours, ("Quentin", "Bea", "Carl"))
    start(app, fresh, ("Quill", "Dora", "Emil"))
    quill = _at(app).person("Quill")
    answer = fresh.post(f"/people/{quill}", data={"do": "rename", "name": "quentin", "seen": "0"})
    assert answer.status_code == 422 and "nights that other phones keep" in answer.text


def _at(app: Flask) -> Houses:
    bare = Houses.__new__(Houses)
    bare.app = app
    return bare


def test_names_typed_by_others_since_stay_theirs_when_a_change_is_taken_back(make_app: Any) -> None:
    """Renamed by who kept them all; then somebody else starts a night under the new name."""
    app = make_app()
    ours, fresh = app.test_client(), app.test_client()
    code = start(app, ours, ("Quentin", "Bea", "Carl"))
    quentin = _at(app).person("Quentin")
    ours.post(f"/people/{quentin}", data={"do": "rename", "name": "Quincy", "seen": "0"})
    own = start(app, fresh, ("quincy", "Dora", "Emil"))
    last = _at(app).last()
    assert fresh.post(f"/people/{quentin}", data={"do": "undo", "change": last}).status_code == 422
    answer = ours.post(f"/people/{quentin}", data={"do": "undo", "change": last})
    assert answer.status_code == 303 and ours.get(answer.location).status_code == 200
    with app.app_context():
        assert [record.load(each).names[0] for each in (code, own)] == ["Quentin", "Quincy"]


def test_a_merging_is_taken_back_in_the_nights_that_were_merged_and_others_keep_theirs(make_app: Any) -> None:
    app = make_app()
    ours, fresh = app.test_client(), app.test_client()
    codes = [start(app, ours, ("Anna", "Bea", "Carl")), another(app, ours, ("Ana", "Bea", "Carl"))]
    anna, ana = (_at(app).person(name) for name in ("Anna", "Ana"))
    ours.post(f"/people/{anna}", data={"do": "merge", "into": ana, "seen": "0"})
    codes.append(start(app, fresh, ("Anna", "Dora", "Emil")))
    ours.post(f"/people/{ana}", data={"do": "undo", "change": _at(app).last()})
    with app.app_context():
        assert [record.load(each).names[0] for each in codes] == ["Anna", "Ana", "Ana"]
        assert maintenance.check() == []


def test_two_phones_change_the_same_person_each_in_its_own_nights(make_app: Any) -> None:
    app = make_app()
    one, other = app.test_client(), app.test_client()
    codes = [start(app, one, ("Quentin", "Bea", "Carl")), start(app, other, ("Quentin", "Dora", "Emil"))]
    quentin = _at(app).person("Quentin")
    first = one.post(f"/people/{quentin}", data={"do": "rename", "name": "Quincy", "seen": "0"}).location
    page = other.get(f"/people/{quentin}").text
    assert "Quincy" not in page and "stays as it is" not in page, "what another changed in its nights is not told"
    seen = re.search(r'name="seen" value="(\d+)"', page)[1]
    other.post(f"/people/{quentin}", data={"do": "rename", "name": "Quill", "seen": seen})
    one.post(first, data={"do": "undo", "change": re.search(r'name="change" value="(\d+)"', one.get(first).text)[1]})
    with app.app_context():
        assert [record.load(each).names[0] for each in codes] == ["Quill", "Quill"]
        assert maintenance.check() == []


def test_a_move_of_the_server_keeps_apart_what_a_phone_merged_in_its_own_nights(make_app: Any) -> None:
    app = make_app()
    one, other = app.test_client(), app.test_client()
    start(app, one, ("Anna", "Bea", "Carl"))
    another(app, one, ("Ana", "Bea", "Carl"))
    start(app, other, ("Anna", "Dora", "Emil"))
    anna, ana = (_at(app).person(name) for name in ("Anna", "Ana"))
    assert one.post(f"/people/{anna}", data={"do": "merge", "into": ana, "seen": "0"}).status_code == 303
    with app.app_context():
        out = document.write(exporting.everything())
    there = make_app()
    with there.app_context():
        importing.bring_in(document.read(out), whole=True)
        assert sorted(summary.seats[0].name for summary in record.lists.latest_games(9)) == ["Ana", "Ana", "Anna"]
        assert document.write(exporting.everything()) == out


def test_hiding_again_what_was_hidden_for_all_shows_it_in_own_nights_alone(make_app: Any) -> None:
    """Hidden by who kept all; somebody else types the name, and wants it shown."""
    app = make_app()
    ours, fresh = app.test_client(), app.test_client()
    start(app, ours, ("Quentin", "Bea", "Carl"))
    quentin = _at(app).person("Quentin")
    ours.post(f"/people/{quentin}", data={"do": "hide", "seen": "0"})
    start(app, fresh, ("quentin", "Dora", "Emil"))
    assert fresh.post(f"/people/{quentin}", data={"do": "show", "seen": _at(app).last()}).status_code == 303
    assert "1 hidden" in ours.get("/people").text and "1 hidden" not in fresh.get("/people").text
    assert 'value="Quentin"' not in ours.get("/new").text and 'value="Quentin"' in fresh.get("/new").text


def test_an_open_house_is_everybodys(make_app: Any) -> None:
    app = make_app(OPEN_HOUSE=True)
    start(app, app.test_client(), ("Quentin", "Bea", "Carl"))
    stranger: FlaskClient = app.test_client()
    quentin = _at(app).person("Quentin")
    assert "stays as it is" not in stranger.get(f"/people/{quentin}").text
    assert stranger.post(f"/people/{quentin}", data={"do": "forget", "seen": "0"}).status_code == 303
