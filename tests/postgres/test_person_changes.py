"""People renamed, merged, hidden and forgotten, word for word, on PostgreSQL."""

from tests.test_persons import *  # noqa: F403
