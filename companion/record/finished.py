"""What the pages of a finished night ask for beside the game itself: its events, and the link to its recap."""

import secrets
from datetime import datetime
from typing import Any

from sqlalchemy import select, update

from companion.db import db, writing
from companion.models import Game
from companion.record import reading, snapshots
from companion.record.lists import IN_LISTS
from companion.record.reading import GameView, NoSuchGame
from companion.referee import history
from companion.referee.events import Event


def events_in_force(code: str) -> tuple[Event, ...]:
    """The events of a game in order, without what was undone. Raises NoSuchGame."""
    row = _row(code)
    return history.effective(snapshots.snapshot(row.id, code, row.revision).events)


def identity(code: str) -> tuple[str, datetime]:
    """What tells a game apart wherever it is carried to, and when its last entry was made. Raises NoSuchGame."""
    row = _row(code)
    return row.uid or "", row.changed_at


def recap_code(code: str) -> str | None:
    """The code of the link to a game's recap, or None while there is none. Raises NoSuchGame."""
    recap: str | None = _row(code).recap_code
    return recap


def hand_out_recap(code: str) -> str:
    """The code of the link to a game's recap, made if there is none. Raises NoSuchGame."""
    with writing() as session:
        missing = (Game.id == _row(code).id) & Game.recap_code.is_(None)
        session.execute(update(Game).where(missing).values(recap_code=secrets.token_urlsafe(16)))
        return str(_row(code).recap_code)


def withdraw_recap(code: str, shown: str) -> None:
    """The link with the code ``shown`` is dead from now on; one handed out since stays. Raises NoSuchGame."""
    with writing() as session:
        theirs = (Game.id == _row(code).id) & (Game.recap_code == shown)
        session.execute(update(Game).where(theirs).values(recap_code=None))


def night_of_recap(recap: str) -> GameView | None:
    """The game whose recap has this link now, or None where it never was one, was withdrawn, or the game thrown away."""
    if not reading.is_code(recap):
        return None
    code = db.session.scalar(select(Game.code).where(Game.recap_code == recap, IN_LISTS))
    return reading.load(code) if code else None


def _row(code: str) -> Any:
    if (row := reading.game_row(code)) is None:
        raise NoSuchGame(code)
    return row
