"""What is read from sixty centimetres is large enough, and a long meld is one row."""

from __future__ import annotations

import pytest

from companion.referee.commands import GoDown, ScoreHand
from companion.referee.notation import read_meld
from tests.browser.conftest import SMALL
from tests.web import play, start

FIVE = ("Ana", "Ben", "Carla", "Dimitri", "Eva")
#: What, and the pixels it has at least.
SIZES = {
    ".contract-words": 22,
    ".player-total strong": 22,
    ".player-name": 20,
    ".laid .card b": 18,
    ".laid .as": 13,
    ".tag": 13,
}
MEASURE = "all => Math.min(...all.map(one => parseFloat(getComputedStyle(one).fontSize)))"


@pytest.fixture
def table(live):
    """Opens hand 8 of five players, with a run of ten; gives the table's address."""

    def make(page):
        code = start(live.app, page, FIVE)
        for number in range(1, 8):
            play(live.app, code, ScoreHand(number, 0, dict(enumerate((0, 5, 10, 15, 20))), sure=True))
        page.goto(f"/g/{code}/")
        untouched = page.evaluate("document.querySelector('.table-acts').getBoundingClientRect().bottom + scrollY")
        melds = (read_meld("set 7S 7H 7D"), read_meld("run 4H 5H 2D 7H 8H 9H 10H JH QH KH"))
        play(live.app, code, GoDown(8, 1, melds))
        page.goto(f"/g/{code}/")
        return f"/g/{code}/", untouched

    return make


def test_the_table_is_read_from_afar(live, phone, table):
    page = phone()
    address, untouched = table(page)
    assert untouched <= 1.5 * 667  # five players before anybody is down, on a phone of 667
    normal = {what: page.locator(what).evaluate_all(MEASURE) for what in SIZES}
    assert {what: size for what, size in normal.items() if size < SIZES[what]} == {}
    page.goto("/settings")
    page.get_by_label("Large").check()
    with page.expect_navigation():
        page.get_by_role("button", name="Save").tap()
    page.goto(address)
    assert all(page.locator(what).evaluate_all(MEASURE) >= 1.35 * normal[what] - 0.1 for what in SIZES)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_run_of_ten_is_one_row_on_a_small_phone(live, phone, table):
    page = phone(size=SMALL, scheme="dark")
    table(page)
    cards = (
        page.locator(".laid").nth(1).locator(".card").evaluate_all("all => all.map(one => one.getBoundingClientRect())")
    )
    assert len(cards) == 10
    assert len({round(card["y"]) for card in cards}) == 1
    assert cards[-1]["x"] + 44 <= 320
