"""The tables and triggers on PostgreSQL: as the migrations make them, back and forth, closed to everybody."""

import psycopg
import pytest
from flask_migrate import downgrade, upgrade
from sqlalchemy import inspect, text

from companion.db import db
from tests.test_db import counter  # noqa: F401
from tests.test_db import test_a_reader_neither_waits_for_a_writer_nor_sees_half_of_it as _reader
from tests.test_db import test_an_error_takes_everything_back_and_frees_the_lock as _error
from tests.test_db import test_writing_commits_at_the_end as _commits
from tests.test_models import (
    test_no_two_people_of_a_house_look_the_same_but_two_houses_may,  # noqa: F401
    test_the_migrations_make_what_the_models_say,  # noqa: F401
)

test_a_reader, test_an_error, test_writing_commits = _reader, _error, _commits
TRIGGERS = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname"


def test_every_trigger_is_there_after_the_last_migration(app):
    with app.app_context(), db.engine.connect() as connection:
        names = connection.execute(text(TRIGGERS)).scalars().all()
    assert names == ["entry_no_gap", "entry_no_truncate", "entry_no_update"]


def test_the_first_migration_goes_back_and_forth(app):
    with app.app_context():
        tables = len(inspect(db.engine).get_table_names())
        db.session.remove()
        downgrade(revision="base")
        assert inspect(db.engine).get_table_names() == ["alembic_version"]
        functions = "SELECT proname FROM pg_proc WHERE proname LIKE 'entry_%'"
        with db.engine.connect() as connection:
            assert connection.execute(text(functions)).all() == []
        upgrade()
        assert len(inspect(db.engine).get_table_names()) == tables


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET kind = 'floated'",
        "DELETE FROM entry",
        "TRUNCATE entry",
        "INSERT INTO entry (game_id, seq, kind, data, at) VALUES (1, 3, 'bought', '{}', now())",
        "INSERT INTO entry (game_id, seq, kind, data, at) VALUES (1, 1, 'bought', '{}', now()) "
        "ON CONFLICT (game_id, seq) DO UPDATE SET kind = 'bought'",
    ],
)
def test_the_refusals_hold_for_any_program_that_opens_the_database(app, statement):
    url = app.config["SQLALCHEMY_DATABASE_URI"].replace("+psycopg", "")
    with psycopg.connect(url) as connection:
        connection.execute("INSERT INTO house (id, name) VALUES (1, '')")
        connection.execute(
            "INSERT INTO game (id, house_id, code, token, digest, created_at, changed_at, revision, phase) "
            "VALUES (1, 1, 'c', 't', 'd', now(), now(), 1, 'playing')"
        )
        connection.execute("INSERT INTO entry (game_id, seq, kind, data, at) VALUES (1, 1, 'bought', '{}', now())")
        connection.commit()
        with pytest.raises(psycopg.errors.RaiseException):
            connection.execute(statement)
        connection.rollback()
        assert connection.execute("SELECT game_id, seq, kind FROM entry").fetchall() == [(1, 1, "bought")]
