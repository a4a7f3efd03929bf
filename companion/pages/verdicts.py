"""The referee's answers as pages show them: reasons in words, and verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion import wording
from companion.pages.cards import DrawnMeld
from companion.referee.reasons import Problem
from companion.referee.rules import Rules


@dataclass(frozen=True, slots=True)
class Why:
    """One reason in words with its rule number and how firm that rule is."""

    sentence: str
    rule: str
    firmness: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer: ``kind`` "good", "bad" or "doubt" (rests on a switch), a headline, reasons, melds to draw."""

    kind: str
    title: str
    reasons: tuple[Why, ...] = ()
    melds: tuple[DrawnMeld, ...] = ()
    notes: tuple[str, ...] = ()


def whys(problems: Sequence[Problem], rules: Rules, names: Mapping[int, str] | None = None) -> tuple[Why, ...]:
    """Problems in words, each once; ``names`` are the players' by seat."""
    reasons = [
        Why(wording.sentence(problem, names), wording.rule_label(problem), wording.firmness_sentence(problem, rules))
        for problem in problems
    ]
    return tuple(dict.fromkeys(reasons))
