"""The history of nights: which of them are asked for, and how each of them is listed."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from babel.dates import get_day_names, get_month_names
from flask_babel import format_date, get_locale, ngettext
from flask_babel import gettext as _

from companion import record, wording
from companion.analysis import statistics
from companion.forms.nights import HANDS, NightsForm, Number
from companion.i18n import evening_of
from companion.names import look_alike_key
from companion.pages.home import LEFT_LYING, told_apart
from companion.pages.marks import Person, people_by_id
from companion.record import many_nights
from companion.record.lists import SeatSummary
from companion.record.many_nights import NightRow, PersonRow, Wanted
from companion.record.projecting import hands_in_all
from companion.referee.state import Phase
from companion.wording import nights as words
from companion.wording.recap import ended_early, won_words

SHOWN = 20


@dataclass(frozen=True, slots=True)
class NightLine:
    """A night of the list; ``ended``: it has a recap. ``more`` tells how it ended where that was not the usual way."""

    code: str
    title: str
    date: str
    others: str
    more: str
    ended: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """Which nights a form asks for: ``words`` say it, "" for all, and while something is wrong with the form.

    ``periods`` are the days that are asked for most, as words, the fields ``from`` and ``until`` ("" for any), and
    whether they are chosen.
    """

    words: str
    people: Mapping[int, Person]
    periods: tuple[tuple[str, str, str, bool], ...]


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """The page; ``first`` and ``last`` count the nights shown of all ``count``; ``newer`` and ``older`` are the numbers
    of other pages, or None.
    """

    title: str
    form: NightsForm
    choice: Choice
    nights: tuple[NightLine, ...]
    count: int
    first: int
    last: int
    newer: int | None
    older: int | None


def history_page(form: NightsForm, device: int | None, known: Sequence[PersonRow]) -> HistoryPage:
    """The nights a form asks for, a page of them; none while something is wrong with it."""
    people = people_by_id(known)
    asked_for = [] if form.errors else _found(form, device, known)
    pages = max(1, -(-len(asked_for) // SHOWN))
    page = min(form.page.data or 1, pages)
    shown = asked_for[(page - 1) * SHOWN : page * SHOWN]
    seats = record.lists.seats_of([night.id for night in shown])
    clocks = told_apart((night.code, night.created_at, (seat.name for seat in seats[night.id])) for night in shown)
    return HistoryPage(
        title=_title(form, people),
        form=form,
        choice=choice(form, people),
        nights=tuple(_line(night, seats[night.id], clocks.get(night.code, "")) for night in shown),
        count=len(asked_for),
        first=(page - 1) * SHOWN + 1,
        last=(page - 1) * SHOWN + len(shown),
        newer=page - 1 if page > 1 else None,
        older=page + 1 if page < pages else None,
    )


def choice(form: NightsForm, people: Mapping[int, Person]) -> Choice:
    """Which nights a form asks for."""
    said = "" if form.errors else " · ".join(_chosen(form, people))
    return Choice(said, people, tuple(_periods(form)))


def _chosen(form: NightsForm, people: Mapping[int, Person]) -> Iterator[str]:
    if len(form.choices) > 1:
        yield from (sheet.words for sheet in form.choices if sheet.value == form.sheet.text)
    for day, said in ((form.since.data, _("from %(day)s")), (form.until.data, _("until %(day)s"))):
        if day:
            yield said % {"day": format_date(day, "medium")}
    if form.who.data:
        yield _("with %(names)s", names=wording.and_list(people[person].name for person in form.who.data))
    if form.state.text:
        yield words.state_names()[form.state.text]


def _periods(form: NightsForm) -> Iterator[tuple[str, str, str, bool]]:
    """This year, the last one, all; a year is the table's own."""
    this, asked = evening_of(datetime.now(UTC)).year, (form.since.text, form.until.text)
    for said, year in ((_("This year"), this), (_("Last year"), this - 1), (_("All time"), None)):
        days = (f"{year:04}-01-01", f"{year:04}-12-31") if year else ("", "")
        yield said, *days, days == asked


def _title(form: NightsForm, people: Mapping[int, Person]) -> str:
    number = form.of.data
    if number is None:
        return _("Nights")
    other = people[number.other].name if number.other else ""
    return words.number_words(number.what, people[number.person].name, other, number.hand)


