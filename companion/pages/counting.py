"""The end of a hand: the form for its points, and the totals and places they would make."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Protocol

from flask_babel import gettext as _

from companion import wording
from companion.forms.fields import Field
from companion.forms.scoring import ScoringForm
from companion.pages.refusals import Refusal, Refused, event_words, refusal, whys
from companion.pages.verdicts import Why
from companion.record import EntryView, GameView
from companion.referee.cards import Rank
from companion.referee.commands import Command, TakeBackFloat
from companion.referee.engine import decide, evolve, problems
from companion.referee.engine.hands import floating_off
from companion.referee.events import (
    Floated,
    FloatTakenBack,
    HandDealtAnew,
    HandScored,
    Redone,
    SatBackIn,
    SatOut,
    ScoreCorrected,
    SeatJoined,
    SeatLeft,
    SeatReturned,
    Undone,
)
from companion.referee.reasons import Problem, Reason
from companion.referee.rules import Rules
from companion.referee.standings import standings
from companion.referee.state import GameState, HandScore

#: The form was for a hand that is not in play, or not scored, any more.
GONE = frozenset({Reason.OTHER_HAND, Reason.GAME_OVER, Reason.HAND_NOT_SCORED})

#: Entries that change what a form about scores would do.
_BEARS = (
    Floated, FloatTakenBack, HandDealtAnew, HandScored, Redone, SatBackIn, SatOut, ScoreCorrected, SeatJoined, SeatLeft,
    SeatReturned, Undone,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PadKey:
    """A rank on the pad: what is printed, what a screen reader says, and what it adds."""

    printed: str
    label: str
    points: int


@dataclass(frozen=True, slots=True)
class Player:
    """A player's line: the field of their points, what it sums up to ("" for a plain number), and what is wrong with it.

    ``asks`` is the value of the box that confirms unlikely points, ``confirm`` its words.
    """

    seat: int
    name: str
    field: Field
    total: str
    reasons: tuple[Why, ...]
    asks: str = ""
    confirm: str = ""

    @property
    def faulty(self) -> bool:
        """Whether anything is wrong here."""
        return bool(self.field.error or self.reasons)


@dataclass(frozen=True, slots=True)
class Asked:
    """The hand that a form is about: its number, who was dealt in, its rules, whether it was scored before.

    ``closed``: there is no such hand any more, so that the form can only be read.
    """

    hand: int
    seats: tuple[int, ...]
    rules: Rules
    correcting: bool = False
    closed: bool = False

    @property
    def can_float(self) -> bool:
        """Whether floaters can be ticked (G7.3)."""
        return not floating_off(self.rules, 0)


class HandForm(Protocol):
    """A form that counts a hand, of any game."""

    hand: int
    seats: Sequence[int]

    def command(self, *, correcting: bool, can_float: bool) -> Command:
        """What it asks for."""


@dataclass(frozen=True, slots=True)
class HandPage:
    """The page of a form that counts a hand. ``late``: it was scored while this was being typed."""

    asked: Asked
    form: Any
    players: tuple[Any, ...]
    refusal: Refusal | None
    late: bool


@dataclass(frozen=True, slots=True)
class CountPage(HandPage):
    """``values`` and ``keys`` say what cards count; ``waits``: a freed wild lies in no meld (P6)."""

    contract: str
    waits: bool
    values: str
    keys: tuple[PadKey, ...]


def in_play(state: GameState) -> Asked:
    """The hand in play, or the one that would be."""
    assert state.rules is not None
    return Asked(state.hand.number if state.hand else 0, state.dealt_in, state.rules)


def scored(number: int, state: GameState, entered: HandForm | None = None) -> Asked:
    """A hand scored before, by the rules it was played with; where it is not (any more), with the seats ``entered``."""
    assert state.rules is not None
    score = state.score_of(number)
    if score is None:
        seats = tuple(seat for seat in (entered.seats if entered else state.order) if seat in state.seats)
        return Asked(number, seats, state.rules, correcting=True, closed=True)
    return Asked(number, tuple(score.points), score.rules or state.rules, correcting=True)


def command(entered: HandForm, asked: Asked) -> Command:
    """What the form asks for."""
    return entered.command(correcting=asked.correcting, can_float=asked.can_float)


def count_page(
    view: GameView, asked: Asked, entered: ScoringForm, refused: Refused | None = None, *, late: bool = False
) -> CountPage:
    """The form with what was entered, each reason beside the player it is about, the rest above."""
    contracts = asked.rules.contracts
    return CountPage(
        asked,
        entered,
        players=tuple(_player(view, seat, entered, problems_of(seat, refused)) for seat in asked.seats),
        refusal=general_refusal(view, asked, refused),
        late=late and not asked.closed,
        contract=wording.contract_words(contracts[asked.hand - 1]) if 1 <= asked.hand <= len(contracts) else "",
        waits=not asked.correcting and view.state.hand is not None and bool(view.state.hand.freed),
        values=values_words(asked.rules),
        keys=pad_keys(asked.rules),
    )


def problems_of(seat: int, refused: Refused | None) -> list[Problem]:
    """What the referee says about one player."""
    return [problem for problem in (refused.problems if refused else ()) if problem.facts.get("seat") == seat]


def general_refusal(view: GameView, asked: Asked, refused: Refused | None) -> Refusal | None:
    """What is shown above the form; nothing to overrule, for the form itself changes nothing."""
    if refused is None:
        return None
    general = tuple(problem for problem in refused.problems if problem.facts.get("seat") not in asked.seats)
    if not general and refused.status != 409:
        return None
    return replace(refusal(view, replace(refused, problems=general)), overrules=())


def _player(view: GameView, seat: int, entered: ScoringForm, against: Sequence[Problem]) -> Player:
    field = entered.points.of(seat)
    points = entered.read_points.get(seat)
    unlikely = any(problem.reason is Reason.POINTS_UNLIKELY for problem in against)
    return Player(
        seat,
        view.names[seat],
        field,
        total=f"= {points}" if points is not None and "+" in field.text else "",
        reasons=whys(against, view),
        asks=f"{seat}={points}" if unlikely else "",
        confirm=_("Yes, %(points)s is right", points=points) if unlikely else "",
    )


def values_words(rules: Rules) -> str:
    """What cards count: ``3–8: 5, 9–K: 10, A: 15, 2: 20`` (G2.3)."""
    said = []
    for points, keys in groupby(pad_keys(rules), key=lambda key: key.points):
        ranks = [key.printed for key in keys]
        said.append(f"{ranks[0]}–{ranks[-1]}: {points}" if len(ranks) > 1 else f"{ranks[0]}: {points}")
    return ", ".join(said)


def pad_keys(rules: Rules) -> tuple[PadKey, ...]:
    """Every rank from 3 up, then the 2 and the joker where there is one."""
    values = rules.rank_values
    order = [rank for rank in Rank if rank >= Rank.THREE] + [Rank.TWO, Rank.JOKER]
    return tuple(
        PadKey("★" if rank is Rank.JOKER else rank.symbol, _key_label(rank, values[rank]), values[rank])
        for rank in order
        if rank in values
    )


def _key_label(rank: Rank, points: int) -> str:
    return f"{wording.rank_name(rank)}: {wording.points_words(points)}"


@dataclass(frozen=True, slots=True)
class Change:
    """A player's line of a preview; places are words, "" where there is none."""

    name: str
    points: str
    mark: str
    before: int
    after: int
    place_before: str
    place_after: str
    left: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """What a hand's points would make of the totals and places, and ``since``: what others entered meanwhile."""

    hand: int
    said: str
    changes: tuple[Change, ...]
    fields: tuple[tuple[str, str], ...]
    last: bool
    same: bool
    correcting: bool
    since: tuple[str, ...]
    notes: tuple[str, ...]


