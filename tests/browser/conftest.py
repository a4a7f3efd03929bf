"""A real Chromium and a real server: phones of two sizes, and a test that fails on anything a console would show.

    def test_something(live, phone):
        page = phone()                      # 375 × 667, touch, light, English
        page.goto(live.url + "/")

`phone(size=SMALL, language="pt", scheme="dark", scripts=False)` makes others; each is a phone of its own, with
its own cookies. At the end of the test every phone must have seen no console error or warning, no violation of the
content policy, no failed request, and no request to another host. A test that provokes a status says so first:
`page.expected(404)`.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page

from companion import live as streams
from companion.serving import lan

PHONE = {"width": 375, "height": 667}
SMALL = {"width": 320, "height": 568}
HERE = Path(__file__).parent
#: How Chromium words that nobody answers.
_NO_SERVER = re.compile(
    "net::ERR_(CONNECTION_|EMPTY_RESPONSE|INCOMPLETE_CHUNKED|INTERNET_DISCONNECTED|SOCKET_NOT_CONNECTED)"
)
# Reported to the test by every page, before any script of its own runs.
WATCH_POLICY = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test of this folder is a browser test."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@dataclass
class Live:
    """A running server: its app, and its address without a slash at the end."""

    app: Flask
    url: str


@dataclass
class Watch:
    """What one phone saw that it should not have, and which statuses its test provokes on purpose."""

    host: str
    faults: list[str] = field(default_factory=list)
    allowed: set[int] = field(default_factory=set)
    is_cut_off: bool = False

    def expected(self, *statuses: int) -> None:
        """Answers with one of these statuses are meant: Chromium's console line about them is no fault."""
        self.allowed.update(statuses)

    def expect_no_server(self) -> None:
        """The server is away for a while on purpose: what the page asks it meanwhile does not come."""
        self.is_cut_off = True

    def follow(self, context: BrowserContext) -> None:
        """Listen to everything `context` does."""
        context.on("console", self._console)
        context.on("weberror", lambda error: self.faults.append(f"script error: {error.error}"))
        context.on("request", self._request)
        context.on("requestfailed", self._failed)
        context.on("response", self._response)

    def _console(self, message: Any) -> None:
        # Chromium words a status as an error of its own; _response judges those by status.
        is_known = "the server responded with a status of" in message.text
        is_meant = self.is_cut_off and _NO_SERVER.search(message.text)
        if message.type in ("error", "warning") and not is_known and not is_meant:
            self.faults.append(f"console {message.type}: {message.text} ({message.location.get('url', '')})")

    def _request(self, request: Any) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob", "about") and parts.netloc != self.host:
            self.faults.append(f"request to another host: {request.url}")

    def _failed(self, request: Any) -> None:
        # Leaving a page aborts what it was still fetching, an event stream for one.
        if request.failure != "net::ERR_ABORTED" and not (self.is_cut_off and _NO_SERVER.search(request.failure)):
            self.faults.append(f"request failed: {request.url} {request.failure}")

    def _response(self, response: Any) -> None:
        if response.status >= 400 and response.status not in self.allowed:
            self.faults.append(f"status {response.status}: {response.request.method} {response.url}")


@pytest.fixture
def live(make_app: Callable[..., Flask]) -> Iterator[Live]:
    """A server on a free port of loopback, with a fresh database of its own, CSRF checks on."""
    app = make_app(WTF_CSRF_ENABLED=True, TESTING=False, THREADS=24)
    server = lan.listen(app, "127.0.0.1", 0)
    serving = threading.Thread(target=server.run, daemon=True)
    serving.start()
    yield Live(app, f"http://127.0.0.1:{server.effective_port}")
    streams.close(app)  # waitress waits for whoever is being answered
    # Closing waitress from another thread wakes its loop on a socket that is just gone.
    with suppress(OSError):
        server.close()
    server.task_dispatcher.shutdown()
    serving.join(10)


@pytest.fixture
def phone(browser: Browser, live: Live) -> Iterator[Callable[..., Page]]:
    """Makes phones (see the module's first lines); checks at the end that none saw a fault."""
    watches: list[Watch] = []
    contexts: list[BrowserContext] = []

    def make(
        size: dict[str, int] = PHONE,
        language: str = "en",
        scheme: str = "light",
        scripts: bool = True,
        **more: Any,
    ) -> Page:
        options = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2, "reduced_motion": "reduce", **more}
        context = browser.new_context(
            base_url=live.url,
            viewport=size,
            locale={"en": "en-GB", "pt": "pt-PT"}[language],
            color_scheme=scheme,
            java_script_enabled=scripts,
            **options,
        )
        context.set_default_timeout(20_000)  # as many browsers as processors run at once
        watch = Watch(urlsplit(live.url).netloc)
        watch.follow(context)
        if scripts:
            context.add_init_script(WATCH_POLICY)
        contexts.append(context)
        watches.append(watch)
        page = context.new_page()
        page.expected, page.expect_no_server = watch.expected, watch.expect_no_server
        return page

    yield make
    for context in contexts:
        context.close()
    faults = [fault for watch in watches for fault in watch.faults]
    assert not faults, "\n".join(faults)
