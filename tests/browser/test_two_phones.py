"""A night of ten hands on two phones: the connection, the language and the page are cut off in the middle of every kind of form."""

from __future__ import annotations

import re

from playwright.sync_api import expect
from sqlalchemy import func, select

from companion.command.maintenance import check
from companion.db import db
from companion.models import Game
from tests.browser.conftest import SMALL
from tests.browser.program import live
from tests.browser.test_drafts import LINES, portuguese
from tests.browser.test_live import join
from tests.browser.test_scores import points, scores
from tests.browser.test_whole_night import ANA, BEA, CARL, DORA, MELDS, PLAYERS, Table


def english(page):
    page.locator(".languages").get_by_role("button", name="English").tap()
    expect(page.locator("html")).to_have_attribute("lang", "en")


__all__ = ["live"]


class Night:
    """A night on two phones, on a server that is started anew again and again."""

    def __init__(self, live, here, there):
        self.live, self.here, self.there = live, here, there
        self.table = Table(here, live.app, PLAYERS)

    def interrupt(self, page):
        """The language there and back, a reload, a moment without a connection, and a server that is started anew."""
        portuguese(page)
        english(page)
        page.reload()
        page.context.set_offline(True)
        page.context.set_offline(False)
        self.live.restart()
        page.reload()

    def goes_down(self, page, seat, number, interrupted=True):
        """A player goes down on a phone, which is interrupted with one meld chosen."""
        self.table.page = page
        page.locator(f"#p{seat}").get_by_role("link", name="Goes down").tap()
        melds = MELDS[number]
        self.table.choose(0, melds[0], None)
        if interrupted:
            self.interrupt(page)
        for slot, meld in enumerate(melds[1:], 1):
            self.table.choose(slot, meld, None)
        page.get_by_role("button", name="Lay them down").tap()
        for each in (self.here, self.there):
            expect(each.locator(f"#p{seat}").locator(".act-done", has_text="Down")).to_be_visible(timeout=15_000)

    def hand_over(self, page, out, number, **typed):
        """The hand is counted on a phone, which is interrupted with everything typed; both phones are at the next one."""
        page.get_by_role("link", name="Hand over").tap()
        page.locator(f'label:has([name=out][value="{out}"])').tap()
        for name, words in typed.items():
            points(page, (*PLAYERS, "Eve").index(name)).fill(words)
        self.interrupt(page)
        for name, words in typed.items():
            expect(points(page, (*PLAYERS, "Eve").index(name))).to_have_value(words)
        expect(page.locator(f"[name=out][value='{out}']")).to_be_checked()
        page.get_by_role("button", name="See the new totals").tap()
        page.locator("#save").tap()
        if number < 10:
            for each in (self.here, self.there):
                expect(each.locator(".top-title")).to_have_text(f"Hand {number + 1} of 10", timeout=15_000)


