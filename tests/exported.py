"""Nights for tests of exports and imports, without a table that plays them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from random import Random

from flask import Flask

from companion.exporting import document
from companion.record import exporting, importing
from companion.record.exporting import Entered, ExportedHouse, Night, Phone
from companion.referee.events import Event
from tests.referee.nights import random_night
from tests.web import LONG_NAMES

EVENING = datetime(2026, 11, 3, 19, 0, 0, 123456, tzinfo=UTC)
PHONES = (Phone("iphone", "Küche 📱", 1), Phone("android", "", 3), Phone("other", "", None))


def night_to_import(
    events: Sequence[Event], number: int = 0, seats: int | Collection[int] = 9, phones: Sequence[Phone] = PHONES
) -> Night:
    """A night of these events; ``number`` makes another of it."""
    begun = EVENING + timedelta(days=7 * number)
    entries = tuple(
        Entered(event, begun + timedelta(seconds=seq), (0, 1, 2, None)[seq % 4]) for seq, event in enumerate(events)
    )
    numbers = sorted(range(seats) if isinstance(seats, int) else seats)
    names = {seat: LONG_NAMES[seat] if seat < len(LONG_NAMES) else f"Guest {seat}" for seat in numbers}
    return Night(
        f"{number:032x}", begun, names, entries, tuple(phones)[: len(entries)]
    )  # only phones that made an entry


def random_night_to_import(seed: int, steps: int = 60, number: int = 0) -> Night:
    """A night of legal commands, undos and redos."""
    going = random_night(Random(seed), steps)
    seats = {seat for event in going.entries for seat in (getattr(event, "seat", 0), *getattr(event, "seats", ()))}
    return night_to_import(going.entries, number, seats)


def bring(app: Flask, *nights: Night, device: int | None = None) -> list[str]:
    """Import nights as a page does; what became of each."""
    with app.app_context():
        done = importing.bring_in((ExportedHouse(nights),), device=device)
        return [one.outcome.value for one in done]


def exported(app: Flask) -> bytes:
    """Everything in the app's database, as the command writes it."""
    with app.app_context():
        return document.write(exporting.everything())
