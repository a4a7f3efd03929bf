"""The sheet for spreadsheets, and one truth: record, score sheet, CSV and JSON say the same of every night."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from urllib.parse import unquote

import pytest
from flask import Flask
from hypothesis import HealthCheck, Phase, given
from hypothesis import strategies as st

from companion import record
from companion.analysis import results
from companion.exporting import bgstats, document, spreadsheet
from companion.exporting.files import name_for_a_file
from companion.names import clean_name, name_problems
from companion.record import exporting, finished, importing
from companion.record.exporting import ExportedHouse, Night
from companion.referee import commands as c
from companion.referee import history
from companion.referee.games import KATE, PERU
from companion.referee.standings import places, totals
from tests.exported import bring, night_to_import
from tests.referee.nights import night, one_step
from tests.thorough import thorough
from tests.web import LONG_NAMES, play, score, start

Row = dict[str, str]


def rows(data: bytes, delimiter: str = ",") -> list[Row]:
    assert data.startswith(b"\xef\xbb\xbf") and data.endswith(b"\r\n")
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=delimiter))


def sheet_of(app: Flask, *told: Night, language: str = "en", only: str | None = None) -> bytes:
    with app.test_request_context(headers={"Accept-Language": language}):
        return spreadsheet.write(spreadsheet.lines((ExportedHouse(told),), only))


def test_a_line_for_every_hand_and_player(app: Flask) -> None:
    told = night_to_import(
        night(4).do(c.Buy(1, 2)).score(0, p1=45, p2=20).score(None).do(c.SitOut(3, 1)).score(2).entries, seats=4
    )
    lines = rows(sheet_of(app, told))
    assert list(lines[0]) == [
        "night", "date", "rules", "hand", "contract", "name", "points", "out", "floated", "buys", "brought along", "total", "place",
    ]  # fmt: skip
    assert [row["night"] + row["date"] for row in lines] == ["12026-11-03"] * 12
    assert [(row["hand"], row["points"], row["out"], row["buys"], row["total"], row["place"]) for row in lines] == [
        ("1", "0", "1", "0", "0", "1"), ("1", "45", "0", "0", "45", "4"),
        ("1", "20", "0", "1", "20", "3"), ("1", "10", "0", "0", "10", "2"),
        ("2", "10", "0", "0", "10", "1"), ("2", "10", "0", "0", "55", "4"),
        ("2", "10", "0", "0", "30", "3"), ("2", "10", "0", "0", "20", "2"),
        ("3", "10", "0", "0", "20", "1"), ("3", "", "", "", "55", "4"), ("3", "0", "1", "0", "30", "2"), ("3", "10", "0", "0", "30", "2"),
    ]  # fmt: skip


def test_names_stay_names_and_are_no_formulas(app: Flask) -> None:
    nasty = ("=1+1", "+A", "-1", "@SUM(A1)", 'a "quoted", name; with | all', "אברהם", "👩‍👩‍👧", "\uff1d2")
    told = night_to_import(night(8).score(0).entries, seats=8)
    lines = rows(sheet_of(app, Night(told.uid, told.created_at, dict(enumerate(nasty)), told.entries)))
    assert [row["name"] for row in lines] == ["'=1+1", "'+A", "'-1", "'@SUM(A1)", *nasty[4:7], "'\uff1d2"]


@thorough(20, in_ci=80, suppress_health_check=list(HealthCheck))
@given(
    name=st.text(min_size=1, max_size=14).map(clean_name).filter(lambda name: not name_problems([name])),
    language=st.sampled_from(["en", "pt"]),
)
def test_any_name_comes_back_from_the_sheet(app: Flask, name: str, language: str) -> None:
    told = replace(night_to_import(night(3).score(0).entries, seats=3), names={0: name, 1: "Bea", 2: "Carl"})
    raw = sheet_of(app, told, language=language)
    lines = list(
        csv.reader(io.StringIO(raw.decode("utf-8-sig"), newline=""), delimiter="," if language == "en" else ";")
    )
    assert len(lines) == 4 and {len(row) for row in lines} == {13}
    cell = lines[1][5]
    assert cell.removeprefix("'") == name.removeprefix("'") and cell[0] not in "=+-@\t\r"


def test_texts_are_quoted_and_numbers_are_not(app: Flask) -> None:
    line = sheet_of(app, night_to_import(night(3).score(0).entries)).decode().splitlines()[1]
    assert line.startswith('1,"2026-11-03","') and line.endswith(",0,1,0,0,0,0,1")


def test_in_portuguese_cells_are_parted_as_its_spreadsheets_expect(app: Flask) -> None:
    lines = rows(sheet_of(app, night_to_import(night(3).score(0).entries), language="pt"), ";")
    assert {"data", "nome", "pontos", "total"} <= set(lines[0])


def test_a_late_joiner_and_a_leaver(app: Flask) -> None:
    going = night(4).score(0, p1=45).do(c.JoinSeat(4)).score(0).do(c.LeaveSeat(2)).score(0)
    lines = rows(sheet_of(app, night_to_import(going.entries)))
    new = [row for row in lines if row["name"] == LONG_NAMES[4]]
    assert [(row["hand"], row["brought along"], row["total"]) for row in new] == [("2", "45", "55"), ("3", "45", "65")]
    assert [row["hand"] for row in lines if row["name"] == LONG_NAMES[2]] == ["1", "2"]


def test_peru_and_an_unfinished_night(app: Flask) -> None:
    assert len(rows(sheet_of(app, night_to_import(night(2, PERU).score(0).entries)))) == 2
    assert rows(sheet_of(app, night_to_import(night(3).entries))) == []


def test_one_persons_lines(app: Flask) -> None:
    lines = rows(sheet_of(app, night_to_import(night(3).score(0).score(1).entries), only=LONG_NAMES[1]))
    assert [(row["hand"], row["points"]) for row in lines] == [("1", "10"), ("2", "0")]


@thorough(8, in_ci=30, phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6), steps=st.integers(5, 60))
def test_every_correction_and_undo_changes_every_export_alike(
    make_app: Callable[..., Flask], seed: int, steps: int
) -> None:
    rng, app = Random(seed), make_app()
    going = night(rng.randint(3, 5))
    for _ in range(6):
        for _ in range(steps // 6 + 1):
            one_step(rng, going)
        _one_truth(app, going.entries)
    with app.app_context():
        importing.bring_in((ExportedHouse((night_to_import(going.entries, seats=_seats(going.entries)),)),))
        (house,) = exporting.everything()
        view = record.load(house.nights[0].code)
        assert view and view.state == going.state
        assert _told(app, house.nights[0]) == _slowly(going.entries)


def _seats(entries: list) -> set[int]:
    return {seat for event in entries for seat in (getattr(event, "seat", 0), *getattr(event, "seats", ()))}


def _one_truth(app: Flask, entries: list) -> None:
    told = night_to_import(entries, seats=_seats(entries))
    (again,) = document.read(document.write((ExportedHouse((told,)),)))
    assert _told(app, told) == _told(app, again.nights[0]) == _slowly(entries)


def _told(app: Flask, told: Night) -> list[tuple]:
    """What the sheet says: hand, name, points, total, place."""
    names = {name: seat for seat, name in told.names.items()}
    safe = {spreadsheet.safe(name): seat for name, seat in names.items()}
    return [
        (int(row["hand"]), safe[row["name"]], row["points"], row["total"], row["place"])
        for row in rows(sheet_of(app, told))
    ]


def _slowly(entries: list) -> list[tuple]:
    """The same from the referee's own totals, by playing the night up to each hand with the scores as they stand now."""
    state, events = history.replay(entries).state, history.effective(entries)
    expected = []
    for standing in results.after_each_hand(state, events)[1:]:
        mark = state.score_of(standing.hand)
        assert mark
        summed = {
            seat: state.carried.get(seat, 0)
            + sum(score.points.get(seat, 0) for score in state.scores if score.number <= mark.number)
            for seat in standing.totals
        }
        here = {seat: total for seat, total in summed.items() if seat in standing.places}
        placed = places(here)
        for seat in state.seats:
            if seat in mark.points or seat in here:
                points = str(mark.points[seat]) if seat in mark.points else ""
                expected.append((mark.number, seat, points, str(summed[seat]), str(placed.get(seat, ""))))
    if state.scores and state.phase.value == "finished":
        assert {row[1]: int(row[3]) for row in expected if row[0] == state.scores[-1].number}.items() <= totals(
            state
        ).items()
    return expected


