"""Whether the record can be used: the database answers, and has the form that this version of the app needs."""

from functools import cache

from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import SQLAlchemyError

from companion.db import MIGRATIONS, db


def is_ready() -> bool:
    """Whether the database can be reached and its schema is this version's."""
    try:
        with db.engine.connect() as connection:
            return set(MigrationContext.configure(connection).get_current_heads()) == _heads()
    except SQLAlchemyError:
        return False


@cache
def _heads() -> set[str]:
    return set(ScriptDirectory(str(MIGRATIONS)).get_heads())
