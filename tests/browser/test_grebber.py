"""Grebber on a phone: from names to recap with its refusals, cards by touch, without scripts, small, dark and in Portuguese."""

from __future__ import annotations

import os

import pytest

from companion import record
from companion.referee.commands import CountHand, PayAntes, PayChips
from companion.referee.games import GREBBER
from companion.referee.grebber import Count
from companion.referee.kruth import parse_kruths
from companion.referee.scoring import purses
from companion.referee.standings import totals
from tests.browser.axe import assert_accessible
from tests.browser.conftest import PHONE, SMALL
from tests.browser.test_live import listening
from tests.browser.touch import Cookies, scrolls_sideways, too_small, watch_weights
from tests.web import LONG_NAMES, play, start, watch

CHIPS = GREBBER.replace(gambling=True)
PAIR = ("Ana", "Bea")
STONES = parse_kruths("3stone 4stone 5stone")


def state_of(live, code):
    with live.app.app_context():
        return record.load(code).state


def tap_cards(page, field, *names):
    """Open the cards of a field and tap some."""
    details = page.locator(f"[data-part={field}]")
    if details.get_attribute("open") is None:
        details.locator("summary").tap()
    for name in names:
        details.get_by_label(name).tap(force=True)


def check(page):
    return page.locator("[data-said].kruth-check").inner_text()


def look_over(page, name):
    """Nothing sticks out, nothing is hard to hit, axe finds nothing; a picture where SHOTS names a folder."""
    assert not scrolls_sideways(page), name
    assert too_small(page) == [], name
    assert_accessible(page)
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def test_from_names_to_recap(live, phone):
    page = phone(bypass_csp=True)
    page.expected(422)
    page.goto("/new")
    page.get_by_text("What do you play?").tap()
    page.get_by_role("button", name="Grebber").tap()
    for chair, name in enumerate(("Ana", "Bea", "Caio")):
        page.get_by_label(f"Chair {chair + 1}", exact=True).fill(name)
    assert not page.get_by_role("button", name="One more chair").is_visible()
    page.get_by_label("Played to").fill("20")
    page.get_by_label("Who deals first?").select_option("0")
    look_over(page, "new")
    page.get_by_role("button", name="Start").last.tap()
    page.get_by_text("Played to 20 points").wait_for()
    assert "Bea starts" in page.locator("#main").inner_text()
    look_over(page, "table")

    page.get_by_role("link", name="Count the hand").tap()
    tap_cards(page, "laid-0", "Life of Stone", "Fate of Stone")
    assert page.locator("#laid-0").input_value() == "7"
    tap_cards(page, "held-0", "Death of Sun")
    page.locator("#laid-1").fill("40")
    page.locator("#held-1").fill("5")
    page.locator("#laid-2").fill("9")
    page.locator("#held-2").fill("0")
    assert "61" in check(page)
    assert "above" in page.locator(".kruth-check").get_attribute("class")
    page.get_by_role("button", name="See the new totals").tap()
    page.get_by_text("Too short").wait_for()
    assert "the whole deck has 60 points" in page.locator("#main").inner_text()
    look_over(page, "refused")

    tap_cards(page, "laid-0", "King of Stone")
    assert page.locator("[data-part=held-0] [value='5stone']").is_disabled(), "a card lies in one place"
    page.locator("#laid-1").fill("0")
    assert "Laid 21 + held 5 = 26 of 60; 34 undrawn." in check(page)
    look_over(page, "count")
    page.get_by_role("button", name="See the new totals").tap()
    page.get_by_text("run in Stone, Life to King; holds Death of Sun").wait_for()
    look_over(page, "preview")
    page.get_by_role("button", name="Save and deal hand 2").tap()
    page.get_by_text("Hand 1 is written down.").wait_for()
    assert totals(state_of(live, page.url.split("/")[4])) == {0: 12, 1: -5, 2: 9}
    look_over(page, "second-hand")

    page.locator("#undo").tap()
    page.get_by_text("20 to go").first.wait_for()
    page.locator("#redo").tap()
    page.get_by_text("8 to go").wait_for()

    page.get_by_role("link", name="Scores").tap()
    page.get_by_role("heading", name="Scores").wait_for(state="attached")
    look_over(page, "scores")
    page.get_by_role("link", name="(correct it)").tap()
    tap_cards(page, "held-0", "Deceit of Water")
    page.get_by_role("button", name="See the new totals").tap()
    page.get_by_role("button", name="Save the correction").tap()
    page.get_by_text("Hand 1 is corrected.").wait_for()

    page.get_by_role("link", name="Table").tap()
    page.get_by_role("link", name="Count the hand").tap()
    for field, points in (
        ("laid-0", "12"),
        ("held-0", "0"),
        ("laid-1", "6"),
        ("held-1", "2"),
        ("laid-2", "18"),
        ("held-2", "4"),
    ):
        page.locator(f"#{field}").fill(points)
    page.get_by_role("button", name="See the new totals").tap()
    page.get_by_role("button", name="Save and end the night").tap()
    page.get_by_role("heading", name="Ana and Caio share the win").wait_for()
    look_over(page, "end")
    page.goto(page.url.replace("/end", "/recap"))
    assert "more points are better" in page.locator("#main").inner_text()
    look_over(page, "recap")


