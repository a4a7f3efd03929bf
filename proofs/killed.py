"""kill -9 of the server at random moments: every acknowledged entry is there, none is half there, no number is missing.

    python -m proofs.killed [sqlite|postgresql] [COMMANDS] [SEED]      (1,000 commands, a kill about every 20)

A phone sends one command after another; at a random moment in about every twentieth the server is killed with all
its workers. What was not answered is sent again with its own token once the server is back, as a phone does.
Then evenings, one for each fifty commands, on which it is killed while a next game is started and nights come in (`killed_evenings`).
"""

from __future__ import annotations

import http.client
import sys
import threading
import time
from dataclasses import dataclass
from random import Random

from sqlalchemy import select

from companion import record
from companion.command.maintenance import check
from companion.db import db
from companion.models import Entry
from proofs import killed_evenings
from proofs.phones import Phone
from proofs.servers import Server, serving
from proofs.taps import Tap, landed, tap


@dataclass
class Figures:
    """What came of it."""

    commands: int = 0
    acknowledged: int = 0
    kills: int = 0
    unanswered: int = 0
    landed_unanswered: int = 0
    entries: int = 0

    def __str__(self) -> str:
        return (
            f"{self.commands} commands, {self.kills} kills; {self.acknowledged} acknowledged, all of them in the record; "
            f"{self.unanswered} cut off by a kill, of which {self.landed_unanswered} had landed and none twice; "
            f"{self.entries} entries, numbered without a gap; `companion check` finds nothing"
        )


def prove(server: Server, commands: int, seed: int = 1, every: int = 20) -> Figures:
    """Send commands while the server is killed again and again. Raises AssertionError where a promise is broken."""
    random, figures = Random(seed), Figures(commands)
    code, (phone,) = server.game()
    csrf = phone.csrf()
    acknowledged: dict[str, int] = {}
    with server.app.app_context():
        killer = _Killer(server, Random(seed + 1), every)
        while figures.acknowledged < commands:
            db.session.rollback()  # what `landed` read before the resend is old by now
            view = record.load(code)
            assert view is not None
            sent = tap(view, random, csrf)
            killer.next_command()
            status = _send(phone, sent, killer, figures, code)
            # Each is legal on the table that this only phone sees, and stays so when it is sent again.
            assert status == 303, f"{sent} was answered with {status}"
            figures.acknowledged += 1
            acknowledged[sent.token] = figures.acknowledged
        killer.stop()
        phone.hang_up()
        figures.kills = killer.kills
        _judge(code, acknowledged, figures)
    return figures


def _send(phone: Phone, sent: Tap, killer: _Killer, figures: Figures, code: str) -> int:
    """Send until there is an answer; a command cut off is sent again when the server is back."""
    cut = False
    while True:
        try:
            status = phone.post(sent.path, sent.fields).status
        except (OSError, http.client.HTTPException):
            killer.wait_until_back()
            db.session.rollback()
            if not cut:
                cut = True
                figures.unanswered += 1
                figures.landed_unanswered += sent.token in landed(code)
            continue
        if status != 503:
            return status
        time.sleep(0.05)


def _judge(code: str, acknowledged: dict[str, int], figures: Figures) -> None:
    db.session.rollback()
    view = record.load(code)
    assert view is not None
    numbers = list(db.session.execute(select(Entry.seq).where(Entry.game_id == view.id).order_by(Entry.seq)).scalars())
    assert numbers == list(range(1, view.revision + 1)), "a gap in the numbers"
    there = landed(code)
    lost = set(acknowledged) - set(there)
    assert not lost, f"{len(lost)} acknowledged entries are not there"
    # Each command that was acknowledged is one entry, and there is no entry beside those and the start.
    assert view.revision - 1 == len(acknowledged), f"{view.revision - 1} entries of {len(acknowledged)} commands"
    assert check() == [], check()
    figures.entries = view.revision


class _Killer:
    """Kills the server at a random moment of about every so manieth command, and starts it again."""

    #: A command takes some milliseconds: so the kill comes before, in the middle of or just after it.
    WITHIN = 0.03

    def __init__(self, server: Server, random: Random, every: int) -> None:
        self.server, self.random, self.every = server, random, every
        self.kills = 0
        self._thread = threading.Thread(target=lambda: None)
        self._thread.start()

    def next_command(self) -> None:
        """A command is about to be sent."""
        if self.random.randrange(self.every) == 0:
            self.stop()
            self._thread = threading.Thread(target=self._kill, args=(self.random.uniform(0, self.WITHIN),), daemon=True)
            self._thread.start()

    def _kill(self, after: float) -> None:
        time.sleep(after)
        self.server.kill()
        self.kills += 1
        self.server.start()

    def stop(self) -> None:
        """Wait until the server is there, after a kill that is on its way."""
        self._thread.join()

    wait_until_back = stop


def main(arguments: list[str]) -> None:
    """Run it in full, on both databases or the one named."""
    kinds = [arguments[0]] if arguments else ["sqlite", "postgresql"]
    commands, seed = (int(text) for text in [*arguments[1:], *["1000", "1"][len(arguments[1:]) :]])
    for kind in kinds:
        start = time.monotonic()
        with serving(kind) as server:
            print(f"{kind}: {prove(server, commands, seed)} ({time.monotonic() - start:.0f} s)", flush=True)
            evenings = killed_evenings.prove(server, max(1, commands // 50), seed)
            print(f"{kind}: {evenings} ({time.monotonic() - start:.0f} s)", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
