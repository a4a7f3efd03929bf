"""`companion check`, `rebuild-scores` and `backup`."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from companion import record
from companion.command.cli import companion
from companion.command.maintenance import backup, check, rebuild_scores
from companion.config import SetupError
from companion.db import db, writing
from companion.referee import commands as c
from companion.referee.games import KATE


@pytest.fixture
def code(app):
    """A game with one hand scored."""
    with app.app_context():
        code = record.start_game(c.StartGame(KATE, (0, 1, 2), 0), ("Ana", "Bob", "Cle"), token="t").code
        record.append(code, c.ScoreHand(1, 0, {1: 45, 2: 10}), token="a", seen=1)
        yield code


def change(*statements: str) -> None:
    with writing() as session:
        for statement in statements:
            session.execute(text(statement))


def test_a_sound_database_has_no_findings(code):
    assert check() == []


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE score SET points = 40 WHERE seat = 1", "scores differ"),
        ("DELETE FROM score WHERE seat = 2", "scores differ"),
        ("UPDATE score SET out = true", "scores differ"),
        ("UPDATE seat SET total = 0 WHERE number = 1", "totals differ"),
        ("UPDATE seat SET place = 1", "totals differ"),
        ("UPDATE game SET revision = 3", "3, or a gap"),
        ("UPDATE game SET revision = 1", "1, or a gap"),
        ("UPDATE game SET hand = 9", "the home list says"),
        ("UPDATE game SET phase = 'closed'", "the home list says"),
    ],
)
def test_what_disagrees_is_found_and_not_overwritten(code, statement, says):
    change(statement)
    (finding,) = check()
    assert finding.game == code and says in finding.what
    assert rebuild_scores() == [finding]
    assert check() == [finding]


@pytest.mark.parametrize(
    ("spoiled", "says"),
    [
        ("UPDATE entry SET data = '{\"v\": 1}' WHERE seq = 2", "entry 2 cannot be read"),
        ("UPDATE entry SET kind = 'stolen' WHERE seq = 2", "entry 2 cannot be read"),
        ("UPDATE entry SET kind = 'undone', data = '{\"v\": 1, \"entry\": 9}' WHERE seq = 2", "makes no sense"),
    ],
)
def test_a_record_that_was_tampered_with_is_found(code, spoiled, says):
    on_table = " ON entry" if db.engine.dialect.name == "postgresql" else ""
    change(f"DROP TRIGGER entry_no_update{on_table}", spoiled)
    (finding,) = check()
    assert says in finding.what


def test_scores_that_are_gone_come_back_from_the_record(code):
    change("DELETE FROM score", "UPDATE seat SET total = 0, place = NULL")
    assert len(check()) == 2
    assert rebuild_scores() == []


def test_a_backup_is_whole_and_made_while_somebody_reads(code, tmp_path):
    target = tmp_path / "backup.sqlite"
    with db.engine.connect():
        backup(target)
    assert target.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["backup.sqlite"]
    with closing(sqlite3.connect(target)) as copy:
        assert copy.execute("SELECT code, revision FROM game").fetchall() == [(code, 2)]
        assert copy.execute("SELECT COUNT(*) FROM entry").fetchone() == (2,)
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_backup_never_overwrites_and_says_where_it_cannot_write(code, tmp_path):
    target = tmp_path / "backup.sqlite"
    target.write_text("mine")
    with pytest.raises(SetupError, match="is there already"):
        backup(target)
    assert target.read_text() == "mine"
    with pytest.raises(SetupError, match="can't be written"):
        backup(tmp_path / "no such folder" / "backup.sqlite")


def run(folder: Path, *arguments: str):
    return CliRunner().invoke(companion, arguments, env={"COMPANION_INSTANCE_PATH": str(folder)})


def test_the_commands(code, app, tmp_path):
    folder = Path(app.instance_path)
    for arguments in (("check",), ("rebuild-scores",), ("rebuild-scores", "--check")):
        result = run(folder, *arguments)
        assert result.exit_code == 0 and "1 games, 2 entries, 0 findings" in result.output
    change("UPDATE score SET points = 40 WHERE seat = 1")
    result = run(folder, "rebuild-scores", "--check")
    assert result.exit_code == 1 and "scores differ" in result.output
    result = run(folder, "backup", str(tmp_path / "copy"))
    assert result.exit_code == 0 and (tmp_path / "copy").exists()
