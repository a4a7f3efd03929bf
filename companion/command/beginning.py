"""Before the database is made: was there one, and is it gone? Then nobody is given an empty house without being asked."""

import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from flask import Flask

from companion.config import SECRET_FILE, SetupError, own_database
from companion.db import file_of

_YES = "companion.start_empty"
FLAG = "--start-empty"


def _say_yes(context: click.Context, _option: click.Parameter, is_given: bool) -> None:
    context.meta[_YES] = is_given or context.meta.get(_YES, False)


def start_empty(command: Any) -> Any:
    """The flag of a command that says yes to a house without games."""
    words = "Start without any game where the database is gone."
    return click.option(FLAG, is_flag=True, expose_value=False, callback=_say_yes, help=words)(command)


def look_for_the_database(app: Flask) -> None:
    """See to it that an empty house is meant: by the flag, or by asking at a terminal. Raises SetupError otherwise.

    Only for the database in the instance folder: whoever names another one (DATABASE_URL) knows what is there.
    """
    folder = Path(app.instance_path)
    if app.config["SQLALCHEMY_DATABASE_URI"] != own_database(folder):
        return
    file = file_of(app)
    log = folder / "companion.sqlite-wal"
    if file is None or not _is_empty(file):
        return
    if _has_content(log) and not _has_content(file):
        _ask(f"{log} has entries, but {file}, to which they belong, is {_gone(file)}: put both back side by side")
        log.rename(log.with_name(f"{log.name}.{datetime.now(UTC):%Y%m%d-%H%M%S}"))  # SQLite would delete it
    elif app.config["SECRET_WAS_THERE"]:
        _ask(
            f"{folder / SECRET_FILE} is of a server that was here before, but its games in {file} are {_gone(file)}: put that "
            "file back, with companion.sqlite-wal if there is one"
        )


def _ask(what: str) -> None:
    context = click.get_current_context(silent=True)
    if context is not None and context.meta.get(_YES):
        return
    if sys.stdin is not None and sys.stdin.isatty():
        if click.confirm(f"{what}.\nOr start now without any game?", default=False, err=True):
            return
        raise SetupError("Not started, and nothing was changed.")
    raise SetupError(f"{what}, or start without any game by `companion run {FLAG}`.")


def _gone(file: Path) -> str:
    return "empty" if file.exists() else "gone"


def _has_content(file: Path) -> bool:
    return file.exists() and file.stat().st_size > 0


def _is_empty(file: Path) -> bool:
    """Whether there is no table in a database, or no database at all; what is no database is not empty."""
    if not _has_content(file):
        return not file.is_dir()
    try:
        with closing(sqlite3.connect(file)) as database:
            return database.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    except sqlite3.Error:  # which migrating says
        return False
