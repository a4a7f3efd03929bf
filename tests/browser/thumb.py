"""A thumb on the phone of a table: what a person taps in a night, in words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from playwright.sync_api import Page, expect

from companion import record


class Table:
    """The thumb on the phone, and what it taps."""

    def __init__(self, page: Page, app, players: Sequence[str], hands: int = 10) -> None:
        self.page, self.app, self.players, self.hands, self.taps = page, app, players, hands, 0

    def tap(self, where) -> None:
        """One tap, counted."""
        self.taps += 1
        where.tap()

    def start(self, game: str | None = None) -> None:
        """From the first page to the first hand, perhaps of another game; the first player deals."""
        self.page.goto("/")
        self.tap(self.page.get_by_role("link", name="New game"))
        if game is not None:
            self.tap(self.page.get_by_text("What do you play?"))
            self.tap(self.page.get_by_role("button", name=game))
        for chair, name in enumerate(self.players):
            self.page.locator("input[name=name]").nth(chair).fill(name)
        self.page.get_by_label("Who deals first?").select_option("0")
        self.tap(self.page.get_by_role("button", name="Start", exact=True))
        self.at_hand(1)

    @property
    def code(self) -> str:
        return re.search(r"/g/([\w-]+)", self.page.url)[1]

    @property
    def state(self):
        with self.app.app_context():
            return record.load(self.code).state

    def at_hand(self, number: int) -> None:
        expect(self.page).to_have_url(re.compile(r"/g/[\w-]+/$"))
        expect(self.page.locator(".top-title")).to_have_text(f"Hand {number} of {self.hands}")

    def buy(self, seat: int, left: str) -> None:
        self.tap(self.page.locator(f"#buy{seat}"))
        expect(self.page.locator(f"#buy{seat}")).to_have_attribute("aria-label", f"{self.players[seat]} buys: {left}")

    def goes_down(self, seat: int, melds, wilds=None) -> None:
        """Enter the melds by slot; `wilds` are places (in a run) or a number (of a set) by slot."""
        self.tap(self.page.locator(f"#p{seat}").get_by_role("link", name="Goes down"))
        for slot, meld in enumerate(melds):
            self.choose(slot, meld, (wilds or {}).get(slot))
        self.tap(self.page.get_by_role("button", name="Lay them down"))

    def choose(self, slot: int, meld: str, wild) -> None:
        *suit, rank = meld.split()
        for name, value in [("suit", suit[0]), ("low", rank)] if suit else [("rank", rank)]:
            self.key(slot, name, value)
        for place in wild if isinstance(wild, tuple) else ():
            self.key(slot, "wild2", str(place))
        if isinstance(wild, int):
            self.key(slot, "wild2", str(wild))

    def key(self, slot: int, name: str, value: str) -> None:
        self.tap(self.page.locator(f'label:has([name=m{slot}-{name}][value="{value}"])'))

    def is_down(self, seat: int) -> None:
        expect(self.page.locator(f"#p{seat}").locator(".act-done", has_text="Down")).to_be_visible()

    def meld(self, seat: int, nth: int = 0):
        return self.page.locator(f"#p{seat} .laid").nth(nth)

    def hand_over(self, out: int | None, **points: str) -> None:
        self.tap(self.page.get_by_role("link", name="Hand over"))
        self.tap(self.page.locator(f'label:has([name=out][value="{"nobody" if out is None else out}"])'))
        for name, typed in points.items():
            self.page.locator(f"#points-{self.players.index(name)}").fill(typed)
        self.tap(self.page.get_by_role("button", name="See the new totals"))
        self.tap(self.page.locator("#save"))
