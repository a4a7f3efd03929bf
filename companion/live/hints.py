"""Which phones are entering which hand at this moment: a hint in memory for a minute, never an entry, never a lock."""

import threading

from cachetools import TTLCache

#: Seconds for which a hint holds, and in which another one of the same phone tells nobody.
HOLDS, QUIET = 60, 2
#: How many are kept at most; the oldest make room.
MOST = 4096


class Hints:
    """The hints of one process."""

    def __init__(self, holds: float = HOLDS, quiet: float = QUIET) -> None:
        self._lock = threading.Lock()
        self._entering: TTLCache[tuple[int, int, int], None] = TTLCache(MOST, holds)
        self._told: TTLCache[int, None] = TTLCache(MOST, quiet)

    def may_tell(self, device: int) -> bool:
        """Whether the others are told of this phone: not again within ``QUIET`` seconds, whatever it sends."""
        with self._lock:
            if device in self._told:
                return False
            self._told[device] = None
            return True

    def put(self, game: int, hand: int, device: int) -> None:
        """A phone is entering a hand of a game."""
        with self._lock:
            self._entering[game, hand, device] = None

    def devices(self, game: int, hand: int) -> frozenset[int]:
        """The phones that were entering it within the last minute."""
        with self._lock:
            return frozenset(key[2] for key in self._entering if key[:2] == (game, hand))
