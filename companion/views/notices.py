"""What the next page of this phone says at its top: that something landed, say.

A notice about an entry belongs to it: it is not shown once the entry is undone, and the page takes it away when another
phone undoes it (``data-undone`` in the frame of a game's pages, ``put`` in js/live.js).
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from flask import flash, g, get_flashed_messages, session

from companion import record
from companion.pages.verdicts import Tag
from companion.record import GameView


@dataclass(frozen=True, slots=True)
class Notice:
    """``look`` is "good", "bad", "silent" or "message"; ``entry`` the number of the entry it is about, or None.

    ``code`` is its game, whose rules ``tags`` lead to: what it rests on (``pages.verdicts.Tag``).
    """

    look: str
    words: str
    code: str = ""
    entry: int | None = None
    tags: Sequence[Mapping[str, Any]] = ()


def tell(code: str, words: str, look: str = "message", *, entry: int | None = None, tags: Sequence[Tag] = ()) -> None:
    """Say something on the next page of the game with that code, unless the entry that it is about is undone by then."""
    flash(words, look)
    session["about"] = {**session.get("about", {}), words: (code, entry, [asdict(tag) for tag in tags])}


def shown() -> list[Notice]:
    """The notices for the page being made; those about another game, or about an entry that no longer holds, are gone."""
    said = cast(list[tuple[str, str]], get_flashed_messages(with_categories=True))
    about = session.pop("about", {}) if said else {}
    notices = (Notice(look, words, *about.get(words, ())) for look, words in said)
    return [notice for notice in notices if _is_news(notice.code, notice.entry)]


def _is_news(code: str, entry: int | None) -> bool:
    view: GameView | None = g.get("game")
    if not code:
        return True
    if view is None or view.code != code:
        return False
    return entry is None or (entry <= view.revision and entry not in undone(view))


def undone(view: GameView) -> tuple[int, ...]:
    """The numbers of the entries of a game that were taken back and do not hold."""
    return record.undone(view.code)
