"""Which nights a page shows: read from its address, with a sentence beside what cannot be read."""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from flask import current_app
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from werkzeug.datastructures import MultiDict

from companion.analysis.statistics import ALONE, TWO
from companion.forms.fields import Choice, Field, Form, Several, Whole, wrong
from companion.forms.numbers import ENTRY, whole
from companion.i18n import time_zone
from companion.record.many_nights import Wanted
from companion.referee.games import SHEETS, game_of
from companion.referee.lists import BadContract, format_contract, read_contract
from companion.referee.rules import Rules
from companion.wording.games import all_of_game
from companion.wording.nights import sheet_label, state_names

KEPT = 80
#: Numbers about hands; a figure after "dealt" is the hand of that number, and "_2xset3.run4" is a contract.
HANDS = ("dealt", "out", "floated", "bought")
_NUMBER = re.compile(r"([a-z]{3,8})(\d{0,2}|_[\w.]{1,60})-(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class SheetChoice:
    """A rule sheet that can be chosen, or all of one game that ask for the same hands."""

    value: str
    words: str
    sheets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Number:
    """A number of the statistics, whose nights are asked for: "won-3", "dealt4-3", "dealt_set3.run4-3", "ahead-3-7"."""

    what: str
    person: int
    other: int | None = None
    hand: int | str | None = None

    def __str__(self) -> str:
        """As it is in an address."""
        hand = f"_{self.hand.replace(' ', '.')}" if isinstance(self.hand, str) else self.hand or ""
        parts = [f"{self.what}{hand}", str(self.person)]
        return "-".join(parts if self.other is None else [*parts, str(self.other)])


class Search(Field):
    """Words to search for."""

    attributes = {"maxlength": str(KEPT), "autocomplete": "off", "enterkeyhint": "search"}
    strips = True


class Day(Field):
    """A day as browsers send it, as a date; None for no day."""

    kind = "date"
    attributes = {"autocomplete": "off"}
    strips = True

    def read(self, text: str) -> date | None:
        try:
            if text and not _DAY.fullmatch(text):
                raise ValueError
            return date.fromisoformat(text) if text else None
        except ValueError:
            self.kind = "text"  # a browser shows nothing of a date that is none
            raise wrong("bad_day") from None


class People(Several):
    """People that this device knows, ``known``, as numbers."""

    known: Collection[int] = ()

    def read(self, texts: Sequence[str]) -> tuple[int, ...]:
        asked = [whole(text, ENTRY) for text in texts if text]
        self.data = known = tuple(dict.fromkeys(person for person in asked if person and person in self.known))
        if len(known) < len(set(asked)):
            raise wrong("unknown_person")
        return known


class Numbers(Field):
    """A number of the statistics; "" is None."""

    known: Collection[int] = ()

    def read(self, text: str) -> Number | None:
        if not text:
            return None
        parts = _NUMBER.fullmatch(text)
        number = _number(*parts.groups()) if parts else None
        if number is None or not {number.person, number.other} - {None} <= set(self.known):
            raise wrong("unknown_number")
        return number


def _number(what: str, hand: str, person: str, other: str | None) -> Number | None:
    """The number, if the statistics have one of that name: of one hand, of one person, or between two."""
    if what not in ((*ALONE, *HANDS) if other is None else TWO) or (hand and what not in HANDS):
        return None
    if hand.startswith("_"):
        return Number(what, int(person), hand=text) if (text := _contract(hand[1:])) else None
    return Number(what, int(person), int(other) if other else None, int(hand) if hand else None)


def _contract(text: str) -> str:
    """A contract in an address, as it is written elsewhere; "" for what is none."""
    try:
        return format_contract(read_contract(text.replace(".", " ")))
    except BadContract:
        return ""


class NightsForm(Form):
    """What was asked: words to search for, people, a sheet of those played (``choices``), days, how the nights ended, and
    the number of the statistics that they are behind. ``people`` are those there are, ``usual`` is the sheet that is meant
    where none is named ("": all of them).
    """

    q = Search(_l("Search"), hint=_l("A name, a month, a year, a day such as 2026-03-31"), kept=KEPT)
    who = People(_l("With all of these at the table"))
    sheet = Choice(_l("Rule sheet"), kept=KEPT, may_be_blank=True)
    since = Day(_l("From the day"), name="from", kept=KEPT)
    until = Day(_l("Until the day"), kept=KEPT)
    state = Choice(_l("How they ended"), kept=KEPT, default="")
    of = Numbers(kept=KEPT)
    page = Whole(least=1, most=99_999, default=1)

    def __init__(
        self, sent: MultiDict[str, str], choices: Sequence[SheetChoice], people: Collection[int], usual: str = ""
    ) -> None:
        super().__init__(sent, sheet=usual)
        self.choices = choices
        self.sheet.options = [*([] if usual else [("", _("All games"))]), *((row.value, row.words) for row in choices)]
        self.state.options = tuple(state_names().items())
        self.who.known = self.of.known = people
        self.validate()

    def validate_until(self, until: Day) -> None:
        """The last day does not come before the first."""
        if until.data and self.since.data and until.data < self.since.data:
            raise wrong("early_day")

    @property
    def sheets(self) -> tuple[str, ...]:
        """The sheets asked for; none for all games together."""
        return next((choice.sheets for choice in self.choices if choice.value == self.sheet.text), ())

    @property
    def wanted(self) -> Wanted:
        """The nights of the sheet, the days and the people; for a form without errors."""
        return Wanted(self.sheets, _begin(self.since.data), _begin(self.until.data, 1), self.who.data)

    @property
    def rules(self) -> Rules | None:
        """The rule sheet that is asked for, or one of several alike; None for all games together."""
        return SHEETS.get(self.sheets[0]) if self.sheets else None

    @property
    def narrowed(self) -> bool:
        """Whether anything is asked for but every night."""
        return any(value for name, value in self.address().items() if name != "sheet")

    def address(self, **other: object) -> dict[str, object]:
        """The fields of an address that asks the same, but for ``other`` (None: left out)."""
        sheet = self.sheet.text if len(self.choices) > 1 else ""  # a page has hundreds of these addresses
        same = {
            "q": self.q.text, "who": list(self.who.data), "sheet": sheet, "from": self.since.text,
            "until": self.until.text, "state": self.state.text, "of": str(self.of.data or ""),
        }  # fmt: skip
        return {name: value for name, value in {**same, **other}.items() if value}


def sheet_choices(played: Collection[str]) -> tuple[SheetChoice, ...]:
    """What can be chosen of the sheets that were played, in the order given: a game with several first as a whole."""
    alike: dict[object, list[str]] = defaultdict(list)  # of one game and for the same hands: points can be compared
    for sheet in played:
        rules = SHEETS.get(sheet)
        alike[(game_of(rules).key, rules.contracts) if rules else sheet].append(sheet)
    choices: list[SheetChoice] = []
    for sheets in alike.values():
        if len(sheets) > 1:
            game = game_of(SHEETS[sheets[0]]).key
            choices.append(SheetChoice(game, all_of_game(game), tuple(sheets)))
        choices += [SheetChoice(sheet, sheet_label(sheet), (sheet,)) for sheet in sheets]
    return tuple(choices)


def _begin(day: date | None, later: int = 0) -> datetime | None:
    """When the nights of a day begin at the table, or so many days after; None where there is no day, or no such moment."""
    if day is None:
        return None
    begins = time(current_app.config["DAY_BEGINS"])
    try:
        return datetime.combine(day + timedelta(days=later), begins, time_zone()).astimezone(UTC)
    except OverflowError:  # the first and the last days there are: every night is between them
        return None
