"""A night goes on as a file has it, word for word, on PostgreSQL."""

from tests.test_continuing import *  # noqa: F403
