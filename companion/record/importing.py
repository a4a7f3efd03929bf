"""Writing nights that come from elsewhere: checked by replay before anything is written, then written night by night,
each of them whole or not at all and none of them twice.
"""

import enum
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple, cast

from flask import current_app
from sqlalchemy import Table, bindparam, func, insert, select, update
from sqlalchemy.exc import DataError, IntegrityError

from companion import codec
from companion.db import MAKING_PEOPLE, advisory_lock, checkpoint, db, writing
from companion.models import Device, Entry, Game, House, Membership, Person, Seat
from companion.names import look_alike_key
from companion.phones import devices
from companion.phones.limits import Limit
from companion.record import lists, own_lists, people, phones, projecting, snapshots
from companion.record.exporting import ExportedHouse, KnownAs, Night, Phone
from companion.record.forgetting import FORGOTTEN
from companion.record.validation import InvalidImport, validate
from companion.record.writing import make_game, make_house, retried
from companion.referee.state import GameState

_ENTRIES = cast(Table, Entry.__table__)
#: From a device, and from an address, so much is taken within an hour: reading nights costs far more than a tap.
_HOURLY = Limit("file", 60, timedelta(hours=1))
_PIECE = 256 * 1024
_SEATS = select(Seat.number, Seat.person_id).where(Seat.game_id == bindparam("game"))


class Outcome(enum.Enum):
    """What became of a night."""

    ADDED = "added"
    THERE = "there"  # the very same is here already
    LONGER_HERE = "longer_here"  # here it went on
    LONGER_THERE = "longer_there"  # it went on where it comes from; what is here stays as it is
    DIFFERENT = "different"  # the two went different ways; what is here stays as it is


@dataclass(frozen=True, slots=True)
class Imported:
    """A night and what became of it; ``code`` is where it lies here. ``role`` is what the device may do there: None where
    it may not even look.
    """

    night: Night
    outcome: Outcome
    code: str = ""
    role: str | None = None


