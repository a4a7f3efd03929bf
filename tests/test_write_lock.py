"""Who writes when: first come first, one deadline for all who wait where another program has locked the file."""

from __future__ import annotations

import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as WaitedTooLong

from companion import db as database
from companion.command.cli import companion
from companion.config import SetupError
from companion.db import WriteLock, db, writing
from companion.views.errors import AWAY
from tests.exported import exported
from tests.test_live import running
from tests.test_server import asked
from tests.web import plain, start


def test_the_deadline_is_fifteen_seconds() -> None:
    assert database._write_lock.seconds == 15


def test_writers_come_first_come_first() -> None:
    lock, order = WriteLock(30), []

    def write(number: int) -> None:
        with lock.held():
            order.append(number)

    with lock.held():
        threads = []
        for number in range(5):
            threads.append(threading.Thread(target=write, args=(number,)))
            threads[-1].start()
            while len(lock._waiting) <= number:
                time.sleep(0.001)
    for thread in threads:
        thread.join()
    assert order == [0, 1, 2, 3, 4]
    with lock.held():
        pass


def test_nobody_waits_longer_than_said_and_the_lock_is_whole_afterwards() -> None:
    lock = WriteLock(0.05)
    with lock.held(), pytest.raises(WaitedTooLong), WriteLock.held(lock):
        pass
    with lock.held() as until:
        assert until > time.monotonic()
    assert not lock._waiting


def test_an_error_of_another_kind_lets_the_next_one_write() -> None:
    lock, wrote = WriteLock(30), []

    def write() -> None:
        with lock.held():
            wrote.append(1)

    with pytest.raises(OperationalError), lock.held():
        other = threading.Thread(target=write)
        other.start()
        while not lock._waiting:
            time.sleep(0.001)
        raise OperationalError("", {}, Exception("disk full"))
    other.join()
    assert wrote == [1]


@pytest.fixture
def hasty(monkeypatch):
    """The deadline is short."""
    monkeypatch.setattr(database, "_write_lock", WriteLock(0.6))


@pytest.fixture
def locked(app):
    """Another program writes to the file and does not stop."""
    if app.config["SQLALCHEMY_DATABASE_URI"].startswith("postgresql"):
        pytest.skip("a file of SQLite")
    with closing(sqlite3.connect(Path(app.instance_path) / "companion.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other


def test_all_taps_that_wait_for_another_program_give_up_together(app, hasty, locked) -> None:
    waited: list[tuple[float, type[BaseException]]] = []

    def tap() -> None:
        with app.app_context():
            begun = time.monotonic()
            try:
                with writing() as session:
                    session.connection()
            except AWAY as error:
                waited.append((time.monotonic() - begun, type(error)))
            db.session.remove()

    threads = [threading.Thread(target=tap) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(waited) == 8 and max(seconds for seconds, _kind in waited) < 2 * 0.6
    assert {kind for _seconds, kind in waited} == {OperationalError, WaitedTooLong}
    locked.execute("ROLLBACK")
    with app.app_context(), writing() as session:
        session.connection()


def test_a_tap_that_waited_too_long_gets_the_page_with_what_was_typed(app, client, hasty) -> None:
    code = start(app, client)
    with closing(sqlite3.connect(Path(app.instance_path) / "companion.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = client.post(f"/g/{code}/do", data={"do": "buy.1.1", "hand": "1", "token": "t", "seen": "1"})
        assert answer.status_code == 503
        assert 'name="do" value="buy.1.1"' in answer.text and "out of reach" in plain(answer.text)
        assert client.get(f"/g/{code}/").status_code == 200  # who looks does not wait for who writes
        other.execute("COMMIT")
    assert (
        client.post(f"/g/{code}/do", data={"do": "buy.1.1", "hand": "1", "token": "t", "seen": "1"}).status_code == 303
    )


def test_reading_connections_wait_as_long_as_ever(app) -> None:
    with app.app_context():
        with writing() as session:
            assert session.connection().exec_driver_sql("PRAGMA busy_timeout").scalar_one() == 15_000
        assert db.session.connection().exec_driver_sql("PRAGMA busy_timeout").scalar_one() == 15_000


def test_a_command_says_so_too(app, client, hasty, tmp_path) -> None:
    start(app, client)
    (tmp_path / "games.json").write_bytes(exported(app).replace(b'"uid":"', b'"uid":"other'))
    with closing(sqlite3.connect(Path(app.instance_path) / "companion.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        environ = {"COMPANION_INSTANCE_PATH": app.instance_path}
        done = CliRunner().invoke(companion, ["import", str(tmp_path / "games.json")], env=environ)
    assert isinstance(done.exception, SetupError)
    assert str(done.exception) == "The database can't be used just now: database is locked."


@pytest.mark.slow
def test_taps_of_a_real_server_are_answered_within_the_deadline(app, client) -> None:
    """Another program keeps the file for longer than anybody waits; the taps come one after another."""
    code = start(app, client)
    cookie = {
        "Cookie": f"device={client.get_cookie('device').value}",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    took: list[tuple[int, float, str]] = []

    def tap(port: int, number: int) -> None:
        body = urlencode({"do": "buy.1.1", "hand": "1", "token": f"tap {number}", "seen": "1"})
        begun = time.monotonic()
        status, page = asked(port, "POST", f"/g/{code}/do", body, cookie)
        took.append((status, time.monotonic() - begun, page))

    with running(app) as port:
        with closing(sqlite3.connect(Path(app.instance_path) / "companion.sqlite", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            threads = [threading.Thread(target=tap, args=(port, number)) for number in range(6)]
            for thread in threads:
                thread.start()
                time.sleep(0.5)
            for thread in threads:
                thread.join()
        assert [status for status, _seconds, _page in took] == [503] * 6
        assert max(seconds for _status, seconds, _page in took) < 17
        assert all(f'value="tap {number}"' in "".join(page for *_, page in took) for number in range(6))
