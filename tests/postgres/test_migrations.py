"""A PostgreSQL of every earlier form of the app comes up with the game that was in play."""

import pytest

from companion import create_app
from companion.db import db
from tests.test_migrations import *  # noqa: F403
from tests.test_migrations import SECRET


@pytest.fixture
def unmade(tmp_path, make_database):
    """An app whose database is still to be made."""
    settings = {"INSTANCE_PATH": tmp_path / "old", "ENVIRON": {}, "SECRET_KEY": SECRET, "WTF_CSRF_ENABLED": False}
    made = create_app({**settings, "SQLALCHEMY_DATABASE_URI": make_database()})
    yield made
    with made.app_context():
        db.session.remove()
        db.engine.dispose()
