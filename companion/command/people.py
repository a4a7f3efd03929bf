"""`companion people`: whoever runs the server changes people in every night, whoever keeps it."""

from collections.abc import Callable

import click
from sqlalchemy import func, select

from companion.command import with_database
from companion.config import SetupError
from companion.db import db
from companion.models import Person, Seat
from companion.names import BadNames, shown_name
from companion.record import person_changes, person_trail
from companion.record.person_trail import PersonReason, PersonRefused

#: For whoever runs the server; the pages say it in the reader's language.
_WHY = {
    PersonReason.NOBODY: "There is no such person, or no longer. `companion people` lists them.",
    PersonReason.ITSELF: "These are the same already.",
    PersonReason.SAME_TABLE: "They are two: both sat at the table {code}.",
    PersonReason.TAKEN: "{name} is the name of person {other}. If they are one person, merge the two instead.",
    PersonReason.FORGOTTEN: "This name was taken away. `companion people undo` gives it back within seven days.",
    PersonReason.MOVED_ON: "Somebody changed this person just now. Look again, then decide.",
}
_ID = click.argument("person", type=int)


@click.group("people", invoke_without_command=True)
@click.pass_context
def people(context: click.Context) -> None:
    """List everybody of every night with their number; change somebody everywhere."""
    if context.invoked_subcommand is None:
        listed()


@with_database
def listed() -> None:
    """A line for each person: number, nights, name, and what else there is to know."""
    nights = select(Seat.person_id, func.count().label("nights")).where(Seat.seated).group_by(Seat.person_id).subquery()
    columns = (Person.id, Person.house_id, Person.name, Person.forgotten, Person.hidden, nights.c.nights)
    query = select(*columns).join(nights, nights.c.person_id == Person.id).order_by(Person.house_id, Person.key)
    rows = db.session.execute(query).all()
    groups = len({row.house_id for row in rows}) > 1
    for row in rows:
        group = f"  group {row.house_id}" if groups else ""
        hidden = "  hidden" if row.hidden and row.forgotten is None else ""
        name = shown_name(row.name, row.forgotten)
        click.echo(f"{row.id:>6}  {row.nights:>4} {'night ' if row.nights == 1 else 'nights'}  {name}{hidden}{group}")


@people.command("rename")
@_ID
@click.argument("name")
@with_database
def rename(person: int, name: str) -> None:
    """Give PERSON (a number) another NAME in every night."""
    seen = person_trail.last_change(person)
    _done(lambda: person_changes.rename(person, name, seen=seen, device=None, owner=True))


@people.command("merge")
@_ID
@click.argument("into", type=int)
@with_database
def merge(person: int, into: int) -> None:
    """Every night of PERSON becomes one of INTO."""
    seen = person_trail.last_change(person)
    _done(lambda: person_changes.merge(person, into, seen=seen, device=None, owner=True))


@people.command("hide")
@_ID
@with_database
def hide(person: int) -> None:
    """Leave PERSON out of lists and suggestions."""
    seen = person_trail.last_change(person)
    _done(lambda: person_changes.hide(person, True, seen=seen, device=None, owner=True))


@people.command("show")
@_ID
@with_database
def show(person: int) -> None:
    """Show PERSON in lists and suggestions again."""
    seen = person_trail.last_change(person)
    _done(lambda: person_changes.hide(person, False, seen=seen, device=None, owner=True))


@people.command("forget")
@_ID
@with_database
def forget(person: int) -> None:
    """Take PERSON's name away from every night: at once from all that is shown, for good after seven days."""
    seen = person_trail.last_change(person)
    _done(lambda: person_changes.forget(person, seen=seen, device=None, owner=True))


@people.command("undo")
@_ID
@with_database
def undo(person: int) -> None:
    """Take back what was changed last about PERSON."""
    last = next((change.id for change in person_trail.changes(person, None, owner=True) if change.last), None)
    if last is None:
        raise SetupError("Nothing about this person can be taken back.")
    _done(lambda: person_changes.undo(person, last, device=None, owner=True))


def _done(change: Callable[[], object]) -> None:
    """Do it, and say so. Raises SetupError with why it cannot be."""
    try:
        change()
    except BadNames as bad:
        raise SetupError(f"This is no name: {bad.problems[0].reason.value.replace('_', ' ')}.") from bad
    except PersonRefused as refused:
        raise SetupError(_WHY[refused.reason].format(**refused.facts)) from refused
    click.echo("Done.")
