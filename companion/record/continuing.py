"""A night that went on elsewhere goes on here: what a file has after the last entry here is added, by a keeper."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from sqlalchemy import Table, func, select, update

from companion.db import MAKING_PEOPLE, advisory_lock, db, writing
from companion.models import Entry, Game, Membership
from companion.record import lists, phones, projecting, snapshots
from companion.record.exporting import Night
from companion.record.importing import (
    Everybody,
    Imported,
    Outcome,
    Ready,
    compared,
    made_ready,
    make_phone,
    seat_people,
)
from companion.record.snapshots import Stored
from companion.record.validation import InvalidImport
from companion.record.writing import tell

_ENTRIES = cast(Table, Entry.__table__)


def continue_night(night: Night, device: int) -> Imported:
    """Add to a game of this device what the night has further; what is here is not changed, and sent twice it is added
    once. What came of it: LONGER_THERE, where it was added, or how the two compare. Raises InvalidImport where the night
    cannot be ours, and where the device does not keep it here.
    """
    ready = made_ready(night, 1)
    with writing() as session:
        advisory_lock(MAKING_PEOPLE)
        wanted = select(Game.id, Game.code, Game.revision, Game.house_id).where(Game.uid == night.uid)
        row = session.execute(wanted.where(lists.keeps(device, Game.id)).order_by(Game.id).with_for_update()).first()
        if row is None:
            raise InvalidImport("not_keeper")
        outcome = compared(row, night)
        if outcome is Outcome.LONGER_THERE:
            _append(row, ready)
            phones.remember(row.id, device)
    if outcome is Outcome.LONGER_THERE:
        tell(row.id, len(night.entries))
    return Imported(night, outcome, row.code, "keeper")


def _append(row: Any, ready: Ready) -> None:
    night, here = ready.night, snapshots.snapshot(row.id, row.code, row.revision)
    everybody = Everybody(row.house_id, (), {})
    everybody.recognise(row.house_id, night)
    seat_people(row.id, night, ready.state, everybody)
    everybody.finish()
    devices = _devices(row.id, night, here.entries)
    new = [
        {**entry, "game_id": row.id, "device_id": devices[entry["device_id"]]} for entry in ready.rows[row.revision :]
    ]
    db.session.connection().execute(_ENTRIES.insert(), new)
    projecting.project(row.id, here.state, ready.state)
    values = {"revision": len(night.entries), "changed_at": night.entries[-1].at, **projecting.summary(ready.state)}
    db.session.execute(update(Game).where(Game.id == row.id).values(**values))


def _devices(game_id: int, night: Night, here: Sequence[Stored]) -> Mapping[int | None, int | None]:
    """The devices of the phones that made the further entries: those that made the entries there are, or new ones."""
    known: dict[int | None, int | None] = {None: None}
    for entered, stored in zip(night.entries, here, strict=False):
        known.setdefault(entered.phone, stored.device)
    for entered in night.entries[len(here) :]:
        if entered.phone is not None and entered.phone not in known:
            phone = night.phones[entered.phone]
            known[entered.phone] = make_phone(
                game_id, replace(phone, number=phone.number and _free_number(game_id)), False
            )
    return known


def _free_number(game_id: int) -> int:
    """The number of the next phone of a game: the one it had elsewhere may be another's here."""
    last = select(func.max(Membership.number)).where(Membership.game_id == game_id)
    return (db.session.execute(last).scalar_one() or 0) + 1
