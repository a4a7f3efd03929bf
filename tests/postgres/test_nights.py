"""The nights before and their people, word for word, on PostgreSQL."""

from tests.test_nights_pages import *  # noqa: F403
