"""A night of ten hands on two phones: the connection, the language and the page are cut off in the middle of every kind of form."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import SMALL
from tests.browser.test_drafts import portuguese
from tests.browser.test_live import join, listening
from tests.browser.test_scores import points, scores
from tests.browser.test_whole_night import MELDS, PLAYERS, Table
from tests.web import play, score

BEA = 1


def english(page):
    page.locator(".languages").get_by_role("button", name="English").tap()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def cut_off(page):
    """The language there and back, a reload, and a moment without a connection."""
    portuguese(page)
    english(page)
    page.reload()
    page.context.set_offline(True)
    page.context.set_offline(False)


def test_a_night_on_two_phones(live, phone):
    here, there = phone(), phone(size=SMALL, scheme="dark")
    for page in (here, there):
        page.expected(409, 422)
    table = Table(here, live.app, PLAYERS)

    # New game: the names outlast it all, and Start makes one game.
    here.goto("/new")
    for chair, name in enumerate(PLAYERS):
        here.locator("input[name=name]").nth(chair).fill(name)
    cut_off(here)
    expect(here.locator("input[name=name]").nth(3)).to_have_value("Dora")
    here.get_by_label("Who deals first?").select_option("0")
    here.get_by_role("button", name="Start", exact=True).tap()
    table.at_hand(1)
    code = table.code
    there.goto("/referee")
    join(live, there, code)
    there.goto(f"/g/{code}/")
    listening(live, 2)

    # Going down, with one meld chosen.
    here.locator("#p1").get_by_role("link", name="Goes down").tap()
    table.choose(0, MELDS[1][0], None)
    cut_off(here)
    table.choose(1, MELDS[1][1], None)
    here.get_by_role("button", name="Lay them down").tap()
    table.is_down(BEA)
    expect(there.locator("#p1").get_by_role("link", name="Down")).to_be_visible()

    # A buy without a connection waits on the phone and lands once.
    there.context.set_offline(True)
    there.locator("#buy2").tap()
    expect(there.locator("#waiting li")).to_have_count(1)
    there.context.set_offline(False)
    expect(here.locator("#buy2")).to_have_attribute("aria-label", "Carl buys: 2 buys left")

    # The end of the hand: the other phone is told that it is being entered, and follows when it is saved.
    here.get_by_role("link", name="Hand over").tap()
    here.locator('label:has([name=out][value="1"])').tap()
    for seat, typed in ((0, "15+20+5"), (2, "25"), (3, "45")):
        points(here, seat).fill(typed)
    cut_off(here)
    expect(points(here, 0)).to_have_value("15+20+5")
    here.get_by_role("button", name="See the new totals").tap()
    here.locator("#save").wait_for()
    here.go_back()
    expect(points(here, 3)).to_have_value("45")
    here.get_by_role("button", name="See the new totals").tap()
    here.locator("#save").tap()
    table.at_hand(2)
    expect(there.locator(".top-title")).to_have_text("Hand 2 of 10")

    # A correction on the other phone, undone on this one with one tap.
    there.goto(f"/g/{code}/scores/1")
    points(there, 2).fill("30")
    cut_off(there)
    expect(points(there, 2)).to_have_value("30")
    there.get_by_role("button", name="See the new totals").tap()
    there.locator("#save").tap()
    expect(here.locator("#p2")).to_contain_text("30")
    assert scores(live, code)[0].points[2] == 30
    here.get_by_role("button", name=re.compile("^Undo")).tap()
    expect(here.locator("#p2")).to_contain_text("25")
    assert scores(live, code)[0].points[2] == 25

    # The rest of the night, and the next game from both phones at once: one game.
    there.goto(f"/g/{code}/")
    play(
        live.app,
        code,
        *(score(hand, hand % 4, *[0 if seat == hand % 4 else 20 for seat in range(4)]) for hand in range(2, 11)),
    )
    for page in (here, there):
        page.get_by_role("link", name="Again with the same people").tap()
        page.get_by_role("button", name="Start", exact=True).wait_for()
    for page in (here, there):
        page.get_by_role("button", name="Start", exact=True).tap()
        page.wait_for_url(re.compile(r"/g/[\w-]+/$"))
    assert here.url == there.url != f"{live.url}/g/{code}/"
