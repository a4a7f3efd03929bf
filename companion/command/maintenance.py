"""Looking after the database: does every record replay, do the scores agree, a copy while the app runs."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from sqlalchemy import select

from companion import codec
from companion.command import with_database
from companion.config import SetupError
from companion.db import db, writing
from companion.models import Entry, Game
from companion.record import importing, projecting
from companion.record.projecting import score_rows, seat_rows, stored_scores, stored_seats, summary
from companion.referee import history
from companion.referee.events import Event
from companion.referee.state import GameState


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in a game that is not as it should be; ``what`` says it for whoever runs the server."""

    game: str
    what: str


def check() -> list[Finding]:
    """Replay every game from its record and compare numbers, scores, totals and the home list's line; changes nothing."""
    return [finding for game in _games() for finding in _findings(game)]


def rebuild_scores() -> list[Finding]:
    """Write anew what is missing of a game's read-off rows where it has none at all; report every other difference.

    A record that disagrees with scores that stand is reported and never overwrites them (law 6).
    """
    for game in _games():
        state, broken = _replayed(game)
        if not broken and not stored_scores(game.id) and state.scores:
            with writing():
                projecting.project(game.id, GameState(), state)
    return check()


def backup(target: Path) -> None:
    """Copy the SQLite database to a file, whole and consistent, while the app runs.

    Raises SetupError where the file is there already or cannot be written, or the database is not SQLite.
    """
    source = db.engine.url.database
    if db.engine.dialect.name != "sqlite" or source is None:
        raise SetupError("This database is not SQLite: use the backup of PostgreSQL, pg_dump.")
    with (
        whole_file(target) as aside,
        closing(sqlite3.connect(source)) as here,
        closing(sqlite3.connect(aside)) as there,
    ):
        here.backup(there)


@contextmanager
def whole_file(target: Path) -> Iterator[Path]:
    """A file to fill, which is given its name once it is whole: never over another file, readable by its owner alone.

    Raises SetupError where it is there already or cannot be written.
    """
    if target.exists():
        raise SetupError(f"The file {target} is there already. Name one that is not.")
    aside = target.with_name(target.name + ".part")
    try:
        aside.unlink(missing_ok=True)
        os.close(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        yield aside
        aside.rename(target)
    except (OSError, sqlite3.Error) as error:
        raise SetupError(f"{target} can't be written: {error}.") from error


@click.command("check")
@with_database
def check_command() -> None:
    """Replay every game and compare it with the scores."""
    _report(check())


@click.command("rebuild-scores")
@click.option("--check", "only_check", is_flag=True, help="Only say what differs.")
@with_database
def rebuild_command(only_check: bool) -> None:
    """Rebuild score rows that are missing from the record; what differs is reported, never overwritten."""
    _report(check() if only_check else rebuild_scores())


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@with_database
def backup_command(file: Path) -> None:
    """Copy the database to FILE while the app runs."""
    backup(file)
    click.echo(f"{file}: {file.stat().st_size:,} bytes")


COMMANDS = (check_command, rebuild_command, backup_command)


def _report(findings: list[Finding]) -> None:
    games, entries = importing.count()
    echo_findings(findings)
    click.echo(f"{games} games, {entries} entries, {len(findings)} findings")
    if findings:
        raise SystemExit(1)


def echo_findings(findings: list[Finding]) -> None:
    """Each finding as a line among the errors."""
    for finding in findings:
        click.echo(f"{finding.game}: {finding.what}", err=True)


def _games() -> Iterator[Any]:
    columns = (Game.id, Game.code, Game.revision, Game.phase, Game.hand)
    yield from db.session.execute(select(*columns).order_by(Game.id)).all()


def _replayed(game: Any) -> tuple[GameState, list[str]]:
    """The state by the record alone, and what is wrong with the record."""
    columns = (Entry.seq, Entry.kind, Entry.data)
    rows = db.session.execute(select(*columns).where(Entry.game_id == game.id).order_by(Entry.seq)).all()
    wrong = []
    if [row.seq for row in rows] != list(range(1, game.revision + 1)):
        wrong.append(f"{len(rows)} entries at revision {game.revision}, or a gap in their numbers")
    events: list[Event] = []
    for row in rows:
        try:
            events.append(codec.decode(row.kind, row.data))
        except codec.MalformedEntry as error:
            return GameState(), [*wrong, f"entry {row.seq} cannot be read: {error}"]
    replayed = history.replay(events)
    if replayed.problem is not None:
        wrong.append(f"entry {replayed.applied + 1} makes no sense: {replayed.problem.reason.value}")
    return replayed.state, wrong


def _findings(game: Any) -> list[Finding]:
    state, wrong = _replayed(game)
    if not wrong:
        wrong = [
            f"{name} differ: by the record {sorted(by_record - stored)}, stored {sorted(stored - by_record)}"
            for name, by_record, stored in (
                ("scores", score_rows(state), stored_scores(game.id)),
                ("totals", seat_rows(state), stored_seats(game.id)),
            )
            if by_record != stored
        ]
        stored = {"phase": game.phase, "hand": game.hand}
        if summary(state) != stored:
            wrong.append(f"the home list says {stored}, the record {summary(state)}")
    return [Finding(game.code, what) for what in wrong]
