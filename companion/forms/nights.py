"""Which nights a page shows: read from its address, with a sentence beside what cannot be read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from werkzeug.datastructures import MultiDict

from companion.analysis.statistics import ALONE, TWO
from companion.forms.numbers import whole
from companion.i18n import time_zone
from companion.record.many_nights import Wanted
from companion.referee.games import SHEETS
from companion.referee.rules import Rules
from companion.wording import form_error
from companion.wording.nights import all_of_game, sheet_label

__all__ = ["STATES", "NightsForm", "Number", "SheetChoice", "read", "sheet_choices"]

LETTERS_KEPT = 80
PEOPLE_KEPT = 40
#: How a night ended, or did not; "ended" are the first two.
STATES = ("ended", "finished", "early", "going", "abandoned")
#: Numbers about hands; a figure after "dealt" is one contract.
HANDS = ("dealt", "out", "floated", "bought")
_NUMBER = re.compile(r"([a-z]{3,8})(\d{0,2})-(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class SheetChoice:
    """A rule sheet that can be chosen, or all of one game that ask for the same hands."""

    value: str
    words: str
    sheets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Number:
    """A number of the statistics, whose nights are asked for: "won-3", "dealt4-3", "ahead-3-7"."""

    what: str
    person: int
    other: int | None = None
    hand: int | None = None

    def __str__(self) -> str:
        """As it is in an address."""
        parts = [f"{self.what}{self.hand or ''}", str(self.person)]
        return "-".join(parts if self.other is None else [*parts, str(self.other)])


@dataclass(slots=True)
class NightsForm:
    """What was asked; texts as they were typed. ``errors`` are sentences by field."""

    text: str = ""
    who: tuple[int, ...] = ()
    sheet: str = ""
    since: str = ""
    until: str = ""
    state: str = ""
    number: Number | None = None
    page: int = 1
    choices: tuple[SheetChoice, ...] = ()
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def wanted(self) -> Wanted:
        """The nights of the sheet, the days and the people; for a form without errors."""
        sheets = next((choice.sheets for choice in self.choices if choice.value == self.sheet), ())
        return Wanted(sheets, _midnight(_day(self.since)), _midnight(_day(self.until), 1), self.who)

    @property
    def rules(self) -> Rules | None:
        """The rule sheet that is asked for, or one of several alike; None for all games together."""
        sheets = next((choice.sheets for choice in self.choices if choice.value == self.sheet), ())
        return SHEETS.get(sheets[0]) if sheets else None

    @property
    def narrowed(self) -> bool:
        """Whether anything is asked for but every night."""
        return bool(self.text or self.who or self.since or self.until or self.state or self.number)

    def address(self, **other: object) -> dict[str, object]:
        """The fields of an address that asks the same, but for ``other`` (None: left out)."""
        sheet = self.sheet if len(self.choices) > 1 else ""  # a page has hundreds of these addresses
        same = {
            "q": self.text, "who": list(self.who), "sheet": sheet, "from": self.since, "until": self.until,
            "state": self.state, "of": str(self.number or ""),
        }  # fmt: skip
        return {name: value for name, value in {**same, **other}.items() if value}


def sheet_choices(played: Collection[str]) -> tuple[SheetChoice, ...]:
    """What can be chosen of the sheets that were played, in the order given: a game with several first as a whole."""
    found: list[SheetChoice] = []
    for same in _alike(played).values():
        if len(same) > 1:
            game = SHEETS[same[0]].game
            found.append(SheetChoice(game, all_of_game(game), tuple(same)))
        found += [SheetChoice(sheet, sheet_label(sheet), (sheet,)) for sheet in same]
    return tuple(found)


def _alike(played: Iterable[str]) -> Mapping[object, list[str]]:
    """Sheets of one game that ask for the same hands; their points can be compared."""
    found: dict[object, list[str]] = {}
    for sheet in played:
        rules = SHEETS.get(sheet)
        found.setdefault((rules.game, rules.contracts) if rules else sheet, []).append(sheet)
    return found


def read(
    sent: MultiDict[str, str], choices: Sequence[SheetChoice], people: Collection[int], usual: str = ""
) -> NightsForm:
    """The form as it was asked; ``people`` are those there are, ``usual`` the sheet that is meant where none is named."""
    form = NightsForm(
        text=" ".join(sent.get("q", "")[:LETTERS_KEPT].split()),
        sheet=sent.get("sheet", usual)[:LETTERS_KEPT],
        since=sent.get("from", "")[:LETTERS_KEPT].strip(),
        until=sent.get("until", "")[:LETTERS_KEPT].strip(),
        state=sent.get("state", "")[:LETTERS_KEPT],
        choices=tuple(choices),
    )
    if form.sheet and form.sheet not in {choice.value for choice in choices}:
        form.errors["sheet"] = form_error("unknown_choice")
    if form.state and form.state not in STATES:
        form.errors["state"] = form_error("unknown_choice")
    _read_people(form, sent.getlist("who")[:PEOPLE_KEPT], people)
    _read_days(form)
    _read_number(form, sent.get("of", "")[:LETTERS_KEPT], people)
    form.page = whole(sent.get("page", "1"), 5) or 0
    if form.page < 1:
        form.page, form.errors["page"] = 1, form_error("unknown_choice")
    return form


def _read_people(form: NightsForm, sent: Sequence[str], people: Collection[int]) -> None:
    chosen = [number for one in sent if (number := whole(one, 9)) is not None]
    form.who = tuple(dict.fromkeys(one for one in chosen if one in people))
    if len(chosen) < len([one for one in sent if one]) or any(one not in people for one in chosen):
        form.errors["who"] = form_error("unknown_person")


def _read_days(form: NightsForm) -> None:
    for name, text in (("from", form.since), ("until", form.until)):
        if text and _day(text) is None:
            form.errors[name] = form_error("bad_day")
    since, until = _day(form.since), _day(form.until)
    if since and until and until < since:
        form.errors["until"] = form_error("early_day")


def _read_number(form: NightsForm, text: str, people: Collection[int]) -> None:
    if not text:
        return
    found = _NUMBER.fullmatch(text)
    kinds = HANDS if found and not found[4] else ()
    if found and found[1] in (TWO if found[4] else (*ALONE, *kinds)) and (not found[2] or found[1] in kinds):
        person, other = int(found[3]), int(found[4]) if found[4] else None
        if person in people and (other is None or other in people):
            form.number = Number(found[1], person, other, int(found[2]) if found[2] else None)
            return
    form.errors["of"] = form_error("unknown_number")


def _day(text: str) -> date | None:
    """A day as browsers send it; None for anything else."""
    try:
        return date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None


def _midnight(day: date | None, later: int = 0) -> datetime | None:
    """When a day begins at the table, or so many days after; None where there is no day, or no such moment."""
    if day is None:
        return None
    try:
        return datetime.combine(day + timedelta(days=later), time(), time_zone()).astimezone(UTC)
    except OverflowError:  # the first and the last days there are: every night is between them
        return None
