"""What is said about a sheet of old nights: what is wrong in which line, what is asked and may be answered, what a word means."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date

from babel.dates import get_month_names
from flask_babel import force_locale, format_date, get_locale, ngettext, pgettext
from flask_babel import gettext as _

from companion.referee.games import SHEETS
from companion.wording.exporting import column_titles
from companion.wording.games import sheet_name
from companion.wording.text import and_list, isolate

Facts = Mapping[str, object]
Saying = Callable[[str, Facts], str]

#: What a column of our own sheet holds, in its order.
_OURS = (
    "night", "date", "rules", "hand", "contract", "name", "points", "out", "floated", "buys", "brought along", "total",
    "place",
)  # fmt: skip


def template_titles(hands: int) -> tuple[str, ...]:
    """The titles of the template, which are read in every language."""
    date, name, total = (_SHEET[what]().split("|")[0] for what in ("date", "name", "total"))
    return (date, name, *map(str, range(1, hands + 1)), total)


def sheet_words(languages: Iterable[str]) -> dict[str, str]:
    """What the words of a sheet mean, in any of these languages: "date", "name", "total", "hand", "number", "out",
    "float", "sat", "unit" or "skip". Beginning with ``title:`` what our own columns hold, with ``sheet:`` the names of
    rule sheets, with ``month:`` the numbers of months.
    """
    meanings: dict[str, str] = {}
    for language in languages:
        with force_locale(language):
            more = {word: what for what in _SHEET for word in _words(what)}
            more |= {word: what for what in _MORE for word in _words(what, _MORE) if word not in more}
            more = {word: what.removesuffix("+") for word, what in more.items()}
            titled = {f"title:{word}": what for word, what in more.items() if what in _OURS}
            titled |= {f"title:{word}": "points" for word in _words("unit+", _MORE)}
            titled |= {f"title:{word.casefold()}": what for word, what in zip(column_titles(), _OURS, strict=True)}
            sheets = {f"sheet:{sheet_name(sheet)}": sheet for sheet in SHEETS}
            meanings = more | titled | sheets | _months() | meanings
    return meanings


def understood() -> list[tuple[str, str]]:
    """What is read without a question in this language: what it means, and the words for it."""
    return [
        (_("went out"), ", ".join(_words("out"))),
        (_("floated"), ", ".join(_words("float"))),
        (_("did not play that hand"), ", ".join(_words("sat+", _MORE))),
        (_("a sum of points"), "15+20"),
        (_("titles of hands"), ", ".join(["1", *(f"{word} 1" for word in (*_words("hand"), *_words("hand+", _MORE)))])),
        (_("sums, which are no person"), ", ".join((*_words("total"), *_words("total+", _MORE)))),
    ]


def _words(what: str, table: "Mapping[str, Callable[[], str]] | None" = None) -> list[str]:
    return [word.strip().casefold() for word in (table or _SHEET)[what]().split("|")]


def _months() -> dict[str, str]:
    names = (get_month_names(width, locale=get_locale() or "en") for width in ("wide", "abbreviated"))
    return {f"month:{name.casefold()}": str(number) for named in names for number, name in named.items()}


#: What may stand in a sheet of old nights; the first of several words is the title in the template.
_SHEET: dict[str, Callable[[], str]] = {
    "date": lambda: pgettext("in a sheet of old nights, with | between words of one meaning", "date"),
    "name": lambda: pgettext("in a sheet of old nights, with | between words of one meaning", "name|player"),
    "total": lambda: pgettext("in a sheet of old nights, with | between words of one meaning", "total"),
    "hand": lambda: pgettext("in a sheet of old nights, with | between words of one meaning", "hand"),
    "out": lambda: pgettext("in a sheet of old nights, with | between words of one meaning", "out|went out|goes out"),
    "float": lambda: pgettext("in a sheet of old nights, with | between words of one meaning", "float|floated|floats"),
}
#: Further words, which the template does not use.
_MORE: dict[str, Callable[[], str]] = {
    "date+": lambda: pgettext("in a sheet of old nights, with | between words of one meaning", "day|when|evening"),
    "name+": lambda: pgettext("in a sheet of old nights, with | between words of one meaning", "names|players|who"),
    "total+": lambda: pgettext(
        "in a sheet of old nights, with | between words of one meaning", "totals|sum|sums|grand total|subtotal|result"
    ),
    "hand+": lambda: pgettext("in a sheet of old nights, with | between words of one meaning", "round|deal|contract"),
    "number+": lambda: pgettext("in a sheet of old nights, with | between words of one meaning", "number|no|nr|#"),
    "sat+": lambda: pgettext(
        "in a sheet of old nights, with | between words of one meaning", "sat out|did not play|not playing|absent"
    ),
    "unit+": lambda: pgettext("in a sheet of old nights, with | between words of one meaning", "points|pts|pt|score"),
    "skip+": lambda: pgettext(
        "in a sheet of old nights, with | between words of one meaning; columns and lines that are left out",
        "notes|note|remarks|comment|comments|place|position|rank|winner|dealer|buys|game|table|location|average|mean|time|id",
    ),
}


def in_hand(hand: int, words: str) -> str:
    """What is wrong, with the hand before it where it is about one."""
    return _("Hand %(hand)s: %(what)s", hand=hand, what=words) if hand else words


def fault_words(code: str, facts: Facts) -> str:
    """The sentence for a line; ``code`` is that of a fault of ``exporting.old_nights``."""
    return _FAULTS[code](facts)


def note_words(code: str, facts: Facts) -> str:
    """What is left out of a line, or how it is understood."""
    return _NOTES[code](facts)


def question_words(code: str, facts: Facts) -> str:
    """A question about a line."""
    return _QUESTIONS[code](facts)


def answer_words(code: str, value: str, facts: Facts) -> str:
    """An answer to a question."""
    return _ANSWERS[f"{code} {value}" if f"{code} {value}" in _ANSWERS else value if value in _ANSWERS else code](facts)


def _day(facts: Facts) -> str:
    day = facts["day"]
    return format_date(day, "long") if isinstance(day, date) else str(day)


def _listed(facts: Facts, key: str) -> str:
    listed = facts[key]
    return and_list(isolate(str(one)) for one in listed) if isinstance(listed, (list, tuple)) else str(listed)


_FAULTS: dict[str, Callable[[Facts], str]] = {
    "nothing": lambda f: _("There is no night here yet. Paste lines such as those of the example."),
    "not_csv": lambda f: _("From here on this cannot be read. Save the sheet as CSV and paste it again."),
    "too_many": lambda f: _("These are more than %(most)s lines. Bring them in in several parts.", **f),
    "too_many_questions": lambda f: _(
        "More than %(most)s things would have to be asked. Bring the sheet in in several parts.", **f
    ),
    "column_twice": lambda f: _("The column “%(text)s” is there twice.", **f),
    "no_name_column": lambda f: _("It is not clear where the names are. Put “name” above them."),
    "only_totals": lambda f: _(
        "Every day has one line only, so these look like the totals of whole nights. A night needs the points of its hands."
    ),
    "too_wide": lambda f: _(
        "This line has more cells than there are columns. A name with a comma in it needs quotes around it."
    ),
    "date": lambda f: _("“%(text)s” is no date. Write it like 2019-05-04.", **f),
    "future": lambda f: _("%(text)s is still to come.", **f),
    "long_ago": lambda f: _("%(text)s is longer ago than can be kept here: nights since 1970 can.", **f),
    "points": lambda f: _("“%(text)s” is no number of points. Use figures, such as 45, or “out” or “float”.", **f),
    "bad_total": lambda f: _("The total “%(text)s” is no number. Use figures, or leave it out.", **f),
    "total": lambda f: _("The total says %(total)s, the hands add up to %(summed)s.", **f),
    "total_of": lambda f: _("The total of %(name)s says %(total)s, the hands add up to %(summed)s.", **f),
    "no_hands": lambda f: _("No hand of this night has points."),
    "no_hand": lambda f: _("There is no such hand in this game."),
    "hand_twice": lambda f: _("%(name)s has this hand twice.", **f),
    "gap": lambda f: _("nobody has points, but a later hand was played. A night cannot leave out a hand."),
    "rules": lambda f: _("“%(text)s” is a game that a sheet tells too little of. Bring it in as JSON.", **f),
}

_NOTES: dict[str, Callable[[Facts], str]] = {
    "column": lambda f: _("The column “%(text)s” is left out.", **f),
    "row": lambda f: _("“%(text)s” is no person and no hand: this line is left out.", **f),
    "remark": lambda f: _("This line has no points and is left out: “%(text)s”.", **f),
    "same_night": lambda f: _("This is the night of line %(first)s once more; it comes in once.", **f),
}

_QUESTIONS: dict[str, Callable[[Facts], str]] = {
    "date_order": lambda f: _("Which day is “%(text)s”?", **f),
    "day": lambda f: _("Which day was this night?"),
    "word": lambda f: _("What does “%(text)s” mean?", **f),
    "who": lambda f: _("Who are the players?"),
    "hands": lambda f: _("Are these the hands, in their order: %(titles)s?", titles=_listed(f, "texts")),
    "column": lambda f: _("What is in the column of “%(text)s”?", **f),
    "one_night": lambda f: _("A blank line stands in the middle. Is this one night or two?"),
    "sum_of_people": lambda f: (
        _("This line is the sum of the others. Is “%(name)s” a player?", **f)
        if f["name"]
        else _("This line is the sum of the others. Is it a player?")
    ),
    "sum_of_hands": lambda f: _("This is the sum of the hands before it for everybody. Is it a total?"),
    "running": lambda f: _("The numbers of everybody only grow. Are they the totals after each hand?"),
    "nobody": lambda f: ngettext(
        "Nobody has 0 in hand %(hands)s. Did nobody go out?",
        "Nobody has 0 in hands %(hands)s. Did nobody go out?",
        len(f["hands"]) if isinstance(f["hands"], list) else 1,
        hands=_listed(f, "hands"),
    ),
    "blank": lambda f: _("A cell is blank. What does that mean?"),
    "blank_out": lambda f: _("Nobody has 0, and a cell is blank. Who went out?"),
    "who_out": lambda f: (
        _("Several are said to have gone out. Who was it?") if f["said"] else _("Several have 0. Who went out?")
    ),
    "encoding": lambda f: _("The file does not say how its letters are written. Which names are right?"),
    "alike": lambda f: _(
        "Another night of %(day)s with the same people is here already. Is this a second one?", day=_day(f)
    ),
}

_ANSWERS: dict[str, Callable[[Facts], str]] = {
    "date_order": _day,
    "out": lambda f: _("went out"),
    "float": lambda f: _("floated: 0 points"),
    "sat": lambda f: _("did not play that hand"),
    "word points": lambda f: ngettext("%(num)s point", "%(num)s points", int(str(f["points"]))),
    "who across": lambda f: _("those in the first row: %(names)s", names=_listed(f, "names")),
    "who down": lambda f: _("those in the first column: %(names)s", names=_listed(f, "names")),
    "hands hands": lambda f: _("Yes: hands 1 to %(last)s", **f),
    "column hand": lambda f: _("the points of hand %(hand)s", **f),
    "column total": lambda f: _("the total"),
    "column skip": lambda f: _("something else: leave it out"),
    "one_night one": lambda f: _("one night of %(count)s people", **f),
    "one_night two": lambda f: _("two nights"),
    "sum_of_people skip": lambda f: _("No: leave the line out"),
    "sum_of_people player": lambda f: _("Yes, a player"),
    "sum_of_hands total": lambda f: _("Yes, a total"),
    "sum_of_hands points": lambda f: _("No: the points of hand %(hand)s", **f),
    "running running": lambda f: _("Yes, totals after each hand"),
    "running points": lambda f: _("No: the points of each hand"),
    "nobody": lambda f: _("Nobody went out"),
    "who_out": lambda f: isolate(str(f["name"])),
    "blank_out": lambda f: isolate(str(f["name"])),
    "encoding": lambda f: ", ".join(map(isolate, f["names"])) if isinstance(f["names"], list) else "",
    "alike second": lambda f: _("Yes, a second one"),
    "alike same": lambda f: _("No, the same: leave it out"),
}
