"""The lists of hands that a house made: kept, changed, removed and taken back. A game that was started with one keeps its
hands in its own record, so nothing here changes a night.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta

from flask import current_app
from sqlalchemy import ColumnElement, false, func, insert, or_, select, true, update

from companion.db import MAKING_PEOPLE, advisory_lock, db, writing
from companion.models import Game, Membership, OwnList
from companion.names import look_alike_key
from companion.phones.limits import Limit
from companion.record import lists
from companion.record.reading import is_code
from companion.record.writing import hashed, make_house

#: What a house may keep, and how often a phone may save in an hour.
MOST_LISTS = 100
SAVING = Limit("list", 200, timedelta(hours=1))


@dataclass(frozen=True, slots=True)
class Content:
    """What a list is: its name, the sheet whose rules it goes by, its hands as text, and how it is played."""

    name: str
    sheet: str
    hands: str
    first_hands: int | None = None
    own_progress: bool = False


@dataclass(frozen=True, slots=True)
class KeptList:
    """A list as it is kept."""

    code: str
    content: Content
    revision: int
    changed_at: datetime
    used_at: datetime | None
    is_removed: bool


class ListChanged(Exception):
    """Somebody else saved the list since the form was loaded: ``now`` is what it is."""

    def __init__(self, now: KeptList) -> None:
        super().__init__(now.code)
        self.now = now


class NotKept(ValueError):
    """The house cannot keep a list: ``why`` is "name" (another one looks the same) or "full" (of so many it may keep)."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def kept(device: int | None) -> tuple[KeptList, ...]:
    """The lists that a device finds, those used last first."""
    return _some(device, OwnList.removed_at.is_(None))


def removed(device: int | None) -> tuple[KeptList, ...]:
    """The lists that were removed and can be taken back, the last one first; at most twenty."""
    return _some(device, OwnList.removed_at.is_not(None))[:20]


def load(code: str, device: int | None) -> KeptList | None:
    """The list of that code, removed or not, where the device finds it."""
    return next(iter(_some(device, OwnList.code == code)), None) if is_code(code) else None


def save(content: Content, *, token: str, device: int, code: str = "", seen: int = 0) -> str:
    """Keep a new list, or with ``code`` change one of which the form had seen revision ``seen``; the list's code.

    A form that is sent twice lands once. Raises ListChanged, NotKept and TooManyTries.
    """
    SAVING.spend(device)
    with writing() as session:
        made = session.scalar(select(OwnList.code).where(OwnList.token == hashed(token)))
        if made is not None:
            return str(made)
        now = load(code, device) if code else None  # one removed meanwhile comes back under a code of its own
        now = None if now and now.is_removed else now
        if now is not None and now.revision != seen:
            if now.content == content:
                return now.code
            raise ListChanged(now)
        _refuse(content, device, now)
        row = _columns(content, _house(device))
        if now is not None:
            session.execute(update(OwnList).where(OwnList.code == code).values(**row, revision=seen + 1))
            return now.code
        row |= {"device_id": device, **_codes(token)}
        return str(session.execute(insert(OwnList).values(**row).returning(OwnList.code)).scalar_one())


def set_removed(code: str, device: int, *, away: bool) -> KeptList | None:
    """Remove a list, or take it back; None where there is none. Raises NotKept where it finds no place again."""
    with writing() as session:
        now = load(code, device)
        if now is None or now.is_removed is away:
            return now
        if not away:
            _refuse(now.content, device, None)
        at = datetime.now(UTC) if away else None
        session.execute(update(OwnList).where(OwnList.code == code).values(removed_at=at))
        return now


def note_used(code: str, device: int) -> None:
    """A game was started with this list."""
    with writing() as session:
        if load(code, device) is not None:
            used = {"used_at": datetime.now(UTC), "house_id": _house(device)}
            session.execute(update(OwnList).where(OwnList.code == code).values(**used))


def bring_in(contents: Sequence[Content], house: int, device: int | None) -> int:
    """Within a transaction: keep the lists of a file that this house has not; how many there were. One that has the name
    of another list gets a number behind it.
    """
    here = {look_alike_key(content.name): content for content in of_house(house)}
    before = len(here)
    for content in contents:
        for name in (content.name, *(f"{content.name[:150]} ({number})" for number in range(2, MOST_LISTS + 2))):
            there = here.get(look_alike_key(name))
            if there is None and len(here) < MOST_LISTS:
                here[look_alike_key(name)] = new = replace(content, name=name)
                row = {**_columns(new, house), "device_id": device, **_codes("")}
                db.session.execute(insert(OwnList).values(**row))
            if there is None or replace(there, name=content.name) == content:
                break
    return len(here) - before


def of_house(house: int) -> tuple[Content, ...]:
    """The lists of a house."""
    return tuple(one.content for one in _kept(OwnList.house_id == house, OwnList.removed_at.is_(None)))


def by_house(device: int | None, *, every: bool = False) -> Mapping[int | None, tuple[Content, ...]]:
    """The lists that a device finds, or all of every house, by house, for an export; the oldest first."""
    whose = OwnList.house_id.is_not(None) if every else _found_by(device)
    query = select(OwnList).where(whose, OwnList.removed_at.is_(None))
    found: dict[int | None, tuple[Content, ...]] = {}
    for row in db.session.execute(query.order_by(OwnList.id)).scalars():
        found[row.house_id] = (*found.get(row.house_id, ()), _content(row))
    return found


def _columns(content: Content, house: int | None) -> dict[str, object]:
    return {**asdict(content), "changed_at": datetime.now(UTC), "house_id": house}


def _codes(token: str) -> dict[str, object]:
    return {"code": secrets.token_urlsafe(12), "token": hashed(token), "revision": 1}


def _house(device: int) -> int | None:
    """The house of a list that a device saves; hosted, a phone that is in no group yet has none."""
    house = lists.house_for(device)
    if house is None and not current_app.config["HOSTED"]:
        advisory_lock(MAKING_PEOPLE)
        house = lists.house_for(device) or make_house()
    return house


def _refuse(content: Content, device: int, itself: KeptList | None) -> None:
    others = [one for one in kept(device) if itself is None or one.code != itself.code]
    if any(look_alike_key(one.content.name) == look_alike_key(content.name) for one in others):
        raise NotKept("name")
    if len(others) >= MOST_LISTS:
        raise NotKept("full")


def _some(device: int | None, which: ColumnElement[bool]) -> tuple[KeptList, ...]:
    return _kept(_found_by(device), which)


def _kept(*which: ColumnElement[bool]) -> tuple[KeptList, ...]:
    order = func.coalesce(OwnList.used_at, OwnList.changed_at).desc()
    query = select(OwnList).where(*which).order_by(order, OwnList.id.desc())
    rows = db.session.execute(query.execution_options(populate_existing=True)).scalars()
    return tuple(
        KeptList(row.code, _content(row), row.revision, row.changed_at, row.used_at, row.removed_at is not None)
        for row in rows
    )


def _content(row: OwnList) -> Content:
    return Content(row.name, row.sheet, row.hands, row.first_hands, row.own_progress)


def _found_by(device: int | None) -> ColumnElement[bool]:
    """At home every phone finds the lists of the house; hosted, those of the groups whose games it keeps, and its own."""
    if not current_app.config["HOSTED"]:
        return true()
    if device is None:
        return false()
    mine = (Membership.device_id == device, Membership.role == "keeper", Membership.live)
    groups = select(Game.house_id).join(Membership, Membership.game_id == Game.id).where(*mine)
    return or_(OwnList.device_id == device, OwnList.house_id.in_(groups))
