"""The people of a house: whose name looks like this, and which names are one person's."""

from typing import Any

from sqlalchemy import insert, select

from companion.db import db
from companion.models import Person
from companion.names import look_alike_key


def person_named(house: int, name: str) -> int | None:
    """The person whose very name looks like this, merged or not."""
    return db.session.scalar(select(Person.id).where(Person.house_id == house, Person.key == look_alike_key(name)))


def make_person(house: int, name: str, **columns: Any) -> int:
    """A new person of a house."""
    values = {"house_id": house, "name": name, "key": look_alike_key(name), **columns}
    return int(db.session.execute(insert(Person).values(**values).returning(Person.id)).scalar_one())


def merged_into(person: int) -> int:
    """Who a person is once merged names are followed; themselves for most."""
    into: int | None = person
    while into is not None:
        person = into
        into = db.session.scalar(select(Person.merged_into).where(Person.id == person))
    return person


def names_of(person: int) -> list[int]:
    """A person and every name merged into theirs, over any number of steps."""
    names, new = [person], [person]
    while new:
        new = list(db.session.execute(select(Person.id).where(Person.merged_into.in_(new))).scalars())
        names += new
    return names
