"""Game G is now at revision N: whoever subscribed to a game is notified of every change at once.

Each process has its subscribers. A change notifies those of this process, and where the database is PostgreSQL those of
all others too, by NOTIFY. Nothing but numbers is sent: what changed is read afresh, and so is whether the subscriber may
still look. A change of which nobody was notified (a server died after the commit) is found at the next heartbeat.
"""

from flask import Flask, current_app

from companion.db import db
from companion.live.notifier import Notifier
from companion.live.subscribers import Subscriber, Subscribers
from companion.record.writing import after_commit

__all__ = ["Subscriber", "close", "init_app", "roles_changed", "subscribe", "subscribers"]


class _Live:
    """The subscribers of one app, and what notifies those of other processes; one process with SQLite has no others."""

    def __init__(self, app: Flask) -> None:
        self.subscribers = Subscribers(_limit(app))
        with app.app_context():
            shares = db.engine.dialect.name == "postgresql"
        self.notifier = Notifier(app, self.subscribers) if shares else None

    def notify(self, game: int, revision: int) -> None:
        self.subscribers.invalidate(game)
        if self.notifier:
            self.notifier.notify(game, revision)


def init_app(app: Flask) -> None:
    """Give the app its subscribers. The setting STREAMS limits their number; by itself it is two thirds of THREADS."""
    app.config.setdefault("STREAMS", None)
    app.extensions["companion_live"] = _Live(app)
    if _committed not in after_commit:
        after_commit.append(_committed)


def _limit(app: Flask) -> int:
    streams = app.config["STREAMS"]
    return int(streams) if streams is not None else max(1, int(app.config["THREADS"]) * 2 // 3)


def subscribe(game: int) -> Subscriber | None:
    """Subscribe to a game; None where every place is taken, and the page should ask now and then instead."""
    live = _live()
    if live.notifier:
        live.notifier.start()
    return live.subscribers.add(game)


def subscribers(app: Flask) -> Subscribers:
    """Those of an app in this process."""
    return _live(app).subscribers


def close(app: Flask) -> None:
    """End every stream and hear no more: the server stops."""
    live = _live(app)
    if live.notifier:
        live.notifier.close()
    live.subscribers.close()


def roles_changed(game: int) -> None:
    """Let every open phone of a game be asked again whether it may still look: a link was renewed, say."""
    _live().notify(game, 0)


def _committed(game: int, revision: int) -> None:
    if "companion_live" in current_app.extensions:
        _live().notify(game, revision)


def _live(app: Flask | None = None) -> _Live:
    live: _Live = (app or current_app).extensions["companion_live"]
    return live
