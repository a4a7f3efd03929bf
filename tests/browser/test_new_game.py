"""Home and a new game on a real phone: by touch, by keyboard, without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.referee.commands import CloseGame
from tests.browser.axe import assert_accessible
from tests.browser.conftest import SMALL
from tests.browser.touch import Cookies, drag, scrolls_sideways, too_small
from tests.web import LONG_NAMES, play, score, start


def chairs_hold(page: Page, *names: str) -> None:
    """The chairs hold these names in this order, and the rest is blank."""
    fields = page.locator("input[name=name]")
    for index, name in enumerate(names):
        expect(fields.nth(index)).to_have_value(name)
    assert fields.evaluate_all("all => all.map((e) => e.value)")[len(names) :] == [""] * (fields.count() - len(names))


def chair(page: Page, number: int) -> Locator:
    """The field of a name."""
    return page.get_by_role("textbox", name=f"Chair {number}", exact=True)


def type_names(page: Page, *typed: str) -> None:
    """Type one name after another, each ended with Enter, as a keyboard's "next" does."""
    chair(page, 1).focus()
    for name in typed:
        page.keyboard.type(name)
        page.keyboard.press("Enter")


def at_the_table(page: Page) -> None:
    expect(page).to_have_url(re.compile(r"/g/[\w-]+/$"))


# --- starting --------------------------------------------------------------------------------------------------------


def test_a_newcomer_starts_with_the_keyboard_alone(live, phone):
    page = phone()
    page.goto("/")
    page.get_by_role("link", name="New game").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("/new")
    type_names(page, "Ana", "Bea", "Carl", "Dan", "Eve")
    chairs_hold(page, "Ana", "Bea", "Carl", "Dan", "Eve")
    page.get_by_label("Who deals first?").select_option("2: \u2068Bea\u2069")
    page.get_by_role("button", name="Start").focus()
    page.keyboard.press("Enter")
    at_the_table(page)


def test_last_weeks_table_in_two_taps(live, phone):
    page = phone()
    code = start(live.app, page)
    play(live.app, code, score(1, 0, 0, 25, 40), CloseGame())
    page.goto("/")
    page.get_by_role("link", name="Same people again").tap()
    chairs_hold(page, "Ana", "Bea", "Carl")
    expect(page.get_by_label("Who deals first?")).to_have_value("1")
    page.get_by_role("button", name="Start").tap()
    at_the_table(page)


def test_people_of_earlier_nights_come_and_go_with_a_tap(live, phone):
    page = phone()
    start(live.app, page, ("Ana", "Bea", "Carl"))
    page.goto("/new")
    for name in ("Carl", "Ana"):
        page.locator(".choices label", has_text=name).tap()
    chair(page, 3).fill("Dan")
    chairs_hold(page, "Carl", "Ana", "Dan")
    page.locator(".choices label", has_text="Carl").tap()
    chairs_hold(page, "Ana", "Dan")
    expect(page.get_by_role("checkbox", name="Carl")).not_to_be_checked()
    chair(page, 3).fill("bea")
    expect(page.get_by_role("checkbox", name="Bea")).to_be_checked()
    page.get_by_role("button", name="Start").tap()
    at_the_table(page)


def test_a_name_is_dragged_to_another_chair_and_the_deal_goes_with_it(live, phone):
    page = phone()
    page.goto("/new")
    type_names(page, "Ana", "Bea", "Carl")
    page.get_by_label("Who deals first?").select_option("0")
    grips = page.locator("[data-grip]")
    drag(page, grips.nth(0), grips.nth(2))
    expect(page.locator("input[name=name]").nth(2)).to_have_value("Ana")
    chairs_hold(page, "Bea", "Carl", "Ana")
    expect(page.get_by_label("Who deals first?")).to_have_value("2")
    assert page.locator("[data-grip]").all_inner_texts()[:3] == ["1", "2", "3"]


def test_a_name_is_moved_with_the_keyboard(live, phone):
    page = phone()
    page.goto("/new")
    type_names(page, "Ana", "Bea", "Carl")
    page.get_by_label("Who deals first?").select_option("2")
    button = page.get_by_role("button", name="Move up: Carl")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_be_focused()
    expect(page.locator("[data-said]")).to_have_text("Carl is on chair 2")
    page.keyboard.press("Space")
    chairs_hold(page, "Carl", "Ana", "Bea")
    expect(page.get_by_label("Who deals first?")).to_have_value("0")
    page.get_by_role("button", name="Move down: Ana").focus()
    page.keyboard.press("Enter")
    chairs_hold(page, "Carl", "Bea", "Ana")


def test_the_third_deck_is_announced_as_soon_as_seven_are_named(live, phone):
    page = phone()
    page.goto("/new")
    type_names(page, *[f"P{n}" for n in range(1, 7)])
    expect(page.locator("[data-third-deck]")).to_be_hidden()
    page.keyboard.type("P7")
    expect(page.locator("[data-third-deck]")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="One more chair")).to_be_hidden()
    page.get_by_role("button", name="Start").tap()
    at_the_table(page)


