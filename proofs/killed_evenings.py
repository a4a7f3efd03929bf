"""kill -9 while four phones start the next game at once, while a file of nights comes in, and while nights go on by a file.

Part of `python -m proofs.killed`. Of each game there is one next game, and all four are led into it; a night of the file is
there whole or not at all, and once it was sent again every night is there once.
"""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from sqlalchemy import delete, func, select

from companion import record
from companion.command.maintenance import check
from companion.db import db, writing
from companion.models import Game, Guess
from companion.referee.commands import CloseGame, ScoreHand
from proofs.phones import Answer, Phone
from proofs.servers import Server

PHONES = 4
NIGHTS = 12
#: A start or a file takes so long: the kill comes before, in the middle of or just after it.
WITHIN = 0.25


@dataclass
class Figures:
    """What came of it."""

    rounds: int = 0
    kills: int = 0
    started_again: int = 0
    sent_again: int = 0
    half_there: int = 0
    went_on_again: int = 0

    def __str__(self) -> str:
        return (
            f"{self.rounds} evenings, {self.kills} kills: one next game each for {PHONES} phones at once ({self.started_again} "
            f"starts sent again), {NIGHTS} nights of a file each, in once and whole ({self.sent_again} files sent again, "
            f"{self.half_there} of them cut off between two nights), and all of them gone on by another file "
            f"({self.went_on_again} sent again)"
        )


def prove(server: Server, rounds: int, seed: int = 1) -> Figures:
    """So many evenings. Raises AssertionError where a promise is broken."""
    random, figures = Random(seed), Figures(rounds)
    for number in range(rounds):
        code, phones = server.game(keepers=PHONES)
        play(server, code)
        nights = nights_of(json.loads(phones[0].get(f"/g/{code}/night.json").text), number)
        _next_game(server, code, phones, random, figures)
        an_hour_passes(server)
        _file(server, phones[0], nights, random, figures)
        _further(server, phones[0], nights, random, figures)
        for phone in phones:
            phone.hang_up()
        with server.app.app_context():
            db.session.rollback()
            assert check() == [], check()
            db.session.remove()
    return figures


def play(server: Server, code: str) -> None:
    """Five hands, and the night is over."""
    with server.app.app_context():
        for command in (*(ScoreHand(hand, 0, {1: 45, 2: 10, 3: 20}) for hand in range(1, 6)), CloseGame()):
            view = record.load(code)
            assert view is not None
            record.append(code, command, token=record.new_token(), seen=view.revision)
        db.session.remove()


def _next_game(server: Server, code: str, phones: list[Phone], random: Random, figures: Figures) -> None:
    """All phones tap "Again with the same people" and Start; the server dies meanwhile."""
    pages = [phone.get(f"/new?again={code}") for phone in phones]
    led: list[str] = []

    def start(phone: Phone, page: Answer) -> None:
        form = next(form for form in page.forms if form.method == "post" and ("do", "start") in form.buttons)
        answer, again = _until_answered(lambda: phone.submit(page, form, form.as_shown()))
        figures.started_again += again
        assert answer.status == 303, f"{answer.status}: {answer.words[:300]}"
        led.append(answer.headers["location"].split("/")[2].partition("?")[0])

    threads = [threading.Thread(target=start, args=pair) for pair in zip(phones, pages, strict=True)]
    _with_a_kill(server, random, figures, threads)
    assert len(led) == PHONES and len(set(led)) == 1, f"led into {led}"
    assert games(server, after=code) == 1


