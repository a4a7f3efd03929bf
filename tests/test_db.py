"""The database's own promises: settings per connection, aware datetimes, one writer at a time."""

from __future__ import annotations

import os
import threading
from datetime import UTC, datetime, timedelta, timezone

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text
from sqlalchemy.dialects import postgresql, sqlite

from companion import create_app
from companion.db import UTCDateTime, db, writing
from companion.migrations.upgrading import migrate_database


@pytest.fixture
def counter(app):
    """A table with one number in it, 0."""
    with app.app_context(), writing() as session:
        session.execute(text("CREATE TABLE counter (n INTEGER)"))
        session.execute(text("INSERT INTO counter VALUES (0)"))
    return app


def value() -> int:
    return db.session.execute(text("SELECT n FROM counter")).scalar_one()


@pytest.mark.parametrize(
    ("pragma", "wanted"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 15000)]
)
def test_every_connection_is_set_up(app, pragma, wanted):
    with app.app_context():
        for _ in range(2):
            assert db.session.execute(text(f"PRAGMA {pragma}")).scalar_one() == wanted
            db.session.remove()
            db.engine.dispose()


def test_writing_commits_at_the_end(counter):
    with counter.app_context():
        with writing() as session:
            session.execute(text("UPDATE counter SET n = 7"))
        db.session.remove()
        assert value() == 7


def test_an_error_takes_everything_back_and_frees_the_lock(counter):
    with counter.app_context():
        with pytest.raises(ZeroDivisionError), writing() as session:
            session.execute(text("UPDATE counter SET n = 7"))
            raise ZeroDivisionError
        assert value() == 0
        with writing() as session:
            session.execute(text("UPDATE counter SET n = 1"))
        assert value() == 1


def test_writing_does_not_nest(counter):
    with counter.app_context(), pytest.raises(RuntimeError, match="one transaction"), writing(), writing():
        pass


def test_read_then_write_loses_no_update(counter):
    def add(times: int) -> None:
        for _ in range(times):
            with counter.app_context(), writing() as session:
                seen = value()
                session.execute(text("UPDATE counter SET n = :n"), {"n": seen + 1})

    threads = [threading.Thread(target=add, args=(10,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with counter.app_context():
        assert value() == 80


def test_a_reader_neither_waits_for_a_writer_nor_sees_half_of_it(counter):
    with counter.app_context(), writing() as session:
        session.execute(text("UPDATE counter SET n = 9"))
        read: list[int] = []
        reader = threading.Thread(target=lambda: read.append(_read(counter)))
        reader.start()
        reader.join(10)
        assert read == [0]


def _read(app) -> int:
    with app.app_context():
        return value()


def test_datetimes_keep_their_moment():
    kind = UTCDateTime()
    lisbon = datetime(2026, 7, 1, 21, 30, tzinfo=timezone(timedelta(hours=1)))
    stored = kind.process_bind_param(lisbon, sqlite.dialect())
    assert stored == datetime(2026, 7, 1, 20, 30)
    back = kind.process_result_value(stored, sqlite.dialect())
    assert back == lisbon
    assert back.tzinfo is UTC
    assert kind.process_bind_param(lisbon, postgresql.dialect()) == lisbon
    assert kind.process_bind_param(None, sqlite.dialect()) is None
    assert kind.process_result_value(None, sqlite.dialect()) is None


def test_a_datetime_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="without a zone"):
        UTCDateTime().process_bind_param(datetime(2026, 7, 1), sqlite.dialect())


def test_the_migrations_make_what_the_models_say(app):
    with app.app_context(), db.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), db.metadata) == []


def test_the_database_is_its_owners_alone(tmp_path):
    old = os.umask(0o022)
    try:
        app = create_app({"INSTANCE_PATH": tmp_path, "ENVIRON": {}})
        migrate_database(app)
    finally:
        os.umask(old)
    with app.app_context(), writing() as session:
        session.execute(text("CREATE TABLE counter (n INTEGER)"))
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
        db.session.rollback()
        db.engine.dispose()
    assert {"companion.sqlite", "companion.sqlite-wal", "secret"} <= set(modes)
    assert set(modes.values()) == {0o600}


def test_migrating_again_changes_nothing(app):
    def schema() -> list[str]:
        with app.app_context():
            return list(db.session.execute(text("SELECT sql FROM sqlite_master ORDER BY name")).scalars())

    before = schema()
    migrate_database(app)
    assert schema() == before
