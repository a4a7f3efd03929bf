"""The page of old nights: the lines that were read, what is wrong in which, what is asked, and the nights they make."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flask_babel import format_date, ngettext

from companion import wording
from companion.exporting.old_nights import HANDS, Fault, Paper, Question
from companion.forms.fields import name_error
from companion.forms.old_nights import ANSWER, PaperForm
from companion.i18n import evening_of
from companion.record.exporting import Night
from companion.record.importing import Outcome
from companion.referee import history
from companion.referee.standings import standings
from companion.wording import old_nights as words
from companion.wording.exporting import outcome_words
from companion.wording.recap import won_words

_LONGEST = 60  # of a line shown beside its faults
_NUMBERED = 12  # lines of a question that are told by number


@dataclass(frozen=True, slots=True)
class Line:
    """A line with what is wrong in it: its number, its first cells, and the sentences."""

    number: int
    cells: tuple[str, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: the field of its answer, the lines it is about in words ("" for none), the first of them as it is, and
    the answers as value, words and whether it was given; without answers a day is asked for, which ``given`` is.
    """

    field: str
    where: str
    cells: tuple[str, ...]
    sentence: str
    answers: tuple[tuple[str, str, bool], ...]
    given: str


@dataclass(frozen=True, slots=True)
class NightRead:
    """A night that can come in: its day, who won, everybody's total, and whether it is here already ("": it is not)."""

    date: str
    won: str
    players: str
    there: str


@dataclass(frozen=True, slots=True)
class PaperPage:
    """``faults``, ``doubts`` and ``notes`` by line; ``questions`` with ``open`` of them unanswered; ``nights`` as they
    would come in; ``may_come_in``: the button is there. ``example`` shows what lines look like, ``understood`` which
    words are read, ``rows`` is the height of the field.
    """

    faults: tuple[Line, ...]
    doubts: tuple[Line, ...]
    notes: tuple[Line, ...]
    questions: tuple[Asked, ...]
    open: int
    nights: tuple[NightRead, ...]
    may_come_in: bool
    example: str
    understood: tuple[tuple[str, str], ...]
    rows: int


def paper_page(form: PaperForm, paper: Paper | None, outcomes: Sequence[Outcome] = ()) -> PaperPage:
    """The page for what was typed; ``paper`` is what was read of it, None while nobody asked.

    ``outcomes`` is what would become of every night.
    """
    lines = form.text.text.split("\n")
    sheet = paper or Paper()
    added = any(outcome is Outcome.ADDED for outcome in outcomes)
    return PaperPage(
        faults=tuple(_lines(sheet.faults, lines)),
        doubts=tuple(_lines(sheet.doubts, lines)),
        notes=tuple(_lines(sheet.notes, lines, words.note_words)),
        questions=tuple(_asked(question, lines) for question in sheet.questions),
        open=len(sheet.unanswered),
        nights=tuple(map(_night, sheet.nights, outcomes)),
        may_come_in=not sheet.faults and not sheet.unanswered and added,
        example=_example(),
        understood=tuple(words.understood()),
        rows=min(max(len(lines) + 1, 8), 24),
    )


def _lines(faults: Iterable[Fault], lines: Sequence[str], say: words.Saying = words.fault_words) -> Iterable[Line]:
    by_line: dict[int, list[str]] = {}
    for fault in faults:
        told = by_line.setdefault(fault.line, [])
        if (sentence := _words(fault, say)) not in told:
            told.append(sentence)
    for number, sentences in sorted(by_line.items()):
        yield Line(number, _cells(number, lines), tuple(sentences))


def _cells(number: int, lines: Sequence[str]) -> tuple[str, ...]:
    cells = re.split(r"[,;\t|]", _shown(lines[number - 1])) if 0 < number <= len(lines) else ()
    return tuple(filter(None, map(str.strip, cells)))


def _shown(line: str) -> str:
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "…"


def _words(fault: Fault, say: words.Saying) -> str:
    if fault.name_problem is not None:
        return name_error(fault.name_problem)
    if fault.problem is not None:
        return words.in_hand(fault.hand, wording.sentence(fault.problem, fault.names))
    facts = {key: _shown(value) if isinstance(value, str) else value for key, value in fault.facts.items()}
    return words.in_hand(fault.hand, say(fault.code, facts))


def _asked(question: Question, lines: Sequence[str]) -> Asked:
    numbers = ", ".join(map(str, question.lines[:_NUMBERED])) + ("…" if len(question.lines) > _NUMBERED else "")
    where = ngettext("Line %(lines)s", "Lines %(lines)s", len(question.lines), lines=numbers) if numbers else ""
    facts = {key: _shown(value) if isinstance(value, str) else value for key, value in question.facts.items()}
    return Asked(
        field=ANSWER + question.key,
        where=where,
        cells=_cells(question.lines[0], lines) if question.lines else (),
        sentence=words.in_hand(question.hand, words.question_words(question.code, facts)),
        answers=tuple(
            (value, words.answer_words(question.code, value, told), value == question.given)
            for value, told in question.answers
        ),
        given=question.given,
    )


def _night(night: Night, outcome: Outcome) -> NightRead:
    state = history.fold(night.events)
    stood = standings(state)
    return NightRead(
        date=format_date(evening_of(night.created_at), "long"),
        won=won_words([night.names[seat] for seat in stood.winners]),
        players=", ".join(f"{wording.isolate(night.names[seat])} {stood.totals[seat]}" for seat in state.seats),
        there="" if outcome is Outcome.ADDED else outcome_words(outcome.value, 1),
    )


def _example() -> str:
    """A night of three hands, as it would be typed."""
    titles = words.template_titles(HANDS)
    rows = (
        (titles[0], titles[1], "1", "2", "3", titles[-1]),
        ("2019-05-04", "Ana", "0", "45", "20", "65"),
        ("2019-05-04", "Bea", "30", "0", "10", "40"),
        ("2019-05-04", "Carl", "15", "5", "0", "20"),
    )
    return "\n".join(",".join(row) for row in rows)
