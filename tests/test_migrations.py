"""A database of every earlier form of the app comes up with the game that was in play, and the game goes on."""

from __future__ import annotations

import shutil

import pytest
from alembic.script import ScriptDirectory
from flask_migrate import upgrade
from sqlalchemy import MetaData, insert, select, text

from companion import create_app, record
from companion.command.maintenance import check
from companion.config import SetupError
from companion.db import MIGRATIONS, db
from companion.migrations import upgrading
from companion.migrations.upgrading import migrate_database
from companion.referee.commands import Buy
from tests.web import NAMES, play, score, start, three_sets

SECRET = "the same secret on both sides"
REVISIONS = sorted(script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions())


@pytest.fixture
def unmade(tmp_path):
    """An app whose database is still to be made."""
    made = create_app(
        {"INSTANCE_PATH": tmp_path / "old", "ENVIRON": {}, "SECRET_KEY": SECRET, "WTF_CSRF_ENABLED": False}
    )
    yield made
    with made.app_context():
        db.session.remove()
        db.engine.dispose()


@pytest.fixture
def night(make_app):
    """A game in hand 2, on a database as it is made today: its app, its code and its phone."""
    app = make_app(SECRET_KEY=SECRET)
    client = app.test_client()
    code = start(app, client)
    play(app, code, Buy(1, 1), three_sets(), score(1, 0, 0, 45, 10), Buy(2, 2))
    return app, code, client


def rows_of(app):
    """Every row of a database by table, without what it says about its own form."""
    with app.app_context():
        tables = MetaData()
        tables.reflect(db.engine)
        wanted = [table for table in tables.sorted_tables if table.name != "alembic_version"]
        return {table.name: [dict(row._mapping) for row in db.session.execute(select(table))] for table in wanted}


def fill(app, rows):
    """The same rows, as far as this form of the database has a place for them."""
    with app.app_context(), db.engine.connect().execution_options(**_transaction()) as connection:
        tables = MetaData()
        tables.reflect(connection)
        for table in tables.sorted_tables:
            for row in rows.get(table.name, ()):
                connection.execute(
                    insert(table).values({name: value for name, value in row.items() if name in table.c})
                )
            if connection.dialect.name == "postgresql" and "id" in table.c and rows.get(table.name):
                connection.execute(
                    text(f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), max(id)) FROM {table.name}")
                )
        connection.commit()


def _transaction():
    return {"isolation_level": "READ COMMITTED"} if db.engine.dialect.name == "postgresql" else {}


def test_there_is_one_way_up_and_it_has_no_gap():
    assert REVISIONS[0] == "0001" and len(REVISIONS) >= 4
    assert len(ScriptDirectory(str(MIGRATIONS)).get_heads()) == 1


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_game_in_play_goes_on(unmade, night, revision):
    app, code, client = night
    with unmade.app_context():
        upgrade(revision=revision)
        db.session.remove()
    fill(unmade, rows_of(app))
    migrate_database(unmade)

    phone = unmade.test_client()
    phone.set_cookie("device", client.get_cookie("device").value)
    page = phone.get(f"/g/{code}/")
    assert page.status_code == 200
    assert 'data-revision="5"' in page.text and all(name in page.text for name in NAMES)
    assert "45" in page.text
    for path in ("", "scores", "history", "phones", "throw", "more"):
        assert phone.get(f"/g/{code}/{path}").status_code == 200, path
    play(unmade, code, Buy(2, 1))
    with unmade.app_context():
        assert record.load(code).revision == 6
        assert check() == []
    again = start(unmade, unmade.test_client())
    assert phone.get(f"/g/{again}/").status_code == 404


def published(tmp_path, revision):
    """A folder of migrations as a program of that revision had it."""
    folder = tmp_path / f"program{revision}"
    shutil.copytree(MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for script in (folder / "versions").glob("*.py"):
        if script.name[:4] > revision:
            script.unlink()
    return folder


@pytest.mark.parametrize("revision", REVISIONS[:-1])
def test_an_earlier_program_refuses_this_database_and_changes_nothing(night, tmp_path, monkeypatch, revision):
    app, _code, _client = night
    rows = rows_of(app)
    monkeypatch.setattr(upgrading, "MIGRATIONS", published(tmp_path, revision))
    with pytest.raises(SetupError, match=f"newer version .* revision is {REVISIONS[-1]}.* Start that version"):
        migrate_database(app)
    assert rows_of(app) == rows
