"""The history on a phone: undo and redo in place, the phone's own clock, nothing sideways, and without scripts."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest

from companion import record
from companion.referee.commands import Buy, Float, GoDownWithoutCards
from tests.browser.axe import assert_accessible
from tests.browser.conftest import PHONE, SMALL
from tests.web import LONG_NAMES, NAMES, play, score, start, three_sets


def sideways(page) -> int:
    """How many pixels the page scrolls sideways."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def night(live, page, names=NAMES):
    """A game in its second hand."""
    code = start(live.app, page, names)
    play(live.app, code, Buy(1, 0), three_sets(), GoDownWithoutCards(1, 2), Float(1, 2))
    play(live.app, code, score(1, 1, 45, 0, 0, *[20] * (len(names) - 3)), Buy(2, 1))
    return code


def state(live, code):
    with live.app.app_context():
        return record.load(code).state


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_undo_across_a_hand_end_and_redo(live, phone, scripts):
    page = phone(scripts=scripts)
    code = night(live, page)
    after = state(live, code)
    page.goto(f"/g/{code}/history")
    page.get_by_role("button", name="Undo: Bea bought a card (1 of 3).").tap()
    page.get_by_role("button", name="Undo: Hand 1: Bea went out. Ana 45, Bea 0, Carl 0.").tap()
    page.get_by_role("button", name="Undo: Carl floats.").wait_for()
    assert state(live, code).hand.number == 1
    assert state(live, code).hand.floating == {2}
    page.get_by_role("button", name="Redo: Hand 1").tap()
    page.get_by_role("button", name="Redo: Bea bought").tap()
    page.get_by_role("button", name="Undo: Bea bought a card (1 of 3).").wait_for()
    assert state(live, code) == after


def test_what_another_phone_did_meanwhile_is_not_undone_unseen(live, phone):
    page = phone(scripts=False)  # one that does not follow by itself
    page.expected(409)
    code = night(live, page)
    page.goto(f"/g/{code}/history")
    play(live.app, code, Buy(2, 2))
    page.locator("#undo").tap()
    page.get_by_text("Somebody was quicker").wait_for()
    assert "Carl bought a card" in page.locator("#refused").inner_text()
    page.get_by_role("button", name="Undo: Carl bought a card (1 of 3).").wait_for()
    assert state(live, code).buys_used(2) == 1


def test_clocks_show_the_phones_own_time(live, phone):
    page = phone(timezone_id="Asia/Kathmandu")
    code = night(live, page)
    page.goto(f"/g/{code}/history")
    time = page.locator("time").first
    there = datetime.fromisoformat(time.get_attribute("datetime")) + timedelta(hours=5, minutes=45)
    assert time.inner_text() == there.strftime("%H:%M")


def test_what_another_phone_enters_appears_with_its_clock_and_folds_nothing(live, phone):
    page = phone(timezone_id="Asia/Kathmandu")
    code = night(live, page)
    page.goto(f"/g/{code}/history")
    page.locator("summary").last.tap()
    kept = page.locator("details").last.evaluate("details => details.open")
    play(live.app, code, Buy(2, 2))
    page.get_by_role("button", name="Undo: Carl bought a card (1 of 3).").wait_for()
    assert page.locator("details").last.evaluate("details => details.open") == kept
    time = page.locator("time").first
    there = datetime.fromisoformat(time.get_attribute("datetime")) + timedelta(hours=5, minutes=45)
    assert time.inner_text() == there.strftime("%H:%M")


def test_without_scripts_clocks_are_the_tables(live, phone):
    page = phone(scripts=False, timezone_id="Asia/Kathmandu")
    code = night(live, page)
    page.goto(f"/g/{code}/history")
    time = page.locator("time").first
    here = datetime.fromisoformat(time.get_attribute("datetime")).astimezone()
    assert time.inner_text() == here.strftime("%H:%M")


@pytest.mark.parametrize("names", [NAMES, LONG_NAMES], ids=["three", "eight"])
@pytest.mark.parametrize("size", [SMALL, PHONE], ids=["small", "phone"])
def test_nothing_scrolls_sideways_and_targets_are_big(live, phone, names, size):
    page = phone(size=size)
    code = night(live, page, names)
    page.goto(f"/g/{code}/history")
    page.locator("#undo").tap()
    page.locator("#redo").wait_for()
    assert sideways(page) == 0
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert sideways(page) == 0
    for target in page.locator("main button, main summary").all():
        assert target.bounding_box()["height"] >= 47.5
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert sideways(page) == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_axe_finds_nothing(live, phone, language, scheme):
    page = phone(language=language, scheme=scheme, bypass_csp=True)
    code = night(live, page, LONG_NAMES)
    page.goto(f"/g/{code}/history")
    page.locator("#undo").tap()
    page.locator("#redo").wait_for()
    assert re.search(r"\d", page.locator(".entry-gone b").first.inner_text())
    assert_accessible(page)
