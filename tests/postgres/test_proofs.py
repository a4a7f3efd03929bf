"""The proofs in a short form, on gunicorn's workers and a PostgreSQL."""

import pytest

from tests.test_proofs import (
    test_a_bad_network_lands_each_command_once_or_explains_it,  # noqa: F401
    test_a_killed_server_keeps_all_it_acknowledged,  # noqa: F401
    test_every_phone_is_told_of_every_change,  # noqa: F401
    test_four_keepers_end_with_one_table,  # noqa: F401
    test_no_request_is_an_error_of_ours_or_reaches_another_game,  # noqa: F401
)


@pytest.fixture(scope="module")
def kind(postgres) -> str:
    """Asking for the server of this run says loudly where there is none."""
    assert postgres
    return "postgresql"
