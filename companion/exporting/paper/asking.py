"""What is found in a sheet: nights, faults, what was left out, and questions with the answers that were given."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType

from companion.exporting.paper.cells import EARLIEST
from companion.names import NameProblem
from companion.record.exporting import Night
from companion.referee.reasons import Problem

MOST_FAULTS = 200  # more than anybody reads
MOST_QUESTIONS = 100


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong in a line (from 1): a code with facts, what is wrong with a name, or what the referee says.

    ``hand`` is the hand it is about, 0 for none; ``names`` by seat are for the referee's sentence.
    """

    line: int
    code: str
    facts: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    hand: int = 0
    name_problem: NameProblem | None = None
    problem: Problem | None = None
    names: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(slots=True)
class Question:
    """What could be read in several ways: a code with facts, the ``lines`` it is about, and the answers to choose from,
    each a value with its facts. ``given`` is the value chosen, "" while there is none. Where there are no answers to
    choose from a day is asked for.

    ``key`` is the same for the same question about the same lines, so that an answer goes with what it was about.
    """

    key: str
    code: str
    lines: list[int]
    answers: Sequence[tuple[str, Mapping[str, object]]]
    facts: Mapping[str, object]
    hand: int = 0
    given: str = ""


@dataclass(slots=True)
class Paper:
    """What was read: the nights without faults, every fault, the numbers that are unlikely but may be right, what is
    left out or understood in a way worth saying (``notes``), and the questions, answered or not.
    """

    nights: list[Night] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    doubts: list[Fault] = field(default_factory=list)
    notes: list[Fault] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)

    @property
    def unanswered(self) -> list[Question]:
        """The questions that nothing comes in before."""
        return [question for question in self.questions if not question.given]

    def ask_again(self, doubtful: Sequence[bool], answers: Mapping[str, str]) -> None:
        """Ask about those nights of which another one alike is here already; one said to be the same is left out."""
        kept: list[Night] = []
        for night, doubt in zip(self.nights, doubtful, strict=True):
            if not doubt:
                kept.append(night)
                continue
            key, facts = f"alike-{night.uid[:12]}", {"day": night.created_at.date()}
            question = Question(key, "alike", [], [("second", {}), ("same", {})], facts)
            question.given = given if (given := answers.get(key, "")) in ("second", "same") else ""
            self.questions.append(question)
            if question.given != "same":
                kept.append(night)
        self.nights = kept

    def fault(self, line: int, code: str, hand: int = 0, **facts: object) -> None:
        """Note what is wrong in a line."""
        self.faults.append(Fault(line, code, facts, hand))

    def note(self, line: int, code: str, **facts: object) -> None:
        """Note what is left out of a line, or how it is understood; the same is said once."""
        told = Fault(line, code, facts)
        if len(self.notes) <= MOST_FAULTS and told not in self.notes:
            self.notes.append(told)


class Asking:
    """Asks what is doubtful, once for each thing, and knows the answers given so far."""

    def __init__(self, paper: Paper, answers: Mapping[str, str], today: date) -> None:
        self.paper, self.given, self.today = paper, answers, today
        self._asked: dict[str, Question] = {}

    def ask(
        self,
        line: int,
        code: str,
        about: object,
        answers: Sequence[tuple[str, Mapping[str, object]]],
        hand: int = 0,
        **facts: object,
    ) -> str:
        """The answer given to a question, "" for none yet. ``about`` is what makes it another question."""
        question = self._question(line, code, about, answers, hand, facts)
        chosen = self.given.get(question.key, "")
        question.given = chosen if chosen in dict(answers) else ""
        return question.given

    def ask_day(self, line: int, about: object) -> date | None:
        """The day given for a night that has none, None while there is no day that can be."""
        question = self._question(line, "day", about, (), 0, {})
        try:
            day = date.fromisoformat(self.given.get(question.key, ""))
        except ValueError:
            return None
        if not EARLIEST <= day <= self.today:
            return None
        question.given = day.isoformat()
        return day

    def _question(
        self,
        line: int,
        code: str,
        about: object,
        answers: Sequence[tuple[str, Mapping[str, object]]],
        hand: int,
        facts: Mapping[str, object],
    ) -> Question:
        key = hashlib.sha256(f"{code} {about!r}".encode()).hexdigest()[:12]
        question = self._asked.get(key)
        if question is None:
            question = self._asked[key] = Question(key, code, [], answers, facts, hand)
            self.paper.questions.append(question)
        if line not in question.lines:
            question.lines.append(line)
        return question
