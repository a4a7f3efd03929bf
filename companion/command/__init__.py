"""The `companion` command and its subcommands; what all of them that work on the database begin and end with."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import ParamSpec

from flask import Flask

from companion import create_app
from companion.db import db, migrate_database

_Given = ParamSpec("_Given")


def ready_app(settings: Mapping[str, object] | None = None) -> Flask:
    """The app with its database made and up to date. Raises SetupError where that cannot be."""
    app = create_app(settings)
    migrate_database(app)
    return app


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
