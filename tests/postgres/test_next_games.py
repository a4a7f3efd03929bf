"""One next game and games thrown away, word for word, on PostgreSQL."""

from tests.test_discarding import *  # noqa: F403
from tests.test_next_games import *  # noqa: F403
