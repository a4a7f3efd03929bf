"""What a finger does and what it needs, on a page of a browser test."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

STEPS = 8


def drag(page: Page, grip: Locator, onto: Locator) -> None:
    """Put a finger on the middle of one element, move it to the middle of another and lift it."""
    grip.scroll_into_view_if_needed()
    start, end = _middle(grip), _middle(onto)
    session = page.context.new_cdp_session(page)
    _touch(session, "touchStart", start)
    page.wait_for_timeout(60)
    for step in range(1, STEPS + 1):
        _touch(session, "touchMove", tuple(a + (b - a) * step / STEPS for a, b in zip(start, end, strict=True)))
        page.wait_for_timeout(30)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


def _middle(element: Locator) -> tuple[float, ...]:
    box = element.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _touch(session, kind: str, at: tuple[float, ...]) -> None:
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": at[0], "y": at[1]}]})


def too_small(page: Page, least: int = 48) -> list[str]:
    """What can be tapped on the page and is smaller than a finger; links within a text are let off."""
    tapped = "a.button, a.tile, button, summary, select, .nights a, input[type=text], .choices label"
    found: list[str] = page.evaluate(
        """([tapped, least]) => [...document.querySelectorAll(`main :is(${tapped})`)]
        .filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.classList.contains("hidden"))
        .filter((e) => { const b = e.getBoundingClientRect(); return Math.min(b.height, b.width) < least - 0.5; })
        .map((e) => e.outerHTML.slice(0, 120))""",
        [tapped, least],
    )
    return found


def scrolls_sideways(page: Page) -> bool:
    """Whether anything sticks out of the page."""
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


class Cookies:
    """Takes a cookie as a test client does: a phone without scripts cannot be asked where it is."""

    def __init__(self, page: Page, url: str) -> None:
        self._page, self._url = page, url

    def set_cookie(self, name: str, value: str) -> None:
        """Give the phone a cookie of the server."""
        self._page.context.add_cookies([{"name": name, "value": value, "url": self._url}])


def watch_weights(page: Page) -> list[int]:
    """Bytes over the wire of every answer from now on, headers and all, compressed as they came; nothing is cached."""
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.send("Network.setCacheDisabled", {"cacheDisabled": True})
    weights: list[int] = []
    network.on("Network.loadingFinished", lambda event: weights.append(event["encodedDataLength"]))
    return weights
