"""A list of four hands made by taps at 320 px, opened on another phone by its link, and its night played to the recap."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.axe import assert_accessible
from tests.browser.conftest import SMALL
from tests.browser.test_live import join
from tests.browser.thumb import Table

PLAYERS = ("Ana", "Bea", "Carl")
ANA, BEA, CARL = range(3)
#: A natural meld for every slot: sets by rank, runs by suit and lowest card.
MELDS = {1: ("5", "9"), 2: ("S 4",), 3: ("7", "H 5"), 4: ("3", "8", "Q")}


def edits(page, do: str, focus: str | None = None):
    """A tap on a button of the editor: the page is there again, with the focus where it belongs."""
    page.locator(f'[name=do][value="{do}"]').first.tap()
    expect(page.locator(f"#{focus or do}")).to_be_focused()


def test_a_list_of_ones_own_and_its_night(live, phone):
    page, other = phone(size=SMALL), phone(size=SMALL)
    page.goto("/")
    page.get_by_role("link", name="Lists of your own").tap()
    page.get_by_role("link", name="Make a list").tap()
    page.locator("#name").fill("Friday, four hands")
    # 1: two sets of three; 2: a run of five; 3: a set and a run; 4: a copy of the first with one set more
    edits(page, "add", "row-0")
    edits(page, "add", "row-1")
    edits(page, "kind-1-run", "row-1")
    edits(page, "fewer-1-0")
    edits(page, "fewer-1-0", "row-1")
    expect(page.locator("#row-1")).to_contain_text("A run of four")
    edits(page, "longer-1-0")
    expect(page.locator("#list-said")).to_have_text("Hand 2: A run of five")
    assert_accessible(page)
    page.locator("summary", has_text="Type or paste a list").tap()
    page.locator("#pasted").fill("set of 3 and run of 4\na pair")
    page.get_by_role("button", name="Read these lines").tap()
    expect(page.locator("#unread")).to_contain_text("a pair")
    page.locator("#pasted").fill("")
    edits(page, "row-0")
    edits(page, "copy-0", "row-1")
    edits(page, "more-1-0")
    edits(page, "down-1", "down-2")
    page.locator("#down-2").tap()
    expect(page.locator("#row-3")).to_contain_text("Three sets of three")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    assert page.locator("#name").input_value() == "Friday, four hands"
    page.get_by_role("button", name="Save the list").tap()
    expect(page.locator(".own-lists")).to_contain_text("4 hands")
    assert_accessible(page)

    # the link opens on a phone that never was here
    page.get_by_role("link", name="Share").tap()
    other.goto("/" + page.locator("#link").input_value().partition("://")[2].partition("/")[2])
    expect(other.locator(".hand")).to_have_count(4)
    expect(other.locator("#name")).to_have_value("Friday, four hands")

    page.get_by_role("link", name="All lists").tap()
    page.get_by_role("link", name=re.compile("^Play it")).tap()
    table = Table(page, live.app, PLAYERS, hands=4)
    for chair, name in enumerate(PLAYERS):
        page.locator("input[name=name]").nth(chair).fill(name)
    page.get_by_label("Who deals first?").select_option("0")
    page.get_by_role("button", name="Start", exact=True).tap()
    table.at_hand(1)
    join(live, other, table.code)
    other.goto(f"/g/{table.code}/")
    for number, out in ((1, ANA), (2, BEA), (3, CARL), (4, ANA)):
        table.at_hand(number)
        expect(other.locator(".top-title")).to_have_text(f"Hand {number} of 4")
        table.goes_down(out, MELDS[number])
        table.is_down(out)
        table.hand_over(out, **{name: "10" for seat, name in enumerate(PLAYERS) if seat != out})
    expect(page).to_have_url(re.compile("/end$"))
    for name, total in {"Ana": 20, "Bea": 30, "Carl": 30}.items():
        expect(page.get_by_role("row", name=re.compile(name)).first).to_contain_text(str(total))
    page.goto(f"/g/{table.code}/recap")
    expect(page.locator("main")).to_contain_text("Friday, four hands")
    assert_accessible(page)
