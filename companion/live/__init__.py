"""Game G is now at revision N: whoever listens to a game hears of every change at once.

One board a process keeps who listens. A change is told to the board of this process, and where the database is
PostgreSQL also to those of all others, by NOTIFY. Nothing but numbers is told: what changed is read afresh, and
so is whether the listener may still look. What was told to nobody (a server that died between the commit and the
word of it) is found at the next heartbeat.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any, Protocol

import sqlalchemy as sa
from flask import Flask, current_app

from companion import record
from companion.db import db
from companion.models import Game

__all__ = ["Board", "Listener", "Notices", "board", "init_app", "revision", "roles_changed"]

CHANNEL = "companion_live"
#: How long a listener to NOTIFY may be deaf before it tries to connect again, and when it looks whether to end.
PAUSE = 1.0

_log = logging.getLogger(__name__)
_REVISION = sa.select(Game.id, Game.revision).where(Game.code == sa.bindparam("code"))


#: A game's revision, and the devices that may look; None where it is no more.
Standing = tuple[int, frozenset[int]] | None


class _Asked:
    """What one question to the database told all who listen to a game: eight phones are rung at the same moment.

    It holds until the game is rung again, and never for longer than a moment, so that a heartbeat really looks.
    """

    MOMENT = 0.5

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._standing: Standing = None
        self._until = 0.0
        self._rings = 0
        self._asked_at = 0

    def ring(self) -> None:
        """It holds no longer, nor does an answer that is on its way."""
        self._rings += 1

    def get(self, ask: Callable[[], Standing]) -> Standing:
        """The answer, asked for where there is none; who comes meanwhile waits for it."""
        with self._lock:
            if self._asked_at != self._rings or time.monotonic() >= self._until:
                self._asked_at = self._rings
                self._standing = ask()
                self._until = time.monotonic() + self.MOMENT
            return self._standing


class Listener:
    """One open stream. ``wait`` comes back as soon as its game changed, ``close`` gives its place back."""

    def __init__(self, board: Board, game: int) -> None:
        self.game = game
        self._board = board
        self._rung = threading.Event()

    def standing(self, ask: Callable[[int], Standing]) -> Standing:
        """Where the game is and which phones may look: ``ask`` is asked once for all who listen to it."""
        return self._board.asked(self.game).get(lambda: ask(self.game))

    def wait(self, seconds: float) -> bool:
        """Whether something was told since the last wait, at the latest after some seconds."""
        rung = self._rung.wait(seconds)
        if rung:  # a ring that came just after the time was up is for the next wait
            self._rung.clear()
        return rung

    def ring(self) -> None:
        """Wake whoever waits."""
        self._rung.set()

    @property
    def is_over(self) -> bool:
        """Whether the server is about to stop, or this listener was closed."""
        return not self._board.has(self)

    def close(self) -> None:
        """Stop listening; twice does no harm."""
        self._board.leave(self)


class Board:
    """Who listens in this process; at most ``places`` at once, since each holds a thread."""

    def __init__(self, places: int) -> None:
        self.places = places
        self._lock = threading.Lock()
        self._by_game: defaultdict[int, set[Listener]] = defaultdict(set)
        self._asked: defaultdict[int, _Asked] = defaultdict(_Asked)
        self._is_closed = False

    def listen(self, game: int) -> Listener | None:
        """Listen to a game; None where every place is taken."""
        with self._lock:
            if self._is_closed or self._taken() >= self.places:
                return None
            listener = Listener(self, game)
            self._by_game[game].add(listener)
            return listener

    def asked(self, game: int) -> _Asked:
        """What was last asked about a game."""
        with self._lock:
            return self._asked[game] if game in self._by_game else _Asked()

    def ring(self, game: int) -> None:
        """Wake everybody who listens to a game."""
        with self._lock:
            found = tuple(self._by_game.get(game, ()))
            if found:
                self._asked[game].ring()
        for listener in found:
            listener.ring()

    def ring_all(self) -> None:
        """Wake everybody: something may have been missed."""
        with self._lock:
            found = [listener for listeners in self._by_game.values() for listener in listeners]
            for asked in self._asked.values():
                asked.ring()
        for listener in found:
            listener.ring()

    def has(self, listener: Listener) -> bool:
        """Whether a listener is still one of the board's."""
        with self._lock:
            return listener in self._by_game.get(listener.game, ())

    def leave(self, listener: Listener) -> None:
        """Give a place back."""
        with self._lock:
            listeners = self._by_game.get(listener.game, set())
            listeners.discard(listener)
            if not listeners:
                self._by_game.pop(listener.game, None)
                self._asked.pop(listener.game, None)

    def close(self) -> None:
        """End every stream, and take no more."""
        with self._lock:
            self._is_closed = True
            found = [listener for listeners in self._by_game.values() for listener in listeners]
            self._by_game.clear()
        for listener in found:
            listener.ring()

    def taken(self) -> int:
        """How many listen."""
        with self._lock:
            return self._taken()

    def _taken(self) -> int:
        return sum(map(len, self._by_game.values()))


