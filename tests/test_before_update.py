"""SQLite's file is copied before an update, so that the program of before can go on with it."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

import pytest
from flask_migrate import upgrade

from companion import create_app
from companion.config import SetupError
from companion.db import db
from companion.migrations import upgrading
from companion.migrations.upgrading import BEFORE_UPDATE, migrate_database
from tests.test_migrations import REVISIONS, SECRET, fill, night, published, rows_of, unmade

__all__ = ["night", "unmade"]


@pytest.mark.parametrize("revision", REVISIONS[:-1])
def test_a_copy_is_kept_before_the_update_which_that_program_opens(unmade, night, tmp_path, monkeypatch, revision):
    app, code, _client = night
    folder = Path(unmade.instance_path)
    with unmade.app_context():
        upgrade(revision=revision)
        db.session.remove()
    fill(unmade, rows_of(app))
    rows = rows_of(unmade)
    (folder / BEFORE_UPDATE).write_text("the copy of an earlier update")
    migrate_database(unmade)
    copy = folder / BEFORE_UPDATE
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    old = create_app({"INSTANCE_PATH": tmp_path / "back", "ENVIRON": {}, "SECRET_KEY": SECRET})
    shutil.copy(copy, tmp_path / "back" / "companion.sqlite")
    monkeypatch.setattr(upgrading, "MIGRATIONS", published(tmp_path, revision))
    migrate_database(old)  # an earlier program goes on with it as it was
    assert rows_of(old) == rows
    assert [path.name for path in folder.iterdir() if "update" in path.name] == [BEFORE_UPDATE]
    with old.app_context():
        db.engine.dispose()


def test_a_new_database_and_one_that_is_up_to_date_are_not_copied(unmade):
    for _start in range(2):
        migrate_database(unmade)
        assert not (Path(unmade.instance_path) / BEFORE_UPDATE).exists()


def test_where_no_copy_can_be_made_nothing_is_changed(unmade):
    with unmade.app_context():
        upgrade(revision=REVISIONS[0])
        db.session.remove()
    rows = rows_of(unmade)
    (Path(unmade.instance_path) / f"{BEFORE_UPDATE}.part").mkdir()
    with pytest.raises(SetupError, match="no copy of it can be made.*nothing was changed"):
        migrate_database(unmade)
    assert rows_of(unmade) == rows
