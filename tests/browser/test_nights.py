"""The nights before on a phone: searched, counted, a person renamed, merged, forgotten; small, dark, both languages."""

from __future__ import annotations

import re
from random import Random

import pytest
from sqlalchemy import func, select

from companion import record
from companion.db import db
from companion.models import Device
from companion.referee.commands import Buy, CloseGame, StartGame
from companion.referee.games import KATE, PERU
from tests.browser.axe import assert_accessible
from tests.browser.conftest import PHONE, SMALL
from tests.web import LONG_NAMES, play, score, start

FOUR = ("Ana", "Beatriz", "Carl", "Zoë")
PAGES = (
    "/nights",
    "/nights?q=2",
    "/nights?from=2020-01-01&until=2099-12-31&state=ended",
    "/statistics",
    "/people",
    "/people/1",
)


def sideways(page) -> int:
    """How many pixels the page scrolls sideways."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


@pytest.fixture
def years(live):
    """`years(page, names)`: some nights of the page's phone: whole, tied, ended early, going on, and one of another game."""

    def make(page, names=FOUR):
        app, luck = live.app, Random(5)
        play(app, start(app, page, names), score(1, 0, *(5 * seat for seat in range(len(names)))))
        with app.app_context():
            device = db.session.execute(select(func.max(Device.id))).scalar_one()
        for night in range(6):
            with app.app_context():
                rules = PERU if night == 5 else KATE
                command = StartGame(rules, tuple(range(len(names))), 0, 9 if night < 4 else 1)
                code = record.start_game(command, names, token=f"{night}", device=device).code
            for hand in (9, 10) if night < 4 else (1,):
                out = luck.randrange(len(names))
                points = [0 if seat == out else 5 * luck.randrange(1, 30) for seat in range(len(names))]
                play(app, code, Buy(hand, 0), score(hand, out, *points))
            if night >= 4:
                play(app, code, CloseGame())

    return make


def test_from_home_to_the_nights_behind_a_number(phone, years):
    page = phone()
    years(page)
    page.goto("/")
    page.get_by_role("link", name="Statistics").tap()
    row = page.locator(".numbers").first.locator("tbody tr").first
    won = row.locator("td").nth(1).inner_text()
    row.locator("td a").nth(1).tap()
    page.wait_for_url("**/nights?**")
    assert page.locator("h1").inner_text().startswith("Nights won by ")
    assert page.locator(".night-main").count() == int(won)
    page.locator(".night-main").first.tap()
    page.wait_for_url("**/recap")
    page.go_back()
    page.get_by_role("link", name=re.compile("^History")).first.tap()
    page.wait_for_url("**/history")


def test_a_wrong_score_of_a_finished_night_is_put_right_and_counts(live, phone):
    page = phone()
    code = start(live.app, page, FOUR)
    play(live.app, code, score(1, 0, 0, 20, 30, 40), CloseGame())
    page.goto("/nights")
    assert page.get_by_text("Ana won with 0 points").is_visible()
    page.get_by_role("link", name=re.compile("^Scores")).tap()
    page.locator("a.hand-link").tap()
    page.locator("#points-1").fill("")
    page.locator(".outs label").nth(1).tap()
    page.locator("#points-0").fill("45")
    page.get_by_role("button", name="See the new totals").tap()
    page.get_by_role("button", name="Save the correction").tap()
    page.wait_for_url("**/scores")
    page.goto("/nights")
    assert page.get_by_text("Beatriz won with 0 points").is_visible()
    page.get_by_role("link", name=re.compile("^History")).tap()
    page.locator(".history-act").first.tap()
    page.locator("#redo").wait_for()
    page.goto("/nights")
    assert page.get_by_text("Ana won with 0 points").is_visible()


def test_searching_and_choosing(phone, years):
    page = phone(size=SMALL)
    years(page)
    page.goto("/nights")
    assert page.locator(".night-main").count() == 7
    page.get_by_label("Search").fill("zoe")
    page.get_by_role("button", name="Search").tap()
    page.wait_for_url("**q=zoe**")
    assert page.locator(".night-main").count() == 7
    page.get_by_text("Choose people, days").tap()
    page.get_by_label("How they ended").select_option("early")
    page.get_by_role("checkbox", name="Ana").check()
    page.get_by_role("button", name="Show these nights").tap()
    page.wait_for_url("**state=early**")
    assert page.locator(".night-main").count() == 2
    assert "with Ana" in page.locator("summary small").inner_text()
    page.get_by_text("Choose people, days").tap()
    page.get_by_role("link", name="Last year").tap()
    page.get_by_text("No night is like that.").wait_for()


