"""The referee's answers as pages show them: reasons in words, and verdicts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from flask_babel import gettext as _

from companion import wording
from companion.pages.cards import DrawnMeld
from companion.referee.reasons import Problem
from companion.referee.rules import Rules
from companion.referee.switches import rests_on


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
    """Problems in words, each once, and once for all melds that take a card; ``names`` are the players' by seat."""
    reasons = [
        Why(wording.sentence_of_all(alike, names), alike[0].rule, wording.firmness_sentence(alike[0], rules))
        for alike in wording.alike(problems)
    ]
    return tuple(dict.fromkeys(reasons))


def resting(check: Callable[[Rules], Sequence[Problem]], rules: Rules) -> tuple[str, ...]:
    """What a legal verdict rests on where the written rules are silent, one line a switch."""
    names = rests_on(lambda other: tuple(check(other)), rules)
    choices = (wording.switch_choice(name, getattr(rules, name)) for name in names)
    return tuple(
        _("The written rules are silent here; this rests on “%(choice)s”.", choice=choice) for choice in choices
    )