def test_chips_by_touch(live, phone):
    page = phone(bypass_csp=True)
    code = start(live.app, page, ("Ana", "Bea", "Caio"), rules=CHIPS)
    page.goto(f"/g/{code}/")
    page.get_by_role("button", name="Everybody pays the ante").tap()
    page.get_by_text("Pot: 3 chips").wait_for()
    page.get_by_role("button", name="Ana says Greb").tap()
    page.get_by_text("Pot: 4 chips").wait_for()
    page.get_by_role("button", name="Ana says Greb").tap()
    page.get_by_text("Pot: 5 chips").wait_for()
    page.get_by_role("button", name="Bea turns a wild").tap()
    page.get_by_text("The wild is Bea’s.").wait_for()
    assert page.get_by_role("button", name="Bea uses the wild").count() == 0
    page.get_by_role("button", name="Caio uses the wild").tap()
    page.get_by_text("Pot: 8 chips").wait_for()
    look_over(page, "chips")
    page.locator("#undo").tap()
    page.get_by_text("Pot: 7 chips").wait_for()
    assert purses(state_of(live, code)) == ({0: 17, 1: 17, 2: 19}, 7)
    page.get_by_role("link", name="Count the hand").tap()
    page.get_by_role("heading", name="Hand 1 is over").wait_for()
    look_over(page, "count-chips")


def test_questions_by_touch(live, phone):
    page = phone(bypass_csp=True)
    code = start(live.app, page, PAIR, rules=GREBBER)
    page.goto(f"/g/{code}/")
    page.get_by_role("link", name="Ask", exact=True).tap()
    for name in ("Life of Stone", "Fate of Stone", "Fate of Sun"):
        page.get_by_label(name).tap(force=True)
    page.get_by_role("button", name="Is this a run or a triplet?").tap()
    page.get_by_text("neither of one suit nor of one rank").wait_for()
    page.get_by_label("or a rank").select_option("4")
    page.get_by_role("button", name="Must any of these cards be given?").tap()
    page.get_by_text("Yes: 1 card must be given.").wait_for()
    look_over(page, "ask")
    page.get_by_role("button", name="What a request brings: all of them").tap()
    page.get_by_text("Yes: 2 cards must be given.").wait_for()
    page.get_by_label("A suit").select_option("sun")
    page.get_by_role("button", name="Must any of these cards be given?").tap()
    page.get_by_text("never both").wait_for()


