"""What was typed in any form outlives a server that is killed and started again, and then lands."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.program import live
from tests.browser.test_drafts import FORMS, LANDING, at_table, from_before, stored

__all__ = ["live"]


def landed(page):
    page.wait_for_function("() => !Object.keys(localStorage).some((key) => key.startsWith('draft '))")


def test_what_was_typed_in_every_form_outlives_the_server(live, phone):
    opened = {}
    for kind, (address, typing, _there, _about) in FORMS.items():
        page = phone()
        page.expect_no_server()
        code = at_table(live, page, page, kind)
        page.goto(address.format(code=code))
        typing(page, code)
        opened[kind] = page, code
    live.restart()
    for kind, (page, code) in opened.items():
        _address, _typing, there, about = FORMS[kind]
        page.reload()
        there(page)
        expect(from_before(page)).to_have_count(1)
        assert list(stored(page)) == [about.format(code=code)], kind
        if kind in LANDING:
            LANDING[kind](page)
            landed(page)
        page.close()


def test_a_form_sent_to_a_server_that_is_away_goes_as_soon_as_it_is_back(live, phone):
    page = phone()
    page.expect_no_server()
    code = at_table(live, page, page)
    address, typing, there, _about = FORMS["join"]
    page.goto(address.format(code=code))
    typing(page, code)
    live.kill()
    page.get_by_text("No connection").first.wait_for()
    button = page.get_by_role("button", name="Joins the table")
    button.tap()
    expect(page.locator("#live-line")).to_contain_text("Nothing was sent")
    there(page)
    live.start()
    button.tap()  # at once: the page has not noticed yet that the server is back
    page.locator(".seat-name", has_text="Dorothea").wait_for()
    landed(page)
    live.kill()
    page.get_by_text("No connection").first.wait_for()
    live.start()
    page.get_by_role("link", name="Settings").tap()
    page.wait_for_url("/settings")
