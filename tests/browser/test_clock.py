"""A phone whose cookie of the session is gone (a server's clock dropped it): what is tapped lands all the same."""

from __future__ import annotations

import re

from companion import record
from tests.web import play, score, start


def lose_session(page):
    """As a clock that stepped back does: the cookie that the open page rests on is gone, the phone is known."""
    page.context.clear_cookies(name="companion")


def entered(live, code):
    with live.app.app_context():
        return [type(entry.event).__name__ for entry in record.entries(code)]


def test_a_tap_lands_though_its_token_is_of_a_lost_session(live, phone):
    page = phone()
    page.expected(400)
    code = start(live.app, page)
    page.goto(f"/g/{code}/")
    lose_session(page)
    page.get_by_role("button", name=re.compile("^Bea buys")).tap()
    page.get_by_role("button", name=re.compile("^Undo")).wait_for()
    assert entered(live, code) == ["GameStarted", "Bought"]
    assert page.url.endswith(f"/g/{code}/")
    page.get_by_role("button", name=re.compile("^Carl buys")).tap()
    page.locator(".pips .used").nth(1).wait_for()
    assert entered(live, code) == ["GameStarted", "Bought", "Bought"]


def test_a_form_lands_with_what_was_typed(live, phone):
    page = phone()
    page.expected(400)
    code = start(live.app, page)
    play(live.app, code, score(1, 0, 0, 45, 20))
    page.goto(f"/g/{code}/phones")
    lose_session(page)
    page.get_by_label("Name of this phone").fill("Kitchen")
    page.locator("#save").tap()
    page.locator(".phone-name", has_text="Kitchen").wait_for()
    assert page.url.endswith(f"/g/{code}/phones")


def test_without_scripts_it_is_one_tap_more(live, phone):
    page = phone(scripts=False)
    page.expected(400)
    page.goto("/settings")
    lose_session(page)
    page.locator("button[name=language][value=pt]").tap()
    page.get_by_role("button", name="Send it again").tap()
    page.locator("html[lang=pt]").wait_for()
