"""The page of old nights: the lines that were read, what is wrong in which, and the nights they make."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flask_babel import format_date
from flask_babel import gettext as _

from companion import wording
from companion.exporting.old_nights import HANDS, Fault, Paper
from companion.forms.fields import name_error
from companion.forms.old_nights import PaperForm
from companion.i18n import evening_of
from companion.record.exporting import Night
from companion.record.importing import Outcome
from companion.referee import history
from companion.referee.standings import standings
from companion.wording.exporting import outcome_words
from companion.wording.old_nights import fault_words, in_hand, template_titles
from companion.wording.recap import won_words

_LONGEST = 60  # of a line shown beside its faults


@dataclass(frozen=True, slots=True)
class Line:
    """A line with what is wrong in it: its number, its first cells, and the sentences."""

    number: int
    cells: tuple[str, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NightRead:
    """A night that can come in: its day, who won, everybody's total, and whether it is here already ("": it is not)."""

    date: str
    won: str
    players: str
    there: str


@dataclass(frozen=True, slots=True)
class PaperPage:
    """``faults`` and ``doubts`` by line; ``nights`` as they would come in; ``may_come_in``: the button is there.

    ``example`` shows what lines look like, ``rows`` is the height of the field.
    """

    faults: tuple[Line, ...]
    doubts: tuple[Line, ...]
    nights: tuple[NightRead, ...]
    may_come_in: bool
    example: str
    rows: int


def paper_page(
    form: PaperForm, paper: Paper | None, outcomes: Sequence[Outcome] = (), alike: Sequence[bool] = ()
) -> PaperPage:
    """The page for what was typed; ``paper`` is what was read of it, None while nobody asked.

    ``outcomes`` is what would become of every night, ``alike`` whether one like it is here already.
    """
    lines = form.text.text.split("\n")
    sheet = paper or Paper()
    nights = tuple(map(_night, sheet.nights, outcomes, alike))
    return PaperPage(
        faults=tuple(_lines(sheet.faults, lines)),
        doubts=tuple(_lines(sheet.doubts, lines)),
        nights=nights,
        may_come_in=not sheet.faults and any(outcome is Outcome.ADDED for outcome in outcomes),
        example=_example(),
        rows=min(max(len(lines) + 1, 8), 24),
    )


def _lines(faults: Iterable[Fault], lines: Sequence[str]) -> Iterable[Line]:
    by_line: dict[int, list[str]] = {}
    for fault in faults:
        told = by_line.setdefault(fault.line, [])
        if (words := _words(fault)) not in told:
            told.append(words)
    for number, sentences in sorted(by_line.items()):
        cells = re.split(r"[,;\t]", _shown(lines[number - 1])) if number <= len(lines) else ()
        yield Line(number, tuple(filter(None, map(str.strip, cells))), tuple(sentences))


def _shown(line: str) -> str:
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "…"


def _words(fault: Fault) -> str:
    if fault.name_problem is not None:
        return name_error(fault.name_problem)
    if fault.problem is not None:
        return in_hand(fault.hand, wording.sentence(fault.problem, fault.names))
    facts = {key: _shown(value) if isinstance(value, str) else value for key, value in fault.facts.items()}
    return in_hand(fault.hand, fault_words(fault.code, facts))


def _night(night: Night, outcome: Outcome, alike: bool) -> NightRead:
    state = history.fold(night.events)
    stood = standings(state)
    return NightRead(
        date=format_date(evening_of(night.created_at), "long"),
        won=won_words([night.names[seat] for seat in stood.winners]),
        players=", ".join(f"{wording.isolate(night.names[seat])} {stood.totals[seat]}" for seat in state.seats),
        there=_there(outcome, alike),
    )


def _there(outcome: Outcome, alike: bool) -> str:
    if outcome is not Outcome.ADDED:
        return outcome_words(outcome.value, 1)
    return _("Another night of that day with the same people is here already. Is this a second one?") if alike else ""


def _example() -> str:
    """A night of three hands, as it would be typed."""
    titles = template_titles(HANDS)
    rows = (
        (titles[0], titles[1], "1", "2", "3", titles[-1]),
        ("2019-05-04", "Ana", "0", "45", "20", "65"),
        ("2019-05-04", "Bea", "30", "0", "10", "40"),
        ("2019-05-04", "Carl", "15", "5", "0", "20"),
    )
    return "\n".join(",".join(row) for row in rows)