@pytest.mark.parametrize(
    ("size", "scheme", "language"), [(SMALL, "dark", "pt"), (SMALL, "light", "en"), (PHONE, "dark", "en")]
)
def test_small_dark_and_portuguese(live, phone, size, scheme, language):
    page = phone(size=size, scheme=scheme, language=language, bypass_csp=True)
    code = start(live.app, page, LONG_NAMES[:3], rules=CHIPS.replace(target=30))
    counts = (Count(0, 12, 4, STONES, parse_kruths("4sun")), Count(1, 0, 9), Count(2, 15, 0))
    play(live.app, code, PayAntes(1), PayChips(1, 0, "turn_wild"), CountHand(1, counts), PayAntes(2))
    asked = "grebber/ask?q=greb&card=3sun&card=4sun&card=5sun&card=0wind"
    for path in ("", "grebber/count", "grebber/count/1", asked, "scores", "end"):
        page.goto(f"/g/{code}/{path}")
        look_over(page, f"{size['width']}-{scheme}-{language}-{path.partition('?')[0].replace('/', '-') or 'table'}")
    for path in ("history", "rules", "more", "recap", "tv", "print"):
        page.goto(f"/g/{code}/{path}")
        assert not scrolls_sideways(page), path


@pytest.mark.parametrize("language", ["en", "pt"])
def test_twice_the_text_size(live, phone, language):
    page = phone(size=SMALL, language=language)
    code = start(live.app, page, LONG_NAMES[:3], rules=CHIPS)
    counts = (Count(0, 12, 4, STONES, parse_kruths("4sun")), Count(1, 0, 9), Count(2, 15, 0))
    play(
        live.app,
        code,
        PayAntes(1),
        PayChips(1, 0, "turn_wild"),
        CountHand(1, counts),
        PayAntes(2),
        PayChips(2, 1, "turn_wild"),
    )
    for path in ("", "grebber/count/1", "grebber/ask?q=give&suit=sun&card=4sun&card=5sun", "end"):
        page.goto(f"/g/{code}/{path}")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert not scrolls_sideways(page), path
        if folder := os.environ.get("SHOTS"):
            page.screenshot(
                path=f"{folder}/large-{language}-{path.partition('?')[0].replace('/', '-') or 'table'}.png",
                full_page=True,
            )


def test_another_phone_follows(live, phone):
    page, other = phone(), phone()
    code = start(live.app, page, PAIR, rules=CHIPS)
    watch(live.app, other, code)
    page.goto(f"/g/{code}/")
    other.goto(f"/g/{code}/")
    page.get_by_role("button", name="Ana says Greb").tap()
    other.get_by_text("Pot: 1 chip", exact=False).wait_for()
    assert other.get_by_role("button", name="says Greb").count() == 0


def test_without_scripts(live, phone):
    page = phone(size=SMALL, scripts=False)
    code = start(live.app, Cookies(page, live.url), PAIR, rules=GREBBER)
    page.goto(f"/g/{code}/grebber/count")
    for name in ("Life of Stone", "Fate of Stone", "King of Stone"):
        if page.locator("[data-part=laid-0]").get_attribute("open") is None:
            page.locator("[data-part=laid-0] summary").tap()
        page.locator("[data-part=laid-0]").get_by_label(name).tap(force=True)
    for field in ("held-0", "laid-1", "held-1"):
        page.locator(f"#{field}").fill("0")
    page.get_by_role("button", name="See the new totals").tap()
    page.get_by_role("button", name="Save and deal hand 2").tap()
    page.get_by_text("Hand 1 is written down.").wait_for()
    assert totals(state_of(live, code)) == {0: 12, 1: 0}


def test_the_first_load_of_the_table_is_light(live, phone):
    page = phone()
    code = start(live.app, page, LONG_NAMES[:3], rules=CHIPS)
    play(live.app, code, PayAntes(1), PayChips(1, 0, "turn_wild"))
    weights = watch_weights(page)
    page.goto(f"/g/{code}/")
    listening(live)
    assert len(weights) > 5
    assert sum(weights) <= 40 * 1024, "the first load, headers and all, compressed as it came over the wire"
