"""The tables: what the migrations make is what the models say, with the triggers that keep the record."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from flask_migrate import downgrade, upgrade
from sqlalchemy import inspect, select, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import IntegrityError
from sqlalchemy.schema import CreateTable

from companion.db import Base, db, writing
from companion.models import (
    ChangedSeat,
    Device,
    Entry,
    Game,
    Guess,
    House,
    Membership,
    OwnList,
    Person,
    PersonChange,
    Score,
    Seat,
    WithheldName,
)


def triggers(connection) -> dict[str, str]:
    found = connection.execute(text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
    return {row.name: row.sql for row in found}


def test_the_migrations_make_what_the_models_say(app):
    with app.app_context(), db.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, db.metadata) == []


def test_every_trigger_is_there_after_the_last_migration(app):
    with app.app_context(), db.engine.connect() as connection:
        assert sorted(triggers(connection)) == ["entry_no_delete", "entry_no_gap", "entry_no_update"]


def test_the_first_migration_goes_back_and_forth(app):
    with app.app_context():
        downgrade(revision="base")
        assert inspect(db.engine).get_table_names() == ["alembic_version"]
        upgrade()
        assert len(inspect(db.engine).get_table_names()) == 14


def test_every_text_has_a_bound():
    for table in db.metadata.sorted_tables:
        for column in table.columns:
            if column.type.python_type is str:
                assert column.type.length, f"{table}.{column.name}"


def test_every_table_can_be_made_on_postgresql():
    for table in db.metadata.sorted_tables:
        assert "CREATE TABLE" in str(CreateTable(table).compile(dialect=postgresql.dialect()))


def test_no_two_people_of_a_house_look_the_same_but_two_houses_may(app):
    with app.app_context():
        with writing() as session:
            session.add_all([House(id=1, name=""), House(id=2, name="")])
            session.flush()
            session.add_all([Person(house_id=1, name="Ana", key="ana"), Person(house_id=2, name="Ana", key="ana")])
        with pytest.raises(IntegrityError), writing() as session:
            session.add(Person(house_id=1, name="ANA", key="ana"))
        assert len(db.session.execute(select(Person.id)).all()) == 2


def test_all_models_are_tables_of_the_app(app):
    models = (
        House,
        Person,
        PersonChange,
        ChangedSeat,
        WithheldName,
        Device,
        Game,
        Guess,
        Membership,
        OwnList,
        Seat,
        Entry,
        Score,
    )
    assert {model.__tablename__ for model in models} == set(db.metadata.tables)
    assert all(isinstance(model.metadata, type(Base.metadata)) for model in models)


def test_the_refusals_hold_for_any_program_that_opens_the_file(app):
    with closing(sqlite3.connect(f"{app.instance_path}/companion.sqlite")) as connection:
        values = "(1, 1, 'bought', '{}', '2026-01-01')"
        connection.execute(f"INSERT INTO entry (game_id, seq, kind, data, at) VALUES {values}")
        for statement in ("UPDATE entry SET seq = 2", "DELETE FROM entry", "REPLACE INTO entry (game_id, seq, kind, data, at) "
                          f"VALUES {values}"):  # fmt: skip
            with pytest.raises(sqlite3.IntegrityError):
                connection.execute(statement)
        assert connection.execute("SELECT game_id, seq, kind FROM entry").fetchall() == [(1, 1, "bought")]
