"""One person over many nights: renamed, two names merged, hidden, forgotten; each is kept, and taken back but the last.

Nobody who sat at a night is deleted. A name that was merged stays where it was typed (``Seat.entered_as``), so that
taking it back gives every night to whom it was. What was changed last is taken back first.
"""

import enum
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import func, insert, or_, select, update

from companion.db import MAKING_PEOPLE, advisory_lock, db, writing
from companion.models import Game, Membership, Person, PersonChange, Seat
from companion.names import cleaned_names, look_alike_key, shown_name
from companion.record import people
from companion.record.lists import is_open

#: What stands in the database for a name that was taken away; pages say it in the reader's language.
FORGOTTEN = "Somebody"


class PersonReason(enum.Enum):
    """Why something about a person cannot be done."""

    NOBODY = "nobody"  # there is no such person in this house, or no longer
    ITSELF = "itself"  # merged into the same name
    SAME_TABLE = "same_table"  # both sat at one table; facts: code, at
    TAKEN = "taken"  # the name is another person's; facts: other (id), name
    FORGOTTEN = "forgotten"  # whose name was taken away stays without
    MOVED_ON = "moved_on"  # somebody changed this person since the page was made


class PersonRefused(ValueError):
    """A change is refused; ``facts`` are told beside each reason."""

    def __init__(self, reason: PersonReason, **facts: object) -> None:
        super().__init__(reason.value)
        self.reason = reason
        self.facts: Mapping[str, object] = facts


@dataclass(frozen=True, slots=True)
class Change:
    """Something that was changed about a person; ``other`` is the name merged with theirs: ``into`` which theirs went,
    or that came into theirs. ``last``: the one to take back first.
    """

    id: int
    kind: str
    at: datetime
    before: str = ""
    after: str = ""
    other: str = ""
    undone: bool = False
    into: bool = True
    last: bool = False


def is_keeper(person: int, device: int | None) -> bool:
    """Whether a device may change a person: it keeps a game at which they sat, or everybody may (an open house)."""
    return person in kept([person], device)


def kept(people: Collection[int], device: int | None) -> frozenset[int]:
    """Those of some people that a device may change."""
    if is_open():
        return frozenset(people)
    mine = (Membership.device_id == device, Membership.role == "keeper", Membership.live)
    query = select(Seat.person_id).join(Membership, Membership.game_id == Seat.game_id)
    return frozenset(db.session.execute(query.where(Seat.person_id.in_(people), Seat.seated, *mine)).scalars())


def moved_to(person: int) -> int | None:
    """Whom a name was merged into, to the end; None where it was not, or there is no such person."""
    into = people.merged_into(person)
    return None if into == person else into


def changes(person: int) -> tuple[Change, ...]:
    """What was changed about a person, the last first."""
    other = Person.__table__.alias("other")
    other_names = (other.c.name.label("other_name"), other.c.forgotten.label("other_forgotten"))
    query = select(PersonChange, Person.name, Person.forgotten, *other_names)
    query = query.join(Person, Person.id == PersonChange.person_id).outerjoin(
        other, other.c.id == PersonChange.other_id
    )
    rows = db.session.execute(query.where(_about(person)).order_by(PersonChange.id.desc())).all()
    is_forgotten = any(row[0].kind == "forgotten" for row in rows)
    standing = None if is_forgotten else next((row[0].id for row in rows if row[0].undone_at is None), None)
    return tuple(_change(row, person, standing) for row in rows)


def _change(row: Any, person: int, standing: int | None) -> Change:
    change: PersonChange = row[0]
    own, theirs = shown_name(row.name, row.forgotten), shown_name(row.other_name or "", row.other_forgotten)
    other = "" if change.other_id is None else theirs if change.person_id == person else own
    return Change(
        change.id, change.kind, change.at, change.before, change.after, other, change.undone_at is not None,
        change.person_id == person, change.id == standing,
    )  # fmt: skip