# --- Board Game Stats ------------------------------------------------------------------------------------------------


def test_a_finished_night_as_a_play(app: Flask, client) -> None:
    code = start(app, client, ("Ana & Bea", "אברהם", "=1+1"), dealer=1)
    play(app, code, score(1, 0, 0, 45, 45))
    assert "createPlay" not in client.get(f"/g/{code}/recap").text
    play(app, code, c.CloseGame())
    page = client.get(f"/g/{code}/recap").text
    with app.test_request_context():
        view = record.load(code)
        assert view
        uid, ended = finished.identity(code)
        link = bgstats.link(view, finished.events_in_force(code), uid, ended)
    assert link.replace("&", "&amp;") in page and link.isascii()
    told = json.loads(unquote(link.removeprefix(bgstats.ADDRESS)))
    assert (told["sourceName"], told["sourcePlayId"]) == ("Gripe Companion", uid)
    assert told["playDate"] == ended.strftime("%Y-%m-%d %H:%M:%S")
    assert told["game"] == {"name": "Gripe", "sourceGameId": "gripe", "highestWins": False, "noPoints": False}
    assert [(player["name"], player["score"], player["rank"], player["winner"], player["startPlayer"]) for player in told["players"]] == [
        ("Ana & Bea", 0, 1, True, False), ("אברהם", 45, 2, False, False), ("=1+1", 45, 2, False, True),
    ]  # fmt: skip
    assert len({player["sourcePlayerId"] for player in told["players"]}) == 3


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ana", "Ana"),
        ("../../etc/passwd", "etc-passwd"),
        ('a"b\r\nc', "a-b-c"),
        ("👩‍👩‍👧", "👩-👩-👧"),
        ("\u202eexe.txt", "exe-txt"),
        ("", ""),
        ("x" * 99, "x" * 60),
    ],  # fmt: skip
)
def test_file_names_are_safe(text: str, name: str) -> None:
    assert name_for_a_file(text) == name


def test_the_rules_of_the_table_are_named(app: Flask) -> None:
    (first, *_more) = rows(sheet_of(app, night_to_import(night(3, KATE).score(0).entries)))
    assert first["rules"] and first["contract"] == "two sets of three"
    assert bring(app, night_to_import(night(3).entries)) == ["added"]
