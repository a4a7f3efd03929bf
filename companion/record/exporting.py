"""Nights as they are carried from one server to another: the record itself with everybody's names, read whole.

No link and no code of a night is ever among it. The phones that made the entries come with their kind, number and
name; only where a server moves as a whole come what they may do and the hashes of their tokens, so that they stay in.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import Annotated, Any

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import aliased

from companion.db import db
from companion.models import Device, Game, House, Membership, Person, Seat
from companion.names import clean_name, name_problems, shown_name
from companion.record import lists, own_lists, people, snapshots
from companion.record.snapshots import Stored
from companion.referee.events import Event
from companion.referee.typed import between


def _is_name(text: str) -> bool:
    """Whether a text is a name as ours are: nothing that a page could not show."""
    return len(text) <= _LONGEST and not name_problems([text]) and clean_name(text) == text


_LONGEST = 200
#: What the fields of an export may hold, wherever it comes from.
Text = Annotated[str, lambda text: len(text) <= _LONGEST and text.isprintable()]
Name = Annotated[str, _is_name]
Number = Annotated[int, between(0, 999_999_999)]
_MaybeName = Annotated[str, lambda text: not text or _is_name(text)]
_Kind = Annotated[str, {"iphone", "ipad", "android", "computer", "other"}.__contains__]
_Role = Annotated[str, {"", "keeper", "watch"}.__contains__]
_Hash = Annotated[str, lambda text: not text or (len(text) == 64 and text.isalnum() and text.isascii())]


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone of a night; ``number`` None: it never was one of the table's. ``token_hash`` and ``role`` are "" unless
    the whole server moves.
    """

    kind: _Kind
    name: _MaybeName = ""
    number: Number | None = None
    token_hash: _Hash = ""
    role: _Role = ""
    seat: Number | None = None
    by_link: bool = False
    live: bool = False


@dataclass(frozen=True, slots=True)
class Entered:
    """One entry: what happened, when, and on which of the night's phones (0 is the first; None: on none)."""

    event: Event
    at: datetime
    phone: int | None = None


@dataclass(frozen=True, slots=True)
class Night:
    """One game. ``names`` by seat, of everybody who ever had one; ``entered_as`` the names typed for those seats whose
    person was found to be another since; ``forgotten`` the numbers of those whose name was taken away for good.
    ``code`` is where it lies here, and is never written out.
    """

    uid: str
    created_at: datetime
    names: Mapping[int, str]
    entries: tuple[Entered, ...]
    phones: tuple[Phone, ...] = ()
    entered_as: Mapping[int, str] = field(default_factory=dict)
    forgotten: Mapping[int, int] = field(default_factory=dict)
    code: str = ""

    @property
    def events(self) -> list[Event]:
        """The events of the record, what was undone and the undos included."""
        return [entered.event for entered in self.entries]


@dataclass(frozen=True, slots=True)
class KnownAs:
    """Somebody of whom there is more to say than a name: not offered any more, or the same person as another."""

    name: Name
    hidden: bool = False
    merged_into: _MaybeName = ""


@dataclass(frozen=True, slots=True)
class ExportedHouse:
    """The nights of people who belong together, the oldest first; ``lists`` are the lists of hands that they made."""

    nights: tuple[Night, ...]
    people: tuple[KnownAs, ...] = ()
    name: str = ""
    lists: tuple[own_lists.Content, ...] = ()


_GAME = (Game.id, Game.house_id, Game.code, Game.uid, Game.created_at, Game.revision)


def everything() -> tuple[ExportedHouse, ...]:
    """Every game, phones and people too, for whoever runs the server; but for those that were thrown away."""
    return _houses((lists.IN_LISTS,), whole=True, kept=own_lists.by_house(None, every=True))


def visible(device: int | None) -> tuple[ExportedHouse, ...]:
    """Every night that a device may see, and the lists of hands that it finds."""
    return _houses(lists.visible_to(device), device, kept=own_lists.by_house(device))


def how_many(device: int | None) -> int:
    """How many nights a device may see."""
    return db.session.scalar(select(func.count(Game.id)).where(*lists.visible_to(device))) or 0


def night(game_id: int, device: int | None) -> tuple[ExportedHouse, ...]:
    """One game, as the device may see it."""
    return _houses((Game.id == game_id,), device)


def nights_of(person: int, device: int | None) -> tuple[str, tuple[ExportedHouse, ...]] | None:
    """The name of a person and every night of theirs that the device may see, under whatever name it was entered.

    None where it may see none.
    """
    root = people.merged_into(person)
    theirs = select(Seat.game_id).where(Seat.person_id.in_(people.names_of(root)), Seat.seated)
    houses = _houses((Game.id.in_(theirs), *lists.visible_to(device)), device)
    if not houses:
        return None
    row = db.session.execute(select(Person.name, Person.forgotten).where(Person.id == root)).one()
    return shown_name(row.name, row.forgotten), houses