def test_a_night_on_two_phones(live, phone):
    here, there = phone(), phone(size=SMALL, scheme="dark")
    for page in (here, there):
        page.expected(409, 422)
        page.expect_no_server()
    night = Night(live, here, there)
    table = night.table

    # New game: the names outlast it all, and Start makes one game.
    here.goto("/new")
    for chair, name in enumerate(PLAYERS):
        here.locator("input[name=name]").nth(chair).fill(name)
    night.interrupt(here)
    expect(here.locator("input[name=name]").nth(3)).to_have_value("Dora")
    here.get_by_label("Who deals first?").select_option("0")
    here.get_by_role("button", name="Start", exact=True).tap()
    table.at_hand(1)
    code = table.code
    there.goto("/referee")
    join(live, there, code)
    there.goto(f"/g/{code}/")
    # Hand 1: a buy without a connection waits on the phone and lands once, and the end of the hand is gone back to.
    night.goes_down(here, BEA, 1)
    there.context.set_offline(True)
    there.locator("#buy2").tap()
    expect(there.locator("#waiting li")).to_have_count(1)
    there.context.set_offline(False)
    expect(here.locator("#buy2")).to_have_attribute("aria-label", "Carl buys: 2 buys left", timeout=15_000)
    here.get_by_role("link", name="Hand over").tap()
    here.locator('label:has([name=out][value="1"])').tap()
    for seat, typed in ((0, "15+20+5"), (2, "25"), (3, "45")):
        points(here, seat).fill(typed)
    here.get_by_role("button", name="See the new totals").tap()
    here.locator("#save").wait_for()
    here.go_back()
    expect(points(here, 3)).to_have_value("45")
    here.get_by_role("button", name="See the new totals").tap()
    here.locator("#save").tap()
    table.at_hand(2)
    expect(there.locator(".top-title")).to_have_text("Hand 2 of 10", timeout=15_000)

    # A correction on the other phone, undone on this one with one tap.
    there.goto(f"/g/{code}/scores/1")
    points(there, 2).fill("30")
    night.interrupt(there)
    expect(points(there, 2)).to_have_value("30")
    there.get_by_role("button", name="See the new totals").tap()
    there.locator("#save").tap()
    expect(here.locator("#p2")).to_contain_text("30", timeout=15_000)
    assert scores(live, code)[0].points[2] == 30
    here.get_by_role("button", name=re.compile("^Undo")).tap()
    expect(here.locator("#p2")).to_contain_text("25")
    assert scores(live, code)[0].points[2] == 25
    there.goto(f"/g/{code}/")

    # Hand 2: a card is laid off on the other phone, with the player chosen before it is interrupted.
    night.goes_down(here, CARL, 2)
    there.locator("#p2 .laid").nth(1).tap()
    there.locator('label:has([name=seat][value="2"])').tap()
    there.locator("summary", has_text="Type the card instead").tap()
    there.locator("#typed").fill("8S")
    night.interrupt(there)
    expect(there.locator("#typed")).to_have_value("8S")
    there.get_by_role("button", name="Lay it").tap()
    expect(here.locator("#p2 .laid").nth(1)).to_contain_text("Run 4♠–8♠", timeout=15_000)
    night.hand_over(there, CARL, 2, Ana="30", Bea="20", Dora="60")

    # Hand 3: who gets the card is asked in the middle of everything; nothing of it is entered.
    here.goto(f"/g/{code}/who")
    here.locator("input[name=discarder]").nth(0).check(force=True)
    here.locator("input[name=call]").nth(2).check(force=True)
    night.interrupt(here)
    assert here.locator("input[name=call]").nth(2).is_checked()
    here.goto(f"/g/{code}/")
    night.goes_down(there, ANA, 3)
    night.hand_over(here, ANA, 3, Bea="35", Carl="10", Dora="20")

    # Hand 4: somebody comes late, with a place at the table.
    there.goto(f"/g/{code}/players")
    there.locator("#name").fill("Eve")
    there.locator("#place").select_option(index=1)
    night.interrupt(there)
    expect(there.locator("#name")).to_have_value("Eve")
    there.get_by_role("button", name="Joins the table").tap()
    there.locator(".seat-name", has_text="Eve").wait_for()
    expect(here.locator("#p4")).to_contain_text("Eve", timeout=15_000)
    there.goto(f"/g/{code}/")
    night.goes_down(here, DORA, 4)
    night.hand_over(there, DORA, 4, Ana="10", Bea="15", Carl="5", Eve="20")

    # What Eve came with is corrected, and Bea gets another name, while hand 5 is played.
    here.goto(f"/g/{code}/scores/start")
    here.locator("[name=start-4]").fill("70")
    night.interrupt(here)
    expect(here.locator("[name=start-4]")).to_have_value("70")
    here.get_by_role("button", name="See the new totals").tap()
    here.get_by_role("button", name="Save the correction").tap()
    here.get_by_text("The points at the start are corrected.").wait_for()
    here.goto("/people")
    here.get_by_role("link", name="Carl").tap()
    here.locator("summary", has_text="Another name").tap()
    here.locator("#rename input[name=name]").fill("Karl")
    night.interrupt(here)
    expect(here.locator("#rename input[name=name]")).to_have_value("Karl")
    here.get_by_role("button", name="Save the name").tap()
    here.get_by_role("heading", name="Karl").wait_for()
    there.reload()
    expect(there.locator("#p2")).to_contain_text("Karl")

    # Hands 5 to 10, by turns on the two phones.
    for page in (here, there):
        page.goto(f"/g/{code}/")
    for number in range(5, 11):
        first, second = (here, there) if number % 2 else (there, here)
        night.goes_down(first, ANA, number, interrupted=number == 7)
        second.get_by_role("link", name="Hand over").tap()
        second.locator('label:has([name=out][value="0"])').tap()
        for seat in (1, 2, 3, 4):
            second.locator(f"#points-{seat}").fill("20")
        if number == 10:
            night.interrupt(second)
            expect(second.locator("#points-4")).to_have_value("20")
        second.get_by_role("button", name="See the new totals").tap()
        second.locator("#save").tap()
        for each in (here, there):
            if number < 10:
                expect(each.locator(".top-title")).to_have_text(f"Hand {number + 1} of 10", timeout=15_000)
            else:
                each.wait_for_url(f"**/g/{code}/end")
    assert len(scores(live, code)) == 10

    # The next game from both phones at once: one game, which one of them throws away and the other takes back.
    for page in (here, there):
        page.goto(f"/g/{code}/end")
        page.get_by_role("link", name="Again with the same people").tap()
        page.get_by_role("button", name="Start", exact=True).wait_for()
    night.interrupt(here)
    for page in (here, there):
        page.get_by_role("button", name="Start", exact=True).tap()
        page.wait_for_url(re.compile(r"/g/[\w-]+/$"))
    assert here.url == there.url != f"{live.url}/g/{code}/"
    begun = here.url
    here.goto(f"{begun}end")
    here.get_by_text("Started by mistake?").tap()
    night.interrupt(here)
    here.get_by_text("Started by mistake?").tap()
    here.get_by_role("button", name="Throw the game away").tap()
    thrown = there.get_by_role("heading", name="This game was thrown away")
    expect(thrown).to_be_visible(timeout=15_000)
    night.interrupt(there)
    there.get_by_role("button", name="Take the game back").tap()
    expect(there).to_have_url(begun)

    # Old nights from paper, at the end of the evening.
    here.goto("/data/paper")
    here.locator("#text").fill(LINES)
    night.interrupt(here)
    expect(here.locator("#text")).to_have_value(LINES)
    here.get_by_role("button", name="Look at the lines").tap()
    here.get_by_role("button", name="Bring them in").tap()
    here.wait_for_url("/data")
    with live.app.app_context():
        assert db.session.scalar(select(func.count(Game.id))) == 4, (
            "the night, Eve's phone's own, the next game, one old night"
        )
        assert check() == []
