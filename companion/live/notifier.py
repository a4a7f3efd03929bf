"""PostgreSQL's LISTEN and NOTIFY: the subscribers of other processes hear of a change too."""

import logging
import threading
from typing import Any

import sqlalchemy as sa
from flask import Flask

from companion.db import db
from companion.live.hints import Hints
from companion.live.subscribers import Subscribers

CHANNEL = "companion_live"
#: Seconds without a connection before the next try, and how often the thread looks whether to end.
PAUSE = 1.0

_log = logging.getLogger(__name__)


class Notifier:
    """Sends changes, and hears those of others on a thread made with the first subscriber: before, the server may fork."""

    def __init__(self, app: Flask, subscribers: Subscribers, hints: Hints) -> None:
        self._app = app
        self._subscribers, self._hints = subscribers, hints
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()

    def notify(self, game: int, *hint: int) -> None:
        """Say that a game has changed, or (``hint``: hand and device) that a phone is entering a hand of it.

        Not in the transaction of the commit: a NOTIFY there would let all games commit only one after another.
        """
        with db.engine.connect() as connection:
            connection.execute(sa.select(sa.func.pg_notify(CHANNEL, " ".join(map(str, (game, *hint))))))
            connection.commit()

    def start(self) -> None:
        """Start the thread, once in this process, and wait until it hears."""
        with self._lock:
            if self._thread is not None:
                return
            ready = threading.Event()
            self._thread = threading.Thread(target=self._run, args=(ready,), name="live-notifier", daemon=True)
            self._thread.start()
        ready.wait(PAUSE)

    def close(self) -> None:
        """End the thread."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(5 * PAUSE)

    def _run(self, ready: threading.Event) -> None:
        import psycopg  # an extra: only hosted

        with self._app.app_context():
            url = db.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        while not self._stop.is_set():
            try:
                with psycopg.connect(url, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    ready.set()
                    self._subscribers.invalidate()  # some changes may have been missed
                    self._hear(connection)
            except psycopg.Error as error:
                _log.warning("not hearing of changes made elsewhere: %s", error)
            self._stop.wait(PAUSE)

    def _hear(self, connection: Any) -> None:
        while not self._stop.is_set():
            for notice in connection.notifies(timeout=PAUSE):
                self._take(notice.payload)
                if self._stop.is_set():
                    return

    def _take(self, payload: str) -> None:
        numbers = [int(part) for part in payload.split() if part.isdecimal()]
        match numbers:
            case [game]:
                self._subscribers.invalidate(game)
            case [game, hand, device]:
                self._hints.put(game, hand, device)
                self._subscribers.hint(game)
