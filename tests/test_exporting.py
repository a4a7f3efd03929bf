"""Nights as JSON: out and in again with the same bytes, no doubles, and nothing that is no night of ours."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from click.testing import CliRunner, Result
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, text, update

from companion import record
from companion.command import maintenance
from companion.command.cli import companion
from companion.db import db, writing
from companion.exporting import document
from companion.exporting.document import BadDocument
from companion.models import Game, Membership, Person, Seat
from companion.names import clean_name, look_alike_key, name_problems
from companion.record import exporting, importing, person_changes
from companion.record.exporting import ExportedHouse, Phone
from companion.record.validation import MOST_ENTRIES, InvalidImport, validate
from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.games import KATE, PERU
from tests.exported import EVENING, bring, exported, night_to_import, random_night_to_import
from tests.referee.nights import night
from tests.thorough import thorough
from tests.web import LONG_NAMES, play, score, start

MakeApp = Callable[..., Flask]


@pytest.fixture(scope="module")
def played() -> list[e.Event]:
    return night(4).do(c.Buy(1, 2)).score(0, p1=45).score(1, p0=20).undo().score(2).entries


# --- the same bytes --------------------------------------------------------------------------------------------------


def test_a_night_of_the_table_goes_out_and_in_with_the_same_bytes(
    app: Flask, client: FlaskClient, make_app: MakeApp
) -> None:
    code = start(app, client, LONG_NAMES)
    play(app, code, c.Buy(1, 2), score(1, 0, 0, *range(5, 40, 5)))
    with app.app_context():
        view = record.load(code)
        assert view and view.undo
        record.undo(code, entry=view.undo.seq, token="u", seen=view.revision, device=1)
    there, first = make_app(), exported(app)
    with there.app_context():
        done = importing.bring_in(document.read(first), whole=True)
        assert [result.outcome.value for result in done] == ["added"]
        assert maintenance.check() == []
    assert exported(there) == first
    assert "".join(LONG_NAMES[:2]).isascii() is False and LONG_NAMES[4].encode() in first


@thorough(5, in_ci=25, phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck))
@given(seeds=st.lists(st.integers(0, 10**6), min_size=1, max_size=3), steps=st.integers(1, 90))
def test_any_nights_go_out_and_in_with_the_same_bytes(make_app: MakeApp, seeds: list[int], steps: int) -> None:
    nights = [random_night_to_import(seed, steps, number) for number, seed in enumerate(seeds)]
    data = document.write((ExportedHouse(tuple(reversed(nights))),))
    assert document.write(document.read(data)) == data
    here, there = make_app(OPEN_HOUSE=True), make_app(OPEN_HOUSE=True)
    with here.app_context():
        importing.bring_in(document.read(data))
        out = document.write(exporting.visible(None))
        assert out == data
        assert maintenance.check() == []
    with there.app_context():
        importing.bring_in(document.read(out))
        assert document.write(exporting.visible(None)) == data
        assert {result.outcome.value for result in importing.bring_in(document.read(out))} == {"there"}


NAMES = st.lists(
    st.text(min_size=1, max_size=12).map(clean_name).filter(lambda name: not name_problems([name])),
    min_size=4,
    max_size=4,
).filter(lambda names: not name_problems(names))


@thorough(25, in_ci=100, suppress_health_check=list(HealthCheck))
@given(
    names=NAMES, phone=st.text(max_size=9).map(clean_name).filter(lambda name: not name or not name_problems([name]))
)
def test_any_names_go_out_and_in_with_the_same_bytes(played: list[e.Event], names: list[str], phone: str) -> None:
    told = replace(night_to_import(played), names=dict(enumerate(names)), phones=(Phone("other", phone, 1),))
    told = replace(told, entries=tuple(replace(entry, phone=None) for entry in night_to_import(played).entries))
    data = document.write((ExportedHouse((told,)),))
    (house,) = document.read(data)
    assert dict(house.nights[0].names) == dict(enumerate(names)) and house.nights[0].phones[0].name == phone
    assert validate(house.nights[0]) and document.write((house,)) == data


def test_every_entry_and_every_undo_is_in_it(app: Flask, played: list[e.Event]) -> None:
    bring(app, night_to_import(played))
    exported_nights = json.loads(exported(app))
    (house,) = exported_nights["houses"]
    kinds = [entry["kind"] for entry in house["games"][0]["entries"]]
    assert kinds == ["game_started", "bought", "hand_scored", "hand_scored", "undone", "hand_scored"]
    assert house["games"][0]["entries"][0]["at"] == "2026-11-03T19:00:00.123456Z"
    assert [len(line) < 4000 for line in exported(app).decode().splitlines()].count(False) == 0


def test_what_was_done_together_comes_in_and_goes_out_as_one_entry(app: Flask, played: list[e.Event]) -> None:
    together = e.DoneTogether((e.RuleOverruled("min_naturals", 0), e.Bought(3, 1)))
    told = [*played, together, e.Undone(len(played) + 1), e.Redone(len(played) + 1)]
    assert bring(app, night_to_import(told)) == ["added"]
    (night,) = document.read(exported(app))[0].nights
    assert night.events == told
    stranger = e.DoneTogether((e.RuleOverruled("min_naturals", 0), e.Bought(3, 30)))
    with pytest.raises(InvalidImport, match="stranger"):
        bring(app, night_to_import([*played, stranger], 1))
    other_hand = e.DoneTogether((e.RuleOverruled("min_naturals", 0), e.Bought(9, 1)))
    with pytest.raises(InvalidImport, match="no_sense"):
        bring(app, night_to_import([*played, other_hand], 1))


def test_no_link_and_no_code_is_ever_in_it(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    with app.app_context():
        record.finished.hand_out_recap(code)  # type: ignore[attr-defined]
        row = db.session.execute(select(Game.__table__)).mappings().one()
        names = ("code", "keeper_code", "watch_code", "keeper_short", "watch_short", "recap_code", "token")
        assert all(row[name] for name in names)
        for data in (exported(app), document.write(exporting.night(row["id"], 1))):
            assert [name for name in names if row[name].encode() in data] == []
        assert b"token_hash" not in document.write(exporting.night(row["id"], 1))


# --- no doubles ------------------------------------------------------------------------------------------------------


def test_the_same_night_comes_in_once_and_what_is_here_stays(app: Flask, played: list[e.Event]) -> None:
    assert bring(app, night_to_import(played)) == ["added"]
    before = exported(app)
    assert bring(app, night_to_import(played), night_to_import(played, 1)) == ["there", "added"]
    assert bring(app, night_to_import(played[:3])) == ["longer_here"]
    assert bring(app, night_to_import([*played, e.GameClosed()])) == ["longer_there"]
    assert bring(app, night_to_import([*played[:-1], e.GameClosed()])) == ["different"]
    assert [night.events for night in document.read(exported(app))[0].nights] == [played, played]
    assert before.decode().splitlines()[2] in exported(app).decode()


def test_two_who_bring_the_same_file_at_once_do_not_double_it(app: Flask, played: list[e.Event]) -> None:
    ready, came = Barrier(4), list[str]()

    def bring_in() -> None:
        ready.wait()
        came.extend(bring(app, *(night_to_import(played, number) for number in range(3))))
        with app.app_context():
            db.session.remove()

    threads = [Thread(target=bring_in) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter(came) == {"added": 3, "there": 9}
    with app.app_context():
        assert importing.count() == (3, 3 * len(played))
        assert maintenance.check() == []


def test_people_are_found_by_how_their_names_look(app: Flask, played: list[e.Event]) -> None:
    other = replace(night_to_import(played, 1), names={0: "maximiliane-ALEXANDRA", 1: "New", 2: "Other", 3: "Ana"})
    bring(app, night_to_import(played, seats=4), other)
    with app.app_context():
        names = list(db.session.execute(select(Person.name).order_by(Person.id)).scalars())
    assert names == [*LONG_NAMES[:4], "New", "Other"]


def test_a_merged_name_stays_one_person(app: Flask, make_app: MakeApp, played: list[e.Event]) -> None:
    bring(app, replace(night_to_import(played), names={0: "Ana", 1: "Bea", 2: "Carl", 3: "Dora"}))
    with app.app_context(), writing() as session:
        new = Person(house_id=1, name="Ana Maria", key=look_alike_key("Ana Maria"))
        session.add(new)
        session.flush()
        session.execute(update(Person).where(Person.name == "Ana").values(merged_into=new.id, hidden=True))
        session.execute(update(Seat).where(Seat.number == 0).values(person_id=new.id, entered_as=1))
    there, out = make_app(), exported(app)
    with there.app_context():
        importing.bring_in(document.read(out), whole=True)
        assert exported(there) == out
        rows = db.session.execute(select(Person.name, Person.hidden, Person.merged_into).order_by(Person.name)).all()
        assert [(row.name, row.hidden, bool(row.merged_into)) for row in rows][:2] == [
            ("Ana", True, True),
            ("Ana Maria", False, False),
        ]
    alone = make_app(OPEN_HOUSE=True)
    with app.app_context():
        assert b"entered_as" not in document.write(exporting.night(1, None))  # who only watches
        app.config["OPEN_HOUSE"] = True
        shown = document.write(exporting.night(1, None))
    with alone.app_context():
        importing.bring_in(document.read(shown))
        assert b"entered_as" in shown and document.write(exporting.night(1, None)) == shown
        assert db.session.execute(select(Person.merged_into).where(Person.name == "Ana")).scalar_one()
    assert bring(alone, replace(night_to_import(played, 2), names={0: "Ana", 1: "Bea", 2: "Carl", 3: "Dora"})) == [
        "added"
    ]
    with pytest.raises(InvalidImport, match="one_person"):
        bring(alone, replace(night_to_import(played, 3), names={0: "Ana", 1: "Bea", 2: "Ana Maria", 3: "Dora"}))


def test_who_was_forgotten_stays_forgotten(
    app: Flask, client: FlaskClient, make_app: MakeApp, played: list[e.Event]
) -> None:
    bring(
        app,
        *(
            replace(night_to_import(played, n), names={0: "Zoraida", 1: f"Bea {n}", 2: "Carl", 3: "Dora"})
            for n in (1, 2)
        ),
    )
    with app.app_context():
        ids = {row.name: row.id for row in db.session.execute(select(Person.name, Person.id))}
        person_changes.forget(ids["Zoraida"], seen=0, device=None, owner=True)
        assert db.session.execute(select(Person.forgotten).where(Person.id == ids["Zoraida"])).scalar_one() == 1
    there, out = make_app(), exported(app)
    assert b"Zoraida" not in out and out.count(b'"forgotten":1') == 2
    with there.app_context():
        importing.bring_in(document.read(out), whole=True)
        rows = db.session.execute(
            select(Person.name, Person.forgotten, Person.hidden).where(Person.forgotten.is_not(None))
        ).all()
        assert [tuple(row) for row in rows] == [("Somebody 1", 1, True)]
    assert exported(there) == out
    assert bring(there, replace(night_to_import(played, 3), forgotten={0: 1})) == ["added"]
    with there.app_context():
        assert sorted(db.session.execute(select(Person.forgotten).where(Person.forgotten.is_not(None))).scalars()) == [
            1,
            2,
        ]


def test_who_imports_becomes_the_keeper_and_nobody_else_does(app: Flask, played: list[e.Event]) -> None:
    bring(app, night_to_import(played))
    with app.app_context():
        members = list(db.session.execute(select(Membership)).scalars())
        assert [(member.number, member.role, member.live) for member in members] == [
            (1, "watch", False),
            (3, "watch", False),
        ]
        assert record.games_for(1) == ()
    phone = app.test_client()
    start(app, phone)
    with app.app_context():
        device = db.session.execute(select(Membership.device_id).where(Membership.role == "keeper")).scalar_one()
    assert bring(app, night_to_import(played, 1), device=device) == ["added"]
    with app.app_context():
        (_now, new) = record.games_for(device)
        view = record.load(new.code)
        assert view and record.role(view.id, device) == "keeper"
        assert view.undo and record.entries(new.code)[view.undo.seq - 1].device is not None


def test_a_move_of_the_whole_server_keeps_phones_and_houses(app: Flask, client: FlaskClient, make_app: MakeApp) -> None:
    code = start(app, client)
    key = app.config["SECRET_KEY"]
    with app.app_context(), writing() as session:
        session.execute(update(Membership).values(seat=2))
    there = make_app(SECRET_KEY=key)
    with there.app_context():
        (done,) = importing.bring_in(document.read(exported(app)), whole=True)
    again = there.test_client()
    cookie = client.get_cookie("device")
    assert cookie and done.code != code
    again.set_cookie("device", cookie.value)
    assert again.get(f"/g/{done.code}/").status_code == 200
    assert there.test_client().get(f"/g/{done.code}/").status_code == 404
    # a page never takes roles from a file
    other = make_app(SECRET_KEY=key)
    with other.app_context():
        (taken,) = importing.bring_in(document.read(exported(app)))
    thief = other.test_client()
    thief.set_cookie("device", cookie.value)
    assert thief.get(f"/g/{taken.code}/").status_code == 404


def _without_phones(night: exporting.Night) -> tuple[exporting.Entered, ...]:
    return tuple(replace(entry, phone=None) for entry in night.entries)


def test_houses_stay_apart(app: Flask, make_app: MakeApp, played: list[e.Event]) -> None:
    first, second = (
        replace(night_to_import(played, n), phones=(), entries=_without_phones(night_to_import(played, n)))
        for n in (0, 1)
    )
    second = replace(second, names={0: "ana", 1: "B", 2: "C", 3: "D"})
    data = document.write((ExportedHouse((second,)), ExportedHouse((first,))))
    with app.app_context():
        importing.bring_in(document.read(data), whole=True)
        assert [len(house.nights) for house in exporting.everything()] == [1, 1]
        importing.bring_in(document.read(data), whole=True)
    assert exported(app) == data


# --- what is no night of ours ----------------------------------------------------------------------------------------

GOOD: dict[str, Any] = {
    "format": "gripe-companion",
    "version": 1,
    "houses": [
        {"games": [{"uid": "x" * 32, "created_at": "2026-11-03T19:00:00Z", "seats": [], "phones": [], "entries": []}]}
    ],
}


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "not_json"),
        (b"\x89PNG\r\n", "not_json"),
        (b"[" * 200_000, "not_json"),
        (b'{"format":' * 50_000, "not_json"),
        (b"9" * 5000, "not_json"),
        (b"[]", "not_ours"),
        (b'"gripe-companion"', "not_ours"),
        (b'{"format": "other"}', "not_ours"),
        (b'{"format": "gripe-companion"}', "not_ours"),
        (b'{"format": "gripe-companion", "version": true}', "not_ours"),
        (b'{"format": "gripe-companion", "version": 0}', "not_ours"),
        (b'{"format": "gripe-companion", "version": 2}', "newer"),
        (b'{"format": "gripe-companion", "version": 1}', "shape"),
        (b'{"format": "gripe-companion", "version": 1, "houses": [1]}', "shape"),
        (b'{"format": "gripe-companion", "version": 1, "houses": [{"games": [{}]}]}', "shape"),
    ],
)
def test_what_is_no_export_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(BadDocument) as bad:
        document.read(data)
    assert bad.value.why == why


def spoiled(played: list[e.Event], **changes: Any) -> Any:
    spoiled_export = json.loads(document.write((ExportedHouse((night_to_import(played, seats=4),)),)))
    return spoiled_export, spoiled_export["houses"][0]["games"][0]


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda game: game.update(uid=5), "shape"),
        (lambda game: game.update(colour="red"), "shape"),
        (lambda game: game["phones"][0].update(live=1), "shape"),
        (lambda game: game.update(uid="a/../b"), "uid"),
        (lambda game: game.update(created_at="yesterday"), "shape"),
        (lambda game: game.update(created_at="2026-11-03T19:00:00"), "shape"),
        (lambda game: game.update(created_at="0001-01-01T00:00:00+14:00"), "shape"),
        (lambda game: game.update(created_at="1900-01-01T00:00:00Z"), "time"),
        (lambda game: game.update(seats=[]), "names"),
        (lambda game: game["seats"].pop(), "stranger"),
        (lambda game: game["seats"][0].update(name=""), "shape"),
        (lambda game: game["seats"][0].update(name="\ud800"), "shape"),
        (lambda game: game["seats"][0].update(name="a\u0000b"), "shape"),
        (lambda game: game["seats"][0].update(name=game["seats"][1]["name"]), "names"),
        (lambda game: game["seats"][0].update(number=1), "shape"),
        (lambda game: game["seats"][0].update(number=10**40), "shape"),
        (lambda game: game["seats"][0].update(entered_as=7), "shape"),
        (lambda game: game["phones"][0].update(kind="toaster"), "shape"),
        (lambda game: game["phones"][0].update(number=3), "phones"),
        (lambda game: game["phones"][0].update(token_hash="x"), "shape"),
        (lambda game: game["entries"].clear(), "too_long"),
        (lambda game: game["entries"].pop(0), "no_sense"),
        (lambda game: game["entries"][1].update(kind="stolen"), "entry"),
        (lambda game: game["entries"][1].update(data=[]), "entry"),
        (lambda game: game["entries"][1]["data"].update(hand=1.5), "entry"),
        (lambda game: game["entries"][1]["data"].update(hand=10**30), "too_big"),
        (lambda game: game["entries"][1].update(phone=9), "phones"),
        (lambda game: game["entries"][1].update(phone=-1), "shape"),
        (lambda game: game["entries"][1].update(at=7), "shape"),
        (lambda game: game["entries"][2]["data"]["points"].update({"9": 5}), "stranger"),
        (lambda game: game["entries"][2]["data"]["points"].update({"x": 5}), "entry"),
        (lambda game: game["entries"][4]["data"].update(entry=1), "no_sense"),
        (lambda game: game["entries"].extend(game["entries"][2:3] * 12), "no_sense"),
        (lambda game: game["entries"][0]["data"]["rules"].update(sheet="x" * 30), "too_big"),
        (lambda game: game["entries"][0]["data"]["rules"].update(sheet="\u0000"), "too_big"),
        (lambda game: game["entries"][0]["data"]["rules"].update(decks=0), "entry"),
    ],
)
def test_a_spoiled_night_is_refused_whole(app: Flask, played: list[e.Event], spoil: Any, why: str) -> None:
    export, game = spoiled(played)
    spoil(game)
    good = json.loads(document.write((ExportedHouse((night_to_import(played, 5),)),)))
    export["houses"].insert(0, good["houses"][0])
    with app.app_context():
        with pytest.raises(InvalidImport) as bad:
            importing.bring_in(document.read(json.dumps(export).encode()))
        assert (bad.value.why, bad.value.night) == (why, 2)
        assert importing.count() == (0, 0)


def test_a_night_has_only_so_many_entries(played: list[e.Event]) -> None:
    with pytest.raises(InvalidImport, match="too_long"):
        validate(night_to_import([*played[:1], *(e.Bought(1, 0), e.BuyTakenBack(1, 0)) * (MOST_ENTRIES // 2)]))


@settings(deadline=None, max_examples=60)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9), lambda inner: (
    st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(["houses", "games", "entries", "seats", "phones", "uid", "name", "number"]), inner, max_size=5)
), max_leaves=20))  # fmt: skip
def test_nothing_at_all_breaks_the_reader(value: Any) -> None:
    for content in (value, {**GOOD, "houses": value}, {**GOOD, "houses": [{"games": [value]}]}):
        try:
            houses = document.read(json.dumps(content).encode())
        except BadDocument:
            continue
        for house in houses:
            assert house.nights == ()


# --- the commands ----------------------------------------------------------------------------------------------------


def run(app: Flask, *arguments: str) -> Result:
    env = {
        "COMPANION_INSTANCE_PATH": app.instance_path,
        "COMPANION_SQLALCHEMY_DATABASE_URI": app.config["SQLALCHEMY_DATABASE_URI"],
    }
    return CliRunner().invoke(companion, arguments, env=env)


def test_the_commands_carry_everything(app: Flask, make_app: MakeApp, tmp_path: Path, played: list[e.Event]) -> None:
    bring(app, night_to_import(played), random_night_to_import(7, 50, 1))
    there, file, again = make_app(), tmp_path / "all.json", tmp_path / "again.json"
    out = run(app, "export", str(file))
    assert out.exit_code == 0 and "2 games" in out.output and "Every game replays" in out.output
    assert file.stat().st_mode & 0o777 == 0o600
    came = run(there, "import", str(file))
    assert came.exit_code == 0 and "2 games added" in came.output and "Here now: 2 games" in came.output
    assert run(there, "check").exit_code == 0
    assert run(there, "export", str(again)).exit_code == 0
    assert again.read_bytes() == file.read_bytes()
    twice = run(there, "import", str(file))
    assert twice.exit_code == 0 and "2 games there already" in twice.output and "added" not in twice.output


def test_the_commands_say_what_is_wrong(app: Flask, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.write_text("mine")
    assert "is there already" in str(run(app, "export", str(mine)).exception)
    assert "can't be written" in str(run(app, "export", str(tmp_path / "no" / "such")).exception)
    assert "nothing was changed" in str(run(app, "import", str(mine)).exception)
    assert "can't be read" in str(run(app, "import", str(tmp_path / "nothing")).exception)
    assert mine.read_text() == "mine"


def test_a_record_that_was_tampered_with_is_written_and_said(app: Flask, tmp_path: Path, played: list[e.Event]) -> None:
    bring(app, night_to_import(played))
    with app.app_context(), writing() as session:
        session.execute(text("DROP TRIGGER entry_no_update"))
        session.execute(text("UPDATE entry SET kind = 'undone', data = '{\"v\": 1, \"entry\": 9}' WHERE seq = 2"))
    out = run(app, "export", str(tmp_path / "all.json"))
    assert out.exit_code == 1 and "night 1, entry 2: no_sense" in out.output and (tmp_path / "all.json").exists()
    assert "nothing was changed" in str(run(app, "import", str(tmp_path / "all.json")).exception)


def test_an_empty_house_is_exported_too(app: Flask, tmp_path: Path) -> None:
    assert run(app, "export", str(tmp_path / "all.json")).exit_code == 0
    assert run(app, "import", str(tmp_path / "all.json")).exit_code == 0


def test_a_night_from_peru_and_a_late_joiner_come_through(app: Flask) -> None:
    peru = night(3, PERU).score(0).entries
    joined = night(3).score(0).do(c.JoinSeat(3)).undo().entries
    assert bring(app, night_to_import(peru, 1), night_to_import(joined, 2)) == ["added", "added"]
    assert maintenance_is_quiet(app)


def maintenance_is_quiet(app: Flask) -> bool:
    with app.app_context():
        return maintenance.check() == []


def test_the_rules_are_pinned_and_the_times_are_exact(app: Flask) -> None:
    rules = KATE.replace(max_wilds=2)
    bring(
        app,
        replace(
            night_to_import(night(3, rules).entries),
            created_at=EVENING + timedelta(microseconds=1),
            phones=(Phone("ipad"),) * 3,
        ),
    )
    (house,) = document.read(exported(app))
    assert house.nights[0].created_at.microsecond == 123457
    assert house.nights[0].events[0] == e.GameStarted(rules, (0, 1, 2), 0)