def test_what_is_wrong_is_said_at_its_field_and_everything_is_kept(live, phone):
    page = phone(bypass_csp=True)
    page.expected(422)
    page.goto("/new")
    chair(page, 1).fill("Ana")
    chair(page, 3).fill("ANA")
    page.locator("summary", has_text="Rules").tap()
    page.locator("summary", has_text="Players, decks and the deal").tap()
    page.get_by_label("Decks").select_option("3")
    page.get_by_role("button", name="Start").tap()
    expect(page.get_by_role("alert")).to_contain_text("At least 3 players are needed.")
    chairs_hold(page, "Ana", "", "ANA")
    expect(chair(page, 3)).to_have_accessible_description(re.compile("looks the same as another name"))
    expect(page.get_by_label("Decks")).to_have_value("3")
    assert_accessible(page)
    page.get_by_role("link", name="Chair 2: Type a name.").tap()
    expect(chair(page, 2)).to_be_focused()
    page.get_by_role("button", name="Take chair 2 away").tap()
    expect(chair(page, 2)).to_have_value("ANA")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_night_begun_on_paper(live, phone, scripts):
    page = phone(scripts=scripts)
    page.goto("/new")
    for number, name in enumerate(("Ana", "Bea", "Carl"), 1):
        chair(page, number).fill(name)
    points = page.get_by_label("Points so far")
    expect(points.first).to_be_hidden()
    page.locator("summary", has_text="Begun on paper").tap()
    for index, total in enumerate(("40", "0", "115")):
        points.nth(index).fill(total)
    page.get_by_label("Which hand comes next?").select_option("4")
    page.get_by_role("button", name="Move up: " + ("Carl" if scripts else "Chair 3")).tap()
    chairs_hold(page, "Ana", "Carl", "Bea")
    expect(points.nth(1)).to_have_value("115")
    page.get_by_role("button", name="Start").tap()
    at_the_table(page)
    expect(page.locator("#where")).to_have_text("Hand 4 of 10")


@pytest.mark.parametrize("scripts", [True, False])
def test_two_taps_start_one_game(live, phone, scripts):
    page = phone(scripts=scripts)
    page.goto("/new")
    for number, name in enumerate(("Ana", "Bea", "Carl"), 1):
        chair(page, number).fill(name)
    page.get_by_role("button", name="Start").dblclick()
    at_the_table(page)
    page.goto("/")
    expect(page.get_by_text("Hand 1 of 10")).to_have_count(1)


def test_without_scripts_everything_works(live, phone):
    page = phone(scripts=False)
    page.expected(422)
    start(live.app, Cookies(page, live.url), ("Ana", "Bea", "Carl"))
    page.goto("/new")
    chair(page, 1).fill("Dan")
    page.locator(".choices label", has_text="Ana").tap()
    page.locator(".choices label", has_text="Bea").tap()
    page.get_by_role("button", name="One more chair").tap()
    chairs_hold(page, "Dan", "Ana", "Bea")
    page.get_by_role("button", name="Move down: Dan").tap()
    chairs_hold(page, "Ana", "Dan", "Bea")
    page.get_by_label("Who deals first?").select_option("2: Dan")
    chair(page, 4).fill("dan")
    page.get_by_role("button", name="Start").tap()
    expect(page.get_by_role("alert")).to_contain_text("looks the same")
    chair(page, 4).fill("Eve")
    page.get_by_role("button", name="Start").tap()
    at_the_table(page)


# --- looks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_home_and_form_on_the_smallest_phone_with_the_longest_names(live, phone, scheme, language):
    page = phone(size=SMALL, scheme=scheme, language=language, bypass_csp=True)
    going = start(live.app, page, LONG_NAMES)
    play(live.app, going, score(1, 5, 5, 10, 15, 20, 25, 0, 30, 35))
    play(live.app, _same_phone(live, page, LONG_NAMES), score(1, 0, 0, 10, 15, 20, 25, 10, 30, 35), CloseGame())
    for address in ("/", "/new", f"/new?again={going}"):
        page.goto(address)
        if address != "/":
            for summary in page.locator(".start-form > details > summary, .chapter > summary").all():
                summary.tap()
        assert not scrolls_sideways(page), address
        assert too_small(page) == [], address
        assert_accessible(page)


def _same_phone(live, page: Page, players: tuple[str, ...]) -> str:
    """One more game, started by this phone itself."""
    page.goto("/new")
    for _ in range(len(players) - 4):
        page.locator("[data-add]").tap()
    for field, name in zip(page.locator("input[name=name]").all(), players, strict=True):
        field.fill(name)
    page.locator(".start-button").tap()
    at_the_table(page)
    return page.url.split("/")[4]


def test_the_first_screen_is_clean_and_says_what_to_do(live, phone):
    page = phone(size=SMALL, bypass_csp=True)
    page.goto("/")
    expect(page.get_by_text("Type who plays")).to_be_visible()
    assert page.get_by_role("link", name="New game").bounding_box()["y"] < 568
    assert too_small(page) == []
    assert_accessible(page)


def test_the_language_is_switched_where_one_is(live, phone):
    page = phone()
    page.goto("/new")
    page.get_by_role("button", name="Português").tap()
    expect(page.locator("html")).to_have_attribute("lang", "pt")
    expect(page).to_have_url(re.compile("/new$"))