def spend(device: int | None, size: int) -> None:
    """Count a file of so many letters before it is read. Raises TooManyTries where an hour's worth was brought in."""
    _HOURLY.spend(device, 1 + size // _PIECE)


def outcomes(houses: Sequence[ExportedHouse], device: int | None) -> tuple[Outcome, ...]:
    """What would become of every night; changes nothing."""
    here = lists.house_for(device)
    return tuple(compared(_here(here, night), night) for house in houses for night in house.nights)


def alike(nights: Sequence[Night], device: int | None) -> tuple[bool, ...]:
    """For every night whether another one of the same people within half a day is in this device's house already."""
    columns = (Game.id, Game.uid, Game.created_at, Person.key)
    seats = select(*columns).join(Seat, Seat.game_id == Game.id).join(Person, Person.id == Seat.person_id)
    here: dict[tuple[str | None, datetime], set[str]] = {}
    for row in db.session.execute(seats.where(Game.house_id == lists.house_for(device), Seat.seated, lists.IN_LISTS)):
        here.setdefault((row.uid, row.created_at), set()).add(row.key)
    return tuple(
        any(
            uid != night.uid and abs(at - night.created_at) < timedelta(hours=12) and keys == names
            for (uid, at), keys in here.items()
        )
        for night in nights
        for names in [{look_alike_key(name) for name in night.names.values()}]
    )


def bring_in(
    houses: Sequence[ExportedHouse], *, device: int | None = None, whole: bool = False
) -> tuple[Imported, ...]:
    """Write every night that is not here yet, each in a transaction of its own; the device becomes their keeper.

    ``whole``: whoever runs the server does it. Then houses stay apart, phones keep what they may do, and hidden and
    merged names stay so. Raises InvalidImport where one of the nights cannot be: ``done`` is what was written before,
    which is nothing, but for what somebody else changed meanwhile.
    """
    # Whoever writes keeps the others waiting on SQLite: what can be done before is done before.
    nights = [night for house in houses for night in house.nights]
    ready = [made_ready(night, place) for place, night in enumerate(nights, 1)]
    if not whole:
        _refuse_one_person(lists.house_for(device), nights)
    done: list[Imported] = []
    try:
        for house in houses:
            into = _Into(houses, house, device, whole)
            for one in ready[len(done) :][: len(house.nights)] or (None,):
                done.extend(retried(partial(into.land, one)))
    except (IntegrityError, DataError, InvalidImport) as error:
        refused = error if isinstance(error, InvalidImport) else InvalidImport("database")
        invalid = InvalidImport(refused.why, len(done) + 1, 0, **refused.facts)
        invalid.done = done
        raise invalid from error
    checkpoint(current_app._get_current_object())  # type: ignore[attr-defined]
    return tuple(done)


class Ready(NamedTuple):
    """A night that can be written: what it comes to, and its entries as rows, still without game and devices."""

    night: Night
    state: GameState
    rows: list[dict[str, Any]]


def made_ready(night: Night, place: int) -> Ready:
    """A night of a file, checked. A file may have hundreds: others are let work in between."""
    time.sleep(0)
    return Ready(night, validate(night, place), _rows(night))


def _refuse_one_person(house: int | None, nights: Sequence[Night]) -> None:
    """Raises InvalidImport where two names of a night are one person's in this house, since they were merged."""
    ids: dict[str, int | None] = {}
    for place, night in enumerate(nights, 1):
        seated: set[int] = set()
        for name in (name for seat, name in night.names.items() if seat not in night.forgotten):
            key = look_alike_key(name)
            if key not in ids:
                typed = people.person_named(house, name) if house is not None else None
                ids[key] = None if typed is None else people.merged_into(typed)
            person = ids[key]
            if person in seated:
                raise InvalidImport("one_person", place, name=name)
            if person is not None:
                seated.add(person)


class _Into:
    """The house that the nights of a file's house go into, one after another."""

    def __init__(self, houses: Sequence[ExportedHouse], house: ExportedHouse, device: int | None, whole: bool) -> None:
        self._find = partial(_house, houses, house, device, whole)
        self._told, self._lists = house.people if whole else (), house.lists
        self._device, self._whole = device, whole
        self._id: int | None = None
        self._nobody: dict[int, int] = {}

    def land(self, ready: Ready | None) -> tuple[Imported, ...]:
        """One night, in a transaction of its own; None: a house without any. The house and its people come first."""
        with writing():
            advisory_lock(MAKING_PEOPLE)
            house = self._find() if self._id is None else self._id
            everybody = Everybody(house, self._told, self._nobody)
            if self._id is None:
                everybody.make_told()
                own_lists.bring_in(self._lists, house, self._device)
            done = (self._landed(house, ready, everybody),) if ready else ()
            everybody.finish()
        self._id, self._nobody = house, everybody.nobody
        return done

    def _landed(self, house: int, ready: Ready, everybody: "Everybody") -> Imported:
        here = _here(house, ready.night)
        if here is None:
            code = _add(house, ready, everybody, self._device, self._whole)
            return Imported(ready.night, Outcome.ADDED, code, "keeper")
        everybody.recognise(house, ready.night)
        return Imported(ready.night, compared(here, ready.night), here.code, lists.role(here.id, self._device))


def _house(houses: Sequence[ExportedHouse], house: ExportedHouse, device: int | None, whole: bool) -> int:
    """Where the nights belong: this device's house; for a whole server the house that has one of them, the only house
    of a home, or one of their own.
    """
    there = lists.house_for(device) if not whole else _house_with(house) or (_home() if len(houses) == 1 else None)
    return make_house(house.name if whole else "") if there is None else there


def _house_with(house: ExportedHouse) -> int | None:
    query = select(Game.house_id).order_by(Game.id).limit(1)
    houses = (db.session.scalar(query.where(Game.uid == night.uid)) for night in house.nights)
    return next((there for there in houses if there is not None), None)


def _home() -> int | None:
    """The only house of a home server; a server of many groups is on PostgreSQL."""
    is_home = db.engine.dialect.name == "sqlite"
    return db.session.scalar(select(House.id).order_by(House.id).limit(1)) if is_home else None


def _here(house: int | None, night: Night) -> Any:
    """The game that a night is in a house: its id, code and revision; None where there is none."""
    wanted = select(Game.id, Game.code, Game.revision).where(Game.house_id == house, Game.uid == night.uid)
    return db.session.execute(wanted).one_or_none() if house is not None else None


def compared(row: Any, night: Night) -> Outcome:
    """How a night compares with the game that it is here, None: it is none."""
    if row is None:
        return Outcome.ADDED
    here = [(entry.event, entry.at) for entry in snapshots.stored_entries(row.id, 0, row.revision)]
    there = [(entry.event, entry.at) for entry in night.entries]
    if here == there:
        return Outcome.THERE
    if here[: len(there)] == there:
        return Outcome.LONGER_HERE
    return Outcome.LONGER_THERE if there[: len(here)] == here else Outcome.DIFFERENT


# --- one night ------------------------------------------------------------------------------------------------------


def _add(house: int, ready: Ready, everybody: "Everybody", device: int | None, whole: bool) -> str:
    night, state = ready.night, ready.state
    game_id, code = make_game(
        state, house_id=house, token=f"carried {secrets.token_hex(16)}", digest="", uid=night.uid,
        created_at=night.created_at, changed_at=night.entries[-1].at, revision=len(night.entries),
    )  # fmt: skip
    seat_people(game_id, night, state, everybody)
    of_phone: dict[int | None, int | None] = {None: None}
    of_phone |= {place: make_phone(game_id, phone, whole) for place, phone in enumerate(night.phones)}
    made = [{**row, "game_id": game_id, "device_id": of_phone[row["device_id"]]} for row in ready.rows]
    db.session.connection().execute(_ENTRIES.insert(), made)
    projecting.project(game_id, GameState(), state)
    if device is not None:
        phones.remember(game_id, device)
    return code


def seat_people(game_id: int, night: Night, state: GameState, everybody: "Everybody") -> None:
    """The seats of a night that are not there yet. Raises InvalidImport where somebody would sit twice."""
    here = {row.number: row.person_id for row in db.session.execute(_SEATS, {"game": game_id})}
    taken = set(here.values())
    for number, name in night.names.items():
        if number in here:
            continue
        typed, person = (
            everybody.forgotten(night.forgotten[number]) if number in night.forgotten else everybody.known(name)
        )
        if person in taken:
            raise InvalidImport("one_person", name=name)
        taken.add(person)
        as_typed = everybody.also_known(night.entered_as[number], name) if number in night.entered_as else typed
        values = {
            "game_id": game_id, "number": number, "person_id": person, "seated": number in state.seats,
            "entered_as": None if as_typed == person else as_typed,
        }  # fmt: skip
        db.session.execute(insert(Seat).values(**values))


def make_phone(game_id: int, phone: Phone, whole: bool) -> int:
    """The device for a phone: a new one that nobody holds, unless the server moves and its hash came along."""
    stored_hash = phone.token_hash if whole else ""
    token_hash = stored_hash or devices.hash_of(secrets.token_urlsafe(32))
    known = db.session.scalar(select(Device.id).where(Device.token_hash == token_hash))
    device = known or devices.make(token_hash, phone.kind, phone.name)
    if phone.number is not None:
        stays = bool(stored_hash and phone.role)
        member = {
            "game_id": game_id, "device_id": device, "number": phone.number, "seat": phone.seat if stays else None,
            "role": phone.role if stays else "watch", "by_link": phone.by_link if stays else True,
            "live": phone.live and stays,
        }  # fmt: skip
        db.session.execute(insert(Membership).values(**member))
    return device


def _rows(night: Night) -> list[dict[str, Any]]:
    """The entries as rows; ``device_id`` is still the place of a phone in the night."""
    return [
        {"seq": seq, "kind": kind, "data": data, "device_id": entered.phone, "at": entered.at}
        for seq, entered in enumerate(night.entries, 1)
        for kind, data in [codec.encode(entered.event)]
    ]


class Everybody:
    """The people of a house by the names that look the same, made where there are none yet."""

    def __init__(self, house: int, told: Sequence[KnownAs], nobody: Mapping[int, int]) -> None:
        self.house, self.told = house, {look_alike_key(known.name): known for known in told}
        self.merges: list[tuple[int, str]] = []
        self.nobody = dict(nobody)

    def make_told(self) -> None:
        """Those the file tells of come before those of its nights."""
        for known in self.told.values():
            self.known(known.name)

    def known(self, name: str) -> tuple[int, int]:
        """The person of this very name, and who that is once merged names are followed."""
        typed = people.person_named(self.house, name) or self._make(name)
        return typed, people.merged_into(typed)

    def forgotten(self, number: int) -> tuple[int, int]:
        """Somebody whose name was taken away: one person in all nights of the file, and nobody who is here already."""
        if number not in self.nobody:
            here = select(Person.forgotten).where(Person.house_id == self.house, Person.forgotten.is_not(None))
            taken = {there for there in db.session.execute(here).scalars() if there is not None}
            free = number if number and number not in taken else max(taken, default=0) + 1
            key = f"FORGOTTEN {secrets.token_hex(8)}"
            name = f"{FORGOTTEN} {free}"
            self.nobody[number] = people.make_person(self.house, name, key=key, hidden=True, forgotten=free)
        return self.nobody[number], self.nobody[number]

    def recognise(self, house: int, night: Night) -> None:
        """Who was forgotten in a night that is here already is that person in the other nights of the file too."""
        if night.forgotten:
            query = select(Seat.number, Person.id).join(Person, Person.id == Seat.person_id)
            query = query.join(Game, Game.id == Seat.game_id)
            here = query.where(Game.house_id == house, Game.uid == night.uid, Person.forgotten.is_not(None))
            for seat, person in db.session.execute(here):
                if seat in night.forgotten:
                    self.nobody.setdefault(night.forgotten[seat], person)

    def also_known(self, name: str, now: str) -> int:
        """The person of this very name; where it is new here, it is another name of the person ``now``."""
        person = people.person_named(self.house, name)
        if person is None:
            person = self._make(name)
            if look_alike_key(name) not in self.told:
                self.merges.append((person, now))
        return person

    def _make(self, name: str) -> int:
        told = self.told.get(look_alike_key(name))
        person = people.make_person(self.house, name, hidden=bool(told and told.hidden))
        if told and told.merged_into:
            self.merges.append((person, told.merged_into))
        return person

    def finish(self) -> None:
        """Merge those who are new here, once all are there; none of them in a circle."""
        for person, other in self.merges:
            into = self.known(other)[1]
            if into != person:
                db.session.execute(update(Person).where(Person.id == person).values(merged_into=into))


def count() -> tuple[int, int]:
    """How many games and entries there are."""
    games, entries = (db.session.scalar(select(func.count()).select_from(model)) or 0 for model in (Game, Entry))
    return games, entries
