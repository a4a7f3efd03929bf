"""A table drawn once for all phones that see the same of it.

When a game moves on, every phone at the table asks for the same page within a few milliseconds. What differs between
two of them is the tokens of their forms, the second at which it was made, whose seat the rows begin with, and what marks
that one as the phone's own; so the page is drawn once with placeholders there, which are filled in for each phone.

A page is shared by what it was asked with (``seen_by``) and by what its builder names in ``about``. Whatever else it
may show must be named there.
"""

import re
import secrets
import time
from collections.abc import Callable, Hashable, Mapping
from threading import Condition
from typing import Any, TypeVar, cast

from cachetools import LRUCache, cached
from flask import Flask, current_app, g, request, session
from flask_wtf.csrf import generate_csrf

from companion.i18n import current_language

#: How many are kept: of each game being played its newest page or two, and what came last in words.
PLACES = 1024
_SUITS = "suits"

# Random placeholders, which no text that somebody typed can contain.
_NONCE = secrets.token_hex(16)
_CSRF, _TOKEN, _NOW, _FOLD, _FROM, _TO = (f"{name}-{_NONCE}" for name in ("csrf", "token", "now", "fold", "from", "to"))
_MARK = re.compile(f"{_FROM}(.*?){_TO}", re.DOTALL)

_Made = TypeVar("_Made")


def init_app(app: Flask) -> None:
    """Give the app its own cache: two apps may have two databases."""
    app.extensions["companion_page_cache"] = new_cache()


def new_cache(places: int = PLACES) -> Callable[[Hashable, Callable[[], Any]], Any]:
    """A cache ``get(key, make)``; who asks for a key while it is being made waits for it."""
    cache = cached(LRUCache(places), key=lambda key, make: key, condition=Condition())
    return cast(Any, cache(lambda _, make: make()))


def get(key: Hashable, make: Callable[[], _Made]) -> _Made:
    """What ``make`` gives, made once in each language."""
    return cast(_Made, current_app.extensions["companion_page_cache"]((key, current_language()), make))


def may_share() -> bool:
    """Whether this request shows what others of its kind see: not with a question of its own, nor a notice for one phone."""
    return request.method == "GET" and not request.query_string and "_flashes" not in session and not current_app.debug


def share(about: Hashable, draw: Callable[[Mapping[str, object]], str], own: int | None, token: str) -> str:
    """The page for this phone. ``draw`` gets what to put into its template in place of the phone's own; the parts
    between its placeholders ``fold`` begin with number ``own``, the only one that keeps what stands between ``own_from``
    and ``own_to``; with None they stay as they are, and none keeps it.
    """
    # What the frame of a page goes by, beside the language.
    seen_by = request.path, request.script_root, request.is_secure, request.cookies.get(_SUITS), g.get("role")
    head, *rows, tail = get((about, seen_by), lambda: _folded(draw))
    first = own or 0
    rows = [_MARK.sub(r"\1" if at == own else "", row) for at, row in enumerate(rows)]
    page = "".join([head, *rows[first:], *rows[:first], tail])
    filled = ((_CSRF, generate_csrf()), (_TOKEN, token), (_NOW, str(int(time.time()))))
    for placeholder, text in filled:
        page = page.replace(placeholder, text)
    return page


def _folded(draw: Callable[[Mapping[str, object]], str]) -> list[str]:
    placeholders = {
        "csrf_token": lambda: _CSRF,
        "token": _TOKEN,
        "now": lambda: _NOW,
        "fold": _FOLD,
        "own_from": _FROM,
        "own_to": _TO,
    }
    return draw(placeholders).split(_FOLD)
