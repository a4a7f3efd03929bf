"""The record's own tests, word for word, on PostgreSQL."""

from tests.test_record import *  # noqa: F403
