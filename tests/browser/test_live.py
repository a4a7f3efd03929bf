"""Every phone follows: live, two at once, offline and back, sleep and wake, typing kept."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import select, update

from companion import live as streams
from companion.db import writing
from companion.models import Game, Membership
from companion.phones import devices
from companion.referee.commands import Buy
from tests.browser.axe import assert_accessible
from tests.browser.conftest import SMALL
from tests.browser.touch import watch_weights
from tests.web import LONG_NAMES, NAMES, play, score, start, three_sets


@pytest.fixture
def together(live, phone):
    """`together(n)`: so many phones at one new game, keepers all, not yet on a page; and the game's code."""

    def make(count=2, names=NAMES, **options):
        pages = [phone(**options) for _ in range(count)]
        code = start(live.app, pages[0], names)
        pages[0].goto("/referee")
        for page in pages[1:]:
            page.goto("/referee")
            join(live, page, code)
        return code, *pages

    return make


def join(live, page, code, role="keeper"):
    """Make a phone one of a game's."""
    start(live.app, page)  # which makes it known
    with live.app.app_context(), writing() as session:
        device = session.execute(select(devices.Device.id).order_by(devices.Device.id.desc()).limit(1)).scalar_one()
        game = session.execute(select(Game.id).where(Game.code == code)).scalar_one()
        session.add(Membership(game_id=game, device_id=device, role=role, number=device))


def listening(live, count=1):
    """Wait until so many streams are open."""
    subscribers = live.app.extensions["companion_live"].subscribers
    waiting = threading.Event()
    for _ in range(200):
        if len(subscribers) >= count:
            return
        waiting.wait(0.05)
    raise AssertionError(f"{len(subscribers)} streams are open, not {count}")


def test_what_one_phone_enters_is_on_the_other(live, together):
    code, ana, bea = together()
    for page in (ana, bea):
        page.goto(f"/g/{code}/")
    listening(live, 2)
    ana.get_by_role("button", name="Carl buys").tap()
    bea.get_by_role("button", name="Carl buys: 2 buys left").wait_for()
    assert "Carl bought a card" in bea.locator(".last-words").inner_text()
    bea.locator("#undo").tap()
    ana.get_by_role("button", name="Carl buys: 3 buys left").wait_for()


def with_details(route):
    """The page with something to open at its end."""
    answer = route.fetch()
    route.fulfill(
        response=answer, body=answer.text().replace("</main>", "<details><summary>s</summary>d</details></main>")
    )


def test_the_page_keeps_its_scroll_focus_and_open_details(live, together):
    code, page = together(1, LONG_NAMES)
    play(live.app, code, *(score(hand, 0, *[5 * seat for seat in range(8)]) for hand in (1, 2)))
    page.route(f"**/g/{code}/", with_details)
    page.goto(f"/g/{code}/")
    listening(live)
    page.locator("summary").tap()
    page.locator("#buy5").focus()
    page.evaluate("document.querySelector('#p5').scrollIntoView()")
    top = page.evaluate("document.querySelector('#p5').getBoundingClientRect().top")
    play(live.app, code, Buy(3, 1), Buy(3, 1))
    page.locator("#back1").wait_for()
    assert page.evaluate("document.activeElement.id") == "buy5"
    assert abs(page.evaluate("document.querySelector('#p5').getBoundingClientRect().top") - top) < 1
    assert page.evaluate("scrollY") > 100
    assert page.locator("details").get_attribute("open") is not None


def test_the_title_follows_into_the_next_hand(live, together):
    code, page = together(1)
    page.goto(f"/g/{code}/")
    listening(live)
    play(live.app, code, score(1, 0, 0, 5, 10))
    page.locator(".top-title", has_text="Hand 2 of 10").wait_for()
    assert "Hand 2 of 10" in page.title()


def test_a_form_being_filled_in_is_told_and_not_replaced(live, together):
    code, page = together(1)
    page.goto(f"/g/{code}/who")
    listening(live)
    page.get_by_text("Bea", exact=True).first.tap()
    play(live.app, code, Buy(1, 1))
    line = page.locator("#live-line")
    line.get_by_text("Bea bought a card").wait_for()
    assert page.locator("input:checked").count() == 1
    line.get_by_role("link", name="Show").tap()
    page.wait_for_url(f"**/g/{code}/")


def test_on_the_sheet_of_discards_a_line_says_who_went_down_and_the_cards_die(live, together):
    code, page = together(1)
    page.goto(f"/g/{code}/throw")
    listening(live)
    assert page.locator(".pad .dead").count() == 0
    play(live.app, code, three_sets())
    page.locator(".pad .dead").first.wait_for()
    assert "went down" in page.locator("#live-line").inner_text()


def test_where_no_stream_gets_through_the_page_asks(live, together):
    code, page = together(1)
    page.route("**/live", lambda route: route.fulfill(status=204))
    page.goto(f"/g/{code}/")
    page.wait_for_timeout(1500)
    play(live.app, code, Buy(1, 1))
    page.get_by_role("button", name="Bea buys: 2 buys left").wait_for()
    assert len(live.app.extensions["companion_live"].subscribers) == 0