class Wire(Protocol):
    """How other processes hear of a change."""

    def tell(self, game: int, revision: int) -> None:
        """Tell them."""

    def hear(self) -> None:
        """Ring this process's board for what others tell, from now on. Called for every new listener."""

    def close(self) -> None:
        """Hear no more."""


class Alone:
    """One process, and so nobody else to tell."""

    def tell(self, game: int, revision: int) -> None:
        """Nobody else."""

    def hear(self) -> None:
        """Nobody else."""

    def close(self) -> None:
        """Nothing is open."""


class Notices:
    """PostgreSQL's LISTEN and NOTIFY. A thread hears, made with the first listener: before, the server may fork."""

    def __init__(self, app: Flask, rings: Board) -> None:
        self._app = app
        self._board = rings
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()

    def tell(self, game: int, revision: int) -> None:
        """Told apart from the commit: a NOTIFY inside it would let all games commit only one after another."""
        with db.engine.connect() as connection:
            connection.execute(sa.select(sa.func.pg_notify(CHANNEL, f"{game} {revision}")))
            connection.commit()

    def hear(self) -> None:
        """Start the thread, once in this process, and wait until it hears."""
        with self._lock:
            if self._thread is not None:
                return
            ready = threading.Event()
            self._thread = threading.Thread(target=self._run, args=(ready,), name="live-notices", daemon=True)
            self._thread.start()
        ready.wait(PAUSE)

    def close(self) -> None:
        """End the thread."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(5 * PAUSE)

    def _run(self, ready: threading.Event) -> None:
        import psycopg  # an extra: only hosted

        while not self._stop.is_set():
            try:
                with self._connect() as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    ready.set()
                    self._board.ring_all()  # what was told while nobody here heard
                    self._hear_out(connection)
            except psycopg.Error as error:
                _log.warning("not hearing of changes made elsewhere: %s", error)
            self._stop.wait(PAUSE)

    def _connect(self) -> Any:
        import psycopg

        with self._app.app_context():
            url = db.engine.url.set(drivername="postgresql")
        return psycopg.connect(url.render_as_string(hide_password=False), autocommit=True)

    def _hear_out(self, connection: Any) -> None:
        while not self._stop.is_set():
            for notice in connection.notifies(timeout=PAUSE):
                game, _space, _revision = notice.payload.partition(" ")
                if game.isdecimal():
                    self._board.ring(int(game))
                if self._stop.is_set():
                    return


class _Live:
    """The board and the wire of one app."""

    def __init__(self, app: Flask) -> None:
        self.board = Board(_places(app))
        postgres = str(app.config["SQLALCHEMY_DATABASE_URI"]).startswith("postgres")
        self.wire: Wire = Notices(app, self.board) if postgres else Alone()

    def close(self) -> None:
        self.wire.close()
        self.board.close()


def init_app(app: Flask) -> None:
    """Give the app its board. The setting STREAMS is how many may listen; by itself two thirds of THREADS."""
    app.config.setdefault("STREAMS", None)
    app.extensions["companion_live"] = _Live(app)
    if _committed not in record.after_commit:
        record.after_commit.append(_committed)


def listen(game: int) -> Listener | None:
    """Listen to a game; None where every place is taken, and the page should ask now and then instead."""
    found = _live()
    found.wire.hear()
    return found.board.listen(game)


def board(app: Flask | None = None) -> Board:
    """The board of an app, or of the current one."""
    return _live(app).board


def close(app: Flask) -> None:
    """End every stream and hear no more: the server stops."""
    _live(app).close()


def revision(code: str) -> tuple[int, int] | None:
    """A game's id and committed revision, or None; cheaper than the game."""
    row = db.session.execute(_REVISION, {"code": code}).one_or_none()
    return None if row is None else (row.id, row.revision)


def roles_changed(game: int) -> None:
    """Let every open phone of a game be asked again whether it may still look: a link was renewed, say."""
    _tell(game, 0)


def _committed(game: int, at: int) -> None:
    if "companion_live" in current_app.extensions:
        _tell(game, at)


def _tell(game: int, at: int) -> None:
    found = _live()
    found.board.ring(game)
    found.wire.tell(game, at)


def _live(app: Flask | None = None) -> _Live:
    found: _Live = (app or current_app).extensions["companion_live"]
    return found


def _places(app: Flask) -> int:
    chosen: Callable[[str], Any] = app.config.get
    streams = chosen("STREAMS")
    return int(streams) if streams is not None else max(1, int(app.config["THREADS"]) * 2 // 3)
