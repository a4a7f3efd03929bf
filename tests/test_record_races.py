"""Several phones, threads and processes at one game, and a server that is killed in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import func, select

from companion import record
from companion.command.maintenance import check
from companion.db import db
from companion.models import Entry, Game, Person
from companion.referee import commands as c
from companion.referee.engine import IllegalCommand
from companion.referee.games import KATE

NAMES = ("Ana", "Bob", "Cle", "Dora")


def start(token: str = "start") -> str:
    return record.start_game(c.StartGame(KATE, (0, 1, 2, 3), 0), NAMES, token=token).code


def together(app, times: int, work: Callable[[int], None]) -> list[BaseException]:
    """Run ``work(0)`` … in as many threads, all let go at once; gives what went wrong."""
    gate, wrong = threading.Barrier(times), []

    def run(number: int) -> None:
        with app.app_context():
            gate.wait()
            try:
                work(number)
            except BaseException as error:
                wrong.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return wrong


def numbers(code: str) -> list[int]:
    found = select(Entry.seq).join(Game, Game.id == Entry.game_id).where(Game.code == code).order_by(Entry.seq)
    return list(db.session.execute(found).scalars())


def test_eight_phones_at_one_game_leave_no_gap(app):
    with app.app_context():
        code = start()

    def toggle(number: int) -> None:
        for step in range(10):
            view = record.load(code)
            seat = number % 4
            bought = view.state.hand.buys.get(seat, 0)
            command = c.TakeBackBuy(1, seat) if bought else c.Buy(1, seat)
            try:
                record.append(code, command, token=f"{number}-{step}", seen=view.revision)
            except (record.Stale, IllegalCommand):
                continue

    assert together(app, 8, toggle) == []
    with app.app_context():
        assert numbers(code) == list(range(1, record.load(code).revision + 1))
        assert len(numbers(code)) > 20
        assert check() == []


def test_one_token_from_eight_phones_lands_once(app):
    with app.app_context():
        code = start()
    landed = []
    wrong = together(app, 8, lambda _: landed.append(record.append(code, c.Buy(1, 2, 1), token="same", seen=1)))
    assert wrong == []
    assert sorted(accepted.duplicate for accepted in landed) == [False] + [True] * 7
    assert {accepted.revision for accepted in landed} == {2}


def test_one_start_from_eight_phones_makes_one_game(app):
    codes = []
    assert together(app, 8, lambda _: codes.append(start())) == []
    assert len(set(codes)) == 1
    with app.app_context():
        assert db.session.execute(select(func.count()).select_from(Game)).scalar_one() == 1


def test_eight_games_at_once_make_the_same_people_once(app):
    assert together(app, 8, lambda number: start(f"{number}")) == []
    with app.app_context():
        assert db.session.execute(select(func.count()).select_from(Person)).scalar_one() == 4


def test_one_person_joins_eight_games_at_once(app):
    with app.app_context():
        codes = [start(f"{number}") for number in range(8)]
    wrong = together(app, 8, lambda n: record.join(codes[n], ("Eva", "EVA ")[n % 2], token="join", seen=1) and None)
    assert wrong == []
    with app.app_context():
        assert db.session.execute(select(func.count()).select_from(Person)).scalar_one() == 5
        assert check() == []


BURST = """
    import sys
    from companion import create_app, record
    from companion.db import db
    from companion.referee import commands as c

    folder, url, code, name, steps = sys.argv[1:]
    app = create_app({"INSTANCE_PATH": folder, "SQLALCHEMY_DATABASE_URI": url, "ENVIRON": {}})
    with app.app_context():
        for step in range(int(steps)):
            view = record.load(code)
            bought = view.state.hand.buys.get(int(name), 0)
            command = c.TakeBackBuy(1, int(name)) if bought else c.Buy(1, int(name))
            landed = record.append(code, command, token=f"{name}-{step}", seen=view.revision)
            print(landed.revision, flush=True)
        db.session.remove()
        db.engine.dispose()
"""


def burst(place: tuple[str, str], code: str, name: int, steps: int) -> subprocess.Popen[str]:
    """A process that enters something again and again, and prints the number of every entry acknowledged."""
    arguments = [sys.executable, "-W", "error", "-c", textwrap.dedent(BURST), *place, code, str(name), str(steps)]
    root = str(Path(__file__).parent.parent)
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=root)


@pytest.fixture
def shared(app):
    """A game in a database that other processes open too."""
    with app.app_context():
        yield (app.instance_path, app.config["SQLALCHEMY_DATABASE_URI"]), start()


@pytest.mark.slow
def test_three_processes_at_one_game_lose_nothing(shared):
    place, code = shared
    processes = [burst(place, code, name, 40) for name in range(3)]
    told = [process.communicate(timeout=60) for process in processes]
    assert [errors for _, errors in told] == ["", "", ""]
    acknowledged = sorted(int(line) for lines, _ in told for line in lines.split())
    assert acknowledged == list(range(2, 122))
    assert numbers(code) == list(range(1, 122))
    assert check() == []


@pytest.mark.slow
@pytest.mark.parametrize("after", [1, 7, 23])
def test_a_server_killed_in_a_burst_keeps_all_it_acknowledged(shared, after):
    place, code = shared
    process = burst(place, code, 1, 100_000)
    assert process.stdout is not None and process.stderr is not None
    acknowledged = [int(process.stdout.readline()) for _ in range(after)]
    os.kill(process.pid, signal.SIGKILL)
    acknowledged += [int(line) for line in process.stdout.read().split("\n")[:-1]]
    process.wait(timeout=20)
    process.stderr.close()
    process.stdout.close()
    found = numbers(code)
    assert found == list(range(1, len(found) + 1))
    assert set(acknowledged) <= set(found)
    assert len(found) - 1 - len(acknowledged) in (0, 1), "at most the one that was not told of yet"
    assert check() == []
    assert record.append(code, c.Buy(1, 3), token="goes on", seen=len(found)).revision == len(found) + 1
