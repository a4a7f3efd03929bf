"""An evening to look at: four friends in the middle of hand 6, for Lighthouse, the pictures of the README and a first look."""

from __future__ import annotations

from flask import Flask, g

from companion import record
from companion.phones import devices
from companion.referee.cards import parse_card
from companion.referee.commands import Buy, Command, Float, GoDown, ReplaceWild, ScoreHand, StartGame
from companion.referee.games import KATE
from companion.referee.melds import Meld
from companion.referee.notation import read_meld

NAMES = ("Ana", "Beatriz", "Carl", "Zoë")
SCORES = (
    (1, (35, 0, 20, 50)), (0, (0, 45, 60, 15)), (3, (25, 80, 40, 0)), (1, (55, 0, 30, 30)), (None, (20, 35, 15, 10)),
)  # fmt: skip


def demo_pages(app: Flask) -> tuple[dict[str, str], str]:
    """Make the evening; gives the pages worth measuring by name, and the cookie of the phone that keeps it."""
    with app.test_request_context():
        device = devices.ensure()
        code = evening(device)
        cookie = f"{devices.COOKIE}={devices._signer().dumps(g.device_token)}"
    table = f"/g/{code}/"
    pages = {"table": table, "throw": f"{table}throw", "scores": f"{table}scores", "referee": "/referee/meld"}
    return pages, cookie


def evening(device: int) -> str:
    """The code of a new game of five scored hands and a sixth in play."""
    seats = tuple(range(len(NAMES)))
    code = record.start_game(StartGame(KATE, seats, 0), NAMES, token=record.new_token(), device=device).code
    for number, (out, points) in enumerate(SCORES, start=1):
        _play(code, device, Buy(number, number % 4), ScoreHand(number, out, dict(enumerate(points)), sure=True))
    _play(
        code,
        device,
        *(Buy(6, seat) for seat in (0, 2, 2, 3)),
        GoDown(6, 3, _melds("set 7S 7H 7D", "set JC JD 2S", "run 4H 5H 2D 7H 8H")),
        Buy(6, 0),
        GoDown(6, 2, _melds("set QS QC QD", "set 9H 9C 2C", "run 9S 10S JS QS KS")),
        ReplaceWild(6, 2, 2, parse_card("6H"), "low"),
        Float(6, 2),
    )
    return code


def _melds(*texts: str) -> tuple[Meld, ...]:
    return tuple(map(read_meld, texts))


def _play(code: str, device: int, *commands: Command) -> None:
    for command in commands:
        view = record.load(code)
        assert view is not None
        record.append(code, command, token=record.new_token(), seen=view.revision, device=device)
