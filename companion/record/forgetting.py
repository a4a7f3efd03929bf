"""A name is taken away: at once from everything that is shown, for good after seven days.

Until then the name lies aside (``WithheldName``), where nothing reads it but giving it back. The days are counted by a
clock that may be wrong: a small computer may have none, and begin in 1970. Whenever it was looked at is kept, so that a
clock that went back, or so far ahead that nobody knows whether the days have passed, begins them anew.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import delete, insert, or_, select, update

from companion.db import MAKING_PEOPLE, advisory_lock, db, writing
from companion.models import Person, PersonChange, Seat, WithheldName
from companion.record import people

#: What stands in the database for a name that was taken away; pages say it in the reader's language.
FORGOTTEN = "Somebody"
#: How long a name can be given back.
DAYS = timedelta(days=7)
#: The clock is looked at by every page; what it said is written down only so often.
_NOTED = timedelta(hours=1)
#: Two clocks of one machine may differ by so much, and nothing is wrong.
_BACK = timedelta(minutes=10)
#: A server that is started only to play was off for some weeks. Further ahead than this, once, and its clock is in doubt.
_AHEAD = timedelta(days=60)

# Every page asks this: SQLAlchemy takes longer to build a statement than SQLite to answer it.
_CLOCKS = select(WithheldName.change_id, WithheldName.since, WithheldName.seen_at, WithheldName.doubted).distinct()


class _Clock(NamedTuple):
    """When the days of a forgetting began, when the clock was last looked at, and whether it jumped ahead once."""

    change_id: int
    since: datetime
    seen_at: datetime
    doubted: bool

    def after(self, now: datetime) -> "_Clock | None":
        """What is to be written down now; None where the days are over."""
        if now < self.seen_at - _BACK:
            return _Clock(self.change_id, now, now, False)
        if now > self.seen_at + _AHEAD and not self.doubted:
            return _Clock(self.change_id, now, now, True)
        if now >= self.since + DAYS:
            return None
        return self if now < self.seen_at + _NOTED else self._replace(seen_at=now)


def withhold(person: int, change: int, number: int) -> None:
    """Within a transaction: lay the name of a person aside, and the names merged into it."""
    now = datetime.now(UTC)
    for nth, name in enumerate(people.names_of(person), 1):
        row = db.session.execute(select(Person.name, Person.key, Person.hidden).where(Person.id == name)).one()
        kept = {"name": row.name, "key": row.key, "hidden": row.hidden, "since": now, "seen_at": now, "doubted": False}
        db.session.execute(insert(WithheldName).values(person_id=name, change_id=change, **kept))
        # Two merged names stay two where nights go out and in. No name looks like this key: it has capitals.
        said = f"{FORGOTTEN} {number}" if nth == 1 else f"{FORGOTTEN} {number} ({nth})"
        _set(name, name=said, key=f"FORGOTTEN {name}", forgotten=number, hidden=True)


def give_back(change: int) -> bool:
    """Within a transaction: everything is called again as it was; False where it is too late.

    A name that somebody else typed meanwhile is theirs too: the two are told apart until they are merged.
    """
    rows = db.session.execute(_withheld(change)).all()
    for row in rows:
        house = select(Person.house_id).where(Person.id == row.person_id).scalar_subquery()
        taken = db.session.execute(select(Person.id).where(Person.house_id == house, Person.key == row.key)).first()
        key = f"ALSO {row.person_id}" if taken else row.key
        _set(row.person_id, name=row.name, key=key, forgotten=None, hidden=row.hidden)
    db.session.execute(delete(WithheldName).where(WithheldName.change_id == change))
    return bool(rows)


def given_back_until(change: int) -> datetime | None:
    """Until when a name can be given back; None where it is gone."""
    since: datetime | None = db.session.scalar(
        select(WithheldName.since).where(WithheldName.change_id == change).limit(1)
    )
    return None if since is None else since + DAYS


def carry_out() -> None:
    """Take away for good what was withheld long enough; put off where the clock has jumped."""
    now = datetime.now(UTC)
    if all(clock.after(now) == clock for clock in _clocks()):
        return
    with writing():
        advisory_lock(MAKING_PEOPLE)
        for clock in _clocks():
            after = clock.after(now)
            if after is None:
                _take_away(clock.change_id)
            elif after != clock:
                here = WithheldName.change_id == clock.change_id
                values = {"since": after.since, "seen_at": after.seen_at, "doubted": after.doubted}
                db.session.execute(update(WithheldName).where(here).values(**values))


def _clocks() -> list[_Clock]:
    return [_Clock(*row) for row in db.session.execute(_CLOCKS)]


def _take_away(change: int) -> None:
    """No name is left in the database: not in the trail of changes, and not as what was typed."""
    gone = [row.person_id for row in db.session.execute(_withheld(change))]
    about = or_(PersonChange.person_id.in_(gone), PersonChange.other_id.in_(gone))
    db.session.execute(update(PersonChange).where(about).values(before="", after="", key=""))
    db.session.execute(update(Seat).where(Seat.person_id.in_(gone)).values(entered_as=None))
    db.session.execute(delete(WithheldName).where(WithheldName.change_id == change))


def _withheld(change: int) -> Any:
    columns = WithheldName.__table__.columns
    return select(*columns).where(columns.change_id == change)


def _set(person: int, **columns: object) -> None:
    db.session.execute(update(Person).where(Person.id == person).values(**columns))
