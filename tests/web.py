"""Games for tests of pages: made through the record by a phone of the test's own, which is then their keeper."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Any

from flask import Flask, g
from sqlalchemy import insert

from companion import record
from companion.db import writing
from companion.models import Membership
from companion.phones import devices
from companion.record import GameView
from companion.referee.commands import Command, GoDown, ScoreHand, StartGame
from companion.referee.games import KATE
from companion.referee.notation import read_meld
from companion.referee.rules import Rules

NAMES = ("Ana", "Bea", "Carl")
LONG_NAMES = (
    "Maximiliane-Alexandra", "🂡 Zoë", "Bartholomäus van der Berghe", "Ana", "אברהם", "<script>alert(1)</script>",
    "=1+1", "Ægir",
)  # fmt: skip


def start(app: Flask, phone: Any, names: Sequence[str] = NAMES, rules: Rules = KATE, dealer: int = 0) -> str:
    """The code of a new game; ``phone`` (a test client, or a Playwright page of ``live``) becomes its keeper."""
    with app.test_request_context():
        device = devices.ensure()
        cookie = devices._signer().dumps(g.device_token)
        command = StartGame(rules, tuple(range(len(names))), dealer)
        code = record.start_game(command, names, token=record.new_token(), device=device).code
    _give(phone, cookie)
    return code


def another(app: Flask, phone: Any, names: Sequence[str] = NAMES, rules: Rules = KATE, first: int = 1) -> str:
    """The code of one more game of a test client that has one already; ``first`` is its first hand."""
    with app.app_context():
        command = StartGame(rules, tuple(range(len(names))), 0, first)
        return record.start_game(command, names, token=record.new_token(), device=device_of(app, phone)).code


def device_of(app: Flask, phone: Any) -> int:
    """The id of a test client's device, made known if it is new."""
    cookie = phone.get_cookie(devices.COOKIE)
    if cookie is None:
        with app.test_request_context():
            known = devices.ensure()
            _give(phone, devices._signer().dumps(g.device_token))
            return known
    with app.test_request_context(headers={"Cookie": f"{devices.COOKIE}={cookie.value}"}):
        device = devices.current_id()
        assert device is not None
        return device


def _give(phone: Any, cookie: str) -> None:
    if hasattr(phone, "set_cookie"):
        phone.set_cookie(devices.COOKIE, cookie)
        return
    if not phone.url.startswith("http"):
        phone.goto("/referee")
    address = phone.evaluate("location.origin")
    phone.context.add_cookies([{"name": devices.COOKIE, "value": cookie, "url": address}])


def watch(app: Flask, phone: Any, code: str) -> None:
    """Let a phone watch a game, as the watch link does."""
    with app.test_request_context():
        device = devices.ensure()
        cookie = devices._signer().dumps(g.device_token)
        view = record.load(code)
        assert view is not None
        with writing() as session:
            session.execute(insert(Membership).values(game_id=view.id, device_id=device, role="watch", number=9))
    _give(phone, cookie)


def view(app: Flask, code: str) -> GameView:
    """A game as it is now."""
    with app.app_context():
        seen = record.load(code)
    assert seen is not None
    return seen


def play(app: Flask, code: str, *commands: Command) -> None:
    """Let commands land, one after another."""
    with app.app_context():
        for command in commands:
            view = record.load(code)
            assert view is not None
            record.append(code, command, token=record.new_token(), seen=view.revision)


def score(hand: int, out: int | None, *points: int) -> ScoreHand:
    """A hand's scores, points by seat from 0."""
    return ScoreHand(hand, out, dict(enumerate(points)), sure=True)


def three_sets(hand: int = 1, seat: int = 1, ranks: str = "7 9") -> GoDown:
    """Going down in hand 1 (two sets of three): one natural set, one with a wild."""
    low, high = ranks.split()
    melds = (read_meld(f"set {low}S {low}H {low}D"), read_meld(f"set {high}S {high}C 2H"))
    return GoDown(hand, seat, melds)


#: How a page marks a name in a sentence, see `companion.i18n.names_untranslated`.
_NAMED = re.compile(r'<bdi class="name" translate="no">(.*?)</bdi>')


def unmarked(page: str) -> str:
    """A page whose sentences are in one piece, also where they have names."""
    return _NAMED.sub(r"\1", page)


def plain(page: str) -> str:
    """A page's text as a person reads it: entities resolved, the marks around names taken away."""
    return html.unescape(unmarked(page)).replace("\u2068", "").replace("\u2069", "")
