"""Reading a game: its state with names for the pages, and its entries for the history."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from sqlalchemy import bindparam, select

from companion.db import db
from companion.models import Device, Game, Membership, Person, Seat
from companion.names import shown_name
from companion.record import snapshots
from companion.record.snapshots import Snapshot, Stored
from companion.referee import history
from companion.referee.events import Event, Redone, Undone
from companion.referee.state import GameState, Phase


@dataclass(frozen=True, slots=True)
class DeviceLabel:
    """Which phone: its kind ("iphone", "ipad", "android", "computer", "other"), its number in the game (from 1)
    or None, and the name somebody gave it, or "".
    """

    id: int
    kind: str
    number: int | None
    name: str


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


# Every page asks these: SQLAlchemy takes longer to build a statement than SQLite to answer it.
_GAME = select(Game.id, Game.house_id, Game.revision, Game.created_at).where(Game.code == bindparam("code"))
_NAMED = (
    select(Game.id, Game.house_id, Game.revision, Game.created_at, Seat.number, Person.name, Person.forgotten)
    .outerjoin(Seat, Seat.game_id == Game.id)
    .outerjoin(Person, Person.id == Seat.person_id)
    .where(Game.code == bindparam("code"))
    .order_by(Seat.number)
)
_DEVICES = (
    select(Device.id, Device.kind, Device.name, Membership.number)
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
    wanted = [game.entries[number - 1] for number in (game.undo, game.redo) if number]
    views = {view.seq: view for view in entry_views(row.id, game, wanted, {n for n in (game.undo,) if n}, labels={})}
    return GameView(
        id=row.id,
        house_id=row.house_id,
        code=code,
        revision=row.revision,
        state=game.state,
        names=MappingProxyType(
            {each.number: shown_name(each.name, each.forgotten) for each in rows if each.number is not None}
        ),
        undo=views.get(game.undo or 0),
        redo=views.get(game.redo or 0),
        created_at=row.created_at,
    )


def entries(code: str) -> tuple[EntryView, ...] | None:
    """Every entry of a game in order, each with the state it came into; None where there is no such game."""
    row = _game(code)
    if row is None:
        return None
    game = snapshots.snapshot(row.id, code, row.revision)
    return tuple(entry_views(row.id, game, game.entries, holding(game), _befores(game)))


def since(code: str, seen: int, limit: int) -> tuple[EntryView, ...]:
    """The last ``limit`` entries after number ``seen``, in order; none where there is no such game."""
    row = _game(code)
    if row is None:
        return ()
    game = snapshots.snapshot(row.id, code, row.revision)
    return tuple(entry_views(row.id, game, game.entries[max(seen, row.revision - limit) :], holding(game)))


def holding(game: Snapshot) -> frozenset[int]:
    """The numbers of the entries in force."""
    return frozenset(history.effective_numbers(game.events))


def entry_views(
    game_id: int,
    game: Snapshot,
    wanted: Sequence[Stored],
    holding: Collection[int],
    befores: Mapping[int, GameState] | None = None,
    labels: Mapping[int, DeviceLabel] | None = None,
) -> list[EntryView]:
    """Views of some entries of a game, in the order given; ``holding`` are the numbers of those in force.

    The ``labels`` of devices are looked up where none are given.
    """
    if labels is None:
        labels = _labels(game_id, {stored.device for stored in wanted if stored.device is not None})
    return [
        EntryView(
            seq=stored.seq,
            event=stored.event,
            at=stored.at,
            device=labels.get(stored.device) if stored.device is not None else None,
            holds=None if isinstance(stored.event, Undone | Redone) else stored.seq in holding,
            target=_target(game, stored.event),
            before=(befores or {}).get(stored.seq),
        )
        for stored in wanted
    ]


def is_code(text: str) -> bool:
    """Whether a text could be a game's code; PostgreSQL does not even take every text as a question."""
    return re.fullmatch(r"[A-Za-z0-9_-]{1,32}", text) is not None


def revision(code: str) -> tuple[int, int] | None:
    """A game's id and committed revision, or None; cheaper than the game."""
    row = _game(code)
    return None if row is None else (row.id, row.revision)


def _game(code: str) -> Any:
    if not is_code(code):
        return None
    return db.session.execute(_GAME, {"code": code}).one_or_none()


def _labels(game_id: int, ids: set[int]) -> dict[int, DeviceLabel]:
    if not ids:
        return {}
    rows = db.session.execute(_DEVICES, {"game": game_id, "ids": list(ids)})
    return {row.id: DeviceLabel(row.id, row.kind, row.number, row.name) for row in rows}


def _target(game: Snapshot, event: Event) -> Event | None:
    return game.events[event.entry - 1] if isinstance(event, Undone | Redone) else None


def _befores(game: Snapshot) -> dict[int, GameState]:
    """The state each entry came into."""
    befores: dict[int, GameState] = {}
    steps: list[tuple[int, GameState]] = []
    state, events = GameState(), list[Event]()
    for stored in game.entries:
        befores[stored.seq] = state
        events.append(stored.event)
        state = snapshots.step(steps, state, events)
    return befores