def test_a_day_that_is_none_is_said_and_kept(phone, years):
    page = phone()
    years(page)
    page.expected(422)
    page.goto("/statistics?from=31.3.2026")
    assert page.get_by_text("This is no day.").is_visible()
    assert page.get_by_label("From the day").input_value() == "31.3.2026"


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "none"])
def test_a_person_is_renamed_merged_taken_back_and_forgotten(live, phone, years, scripts):
    page = phone(scripts=scripts)
    visitor = phone()
    years(visitor)
    page.context.add_cookies(visitor.context.cookies())
    with live.app.app_context():
        device = db.session.execute(select(func.max(Device.id))).scalar_one()
        code = record.start_game(
            StartGame(KATE, (0, 1, 2), 0, 10), ("Anna", "Beatriz", "Carl"), token="x", device=device
        ).code
    play(live.app, code, score(10, 0, 0, 5, 10))

    page.goto("/people")
    page.get_by_role("link", name="Anna").tap()
    page.get_by_text("The same as somebody else").tap()
    page.get_by_label("Same person as").select_option(label="Zoë")
    page.get_by_role("button", name="They are one person").tap()
    page.locator("h1 bdi", has_text="Zoë").wait_for()
    page.get_by_role("button", name="Take back").tap()
    page.get_by_text("Taken back.", exact=True).wait_for()
    page.goto("/people")
    page.get_by_role("link", name="Anna").tap()

    page.get_by_text("Another name").tap()
    page.get_by_label("Name", exact=True).fill("Ana")
    page.expected(422)
    page.get_by_role("button", name="Save the name").tap()
    page.get_by_text("is the name of somebody else here").wait_for()
    page.get_by_label("Name", exact=True).fill("Annika")
    page.get_by_role("button", name="Save the name").tap()
    page.locator("h1 bdi", has_text="Annika").wait_for()

    page.get_by_text("Forget this person").tap()
    page.get_by_role("button", name="Take the name away").tap()
    page.locator("h1 bdi", has_text="Somebody 1").wait_for()
    page.goto("/nights")
    assert page.get_by_text("Somebody 1 won").is_visible()
    assert "Anna" not in page.content() and "Annika" not in page.content()


@pytest.mark.parametrize("language", ["en", "pt"])
@pytest.mark.parametrize("names", [FOUR, LONG_NAMES], ids=["four", "eight"])
@pytest.mark.parametrize("size", [SMALL, PHONE], ids=["small", "phone"])
def test_nothing_scrolls_sideways_and_targets_are_big(phone, years, size, names, language):
    page = phone(size=size, language=language)
    years(page, names)
    for path in PAGES:
        page.goto(path)
        for closed in page.locator("details").all():
            closed.locator("summary").first.tap()
        assert sideways(page) == 0, path
        small = page.evaluate(
            """[...document.querySelectorAll("main button, main a, main summary, main input, main select, main .choices label")]
               .filter(e => e.type !== "checkbox")
               .map(e => [e.textContent.trim(), e.getBoundingClientRect()])
               .filter(([, r]) => r.width > 0 && (r.height < 43.5 || r.width < 43.5))
               .map(([name, r]) => `${name} ${r.width}×${r.height}`)"""
        )
        assert small == [], path


def test_the_names_stay_in_sight_while_the_numbers_scroll(phone, years):
    page = phone(size=SMALL)
    years(page, LONG_NAMES)
    page.goto("/statistics")
    box = page.locator(".numbers-box").first
    assert box.evaluate("box => box.scrollWidth > box.clientWidth")
    box.evaluate("box => { box.scrollLeft = 9999 }")
    name = box.locator("tbody th").first.bounding_box()
    assert name["x"] >= 0 and name["width"] >= 100
    number = box.locator("tbody tr").first.locator("td").last.bounding_box()
    assert name["x"] + name["width"] <= number["x"] and number["x"] + number["width"] <= 321


def test_text_at_twice_the_size_still_fits(phone, years):
    page = phone(size=SMALL)
    years(page, LONG_NAMES)
    for path in PAGES:
        page.goto(path)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert sideways(page) == 0, path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_axe_finds_nothing(phone, years, language, scheme):
    page = phone(size=SMALL, language=language, scheme=scheme, bypass_csp=True)
    years(page, LONG_NAMES)
    page.expected(422)
    for path in (*PAGES, "/nights?of=won-1", "/nights?from=x&sheet=y&state=z", "/statistics?from=x"):
        page.goto(path)
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
        assert_accessible(page)
