"""One person over many nights: renamed, two names merged, hidden, forgotten; each is kept, and can be taken back.

Whoever changes people changes the nights that they keep (``reach.Reach``). Where those are all nights of a person, the
person's own row is changed; where others keep some, only the seats within reach are, and the change is ``partial``.
Nobody who sat at a night is deleted. A name that was merged stays where it was typed (``Seat.entered_as``), so that
taking it back gives every night to whom it was. What was changed last is taken back first.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, func, or_, select, update

from companion.db import MAKING_PEOPLE, advisory_lock, db, writing
from companion.models import ChangedSeat, Game, Person, PersonChange, Seat, WithheldName
from companion.names import cleaned_names, look_alike_key
from companion.record import forgetting, lists, people
from companion.record.person_trail import (
    MOVING,
    Changed,
    PersonReason,
    PersonRefused,
    about_person,
    came_from,
    last_change,
    move,
    note,
    person_row,
    set_person,
    touch,
    went_to,
    why_not,
)  # fmt: skip
from companion.record.reach import Reach


def is_keeper(person: int, device: int | None) -> bool:
    """Whether a device may change a person: it keeps a game at which they sat, or everybody may (an open house)."""
    return person in kept([person], device)


def kept(people: Collection[int], device: int | None) -> frozenset[int]:
    """Those of some people that a device may change."""
    return Reach(device).some(people)


def kept_by_others(person: int, device: int | None) -> int:
    """How many nights of a person stay as they are, whatever a device changes."""
    return Reach(device).beyond(person)


def moved_to(person: int, device: int | None = None) -> int | None:
    """Whom a name was merged into, to the end, or whose the nights of a device are since a person was changed in these
    alone, by it or by another phone at them, or that was taken back. None where it is neither, or there is no such person.
    """
    into = people.merged_into(person)
    if into != person:
        return into
    nights = select(Game.id).where(*lists.visible_to(device))
    seats = select(ChangedSeat.change_id).where(ChangedSeat.game_id.in_(nights))
    mine = or_(PersonChange.device_id == device, PersonChange.id.in_(seats))
    partial = (PersonChange.partial, PersonChange.kind.in_(MOVING))
    query = select(PersonChange).where(about_person(person), mine, *partial).order_by(PersonChange.id.desc()).limit(1)
    change = db.session.scalar(query) if device is not None else None
    if change is None:
        return None
    now = went_to(change) if change.undone_at is None else came_from(change)
    return None if now == person else now


def rename(person: int, name: str, *, seen: int, device: int | None, owner: bool = False) -> Changed:
    """Another name for a person, in every night within reach. Raises BadNames, PersonRefused."""
    cleaned, by = cleaned_names([name])[0], Reach(device, owner)
    with _changing(person) as row:
        if cleaned == row.name:
            return Changed(person)
        _fresh(person, seen)
        return _renamed(row, cleaned, look_alike_key(cleaned), by)


def _renamed(row: Any, name: str, key: str, by: Reach) -> Changed:
    if beyond := by.beyond(row.id):
        return Changed(_split(row, name, key, by, beyond), beyond)
    key = _free_key(row, key, by)
    change = note(row.id, "renamed", by, before=row.name, after=name, key=row.key)
    touch(change, Seat.person_id == row.id)
    set_person(row.id, name=name, key=key)
    return Changed(row.id)


def _free_key(row: Any, key: str, by: Reach) -> str:
    """The key for a new name: a name that was merged into this person keeps its key, and finds the person by it."""
    query = select(Person.id, Person.name).where(Person.house_id == row.house_id, Person.key == key)
    other = db.session.execute(query).one_or_none()
    if other is None or other.id == row.id:
        return key
    if (owner := people.merged_into(other.id)) == row.id:
        return str(row.key)
    reason = PersonReason.TAKEN if by.some([owner]) else PersonReason.TAKEN_ELSEWHERE
    raise PersonRefused(reason, other=owner, name=other.name)


def _split(row: Any, name: str, key: str, by: Reach, beyond: int) -> int:
    """A person of this name, who has the nights within reach from now on; the others stay with the person there was."""
    if _free_key(row, key, by) == row.key:  # written otherwise, or merged into them: one name for all their nights
        raise PersonRefused(PersonReason.OTHERS, nights=beyond)
    made = people.make_person(row.house_id, name, hidden=row.hidden, key=key)
    change = note(made, "renamed", by, other_id=row.id, before=row.name, after=name, partial=True)
    move(change, (Seat.person_id == row.id) & by.keeps(Seat.game_id), person_id=made, entered_as=None)
    return made


def merge(person: int, into: int, *, seen: int, device: int | None, owner: bool = False) -> Changed:
    """Two names are one person: every night of ``person`` within reach is from now on one of ``into``. Raises
    PersonRefused.
    """
    by = Reach(device, owner)
    with _changing(person, merged=True) as row:
        if row.merged_into == into:
            return Changed(into)
        if row.merged_into is not None:
            raise PersonRefused(PersonReason.MOVED_ON)
        other = person_row(into)
        if person == into:
            raise PersonRefused(PersonReason.ITSELF)
        if other is None or (other.house_id, other.merged_into, other.forgotten) != (row.house_id, None, None):
            raise PersonRefused(PersonReason.NOBODY)
        if not by.some([into]):
            raise PersonRefused(PersonReason.NOBODY)
        _fresh(person, seen)
        beyond = by.beyond(person)
        seats = (Seat.person_id == person) & by.keeps(Seat.game_id)
        _apart(seats, into)
        change = note(person, "merged", by, other_id=into, partial=bool(beyond))
        move(change, seats, person_id=into, entered_as=func.coalesce(Seat.entered_as, person))
        if not beyond:
            set_person(person, merged_into=into)
        return Changed(into, beyond)


def _apart(seats: ColumnElement[bool], other: int) -> None:
    """Nobody sat at one table with themselves."""
    theirs = select(Seat.game_id).where(Seat.person_id == other)
    query = select(Game.code, Game.created_at).join(Seat, Seat.game_id == Game.id)
    both = query.where(seats, Game.id.in_(theirs)).order_by(Game.id.desc()).limit(1)
    if (night := db.session.execute(both).one_or_none()) is not None:
        raise PersonRefused(PersonReason.SAME_TABLE, code=night.code, at=night.created_at)


def hide(person: int, hidden: bool, *, seen: int, device: int | None, owner: bool = False) -> Changed:
    """Leave somebody out of lists and suggestions, or show them again; their nights stay. Raises PersonRefused."""
    by = Reach(device, owner)
    with _changing(person) as row:
        if _is_hidden(row, by) == hidden:
            return Changed(person, by.beyond(person))
        _fresh(person, seen)
        return Changed(person, _hide(row, hidden, by))


def _hide(row: Any, hidden: bool, by: Reach) -> int:
    """How many nights stayed as they were."""
    kind, theirs = "hidden" if hidden else "shown", Seat.person_id == row.id
    beyond = by.beyond(row.id)
    if beyond and row.hidden:  # all their nights were: from now on each says so for itself
        db.session.execute(update(Seat).where(theirs).values(hidden=True))
        set_person(row.id, hidden=False)
    change = note(row.id, kind, by, partial=bool(beyond))
    if beyond:
        move(change, theirs & by.keeps(Seat.game_id), hidden=hidden)
    else:
        touch(change, theirs)
        set_person(row.id, hidden=hidden)
        if not hidden:
            db.session.execute(update(Seat).where(theirs).values(hidden=False))
    return beyond


def _is_hidden(row: Any, by: Reach) -> bool:
    shown = select(Seat.number).where(Seat.person_id == row.id, by.keeps(Seat.game_id), Seat.hidden.is_(False))
    return bool(row.hidden) or db.session.execute(shown.limit(1)).first() is None


def forget(person: int, *, seen: int, device: int | None, owner: bool = False) -> None:
    """Take somebody's name away, and the names merged into it; the numbers stay. It can be given back for some days
    (``record.forgetting``). Raises PersonRefused: whoever does it keeps every night of theirs, or runs the server.
    """
    by, row = Reach(device, owner), person_row(person)
    if row is not None and row.forgotten is not None:
        return
    with _changing(person) as row:
        if beyond := by.beyond(person):
            raise PersonRefused(PersonReason.OTHERS, nights=beyond)
        _fresh(person, seen)
        last = select(func.max(Person.forgotten)).where(Person.house_id == row.house_id)
        change = note(person, "forgotten", by)
        touch(change, Seat.person_id == person)
        forgetting.withhold(person, change, (db.session.execute(last).scalar_one() or 0) + 1)


def undo(person: int, change: int, *, device: int | None, owner: bool = False) -> int:
    """Take back what was changed last about a person, for whoever keeps all nights that it changed; what is taken back
    already stays so. Whom the nights are of then. Raises PersonRefused.
    """
    by = Reach(device, owner)
    with writing() as session:
        advisory_lock(MAKING_PEOPLE)
        query = select(PersonChange).where(PersonChange.id == change, about_person(person))
        row = session.execute(query).scalar_one_or_none()
        if row is None:
            raise PersonRefused(PersonReason.NOBODY)
        if row.undone_at is not None:
            return came_from(row) if row.partial else person
        if (refused := why_not(row, by)) is not None:
            raise refused
        after = _put_back(row) if row.partial else _BACK[row.kind](row, by)
        row.undone_at = datetime.now(UTC)
        return person if after is None else after


def _put_back(change: PersonChange) -> int:
    """The seats of a few nights as they were before; a person made for them who has none left gives the name up."""
    source = came_from(change)
    if change.kind in MOVING:
        theirs = select(ChangedSeat.game_id).where(ChangedSeat.change_id == change.id)
        _apart((Seat.person_id == went_to(change)) & Seat.game_id.in_(theirs), source)
    for was in db.session.scalars(select(ChangedSeat).where(ChangedSeat.change_id == change.id)).all():
        here = (Seat.game_id == was.game_id) & (Seat.number == was.number)
        before: dict[str, object] = {"hidden": was.hidden}
        if change.kind in MOVING:
            before = {"person_id": was.person_id, "entered_as": was.entered_as}
        db.session.execute(update(Seat).where(here).values(**before))
    left = select(Seat.number).where(Seat.person_id == change.person_id).limit(1)
    if change.kind == "renamed" and db.session.execute(left).first() is None:
        set_person(change.person_id, key=f"NOBODY {change.person_id}")
    return source


def _rename_back(change: PersonChange, by: Reach) -> int | None:
    """The name there was; where others sat down under the new name since, in the nights within reach."""
    row = person_row(change.person_id)
    other = select(Person.id).where(Person.key == change.key, Person.id != row.id, Person.house_id == row.house_id)
    taken = db.session.execute(other).scalar_one_or_none()
    if taken is not None:
        raise PersonRefused(PersonReason.TAKEN, other=people.merged_into(taken), name=change.before)
    if beyond := by.beyond(row.id):
        return _split(row, change.before, change.key, by, beyond)
    set_person(row.id, name=change.before, key=change.key)
    return None


def _merge_back(change: PersonChange, by: Reach) -> None:
    """Every seat within reach to whom it was typed for, those of nights since the merging too."""
    person, into = change.person_id, change.other_id
    mine = (Seat.person_id == into) & Seat.entered_as.in_(people.names_of(person)) & by.keeps(Seat.game_id)
    db.session.execute(update(Seat).where(mine).values(person_id=person))
    own = (Seat.person_id == person) & (Seat.entered_as == person)
    db.session.execute(update(Seat).where(own).values(entered_as=None))
    set_person(person, merged_into=None)


def _give_back(change: PersonChange, _by: Reach) -> None:
    """The name, once more; nobody who was called the same meanwhile may sit at a table with them."""
    withheld = select(Person.id).join(WithheldName, WithheldName.key == Person.key)
    house = select(Person.house_id).where(Person.id == change.person_id).scalar_subquery()
    for other in db.session.scalars(
        withheld.where(WithheldName.change_id == change.id, Person.house_id == house)
    ).all():
        _apart(Seat.person_id == change.person_id, people.merged_into(other))
    forgetting.give_back(change.id)


def _hide_back(change: PersonChange, by: Reach) -> None:
    """Shown or hidden as before; where others sat down with them since, in the nights within reach."""
    row, hidden = person_row(change.person_id), change.kind == "shown"
    if by.beyond(row.id):
        _hide(row, hidden, by)
    else:
        set_person(row.id, hidden=hidden)


_BACK: Mapping[str, Callable[[PersonChange, Reach], int | None]] = {
    "renamed": _rename_back,
    "merged": _merge_back,
    "hidden": _hide_back,
    "shown": _hide_back,
    "forgotten": _give_back,
}


@contextmanager
def _changing(person: int, *, merged: bool = False) -> Iterator[Any]:
    """A write transaction about somebody who is there and has a name; ``merged``: also one that was merged."""
    with writing():
        advisory_lock(MAKING_PEOPLE)
        row = person_row(person)
        if row is None or (row.merged_into is not None and not merged):
            raise PersonRefused(PersonReason.NOBODY)
        if row.forgotten is not None:
            raise PersonRefused(PersonReason.FORGOTTEN)
        yield row


def _fresh(person: int, seen: int) -> None:
    """The page that was sent showed the last change there is; 0: none."""
    if last_change(person) != seen:
        raise PersonRefused(PersonReason.MOVED_ON)
