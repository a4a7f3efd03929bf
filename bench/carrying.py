"""A hundred nights out and in: reading a file, checking and writing it, the same once more, out as JSON and as CSV."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING

from bench.replay import night
from companion import create_app
from companion.db import db
from companion.exporting import document, spreadsheet
from companion.migrations.upgrading import migrate_database
from companion.record import exporting, importing
from companion.record.exporting import Entered, ExportedHouse, Night

if TYPE_CHECKING:
    from collections.abc import Iterator

NIGHTS = 100


def nights() -> ExportedHouse:
    """As many nights of 400 entries, a week apart."""
    begun, events = datetime(2024, 1, 1, 20, tzinfo=UTC), night()
    entries = tuple(Entered(event, begun + timedelta(seconds=seq)) for seq, event in enumerate(events))
    first = Night("0" * 32, begun, {seat: f"Player {seat}" for seat in range(6)}, entries)
    return ExportedHouse(tuple(
        replace(first, uid=f"{number:032x}", created_at=begun + timedelta(weeks=number)) for number in range(NIGHTS)
    ))  # fmt: skip


@contextmanager
def _timed(what: str) -> Iterator[None]:
    start = perf_counter()
    yield
    print(f"{what}: {perf_counter() - start:.2f} s")


def main() -> None:
    """Measure and print."""
    data = document.write((nights(),))
    print(f"{NIGHTS} nights of 400 entries: {len(data):,} bytes")
    with TemporaryDirectory() as folder:
        app = create_app({"INSTANCE_PATH": Path(folder), "ENVIRON": {}, "OPEN_HOUSE": True})
        migrate_database(app)
        with app.test_request_context():
            with _timed("read"):
                houses = document.read(data)
            with _timed("checked and written"):
                importing.bring_in(houses)
            with _timed("once more, nothing doubled"):
                importing.bring_in(houses)
            with _timed("out as JSON, the same bytes"):
                again = document.write(exporting.visible(None))
            with _timed("out as CSV"):
                spreadsheet.write(spreadsheet.lines(houses))
            print("same bytes" if again == data else "OTHER BYTES")
            db.session.remove()
            db.engine.dispose()
