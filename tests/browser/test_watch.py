"""The browser tests' own guard: each thing it should catch is caught, or every other browser test proves nothing."""

from __future__ import annotations

import pytest

from tests.browser.axe import assert_accessible


@pytest.fixture
def guarded(live, phone):
    """A phone on a page of the test's own making, and what the guard has noted about it."""

    def open_page(html: str, **headers: str):
        live.app.add_url_rule("/page", "page", lambda: (html, headers))
        live.app.add_url_rule("/ok", "ok", lambda: "ok")
        page = phone()
        page.goto("/page")
        page.wait_for_timeout(300)
        faults = page.expected.__self__.faults
        noted = list(faults)
        faults.clear()
        return noted

    return open_page


PAGE = "<!doctype html><title>t</title><link rel=icon href='data:,'>"


def test_a_quiet_page_is_no_fault(guarded):
    assert guarded(PAGE + "<p>hello") == []


def test_an_inline_script_is_caught(guarded):
    noted = guarded(PAGE + "<script>document.title = 'ran'</script>")
    assert any("policy violation: script-src" in fault for fault in noted)


def test_an_inline_style_is_caught(guarded):
    noted = guarded(PAGE + "<p style='color: red'>red")
    assert any("policy violation: style-src" in fault for fault in noted)


def test_a_picture_from_elsewhere_is_caught(guarded):
    noted = guarded(PAGE + "<img alt='' src='http://127.0.0.1:9/x.png'>")
    assert any("127.0.0.1:9" in fault for fault in noted)


@pytest.mark.parametrize(
    "tag",
    [
        "<link rel=stylesheet href='/static/x/none'>",
        "<script src='/static/x/none'></script>",
        "<img alt='' src='/static/x/none'>",
    ],
)
def test_a_missing_file_is_caught(guarded, tag):
    noted = guarded(PAGE + tag)
    assert any("/static/x/none" in fault for fault in noted), noted


def test_axe_sees_what_is_wrong(live, phone):
    live.app.add_url_rule("/page", "page", lambda: PAGE + "<main><h1>t</h1><input></main>")
    page = phone(bypass_csp=True)
    page.goto("/page")
    with pytest.raises(AssertionError, match="label"):
        assert_accessible(page)


def test_the_whole_error_page_is_quiet(live, phone):
    page = phone(bypass_csp=True)
    page.expected(404)
    page.goto("/no-such-page")
    assert page.locator("h1").inner_text() == "Nothing here"
    assert page.evaluate("innerWidth") == 375
    assert_accessible(page)
