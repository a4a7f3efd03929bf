"""The state of a game at a revision, kept in memory and extended entry by entry.

A snapshot never changes. Each process has its own and asks the database for the committed revision first, so
that several processes are right; whatever is missing is read and applied.
"""

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from cachetools import LRUCache
from flask import current_app
from sqlalchemy import select

from companion import codec
from companion.db import db
from companion.models import Entry
from companion.referee import history
from companion.referee.engine import evolve
from companion.referee.events import Event, Redone, Undone
from companion.referee.state import GameState

#: Games whose state is kept, and how many steps back an undo finds the state without replaying.
GAMES_KEPT = 256
STEPS_KEPT = 40


@dataclass(frozen=True, slots=True)
class Stored:
    """One entry as it lies in the record; ``device`` is an id."""

    seq: int
    event: Event
    device: int | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A game after ``revision`` entries.

    ``steps`` are the states after the last entries that hold, with their numbers; ``undo`` and ``redo`` the numbers
    of the entries that an undo would take back and a redo restore, or None.
    """

    entries: tuple[Stored, ...] = ()
    events: tuple[Event, ...] = ()
    state: GameState = GameState()
    steps: tuple[tuple[int, GameState], ...] = ()
    undo: int | None = None
    redo: int | None = None

    @property
    def revision(self) -> int:
        """The number of the last entry."""
        return len(self.entries)

    def extended(self, new: Iterable[Stored]) -> "Snapshot":
        """This game with further entries. Raises ValueError where a number is missing."""
        entries, events, steps, state = list(self.entries), list(self.events), list(self.steps), self.state
        for stored in new:
            if stored.seq != len(entries) + 1:
                raise ValueError(f"entry {stored.seq} follows entry {len(entries)}")
            entries.append(stored)
            events.append(stored.event)
            state = step(steps, state, events)
        undo, redo = history.undo_target(events), history.redo_target(events)
        return Snapshot(tuple(entries), tuple(events), state, tuple(steps[-STEPS_KEPT:]), undo, redo)

    def state_at(self, revision: int) -> GameState:
        """The state as somebody saw it at an earlier revision."""
        since = self.events[revision:]
        if not any(isinstance(event, Undone | Redone) for event in since):
            for number, state in reversed(self.steps):
                if number <= revision:
                    return state
        return history.fold(history.effective(self.events[:revision]))


def step(steps: list[tuple[int, GameState]], state: GameState, events: list[Event]) -> GameState:
    """The state after the last of ``events``; an undo goes back to a kept state where there is one."""
    event = events[-1]
    if isinstance(event, Undone):
        return _step_back(steps, events, event)
    number = event.entry if isinstance(event, Redone) else len(events)
    event = events[number - 1]
    steps.append((number, evolve(state, event)))
    return steps[-1][1]


def _step_back(steps: list[tuple[int, GameState]], events: list[Event], undone: Undone) -> GameState:
    if len(steps) > 1 and steps[-1][0] == undone.entry:
        steps.pop()
        return steps[-1][1]
    state = history.fold(history.effective(events))
    steps[:] = [(number, state) for number in history.effective_numbers(events)[-1:]]
    return state


class Cache:
    """Snapshots by game code, the least used dropped first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: LRUCache[str, Snapshot] = LRUCache(GAMES_KEPT)

    def get(self, code: str) -> Snapshot:
        """The last snapshot kept, or that of an empty record."""
        with self._lock:
            return self._kept.get(code, Snapshot())

    def put(self, code: str, snapshot: Snapshot) -> None:
        """Keep a snapshot of what is committed, unless a later one is kept already."""
        with self._lock:
            if self._kept.get(code, Snapshot()).revision <= snapshot.revision:
                self._kept[code] = snapshot


def cache() -> Cache:
    """The cache of the current app: two apps may have two databases."""
    kept: Cache = current_app.extensions.setdefault("companion_snapshots", Cache())
    return kept


def stored_entries(game_id: int, after: int, upto: int) -> list[Stored]:
    """Entries after a number up to another, in order. Raises codec.MalformedEntry for what is none."""
    columns = (Entry.seq, Entry.kind, Entry.data, Entry.device_id, Entry.at)
    query = select(*columns).where(Entry.game_id == game_id, Entry.seq > after, Entry.seq <= upto).order_by(Entry.seq)
    rows = db.session.execute(query)
    return [Stored(row.seq, codec.decode(row.kind, row.data), row.device_id, row.at) for row in rows]


def snapshot(game_id: int, code: str, revision: int) -> Snapshot:
    """The game at its committed revision, from memory as far as it goes."""
    kept = cache().get(code)
    if kept.revision > revision:
        # Another reader is ahead of this transaction, or the database was put back from a backup.
        kept = Snapshot()
    if kept.revision == revision:
        return kept
    fresh = kept.extended(stored_entries(game_id, kept.revision, revision))
    cache().put(code, fresh)
    return fresh
