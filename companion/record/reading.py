"""Reading a game: its state with names for the pages, and its entries for the history."""

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any

from sqlalchemy import bindparam, select

from companion.db import db
from companion.models import Device, Game, Membership, Person, Seat
from companion.names import shown_name
from companion.record import snapshots
from companion.record.snapshots import Snapshot
from companion.referee import history
from companion.referee.events import Event, Redone, Undone
from companion.referee.state import GameState, Phase


@dataclass(frozen=True, slots=True)
class DeviceLabel:
    """Which phone: its kind ("iphone", "ipad", "android", "computer", "other"), its number in the game (from 1)
    or None, the name somebody gave it, or "", and the seat of the player whose phone it says it is.
    """

    id: int
    kind: str
    number: int | None
    name: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry with what a page says about it.

    ``target`` is the event an undo or redo names; ``holds`` says whether the entry is in force now (None: an undo
    or redo, which is never taken back); ``before`` is the state it came into, in the history only.
    """

    seq: int
    event: Event
    at: datetime
    device: DeviceLabel | None
    holds: bool | None
    target: Event | None = None
    before: GameState | None = None


@dataclass(frozen=True, slots=True)
class GameView:
    """A game as it is committed: ``names`` by seat, of everybody who ever had one; ``undo`` and ``redo`` are the
    entries that an undo would take back and a redo restore, or None; of these the device is not told.
    """

    id: int
    house_id: int
    code: str
    revision: int
    state: GameState
    names: Mapping[int, str]
    undo: EntryView | None
    redo: EntryView | None
    created_at: datetime

    @property
    def is_playing(self) -> bool:
        """Whether a hand is in play: neither finished nor closed early."""
        return self.state.phase is Phase.PLAYING


#: For so long a game that was thrown away can be taken back.
TAKEN_BACK = timedelta(days=7)


class NoSuchGame(LookupError):
    """No game has that code."""


# Every page asks these: SQLAlchemy takes longer to build a statement than SQLite to answer it.
_GAME = select(Game.id, Game.uid, Game.revision, Game.changed_at, Game.recap_code).where(Game.code == bindparam("code"))
_NAMED = (
    select(Game.id, Game.house_id, Game.revision, Game.created_at, Seat.number, Person.name, Person.forgotten)
    .outerjoin(Seat, Seat.game_id == Game.id)
    .outerjoin(Person, Person.id == Seat.person_id)
    .where(Game.code == bindparam("code"))
    .order_by(Seat.number)
)
_DEVICES = (
    select(Device.id, Device.kind, Device.name, Membership.number, Membership.seat)
    .outerjoin(Membership, (Membership.device_id == Device.id) & (Membership.game_id == bindparam("game")))
    .where(Device.id.in_(bindparam("ids", expanding=True)))
)


def load(code: str) -> GameView | None:
    """The game with that code, or None. Reads the committed revision, and replays only what it has not seen."""
    rows = db.session.execute(_NAMED, {"code": code}).all() if is_code(code) else []
    if not rows:
        return None
    row = rows[0]
    game = snapshots.snapshot(row.id, code, row.revision)
    seats = (each for each in rows if each.number is not None)
    names = MappingProxyType({seat.number: shown_name(seat.name, seat.forgotten) for seat in seats})
    undo, redo = (_entry_view(game, number, {game.undo}) if number else None for number in (undo_of(game), game.redo))
    return GameView(row.id, row.house_id, code, row.revision, game.state, names, undo, redo, row.created_at)


def undo_of(game: Snapshot) -> int | None:
    """The number of the entry that an undo takes back; a game that was thrown away is taken back for a week."""
    is_gone = game.state.phase is Phase.DISCARDED and datetime.now(UTC) - game.entries[-1].at > TAKEN_BACK
    return None if is_gone else game.undo


def entries(code: str) -> tuple[EntryView, ...] | None:
    """Every entry of a game in order, each with the state it came into; None where there is no such game."""
    row = game_row(code)
    if row is None:
        return None
    game = snapshots.snapshot(row.id, code, row.revision)
    return entries_after(0, row.id, game, _befores(game))


def since(code: str, seen: int, limit: int) -> tuple[EntryView, ...]:
    """The last ``limit`` entries after number ``seen``, in order; none where there is no such game."""
    row = game_row(code)
    if row is None:
        return ()
    return entries_after(max(seen, row.revision - limit), row.id, snapshots.snapshot(row.id, code, row.revision))


def undone(code: str) -> tuple[int, ...]:
    """The numbers of the entries that were taken back and do not hold; none where there is no such game."""
    row = game_row(code)
    events = snapshots.snapshot(row.id, code, row.revision).events if row else ()
    in_force = frozenset(history.effective_numbers(events))
    taken_back = (event.entry for event in events if isinstance(event, Undone))
    return tuple(sorted(number for number in set(taken_back) if number not in in_force))


def entries_after(
    seen: int, game_id: int, game: Snapshot, befores: Sequence[GameState] | None = None
) -> tuple[EntryView, ...]:
    """Views of the entries of a game after number ``seen``; ``befores`` are the states that all of them came into."""
    numbers = range(max(seen, 0) + 1, game.revision + 1)
    labels = _labels(game_id, {device for number in numbers if (device := game.entries[number - 1].device) is not None})
    in_force = frozenset(history.effective_numbers(game.events))
    return tuple(_entry_view(game, number, in_force, labels, befores) for number in numbers)


def _entry_view(
    game: Snapshot,
    number: int,
    in_force: Container[int | None],
    labels: Mapping[int | None, DeviceLabel] = MappingProxyType({}),
    befores: Sequence[GameState] | None = None,
) -> EntryView:
    stored = game.entries[number - 1]
    turned = stored.event.entry if isinstance(stored.event, Undone | Redone) else None
    holds = number in in_force if turned is None else None
    target = None if turned is None else game.events[turned - 1]
    before = befores[number - 1] if befores else None
    return EntryView(number, stored.event, stored.at, labels.get(stored.device), holds, target, before)


def is_code(text: str) -> bool:
    """Whether a text could be a game's code; PostgreSQL does not even take every text as a question."""
    return re.fullmatch(r"[A-Za-z0-9_-]{1,32}", text) is not None


def revision(code: str) -> tuple[int, int] | None:
    """A game's id and committed revision, or None; cheaper than the game."""
    row = game_row(code)
    return None if row is None else (row.id, row.revision)


def game_row(code: str) -> Any:
    """What of a game is not in its record, with its id and committed revision; None where there is no such game."""
    return db.session.execute(_GAME, {"code": code}).one_or_none() if is_code(code) else None


def _labels(game_id: int, ids: set[int]) -> dict[int | None, DeviceLabel]:
    if not ids:
        return {}
    rows = db.session.execute(_DEVICES, {"game": game_id, "ids": list(ids)})
    return {row.id: DeviceLabel(row.id, row.kind, row.number, row.name, row.seat) for row in rows}


def _befores(game: Snapshot) -> list[GameState]:
    """The state each entry came into, and the one after the last."""
    states, steps, events = [GameState()], list[tuple[int, GameState]](), list[Event]()
    for event in game.events:
        events.append(event)
        states.append(snapshots.step(steps, states[-1], events))
    return states
