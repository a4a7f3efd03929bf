"""Going down, laying off and putting right on a real phone: few taps, without scripts too, at every size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from companion import record
from companion.referee import commands as c
from companion.referee.cards import parse_card
from companion.referee.games import KATE, PERU
from companion.referee.notation import read_meld
from companion.referee.rules import Rules
from tests.browser.axe import assert_accessible
from tests.browser.conftest import SMALL
from tests.web import LONG_NAMES, play, score, start


class Fingers:
    """Taps, counted."""

    def __init__(self) -> None:
        self.taps = 0

    def tap(self, target: Locator) -> None:
        target.tap()
        self.taps += 1


def state(live: Any, code: str) -> Any:
    with live.app.app_context():
        view = record.load(code)
    assert view is not None
    return view.state


def melds(live: Any, code: str) -> list[str]:
    return [str(meld.meld) for meld in state(live, code).hand.melds]


def at_hand(live: Any, page: Page, number: int, rules: Rules = KATE, **more: Any) -> str:
    code = start(live.app, page, rules=rules, **more)
    players = len(more.get("names", "123"))
    play(live.app, code, *(score(n, 0, 0, *[10] * (players - 1)) for n in range(1, number)))
    return code


def key(page: Page, meld: int, name: str, value: str) -> Locator:
    return page.locator(f'label:has([name="m{meld}-{name}"][value="{value}"])')


def place(page: Page, meld: int, number: int) -> Locator:
    return page.locator(f"#m{meld} .place").nth(number - 1)


def test_three_runs_take_at_most_ten_taps_and_one_for_each_2(live, phone):
    page, hand = phone(), Fingers()
    code = at_hand(live, page, 7)
    page.goto(f"/g/{code}/")
    hand.tap(page.locator('a[href$="/down?seat=1"]'))
    for meld, (suit, low) in enumerate((("S", "4"), ("H", "J"), ("C", "3"))):
        hand.tap(key(page, meld, "suit", suit))
        hand.tap(key(page, meld, "low", low))
    wilds = (place(page, 0, 2), place(page, 1, 4))
    for wild in wilds:
        hand.tap(wild)
    hand.tap(page.locator("#lay"))
    page.wait_for_url(f"**/g/{code}/")
    assert melds(live, code) == ["4S 2? 6S 7S", "JH QH KH 2?", "3C 4C 5C 6C"]
    assert hand.taps <= 10 + len(wilds)


def test_three_sets_take_at_most_ten_taps_and_one_for_each_2(live, phone):
    page, hand = phone(), Fingers()
    code = at_hand(live, page, 4)
    page.goto(f"/g/{code}/")
    hand.tap(page.locator('a[href$="/down?seat=2"]'))
    for meld, rank in enumerate(("4", "10", "A")):
        hand.tap(key(page, meld, "rank", rank))
    hand.tap(key(page, 2, "wild2", "1"))
    hand.tap(page.locator("#lay"))
    page.wait_for_url(f"**/g/{code}/")
    assert melds(live, code) == ["4? 4? 4?", "10? 10? 10?", "A? A? 2?"]
    assert hand.taps <= 10 + 1


def drawn(page: Page) -> list[str]:
    """The texts that style draws before the places of runs, as laid out."""
    session = page.context.new_cdp_session(page)
    shot = session.send("DOMSnapshot.captureSnapshot", {"computedStyles": []})
    texts, document = shot["strings"], shot["documents"][0]
    pseudo, parents = document["nodes"]["pseudoType"], document["nodes"]["parentIndex"]
    befores = {at for at, kind in zip(pseudo["index"], pseudo["value"], strict=True) if texts[kind] == "before"}
    shown: dict[int, str] = {}
    for at, text in zip(document["layout"]["nodeIndex"], document["layout"]["text"], strict=True):
        if at in befores and text >= 0 and _is_place(document, texts, parents[at]):
            shown[at] = shown.get(at, "") + texts[text]
    return list(shown.values())


def _is_place(document: Any, texts: list[str], node: int) -> bool:
    return "place" in [texts[each] for each in document["nodes"]["attributes"][node]]


def test_the_places_of_a_run_are_its_cards(live, phone):
    page = phone(size=SMALL)
    code = at_hand(live, page, 2)
    page.goto(f"/g/{code}/down?seat=1")
    key(page, 1, "suit", "H").tap()
    key(page, 1, "low", "10").tap()
    assert drawn(page) == ["10♥", "J♥", "Q♥", "K♥"]
    key(page, 1, "count", "5").tap()
    place(page, 1, 5).tap()
    key(page, 1, "count", "4").tap()
    shown = page.locator("#m1 .place").evaluate_all("all => all.map(one => getComputedStyle(one).display !== 'none')")
    assert shown == [True] * 5 + [False] * 4  # the mark past the end stays in sight


def test_p3_round_the_corner_the_places_go_on_past_the_ace(live, phone):
    page = phone()
    code = at_hand(live, page, 9, PERU)
    page.goto(f"/g/{code}/down?seat=1")
    key(page, 0, "suit", "C").tap()
    key(page, 0, "low", "Q").tap()
    assert drawn(page) == ["Q♣", "K♣", "A♣", "2♣", "3♣", "4♣", "5♣"] * 2  # once for 2s, once for jokers


def test_a_night_without_scripts(live, phone):
    page = phone(scripts=False)
    page.expected(422)
    code = start_without_scripts(live, phone, page)
    page.goto(f"/g/{code}/down")
    page.get_by_role("link", name="Bea").tap()
    key(page, 0, "rank", "9").tap()
    page.locator("#m1 summary").tap()
    page.locator("#m1-typed").fill("6S 2H 5S 2D")
    page.locator("#lay").tap()
    page.get_by_text("Say how they lie").wait_for()
    page.locator('[name="m1-reading"]').nth(1).check()
    page.locator("#lay").tap()
    page.wait_for_url(f"**/g/{code}/")
    assert melds(live, code) == ["9? 9? 9?", "2D 5S 6S 2H"]
    page.goto(f"/g/{code}/melds/1")
    page.get_by_role("button", name="four of spades").tap()
    page.get_by_role("button", name="the wild becomes 3♠").tap()
    page.wait_for_url(f"**/g/{code}/")
    assert melds(live, code)[1] == "2D 4S 5S 6S 2H"
    page.goto(f"/g/{code}/melds/1")
    page.get_by_text("Entered wrongly?").tap()
    page.get_by_role("button", name="Take this meld off the table").tap()
    page.get_by_role("button", name="Take it off the table").tap()
    page.wait_for_url(f"**/g/{code}/")
    assert melds(live, code) == ["9? 9? 9?"]


def start_without_scripts(live: Any, phone: Callable[..., Page], page: Page) -> str:
    """A game of hand 2 for a phone that cannot say where it is: another lends it its cookie."""
    helper = phone()
    code = at_hand(live, helper, 2)
    page.context.add_cookies(helper.context.cookies())
    return code


def test_enter_in_a_field_sends_the_form_and_overrules_nothing(live, phone):
    page = phone()
    page.expected(422)
    code = at_hand(live, page, 2)
    page.goto(f"/g/{code}/down?seat=1")
    key(page, 0, "rank", "9").tap()
    key(page, 0, "wild2", "3").tap()
    key(page, 1, "suit", "S").tap()
    key(page, 1, "low", "4").tap()
    page.locator("#lay").tap()
    page.locator('[name="overrule"]').first.wait_for()
    page.locator("#m1 summary").tap()
    page.locator("#m1-typed").fill("4H 5H 6H 7H")
    page.locator("#m1-typed").press("Enter")
    page.wait_for_load_state()
    assert page.locator("#m1-typed").input_value() == "4H 5H 6H 7H"
    assert state(live, code).rules.min_naturals == 1
    page.locator('[name="overrule"][value="min_naturals=0"]').tap()
    page.wait_for_url(f"**/g/{code}/")
    assert melds(live, code) == ["2? 2? 2?", "4H 5H 6H 7H"]


def test_enter_after_a_typed_card_lays_that_card(live, phone):
    page = phone()
    code = at_hand(live, page, 2)
    play(live.app, code, c.GoDown(2, 1, (read_meld("set 9S 9H 9D"), read_meld("run 4S 2H 6S 7S"))))
    page.goto(f"/g/{code}/melds/1")
    page.get_by_text("Type the card instead").tap()
    page.locator("#typed").fill("8s")
    page.locator("#typed").press("Enter")
    page.wait_for_url(f"**/g/{code}/")
    assert melds(live, code)[1] == "4S 2H 6S 7S 8S"


def test_the_back_button_after_going_down_shows_that_they_are_down(live, phone):
    page = phone()
    code = at_hand(live, page, 2)
    page.goto(f"/g/{code}/down?seat=1")
    for meld, name, value in ((1, "suit", "S"), (1, "low", "4"), (0, "rank", "9")):
        key(page, meld, name, value).tap()
    page.locator("#lay").tap()
    page.wait_for_url(f"**/g/{code}/")
    page.go_back()
    page.get_by_role("heading", name="Bea is down").wait_for()
    assert page.locator("#lay").count() == 0


PAGES = {
    "down": "down?seat=0",
    "who": "down",
    "is down": "down?seat=1",
    "set": "melds/0",
    "run": "melds/1?seat=1",
    "back": "down/back?seat=1",
}
BEA_DOWN = c.GoDown(2, 1, (read_meld("set 9S 9H 9D"), read_meld("run 4S 2H 6S 7S 8S 9S 10S JS")))


def crowded(live: Any, page: Page) -> str:
    """Hand 2 of eight people with long names: one is down with a long run, another has laid off on it."""
    code = at_hand(live, page, 2, names=LONG_NAMES)
    laid_off = c.LayOff(2, 2, 1, parse_card("QS"))
    play(live.app, code, BEA_DOWN, c.GoDownWithoutCards(2, 2), laid_off)
    return code


def assert_fits(page: Page) -> None:
    """Nothing scrolls sideways, and every target of the page's own is big enough for a thumb."""
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")
    small = page.locator(
        "main :is(button, .button, summary, .key, .place, .chip, .reading, .choices label, .back)"
    ).evaluate_all(
        """all => all.filter(one => one.offsetParent && !one.classList.contains("hidden"))
            .map(one => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
            .filter(([, box]) => box.width < 47.5 || box.height < 47.5).map(([html, box]) => html + box.width + "x" + box.height)"""
    )
    assert not small


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_every_page_is_readable_for_everybody_on_a_small_phone(live, phone, scheme, language):
    page = phone(size=SMALL, scheme=scheme, language=language, bypass_csp=True)
    code = crowded(live, page)
    for address in PAGES.values():
        page.goto(f"/g/{code}/{address}")
        for closed in page.locator("main details").all():
            closed.evaluate("one => { one.open = true }")
        assert_accessible(page)
        assert_fits(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_refusals_questions_and_previews_are_readable_for_everybody(live, phone, scheme):
    page = phone(size=SMALL, scheme=scheme, bypass_csp=True)
    page.expected(422)
    code = crowded(live, page)
    page.goto(f"/g/{code}/down?seat=0")
    key(page, 0, "wild2", "5").tap()
    key(page, 1, "suit", "H").tap()
    page.locator("#lay").tap()
    page.locator(".to-wrong").wait_for()
    assert_accessible(page)
    assert_fits(page)
    key(page, 0, "rank", "7").tap()
    key(page, 0, "wild2", "3").tap()
    page.locator("#m1 summary").tap()
    page.locator("#m1-typed").fill("6S 2H 5S 2D")
    page.locator("#lay").tap()
    page.locator(".readings").wait_for()
    assert_accessible(page)
    assert_fits(page)
    page.goto(f"/g/{code}/melds/1")
    page.get_by_role("button", name="five of spades").tap()
    page.get_by_text("Who lays the 5♠?").wait_for()
    assert_accessible(page)
    assert_fits(page)
    page.get_by_role("button", name=LONG_NAMES[2]).tap()
    page.locator(".ways").wait_for()
    assert_accessible(page)
    assert_fits(page)
    page.goto(f"/g/{code}/melds/1")
    page.get_by_text("Entered wrongly?").tap()
    page.locator('label:has([name="c-count"][value="4"])').tap()
    page.get_by_role("button", name="See what changes").tap()
    page.locator("#preview").wait_for()
    assert_accessible(page)
    assert_fits(page)


def test_text_twice_as_big_scrolls_nothing_sideways(live, phone):
    page = phone(bypass_csp=True)
    code = crowded(live, page)
    for address in PAGES.values():
        page.goto(f"/g/{code}/{address}")
        page.add_style_tag(content="html { font-size: 200% !important }")
        assert page.evaluate("document.documentElement.scrollWidth") <= 375
