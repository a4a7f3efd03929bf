"""Bringing a database to the form that this version of the app needs, with a copy of it before."""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Literal

from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Flask
from flask_migrate import upgrade
from sqlalchemy.exc import DatabaseError

from companion.config import SetupError
from companion.db import MIGRATIONS, db, file_of

#: The copy of SQLite's file as it was before the last update, beside it. It keeps names that are forgotten since.
BEFORE_UPDATE = "companion-before-update.sqlite"


def migrate_database(app: Flask) -> None:
    """Bring the database to this version of the app; does nothing where it is there already.

    SQLite's file is copied before it is changed. Raises SetupError where it was made by a newer version, is no database of
    ours, or cannot be copied.
    """
    file = file_of(app)
    with app.app_context():
        _make(file)
        try:
            standing = standing_of()
            if standing == "older" and file is not None:
                _keep_copy(file)  # PostgreSQL takes its steps in one transaction, and has its own backups
            if standing != "ours":
                upgrade()
        except DatabaseError as error:
            raise SetupError(f"The database {_place()} can't be used: {error.orig}.") from error
        finally:
            db.session.remove()
            db.engine.dispose()


def standing_of() -> Literal["new", "older", "ours"]:
    """Whether the database has no table of ours yet, or those of an earlier version, or of this one.

    Raises SetupError where it was made by a newer version or cannot be used.
    """
    scripts = ScriptDirectory(str(MIGRATIONS))
    try:
        with db.engine.connect() as connection:
            at = set(MigrationContext.configure(connection).get_current_heads())
    except DatabaseError as error:
        raise SetupError(f"The database {_place()} can't be used: {error.orig}.") from error
    if unknown := at - {script.revision for script in scripts.walk_revisions()}:
        raise SetupError(
            f"The database {_place()} was made by a newer version of Gripe Companion (its revision is "
            f"{min(unknown)}). Start that version, or update this one."
        )
    if not at:
        return "new"
    return "ours" if at == set(scripts.get_heads()) else "older"


def _keep_copy(source: Path) -> None:
    """Copy SQLite's file, whole, over the copy made before the last update. Raises SetupError."""
    copy = source.with_name(BEFORE_UPDATE)
    aside = copy.with_name(f"{copy.name}.part")
    try:
        aside.unlink(missing_ok=True)
        os.close(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with closing(sqlite3.connect(source)) as here, closing(sqlite3.connect(aside)) as there:
            here.backup(there)
        aside.replace(copy)
    except (OSError, sqlite3.Error) as error:
        raise SetupError(
            f"The database is of an earlier version, and no copy of it can be made before it is brought up to date: {error}. "
            f"Make room for {copy}; nothing was changed."
        ) from error


def _make(place: Path | None) -> None:
    """SQLite's file, readable by its owner alone: the links to every table are in it. What SQLite lays beside it follows it."""
    if place is not None:
        with suppress(OSError):  # it is there already; or cannot be made, which SQLite says better
            os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _place() -> str:
    """The database's file, or its address without the password."""
    url = db.engine.url
    return url.database or "" if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=True)
