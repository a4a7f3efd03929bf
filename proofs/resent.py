"""Commands resent, doubled and reordered by a bad network: each lands once or is explained.

    python -m proofs.resent [sqlite|postgresql] [COMMANDS] [SEED]      (10,000, and an evening every 200)

Four phones enter things through one network. It holds every form back for a while, lets later ones overtake it,
sends it up to three times, from several threads at once, and loses answers. The app itself answers, without a
server in between, so that all of it takes minutes. What is sent between two games is in `proofs.resent_evenings`.
"""

from __future__ import annotations

import re
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from companion import record
from companion.command.maintenance import check
from companion.db import db
from companion.models import Entry
from proofs import resent_evenings
from proofs.servers import Server, prepared
from proofs.taps import Tap, landed, tap

LINES = 4  # that carry forms at the same time
PHONES = 4


@dataclass
class Figures:
    """What came of it."""

    commands: int
    sent: int = 0
    landed: int = 0
    refused: int = 0
    answers: Counter[int] = field(default_factory=Counter)
    late: int = 0
    entries: int = 0

    def __str__(self) -> str:
        answers = ", ".join(f"{count} × {status}" for status, count in sorted(self.answers.items()))
        return (
            f"{self.commands} commands sent {self.sent} times (answers: {answers}); {self.landed} landed, each once; "
            f"{self.refused} were refused with the reasons ({self.late} of the landed ones after one of their copies had "
            f"been refused); {self.entries} entries, numbered without a gap; `companion check` finds nothing"
        )


class _Network:
    """Carries forms badly: late, several times, in another order, on several lines at once."""

    def __init__(self, clients: list[FlaskClient], random: Random) -> None:
        self.clients, self.random = clients, random
        self._under_way: list[tuple[float, int, Tap]] = []
        self._clock = 0
        self.sent = 0
        self.answers: dict[str, list[int]] = {}
        self.taps: dict[str, Tap] = {}
        self.silent: list[str] = []  # answers that gave no reason
        self._lock = threading.Lock()

    def give(self, form: Tap, phone: int) -> None:
        """Take a form to be carried, once to three times."""
        self.taps[form.token] = form
        for _ in range(self.random.choice((1, 1, 2, 2, 3))):
            # Mostly at once; sometimes so late that the table has long moved on.
            delay = self.random.choice((0, 1, 2, 5, 5 * self.random.random(), 60 * self.random.random()))
            self._under_way.append((self._clock + delay, phone, form))

    def tick(self, *, all_of_it: bool = False) -> None:
        """Deliver what is due, on several lines at once."""
        self._clock += 1
        due = [copy for copy in self._under_way if all_of_it or copy[0] <= self._clock]
        self._under_way = [copy for copy in self._under_way if not (all_of_it or copy[0] <= self._clock)]
        self.random.shuffle(due)
        lines = [threading.Thread(target=self._carry, args=(line, due[line::LINES])) for line in range(LINES)]
        for line in lines:
            line.start()
        for line in lines:
            line.join()

    def _carry(self, line: int, due: list[tuple[float, int, Tap]]) -> None:
        for _, phone, form in due:
            answer = self.clients[line * PHONES + phone].post(form.path, data=form.fields)
            text = answer.text
            if answer.status_code == 303:  # what the person reads next
                text = self.clients[line * PHONES + phone].get(answer.headers["Location"]).text
            with self._lock:
                self.sent += 1
                self.answers.setdefault(form.token, []).append(answer.status_code)
                if not re.search('id="refused"|class="(verdict|notice|error-page)', text):
                    self.silent.append(form.token)


def prove(app: Flask, code: str, cookies: list[str], commands: int, seed: int = 1) -> Figures:
    """Carry so many commands badly. Raises AssertionError where one lands twice, or is refused without a word."""
    random, figures = Random(seed), Figures(commands)
    clients = [_client(app, cookies[number % PHONES]) for number in range(LINES * PHONES)]
    tokens = [_csrf(client) for client in clients[:PHONES]]
    for number, client in enumerate(clients):  # the same phone on another line
        client.set_cookie("companion", tokens[number % PHONES][0])
    network = _Network(clients, random)
    with app.app_context():
        seen = record.load(code)
        for number in range(commands):
            assert seen is not None
            phone = random.randrange(PHONES)
            network.give(tap(seen, random, tokens[phone][1]), phone)
            network.tick()
            db.session.rollback()
            if random.random() < 0.7 or number % 10 == 0:  # else this phone acts on an old page
                seen = record.load(code)
        network.tick(all_of_it=True)
        _judge(code, network, figures)
    return figures


def _client(app: Flask, cookie: str) -> FlaskClient:
    client = app.test_client()
    client.set_cookie("device", cookie)
    return client


def _csrf(client: FlaskClient) -> tuple[str, str]:
    """The session's cookie, and the token of its forms."""
    text = client.get("/").text
    cookie = client.get_cookie("companion")
    assert cookie is not None
    return cookie.value, text.split('name="csrf_token" value="')[1].split('"')[0]


def _judge(code: str, network: _Network, figures: Figures) -> None:
    db.session.rollback()
    view = record.load(code)
    assert view is not None
    there = landed(code)
    for token, answers in network.answers.items():
        figures.answers.update(answers)
        assert set(answers) <= {303, 409, 422}, f"answered with {answers}"
        assert 303 in answers or token not in there, f"{answers}, yet in the record: {network.taps[token]}"
        assert token in there or token not in network.silent, f"not told why: {answers} to {network.taps[token]}"
        figures.late += token in there and answers[0] != 303
    known = set(network.answers) & set(there)
    figures.sent, figures.landed = network.sent, len(known)
    figures.refused = len(network.answers) - len(known)
    numbers = list(db.session.execute(select(Entry.seq).where(Entry.game_id == view.id).order_by(Entry.seq)).scalars())
    assert numbers == list(range(1, view.revision + 1)), "a gap in the numbers"
    # Each command that landed is one entry, and there is no entry beside those and the start.
    assert view.revision - 1 == len(known), f"{view.revision - 1} entries of {len(known)} commands"
    assert check() == [], check()
    figures.entries = view.revision


def prove_on(server: Server, commands: int, seed: int = 1) -> Figures:
    """The same with a game of its own on a server's database."""
    code, phones = server.game(keepers=PHONES)
    return prove(server.app, code, [phone.cookies["device"] for phone in phones], commands, seed)


def main(arguments: list[str]) -> None:
    """Run it in full, on both databases or the one named."""
    kinds = [arguments[0]] if arguments else ["sqlite", "postgresql"]
    commands, seed = (int(text) for text in [*arguments[1:], *["10000", "1"][len(arguments[1:]) :]])
    for kind in kinds:
        start = time.monotonic()
        with prepared(kind) as server:
            print(f"{kind}: {prove_on(server, commands, seed)} ({time.monotonic() - start:.0f} s)", flush=True)
            evenings = resent_evenings.prove(server, commands // 200, seed)
            print(f"    {evenings} ({time.monotonic() - start:.0f} s)", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
