"""A whole night of ten hands through the screens of one phone, by touch, as a table plays it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser import thumb
from tests.browser.conftest import PHONE, SMALL

PLAYERS = ("Ana", "Bea", "Carl", "Dora")
ANA, BEA, CARL, DORA = range(4)
#: A natural meld for every slot of each contract: sets by rank, runs by suit and lowest card.
MELDS = {
    1: ("5", "9"), 2: ("7", "S 4"), 3: ("6", "J"), 4: ("3", "8", "Q"), 5: ("K", "H 5"),
    6: ("4", "A", "D 6"), 7: ("S 3", "H 8", "C 10"), 8: ("9", "D 4"), 9: ("3", "5", "7", "C 8"), 10: ("S 5", "H 10", "D 3"),
}  # fmt: skip


class Table(thumb.Table):
    """A table of four playing Gripe."""

    def plain_hand(self, number: int, out: int, **points: str) -> None:
        """A hand in which one goes down with natural cards, and out."""
        self.at_hand(number)
        if number in (8, 9):
            self.buy(out, "2 buys left")
        if number == 10:
            self.buy(out, "3 buys left")
            self.buy(out, "2 buys left")
        self.goes_down(out, MELDS[number])
        self.is_down(out)
        self.hand_over(out, **points)


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["375", "320"])
def test_a_whole_night(live, phone, size):
    page = phone(size=size)
    page.expected(422)
    table = Table(page, live.app, PLAYERS)
    table.start()

    # 1: buys up to the limit, the one too many refused, a mis-tap given back, wilds in the sets
    for left in ("2 buys left", "1 buy left", "no buys left"):
        table.buy(BEA, left)
    table.tap(page.locator("#buy1"))
    expect(page.locator("#p1 #refused")).to_contain_text("G5.3")
    table.tap(page.locator("#back1"))
    expect(page.locator("#buy1")).to_have_attribute("aria-label", "Bea buys: 1 buy left")
    before = table.taps
    table.goes_down(BEA, MELDS[1], {1: 1})
    table.is_down(BEA)
    assert table.taps - before <= 10
    expect(table.meld(BEA, 1)).to_contain_text("Set of nines: 9, 9, 2 as 9")
    table.hand_over(BEA, Ana="15+20+5", Carl="25", Dora="45")

    # 2: a run with a 2; the card it stands for may not be thrown, and then takes its place
    table.at_hand(2)
    table.goes_down(CARL, MELDS[2], {1: (1,)})
    table.is_down(CARL)
    expect(table.meld(CARL, 1)).to_contain_text("Run 4♠–7♠: 4♠, 2 as 5♠, 6♠, 7♠")
    table.tap(page.get_by_role("link", name="Throw?"))
    expect(page.locator("#c5S")).to_have_class(re.compile("dead"))
    table.tap(page.locator("#c5S"))
    expect(page.locator(".sheet-answer")).to_contain_text("G8.1")
    expect(page.locator("#c9S")).not_to_have_class(re.compile("dead"))
    table.tap(page.get_by_role("link", name="Table"))
    table.tap(table.meld(CARL, 1))
    table.tap(page.locator('label:has([name=seat][value="2"])'))
    table.tap(page.locator('[name=card][value="5S"]'))
    table.tap(page.locator(".way", has_text="3♠"))
    expect(table.meld(CARL, 1)).to_contain_text("Run 3♠–7♠: 2 as 3♠, 4♠, 5♠, 6♠, 7♠")
    table.hand_over(CARL, Ana="30", Bea="20", Dora="60")

    # 3: an invalid lay-down shows every reason and keeps what was entered; then it is put right
    table.at_hand(3)
    table.tap(page.locator("#p0").get_by_role("link", name="Goes down"))
    table.choose(0, "6", 4)
    table.tap(page.get_by_role("button", name="Lay them down"))
    expect(page.locator("main")).to_contain_text("G3.3")
    expect(page.locator('[name="m0-rank"][value="6"]')).to_be_checked()
    table.key(0, "wild2", "1")
    table.choose(1, "J", None)
    table.tap(page.get_by_role("button", name="Lay them down"))
    table.is_down(ANA)
    table.hand_over(ANA, Bea="35", Carl="10", Dora="20")

    # 4: somebody floats, and nobody goes out
    table.at_hand(4)
    table.goes_down(DORA, MELDS[4])
    table.tap(page.locator("#float3"))
    expect(page.locator("#float3")).to_have_attribute("aria-label", "Dora floats: take it back")
    expect(page.locator("#float3 use")).to_have_attribute("href", "#i-yes")
    table.hand_over(None, Ana="10", Bea="15", Carl="5")

    # 5, and back over its end
    table.plain_hand(5, BEA, Ana="50", Carl="55", Dora="5")
    table.at_hand(6)
    expect(page.locator("#undo")).to_contain_text("Hand 5")
    table.tap(page.locator("#undo"))
    table.at_hand(5)
    table.is_down(BEA)
    table.tap(page.locator("#redo"))

    # 6: hand 2 is corrected in the middle of it
    table.at_hand(6)
    table.tap(page.get_by_role("link", name="Scores"))
    table.tap(page.get_by_role("link", name=re.compile("Hand 2,")))
    page.locator("#points-3").fill("65")
    table.tap(page.get_by_role("button", name="See the new totals"))
    expect(page.locator("main")).to_contain_text("130")
    expect(page.locator("main")).to_contain_text("135")
    table.tap(page.locator("#save"))
    expect(page).to_have_url(re.compile("/scores"))
    assert table.state.score_of(2).points[DORA] == 65
    table.tap(page.get_by_role("link", name="Table"))
    table.plain_hand(6, CARL, Ana="20", Bea="40", Dora="5")

    table.plain_hand(7, DORA, Ana="25", Bea="30", Carl="75")
    table.plain_hand(8, ANA, Bea="15", Carl="20", Dora="10")
    table.plain_hand(9, BEA, Ana="5", Carl="10", Dora="15")
    table.plain_hand(10, CARL, Ana="20", Bea="45", Dora="60")

    # Ana 40+30+0+10+50+20+25+0+5+20, Bea 0+20+35+15+0+40+30+15+0+45, Carl 25+0+10+5+55+0+75+20+10+0, and Dora
    totals = {"Ana": 200, "Bea": 200, "Carl": 200, "Dora": 225}
    expect(page).to_have_url(re.compile("/end$"))
    for name, total in totals.items():
        row = page.get_by_role("row", name=re.compile(name))
        expect(row.first).to_contain_text(str(total))
    expect(page.locator("h1")).to_contain_text("Ana")
    expect(page.locator("h1")).to_contain_text("Carl")
    expect(page.locator("h1")).not_to_contain_text("Dora")

    # the end of the night is undone as well, and restored
    page.goto(f"/g/{table.code}/history")
    table.tap(page.get_by_role("button", name=re.compile("Undo")))
    expect(page.locator("#where")).to_have_text("Hand 10 of 10")
    assert table.state.hand.number == 10
    table.tap(page.get_by_role("button", name=re.compile("Redo")))
    expect(page.locator("#where")).to_have_text("The night is over")
    assert table.state.hand is None

    # once more with the same people: one tap, and one to start
    page.goto(f"/g/{table.code}/end")
    table.tap(page.get_by_role("link", name=re.compile("same people|Again|Once more", re.I)).first)
    table.tap(page.get_by_role("button", name="Start", exact=True))
    table.at_hand(1)
    assert len(table.state.order) == 4
