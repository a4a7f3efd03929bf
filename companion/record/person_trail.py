"""What was changed about people: noted with the seats it was about, listed, and whether it can be taken back."""

import enum
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, func, insert, literal, not_, or_, select, update

from companion.db import db
from companion.models import ChangedSeat, Person, PersonChange, Seat
from companion.names import shown_name
from companion.record import forgetting, people
from companion.record.reach import Reach

#: The kinds of change that give seats to another person where they are partial.
MOVING = ("renamed", "merged")


class PersonReason(enum.Enum):
    """Why something about a person cannot be done."""

    NOBODY = "nobody"  # there is no such person in this house, or no longer
    ITSELF = "itself"  # merged into the same name
    SAME_TABLE = "same_table"  # both sat at one table; facts: code, at
    TAKEN = "taken"  # the name is another person's; facts: other (id), name
    TAKEN_ELSEWHERE = "taken_elsewhere"  # the same, of somebody in nights of others; facts: other, name
    FORGOTTEN = "forgotten"  # whose name was taken away stays without
    MOVED_ON = "moved_on"  # somebody changed this person since the page was made
    OTHERS = "others"  # it would change nights that others keep; facts: nights (how many)


class PersonRefused(ValueError):
    """A change is refused; ``facts`` are told beside each reason."""

    def __init__(self, reason: PersonReason, **facts: object) -> None:
        super().__init__(reason.value)
        self.reason = reason
        self.facts: Mapping[str, object] = facts


