"""Two keepers at once, and no connection: nothing counts twice, nothing is lost, nothing is dropped in silence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest

from companion import record
from companion.referee.commands import Buy, CloseGame
from companion.referee.games import GREBBER
from tests.browser.axe import assert_accessible
from tests.browser.conftest import SMALL
from tests.browser.test_live import listening, together  # noqa: F401
from tests.browser.wire import Wire
from tests.web import LONG_NAMES, play, score, start


@dataclass
class Cuttable:
    """A running server behind a wire."""

    app: object
    url: str
    wire: Wire


@pytest.fixture
def live(live):
    """The server of the other tests, behind a wire that can be cut."""
    with Wire(urlsplit(live.url).port) as wire:
        yield Cuttable(live.app, f"http://127.0.0.1:{wire.port}", wire)


def forgive(*pages):
    """What Chromium and htmx say in the console about a connection that is cut."""
    for page in pages:
        faults = page.expected.__self__.faults
        faults[:] = [fault for fault in faults if "ERR_" not in fault and "htmx:" not in fault]


def deaf(page, revision=1):
    """A phone that does not hear that the game moved on."""
    page.route("**/live", lambda route: route.fulfill(status=204))
    page.route("**/revision?*", lambda route: route.fulfill(json={"revision": revision, "lines": []}))


def button(page, name):
    """The button whose name begins so."""
    return page.get_by_role("button", name=re.compile(f"^{name}"))


def revision(live, code):
    with live.app.app_context():
        return record.load(code).revision


def buys(live, code):
    with live.app.app_context():
        return dict(record.load(code).state.hand.buys)


def test_a_second_command_lands_where_it_is_still_legal_and_meant(live, together):  # noqa: F811
    code, ana, bea = together()
    deaf(bea)
    for page in (ana, bea):
        page.goto(f"/g/{code}/")
    button(ana, "Carl buys").tap()
    button(ana, "Carl buys: 2 buys left").wait_for()
    button(bea, "Ana buys").tap()
    button(bea, "Ana buys: 2 buys left").wait_for()
    assert button(bea, "Carl buys: 2 buys left").count() == 1
    assert buys(live, code) == {2: 1, 0: 1}


def test_the_same_buy_tapped_on_two_phones_counts_once(live, together):  # noqa: F811
    code, ana, bea = together()
    bea.expected(409)
    deaf(bea)
    for page in (ana, bea):
        page.goto(f"/g/{code}/")
    button(ana, "Carl buys").tap()
    button(ana, "Carl buys: 2 buys left").wait_for()
    button(bea, "Carl buys").tap()
    refused = bea.locator("#refused")
    refused.wait_for()
    assert "Somebody was quicker" in refused.inner_text()
    assert "Carl bought a card" in refused.inner_text()
    assert button(bea, "Carl buys: 2 buys left").count() == 1
    assert buys(live, code) == {2: 1}


def test_what_is_no_longer_meant_gets_the_fresh_table_and_who_did_what(live, together):  # noqa: F811
    code, ana, bea = together()
    play(live.app, code, Buy(1, 1), Buy(1, 2))
    bea.expected(409)
    deaf(bea, 3)
    for page in (ana, bea):
        page.goto(f"/g/{code}/")
    ana.locator("#undo").tap()
    button(ana, "Carl buys: 3 buys left").wait_for()
    bea.locator("#undo").tap()
    refused = bea.locator("#refused")
    refused.wait_for()
    assert "Undone" in refused.inner_text()
    assert button(bea, "Bea buys: 2 buys left").count() == 1
    assert bea.locator("[name=again]").input_value() == "undo.3"
    assert buys(live, code) == {1: 1}


def lose_connection(live, page, address):
    """Open a page, and once it follows cut the wire; the page says so."""
    page.goto(address)
    listening(live)
    live.wire.cut()
    page.locator("#live-line").get_by_text("No connection").wait_for()


def test_taps_without_a_connection_wait_visibly_and_land_once_in_order(live, together):  # noqa: F811
    code, page = together(1)
    lose_connection(live, page, f"/g/{code}/")
    for name in ("Carl buys", "Ana buys", "Carl buys"):
        button(page, name).tap()
    waiting = page.locator("#waiting li")
    assert [line.strip("✕ \n") for line in waiting.all_inner_texts()] == ["Carl buys", "Ana buys", "Carl buys"]
    assert page.locator("#buy2 .pip-waits").count() == 2
    assert revision(live, code) == 1
    live.wire.mend()
    button(page, "Carl buys: 1 buy left").wait_for()
    page.locator("#waiting").wait_for(state="hidden")
    assert "No connection" not in page.locator("#live-line").inner_text()
    with live.app.app_context():
        assert [entry.event.seat for entry in record.entries(code)[1:]] == [2, 0, 2]
    forgive(page)


def test_chips_of_grebber_wait_too(live, phone):
    page = phone()
    code = start(live.app, page, ("Ana", "Bea"), rules=GREBBER.replace(gambling=True))
    lose_connection(live, page, f"/g/{code}/")
    for name in ("Ana says Greb", "Bea turns a wild", "Ana says Greb"):
        button(page, name).tap()
    waiting = page.locator("#waiting li")
    assert [line.strip("✕ \n") for line in waiting.all_inner_texts()] == [
        "Ana says Greb",
        "Bea turns a wild",
        "Ana says Greb",
    ]
    live.wire.mend()
    page.get_by_text("Pot: 4 chips").wait_for()
    page.locator("#waiting").wait_for(state="hidden")
    with live.app.app_context():
        assert [dict(entry.event.paid) for entry in record.entries(code)[1:]] == [{0: 1}, {1: 2}, {0: 1}]
    forgive(page)


def test_what_waits_survives_the_page_and_can_be_taken_back(live, together):  # noqa: F811
    code, page = together(1)
    lose_connection(live, page, f"/g/{code}/")
    for name in ("Carl buys", "Ana buys", "Bea buys"):
        button(page, name).tap()
    button(page, "Take back: Ana buys").tap()
    page.locator("#undo, .last-undo").first.tap(force=True)
    assert page.locator("#waiting li").count() == 2
    live.wire.mend()
    page.goto(f"/g/{code}/more")
    page.goto(f"/g/{code}/")
    button(page, "Carl buys: 2 buys left").wait_for()
    button(page, "Bea buys: 2 buys left").wait_for()
    assert buys(live, code) == {2: 1, 1: 1}
    forgive(page)


def test_what_became_illegal_is_shown_with_its_reason_and_not_dropped(live, together):  # noqa: F811
    code, page = together(1)
    page.expected(409, 422)
    play(live.app, code, Buy(1, 2), Buy(1, 2))
    lose_connection(live, page, f"/g/{code}/")
    button(page, "Carl buys").tap()
    button(page, "Ana buys").tap()
    play(live.app, code, score(1, 0, 0, 5, 10))
    live.wire.mend()
    page.locator(".waiting-refused").nth(1).wait_for()
    lines = page.locator(".waiting-refused").all_inner_texts()
    assert "Carl buys" in lines[0] and "Ana buys" in lines[1]
    assert "Somebody was quicker" in lines[0] and "went out" in lines[0]
    page.locator(".top-title", has_text="Hand 2").wait_for()
    page.reload()
    page.locator(".waiting-refused").first.wait_for()
    for _ in range(2):
        button(page, "Put away").first.tap()
    page.locator("#waiting").wait_for(state="hidden")
    assert revision(live, code) == 4
    forgive(page)


def test_what_came_too_late_for_the_night_is_shown_with_its_reason_too(live, together):  # noqa: F811
    code, page = together(1)
    lose_connection(live, page, f"/g/{code}/")
    button(page, "Carl buys").tap()
    play(live.app, code, CloseGame())
    live.wire.mend()
    page.wait_for_url("**/end")
    refused = page.locator(".waiting-refused")
    refused.wait_for()
    assert "Carl buys" in refused.inner_text() and "quicker" in refused.inner_text()
    assert revision(live, code) == 2
    button(page, "Put away").tap()
    page.locator("#waiting").wait_for(state="hidden")
    forgive(page)


def test_an_answer_that_was_lost_on_the_way_counts_once(live, together):  # noqa: F811
    code, page = together(1)
    page.goto(f"/g/{code}/")
    listening(live)

    def lose(route):
        route.fetch()
        route.abort("connectionfailed")

    page.route("**/do", lose, times=1)
    button(page, "Carl buys").tap()
    button(page, "Carl buys: 2 buys left").wait_for()
    page.locator("#waiting").wait_for(state="hidden")
    assert buys(live, code) == {2: 1}
    forgive(page)


def test_the_open_page_keeps_working_for_looking(live, together):  # noqa: F811
    code, page = together(1)
    play(live.app, code, score(1, 0, 0, 5, 10))
    page.goto(f"/g/{code}/")
    listening(live)
    play(live.app, code, three_sets_of_hand_two())
    page.locator(".player-melds").wait_for()
    page.wait_for_function("(code) => localStorage.getItem(`copy /g/${code}/throw`)?.includes('dead')", arg=code)
    page.wait_for_function("(code) => localStorage.getItem(`copy /g/${code}/scores`)", arg=code)
    live.wire.cut()
    page.locator("#live-line").get_by_text("No connection").wait_for()
    page.get_by_role("link", name="Throw?").tap()
    page.locator(".pad .dead").first.wait_for()
    assert page.url.endswith("/throw")
    page.locator(".pad .dead").first.tap()
    assert "may not be thrown" in page.locator("#live-line").inner_text()
    page.get_by_role("link", name="Scores").tap()
    page.locator("#main table").wait_for()
    page.get_by_role("link", name="More").tap()
    assert "not on this phone" in page.locator("#live-line").inner_text()
    page.get_by_role("link", name="Table").tap()
    button(page, "Carl buys").tap()
    live.wire.mend()
    button(page, "Carl buys: 2 buys left").wait_for()
    page.get_by_role("link", name="Throw?").tap()
    page.wait_for_url("**/throw")
    forgive(page)


def three_sets_of_hand_two():
    """A set and a run, as hand 2 asks for."""
    from companion.referee.commands import GoDown
    from companion.referee.notation import read_meld

    return GoDown(2, 1, (read_meld("set 7S 7H 7D"), read_meld("run 4S 5S 6S 7S")))


def test_a_form_is_not_sent_into_nowhere(live, together):  # noqa: F811
    code, page = together(1)
    lose_connection(live, page, f"/g/{code}/over")
    page.locator("#points-1").fill("15+20")
    page.locator("#main form button:not([type])").last.tap()
    page.locator("#live-line").get_by_text("stays here").wait_for()
    assert "/over" in page.url
    assert page.locator("#points-1").input_value() == "15+20"
    forgive(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_waits_is_readable_on_the_smallest_phone(live, together, scheme):  # noqa: F811
    code, page = together(1, LONG_NAMES, size=SMALL, scheme=scheme, language="pt", bypass_csp=True)
    page.goto(f"/g/{code}/")
    listening(live)
    live.wire.cut()
    page.wait_for_function("document.querySelector('#live-line').textContent")
    for seat in (0, 1, 2):
        page.locator(f"#buy{seat}").tap()
    assert page.locator("#waiting li").count() == 3
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    assert_accessible(page)
    live.wire.mend()
    page.locator("#waiting").wait_for(state="hidden")
    forgive(page)
