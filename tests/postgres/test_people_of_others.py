"""Each phone changes its own nights, word for word, on PostgreSQL."""

from tests.test_people_of_others import *  # noqa: F403
