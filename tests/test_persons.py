"""One person over many nights: renamed, merged, hidden, forgotten, and taken back; nothing of it changes a number."""

from __future__ import annotations

import pytest
from flask import Flask
from flask_babel import force_locale
from sqlalchemy import select

from companion import maintenance, record
from companion.db import db
from companion.models import Person, PersonChange, Seat
from companion.people import BadNames
from companion.record import many, persons
from companion.record.persons import PersonReason, PersonRefused
from companion.referee.commands import CloseGame
from tests.web import another, device_of, play, score


@pytest.fixture
def house(app: Flask, client):
    """Three nights: Ana, then Anna and then Annika by mistake; gives the device."""
    for name in ("Ana", "Anna", "Annika"):
        play(app, another(app, client, (name, "Bea", "Carl")), score(1, 0, 0, 5, 10), CloseGame())
    device = device_of(app, client)
    with app.app_context():
        yield device


def ids() -> dict[str, int]:
    return {row.name: row.id for row in db.session.execute(select(Person.id, Person.name))}


def seen(person: int) -> int:
    return max((change.id for change in persons.changes(person)), default=0)


def seats() -> list[tuple]:
    rows = db.session.execute(
        select(Seat.game_id, Seat.number, Seat.person_id, Seat.entered_as).order_by(Seat.game_id, Seat.number)
    )
    return [tuple(row) for row in rows]


def loaded(code: str):
    db.session.rollback()  # what others wrote meanwhile
    return record.load(code)


def refused(call, *args, **kwargs) -> PersonReason:
    with pytest.raises(PersonRefused) as caught:
        call(*args, **kwargs)
    return caught.value.reason


def test_merging_in_a_chain_is_taken_back_exactly(house):
    known, before = ids(), seats()
    for one, other in (("Annika", "Anna"), ("Anna", "Ana")):
        persons.merge(known[one], known[other], seen=seen(known[one]), device=house)
    assert [row.name for row in many.people(house)] == ["Ana", "Bea", "Carl"]
    assert {one.person for one in many.sat(house) if one.place == 1} == {known["Ana"]}
    assert persons.moved_to(known["Annika"]) == known["Ana"]
    assert maintenance.check() == []
    first, second = (change.id for change in reversed(persons.changes(known["Anna"])))
    assert refused(persons.undo, known["Annika"], first, device=house) is PersonReason.MOVED_ON
    persons.undo(known["Ana"], second, device=house)
    persons.undo(known["Ana"], second, device=house)
    assert {one.person for one in many.sat(house) if one.place == 1} == {known["Ana"], known["Anna"]}
    persons.undo(known["Anna"], first, device=house)
    assert seats() == before
    assert maintenance.check() == []


def test_a_name_typed_after_the_merging_is_that_person_and_goes_back_with_it(app, client, house):
    known = ids()
    persons.merge(known["Anna"], known["Ana"], seen=0, device=house)
    code = another(app, client, ("ANNA", "Bea", "Carl"))
    assert loaded(code).names[0] == "Ana"
    persons.undo(known["Ana"], persons.changes(known["Ana"])[0].id, device=house)
    assert loaded(code).names[0] == "Anna"


def test_two_names_of_one_person_sit_at_no_table_together(app, client, house):
    known = ids()
    persons.merge(known["Anna"], known["Ana"], seen=0, device=house)
    with pytest.raises(BadNames) as caught:
        another(app, client, ("Bea", "Ana", "Anna"))
    assert caught.value.problems[0].index == 2
    answer = client.post("/new", data={"name": ["Bea", "Ana", "Anna"], "token": "t", "do": "start"})
    assert answer.status_code == 422
    code = another(app, client, ("Bea", "Ana", "Carl"))
    with pytest.raises(BadNames):
        record.join(code, "Anna", token="j", seen=1)


def test_who_sat_at_one_table_is_two(house):
    known = ids()
    assert refused(persons.merge, known["Ana"], known["Bea"], seen=0, device=house) is PersonReason.SAME_TABLE
    assert refused(persons.merge, known["Ana"], known["Ana"], seen=0, device=house) is PersonReason.ITSELF
    assert refused(persons.merge, known["Ana"], 999, seen=0, device=house) is PersonReason.NOBODY
    assert refused(persons.merge, 999, known["Ana"], seen=0, device=house) is PersonReason.NOBODY