def _file(server: Server, phone: Phone, nights: bytes, random: Random, figures: Figures) -> None:
    """A file of nights is sent until it is answered; the server dies meanwhile."""
    before = games(server)
    page, _again = _until_answered(lambda: phone.get("/data"))
    csrf = dict(page.forms[0].fields)["csrf_token"]
    counts: list[int] = []

    def send() -> Answer:
        try:
            return phone.upload("/data", {"csrf_token": csrf}, nights)
        except (OSError, http.client.HTTPException):
            time.sleep(0.2)
            counts.append(games(server) - before)
            raise

    def bring_in() -> None:
        answer, again = _until_answered(send)
        assert answer.status in (200, 303), f"{answer.status}: {answer.words[:300]}"
        figures.sent_again += again > 0

    _with_a_kill(server, random, figures, [threading.Thread(target=bring_in)])
    figures.half_there += any(0 < count < NIGHTS for count in counts)
    assert games(server) - before == NIGHTS, f"{games(server) - before} nights of {NIGHTS}"


def _further(server: Server, phone: Phone, nights: bytes, random: Random, figures: Figures) -> None:
    """The same nights under other names, here without their last entry, go on as in the file; the server dies meanwhile."""
    there = json.loads(nights)
    for night in there["houses"][0]["games"]:
        night["uid"] = night["uid"][::-1]
    here = json.loads(json.dumps(there))
    for night in here["houses"][0]["games"]:
        night["entries"].pop()
    phone.hang_up()  # the line to the server that was killed
    csrf = {"csrf_token": phone.csrf("/data")}
    assert phone.upload("/data", csrf, json.dumps(here).encode()).status == 303
    look = phone.upload("/data", csrf, json.dumps(there).encode())
    form = next(form for form in look.forms if form.action.endswith("/further"))
    ticked = [("night", uid) for uid in form.choices["night"]]
    assert len(ticked) == NIGHTS

    def go_on() -> None:
        answer, again = _until_answered(lambda: phone.submit(look, form, [*form.fields, *ticked]))
        assert answer.status == 303, f"{answer.status}: {answer.words[:300]}"
        figures.went_on_again += again > 0

    _with_a_kill(server, random, figures, [threading.Thread(target=go_on)])
    whole = len(there["houses"][0]["games"][0]["entries"])
    with server.app.app_context():
        uids = [uid for _name, uid in ticked]
        revisions = db.session.execute(select(Game.revision).where(Game.uid.in_(uids))).scalars().all()
        db.session.remove()
    assert list(revisions) == [whole] * NIGHTS, f"{revisions}, not {whole} each"


def an_hour_passes(server: Server) -> None:
    """For the count of files that a phone and an address may bring in."""
    with server.app.app_context(), writing() as session:
        session.execute(delete(Guess))


def nights_of(file: Any, number: int) -> bytes:
    """A file with its night several times over, as if they were other nights."""
    (house,) = file["houses"]
    (night,) = house["games"]
    more: list[Any] = []
    for nth in range(NIGHTS):
        more.append(json.loads(json.dumps(night)))
        more[-1]["uid"] = f"{night['uid'][:-8]}{number:04x}{nth:04x}"
    house["games"] = more
    return json.dumps(file).encode()


def games(server: Server, after: str = "") -> int:
    """How many there are; ``after``: how many of them follow that one."""
    with server.app.app_context():
        db.session.rollback()
        question = select(func.count(Game.id))
        if after:
            question = question.where(Game.after_id == select(Game.id).where(Game.code == after).scalar_subquery())
        count = int(db.session.execute(question).scalar_one())
        db.session.remove()
    return count


def _with_a_kill(server: Server, random: Random, figures: Figures, threads: list[threading.Thread]) -> None:
    """Let the threads run to their end; meanwhile the server is killed, at a random moment, and started again."""

    def kill() -> None:
        time.sleep(random.uniform(0, WITHIN))
        server.kill()
        figures.kills += 1
        server.start()

    killing = threading.Thread(target=kill)
    for thread in (*threads, killing):
        thread.start()
    for thread in (*threads, killing):
        thread.join()


def _until_answered(send: Callable[[], Answer]) -> tuple[Answer, int]:
    """Send until there is an answer; with how often it was sent again."""
    for again in range(200):
        try:
            answer = send()
        except (OSError, http.client.HTTPException):
            time.sleep(0.1)
            continue
        if answer.status != 503:
            return answer, again
        time.sleep(0.1)
    raise AssertionError("the server does not answer any more")
