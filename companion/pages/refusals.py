"""Why something did not land, for a page: the reasons in words, what the table may overrule, what others did meanwhile."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from flask_babel import gettext as _

from companion import wording
from companion.pages import verdicts
from companion.pages.verdicts import Why
from companion.record import EntryView, GameView
from companion.referee import engine
from companion.referee.commands import Command
from companion.referee.reasons import Firmness, Problem
from companion.referee.rules import BadRules, Rules
from companion.referee.state import GameState
from companion.referee.switches import SWITCHES


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a command did not land: 422 with the referee's reasons, or 409 with what came in between.

    ``resolving`` are the values of silent switches with which a reason would be gone (None: not looked into).
    """

    status: int
    problems: tuple[Problem, ...] = ()
    since: tuple[EntryView, ...] = ()
    resolving: tuple[tuple[str, object], ...] | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal as a page shows it: ``overrules`` are what the table may decide there and then, the button's value and
    its words; ``since`` are sentences about what others entered meanwhile.
    """

    title: str
    reasons: tuple[Why, ...]
    overrules: tuple[tuple[str, str], ...] = ()
    since: tuple[str, ...] = ()


def refusal(view: GameView, refused: Refused) -> Refusal:
    """A refusal in words."""
    rules = view.state.rules
    moved_on = refused.status == 409
    return Refusal(
        _("Somebody was quicker: this was not entered.") if moved_on else _("That is not allowed."),
        whys(refused.problems, view),
        overrules(refused.problems, rules, refused.resolving),
        tuple(event_words(entry, view) for entry in refused.since),
    )


def event_words(entry: EntryView, view: GameView) -> str:
    """An entry as a sentence with the players' names."""
    return wording.event_sentence(entry.event, view.names, before=entry.before, target=entry.target)


def whys(problems: Sequence[Problem], view: GameView) -> tuple[Why, ...]:
    """Problems in words with the players' names, each once."""
    return verdicts.whys(problems, view.state.rules, view.names)


def resolving_values(state: GameState, command: Command, problems: Sequence[Problem]) -> tuple[tuple[str, object], ...]:
    """The values of the silent switches that problems rest on with which such a problem would be gone."""
    rules, counts = state.rules, Counter(problem.reason for problem in problems)
    resolving = []
    for name, value in _other_values(problems, rules):
        other = replace(state, rules=rules.replace(**{name: value}))
        left = Counter(problem.reason for problem in engine.problems(other, command))
        if any(problem.switch == name and left[problem.reason] < counts[problem.reason] for problem in problems):
            resolving.append((name, value))
    return tuple(resolving)


def _other_values(problems: Sequence[Problem], rules: Rules) -> Iterator[tuple[str, object]]:
    names = dict.fromkeys(why.switch for why in problems if why.firmness is Firmness.SILENT and why.switch)
    for name in names:
        for value in SWITCHES[name].values if name in SWITCHES else ():
            if value != getattr(rules, name) and possible(rules, name, value):
                yield name, value


def overrules(
    problems: Sequence[Problem], rules: Rules, chosen: Sequence[tuple[str, object]] | None = None
) -> tuple[tuple[str, str], ...]:
    """What the table may decide there and then about the silent switches that refusals rest on: ``chosen``, or any value."""
    wanted = tuple(_other_values(problems, rules)) if chosen is None else chosen
    return tuple((f"{name}={value!r}", wording.switch_choice(name, value)) for name, value in wanted)


def chosen_value(text: str) -> tuple[str, object] | None:
    """The switch and value a form sent, or None where it names none."""
    name, _equals, wanted = text.partition("=")
    values = SWITCHES[name].values if name in SWITCHES else ()
    return next(((name, value) for value in values if repr(value) == wanted), None)


def possible(rules: Rules, name: str, value: object) -> bool:
    """Whether rules can have that value beside their others."""
    try:
        rules.replace(**{name: value})
    except BadRules:
        return False
    return True
