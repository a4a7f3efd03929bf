"""Two phones on the same "Hand over": the second sees at once that the first is entering it, and is not held up by it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.axe import assert_accessible
from tests.browser.conftest import SMALL
from tests.browser.test_live import listening, together  # noqa: F401
from tests.browser.test_scores import points, scores

SAID = "Another phone is entering this hand:"


@pytest.mark.parametrize("streams", [True, False], ids=["stream", "asking"])
def test_the_second_phone_sees_that_the_first_is_entering_it(live, together, streams):  # noqa: F811
    code, first, second = together(2)
    if not streams:
        second.add_init_script("delete window.EventSource")
    for page in (first, second):
        page.goto(f"/g/{code}/over")
    listening(live, 1 + streams)
    assert not second.locator("#entering").is_visible()
    points(first, 1).fill("25")
    expect(second.locator("#entering")).to_contain_text(SAID, timeout=1000 if streams else 2500)
    assert not first.locator("#entering").is_visible()
    second.locator(".outs label").nth(0).tap()
    expect(first.locator("#entering")).to_contain_text(SAID)
    points(second, 1).fill("25")
    points(second, 2).fill("40")
    second.get_by_role("button", name="See the new totals").tap()
    second.get_by_role("button", name="Save and deal hand 2").tap()
    second.wait_for_url(f"**/g/{code}/")
    assert len(scores(live, code)) == 1, "it is no lock"


def test_the_hint_is_readable(live, together):  # noqa: F811
    code, first, second = together(2, size=SMALL, bypass_csp=True)
    first.goto(f"/g/{code}/over")
    points(first, 1).fill("25")
    first.wait_for_timeout(300)
    second.goto(f"/g/{code}/over")
    expect(second.locator("#entering")).to_be_visible()
    assert_accessible(second)
    assert second.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
