"""Four keepers enter random things at once: all phones end with the same table, and replay agrees with the scores.

    python -m proofs.keepers [sqlite|postgresql] [SECONDS] [SEED]      (five minutes)

Each phone looks at pages, often old ones, and sends their forms filled in at random, as fast as the server answers. It
follows the table by its event stream alone: what it shows at the end is what the stream made it fetch.
"""

from __future__ import annotations

import http.client
import re
import socket
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from sqlalchemy import select

from companion import record
from companion.command.maintenance import check
from companion.db import db
from companion.models import Entry
from proofs.phones import Answer, Form, Phone
from proofs.servers import Server, serving
from proofs.taps import tap

KEEPERS = 4
PAGES = (
    "players", "history", "scores", "scores/1", "scores/2", "scores/start", "melds/1", "rearrange", "who", "end",
    *2 * ("down",), *3 * ("over",),
)  # fmt: skip
#: Not of the table: who may come to it, and how this phone shows it.
NOT_THESE = re.compile(r"^/(language|settings|join|j/|new)|/phones$")
TEXTS = [
    "5", "10", "20", "35", "45", "60", "120", "15+20+5", "", "x", "4S 5S 6S 7S", "9? 9? 2S", "7S 7H 7D", "KC KD 2H", "Eva", "10S",
]  # fmt: skip


@dataclass
class Figures:
    """What came of it."""

    seconds: float = 0
    sent: int = 0
    entries: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        statuses = ", ".join(f"{count} × {status}" for status, count in sorted(self.statuses.items()))
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.kinds.most_common())
        return (
            f"{KEEPERS} keepers, {self.seconds:.0f} s, {self.sent} forms sent (answers: {statuses}); {self.entries} entries "
            f"without a gap ({kinds}); all phones show the same table, by their streams alone; `companion check` finds nothing"
        )


class Keeper:
    """A phone that acts, and its stream on a thread of its own that fetches the table."""

    def __init__(
        self, server: Server, phone: Phone, code: str, random: Random, enough: threading.Event, over: threading.Event
    ) -> None:
        self.server, self.phone, self.code, self.random = server, phone, code, random
        self.enough, self.over = enough, over  # of sending; of following
        self.told = 0
        self.shown = ""
        self.statuses: Counter[int] = Counter()
        self.wrong: list[str] = []
        self._old: list[Answer] = []
        self._csrf = ""
        self._socket: socket.socket | None = None

    def act(self) -> None:
        """Send forms until it is enough."""
        try:
            self._csrf = self.phone.csrf()
            while not self.enough.is_set():
                (self._send_sense if self.random.random() < 0.3 else self._send_something)()
        except Exception as error:
            self.wrong.append(f"{type(error).__name__}: {error}")
        finally:
            self.phone.hang_up()

    def _send_sense(self) -> None:
        """What was legal a moment ago: a hand is scored whole, a player goes down."""
        with self.server.app.app_context():
            view = record.load(self.code)
            db.session.remove()
        assert view is not None
        sent = tap(view, self.random, self._csrf)
        self._note(self.phone.post(sent.path, sent.fields), str(sent))

    def _note(self, answer: Answer, what: str) -> None:
        self.statuses[answer.status] += 1
        if answer.status >= 500 or answer.status == 400:
            self.wrong.append(f"{answer.status} for {what}")

    def _send_something(self) -> None:
        page = self._page()
        # The table itself is where most of a night happens.
        form = self._form(page)
        if form is None:
            return
        fields = form.filled(self.random, TEXTS)
        answer = self.phone.submit(page, form, fields)
        if form.method == "post":
            self._note(answer, f"{form.action or page.path} {fields}")
        if answer.status in (200, 409, 422) and answer.forms:
            self._old.append(answer)  # a preview, or a form refused: often the next thing to be sent

    def _page(self) -> Answer:
        if self._old and self.random.random() < 0.4:
            return self._old.pop(self.random.randrange(len(self._old[-5:])))
        where = "" if self.random.random() < 0.6 else self.random.choice(PAGES)
        page = self.phone.get(f"/g/{self.code}/{where}")
        if page.status == 302:
            page = self.phone.get(page.headers["location"])
        self._old = [*self._old, page][-8:]
        return page

    def _form(self, page: Answer) -> Form | None:
        forms = [form for form in page.forms if not NOT_THESE.search(form.action)]
        if self.random.random() < 0.9 and len(forms) > 1:  # else the night is closed and opened all the time
            forms = [form for form in forms if not form.action.endswith("/end")] or forms
        return self.random.choice(forms) if page.status in (200, 409, 422) and forms else None

    # --- the stream -------------------------------------------------------------------------------------------------

    def follow(self) -> None:
        """Read the stream; at each number that is new fetch the table, as the page's script does."""
        # A line of its own: the other one is busy sending.
        eyes = Phone(self.phone.address, self.phone.name)
        eyes.cookies = dict(self.phone.cookies)
        while not self.over.is_set():
            line = http.client.HTTPConnection(eyes.host, eyes.port, timeout=30)
            try:
                line.connect()
                self._socket = line.sock
                self._follow(eyes, line)
            except (OSError, http.client.HTTPException):
                time.sleep(0.2)
            finally:
                line.close()
                eyes.hang_up()

    def cut(self) -> None:
        """End the stream from this side."""
        with suppress(OSError):
            if self._socket is not None:
                self._socket.shutdown(socket.SHUT_RDWR)

    def _follow(self, eyes: Phone, line: http.client.HTTPConnection) -> None:
        cookie = "; ".join(f"{name}={value}" for name, value in eyes.cookies.items())
        line.request("GET", f"/g/{self.code}/live", headers={"Cookie": cookie})
        stream = line.getresponse()
        assert stream.status == 200, stream.status
        while (text := stream.fp.readline()) and not self.over.is_set():
            if text.startswith(b"data: ") and int(text[6:]) != self.told:
                self.told = int(text[6:])
                page = eyes.get(f"/g/{self.code}/")
                if page.status == 302:
                    page = eyes.get(page.headers["location"])
                self.shown = page.words
        stream.close()