def _houses(
    where: Sequence[ColumnElement[bool]],
    device: int | None = None,
    *,
    whole: bool = False,
    kept: Mapping[int | None, tuple[own_lists.Content, ...]] = MappingProxyType({}),
) -> tuple[ExportedHouse, ...]:
    """The nights by house, with the lists ``kept`` there, also of houses that have no night."""
    query = select(*_GAME, House.name).join(House, House.id == Game.house_id).where(*where)
    rows = db.session.execute(query.order_by(Game.created_at, Game.uid)).all()
    by_house: dict[tuple[int | None, str], list[Night]] = {}
    for row in rows:
        by_house.setdefault((row.house_id, row.name), []).append(_night(row, device, whole))
    for house in kept.keys() - {house for house, _name in by_house}:
        by_house[house, db.session.scalar(select(House.name).where(House.id == house)) or ""] = []
    return tuple(
        ExportedHouse(tuple(nights), _people(house) if whole and house else (), name, kept.get(house, ()))
        for (house, name), nights in by_house.items()
    )


def _night(row: Any, device: int | None, whole: bool) -> Night:
    """One game; who only watches it is not told former names."""
    entries = snapshots.stored_entries(row.id, 0, row.revision)
    phones = _phones(row.id, entries, whole)
    places = {device: place for place, device in enumerate(phones)}
    seated = _seated(row.id, Seat.person_id)
    former = _seated(row.id, Seat.entered_as) if whole or lists.role(row.id, device) == "keeper" else {}
    return Night(
        uid=row.uid or "",
        created_at=row.created_at,
        names={seat: shown_name(name, forgotten) for seat, (name, forgotten) in seated.items()},
        entries=tuple(
            Entered(entry.event, entry.at, None if entry.device is None else places[entry.device]) for entry in entries
        ),
        phones=tuple(phones.values()),
        entered_as={seat: name for seat, (name, forgotten) in former.items() if forgotten is None},
        forgotten={seat: forgotten for seat, (_name, forgotten) in seated.items() if forgotten is not None},
        code=row.code,
    )


def _seated(game_id: int, whose: Any) -> dict[int, tuple[str, int | None]]:
    """Names by seat, and the number of who was forgotten."""
    columns = (Seat.number, Person.name, Person.forgotten)
    query = select(*columns).join(Person, Person.id == whose).where(Seat.game_id == game_id)
    return {row.number: (row.name, row.forgotten) for row in db.session.execute(query.order_by(Seat.number))}


def _phones(game_id: int, entries: Sequence[Stored], whole: bool) -> dict[int, Phone]:
    """The phones of a game by device, in the order of their numbers; those without one as they made their entries."""
    used = list(dict.fromkeys(entry.device for entry in entries if entry.device is not None))
    here = (Membership.device_id == Device.id) & (Membership.game_id == game_id)
    wanted = Device.id.in_(used)
    query = select(Device, Membership).outerjoin(Membership, here)
    rows = db.session.execute(query.where(or_(wanted, Membership.game_id == game_id) if whole else wanted)).all()
    order = {device: place for place, device in enumerate(used)}
    rows = sorted(rows, key=lambda row: (row[1] is None, row[1].number if row[1] else order.get(row[0].id, len(order))))
    return {device.id: _phone(device, member, whole) for device, member in rows}


def _phone(device: Device, member: Membership | None, whole: bool) -> Phone:
    phone = Phone(device.kind, device.name, member.number if member else None, device.token_hash if whole else "")
    if member is None or not whole:
        return phone
    return replace(phone, role=member.role, seat=member.seat, by_link=member.by_link, live=member.live)


def _people(house: int) -> tuple[KnownAs, ...]:
    other = aliased(Person)
    query = select(Person.name, Person.hidden, other.name).outerjoin(other, other.id == Person.merged_into)
    # Some nights of theirs became another's: told of, so that the others stay theirs where they come in.
    parted = Person.id.in_(select(Seat.entered_as))
    special = (
        Person.house_id == house,
        Person.hidden | Person.merged_into.is_not(None) | parted,
        Person.forgotten.is_(None),
    )
    rows = db.session.execute(query.where(*special).order_by(Person.key))
    known = [KnownAs(name, hidden, merged_into or "") for name, hidden, merged_into in rows]
    return tuple(sorted(known, key=lambda person: person.name))  # databases sort letters each in their own way
