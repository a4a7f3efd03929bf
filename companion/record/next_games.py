"""The game that comes after a game: the same people once more. There is one, however many phones start it at once."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select, update

from companion.db import db
from companion.models import Game
from companion.record import phones, reading
from companion.record.lists import IN_LISTS
from companion.referee.state import Phase


@dataclass(frozen=True, slots=True)
class NextGame:
    """The game that was started after another."""

    id: int
    code: str
    created_at: datetime
    phase: Phase

    @property
    def is_over(self) -> bool:
        """Whether it is finished or was closed early."""
        return self.phase in (Phase.FINISHED, Phase.CLOSED)


class NextGameBegun(Exception):
    """The next game has been started by another phone, or another form: ``game``."""

    def __init__(self, game: NextGame) -> None:
        super().__init__(game.code)
        self.game = game


def next_game(game_id: int) -> NextGame | None:
    """The game after a game, unless it was thrown away."""
    columns = (Game.id, Game.code, Game.created_at, Game.phase)
    row = db.session.execute(select(*columns).where(Game.after_id == game_id, IN_LISTS)).one_or_none()
    return NextGame(row.id, row.code, row.created_at, Phase(row.phase)) if row else None


def predecessor(code: str) -> Any:
    """Within a transaction: the game that a new one is to follow, with its house, locked; None where there is none.

    Raises NextGameBegun.
    """
    if not reading.is_code(code):
        return None
    query = select(Game.id, Game.house_id).where(Game.code == code, IN_LISTS).with_for_update()
    row = db.session.execute(query).one_or_none()
    if row and (begun := next_game(row.id)):
        raise NextGameBegun(begun)
    return row


def bring_in(game: NextGame, old_game_id: int, device: int) -> None:
    """A phone that came to the old game after the next one was started has the same role there now."""
    phones.follow(old_game_id, game.id, device)


def put_back(game_id: int) -> None:
    """Within a transaction: a game is taken back. It is the next one of its predecessor again, unless another one is."""
    after = select(Game.after_id).where(Game.id == game_id).scalar_subquery()
    others = select(Game.id).where(Game.after_id == after, Game.id != game_id, IN_LISTS)
    if db.session.execute(others.limit(1)).one_or_none():
        db.session.execute(update(Game).where(Game.id == game_id).values(after_id=None))
