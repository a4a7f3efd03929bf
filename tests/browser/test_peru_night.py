"""The nine-deal rummy from Peru through the screens of one phone, by touch: from the names to the recap (P1–P9)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import assert_accessible
from tests.browser.conftest import PHONE, SMALL
from tests.browser.thumb import Table

PLAYERS = ("Ana", "Maximiliane-Alexandra", "Carl")
ANA, MAX, CARL = range(3)
#: A natural meld for every slot of each contract: sets by rank, runs by suit and lowest card.
MELDS = {
    1: ("5",), 2: ("7", "9"), 3: ("3", "8", "Q"), 4: ("K",), 5: ("6", "J"), 6: ("4",), 7: ("9", "A"), 8: ("10",), 9: ("S Q",),
}  # fmt: skip


class Peru(Table):
    """A table of three with two packs and four jokers."""

    def plain_deal(self, number: int, out: int, **points: str) -> None:
        """A deal in which one goes down with natural cards, and out."""
        self.at_hand(number)
        self.goes_down(out, MELDS[number])
        self.is_down(out)
        self.hand_over(out, **points)


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["375", "320"])
def test_a_whole_night_of_nine_deals(live, phone, size):
    page = phone(size=size, bypass_csp=True)
    page.expected(422)
    table = Peru(page, live.app, PLAYERS, hands=9)
    table.start("Peru")

    # 1: chips are for the whole game, one is given back (P8)
    expect(page.locator("#buy0 .pip-row i")).to_have_count(8)
    table.buy(MAX, "7 chips left")
    table.buy(MAX, "6 chips left")
    table.tap(page.locator("#back1"))
    expect(page.locator("#buy1")).to_have_attribute("aria-label", re.compile("7 chips left"))
    table.plain_deal(1, ANA, **{PLAYERS[MAX]: "25+10", "Carl": "15"})

    # 2: as many wilds as naturals are refused with the rule (P5); then a joker in the set, and the table is rearranged (P6)
    table.at_hand(2)
    expect(page.locator("#buy1")).to_have_attribute("aria-label", re.compile("7 chips left"))
    table.tap(page.locator("#p0").get_by_role("link", name="Goes down"))
    table.choose(0, "7", None)
    table.choose(1, "9", None)
    table.key(0, "wildJK", "2")
    table.tap(page.get_by_role("button", name="Lay them down"))
    expect(page.locator("main")).to_contain_text("P5")
    table.key(0, "wildJK", "1")
    table.tap(page.get_by_role("button", name="Lay them down"))
    table.is_down(ANA)
    expect(table.meld(ANA, 0)).to_contain_text("joker")
    assert_accessible(page)

    # no wild is ever thrown, and what plays may be (P7)
    table.tap(page.get_by_role("link", name="Throw?"))
    expect(page.locator("#c7S")).not_to_have_class(re.compile("dead"))
    table.tap(page.locator("#cJK"))
    expect(page.locator(".sheet-answer")).to_contain_text("P7")
    table.tap(page.get_by_role("link", name="Table"))

    table.tap(page.get_by_role("link", name="Rearrange the table"))
    table.tap(page.get_by_role("link", name="Ana"))
    expect(page.locator("h1")).to_have_text("Rearrange the table")
    assert_accessible(page)
    before = melds(table)
    table.tap(page.locator("#take-0"))
    page.locator("#m-0").fill("7S 7H 7C")
    table.tap(page.locator("#check"))
    expect(page.locator("#answer")).to_contain_text("Not like this")
    expect(page.locator("#answer")).to_contain_text("P6")
    table.tap(page.locator("#take-1"))
    page.locator("#m-1").fill(f"{before[1]} JK")
    table.tap(page.locator("#check"))
    expect(page.locator("#answer")).to_contain_text("Legal.")
    assert_accessible(page)
    table.tap(page.locator("#land"))
    expect(table.meld(ANA, 0)).not_to_contain_text("joker")
    expect(table.meld(ANA, 1)).to_contain_text("joker as 9")
    table.tap(page.locator("#undo"))
    expect(table.meld(ANA, 0)).to_contain_text("joker as 7")
    assert melds(table) == before
    table.tap(page.locator("#redo"))
    expect(table.meld(ANA, 1)).to_contain_text("joker as 9")
    table.hand_over(ANA, **{PLAYERS[MAX]: "50", "Carl": "30"})

    table.plain_deal(3, CARL, Ana="10", **{PLAYERS[MAX]: "15"})
    table.plain_deal(4, MAX, Ana="25", Carl="10")
    table.plain_deal(5, ANA, Carl="40", **{PLAYERS[MAX]: "20"})
    table.plain_deal(6, CARL, Ana="5", **{PLAYERS[MAX]: "10"})
    table.plain_deal(7, MAX, Ana="15", Carl="15")
    table.plain_deal(8, CARL, Ana="20", **{PLAYERS[MAX]: "35"})

    # 9: the run round the corner, with its natural 2 (P3)
    table.at_hand(9)
    table.goes_down(CARL, MELDS[9])
    table.is_down(CARL)
    expect(table.meld(CARL)).to_contain_text("Run Q♠–5♠: Q♠, K♠, A♠, 2♠, 3♠, 4♠, 5♠")
    table.hand_over(CARL, Ana="10", **{PLAYERS[MAX]: "25"})

    # Ana 0+0+10+25+0+5+15+20+10, Maximiliane-Alexandra 35+50+15+0+20+10+0+35+25, Carl 15+30+0+10+40+0+15+0+0 (P9)
    expect(page).to_have_url(re.compile("/end$"))
    expect(page.locator("h1")).to_contain_text("Ana")
    for name, total in {"Ana": 85, PLAYERS[MAX]: 190, "Carl": 110}.items():
        expect(page.get_by_role("row", name=re.compile(name)).first).to_contain_text(str(total))
    assert_accessible(page)
    page.goto(f"/g/{table.code}/recap")
    expect(page.locator("main")).to_contain_text("Ana")
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0


def melds(table: Peru) -> list[str]:
    """What lies on the table, in the notation."""
    return [str(on.meld) for on in table.state.hand.melds]
