"""A night that was saved as a sheet for spreadsheets comes in from it again as it was, in every language."""

from __future__ import annotations

from datetime import UTC, date
from random import Random

import pytest
from flask import Flask
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from companion.exporting import spreadsheet
from companion.exporting.old_nights import Paper, read
from companion.names import clean_name, name_problems
from companion.record.exporting import ExportedHouse, Night
from companion.referee import commands as c
from companion.referee import history
from companion.referee.games import EHOW, GREBBER, KATE, LIVERPOOL, PERU
from companion.wording.old_nights import sheet_words
from tests.exported import night_to_import
from tests.referee.nights import night, one_step
from tests.thorough import thorough

LANGUAGES = ("en", "pt")


def come_back(app: Flask, *told: Night, language: str = "en", only: str | None = None) -> Paper:
    with app.test_request_context(headers={"Accept-Language": language}):
        data = spreadsheet.write(spreadsheet.lines((ExportedHouse(told),), only))
        return read(data.decode("utf-8-sig"), sheet_words(LANGUAGES), today=date(2027, 11, 30), zone=UTC)


def told(app: Flask, *nights: Night) -> list[tuple]:
    """All that a sheet tells of nights."""
    with app.test_request_context(headers={"Accept-Language": "en"}):
        return list(spreadsheet.lines((ExportedHouse(nights),)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "going",
    [
        night(4).do(c.Buy(1, 2)).score(0, p1=45, p2=20).score(None).do(c.SitOut(3, 1)).score(2),
        night(4).score(0, p1=45).do(c.JoinSeat(4)).score(0).do(c.LeaveSeat(2)).score(0),
        night(3, EHOW).score(1).score(2),
        night(3, PERU).score(1, p0=25).do(c.Buy(2, 0)).score(2),
        night(3, LIVERPOOL).score(1),
        night(3, KATE, first_hand=4, carried=(120, 0, 85)).score(0).score(2),
        night(7).score(0).score(3),
    ],
    ids=["buys", "joins", "ehow", "peru", "liverpool", "carried", "seven"],
)  # fmt: skip
def test_a_night_comes_back(app: Flask, going, language: str) -> None:
    before = night_to_import(going.entries, seats={*going.state.seats})
    paper = come_back(app, before, language=language)
    assert (paper.faults, paper.questions, paper.doubts) == ([], [], [])
    (after,) = paper.nights
    assert told(app, after) == told(app, before)


def test_many_nights_come_back_and_another_game_is_refused(app: Flask) -> None:
    nights = [night_to_import(night(3 + n).score(n).score(0).entries, n, seats=3 + n) for n in range(3)]
    grebber = night_to_import(night(3, GREBBER).entries, 4, seats=3)
    paper = come_back(app, *nights, grebber)
    assert told(app, *paper.nights) == told(app, *nights) and not paper.questions


def test_the_lines_of_one_person_are_no_night(app: Flask) -> None:
    paper = come_back(app, night_to_import(night(3).score(0).entries, seats=3), only="Ana")
    assert not paper.nights


@thorough(25, in_ci=120, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6), steps=st.integers(5, 80), language=st.sampled_from(LANGUAGES))
def test_any_night_comes_back(app: Flask, seed: int, steps: int, language: str) -> None:
    rng, going = Random(seed), night(3 + seed % 4)
    for _ in range(steps):
        one_step(rng, going)
    events = history.effective(going.entries)
    state = history.fold(events)
    if not state.scores:
        return
    before = night_to_import(going.entries, seats={*state.seats})
    paper = come_back(app, before, language=language)
    assert (paper.faults, paper.questions) == ([], [])
    assert told(app, *paper.nights) == told(app, before)


@thorough(25, in_ci=120, suppress_health_check=list(HealthCheck))
@given(
    name=st.text(min_size=1, max_size=14).map(clean_name).filter(lambda name: not name_problems([name])),
    language=st.sampled_from(LANGUAGES),
)
def test_any_name_comes_back(app: Flask, name: str, language: str) -> None:
    going = night(3).score(0)
    one = night_to_import(going.entries, seats=3)
    before = Night(one.uid, one.created_at, {0: name, 1: "Bea Q", 2: "Carl Q"}, one.entries)
    if name.startswith("'") and spreadsheet.safe(name[1:]) != name[1:]:
        return  # such a name is written as one that is a formula
    (after,) = come_back(app, before, language=language).nights
    assert after.names[0] == name
