"""Lists for the home and new-game pages, and who may do what in a game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask import current_app
from sqlalchemy import ColumnElement, bindparam, case, func, select, true

from companion.db import db
from companion.models import Game, House, Membership, Person, Seat
from companion.names import shown_name
from companion.referee.state import Phase

# Every page and stream asks these: SQLAlchemy takes longer to build a statement than a database to answer it.
_ROLE = select(Membership.role, Membership.live, Membership.seat).where(
    Membership.game_id == bindparam("game"), Membership.device_id == bindparam("device")
)
_STANDING = (
    select(Game.revision, Membership.device_id)
    .outerjoin(Membership, (Membership.game_id == Game.id) & Membership.live)
    .where(Game.id == bindparam("game"))
)


#: A game that was thrown away is in no list, counts nowhere, and goes nowhere.
IN_LISTS = Game.phase != Phase.DISCARDED.value


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """A player of a game in a list; ``place`` is None for who left."""

    number: int
    name: str
    total: int
    place: int | None


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in a list; ``hand`` is None once the last hand is scored, ``sheet`` the rule sheet it started with,
    ``contracts`` the hands of a list of the table's own.
    """

    code: str
    phase: Phase
    hand: int | None
    created_at: datetime
    changed_at: datetime
    seats: tuple[SeatSummary, ...]
    sheet: str = ""
    revision: int = 0
    contracts: str = ""

    @property
    def is_over(self) -> bool:
        """Whether the night is finished or was closed early."""
        return self.phase in (Phase.FINISHED, Phase.CLOSED)


def games_for(device: int | None, limit: int = 200) -> tuple[GameSummary, ...]:
    """The games this device made or joined (with the setting OPEN_HOUSE: all), the last changed first."""
    return latest_games(limit, *visible_to(device))


def visible_to(device: int | None) -> tuple[ColumnElement[bool], ...]:
    """The condition for the games that are there for a device, which in an open house are all."""
    mine = select(Membership.game_id).where(Membership.device_id == device, Membership.live)
    return (IN_LISTS,) if is_open() else (IN_LISTS, Game.id.in_(mine))


def keeps(device: int | None, game_id: Any) -> ColumnElement[bool]:
    """The condition on a column of games that a device may enter things there: all games in an open house."""
    mine = (Membership.device_id == device, Membership.role == "keeper", Membership.live)
    return true() if is_open() else game_id.in_(select(Membership.game_id).where(*mine))


def kept_games(device: int | None) -> tuple[GameSummary, ...]:
    """All games that a device keeps, the last changed first."""
    return latest_games(None, IN_LISTS, keeps(device, Game.id))


def discarded_games(device: int | None, since: datetime) -> tuple[GameSummary, ...]:
    """The games that were thrown away since a moment, and that the device keeps; the last one first."""
    gone = (Game.phase == Phase.DISCARDED.value, Game.changed_at >= since)
    return latest_games(None, *gone, keeps(device, Game.id))


def latest_games(limit: int | None, *which: ColumnElement[bool]) -> tuple[GameSummary, ...]:
    """The games last changed of all that are there, or of some of them."""
    columns = (
        Game.id,
        Game.code,
        Game.phase,
        Game.hand,
        Game.created_at,
        Game.changed_at,
        Game.sheet,
        Game.revision,
        Game.contracts,
    )
    wanted = select(*columns).where(*which)
    rows = db.session.execute(wanted.order_by(Game.changed_at.desc(), Game.id.desc()).limit(limit)).all()
    seats = seats_of([row.id for row in rows])
    return tuple(
        GameSummary(
            row.code,
            Phase(row.phase),
            row.hand,
            row.created_at,
            row.changed_at,
            tuple(seats[row.id]),
            row.sheet,
            row.revision,
            row.contracts,
        )  # fmt: skip
        for row in rows
    )


def known_people(house: int | None, device: int | None = None, limit: int = 60) -> Sequence[str]:
    """The names of everybody who played in a house and is not hidden, the last seen first; nobody for None. Without
    those hidden in every night that the device keeps.
    """
    query = select(Person.name).join(Seat, Seat.person_id == Person.id).join(Game, Game.id == Seat.game_id)
    shown = (Person.house_id == house, Person.hidden.is_(False), Person.merged_into.is_(None), Seat.seated, IN_LISTS)
    mine = select(Seat.person_id).where(Seat.seated, keeps(device, Seat.game_id)).group_by(Seat.person_id)
    hidden = mine.having(func.max(case((Seat.hidden, 0), else_=1)) == 0)
    query = query.where(*shown, Person.id.not_in(hidden)).group_by(Person.id, Person.name)
    return db.session.scalars(query.order_by(func.max(Game.changed_at).desc(), Person.name).limit(limit)).all()


def role(game_id: int, device: int | None) -> str | None:
    """What a device may do in a game: "keeper" (enter), "watch" (look), or None (it is not there for it).

    In an open house (`is_open`) everybody may enter.
    """
    return role_and_seat(game_id, device)[0]


def role_and_seat(game_id: int, device: int | None) -> tuple[str | None, int | None]:
    """What a device may do in a game (see ``role``), and whose phone it says it is."""
    row = db.session.execute(_ROLE, {"game": game_id, "device": device}).one_or_none() if device else None
    given = row.role if row and row.live else None
    return given or ("keeper" if is_open() else None), row.seat if row else None


def standing(game_id: int) -> tuple[int, frozenset[int]] | None:
    """A game's revision and the devices that have a role in it; None where there is no such game."""
    rows = db.session.execute(_STANDING, {"game": game_id}).all()
    return (rows[0].revision, frozenset(row.device_id for row in rows if row.device_id is not None)) if rows else None


def is_open() -> bool:
    """Whether everybody who reaches the server may see and enter everything: OPEN_HOUSE, and never where it is HOSTED."""
    return bool(current_app.config["OPEN_HOUSE"] and not current_app.config["HOSTED"])


def house_for(device: int | None) -> int | None:
    """The house of a game that this device starts now; None: a new one.

    On a home server there is one. Hosted, each group has its own: that of the last game which the device keeps.
    """
    query = select(House.id).order_by(House.id)
    if current_app.config["HOSTED"]:
        mine = (Membership.device_id == device, Membership.role == "keeper", Membership.live)
        query = select(Game.house_id).join(Membership, Membership.game_id == Game.id).where(*mine)
        query = query.order_by(Game.changed_at.desc())
    return db.session.scalar(query.limit(1))


def seats_of(games: Sequence[int]) -> Mapping[int, list[SeatSummary]]:
    """Who sits at some games, by the game's id, in the order they joined."""
    seats: dict[int, list[SeatSummary]] = {game: [] for game in games}
    columns = (Seat.game_id, Seat.number, Person.name, Person.forgotten, Seat.total, Seat.place)
    query = select(*columns).join(Person, Person.id == Seat.person_id).where(Seat.game_id.in_(games), Seat.seated)
    for row in db.session.execute(query.order_by(Seat.number)):
        seats[row.game_id].append(SeatSummary(row.number, shown_name(row.name, row.forgotten), row.total, row.place))
    return seats