def test_merging_twice_is_once_and_stale_pages_are_told(house):
    known = ids()
    persons.merge(known["Anna"], known["Ana"], seen=0, device=house)
    persons.merge(known["Anna"], known["Ana"], seen=0, device=house)
    assert len(persons.changes(known["Ana"])) == 1
    assert refused(persons.merge, known["Anna"], known["Bea"], seen=0, device=house) is PersonReason.MOVED_ON
    assert refused(persons.rename, known["Ana"], "Anita", seen=0, device=house) is PersonReason.MOVED_ON


def test_renaming_shows_everywhere_and_frees_the_old_name(app, client, house):
    known = ids()
    code = many.nights(house)[-1].code
    persons.rename(known["Ana"], "  Anita  ", seen=0, device=house)
    assert loaded(code).names[0] == "Anita"
    assert record.games_for(house)[-1].seats[0].name == "Anita"
    change = persons.changes(known["Ana"])[0]
    assert (change.before, change.after, change.last) == ("Ana", "Anita", True)
    other = another(app, client, ("Ana", "Bea", "Carl"))
    assert loaded(other).names[0] == "Ana"
    assert refused(persons.undo, known["Ana"], change.id, device=house) is PersonReason.TAKEN
    assert refused(persons.rename, known["Ana"], "ANA", seen=change.id, device=house) is PersonReason.TAKEN


def test_a_person_takes_a_name_that_was_merged_into_theirs(app, client, house):
    known = ids()
    persons.merge(known["Anna"], known["Ana"], seen=0, device=house)
    persons.rename(known["Ana"], "Anna", seen=seen(known["Ana"]), device=house)
    for typed in ("ana", "anna"):
        assert loaded(another(app, client, (typed, "Bea", "Carl"))).names[0] == "Anna"
    for _change in range(2):
        last = next(change for change in persons.changes(known["Ana"]) if change.last)
        persons.undo(known["Ana"], last.id, device=house)
    assert ids() == known


@pytest.mark.parametrize("name", ["", "\u200b", "a\x07", "x" * 41])
def test_what_is_no_name_is_none_here_either(house, name):
    with pytest.raises(BadNames):
        persons.rename(ids()["Ana"], name, seen=0, device=house)


def test_hiding_and_showing(house):
    ana = ids()["Ana"]
    persons.hide(ana, True, seen=0, device=house)
    assert "Ana" not in [one.name for one in record.known_people(1)]
    assert [row.hidden for row in many.people(house)][0] is True
    persons.hide(ana, False, seen=seen(ana), device=house)
    persons.undo(ana, seen(ana), device=house)
    assert many.people(house)[0].hidden
    assert [change.kind for change in persons.changes(ana)] == ["shown", "hidden"]


def test_who_is_forgotten_keeps_the_numbers_and_no_name_anywhere(app, client, house):
    known = ids()
    code, before = many.nights(house)[-1].code, many.sat(house)
    persons.rename(known["Anna"], "Anninha", seen=0, device=house)
    persons.merge(known["Anna"], known["Ana"], seen=seen(known["Anna"]), device=house)
    persons.forget(known["Ana"], seen=seen(known["Ana"]), device=house)
    persons.forget(known["Ana"], seen=0, device=house)
    assert loaded(code).names[0] == "Somebody 1"
    assert len(many.sat(house)) == len(before)
    assert {row[3] for row in seats()} == {None}
    with db.engine.connect() as connection:
        texts = [
            str(value)
            for table in (Person, PersonChange)
            for row in connection.execute(select(table.__table__))
            for value in row
        ]
    assert not [text for text in texts if text.casefold().startswith(("ana", "anna", "anninha"))]
    assert not any(change.last for change in persons.changes(known["Ana"]))
    assert refused(persons.undo, known["Ana"], seen(known["Ana"]), device=house) is PersonReason.FORGOTTEN
    assert refused(persons.rename, known["Ana"], "Eva", seen=0, device=house) is PersonReason.FORGOTTEN
    assert loaded(another(app, client, ("Ana", "Bea", "Carl"))).names[0] == "Ana"
    with force_locale("pt"):
        assert loaded(code).names[0] == "Alguém 1"
    assert maintenance.check() == []


def test_only_a_keeper_changes_people(app, client, house):
    ana = ids()["Ana"]
    assert persons.is_keeper(ana, house)
    assert not persons.is_keeper(ana, None)
    assert not persons.is_keeper(999, house)


def test_a_change_is_taken_back_at_its_own_person_only(house):
    known = ids()
    persons.rename(known["Ana"], "Anita", seen=0, device=house)
    change = persons.changes(known["Ana"])[0].id
    assert refused(persons.undo, known["Bea"], change, device=house) is PersonReason.NOBODY
