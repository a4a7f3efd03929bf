"""Who subscribed to which game in this process."""

import itertools
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

from cachetools import TTLCache, cached

#: A game's revision, and the devices that may look; None where it is no more.
Standing = tuple[int, frozenset[int]] | None
_Ask = Callable[[int], Standing]
_IsGone = Callable[[], bool]

#: For so many seconds one answer of the database holds for all subscribers of a game, who are notified together.
#: Much shorter than a heartbeat, so that every heartbeat really asks.
MOMENT = 0.5
#: So many places a phone may have, and an address: a tenth of all, at least so many. Those beyond ask now and then.
OF_A_PHONE = 6
OF_AN_ADDRESS = 30


class Holder(NamedTuple):
    """Who holds places: a phone or an address, and at most how many."""

    name: str
    most: int


class Subscriber:
    """One open stream. ``wait`` comes back as soon as its game changed, ``close`` gives its place back."""

    def __init__(
        self, subscribers: "Subscribers", game: int, holders: Sequence["Holder"] = (), is_gone: _IsGone | None = None
    ) -> None:
        self.game, self.holders, self.is_gone = game, tuple(holders), is_gone
        self._subscribers = subscribers
        self._changed, self._hinted = threading.Event(), threading.Event()

    def standing(self, ask: _Ask) -> Standing:
        """Where the game is and which phones may look: ``ask`` is asked once for all subscribers of the game."""
        return self._subscribers.standing(self.game, ask)

    def wait(self, seconds: float) -> bool:
        """Whether something changed since the last wait, at the latest after some seconds."""
        changed = self._changed.wait(seconds)
        if changed:  # a change just after the time was up is for the next wait
            self._changed.clear()
        return changed

    def notify(self, *, hint: bool = False) -> None:
        """Wake whoever waits; ``hint``: because of what another phone is about to enter."""
        if hint:
            self._hinted.set()
        self._changed.set()

    def take_hint(self) -> bool:
        """Whether there was a hint since the last time."""
        was = self._hinted.is_set()
        self._hinted.clear()
        return was

    @property
    def is_closed(self) -> bool:
        """Whether the server is about to stop, or this subscriber was closed."""
        return self not in self._subscribers

    def close(self) -> None:
        """Give the place back; twice does no harm."""
        self._subscribers.remove(self)


class Subscribers:
    """The subscribers of this process; at most ``limit`` at once, since each holds a thread, and so many of each holder."""

    def __init__(self, limit: int, moment: float = MOMENT) -> None:
        self.limit = limit
        self._lock = threading.RLock()
        self._by_game: dict[int, set[Subscriber]] = {}
        self._by_holder: dict[str, list[Subscriber]] = {}
        self._is_closed = False
        # An answer is kept under its game's version: a change gives another one, also to an answer on its way.
        self._versions: dict[int, int] = {}
        self._next_version = itertools.count()
        by_version = cached(TTLCache(max(1, limit), moment), key=self._version, condition=threading.Condition())
        self.standing = cast(Callable[[int, _Ask], Standing], by_version(lambda game, ask: ask(game)))

    def _version(self, game: int, _ask: Any = None) -> tuple[int, int | None]:
        return game, self._versions.get(game)

    def holders(self, device: int | None, address: str) -> tuple[Holder, ...]:
        """Whose places a stream takes: its phone's, if that is known, and its address's."""
        phone = (Holder(f"device {device}", OF_A_PHONE),) if device is not None else ()
        return *phone, Holder(f"address {address}", max(OF_AN_ADDRESS, self.limit // 10))

    def add(self, game: int, holders: Sequence[Holder] = (), is_gone: _IsGone | None = None) -> Subscriber | None:
        """Subscribe to a game; None where every place is taken, or every one of a holder. ``is_gone`` tells whether the
        phone has left without a word: then its place is free.
        """
        with self._lock:
            if self._is_closed or len(self) >= self.limit or not all(map(self._has_place, holders)):
                return None
            subscriber = Subscriber(self, game, holders, is_gone)
            self._by_game.setdefault(game, set()).add(subscriber)
            for holder in holders:
                self._by_holder.setdefault(holder.name, []).append(subscriber)
            self._versions.setdefault(game, next(self._next_version))
            return subscriber

    def _has_place(self, holder: Holder) -> bool:
        held = self._by_holder.get(holder.name, [])
        if len(held) >= holder.most:
            for subscriber in [one for one in held if one.is_gone and one.is_gone()]:
                self.remove(subscriber)
        return len(held) < holder.most

    def invalidate(self, *games: int) -> None:
        """Notify the subscribers of these games (of all, where none is named): what they know is out of date."""
        with self._lock:
            for game in self._by_game.keys() & games if games else self._by_game:
                self._versions[game] = next(self._next_version)
                self._notify(game)

    def hint(self, game: int) -> None:
        """Notify the subscribers of a game that another phone is about to enter something; what they know holds."""
        with self._lock:
            for subscriber in self._by_game.get(game, ()):
                subscriber.notify(hint=True)

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
            if subscriber in others:
                self._leave(subscriber)
            others.discard(subscriber)
            if not others:
                self._by_game.pop(subscriber.game, None)
                self._versions.pop(subscriber.game, None)

    def _leave(self, subscriber: Subscriber) -> None:
        for holder in subscriber.holders:
            held = self._by_holder[holder.name]
            held.remove(subscriber)
            if not held:
                del self._by_holder[holder.name]

    def close(self) -> None:
        """End every stream, and take no more."""
        with self._lock:
            self._is_closed = True
            for game in self._by_game:
                self._notify(game)
            self._by_game.clear()
            self._by_holder.clear()

    def _notify(self, game: int) -> None:
        for subscriber in self._by_game[game]:
            subscriber.notify()
