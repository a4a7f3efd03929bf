"""People renamed, merged, hidden and forgotten, word for word, on PostgreSQL."""

from tests.test_person_changes import *  # noqa: F403
