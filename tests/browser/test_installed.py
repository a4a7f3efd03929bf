"""Over HTTPS: the app opens without a connection, with what was open before; its cache has the app's version."""

from __future__ import annotations

import time
from urllib.parse import urlsplit

import pytest
from sqlalchemy import update

from companion.db import writing
from companion.models import Membership
from companion.referee.commands import Buy
from tests.browser.axe import assert_accessible
from tests.browser.conftest import SMALL
from tests.browser.test_live import listening, together  # noqa: F401
from tests.browser.test_offline import Cuttable, button, buys, forgive
from tests.browser.wire import Wire
from tests.web import play


@pytest.fixture
def live(live):
    """A server behind a wire that takes loopback, which browsers trust as they trust HTTPS, for HTTPS."""
    inner = live.app.wsgi_app
    live.app.wsgi_app = lambda environ, answer: inner({**environ, "wsgi.url_scheme": "https"}, answer)
    live.app.config["WTF_CSRF_SSL_STRICT"] = False  # the referrer still says http
    with Wire(urlsplit(live.url).port) as wire:
        yield Cuttable(live.app, f"http://127.0.0.1:{wire.port}", wire)


def installed(page):
    """Wait until the service worker is there, and let it have the page: one opened meanwhile may have slipped by."""
    page.evaluate("async () => (await navigator.serviceWorker.ready).active.state")
    page.reload()
    assert page.evaluate("() => navigator.serviceWorker.controller !== null")


def kept(page, path):
    """What the cache has of a page, "" where it has nothing."""
    look = "async (path) => (await (await caches.match(path, { ignoreVary: true }))?.text()) ?? ''"
    return str(page.evaluate(look, path))


def until(is_so, seconds=20):
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it never came to be so"
        time.sleep(0.1)


def test_the_app_opens_without_a_connection_and_its_taps_land_later(live, together):  # noqa: F811
    code, page = together(1)
    play(live.app, code, Buy(1, 1))
    page.goto(f"/g/{code}/")
    installed(page)
    listening(live)
    button(page, "Bea buys: 2 buys left").tap()
    button(page, "Bea buys: 1 buy left").wait_for()
    until(lambda: "1 buy left" in kept(page, f"/g/{code}/"))
    page.goto(f"/g/{code}/scores")
    live.wire.cut()
    page.goto(f"/g/{code}/")
    button(page, "Bea buys: 1 buy left").wait_for()
    page.locator("#live-line").get_by_text("No connection").wait_for()
    button(page, "Carl buys").tap()
    page.locator("#waiting li").wait_for()
    page.goto(f"/g/{code}/scores")
    assert page.get_by_role("heading", level=1).inner_text() != "No connection"
    live.wire.mend()
    page.goto(f"/g/{code}/")
    button(page, "Carl buys: 2 buys left").wait_for()
    assert buys(live, code) == {1: 2, 2: 1}
    forgive(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_that_was_never_open_says_so(live, together, scheme):  # noqa: F811
    code, page = together(1, size=SMALL, scheme=scheme, bypass_csp=True)
    page.goto(f"/g/{code}/")
    installed(page)
    live.wire.cut()
    page.goto(f"/g/{code}/players")
    assert page.get_by_role("heading", level=1).inner_text() == "No connection"
    assert_accessible(page)
    live.wire.mend()
    page.get_by_role("link", name="Try again").tap()
    page.get_by_role("heading", name="Players").wait_for()
    forgive(page)


def test_the_cache_has_the_version_and_older_ones_go(live, together):  # noqa: F811
    code, page = together(1)
    page.goto("/offline")
    page.evaluate("""async () => {
      await (await navigator.serviceWorker.ready).unregister();
      await caches.open("companion old");
    }""")
    page.goto(f"/g/{code}/")
    installed(page)
    version = page.evaluate("document.querySelector('link[rel=stylesheet]').href.split('/')[4]")
    until(lambda: page.evaluate("caches.keys()") == [f"companion {version}"])


def test_a_link_that_was_renewed_leaves_no_page_behind(live, together):  # noqa: F811
    code, page = together(1)
    page.expected(404)
    page.goto(f"/g/{code}/")
    installed(page)
    until(lambda: "Carl" in kept(page, f"/g/{code}/"))
    with live.app.app_context(), writing() as session:
        session.execute(update(Membership).values(live=False))
    page.goto(f"/g/{code}/")
    assert page.get_by_role("heading", level=1).inner_text() == "The link was renewed"
    until(lambda: kept(page, f"/g/{code}/") == "")
