"""What is said when nights go out and come in: titles of columns, what a file came to, and what is wrong with one."""

from collections.abc import Callable

from babel.numbers import get_decimal_symbol
from flask_babel import get_locale, ngettext, pgettext
from flask_babel import gettext as _

from companion.wording.text import N_, isolate


def separator() -> str:
    """What spreadsheets in the reader's language expect between cells: a comma, unless that is in their numbers."""
    return ";" if get_decimal_symbol(get_locale() or "en") == "," else ","


def column_titles() -> tuple[str, ...]:
    """The titles of the sheet for spreadsheets, in its order."""
    return (
        pgettext("column", "night"), pgettext("column", "date"), pgettext("column", "rules"), pgettext("column", "hand"),
        pgettext("column", "contract"), pgettext("column", "name"), pgettext("column", "points"), pgettext("column", "out"),
        pgettext("column", "floated"), pgettext("column", "buys"), pgettext("column", "brought along"),
        pgettext("column", "total"), pgettext("column", "place"),
    )  # fmt: skip


def outcome_words(outcome: str, count: int, named: str = "") -> str:
    """What became of so many nights (``record.importing.Outcome`` by value, or why the device may not change them);
    ``named`` says which they are.
    """
    said = _OUTCOMES[outcome](count) + (f" ({named})" if named else "")
    if outcome in _WAYS_IN:
        said += " " + _(_WAYS_IN[outcome])
    return said


_OUTCOMES: dict[str, Callable[[int], str]] = {
    "added": lambda n: ngettext("%(num)s night is in.", "%(num)s nights are in.", n),
    "there": lambda n: ngettext(
        "%(num)s night was here already and is not doubled.", "%(num)s nights were here already and are not doubled.", n
    ),
    "longer_here": lambda n: ngettext(
        "%(num)s night was here already and has gone on since; it stays as it is here.",
        "%(num)s nights were here already and have gone on since; they stay as they are here.",
        n,
    ),
    "longer_there": lambda n: ngettext(
        "%(num)s night goes on in the file after what is here; it stays as it is here.",
        "%(num)s nights go on in the file after what is here; they stay as they are here.",
        n,
    ),
    "different": lambda n: ngettext(
        "%(num)s night went on differently here and in the file; it stays as it is here.",
        "%(num)s nights went on differently here and in the file; they stay as they are here.",
        n,
    ),
    "continued": lambda n: ngettext("%(num)s night goes on as in the file.", "%(num)s nights go on as in the file.", n),
    "not_keeper": lambda n: ngettext(
        "%(num)s night goes on in the file after what is here; it stays as it is, since this phone only watches it.",
        "%(num)s nights go on in the file after what is here; they stay as they are, since this phone only watches them.",
        n,
    ),
    "not_in": lambda n: ngettext(
        "%(num)s night of this file is on this server already, but not on this phone; it stays as it is.",
        "%(num)s nights of this file are on this server already, but not on this phone; they stay as they are.",
        n,
    ),
}
_WAYS_IN = {
    "not_keeper": N_("A phone that keeps it can bring the file in."),
    "not_in": N_(
        "Whoever keeps such a night lets this phone in, under “More”, “Phones” at its table; so does whoever runs the server, "
        "with “companion link”."
    ),
}


def document_fault(why: str, night: int = 0, entry: int = 0, name: str = "", came: int = 0) -> str:
    """Why a file is not imported, and where in it; ``why`` is a code of ``InvalidImport``, ``came`` how many of its
    nights are in all the same.
    """
    said = _(_FAULTS.get(why, _FAULTS["shape"]), name=isolate(name))
    if night and entry:
        said += " " + _("That is in night %(night)s of the file, entry %(entry)s.", night=night, entry=entry)
    elif night:
        said += " " + _("That is in night %(night)s of the file.", night=night)
    return said + " " + (outcome_words("added", came) if came else _("Nothing was changed."))


def lists_came(count: int) -> str:
    """That lists of hands of one's own came with a file."""
    return ngettext("%(num)s list of hands came in.", "%(num)s lists of hands came in.", count)


def too_many_files(minutes: int) -> str:
    """Why no file is taken just now."""
    return ngettext(
        "Too much was brought in from here within an hour. Try again in %(num)s minute, or import it on the server with "
        "“companion import”.",
        "Too much was brought in from here within an hour. Try again in %(num)s minutes, or import it on the server with "
        "“companion import”.",
        minutes,
    )


_FAULTS = {
    "empty": N_("There is no night in this file."),
    "no_file": N_("Choose a file first."),
    "not_json": N_("This file is no JSON, or it is damaged. Choose one that was saved here as “everything, to keep”."),
    "not_ours": N_("This file was not made by Gripe Companion."),
    "newer": N_("This file was made by a newer Gripe Companion. Update this one, then import it again."),
    "shape": N_("Something in this file is missing, or is not as an export has it."),
    "entry": N_("This file has an entry that this Gripe Companion does not know. Was it changed by hand?"),
    "uid": N_("A night in this file has no mark of its own."),
    "too_long": N_("A night in this file has no entry, or far too many."),
    "names": N_("The names of a night in this file cannot be taken: one is missing, or two look the same."),
    "time": N_("A night in this file has a date that cannot be."),
    "phones": N_("The phones of a night in this file do not fit its entries."),
    "too_big": N_("A number or a text in this file is far too long for any table."),
    "stranger": N_("An entry in this file speaks of somebody who has no seat."),
    "no_sense": N_("A night in this file does not replay: its entries do not follow from each other."),
    "not_keeper": N_("Only a phone that keeps this night here lets it go on."),
    "one_person": N_("%(name)s sits twice at one table in this file, or two of its names are one person here."),
    "database": N_("A night in this file does not fit into the record."),
}