def effective_state(
    state: GameState, entered: ScoringForm, asked: Asked
) -> tuple[GameState, tuple[TakeBackFloat, ...]]:
    """The state in which the points count, and what makes it so: who was unticked does not float after all."""
    if asked.correcting or not asked.can_float or state.hand is None or state.hand.number != entered.hand:
        return state, ()
    unticked = tuple(TakeBackFloat(entered.hand, seat) for seat in sorted(state.hand.floating - entered.floats.data))
    for command in unticked:
        if not problems(state, command):
            state = evolve(state, decide(state, command)[0])
    return state, unticked


def preview(view: GameView, asked: Asked, entered: ScoringForm, since: tuple[str, ...] = ()) -> Preview:
    """The totals and places before and after what was entered, which must be legal."""
    state, _unticked = effective_state(view.state, entered, asked)
    return preview_of(view, state, asked, entered, since, lambda score, _after: (_said(view, score), ()))


def preview_of(
    view: GameView,
    state: GameState,
    asked: Asked,
    entered: Any,
    since: tuple[str, ...],
    words: Callable[[HandScore, GameState], tuple[str, tuple[str, ...]]],
) -> Preview:
    """The preview of a form of any game, judged in ``state``; ``words`` are what is said above and what is noted."""
    after = evolve(state, decide(state, command(entered, asked))[0])
    new = after.score_of(entered.hand)
    assert new is not None
    said, notes = words(new, after)
    return Preview(
        hand=entered.hand,
        said=said,
        changes=changes(view, after, new),
        fields=(("hand", str(entered.hand)), *entered.pairs),
        last=not asked.correcting and after.hand is None,
        same=after.scores == view.state.scores,
        correcting=asked.correcting,
        since=since,
        notes=notes,
    )


def _said(view: GameView, score: HandScore) -> str:
    """Who went out, and who floats."""
    names = {seat: wording.isolate(name) for seat, name in view.names.items()}
    said = [_("Nobody went out.") if score.out is None else _("%(name)s went out.", name=names[score.out])]
    floating = sorted(score.floating - {score.out})
    said.extend(_("%(name)s floats.", name=names[seat]) for seat in floating)
    return " ".join(said)


def changes(view: GameView, after: GameState, new: HandScore) -> tuple[Change, ...]:
    """Everybody's totals and places before and after a hand, clockwise."""
    was, is_then = standings(view.state), standings(after)
    return tuple(
        Change(
            name=view.names[seat],
            points=str(new.points[seat]) if seat in new.points else "–",
            mark="out" if seat == new.out else "floats" if seat in new.floating else "",
            before=was.totals[seat],
            after=is_then.totals[seat],
            place_before=wording.place_words(was.place(seat)),
            place_after=wording.place_words(is_then.place(seat)),
            left=seat in after.away,
        )
        for seat in after.chairs
    )


def is_written(state: GameState, entered: ScoringForm) -> bool:
    """Whether a hand is scored with exactly what was entered: another phone, or this one a moment ago."""
    score = state.score_of(entered.hand)
    if score is None or entered.errors or score.out != entered.out_seat:
        return False
    points = entered.read_points
    filled = {seat: points.get(seat, 0) for seat in score.points}
    return filled == dict(score.points) and entered.floats.data <= score.floating


def since_words(since: Sequence[EntryView], view: GameView) -> tuple[str, ...]:
    """What others entered meanwhile that bears on scores, the last few."""
    return tuple(event_words(entry, view) for entry in since if isinstance(entry.event, _BEARS))[-5:]