def test_without_event_streams_the_page_asks(live, together):
    code, page = together(1)
    page.add_init_script("delete window.EventSource")
    page.goto(f"/g/{code}/")
    play(live.app, code, Buy(1, 1))
    page.get_by_role("button", name="Bea buys: 2 buys left").wait_for()


def hide(page, hidden):
    """What a phone does when its screen goes off and on."""
    page.evaluate(
        """(hidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }""",
        hidden,
    )


def test_a_phone_that_slept_catches_up_when_it_wakes(live, together):
    code, page = together(1)
    page.goto(f"/g/{code}/")
    listening(live)
    hide(page, True)
    subscribers = live.app.extensions["companion_live"].subscribers
    for _ in range(100):
        if not len(subscribers):
            break
        page.wait_for_timeout(50)
    assert len(subscribers) == 0
    play(live.app, code, Buy(1, 1))
    page.wait_for_timeout(500)
    assert page.get_by_role("button", name="Bea buys: 3 buys left").count() == 1
    hide(page, False)
    page.get_by_role("button", name="Bea buys: 2 buys left").wait_for()
    listening(live)


def test_a_phone_whose_link_was_renewed_is_told(live, together):
    code, page = together(1)
    page.goto(f"/g/{code}/")
    listening(live)
    with live.app.app_context():
        with writing() as session:
            game = session.execute(select(Game.id).where(Game.code == code)).scalar_one()
            session.execute(update(Membership).where(Membership.game_id == game).values(live=False))
        streams.notify(game)
    page.locator("#live-line").get_by_text("was renewed").wait_for()
    assert len(live.app.extensions["companion_live"].subscribers) == 0


def test_the_end_of_the_night_is_shown_on_every_phone(live, together):
    code, page = together(1)
    play(live.app, code, *(score(hand, 0, 0, 5, 10) for hand in range(1, 10)))
    page.goto(f"/g/{code}/")
    listening(live)
    play(live.app, code, score(10, 0, 0, 5, 10))
    page.wait_for_url(f"**/g/{code}/end")


TELEVISIONS = {"tv": {"width": 1280, "height": 720}, "old": {"width": 960, "height": 540}, "small": SMALL}


@pytest.mark.parametrize("names", [NAMES, LONG_NAMES], ids=["three", "eight"])
@pytest.mark.parametrize("size", TELEVISIONS.values(), ids=TELEVISIONS)
def test_the_television_fits_whatever_it_is(live, phone, names, size):
    page = phone(size, scheme="dark", bypass_csp=True)
    code = start(live.app, page, names)
    play(live.app, code, *(score(hand, 0, *[25 * seat for seat in range(len(names))]) for hand in range(1, 9)))
    page.goto(f"/g/{code}/tv")
    page.wait_for_load_state()
    over = "[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]"
    assert page.evaluate(over) == [0, 0]
    assert page.locator("main a, main button, header, footer form").filter(visible=True).count() == 1  # the way back
    assert_accessible(page)


def test_the_television_follows(live, together):
    code, page = together(1, size=TELEVISIONS["tv"])
    page.goto(f"/g/{code}/tv")
    listening(live)
    play(live.app, code, score(1, 0, 0, 45, 40))
    page.get_by_role("heading", name="Hand 2 of 10").wait_for()
    assert "45" in page.locator(".tv-players").inner_text()


def test_the_lock_is_asked_for_again_when_the_page_is_seen_again(live, together):
    code, page = together(1)
    page.add_init_script("""
      window.asked = 0;
      Object.defineProperty(Navigator.prototype, "wakeLock", { configurable: true, value: {
        request: async () => { asked += 1; const lock = { released: false }; window.lock = lock; return lock; } } });
    """)
    page.goto(f"/g/{code}/more")
    page.wait_for_function("() => asked === 1")
    hide(page, True)
    page.evaluate("lock.released = true")
    hide(page, False)
    page.wait_for_function("() => asked === 2")
    assert not page.locator("#awake-hint").is_visible()


def test_where_the_browser_cannot_keep_the_screen_on_one_line_says_how(live, together):
    code, page = together(1, size=SMALL, bypass_csp=True)
    page.add_init_script("delete Navigator.prototype.wakeLock")
    page.goto(f"/g/{code}/more")
    page.locator("#awake-hint").wait_for(state="visible")
    assert_accessible(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_quiet_line_is_readable_and_covers_no_target(live, together, scheme):
    code, page = together(1, LONG_NAMES, size=SMALL, scheme=scheme, bypass_csp=True)
    page.goto(f"/g/{code}/who")
    listening(live)
    play(live.app, code, Buy(1, 0))
    line = page.locator("#live-line")
    line.get_by_role("link").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    assert line.get_by_role("link").bounding_box()["height"] >= 47.5
    assert_accessible(page)


def test_the_first_load_of_the_table_is_light(live, together):
    code, page = together(1)
    play(live.app, code, score(1, 0, 0, 5, 10), Buy(2, 1))
    weights = watch_weights(page)
    page.goto(f"/g/{code}/")
    listening(live)
    assert 5 < len(weights) <= 8, "the style sheets are one file"
    assert sum(weights) <= 40 * 1024, "the first load, headers and all, compressed as it came over the wire"
