"""`companion export FILE` and `companion import FILE`: everything out, and in again, on SQLite and PostgreSQL alike."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from companion.command import maintenance, with_database
from companion.command.beginning import start_empty
from companion.config import SetupError
from companion.exporting import document
from companion.record import exporting, importing
from companion.record.exporting import ExportedHouse
from companion.record.importing import Imported, InvalidImport, Outcome
from companion.record.validation import validate

#: For whoever runs the server; the pages say it in the reader's language.
WORDS = {
    Outcome.ADDED: "added",
    Outcome.THERE: "there already",
    Outcome.LONGER_HERE: "there already, and gone on since",
    Outcome.LONGER_THERE: "there already, but shorter: left as it is (a phone that keeps it lets it go on)",
    Outcome.DIFFERENT: "there already, but different: left as it is",
}


@click.command("export")
@click.argument("file", type=click.Path(path_type=Path))
@with_database
def export_command(file: Path) -> None:
    """Write every game, with people and phones, to FILE as JSON."""
    houses = exporting.everything()
    data = document.write(houses)
    with maintenance.whole_file(file) as aside:
        aside.write_bytes(data)
    click.echo(f"{file}: {_counts(houses)}, {len(data):,} bytes.")
    if faults := list(_faults(data)):
        for fault in faults:
            click.echo(fault, err=True)
        click.echo("The file is written, but this would not come in again.", err=True)
        raise SystemExit(1)
    click.echo("Every game replays from it.")


@click.command("import")
@start_empty
@click.argument("file", type=click.Path(path_type=Path))
@with_database
def import_command(file: Path) -> None:
    """Add every game of FILE that is not here yet; what is here is never changed."""
    try:
        houses = document.read(file.read_bytes())
        before = importing.count()
        done = importing.bring_in(houses, whole=True)
    except OSError as error:
        raise SetupError(f"The file {file} can't be read: {error}.") from error
    except InvalidImport as bad:
        came = sum(one.outcome is Outcome.ADDED for one in bad.done)
        changed = f"only {came} of its games came in" if came else "nothing was changed"
        raise SetupError(f"{file} was not imported, {changed}: {bad}.") from bad
    _report(file, houses, before, done)


COMMANDS = (export_command, import_command)


def _faults(data: bytes) -> Iterator[str]:
    """What keeps the games of a file from coming in: nothing, unless the record was tampered with."""
    try:
        nights = [night for house in document.read(data) for night in house.nights]
    except InvalidImport as bad:
        yield str(bad)
        return
    for place, night in enumerate(nights, 1):
        try:
            validate(night, place)
        except InvalidImport as invalid:
            yield str(invalid)


def _counts(houses: Sequence[ExportedHouse]) -> str:
    nights = [night for house in houses for night in house.nights]
    return f"{len(nights)} games, {sum(len(night.entries) for night in nights)} entries"


def _report(file: Path, houses: Sequence[ExportedHouse], before: tuple[int, int], done: Sequence[Imported]) -> None:
    click.echo(f"{file}: {_counts(houses)}.")
    for outcome, count in Counter(imported.outcome for imported in done).items():
        click.echo(f"  {count} games {WORDS[outcome]}")
    games, entries = importing.count()
    added = [imported.night for imported in done if imported.outcome is Outcome.ADDED]
    click.echo(f"Here now: {games} games, {entries} entries.")
    findings = maintenance.check()
    maintenance.echo_findings(findings)
    expected = (before[0] + len(added), before[1] + sum(len(night.entries) for night in added))
    if findings or (games, entries) != expected:
        click.echo(f"Expected {expected[0]} games and {expected[1]} entries; {len(findings)} findings.", err=True)
        raise SystemExit(1)
    click.echo("Every game replays, and its scores agree.")
