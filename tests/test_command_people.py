"""`companion people`: whoever runs the server changes people in every night, whoever keeps it."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from companion import record
from companion.command.cli import companion
from companion.db import db
from companion.models import Person
from tests.web import another, start


@pytest.fixture
def asked(app, client, monkeypatch):
    """`asked("hide", "Ana")`: what the command says; a name stands for the person's number."""
    start(app, client, ("Ana", "Bea", "Carl"))
    another(app, client, ("Anna", "Bea", "Carl"))
    start(app, app.test_client(), ("Ana", "Dora", "Emil"))
    monkeypatch.setattr("companion.command.ready_app", lambda: app)
    with app.app_context():
        ids = {row.name: str(row.id) for row in db.session.execute(select(Person.name, Person.id))}

    def run(*words):
        answer = CliRunner().invoke(companion, ["people", *(ids.get(word, word) for word in words)])
        return f"{answer.output}{answer.exception or ''}"

    return run


def names(app):
    with app.app_context():
        return [summary.seats[0].name for summary in reversed(record.lists.latest_games(9))]


def test_everybody_is_listed(asked):
    lines = [line.split() for line in asked().splitlines()]
    assert ["Ana", "2", "nights"] in [[line[-1], *line[1:3]] for line in lines] and len(lines) == 6


@pytest.mark.parametrize(
    ("change", "after"),
    [
        (("rename", "Ana", "Anita"), ["Anita", "Anna", "Anita"]),
        (("merge", "Ana", "Anna"), ["Anna", "Anna", "Anna"]),
        (("forget", "Ana"), ["Somebody 1", "Anna", "Somebody 1"]),
        (("hide", "Ana"), ["Ana", "Anna", "Ana"]),
    ],
)
def test_a_change_reaches_every_night_and_is_taken_back(app, asked, change, after):
    assert asked(*change) == "Done.\n"
    assert names(app) == after
    assert ("hidden" in asked()) is (change[0] == "hide")
    assert asked("undo", "Ana") == "Done.\n"
    assert names(app) == ["Ana", "Anna", "Ana"] and "hidden" not in asked()


def test_shown_again(asked):
    asked("hide", "Ana")
    assert asked("show", "Ana") == "Done.\n" and "hidden" not in asked()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("rename", "Ana", "BEA"), "is the name of person"),
        (("rename", "Ana", " "), "This is no name: blank."),
        (("rename", "999", "Eva"), "There is no such person"),
        (("merge", "Anna", "Bea"), "both sat at the table"),
        (("merge", "Ana", "Ana"), "the same already"),
        (("merge", "Ana", "999"), "There is no such person"),
        (("undo", "Ana"), "Nothing about this person can be taken back"),
        (("forget", "999"), "There is no such person"),
    ],
)
def test_what_cannot_be_is_one_sentence(app, asked, change, says):
    assert says in asked(*change)
    assert names(app) == ["Ana", "Anna", "Ana"]


def test_a_forgotten_name_is_given_back_before_anything_else(asked):
    asked("forget", "Ana")
    assert "gives it back within seven days" in asked("rename", "Ana", "Eva")