def rename(person: int, name: str, *, seen: int, device: int | None) -> None:
    """Another name for a person, everywhere. Raises BadNames, PersonRefused."""
    cleaned = cleaned_names([name])[0]
    with _changing(person) as row:
        if cleaned == row.name:
            return
        _fresh(person, seen)
        key = _free_key(row, look_alike_key(cleaned))
        _keep(person, "renamed", device, before=row.name, after=cleaned, key=row.key)
        _set(person, name=cleaned, key=key)


def _free_key(row: Any, key: str) -> str:
    """The key for a new name: a name that was merged into this person keeps its key, and finds the person by it."""
    query = select(Person.id, Person.name).where(Person.house_id == row.house_id, Person.key == key)
    other = db.session.execute(query).one_or_none()
    if other is None or other.id == row.id:
        return key
    if (owner := moved_to(other.id)) == row.id:
        return str(row.key)
    raise PersonRefused(PersonReason.TAKEN, other=owner or other.id, name=other.name)


def merge(person: int, into: int, *, seen: int, device: int | None) -> None:
    """Two names are one person: every night of ``person`` is from now on one of ``into``. Raises PersonRefused."""
    with _changing(person, merged=True) as row:
        if row.merged_into == into:
            return
        if row.merged_into is not None:
            raise PersonRefused(PersonReason.MOVED_ON)
        other = _person(into)
        if person == into:
            raise PersonRefused(PersonReason.ITSELF)
        if other is None or (other.house_id, other.merged_into, other.forgotten) != (row.house_id, None, None):
            raise PersonRefused(PersonReason.NOBODY)
        _fresh(person, seen)
        _apart(person, into)
        _keep(person, "merged", device, other_id=into)
        typed = func.coalesce(Seat.entered_as, person)
        db.session.execute(update(Seat).where(Seat.person_id == person).values(person_id=into, entered_as=typed))
        _set(person, merged_into=into)


def _apart(person: int, other: int) -> None:
    """Nobody sat at one table with themselves."""
    theirs = select(Seat.game_id).where(Seat.person_id == other)
    query = select(Game.code, Game.created_at).join(Seat, Seat.game_id == Game.id)
    both = query.where(Seat.person_id == person, Game.id.in_(theirs)).order_by(Game.id.desc()).limit(1)
    if (night := db.session.execute(both).one_or_none()) is not None:
        raise PersonRefused(PersonReason.SAME_TABLE, code=night.code, at=night.created_at)


def hide(person: int, hidden: bool, *, seen: int, device: int | None) -> None:
    """Leave somebody out of lists and suggestions, or show them again; their nights stay. Raises PersonRefused."""
    with _changing(person) as row:
        if row.hidden == hidden:
            return
        _fresh(person, seen)
        _keep(person, "hidden" if hidden else "shown", device)
        _set(person, hidden=hidden)


def forget(person: int, *, seen: int, device: int | None) -> None:
    """Take somebody's name away for good, and the names merged into it; the numbers stay. Raises PersonRefused."""
    row = _person(person)
    if row is not None and row.forgotten is not None:
        return
    with _changing(person) as row:
        _fresh(person, seen)
        last = select(func.max(Person.forgotten)).where(Person.house_id == row.house_id)
        number = (db.session.execute(last).scalar_one() or 0) + 1
        _keep(person, "forgotten", device)
        for nth, name in enumerate(people.names_of(person), 1):
            # Two merged names stay two where nights go out and in. No name looks like this key: it has capitals.
            said = f"{FORGOTTEN} {number}" if nth == 1 else f"{FORGOTTEN} {number} ({nth})"
            _set(name, name=said, key=f"FORGOTTEN {name}", forgotten=number, hidden=True)
            blank = {"before": "", "after": "", "key": ""}
            db.session.execute(update(PersonChange).where(PersonChange.person_id == name).values(**blank))
        db.session.execute(update(Seat).where(Seat.person_id == person).values(entered_as=None))


