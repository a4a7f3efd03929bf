"""One person over many nights: renamed, merged, hidden, forgotten, and taken back; nothing of it changes a number."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from flask import Flask
from flask_babel import force_locale
from sqlalchemy import select

from companion import record
from companion.command import made_ready, maintenance
from companion.db import db, writing
from companion.models import Person, PersonChange, Seat, WithheldName
from companion.names import BadNames
from companion.record import forgetting, many_nights, person_changes, person_trail
from companion.record.person_trail import PersonReason, PersonRefused
from companion.referee.commands import CloseGame, ReopenGame
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
    return person_trail.last_change(person)


def seats() -> list[tuple]:
    rows = db.session.execute(
        select(Seat.game_id, Seat.number, Seat.person_id, Seat.entered_as).order_by(Seat.game_id, Seat.number)
    )
    return [tuple(row) for row in rows]


def loaded(code: str):
    db.session.rollback()  # what others wrote meanwhile
    return record.load(code)


def days_go_by(days: float, *, unseen: float = 0) -> None:
    """As if the names had been taken away earlier, and nobody had looked at the clock for the last days of it."""
    with writing() as session:
        for row in session.scalars(select(WithheldName)):
            row.since -= timedelta(days=days)
            row.seen_at -= timedelta(days=unseen)


def refused(call, *args, **kwargs) -> PersonReason:
    with pytest.raises(PersonRefused) as caught:
        call(*args, **kwargs)
    return caught.value.reason


def test_merging_in_a_chain_is_taken_back_exactly(house):
    known, before = ids(), seats()
    for one, other in (("Annika", "Anna"), ("Anna", "Ana")):
        person_changes.merge(known[one], known[other], seen=seen(known[one]), device=house)
    assert [row.name for row in many_nights.people(house)] == ["Ana", "Bea", "Carl"]
    assert {one.person for one in many_nights.seat_results(house) if one.place == 1} == {known["Ana"]}
    assert person_changes.moved_to(known["Annika"]) == known["Ana"]
    assert maintenance.check() == []
    first, second = (change.id for change in reversed(person_trail.changes(known["Anna"], house)))
    assert refused(person_changes.undo, known["Annika"], first, device=house) is PersonReason.MOVED_ON
    person_changes.undo(known["Ana"], second, device=house)
    person_changes.undo(known["Ana"], second, device=house)
    assert {one.person for one in many_nights.seat_results(house) if one.place == 1} == {known["Ana"], known["Anna"]}
    person_changes.undo(known["Anna"], first, device=house)
    assert seats() == before
    assert maintenance.check() == []


def test_a_name_typed_after_the_merging_is_that_person_and_goes_back_with_it(app, client, house):
    known = ids()
    person_changes.merge(known["Anna"], known["Ana"], seen=0, device=house)
    code = another(app, client, ("ANNA", "Bea", "Carl"))
    assert loaded(code).names[0] == "Ana"
    person_changes.undo(known["Ana"], person_trail.changes(known["Ana"], house)[0].id, device=house)
    assert loaded(code).names[0] == "Anna"


def test_two_names_of_one_person_sit_at_no_table_together(app, client, house):
    known = ids()
    person_changes.merge(known["Anna"], known["Ana"], seen=0, device=house)
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
    assert refused(person_changes.merge, known["Ana"], known["Bea"], seen=0, device=house) is PersonReason.SAME_TABLE
    assert refused(person_changes.merge, known["Ana"], known["Ana"], seen=0, device=house) is PersonReason.ITSELF
    assert refused(person_changes.merge, known["Ana"], 999, seen=0, device=house) is PersonReason.NOBODY
    assert refused(person_changes.merge, 999, known["Ana"], seen=0, device=house) is PersonReason.NOBODY


def test_merging_twice_is_once_and_stale_pages_are_told(house):
    known = ids()
    person_changes.merge(known["Anna"], known["Ana"], seen=0, device=house)
    person_changes.merge(known["Anna"], known["Ana"], seen=0, device=house)
    assert len(person_trail.changes(known["Ana"], house)) == 1
    assert refused(person_changes.merge, known["Anna"], known["Bea"], seen=0, device=house) is PersonReason.MOVED_ON
    assert refused(person_changes.rename, known["Ana"], "Anita", seen=0, device=house) is PersonReason.MOVED_ON


def test_renaming_shows_everywhere_and_frees_the_old_name(app, client, house):
    known = ids()
    code = many_nights.nights(house)[-1].code
    person_changes.rename(known["Ana"], "  Anita  ", seen=0, device=house)
    assert loaded(code).names[0] == "Anita"
    assert record.games_for(house)[-1].seats[0].name == "Anita"
    change = person_trail.changes(known["Ana"], house)[0]
    assert (change.before, change.after, change.last) == ("Ana", "Anita", True)
    other = another(app, client, ("Ana", "Bea", "Carl"))
    assert loaded(other).names[0] == "Ana"
    assert refused(person_changes.undo, known["Ana"], change.id, device=house) is PersonReason.TAKEN
    assert refused(person_changes.rename, known["Ana"], "ANA", seen=change.id, device=house) is PersonReason.TAKEN


def test_a_person_takes_a_name_that_was_merged_into_theirs(app, client, house):
    known = ids()
    person_changes.merge(known["Anna"], known["Ana"], seen=0, device=house)
    person_changes.rename(known["Ana"], "Anna", seen=seen(known["Ana"]), device=house)
    for typed in ("ana", "anna"):
        assert loaded(another(app, client, (typed, "Bea", "Carl"))).names[0] == "Anna"
    for _change in range(2):
        last = next(change for change in person_trail.changes(known["Ana"], house) if change.last)
        person_changes.undo(known["Ana"], last.id, device=house)
    assert ids() == known


@pytest.mark.parametrize("name", ["", "\u200b", "a\x07", "x" * 41])
def test_what_is_no_name_is_none_here_either(house, name):
    with pytest.raises(BadNames):
        person_changes.rename(ids()["Ana"], name, seen=0, device=house)


def test_hiding_and_showing(house):
    ana = ids()["Ana"]
    person_changes.hide(ana, True, seen=0, device=house)
    assert "Ana" not in record.known_people(1)
    assert [row.hidden for row in many_nights.people(house)][0] is True
    person_changes.hide(ana, False, seen=seen(ana), device=house)
    person_changes.undo(ana, seen(ana), device=house)
    assert many_nights.people(house)[0].hidden
    assert [change.kind for change in person_trail.changes(ana, house)] == ["shown", "hidden"]


def test_who_is_forgotten_keeps_the_numbers_and_no_name_anywhere(app, client, house):
    known = ids()
    code, before = many_nights.nights(house)[-1].code, many_nights.seat_results(house)
    person_changes.rename(known["Anna"], "Anninha", seen=0, device=house)
    person_changes.merge(known["Anna"], known["Ana"], seen=seen(known["Anna"]), device=house)
    person_changes.forget(known["Ana"], seen=seen(known["Ana"]), device=house)
    person_changes.forget(known["Ana"], seen=0, device=house)
    assert {change.before + change.after for change in person_trail.changes(known["Ana"], house)} == {""}
    assert loaded(code).names[0] == "Somebody 1"
    days_go_by(7)
    forgetting.carry_out()
    assert loaded(code).names[0] == "Somebody 1"
    assert len(many_nights.seat_results(house)) == len(before)
    assert {row[3] for row in seats()} == {None}
    with db.engine.connect() as connection:
        texts = [
            str(value)
            for table in (Person, PersonChange, WithheldName)
            for row in connection.execute(select(table.__table__))
            for value in row
        ]
    assert not [text for text in texts if text.casefold().startswith(("ana", "anna", "anninha"))]
    assert not any(change.last for change in person_trail.changes(known["Ana"], house))
    assert refused(person_changes.undo, known["Ana"], seen(known["Ana"]), device=house) is PersonReason.FORGOTTEN
    assert refused(person_changes.rename, known["Ana"], "Eva", seen=0, device=house) is PersonReason.FORGOTTEN
    assert loaded(another(app, client, ("Ana", "Bea", "Carl"))).names[0] == "Ana"
    with force_locale("pt"):
        assert loaded(code).names[0] == "Alguém 1"
    assert maintenance.check() == []


def test_only_a_keeper_changes_people(app, client, house):
    ana = ids()["Ana"]
    assert person_changes.is_keeper(ana, house)
    assert not person_changes.is_keeper(ana, None)
    assert not person_changes.is_keeper(999, house)


def test_a_change_is_taken_back_at_its_own_person_only(house):
    known = ids()
    person_changes.rename(known["Ana"], "Anita", seen=0, device=house)
    change = person_trail.changes(known["Ana"], house)[0].id
    assert refused(person_changes.undo, known["Bea"], change, device=house) is PersonReason.NOBODY


# --- forgetting, in seven days ---------------------------------------------------------------------------------------


def withheld() -> list[str]:
    db.session.rollback()
    return sorted(db.session.scalars(select(WithheldName.name)))


def the_clock(monkeypatch, moved: timedelta) -> None:
    """The server's clock says another time from now on."""

    class Clock(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + moved

    monkeypatch.setattr(forgetting, "datetime", Clock)


@pytest.fixture
def forgotten(house):
    """Ana with Anna merged into her, forgotten just now; gives who Ana is, and the names as they were."""
    known = ids()
    person_changes.rename(known["Anna"], "Anninha", seen=0, device=house)
    person_changes.merge(known["Anna"], known["Ana"], seen=seen(known["Anna"]), device=house)
    before = [tuple(row) for row in db.session.execute(select(*Person.__table__.columns).order_by(Person.id))]
    person_changes.forget(known["Ana"], seen=seen(known["Ana"]), device=house)
    return known["Ana"], before


def test_for_seven_days_the_name_is_given_back_as_it_was(house, forgotten):
    ana, before = forgotten
    taken = seats()
    days_go_by(6.9)
    forgetting.carry_out()
    last = person_trail.changes(ana, house)[0]
    assert last.last and last.until is not None
    person_changes.undo(ana, last.id, device=house)
    assert [tuple(row) for row in db.session.execute(select(*Person.__table__.columns).order_by(Person.id))] == before
    assert seats() == taken and withheld() == []
    # and what was changed before is taken back after it
    person_changes.undo(
        ana, next(change.id for change in person_trail.changes(ana, house) if change.last), device=house
    )
    assert sorted(ids()) == ["Ana", "Annika", "Anninha", "Bea", "Carl"]


def test_after_seven_days_the_first_page_carries_it_out(app, client, house, forgotten):
    ana, _before = forgotten
    client.get("/people")
    assert withheld() == ["Ana", "Anninha"]
    days_go_by(7)
    client.get("/static/x"), client.get("/referee")
    assert withheld() == ["Ana", "Anninha"]
    client.get("/")
    assert withheld() == []
    assert not any(change.last for change in person_trail.changes(ana, house))
    last = person_trail.changes(ana, house)[0].id
    assert refused(person_changes.undo, ana, last, device=house) is PersonReason.FORGOTTEN


def test_after_seven_days_the_first_start_carries_it_out(app, house, forgotten):
    days_go_by(8)
    made_ready(app)
    assert withheld() == []


@pytest.mark.parametrize(
    "moved", [timedelta(days=-30), timedelta(days=-365 * 56), timedelta(days=365 * 30), timedelta(days=61)]
)
def test_a_clock_that_jumped_puts_it_off_for_seven_days_by_the_new_one(house, forgotten, monkeypatch, moved):
    the_clock(monkeypatch, moved)
    forgetting.carry_out()
    assert withheld() == ["Ana", "Anninha"]
    the_clock(monkeypatch, moved + timedelta(days=6.9))
    forgetting.carry_out()
    assert withheld() == ["Ana", "Anninha"]
    the_clock(monkeypatch, moved + timedelta(days=7.1))
    forgetting.carry_out()
    assert withheld() == []


def test_a_clock_put_right_after_a_while_counts_seven_days_from_there(house, forgotten, monkeypatch):
    for days in (-20000, -19999, 0, 6.5):
        the_clock(monkeypatch, timedelta(days=days))
        forgetting.carry_out()
        assert withheld() == ["Ana", "Anninha"], days
    the_clock(monkeypatch, timedelta(days=8))
    forgetting.carry_out()
    assert withheld() == []


@pytest.mark.parametrize("off", [8, 30, 59])
def test_a_server_that_was_off_for_some_weeks_carries_it_out_when_it_comes_up(house, forgotten, monkeypatch, off):
    the_clock(monkeypatch, timedelta(days=off))
    forgetting.carry_out()
    assert withheld() == []


def test_who_plays_four_times_a_year_is_obeyed_the_second_time(house, forgotten, monkeypatch):
    for evening, left in ((90, 2), (180, 0)):
        the_clock(monkeypatch, timedelta(days=evening))
        forgetting.carry_out()
        assert len(withheld()) == left


def test_somebody_else_took_the_name_meanwhile(app, client, house, forgotten):
    ana, _before = forgotten
    code = another(app, client, ("Ana", "Bea", "Carl"))
    assert loaded(code).names[0] == "Ana"
    person_changes.undo(ana, person_trail.changes(ana, house)[0].id, device=house)
    assert [row.name for row in many_nights.people(house)] == ["Ana", "Ana", "Annika", "Bea", "Carl"]
    other = next(row.id for row in many_nights.people(house) if row.name == "Ana" and row.id != ana)
    person_changes.merge(ana, other, seen=seen(ana), device=house)
    assert loaded(another(app, client, ("Anninha", "Bea", "Carl"))).names[0] == "Ana"
    assert maintenance.check() == []


def test_a_name_given_back_sits_at_no_table_twice(app, client, house, forgotten):
    ana, _before = forgotten
    code = many_nights.nights(house)[-1].code
    with pytest.raises(record.Stale):  # the night is over: play on first
        record.join(code, "Ana", token="j", seen=1)
    record.append(code, ReopenGame(), token="r", seen=loaded(code).revision)
    record.join(code, "Ana", token="k", seen=loaded(code).revision)
    last = person_trail.changes(ana, house)[0].id
    assert refused(person_changes.undo, ana, last, device=house) is PersonReason.SAME_TABLE
    assert loaded(code).names[0] == "Somebody 1"


def test_two_at_once_are_both_counted(house, forgotten):
    bea = ids()["Bea"]
    days_go_by(7)
    person_changes.forget(bea, seen=0, device=house)
    forgetting.carry_out()
    assert withheld() == ["Bea"]
    assert sorted(row.forgotten for row in db.session.scalars(select(Person).where(Person.forgotten.is_not(None)))) == [
        1,
        1,
        2,
    ]
