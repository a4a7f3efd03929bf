"""The `companion` command and its subcommands; what all of them that work on the database begin and end with."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import ParamSpec

from flask import Flask

from companion import create_app
from companion.command.beginning import look_for_the_database
from companion.db import db, migrate_database
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
    with app.app_context():
        try:
            forgetting.carry_out()
        finally:
            db.session.remove()
            db.engine.dispose()


def with_database(command: Callable[_Given, None]) -> Callable[_Given, None]:
    """A command that is run with the app and its database, and every connection to it closed at the end."""

    @wraps(command)
    def run(*args: _Given.args, **options: _Given.kwargs) -> None:
        with ready_app().app_context():
            try:
                command(*args, **options)
            finally:
                db.session.remove()
                db.engine.dispose()

    return run
