"""Two phones at the end of a night: one starts the next game, the other is led into it; and a game thrown away."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from companion import record
from companion.record import phones
from companion.referee.commands import CloseGame, CorrectScore
from tests.browser.axe import assert_accessible
from tests.browser.conftest import SMALL
from tests.web import LONG_NAMES, device_of, play, score, start


def second_phone(live, phone, code, role="keeper", **more):
    """Another phone that came by the link."""
    page = phone(**more)
    with live.app.app_context():
        link = next(link for link in phones.game_links(record.load(code).id) if link.role == role)
    page.goto(f"/j/{link.token}")
    page.locator("main form button").last.tap()
    page.wait_for_url(f"**/g/{code}/**")
    return page


def test_one_starts_the_next_game_and_the_other_sees_it_without_a_tap(live, phone):
    first = phone()
    code = start(live.app, first)
    play(live.app, code, score(1, 0, 0, 25, 40), CloseGame())
    second = second_phone(live, phone, code)
    second.goto(f"/g/{code}/end")
    expect(second.get_by_role("link", name="Again with the same people")).to_be_visible()
    first.goto(f"/g/{code}/end")
    first.get_by_role("link", name="Again with the same people").tap()
    first.get_by_role("button", name="Start").tap()
    expect(first).to_have_url(re.compile(r"/g/[\w-]+/$"))
    assert code not in first.url
    expect(second.get_by_text("The next game has begun")).to_be_visible()
    assert_accessible(second)
    second.get_by_role("link", name="To the next game").tap()
    expect(second).to_have_url(first.url)
    second.goto("/")
    expect(second.locator(f'a.tile[href="{first.url.removeprefix(live.url)}"]')).to_be_visible()


def test_two_at_the_form_at_once_are_at_one_table(live, phone):
    first = phone()
    code = start(live.app, first)
    play(live.app, code, score(1, 0, 0, 25, 40), CloseGame())
    second = second_phone(live, phone, code, size=SMALL, language="pt")
    for page in (first, second):
        page.goto(f"/new?again={code}")
    first.get_by_role("button", name="Start").tap()
    expect(first).to_have_url(re.compile(r"/g/[\w-]+/$"))
    second.locator(".start-button").tap()
    expect(second).to_have_url(first.url)
    expect(second.get_by_text("O próximo jogo já começou: aqui está.")).to_be_visible()


def test_a_wrong_start_is_thrown_away_and_taken_back_on_the_other_phone(live, phone):
    first = phone(size=SMALL)
    code = start(live.app, first, LONG_NAMES[:4])
    second = second_phone(live, phone, code)
    second.goto(f"/g/{code}/")
    first.goto(f"/g/{code}/end")
    first.get_by_text("Started by mistake?").tap()
    first.get_by_role("button", name="Throw the game away").tap()
    expect(first.get_by_role("heading", name="This game was thrown away")).to_be_visible()
    assert first.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    assert_accessible(first)
    expect(second.get_by_role("heading", name="This game was thrown away")).to_be_visible()
    first.goto("/")
    expect(first.locator("a.tile")).to_have_count(0)
    second.get_by_role("button", name="Take the game back").tap()
    expect(second).to_have_url(f"{live.url}/g/{code}/")
    first.goto("/")
    expect(first.locator("a.tile")).to_have_count(1)


def test_several_games_are_thrown_away_at_once(live, phone):
    page = phone(size=SMALL, scheme="dark")
    start(live.app, page, LONG_NAMES[:8])
    with live.app.app_context():
        (game,) = record.games_for(device(live, page))
    page.goto("/nights")
    page.get_by_role("link", name="Throw games away").tap()
    expect(page.get_by_role("heading", name="Throw games away")).to_be_visible()
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    page.locator("main label").first.tap()
    page.get_by_text("Throw the ticked games away …").tap()
    page.get_by_role("button", name="Throw them away").tap()
    expect(page.get_by_text("1 game was thrown away.")).to_be_visible()
    page.locator(f'a[href="/g/{game.code}/end"]').tap()
    expect(page.get_by_role("button", name="Take the game back")).to_be_visible()


def test_play_on_after_all_after_a_correction(live, phone):
    page = phone()
    code = start(live.app, page)
    play(live.app, code, *(score(hand, 0, 0, 25, 40) for hand in range(1, 11)), CorrectScore(3, 0, {1: 5, 2: 10}))
    page.goto(f"/g/{code}/end")
    page.get_by_text("Play on after all").tap()
    page.get_by_role("button", name="Play on with hand 10").tap()
    expect(page).to_have_url(f"{live.url}/g/{code}/")
    expect(page.get_by_role("heading", name="Hand 10")).to_be_visible()


def device(live, page):
    """The id of a browser's device."""

    class Cookies:
        @staticmethod
        def get_cookie(name):
            value = next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == name)
            return type("Cookie", (), {"value": value})

    return device_of(live.app, Cookies)
