"""What is said about a sheet of old nights: what is wrong in which line, and what a line is."""

from collections.abc import Callable, Iterable, Mapping

from flask_babel import force_locale, pgettext
from flask_babel import gettext as _


def template_titles(hands: int) -> tuple[str, ...]:
    """The titles of the template, which are read in every language."""
    date, name, total = (_SHEET[what]().split("|")[0] for what in ("date", "name", "total"))
    return (date, name, *map(str, range(1, hands + 1)), total)


def sheet_words(languages: Iterable[str]) -> dict[str, str]:
    """What the words of a sheet mean, in any of these languages: "date", "name", "total", "hand", "out" or "float"."""
    meanings: dict[str, str] = {}
    for language in languages:
        with force_locale(language):
            more = {word.casefold(): what for what, words in _SHEET.items() for word in words().split("|")}
            meanings = more | meanings
    return meanings


#: What may stand in a sheet of old nights; the first of several words is the title in the template.
_SHEET: dict[str, Callable[[], str]] = {
    "date": lambda: pgettext("in a sheet of old nights, with | between words of one meaning", "date"),
    "name": lambda: pgettext("in a sheet of old nights, with | between words of one meaning", "name|player"),
    "total": lambda: pgettext("in a sheet of old nights, with | between words of one meaning", "total"),
    "hand": lambda: pgettext("in a sheet of old nights, with | between words of one meaning", "hand"),
    "out": lambda: pgettext("in a sheet of old nights, with | between words of one meaning", "out|x"),
    "float": lambda: pgettext("in a sheet of old nights, with | between words of one meaning", "float|floated|floats"),
}


def in_hand(hand: int, words: str) -> str:
    """What is wrong, with the hand before it where it is about one."""
    return _("Hand %(hand)s: %(what)s", hand=hand, what=words) if hand else words


def fault_words(code: str, facts: Mapping[str, object]) -> str:
    """The sentence for a line; ``code`` is one of ``exporting.paper``."""
    return _FAULTS[code](facts)


_FAULTS: dict[str, Callable[[Mapping[str, object]], str]] = {
    "nothing": lambda f: _("There is no night here yet. Paste lines such as those of the example."),
    "not_csv": lambda f: _("From here on this cannot be read. Save the sheet as CSV and paste it again."),
    "too_many": lambda f: _("These are more than %(most)s lines. Bring them in in several parts.", **f),
    "column": lambda f: _("“%(text)s” is no column here. The columns are date, name, 1 to 10 and total.", **f),
    "column_twice": lambda f: _("The column “%(text)s” is there twice.", **f),
    "no_date_column": lambda f: _("A column “date” is missing."),
    "no_name_column": lambda f: _("A column “name” is missing."),
    "too_wide": lambda f: _(
        "This line has more cells than there are columns. A name with a comma in it needs quotes around it."
    ),
    "no_date": lambda f: _("The date is missing."),
    "date": lambda f: _("“%(text)s” is no date. Write it like 2019-05-04.", **f),
    "date_order": lambda f: _("“%(text)s” could be either of two days. Write it like 2019-05-04.", **f),
    "future": lambda f: _("%(text)s is still to come.", **f),
    "long_ago": lambda f: _("%(text)s is longer ago than can be kept here: nights since 1970 can.", **f),
    "points": lambda f: _("“%(text)s” is no number of points. Use figures, such as 45, or “out” or “float”.", **f),
    "bad_total": lambda f: _("The total “%(text)s” is no number. Use figures, or leave it out.", **f),
    "total": lambda f: _("The total says %(total)s, the hands add up to %(summed)s.", **f),
    "no_hands": lambda f: _("No hand of this night has points."),
    "gap": lambda f: _("nobody has points, but a later hand was played. A night cannot leave out a hand."),
    "two_out": lambda f: _("%(name)s went out already. Only one can.", **f),
    "several_zeros": lambda f: _("several have 0. Write “out” for who went out and “float” for who floated."),
}
