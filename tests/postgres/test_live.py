"""A change is heard in every process, by LISTEN and NOTIFY; and heard again when PostgreSQL comes back."""

from __future__ import annotations

import pytest

from companion import live, record
from companion.referee.commands import Buy
from tests.web import play, start


@pytest.fixture
def two(make_app, make_database, migrated_database):
    """Two apps, as two processes have them, at one database."""
    url = make_database(migrated_database)
    apps = [make_app(SQLALCHEMY_DATABASE_URI=url), make_app(SQLALCHEMY_DATABASE_URI=url)]
    yield apps
    for app in apps:
        live.close(app)


def subscribed(app, code):
    with app.app_context():
        game, _at = record.revision(code)
        subscriber = live.subscribe(game)
    subscriber.wait(0.5)  # a subscriber that has just begun is told to look once
    return subscriber


def test_an_entry_made_in_one_process_is_heard_in_another(two):
    here, there = two
    code = start(here, here.test_client())
    heard = subscribed(there, code)
    play(here, code, Buy(1, 1))
    assert heard.wait(10)
    play(there, code, Buy(1, 2))
    assert heard.wait(10)


def test_other_games_are_not_heard(two):
    here, there = two
    code, other = start(here, here.test_client()), start(here, here.test_client())
    heard, quiet = subscribed(there, code), subscribed(there, other)
    play(here, code, Buy(1, 1))
    assert heard.wait(10)
    assert not quiet.wait(0.3)


def test_a_renewed_link_is_heard_too(two):
    here, there = two
    code = start(here, here.test_client())
    heard = subscribed(there, code)
    with here.app_context():
        live.notify(record.revision(code)[0])
    assert heard.wait(10)


def test_after_postgresql_was_away_everybody_looks_again_and_hears_on(two, postgres):
    here, there = two
    code = start(here, here.test_client())
    heard = subscribed(there, code)
    postgres.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
    assert heard.wait(10)
    play(here, code, Buy(1, 1))
    assert heard.wait(10)


def test_a_hint_of_one_process_is_known_in_another(two):
    here, there = two
    code = start(here, here.test_client())
    heard = subscribed(there, code)
    with here.app_context():
        game, _at = record.revision(code)
        live.say_entering(game, 3, 7)
    assert heard.wait(10) and heard.take_hint()
    with there.app_context():
        assert live.entering(game, 3) == {7} and not live.entering(game, 4)