@dataclass(frozen=True, slots=True)
class Change:
    """Something that was changed about a person; ``other`` is the name merged with theirs: ``into`` which theirs went,
    or that came into theirs. ``last``: the one to take back first. ``until`` is when a name is forgotten for good.
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
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Changed:
    """Whom the nights are of now, and how many nights stayed as they were, since others keep them."""

    person: int
    beyond: int = 0


def last_change(person: int) -> int:
    """The number of the last change about a person, whoever made it; 0: none."""
    return db.session.scalar(select(func.max(PersonChange.id)).where(about_person(person))) or 0


def changes(person: int, device: int | None, *, owner: bool = False) -> tuple[Change, ...]:
    """What was changed about a person in nights that a device keeps, the last first."""
    by = Reach(device, owner)
    other = Person.__table__.alias("other")
    other_names = (other.c.name.label("other_name"), other.c.forgotten.label("other_forgotten"))
    query = select(PersonChange, Person.name, Person.forgotten, *other_names)
    query = query.join(Person, Person.id == PersonChange.person_id).outerjoin(
        other, other.c.id == PersonChange.other_id
    )
    seats = select(ChangedSeat.change_id).where(ChangedSeat.change_id == PersonChange.id)
    seen = or_(not_(seats.exists()), seats.where(by.keeps(ChangedSeat.game_id)).exists())
    rows = db.session.execute(query.where(about_person(person), seen).order_by(PersonChange.id.desc())).all()
    last = next((row[0].id for row in rows if row[0].undone_at is None and why_not(row[0], by) is None), None)
    return tuple(_change(row, person, last) for row in rows)


def _change(row: Any, person: int, last: int | None) -> Change:
    change: PersonChange = row[0]
    own, theirs = shown_name(row.name, row.forgotten), shown_name(row.other_name or "", row.other_forgotten)
    is_merged = change.kind == "merged"
    other = "" if not is_merged else theirs if change.person_id == person else own
    # A name that was taken away, and can still be given back, is shown nowhere: not here either.
    withheld = row.forgotten is not None or row.other_forgotten is not None
    before, after = ("", "") if withheld else (change.before, change.after)
    return Change(
        change.id, change.kind, change.at, before, after, other, change.undone_at is not None,
        change.person_id == person, change.id == last,
        forgetting.given_back_until(change.id) if change.kind == "forgotten" else None,
    )  # fmt: skip


def why_not(change: PersonChange, by: Reach) -> PersonRefused | None:
    """Why somebody may not take a change back."""
    involved = [change.person_id, *([] if change.other_id is None else [change.other_id])]
    gone = select(Person.id).where(Person.id.in_(involved), Person.forgotten.is_not(None))
    if change.kind == "forgotten":
        if forgetting.given_back_until(change.id) is None:
            return PersonRefused(PersonReason.FORGOTTEN)
    elif db.session.execute(gone).first() is not None:
        return PersonRefused(PersonReason.FORGOTTEN)
    if _is_overtaken(change, involved):
        return PersonRefused(PersonReason.MOVED_ON)
    beyond = select(func.count(Seat.number)).where(_touched(change), not_(by.keeps(Seat.game_id)))
    if nights := db.session.execute(beyond).scalar_one():
        return PersonRefused(PersonReason.OTHERS, nights=nights)
    return None


def _is_overtaken(change: PersonChange, involved: Collection[int]) -> bool:
    """Whether something stands that was changed later: about the same persons, or the same seats of a few nights."""
    later = select(PersonChange.id).where(PersonChange.id > change.id, PersonChange.undone_at.is_(None))
    if not change.partial:
        about = or_(PersonChange.person_id.in_(involved), PersonChange.other_id.in_(involved))
        return db.session.execute(later.where(about, PersonChange.partial.is_(False)).limit(1)).first() is not None
    here, there = ChangedSeat.__table__.alias("here"), ChangedSeat.__table__.alias("there")
    same = (here.c.game_id == there.c.game_id) & (here.c.number == there.c.number)
    query = later.join(there, there.c.change_id == PersonChange.id).join(here, same)
    moved = or_(PersonChange.partial, PersonChange.kind == "merged")
    return db.session.execute(query.where(here.c.change_id == change.id, moved).limit(1)).first() is not None


def _touched(change: PersonChange) -> ColumnElement[bool]:
    """The condition for the seats that a change is about; those of old changes are found by their persons."""
    noted = select(ChangedSeat.number).where(ChangedSeat.change_id == change.id)
    if db.session.execute(noted.limit(1)).first() is not None:
        return noted.where(ChangedSeat.game_id == Seat.game_id, ChangedSeat.number == Seat.number).exists()
    if change.kind == "merged":
        return (Seat.person_id == change.other_id) & Seat.entered_as.in_(people.names_of(change.person_id))
    return Seat.person_id == change.person_id


def went_to(change: PersonChange) -> int | None:
    """Whose seats those of a partial change became."""
    return change.other_id if change.kind == "merged" else change.person_id


def came_from(change: PersonChange) -> int:
    """Whose seats those of a partial change were."""
    return change.other_id or change.person_id if change.kind == "renamed" else change.person_id


def about_person(person: int) -> ColumnElement[bool]:
    """The condition for the changes about a person."""
    return or_(PersonChange.person_id == person, PersonChange.other_id == person)


def person_row(person: int) -> Any:
    """The columns of a person; None where there is no such person."""
    columns = Person.__table__.columns
    return db.session.execute(select(*columns).where(columns.id == person)).one_or_none()


def note(person: int, kind: str, by: Reach, **facts: object) -> int:
    """Note a change; its number."""
    values = {"person_id": person, "kind": kind, "device_id": by.device, "at": datetime.now(UTC), **facts}
    made = insert(PersonChange).values(**{"before": "", "after": "", "key": ""} | values).returning(PersonChange.id)
    return int(db.session.execute(made).scalar_one())


def touch(change: int, which: ColumnElement[bool]) -> None:
    """Note which seats a change is about, as they are before it."""
    columns = (Seat.game_id, Seat.number, Seat.person_id, Seat.entered_as, Seat.hidden)
    seats = select(literal(change), *columns).where(which)
    names = ["change_id", *(column.key for column in columns)]
    db.session.execute(insert(ChangedSeat).from_select(names, seats))


def move(change: int, which: ColumnElement[bool], **values: Any) -> None:
    """Change seats, and note how they were."""
    touch(change, which)
    noted = select(ChangedSeat.number).where(
        ChangedSeat.change_id == change, ChangedSeat.game_id == Seat.game_id, ChangedSeat.number == Seat.number
    )
    db.session.execute(update(Seat).where(noted.exists()).values(**values))


def set_person(person: int, **columns: object) -> None:
    """Change columns of a person."""
    db.session.execute(update(Person).where(Person.id == person).values(**columns))
