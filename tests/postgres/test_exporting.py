"""Out and in on PostgreSQL, word for word, and the path from a file of SQLite to it and back with the same bytes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion import create_app
from companion.command import maintenance
from companion.db import db
from companion.exporting import document
from companion.migrations.upgrading import migrate_database
from companion.record import importing
from tests.exported import bring, exported, night_to_import, random_night_to_import
from tests.test_exporting import (
    played,  # noqa: F401
    run,
    test_a_merged_name_stays_one_person,  # noqa: F401
    test_a_spoiled_night_is_refused_whole,  # noqa: F401
    test_any_nights_go_out_and_in_with_the_same_bytes,  # noqa: F401
    test_houses_stay_apart,  # noqa: F401
    test_people_are_found_by_how_their_names_look,  # noqa: F401
    test_the_same_night_comes_in_once_and_what_is_here_stays,  # noqa: F401
    test_two_who_bring_the_same_file_at_once_do_not_double_it,  # noqa: F401
    test_who_imports_becomes_the_keeper_and_nobody_else_does,  # noqa: F401
)


@pytest.fixture
def file_app(tmp_path: Path) -> Any:
    """An app on SQLite, beside those on PostgreSQL."""
    folder = tmp_path / "on-sqlite"
    folder.mkdir()
    app = create_app({"INSTANCE_PATH": folder, "ENVIRON": {}, "TESTING": True, "WTF_CSRF_ENABLED": False})
    migrate_database(app)
    yield app
    with app.app_context():
        db.session.remove()
        db.engine.dispose()
    shutil.rmtree(folder)


def test_from_a_file_to_postgresql_and_out_again(
    file_app: Flask,
    make_app: Callable[..., Flask],
    tmp_path: Path,
    played: list[Any],  # noqa: F811
) -> None:
    bring(file_app, night_to_import(played), *(random_night_to_import(seed, 80, seed) for seed in range(1, 6)))
    file, again = tmp_path / "all.json", tmp_path / "again.json"
    assert run(file_app, "export", str(file)).exit_code == 0
    there = make_app()
    came = run(there, "import", str(file))
    assert came.exit_code == 0, came.output
    assert "6 games added" in came.output and "Every game replays" in came.output
    assert run(there, "export", str(again)).exit_code == 0
    assert again.read_bytes() == file.read_bytes() == exported(there)
    with there.app_context():
        assert maintenance.check() == []
        assert {one.outcome.value for one in importing.bring_in(document.read(file.read_bytes()), whole=True)} == {
            "there"
        }