def prove(server: Server, seconds: float, seed: int = 1, least: int = 0) -> Figures:
    """Let them play for so long, and until so many forms were sent. Raises AssertionError where phones, record or score rows differ."""
    code, phones = server.game(keepers=KEEPERS)
    enough, over = threading.Event(), threading.Event()
    keepers = [
        Keeper(server, phone, code, Random(seed * 100 + number), enough, over) for number, phone in enumerate(phones)
    ]
    following = [threading.Thread(target=keeper.follow, daemon=True) for keeper in keepers]
    acting = [threading.Thread(target=keeper.act, daemon=True) for keeper in keepers]
    start = time.monotonic()
    for thread in following + acting:
        thread.start()
    while not any(keeper.wrong for keeper in keepers) and time.monotonic() < start + 60 + seconds:
        time.sleep(0.1)
        if time.monotonic() > start + seconds and sum(keeper.statuses.total() for keeper in keepers) >= least:
            break
    enough.set()
    for thread in acting:
        thread.join(60)
    took = time.monotonic() - start
    try:
        return _judge(server, code, keepers, took)
    finally:
        over.set()
        for keeper, thread in zip(keepers, following, strict=True):
            keeper.cut()
            thread.join(30)


def _judge(server: Server, code: str, keepers: list[Keeper], seconds: float) -> Figures:
    figures = Figures(seconds)
    assert not [fault for keeper in keepers for fault in keeper.wrong], [keeper.wrong for keeper in keepers]
    with server.app.app_context():
        view = record.load(code)
        assert view is not None
        kinds = list(
            db.session.execute(select(Entry.seq, Entry.kind).where(Entry.game_id == view.id).order_by(Entry.seq))
        )
        assert [row.seq for row in kinds] == list(range(1, view.revision + 1)), "a gap in the numbers"
        assert check() == [], check()
        end = time.monotonic() + 30
        while time.monotonic() < end and any(keeper.told < view.revision or not keeper.shown for keeper in keepers):
            time.sleep(0.1)
    time.sleep(1)  # the last fetch of each
    assert {keeper.told for keeper in keepers} == {view.revision}, [keeper.told for keeper in keepers]
    tables = {keeper.shown for keeper in keepers}
    assert len(tables) == 1, f"{len(tables)} different tables: {tables}"
    for keeper in keepers:
        figures.statuses.update(keeper.statuses)
    figures.sent = figures.statuses.total()
    figures.entries, figures.kinds = view.revision, Counter(row.kind for row in kinds)
    return figures


def main(arguments: list[str]) -> None:
    """Run it in full, on both databases or the one named."""
    kinds = [arguments[0]] if arguments else ["sqlite", "postgresql"]
    seconds, seed = (int(text) for text in [*arguments[1:], *["300", "1"][len(arguments[1:]) :]])
    for kind in kinds:
        with serving(kind) as server:
            print(f"{kind}: {prove(server, seconds, seed)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
