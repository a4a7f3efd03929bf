"""The table on a phone: taps in place, nothing sideways, and without scripts."""

from __future__ import annotations

import pytest

from companion.referee.commands import Buy, Float
from tests.browser.axe import assert_accessible
from tests.browser.conftest import PHONE, SMALL
from tests.web import LONG_NAMES, NAMES, play, score, start, three_sets


def sideways(page) -> int:
    """How many pixels the page scrolls sideways."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


@pytest.fixture
def table(live):
    """`table(page, names)`: a game with scores, melds and buys, open on its table."""

    def make(page, names=NAMES):
        code = start(live.app, page, names)
        play(live.app, code, score(1, 0, *[5 * seat for seat in range(len(names))]), Buy(2, 1), Buy(2, 1))
        play(live.app, code, score(2, 0, *[5 * seat for seat in range(len(names))]))
        play(live.app, code, Buy(3, 1), Buy(3, 1))
        page.goto(f"/g/{code}/")
        return code

    return make


def test_a_tap_on_the_pips_buys_in_place_and_the_undo_is_beside_it(live, phone, table):
    page = phone()
    table(page)
    page.evaluate("scrollTo(0, 150)")
    before = page.evaluate("scrollY")
    page.get_by_role("button", name="Carl buys").tap()
    page.get_by_role("button", name="Carl buys: 2 buys left").wait_for()
    assert page.evaluate("scrollY") == before
    page.get_by_role("button", name="Carl did not buy").tap()
    page.get_by_role("button", name="Carl buys: 3 buys left").wait_for()


def test_g5_3_a_refused_tap_says_why_where_it_was_made(live, phone, table):
    page = phone()
    page.expected(422)
    table(page)
    page.get_by_role("button", name="Bea buys").tap()
    page.get_by_role("button", name="Bea buys: no buys left").tap()
    assert "G5.3" in page.locator("#p1 #refused").inner_text()
    page.get_by_role("button", name="Carl buys").tap()
    page.get_by_role("button", name="Carl buys: 2 buys left").wait_for()
    assert page.locator("#refused").count() == 0


def test_the_table_works_without_scripts(live, phone, table):
    page = phone(scripts=False)
    code = table(page)
    page.locator("#buy2").tap()
    assert page.url.endswith(f"/g/{code}/")
    page.get_by_role("button", name="Carl buys: 2 buys left").wait_for()
    page.locator("#undo").tap()
    page.get_by_role("button", name="Carl buys: 3 buys left").wait_for()


@pytest.mark.parametrize("names", [NAMES, LONG_NAMES], ids=["three", "eight"])
@pytest.mark.parametrize("size", [SMALL, PHONE], ids=["small", "phone"])
def test_nothing_scrolls_sideways_and_targets_are_big(live, phone, table, names, size):
    page = phone(size=size)
    code = table(page, names)
    for path in ("", "throw", "who", "more"):
        page.goto(f"/g/{code}/{path}")
        assert sideways(page) == 0, path
        small = page.evaluate(
            """[...document.querySelectorAll("main button, main a, .tabs a")]
               .map(e => [e.id || e.textContent.trim(), e.getBoundingClientRect()])
               .filter(([, r]) => r.width > 0 && (r.height < 43.5 || r.width < 43.5))
               .map(([name, r]) => `${name} ${r.width}×${r.height}`)"""
        )
        assert small == [], path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_axe_finds_nothing(live, phone, language, scheme):
    page = phone(language=language, scheme=scheme, bypass_csp=True)
    code = start(live.app, page, LONG_NAMES)
    play(live.app, code, three_sets(1, 1), Float(1, 1), three_sets(1, 2, "4 K"), Buy(1, 3))
    for path in ("", "throw?card=7C", "who?discarder=0&call=2", "more", "rules"):
        page.goto(f"/g/{code}/{path}")
        assert_accessible(page)


def test_the_reason_is_one_tap_from_the_sheet_of_discards(live, phone):
    page = phone()
    code = start(live.app, page)
    play(live.app, code, three_sets())
    page.goto(f"/g/{code}/")
    page.get_by_role("link", name="Throw?").tap()
    page.wait_for_url("**/throw")
    assert page.locator(".pad-key.dead:visible").count() == 12
    page.locator("#c7C").tap()
    page.get_by_text("joins Bea's set of sevens").wait_for()
    assert page.locator(".sheet-answer").is_visible()


def test_text_at_twice_the_size_still_fits(live, phone, table):
    page = phone(size=SMALL)
    code = table(page, LONG_NAMES)
    for path in ("", "throw", "who", "more"):
        page.goto(f"/g/{code}/{path}")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert sideways(page) == 0, path
        assert page.locator(".top").bounding_box()["height"] < 120, path  # a bar, not a column of letters
        assert page.locator(".tabs").bounding_box()["height"] < 90, path
