"""Whether the record can be used."""

from companion.config import SetupError
from companion.migrations.upgrading import standing_of


def is_ready() -> bool:
    """Whether the database can be reached and has the form that this version of the app needs."""
    try:
        return standing_of() == "ours"
    except SetupError:
        return False
