"""Score sheets in shapes that people have (tests/data/score_sheets): what is asked, in which lines, and what comes of it.

``expected.json`` has for each the answers given in order, the questions as "code: lines", the notes and faults, and the
nights as they are played: "!" after who went out, "~" after who floated, "." for a hand not played.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.exporting.old_nights import Fault
from companion.record.exporting import Night
from companion.record.validation import validate
from companion.referee.state import HandScore
from tests.test_old_nights import asked, look

SHEETS = Path(__file__).parent / "data" / "score_sheets"
EXPECTED = json.loads((SHEETS / "expected.json").read_text("utf-8"))


def text_of(name: str) -> str:
    return (SHEETS / name).read_text("utf-8")


def mark(score: HandScore, seat: int) -> str:
    if seat not in score.points:
        return "."
    return f"{score.points[seat]}{'!' if seat == score.out else '~' if seat in score.floating else ''}"


def told(night: Night) -> str:
    state = validate(night)
    first = f"from {state.scores[0].number}, " if state.scores[0].number > 1 else ""
    people = (" ".join([name, *(mark(score, seat) for score in state.scores)]) for seat, name in night.names.items())
    return f"{night.created_at:%Y-%m-%d}: {first}{'; '.join(people)}"


def beside(faults: list[Fault]) -> list[str]:
    return [f"{fault.line}: {fault.problem.reason.value if fault.problem else fault.code}" for fault in faults]


def outcome(name: str, answers: list[str]) -> dict[str, list[str]]:
    questions, paper = asked(text_of(name), *answers)
    assert not paper.unanswered
    return {
        "answers": answers,
        "questions": [f"{code}: {', '.join(map(str, lines))}" for code, lines, _hand in questions],
        "notes": beside(paper.notes),
        "faults": beside(paper.faults),
        "nights": list(map(told, paper.nights)),
    }


def test_every_sheet_has_what_is_expected_of_it() -> None:
    assert {path.name for path in SHEETS.iterdir()} == {*EXPECTED, "expected.json"} and len(EXPECTED) >= 20


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_score_sheet(name: str) -> None:
    assert outcome(name, EXPECTED[name]["answers"]) == EXPECTED[name]


@pytest.mark.parametrize("name", sorted(name for name in EXPECTED if EXPECTED[name]["questions"]))
def test_nothing_comes_in_before_its_question_is_answered(name: str) -> None:
    paper = look(text_of(name))
    asked_about = {line for question in paper.questions for line in question.lines}
    assert paper.unanswered and asked_about
    assert len(paper.nights) < max(len(EXPECTED[name]["nights"]), 1)
