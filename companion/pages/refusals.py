"""Why something did not land, for a page: the reasons in words, what the table may overrule, what others did meanwhile."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC

from flask_babel import gettext as _

from companion import wording
from companion.i18n import time_zone
from companion.pages import verdicts
from companion.pages.verdicts import Why
from companion.phones import devices
from companion.record import DeviceLabel, EntryView, GameView
from companion.referee import engine
from companion.referee.commands import Command
from companion.referee.reasons import Firmness, Problem
from companion.referee.rules import BadRules, Rules
from companion.referee.state import GameState
from companion.referee.switches import SWITCHES


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a command did not land: 422 with the referee's reasons, or 409 with what came in between.

    ``resolving`` are the values of silent switches with which a reason would be gone (None: not looked into). ``seen`` is
    the revision that the form was made at, ``spent``: the same form landed before with something else in it.
    """

    status: int
    problems: tuple[Problem, ...] = ()
    since: tuple[EntryView, ...] = ()
    resolving: tuple[tuple[str, object], ...] | None = None
    seen: int = 0
    spent: bool = False


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """An entry that came in between: what, when (for a machine, and as a clock shows it), and from whose phone."""

    sentence: str
    at: str
    clock: str
    player: str
    phone: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal as a page shows it: ``overrules`` are what the table may decide there and then, the button's value and
    its words; ``since`` is what was entered meanwhile.
    """

    title: str
    reasons: tuple[Why, ...]
    overrules: tuple[tuple[str, str], ...] = ()
    since: tuple[Meanwhile, ...] = ()


def refusal(view: GameView, refused: Refused) -> Refusal:
    """A refusal in words."""
    rules = view.state.hand_rules
    return Refusal(
        _moved_on(view, refused) if refused.status == 409 else _("That is not allowed."),
        whys(refused.problems, view),
        overrules(refused.problems, rules, refused.resolving),
        entered_meanwhile(refused.since, view),
    )


def said(shown: Refusal) -> str:
    """A refusal as a line of text."""
    since = (" · ".join(filter(None, (one.sentence, one.clock, one.player, one.phone))) for one in shown.since)
    return " ".join([shown.title, *(why.sentence for why in shown.reasons), *since])


def _moved_on(view: GameView, refused: Refused) -> str:
    """Why it comes too late. That somebody was quicker is said only where nothing came from this phone itself."""
    phones = {entry.device.id if entry.device else None for entry in refused.since}
    own = devices.current_id() in phones - {None}
    if refused.spent:
        return _("This form was entered before, with something else in it: this was not entered.")
    if refused.seen > view.revision:
        return _("The server was put back to an earlier state, and what came after it is gone: this was not entered.")
    if own and len(phones) == 1:
        return _("This page is older than what this phone entered last: this was not entered.")
    return (
        _("Somebody was quicker: this was not entered.")
        if phones and not own
        else _("The game has moved on: this was not entered.")
    )


def entered_meanwhile(since: Sequence[EntryView], view: GameView) -> tuple[Meanwhile, ...]:
    """Entries in words, with their clocks and phones."""
    zone, here = time_zone(), devices.current_id()
    return tuple(
        Meanwhile(
            event_words(entry, view),
            f"{entry.at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
            f"{entry.at.astimezone(zone):%H:%M}",
            _whose(entry.device, view) if entry.device and entry.device.id != here else "",
            device_words(entry.device, here),
        )
        for entry in since
    )


def _whose(phone: DeviceLabel, view: GameView) -> str:
    return view.names.get(phone.seat, "") if phone.seat is not None else ""


def device_words(label: DeviceLabel | None, here: int | None = None) -> str:
    """Which phone: ``this phone``, the name somebody gave it, or ``iPhone (2)``; "" where none is known."""
    if label is None:
        return ""
    if label.id == here:
        return _("this phone")
    if label.name:
        return label.name
    kinds = {
        "iphone": _("iPhone"), "ipad": _("iPad"), "android": _("Android phone"), "computer": _("computer"),
    }  # fmt: skip
    kind = kinds.get(label.kind, _("another phone"))
    return kind if label.number is None else _("%(kind)s (no. %(number)s here)", kind=kind, number=label.number)


def event_words(entry: EntryView, view: GameView) -> str:
    """An entry as a sentence with the players' names."""
    return wording.event_sentence(entry.event, view.names, before=entry.before, target=entry.target)


def whys(problems: Sequence[Problem], view: GameView) -> tuple[Why, ...]:
    """Problems in words with the players' names, each once."""
    return verdicts.whys(problems, view.state.hand_rules, view.names)


def resolving_values(state: GameState, command: Command, problems: Sequence[Problem]) -> tuple[tuple[str, object], ...]:
    """The values of the silent switches that problems rest on with which such a problem would be gone."""
    rules, counts = state.hand_rules, Counter(problem.reason for problem in problems)
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
