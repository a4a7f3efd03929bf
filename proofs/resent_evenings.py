"""What is sent between two games, up to three times each and all of it at once.

Part of `python -m proofs.resent`. Four phones start the next game: there is one, and all are led into it. Two of them throw
it away: one entry; while one takes it back the others start another: one holds the place. Two give a person different
names: one of them. A file of nights: each is there once.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from dataclasses import dataclass, field
from io import BytesIO
from random import Random
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select
from werkzeug.datastructures import MultiDict

from companion import record
from companion.command.maintenance import check
from companion.db import db
from companion.models import Entry, Game, PersonChange, Seat
from proofs.killed_evenings import NIGHTS, an_hour_passes, games, nights_of, play
from proofs.phones import Answer, Fields, Form
from proofs.servers import Server

PHONES = 4


@dataclass
class Figures:
    """What came of it: the answers, by what was asked for."""

    rounds: int
    answers: dict[str, Counter[int]] = field(default_factory=dict)

    def __str__(self) -> str:
        told = "; ".join(
            f"{what}: " + ", ".join(f"{count} × {status}" for status, count in sorted(answers.items()))
            for what, answers in self.answers.items()
        )
        return (
            f"{self.rounds} evenings: one next game at a time, thrown away by one entry, one new name, {NIGHTS} nights of a file "
            f"once each (answers: {told}); `companion check` finds nothing"
        )


@dataclass
class Sending:
    """A form on its way from a phone, or without fields a look at a page; the answer once it is there."""

    phone: _Phone
    path: str
    fields: Fields | None = None
    file: bytes = b""
    answer: Answer | None = None

    def go(self) -> None:
        """Send it."""
        if self.fields is None:
            came = self.phone.client().get(self.path, follow_redirects=True)
        else:
            data: MultiDict[str, Any] = MultiDict(self.fields)
            if self.file:
                data["file"] = (BytesIO(self.file), "nights.json")
            came = self.phone.client().post(self.path, data=data)
        self.answer = Answer(came.status_code, {k.lower(): v for k, v in came.headers.items()}, came.text, self.path)


class _Phone:
    """A phone, which the app answers without a server in between, several requests at once."""

    def __init__(self, app: Flask, device: str) -> None:
        self._app, self._cookies = app, {"device": device}
        first = self.client()
        self.csrf = dict(Answer(200, {}, first.get("/").text, "/").forms[0].fields)["csrf_token"]
        session = first.get_cookie("companion")
        assert session is not None
        self._cookies["companion"] = session.value

    def client(self) -> FlaskClient:
        """Another line of this phone."""
        client = self._app.test_client()
        for name, value in self._cookies.items():
            client.set_cookie(name, value)
        return client

    def get(self, path: str) -> Answer:
        """Look at a page."""
        came = self.client().get(path)
        return Answer(came.status_code, {}, came.text, path.partition("?")[0])

    def fills(self, path: str, wanted: tuple[str, str], **values: str) -> Sending:
        """The form of a page that asks for this, by a button or by itself, with other values in its fields."""
        forms = (form for form in self.get(path).forms if form.method == "post")
        form: Form = next(form for form in forms if wanted in [*form.buttons, *form.fields])
        shown = form.as_shown(form.buttons.index(wanted) if wanted in form.buttons else 0)
        fields = [(name, values.get(name, value)) for name, value in shown if name and name != "csrf_token"]
        return Sending(self, form.action or path.partition("?")[0], [*fields, ("csrf_token", self.csrf)])


def prove(server: Server, rounds: int, seed: int = 1) -> Figures:
    """So many evenings. Raises AssertionError where something is there twice, or an answer is an error."""
    random, figures = Random(seed), Figures(rounds)
    server.game()  # others play on this server too: at home their Ana is the same person
    for number in range(rounds):
        code, made = server.game(keepers=PHONES)
        play(server, code)
        phones = [_Phone(server.app, phone.cookies["device"]) for phone in made]
        next_code = _start(server, code, phones, random, figures)
        _throw_away(server, code, next_code, phones, random, figures)
        _rename(server, code, phones, random, figures)
        _bring_in(server, code, phones[0], number, random, figures)
    with server.app.app_context():
        assert check() == [], check()
        db.session.remove()
    return figures


def _start(server: Server, code: str, phones: list[_Phone], random: Random, figures: Figures) -> str:
    """All of them start the next game; gives its code."""
    starts = [phone.fills(f"/new?again={code}", ("do", "start")) for phone in phones]
    led = {_led_into(answer) for answer in _at_once("next game", starts, random, figures)}
    assert len(led) == 1 and games(server, after=code) == 1, f"{games(server, after=code)} next games; led into {led}"
    return led.pop()


def _throw_away(server: Server, code: str, thrown: str, phones: list[_Phone], random: Random, figures: Figures) -> None:
    """Two throw it away; then one takes it back while the others start another."""
    wanted = ("do", "discard")
    throws = [phone.fills(f"/g/{thrown}/end", wanted) for phone in phones[:2]]
    _at_once("throw away", throws, random, figures)
    assert _kinds(server, thrown)["game_discarded"] == 1, _kinds(server, thrown)
    backs = [phones[0].fills(f"/g/{thrown}/end", ("do", "undo"))]
    starts = [phone.fills(f"/new?again={code}", ("do", "start")) for phone in phones[1:]]
    answers = _at_once("take back, and start another", [*backs, *starts], random, figures)
    assert _kinds(server, thrown)["undone"] == 1, _kinds(server, thrown)
    led = {_led_into(answer) for answer in answers if answer.path == "/new"}
    assert len(led) == 1 and games(server, after=code) == 1, f"{games(server, after=code)} next games; led into {led}"


def _rename(server: Server, code: str, phones: list[_Phone], random: Random, figures: Figures) -> None:
    """Two give a person another name, both from the page as it was, while all look at pages that name everybody."""
    with server.app.app_context():
        view = record.load(code)
        assert view is not None
        person = db.session.execute(
            select(Seat.person_id).where(Seat.game_id == view.id, Seat.number == 0)
        ).scalar_one()
        before = db.session.execute(select(func.count(PersonChange.id))).scalar_one()
        db.session.remove()
    names = [f"Ana {code[:6]}", f"Anna {code[:6]}"]
    forms = [
        phone.fills(f"/people/{person}", ("do", "rename"), name=name)
        for phone, name in zip(phones[:2], names, strict=True)
    ]
    looks = [
        Sending(phone, path) for phone in phones for path in (f"/people/{person}", "/people", "/statistics", "/nights")
    ]
    answers = _at_once("new name, and pages with it", [*forms, *looks], random, figures)
    assert any(answer.status == 303 for answer in answers)
    with server.app.app_context():
        changes = db.session.execute(select(func.count(PersonChange.id))).scalar_one() - before
        db.session.remove()
    assert changes == 1, f"{changes} changes"


def _bring_in(server: Server, code: str, phone: _Phone, number: int, random: Random, figures: Figures) -> None:
    """A file of nights."""
    an_hour_passes(server)
    nights = nights_of(json.loads(phone.get(f"/g/{code}/night.json").text), number)
    before = games(server)
    sending = Sending(phone, "/data", [("csrf_token", phone.csrf)], nights)
    _at_once("file", [sending], random, figures)
    assert games(server) - before == NIGHTS, f"{games(server) - before} nights of {NIGHTS}"


def _led_into(answer: Answer) -> str:
    assert answer.status == 303, f"{answer.status}: {answer.words[:300]}"
    return answer.headers["location"].split("/")[2]


def _at_once(what: str, forms: list[Sending], random: Random, figures: Figures) -> list[Answer]:
    """Send each up to three times, all at the same time."""
    copies = [
        Sending(form.phone, form.path, form.fields, form.file) for form in forms for _ in range(random.randint(1, 3))
    ]
    random.shuffle(copies)
    lines = [threading.Thread(target=copy.go) for copy in copies]
    for line in lines:
        line.start()
    for line in lines:
        line.join()
    answers = [copy.answer for copy in copies if copy.answer is not None]
    assert len(answers) == len(copies), "no answer"
    figures.answers.setdefault(what, Counter()).update(answer.status for answer in answers)
    wrong = [answer for answer in answers if answer.status not in (200, 303, 409, 422)]
    assert not wrong, f"{what}: {wrong[0].status} {wrong[0].words[:300]}"
    return answers


def _kinds(server: Server, code: str) -> Counter[str]:
    """How many entries of each kind a game has."""
    with server.app.app_context():
        wanted = select(Entry.kind).join(Game, Game.id == Entry.game_id).where(Game.code == code)
        kinds = Counter(db.session.execute(wanted).scalars())
        db.session.remove()
    return kinds
