"""Who subscribed to which game in this process."""

import itertools
import threading
from collections.abc import Callable
from typing import Any, cast

from cachetools import TTLCache, cached

#: A game's revision, and the devices that may look; None where it is no more.
Standing = tuple[int, frozenset[int]] | None
_Ask = Callable[[int], Standing]

#: For so many seconds one answer of the database holds for all subscribers of a game, who are notified together.
#: Much shorter than a heartbeat, so that every heartbeat really asks.
MOMENT = 0.5


class Subscriber:
    """One open stream. ``wait`` comes back as soon as its game changed, ``close`` gives its place back."""

    def __init__(self, subscribers: "Subscribers", game: int) -> None:
        self.game = game
        self._subscribers = subscribers
        self._changed = threading.Event()

    def standing(self, ask: _Ask) -> Standing:
        """Where the game is and which phones may look: ``ask`` is asked once for all subscribers of the game."""
        return self._subscribers.standing(self.game, ask)

    def wait(self, seconds: float) -> bool:
        """Whether something changed since the last wait, at the latest after some seconds."""
        changed = self._changed.wait(seconds)
        if changed:  # a change just after the time was up is for the next wait
            self._changed.clear()
        return changed

    def notify(self) -> None:
        """Wake whoever waits."""
        self._changed.set()

    @property
    def is_closed(self) -> bool:
        """Whether the server is about to stop, or this subscriber was closed."""
        return self not in self._subscribers

    def close(self) -> None:
        """Give the place back; twice does no harm."""
        self._subscribers.remove(self)


class Subscribers:
    """The subscribers of this process; at most ``limit`` at once, since each holds a thread."""

    def __init__(self, limit: int, moment: float = MOMENT) -> None:
        self.limit = limit
        self._lock = threading.RLock()
        self._by_game: dict[int, set[Subscriber]] = {}
        self._is_closed = False
        # An answer is kept under its game's version: a change gives another one, also to an answer on its way.
        self._versions: dict[int, int] = {}
        self._next_version = itertools.count()
        by_version = cached(TTLCache(max(1, limit), moment), key=self._version, condition=threading.Condition())
        self.standing = cast(Callable[[int, _Ask], Standing], by_version(lambda game, ask: ask(game)))

    def _version(self, game: int, _ask: Any = None) -> tuple[int, int | None]:
        return game, self._versions.get(game)

    def add(self, game: int) -> Subscriber | None:
        """Subscribe to a game; None where every place is taken."""
        with self._lock:
            if self._is_closed or len(self) >= self.limit:
                return None
            subscriber = Subscriber(self, game)
            self._by_game.setdefault(game, set()).add(subscriber)
            self._versions.setdefault(game, next(self._next_version))
            return subscriber

    def invalidate(self, *games: int) -> None:
        """Notify the subscribers of these games (of all, where none is named): what they know is out of date."""
        with self._lock:
            for game in self._by_game.keys() & games if games else self._by_game:
                self._versions[game] = next(self._next_version)
                self._notify(game)

    def __contains__(self, subscriber: Subscriber) -> bool:
        with self._lock:
            return subscriber in self._by_game.get(subscriber.game, ())

    def __len__(self) -> int:
        with self._lock:
            return sum(map(len, self._by_game.values()))

    def remove(self, subscriber: Subscriber) -> None:
        """Give a place back."""
        with self._lock:
            others = self._by_game.get(subscriber.game, set())
            others.discard(subscriber)
            if not others:
                self._by_game.pop(subscriber.game, None)
                self._versions.pop(subscriber.game, None)

    def close(self) -> None:
        """End every stream, and take no more."""
        with self._lock:
            self._is_closed = True
            for game in self._by_game:
                self._notify(game)
            self._by_game.clear()

    def _notify(self, game: int) -> None:
        for subscriber in self._by_game[game]:
            subscriber.notify()
