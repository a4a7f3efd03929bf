"""Players and the end of the night on a real phone: by touch, by keyboard, without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from companion.referee.commands import Buy, CloseGame, GoDownWithoutCards, LeaveSeat
from tests.browser.axe import assert_accessible
from tests.browser.conftest import SMALL
from tests.browser.touch import Cookies, drag, scrolls_sideways, too_small
from tests.web import LONG_NAMES, play, score, start

FOUR = ("Ana", "Bea", "Carl", "Dan")


def seated(page: Page, *names: str) -> None:
    """The table is listed in this order."""
    expect(page.locator(".seated .seat-name")).to_have_text([re.compile(rf"^{name}") for name in names])


def unfold(page: Page, name: str) -> None:
    page.locator(".seated summary", has_text=name).first.tap()


# --- players ---------------------------------------------------------------------------------------------------------


def test_a_player_is_dragged_to_another_seat(live, phone):
    page = phone()
    code = start(live.app, page, FOUR)
    page.goto(f"/g/{code}/players")
    grips = page.locator("[data-grip]")
    drag(page, grips.nth(0), grips.nth(3))
    expect(page.locator(".notice")).to_have_text(re.compile("New seats, clockwise: Bea, Carl, Dan,? and Ana."))
    seated(page, "Bea", "Carl", "Dan", "Ana")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_player_is_moved_with_a_button(live, phone, scripts):
    page = phone(scripts=scripts)
    code = start(live.app, Cookies(page, live.url), FOUR)
    page.goto(f"/g/{code}/players")
    page.get_by_role("button", name="Move up: Carl").focus()
    page.keyboard.press("Enter")
    seated(page, "Ana", "Carl", "Bea", "Dan")


@pytest.mark.parametrize("scripts", [True, False])
def test_the_hand_changes_hands_and_somebody_sits_out(live, phone, scripts):
    page = phone(scripts=scripts)
    code = start(live.app, Cookies(page, live.url), FOUR)
    page.goto(f"/g/{code}/players")
    unfold(page, "Carl")
    page.get_by_role("button", name="Deals this hand").tap()
    expect(page.locator(".notice")).to_have_text("Carl deals hand 1.")
    unfold(page, "Dan")
    page.get_by_role("button", name="Sits this hand out").tap()
    expect(page.locator(".notice")).to_have_text("Dan sits hand 1 out.")


def test_leaving_asks_first_and_coming_back_is_one_tap(live, phone):
    page = phone()
    code = start(live.app, page, FOUR)
    play(live.app, code, score(1, 0, 0, 25, 40, 10))
    page.goto(f"/g/{code}/players")
    unfold(page, "Carl")
    expect(page.get_by_role("button", name="Carl leaves")).to_be_hidden()
    page.get_by_text("Leaves the table …").locator("visible=true").tap()
    expect(page.get_by_text("Carl keeps 40 points on the sheet")).to_be_visible()
    page.get_by_role("button", name="Carl leaves").tap()
    seated(page, "Ana", "Bea", "Dan")
    page.get_by_role("button", name="Carl is back").tap()
    seated(page, "Ana", "Bea", "Carl", "Dan")


def test_somebody_joins_with_the_keyboard_alone(live, phone):
    page = phone()
    page.expected(422)
    code = start(live.app, page)
    play(live.app, code, score(1, 0, 0, 25, 40))
    page.goto(f"/g/{code}/players")
    page.get_by_label("Name").focus()
    page.keyboard.type("ANA")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Name")).to_have_accessible_description(re.compile("looks the same"))
    page.get_by_label("Name").fill("Eve")
    page.get_by_label("Sits").select_option("after Ana")
    page.get_by_label("Name").press("Enter")
    expect(page.locator(".notice")).to_have_text("Eve joined and starts with 40 points.")
    seated(page, "Ana", "Eve", "Bea", "Carl")


def test_two_phones_a_late_tap_is_explained(live, phone):
    page = phone()
    page.expected(409)
    code = start(live.app, page, FOUR)
    page.goto(f"/g/{code}/players")
    play(live.app, code, LeaveSeat(2))
    page.get_by_role("button", name="Move up: Bea").tap()
    expect(page.get_by_role("alert")).to_contain_text("Carl left the table.")
    seated(page, "Ana", "Bea", "Dan")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_players_and_end_on_the_smallest_phone_with_the_longest_names(live, phone, scheme, language):
    page = phone(size=SMALL, scheme=scheme, language=language, bypass_csp=True)
    code = start(live.app, page, LONG_NAMES)
    play(live.app, code, score(1, 5, 5, 10, 15, 20, 25, 0, 30, 35), Buy(2, 1), GoDownWithoutCards(2, 3))
    page.goto(f"/g/{code}/players")
    for summary in page.locator(".seat-here > details > summary").all():
        summary.tap()
    _looks_good(page)
    for commands in ([], [LeaveSeat(0)], [CloseGame()]):
        play(live.app, code, *commands)
        for address in ("end", "players"):
            page.goto(f"/g/{code}/{address}")
            for summary in page.locator("main > details > summary").all():
                summary.tap()
            _looks_good(page)


def _looks_good(page: Page) -> None:
    assert not scrolls_sideways(page), page.url
    assert too_small(page) == [], page.url
    assert_accessible(page)


def test_at_twice_the_text_size_nothing_sticks_out(live, phone):
    page = phone(size=SMALL)
    code = start(live.app, page, LONG_NAMES)
    play(live.app, code, score(1, 5, 5, 10, 15, 20, 25, 0, 30, 35), LeaveSeat(0))
    for address in ("/", f"/new?again={code}", f"/g/{code}/players", f"/g/{code}/end"):
        page.goto(address)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        for summary in page.locator("main details > summary").all():
            if summary.is_visible():
                summary.tap()
        assert not scrolls_sideways(page), address
        for field in page.locator("input[name=name]:visible, .seat-here summary").all():
            assert field.bounding_box()["width"] >= 140


def test_the_fixed_bar_hides_no_button(live, phone):
    page = phone(size=SMALL)
    code = start(live.app, page, FOUR)
    page.goto(f"/g/{code}/players")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    last = page.get_by_role("button", name="Joins the table").bounding_box()
    bar = page.locator(".tabs").bounding_box()
    assert last and bar
    assert last["y"] + last["height"] <= bar["y"]


# --- the end ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scripts", [True, False])
def test_the_night_ends_and_the_next_begins_with_the_same_people(live, phone, scripts):
    page = phone(scripts=scripts)
    code = start(live.app, Cookies(page, live.url), FOUR)
    play(live.app, code, score(1, 0, 0, 25, 40, 10))
    page.goto(f"/g/{code}/end")
    expect(page.get_by_role("heading", name="Ana leads")).to_be_visible()
    expect(page.get_by_role("button", name="End the night")).to_be_hidden()
    page.get_by_text("Enough for tonight").tap()
    page.get_by_role("button", name="End the night").tap()
    expect(page.get_by_role("heading", name="Ana wins")).to_be_visible()
    page.get_by_role("link", name="Again with the same people").tap()
    expect(page.get_by_role("textbox", name="Chair 4", exact=True)).to_have_value("Dan")
    page.get_by_role("button", name="Start").tap()
    expect(page).to_have_url(re.compile(r"/g/[\w-]+/$"))
    assert code not in page.url


def test_a_closed_night_is_played_on(live, phone):
    page = phone()
    code = start(live.app, page)
    play(live.app, code, score(1, 0, 0, 25, 40), CloseGame())
    page.goto(f"/g/{code}/end")
    page.get_by_role("button", name="Play on").tap()
    expect(page).to_have_url(re.compile(rf"/g/{code}/$"))


def test_the_last_hand_is_taken_back(live, phone):
    page = phone()
    code = start(live.app, page)
    play(live.app, code, *(score(hand, 0, 0, 25, 40) for hand in range(1, 11)))
    page.goto(f"/g/{code}/end")
    expect(page.get_by_role("heading", name="Ana wins")).to_be_visible()
    page.get_by_text("Play on after all").tap()
    expect(page.get_by_text("This takes the last entry back: Hand 10")).to_be_visible()
    page.get_by_role("button", name="Take it back").tap()
    expect(page).to_have_url(re.compile(rf"/g/{code}/$"))
    page.goto(f"/g/{code}/end")
    expect(page.get_by_role("heading", name="Ana leads")).to_be_visible()


def test_the_standings_read_as_a_table(live, phone):
    page = phone()
    code = start(live.app, page)
    play(live.app, code, score(1, 0, 0, 25, 25), CloseGame())
    page.goto(f"/g/{code}/end")
    rows = page.get_by_role("table", name="Standings").get_by_role("row")
    assert [row.inner_text().split() for row in rows.all()[1:]] == [
        ["1", "Ana", "0"],
        ["2", "Bea", "25"],
        ["2", "Carl", "25"],
    ]
