"""Which files belong together: what a start finds, what the file alone has, and nobody gets an empty house unasked."""

from __future__ import annotations

import os
import pty
import shutil
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion import create_app
from companion import db as database
from companion.command.cli import companion
from companion.db import checkpoint, checkpoint_when_idle
from companion.migrations.upgrading import migrate_database
from companion.referee import commands as c
from tests.exported import bring, night_to_import
from tests.referee.nights import night
from tests.test_start import command, refusal, running
from tests.web import play, score, start


def entries(app: Flask, tmp_path: Path) -> int:
    """The entries in the database's file alone, as somebody carries it away."""
    shutil.copy(Path(app.instance_path) / "companion.sqlite", tmp_path / "alone.sqlite")
    with closing(sqlite3.connect(tmp_path / "alone.sqlite")) as alone:
        return int(alone.execute("SELECT count(*) FROM entry").fetchone()[0])


def log_of(app: Flask) -> Path:
    return Path(app.instance_path) / "companion.sqlite-wal"


# --- the file alone --------------------------------------------------------------------------------------------------


def test_when_a_hand_ends_the_file_alone_has_everything(app: Flask, client: FlaskClient, tmp_path: Path) -> None:
    code = start(app, client)
    assert entries(app, tmp_path) == 1, "from the start"
    play(app, code, c.Buy(1, 1), c.Buy(1, 2))
    assert entries(app, tmp_path) == 1, "a buy waits for the end of the hand"
    play(app, code, score(1, 0, 0, 45, 20))
    assert entries(app, tmp_path) == 4
    play(app, code, c.CloseGame())
    assert entries(app, tmp_path) == 5


def test_what_is_brought_in_is_in_the_file(app: Flask, tmp_path: Path) -> None:
    played = night(4).score(0).entries
    bring(app, night_to_import(played), night_to_import(played, 1))
    assert entries(app, tmp_path) == 2 * len(played)


def test_when_nobody_writes_for_a_while_the_log_is_emptied(
    app: Flask, client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert database.IDLE <= 60
    monkeypatch.setattr(database, "IDLE", 0.1)
    checkpoint_when_idle(app)
    code = start(app, client)
    play(app, code, c.Buy(1, 1))
    with app.app_context():
        database.db.session.remove()  # who reads keeps a part of the log
    until = time.monotonic() + 10
    while log_of(app).stat().st_size and time.monotonic() < until:
        time.sleep(0.05)
    assert log_of(app).stat().st_size == 0 and entries(app, tmp_path) == 2


def test_a_checkpoint_waits_for_nobody(app: Flask, client: FlaskClient, caplog: pytest.LogCaptureFixture) -> None:
    code = start(app, client)
    with closing(sqlite3.connect(Path(app.instance_path) / "companion.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        begun = time.monotonic()
        checkpoint(app, empties=True)
        checkpoint(app)
        assert time.monotonic() - begun < 2
        other.execute("ROLLBACK")
    play(app, code, c.Buy(1, 1))


def test_a_server_that_stops_leaves_one_file(tmp_path: Path) -> None:
    with running(tmp_path):
        pass
    assert [path.name for path in tmp_path.glob("companion.sqlite*") if path.stat().st_size] == ["companion.sqlite"]


# --- what a start finds ----------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A house as a first start leaves it."""
    made = tmp_path / "instance"
    migrate_database(create_app({"INSTANCE_PATH": made, "ENVIRON": {}}))
    return made


def lost(folder: Path, how: str) -> None:
    file = folder / "companion.sqlite"
    file.unlink()
    if how == "no bytes":
        file.touch()
    elif how == "no tables":
        with closing(sqlite3.connect(file)) as empty:
            empty.execute("PRAGMA user_version = 1")


@pytest.mark.parametrize("how", ["no file", "no bytes", "no tables"])
def test_a_secret_without_its_database_stops_with_a_sentence(folder: Path, how: str) -> None:
    lost(folder, how)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for words in (("run",), (), ("check",), ("link",)):
        said = refusal(folder, *words)
        assert "companion run --start-empty" in said and str(folder / "companion.sqlite") in said
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("how", ["no file", "no bytes"])
@pytest.mark.parametrize("has_secret", [True, False])
def test_a_log_without_its_database_stops_and_is_never_thrown_away(folder: Path, how: str, has_secret: bool) -> None:
    lost(folder, how)
    log = folder / "companion.sqlite-wal"
    log.write_bytes(b"the night")
    if not has_secret:
        (folder / "secret").unlink()
    said = refusal(folder, "run")
    assert str(log) in said and "--start-empty" in said
    assert log.read_bytes() == b"the night"
    done = run(folder, "--start-empty", "check")
    assert done.returncode == 0 and "0 games" in done.stdout
    (kept,) = folder.glob("companion.sqlite-wal.*")
    assert kept.read_bytes() == b"the night"


def run(folder: Path, *words: str, stdin: int = subprocess.DEVNULL) -> subprocess.CompletedProcess[str]:
    line, environ = command(folder, *words)
    return subprocess.run(line, env=environ, stdin=stdin, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("words", [("--start-empty", "check"), ("import", "--start-empty", "games.json")])
def test_the_flag_says_yes(folder: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    run(folder, "export", str(tmp_path / "games.json"))
    lost(folder, "no file")
    done = run(folder, *(str(tmp_path / word) if word.endswith(".json") else word for word in words))
    assert done.returncode == 0, done.stderr
    assert run(folder, "check").returncode == 0, "asked once"


@pytest.mark.parametrize(("answer", "starts"), [(b"y\n", True), (b"n\n", False), (b"\n", False)])
def test_at_a_terminal_it_asks(folder: Path, answer: bytes, starts: bool) -> None:
    lost(folder, "no file")
    here, there = pty.openpty()
    try:
        os.write(here, answer)
        done = run(folder, "check", stdin=there)
    finally:
        os.close(here)
        os.close(there)
    assert "start now without any game? [y/N]" in done.stderr and "Traceback" not in done.stderr
    assert (done.returncode == 0) is starts
    assert (folder / "companion.sqlite").exists() is starts
    assert starts or "Not started, and nothing was changed." in done.stderr


def test_what_is_whole_starts_unasked(folder: Path, tmp_path: Path) -> None:
    assert run(folder, "check").returncode == 0, "a house without games is one"
    assert run(tmp_path / "new", "check").returncode == 0, "a first start"
    (folder / "companion.sqlite-wal").write_bytes(b"")
    assert run(folder, "check").returncode == 0
    only = tmp_path / "only"
    only.mkdir()
    shutil.copy(folder / "companion.sqlite", only)
    assert run(only, "check").returncode == 0, "a database with a secret to be made"


def test_who_names_another_database_is_not_asked(folder: Path, tmp_path: Path) -> None:
    lost(folder, "no file")
    line, environ = command(folder, "check")
    environ["DATABASE_URL"] = f"sqlite:///{tmp_path / 'other.sqlite'}"
    done = subprocess.run(line, env=environ, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_a_secret_of_the_environment_tells_nothing_of_the_folder(tmp_path: Path) -> None:
    line, environ = command(tmp_path, "check")
    environ["COMPANION_SECRET_KEY"] = "x" * 32
    done = subprocess.run(line, env=environ, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_the_flag_is_in_the_help() -> None:
    assert any("--start-empty" in option.opts for option in companion.commands["run"].params)
