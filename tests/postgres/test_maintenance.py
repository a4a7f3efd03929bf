"""`companion check` and `rebuild-scores`, word for word, on PostgreSQL; its backup is pg_dump's."""

import pytest

from companion.command.maintenance import backup
from companion.config import SetupError
from tests.test_maintenance import (
    code,  # noqa: F401
    test_a_record_that_was_tampered_with_is_found,  # noqa: F401
    test_a_sound_database_has_no_findings,  # noqa: F401
    test_scores_that_are_gone_come_back_from_the_record,  # noqa: F401
    test_what_disagrees_is_found_and_not_overwritten,  # noqa: F401
)


def test_a_backup_says_what_to_use_instead(app, tmp_path):
    with app.app_context(), pytest.raises(SetupError, match="pg_dump"):
        backup(tmp_path / "backup")
    assert not (tmp_path / "backup").exists()
