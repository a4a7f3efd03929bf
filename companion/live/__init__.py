"""Game G has changed: whoever subscribed to a game is notified of every change at once.

Each process has its subscribers. A change notifies those of this process, and where the database is PostgreSQL those of
all others too, by NOTIFY. Nothing but its number is sent: what changed is read afresh, and so is whether the subscriber may
still look. A change of which nobody was notified (a server died after the commit) is found at the next heartbeat.
"""

from collections.abc import Callable
from typing import NamedTuple

from flask import Flask, current_app

from companion.db import db
from companion.live.hints import Hints
from companion.live.notifier import Notifier
from companion.live.subscribers import Subscriber, Subscribers
from companion.phones.limits import household
from companion.record.writing import after_commit

__all__ = ["Subscriber", "close", "entering", "init_app", "lower_limit", "notify", "say_entering", "subscribe"]


class _Live(NamedTuple):
    """The subscribers and hints of one app, and what notifies other processes; one process with SQLite has no others."""

    subscribers: Subscribers
    hints: Hints
    notifier: Notifier | None


def init_app(app: Flask) -> None:
    """Give the app its subscribers. The setting STREAMS limits their number; by itself it is two thirds of THREADS."""
    streams = app.config["STREAMS"]
    subscribers = Subscribers(streams if streams is not None else max(1, int(app.config["THREADS"]) * 2 // 3))
    hints = Hints()
    with app.app_context():
        shares = db.engine.dialect.name == "postgresql"
    app.extensions["companion_live"] = _Live(subscribers, hints, Notifier(app, subscribers, hints) if shares else None)
    after_commit.add(notify)


def subscribe(
    game: int, device: int | None = None, address: str = "", is_gone: Callable[[], bool] | None = None
) -> Subscriber | None:
    """Subscribe to a game; None where every place is taken, or every one that this phone or its household (the address)
    may have: then the page should ask now and then instead. ``is_gone`` tells whether the phone has left.
    """
    live = _live(current_app)
    if live.notifier:
        live.notifier.start()
    holders = live.subscribers.holders(device, household(address)) if address else ()
    return live.subscribers.add(game, holders, is_gone)


def lower_limit(app: Flask, streams: int) -> None:
    """There is room for so many streams only, where the settings asked for more."""
    subscribers = _live(app).subscribers
    subscribers.limit = min(subscribers.limit, streams)


def close(app: Flask) -> None:
    """End every stream and hear no more: the server stops."""
    live = _live(app)
    if live.notifier:
        live.notifier.close()
    live.subscribers.close()


def notify(game: int) -> None:
    """Let every open phone of a game look again, and be asked again whether it may: it has a new entry or link, say."""
    live = _live(current_app)
    live.subscribers.invalidate(game)
    if live.notifier:
        live.notifier.notify(game)


def say_entering(game: int, hand: int, device: int) -> None:
    """A phone is entering a hand: the others at the game see it for a minute. It is told once every few seconds at most."""
    live = _live(current_app)
    if not live.hints.may_tell(device):
        return
    live.hints.put(game, hand, device)
    live.subscribers.hint(game)
    if live.notifier:
        live.notifier.notify(game, hand, device)


def entering(game: int, hand: int) -> frozenset[int]:
    """The devices that are entering a hand at this moment."""
    live = _live(current_app)
    if live.notifier:
        live.notifier.start()
    return live.hints.devices(game, hand)


def _live(app: Flask) -> _Live:
    live: _Live = app.extensions["companion_live"]
    return live
