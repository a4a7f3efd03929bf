"""The referee's answers as pages show them: reasons in words, verdicts, and what each of them rests on."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion import wording
from companion.pages.cards import DrawnMeld
from companion.referee import engine
from companion.referee.commands import Command, GoDown, LayOff, Rearrange, ReplaceWild
from companion.referee.games import game_of
from companion.referee.reasons import Firmness, Problem
from companion.referee.rules import Rules
from companion.referee.state import GameState, Hand
from companion.referee.switches import SWITCHES, rests_on


class Ground(NamedTuple):
    """A rule that a verdict rests on: its number, how firm it is, and the switch with the table's choice, if any."""

    rule: str
    firmness: Firmness
    switch: str | None = None


@dataclass(frozen=True, slots=True)
class Tag:
    """A rule that something rests on, in short: its number and how firm it is; ``more`` says it in full."""

    rule: str
    firm: str
    more: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Why:
    """What one rule has against something (or says for it), with the rule."""

    sentence: str
    tag: Tag

    @property
    def rule(self) -> str:
        """The number of the rule."""
        return self.tag.rule


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer: ``kind`` "good", "bad" or "doubt" (rests on a switch), a headline, reasons with their rules; the rules
    that it rests on where no reason has them, melds to draw, notes.
    """

    kind: str
    title: str
    reasons: tuple[Why, ...] = ()
    tags: tuple[Tag, ...] = ()
    melds: tuple[DrawnMeld, ...] = ()
    notes: tuple[str, ...] = ()


def tags(grounds: Iterable[Ground], rules: Rules) -> tuple[Tag, ...]:
    """A tag for each rule, so that no number is said twice."""
    by_rule: dict[str, list[Ground]] = {}
    for ground in grounds:
        rule, firmness = game_of(rules).cited(ground.rule, ground.firmness)
        by_rule.setdefault(rule, []).append(Ground(rule, firmness, ground.switch))
    return tuple(_tag(rule, alike, rules) for rule, alike in by_rule.items())


def _tag(rule: str, grounds: Sequence[Ground], rules: Rules) -> Tag:
    firm = dict.fromkeys(wording.firmness_short(ground.firmness, ground.switch) for ground in grounds)
    more = dict.fromkeys(wording.firmness_in_full(ground.firmness, ground.switch, rules) for ground in grounds)
    return Tag(rule, "; ".join(firm), tuple(more))


def whys(problems: Sequence[Problem], rules: Rules, names: Mapping[int, str] | None = None) -> tuple[Why, ...]:
    """Problems in words, each once, and once for all melds that take a card; ``names`` are the players' by seat."""
    return because(sentences(problems, names), rules)


def sentences(problems: Sequence[Problem], names: Mapping[int, str] | None = None) -> list[tuple[Ground, str]]:
    """What problems say, each with its rule; of those that are alike the firmest decides."""
    said = []
    for alike in wording.alike(problems):
        firmest = min(alike, key=lambda problem: problem.firmness is Firmness.SILENT)
        said.append((Ground(firmest.rule, firmest.firmness, firmest.switch), wording.sentence_of_all(alike, names)))
    return said


def because(said: Iterable[tuple[Ground, str]], rules: Rules) -> tuple[Why, ...]:
    """Sentences with the rules that they rest on: all that one rule says together, so that its number is said once."""
    by_rule: dict[str, list[tuple[Ground, str]]] = {}
    for ground, sentence in said:
        by_rule.setdefault(ground.rule, []).append((ground, sentence))
    return tuple(
        Why(" ".join(dict.fromkeys(sentence for _, sentence in alike)), _tag(rule, [of for of, _ in alike], rules))
        for rule, alike in by_rule.items()
    )


def resting(check: Callable[[Rules], object], rules: Rules, written: Ground) -> tuple[Ground, ...]:
    """What a verdict rests on: every choice of the table that another one would turn round, else the ``written`` rule.

    ``check`` gives whether something is refused, or why, under other rules.
    """
    chosen = rests_on(check, rules, every=True)
    return tuple(_of_switch(name, rules) for name in chosen) or (written,)


#: The rule that lets a command land where no choice of the table decides.
_LANDS: Mapping[type[Command], Ground] = {
    GoDown: Ground("G4.2", Firmness.KATE),
    LayOff: Ground("G6.2", Firmness.LOGIC),
    ReplaceWild: Ground("G8.1", Firmness.KATE),
    Rearrange: Ground("P6", Firmness.TEXT),
}


def command_grounds(state: GameState, command: Command) -> tuple[Ground, ...]:
    """What a legal command rests on; nothing is said of one that only writes down what happened."""
    written = _LANDS.get(type(command))
    if isinstance(command, LayOff) and state.playing and _is_own(state.playing.hand, command):
        written = Ground("G7.1", Firmness.HOWTO)  # Kate's text has the melds of others only
    grounds = engine.rests_on(state, command, every=True)
    return tuple(_of_switch(name, state.hand_rules) for name in grounds) or ((written,) if written else ())


def _is_own(hand: Hand, command: LayOff) -> bool:
    on = hand.find(command.meld)
    return on is not None and on.owner == command.seat


def _of_switch(name: str, rules: Rules) -> Ground:
    rule, firmness = game_of(rules).own_rules.get(name, (SWITCHES[name].rule, SWITCHES[name].firmness))
    return Ground(rule, firmness, name)


def firm_kind(grounds: Iterable[Ground]) -> str:
    """How a Yes is shown: "good" where it is written, "doubt" where the table's choice decides."""
    return "doubt" if any(ground.firmness is Firmness.SILENT or ground.switch for ground in grounds) else "good"
