"""The `companion` command and its subcommands; what all of them that work on the database begin and end with."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec

from flask import Flask
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as WaitedTooLong

from companion import create_app
from companion.command.beginning import look_for_the_database
from companion.config import SetupError
from companion.db import db
from companion.migrations.upgrading import migrate_database
from companion.record import forgetting

_Given = ParamSpec("_Given")


def ready_app(settings: Mapping[str, object] | None = None) -> Flask:
    """The app with its database made and up to date. Raises SetupError where that cannot be."""
    app = create_app(settings)
    made_ready(app)
    return app


def made_ready(app: Flask) -> None:
    """Make the database or bring it up to date, and take away the names that were to be gone by now. Raises SetupError."""
    look_for_the_database(app)
    migrate_database(app)
    with _connected(app):
        forgetting.carry_out()


@contextmanager
def _connected(app: Flask) -> Iterator[None]:
    """Within the app, and every connection to its database closed at the end. Raises SetupError where it cannot be used."""
    with app.app_context():
        try:
            yield
        except (OperationalError, WaitedTooLong) as error:
            why = " ".join(str(getattr(error, "orig", error)).split())
            raise SetupError(f"The database can't be used just now: {why}.") from error
        finally:
            db.session.remove()
            db.engine.dispose()


def with_database(command: Callable[_Given, None]) -> Callable[_Given, None]:
    """A command that is run with the app and its database, and every connection to it closed at the end."""

    @wraps(command)
    def run(*args: _Given.args, **options: _Given.kwargs) -> None:
        with _connected(ready_app()):
            command(*args, **options)

    return run