def undo(person: int, change: int, *, device: int | None) -> None:
    """Take back what was changed last about a person; what is taken back already stays so. Raises PersonRefused."""
    with writing() as session:
        advisory_lock(MAKING_PEOPLE)
        query = select(PersonChange).where(PersonChange.id == change, _about(person))
        row = session.execute(query).scalar_one_or_none()
        if row is None:
            raise PersonRefused(PersonReason.NOBODY)
        if row.undone_at is not None:
            return
        later = _last_standing(row.person_id), _last_standing(row.other_id or row.person_id)
        if any(last != change for last in later):
            raise PersonRefused(PersonReason.MOVED_ON)
        if row.kind == "forgotten":
            raise PersonRefused(PersonReason.FORGOTTEN)
        _BACK[row.kind](row)
        row.undone_at = datetime.now(UTC)


def _rename_back(row: PersonChange) -> None:
    other = select(Person.id).where(Person.key == row.key, Person.id != row.person_id)
    house = select(Person.house_id).where(Person.id == row.person_id).scalar_subquery()
    taken = db.session.execute(other.where(Person.house_id == house)).scalar_one_or_none()
    if taken is not None:
        raise PersonRefused(PersonReason.TAKEN, other=moved_to(taken) or taken, name=row.before)
    _set(row.person_id, name=row.before, key=row.key)


def _merge_back(row: PersonChange) -> None:
    """Every seat to whom it was typed for, those of nights since the merging too."""
    person, into = row.person_id, row.other_id
    mine = (Seat.person_id == into) & Seat.entered_as.in_(people.names_of(person))
    db.session.execute(update(Seat).where(mine).values(person_id=person))
    own = (Seat.person_id == person) & (Seat.entered_as == person)
    db.session.execute(update(Seat).where(own).values(entered_as=None))
    _set(person, merged_into=None)


_BACK: Mapping[str, Callable[[PersonChange], None]] = {
    "renamed": _rename_back,
    "merged": _merge_back,
    "hidden": lambda row: _set(row.person_id, hidden=False),
    "shown": lambda row: _set(row.person_id, hidden=True),
}


@contextmanager
def _changing(person: int, *, merged: bool = False) -> Iterator[Any]:
    """A write transaction about somebody who is there and has a name; ``merged``: also one that was merged."""
    with writing():
        advisory_lock(MAKING_PEOPLE)
        row = _person(person)
        if row is None or (row.merged_into is not None and not merged):
            raise PersonRefused(PersonReason.NOBODY)
        if row.forgotten is not None:
            raise PersonRefused(PersonReason.FORGOTTEN)
        yield row


def _person(person: int) -> Any:
    columns = Person.__table__.columns
    return db.session.execute(select(*columns).where(columns.id == person)).one_or_none()


def _about(person: int) -> Any:
    return or_(PersonChange.person_id == person, PersonChange.other_id == person)


def _last_standing(person: int) -> int | None:
    """The last change about a person that was not taken back."""
    return db.session.scalar(select(func.max(PersonChange.id)).where(_about(person), PersonChange.undone_at.is_(None)))


def _fresh(person: int, seen: int) -> None:
    """The page that was sent showed the last change there is; 0: none."""
    if (db.session.scalar(select(func.max(PersonChange.id)).where(_about(person))) or 0) != seen:
        raise PersonRefused(PersonReason.MOVED_ON)


def _keep(person: int, kind: str, device: int | None, **facts: object) -> None:
    values = {"person_id": person, "kind": kind, "device_id": device, "at": datetime.now(UTC), **facts}
    db.session.execute(insert(PersonChange).values(**{"before": "", "after": "", "key": ""} | values))


def _set(person: int, **columns: object) -> None:
    db.session.execute(update(Person).where(Person.id == person).values(**columns))