def _found(form: NightsForm, device: int | None, known: Sequence[PersonRow]) -> list[NightRow]:
    tests: list[Callable[[NightRow], bool]] = [_word_test(word, known) for word in form.q.text.split() if _folded(word)]
    if form.of.data is not None:
        behind = _behind(form.of.data, form, device)
        tests.append(lambda night: night.id in behind)
    if state := form.state.text:
        states = ("finished", "early") if state == "ended" else (state,)
        now = datetime.now(UTC)
        tests.append(lambda night: state_of(night, now) in states)
    return [night for night in many_nights.nights(device, form.wanted) if all(test(night) for test in tests)]


def _behind(number: Number, form: NightsForm, device: int | None) -> frozenset[int]:
    """The nights that a number of the statistics comes from."""
    wanted = form.wanted
    if number.what in HANDS:
        return many_nights.hand_nights(device, wanted, number.person, number.what, number.hand)
    theirs = Wanted(wanted.sheets, wanted.since, wanted.until, (*wanted.people, number.person))
    return statistics.nights_of(many_nights.seat_results(device, theirs), number.what, number.person, number.other)


def state_of(night: NightRow, now: datetime) -> str:
    """How a night ended, one of the form's states: where no hand was scored, or nobody came back to it, it never did."""
    if night.phase is Phase.FINISHED:
        return "finished"
    if night.phase is Phase.CLOSED:
        return "early" if night.scored else "abandoned"
    return "going" if now - night.changed_at <= LEFT_LYING else "abandoned"


def _word_test(word: str, known: Sequence[PersonRow]) -> Callable[[NightRow], bool]:
    """Whether a night has to do with a word: part of a name, a year, a day as 2026-03-31 or a part of it, a month or
    a day of the week by the beginning of its name.
    """
    key = _folded(word)
    people = [row.id for row in known if any(key in _folded(name) for name in (row.name, *row.keys))]
    with_them = many_nights.nights_with(people) if people else frozenset()
    months, days = _calendar(key, get_month_names), _calendar(key, get_day_names)

    def test(night: NightRow) -> bool:
        if night.id in with_them:
            return True
        begun = evening_of(night.created_at)
        is_day = bool(_DATE.fullmatch(word)) and begun.isoformat().startswith(word)
        return is_day or begun.month in months or begun.weekday() in days

    return test


def _folded(text: str) -> str:
    """As it is searched for: without capitals, and without accents, which nobody types in a hurry."""
    return "".join(
        char for char in unicodedata.normalize("NFD", look_alike_key(text)) if not unicodedata.combining(char)
    )


_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}){0,2}")


def _calendar(key: str, names: Callable[..., Mapping[int, str]]) -> frozenset[int]:
    """The months or days of the week whose names begin so, from three letters on."""
    calendar = names("wide", locale=get_locale() or "en")
    return frozenset(at for at, name in calendar.items() if len(key) > 2 and _folded(name).startswith(key))


def _line(night: NightRow, seats: Sequence[SeatSummary], clock: str) -> NightLine:
    state = state_of(night, datetime.now(UTC))
    ended = state in ("finished", "early")
    first = [seat for seat in seats if seat.place == 1] if ended else []
    others = [seat.name for seat in seats if seat not in first]
    return NightLine(
        code=night.code,
        title=_headline(first) if ended else words.state_names()[state],
        date=", ".join(filter(None, (format_date(evening_of(night.created_at), "full"), clock))),
        others=wording.and_list(map(wording.isolate, others)),
        more=_more(night, state),
        ended=ended,
    )


def _headline(first: Sequence[SeatSummary]) -> str:
    if not first:
        return won_words([])
    names = wording.and_list(wording.isolate(seat.name) for seat in first)
    total = wording.points_words(first[0].total)
    return ngettext(
        "%(names)s won with %(total)s", "%(names)s won with %(total)s", len(first), names=names, total=total
    )


def _more(night: NightRow, state: str) -> str:
    all_hands = hands_in_all(night.sheet, night.contracts)
    if night.hand is None or state == "finished":
        return ""
    if not night.scored:
        return _("No hand was scored.")
    if state == "early":
        return ended_early(night.hand - 1, all_hands) if all_hands else _("Ended early")
    return wording.hand_words(night.hand, all_hands)
