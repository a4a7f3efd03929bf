"""The same fixtures on a real PostgreSQL: every test of this folder runs against one.

Most modules here are the tests of the record once more, word for word (`from tests.test_record import *`): a test
asks for `app` or `make_app` and gets a database that is a copy of one made by the real migrations.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion import create_app
from companion.migrations.upgrading import migrate_database
from tools.postgres import NoPostgres, Postgres

HERE = Path(__file__).parent
_numbers = count(1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test of this folder needs a PostgreSQL."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.postgres)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One server for the whole run. Without one: an error in CI, a loud skip on a person's machine."""
    try:
        server = Postgres()
    except NoPostgres as missing:
        if os.environ.get("CI"):
            pytest.fail(f"CI needs a PostgreSQL: tools/postgresql installs it. {missing}", pytrace=False)
        pytest.skip(f"NO POSTGRESQL TESTS: {missing}")
    with server:
        yield server


@pytest.fixture(scope="session")
def migrated_database(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of an empty database, made once by the real migrations; tests get copies."""
    settings = {"INSTANCE_PATH": tmp_path_factory.mktemp("migrated"), "ENVIRON": {}, "TESTING": True}
    migrate_database(create_app({**settings, "SQLALCHEMY_DATABASE_URI": postgres.create("migrated")}))
    return "migrated"


@pytest.fixture
def make_database(postgres: Postgres) -> Iterator[Callable[..., str]]:
    """`make_database()`: the address of a new empty database; `template` is the name of one to copy."""
    made: list[str] = []

    def make(template: str = "template0") -> str:
        made.append(f"test{next(_numbers)}")
        return postgres.create(made[-1], template)

    yield make
    for name in made:
        postgres.drop(name)


@pytest.fixture
def database_settings(make_database: Callable[..., str], migrated_database: str) -> Callable[[Path], dict[str, Any]]:
    """As that of SQLite: the settings of an app on a fresh database of its own."""
    return lambda folder: {"SQLALCHEMY_DATABASE_URI": make_database(migrated_database)}
