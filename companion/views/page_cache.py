"""A table drawn once for all phones that see the same of it.

When a game moves on, every phone at the table asks for the same page within a few milliseconds. What differs between
two of them is the tokens of their forms, the second at which it was made, and whose seat the rows begin with; so the
page is drawn once with marks in those places, and the marks are filled in for each phone.

A page is shared by what it was asked with (``seen_by``) and by what its builder names in ``about``. Whatever else it
may show must be named there.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar, cast

from flask import Flask, current_app, g, request, session
from flask_wtf.csrf import generate_csrf

from companion.i18n import current_language

__all__ = ["init_app", "kept", "may_share", "share"]

#: How many things are kept: of each game being played its newest page or two, and what came last in words.
PLACES = 1024
_SUITS = "suits"

# Nobody knows them, so nobody's name is one.
_NONCE = secrets.token_hex(16)
_CSRF, _TOKEN, _NOW, _FOLD = (f"{name}-{_NONCE}" for name in ("csrf", "token", "now", "fold"))

_Made = TypeVar("_Made")


class _Kept:
    """Things by what they are about, the least used dropped first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._things: OrderedDict[Hashable, Any] = OrderedDict()
        self._making: dict[Hashable, threading.Lock] = {}

    def get(self, about: Hashable, make: Callable[[], _Made]) -> _Made:
        """The thing, made if it is not there; who comes while it is being made waits for it."""
        with self._lock:
            if about in self._things:
                self._things.move_to_end(about)
                return cast(_Made, self._things[about])
            making = self._making.setdefault(about, threading.Lock())
        with making:
            return self._made(about, make)

    def _made(self, about: Hashable, make: Callable[[], _Made]) -> _Made:
        with self._lock:
            if about in self._things:
                return cast(_Made, self._things[about])
        try:
            made = make()
            with self._lock:
                self._things[about] = made
                while len(self._things) > PLACES:
                    self._things.popitem(last=False)
        finally:
            with self._lock:
                self._making.pop(about, None)
        return made


def init_app(app: Flask) -> None:
    """Give the app its own place for them: two apps may have two databases."""
    app.extensions["companion_prints"] = _Kept()


def kept(about: Hashable, make: Callable[[], _Made]) -> _Made:
    """What ``make`` gives, made once in each language."""
    place: _Kept = current_app.extensions["companion_prints"]
    return place.get((about, current_language()), make)


def may_share() -> bool:
    """Whether this request shows what others of its kind see: not with a question of its own, nor a notice for one phone."""
    return request.method == "GET" and not request.query_string and "_flashes" not in session and not current_app.debug


def share(about: Hashable, draw: Callable[[Mapping[str, object]], str], first: int, token: str) -> str:
    """The page for this phone. ``draw`` gets what to put into its template in place of the phone's own; the parts
    between its marks ``fold`` begin with number ``first``.
    """
    head, *rows, tail = kept((about, _seen_by()), lambda: _folded(draw))
    page = "".join([head, *rows[first:], *rows[:first], tail])
    own = ((_CSRF, generate_csrf()), (_TOKEN, token), (_NOW, str(int(time.time()))))
    for mark, text in own:
        page = page.replace(mark, text)
    return page


def _folded(draw: Callable[[Mapping[str, object]], str]) -> list[str]:
    marks = {"csrf_token": lambda: _CSRF, "token": _TOKEN, "now": lambda: _NOW, "fold": _FOLD}
    return draw(marks).split(_FOLD)


def _seen_by() -> Hashable:
    """What the frame of a page goes by, beside the language."""
    return request.path, request.script_root, request.is_secure, request.cookies.get(_SUITS), g.get("role")
