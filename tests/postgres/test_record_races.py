"""Threads, processes and a killed server, word for word, on PostgreSQL."""

from tests.test_record_races import *  # noqa: F403
