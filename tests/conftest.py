"""What every test can ask for: an app on its own fresh database, a client, and no real instance folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, Playwright, sync_playwright
from werkzeug.test import TestResponse

from companion import create_app
from companion.db import db
from companion.migrations.upgrading import migrate_database
from tests.lint_html import faults
from tests.shared_work import share_routes, share_templates
from tests.web import start, unmarked

MakeApp = Callable[..., Flask]
MakeDatabase = Callable[[Path], dict[str, Any]]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Answer(TestResponse):
    """An answer whose `text` has its sentences in one piece; `get_data` gives it as it was sent."""

    @property
    def text(self) -> str:
        """As in Werkzeug, without the marks around names in sentences."""
        return unmarked(super().text)


class LintingClient(FlaskClient):
    """A client that looks at every whole page it is given (`tests/lint_html.py`)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.response_wrapper = type("Answer", (Answer, self.response_wrapper), {})

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        """As in Flask; fails on a page that is not well made."""
        answer = super().open(*args, **kwargs)
        is_page = answer.mimetype == "text/html" and not answer.location and not answer.content_encoding
        if is_page and "<!doctype html>" in answer.text[:200].lower():
            wrong = faults(answer.get_data(as_text=True))
            assert not wrong, f"{answer.request.path}: {wrong}"
        return answer


share_routes()
# A machine that is busy with other things makes no test fail.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")


@pytest.fixture(scope="session")
def migrated_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database, made once by the real migrations; tests get copies."""
    folder = tmp_path_factory.mktemp("migrated")
    app = create_app({"INSTANCE_PATH": folder, "ENVIRON": {}, "TESTING": True})
    migrate_database(app)
    # A copy of the file alone must be whole, so what is still in the log is written into it.
    with app.app_context(), db.engine.connect() as connection:
        connection.exec_driver_sql("COMMIT")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.exec_driver_sql("BEGIN")
    return folder / "companion.sqlite"


@pytest.fixture
def database_settings(migrated_database: Path) -> MakeDatabase:
    """`database_settings(folder)`: the settings of an app in that folder, for a fresh database of its own."""

    def make(folder: Path) -> dict[str, Any]:
        shutil.copy(migrated_database, folder)
        return {}

    return make


@pytest.fixture
def make_app(tmp_path: Path, database_settings: MakeDatabase) -> Iterator[MakeApp]:
    """`make_app(KEY=value, …)`: an app on a fresh database of its own; CSRF off unless asked for."""
    made: list[Flask] = []

    def make(**settings: Any) -> Flask:
        folder = tmp_path / f"instance{len(made)}"
        folder.mkdir()
        given = {"INSTANCE_PATH": folder, "ENVIRON": {}, "TESTING": True, "WTF_CSRF_ENABLED": False}
        app = create_app({**given, **database_settings(folder), **settings})
        app.test_client_class = LintingClient
        share_templates(app)
        made.append(app)
        return app

    yield make
    for app in made:
        with app.app_context():
            db.session.remove()
            db.engine.dispose()


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    """An app on a fresh database."""
    return make_app()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """One phone: a browser with its own cookies."""
    return app.test_client()


@pytest.fixture
def code(app: Flask, client: FlaskClient) -> str:
    """The code of a new game of three; the client is its keeper."""
    return start(app, client)


def chromium() -> str | None:
    """The browser to use: CHROMIUM=/path, or the first one on the path."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return os.environ.get("CHROMIUM") or next((path for name in names if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def playwright_driver() -> Iterator[Playwright]:
    """Playwright, started once."""
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """One Chromium for the whole run. Without one: an error in CI, a loud skip on a person's machine."""
    path = chromium()
    if path is None and os.environ.get("CI"):
        pytest.fail("CI needs a Chromium: tools/browser installs it", pytrace=False)
    if path is None:
        pytest.skip("NO BROWSER TESTS: there is no Chromium here (on Debian or Ubuntu: sudo apt install chromium)")
    driver: Playwright = request.getfixturevalue("playwright_driver")
    running = driver.chromium.launch(executable_path=path, headless=True, args=FLAGS)
    yield running
    running.close()
