"""The end of a hand: the form for its points, and the totals and places they would make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from flask_babel import gettext as _

from companion import wording
from companion.forms.scoring import NOBODY, Scoring, correct_command, score_command
from companion.pages.refusals import Refusal, Refused, event_words, refusal, whys
from companion.pages.verdicts import Why
from companion.record import EntryView, GameView
from companion.referee.cards import Rank
from companion.referee.commands import CorrectScore, ScoreHand, TakeBackFloat
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
    """A player's line: what was typed and what it sums up to ("" for a plain number), and what is wrong with it.

    ``asks`` is the value of the box that confirms unlikely points, ``confirm`` its words.
    """

    seat: int
    name: str
    typed: str
    total: str
    is_out: bool
    floats: bool
    error: str
    reasons: tuple[Why, ...]
    asks: str = ""
    confirm: str = ""

    @property
    def faulty(self) -> bool:
        """Whether anything is wrong here."""
        return bool(self.error or self.reasons)


@dataclass(frozen=True, slots=True)
class CountPage:
    """The form. ``correcting`` a hand scored before; ``late``: it was scored while this was being typed; ``closed``:
    it is not in play, nothing can be sent.
    """

    hand: int
    of: int
    contract: str
    players: tuple[Player, ...]
    nobody: bool
    can_float: bool
    values: str
    keys: tuple[PadKey, ...]
    sure: tuple[str, ...]
    out_error: str = ""
    refusal: Refusal | None = None
    correcting: bool = False
    late: bool = False
    closed: bool = False


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


def in_play(state: GameState) -> Asked:
    """The hand in play, or the one that would be."""
    assert state.rules is not None
    return Asked(state.hand.number if state.hand else 0, state.dealt_in, state.rules)


def scored(number: int, state: GameState, entered: Scoring | None = None) -> Asked:
    """A hand scored before, by the rules it was played with; where it is not (any more), with the seats ``entered``."""
    assert state.rules is not None
    score = state.score_of(number)
    if score is None:
        seats = tuple(seat for seat in (entered.typed if entered else ()) if seat in state.seats)
        return Asked(number, seats, state.rules, correcting=True, closed=True)
    return Asked(number, tuple(score.points), score.rules or state.rules, correcting=True)


def command(entered: Scoring, asked: Asked) -> ScoreHand | CorrectScore:
    """What the form asks for."""
    if asked.correcting:
        return correct_command(entered, asked.rules, floating=asked.can_float)
    return score_command(entered, asked.rules)


def count_page(
    view: GameView, asked: Asked, entered: Scoring, refused: Refused | None = None, *, late: bool = False
) -> CountPage:
    """The form with what was entered, each reason beside the player it is about, the rest above."""
    found = refused.problems if refused else ()
    by_seat = {seat: [one for one in found if one.facts.get("seat") == seat] for seat in asked.seats}
    general = tuple(one for one in found if one.facts.get("seat") not in asked.seats)
    contracts = asked.rules.contracts
    return CountPage(
        hand=asked.hand,
        of=len(contracts),
        contract=wording.contract_words(contracts[asked.hand - 1]) if 1 <= asked.hand <= len(contracts) else "",
        players=tuple(_player(view, seat, entered, by_seat[seat]) for seat in asked.seats),
        nobody=entered.out == NOBODY,
        can_float=asked.can_float,
        values=values_words(asked.rules),
        keys=pad_keys(asked.rules),
        sure=tuple(value for name, value in entered.fields() if name == "sure"),
        out_error=entered.errors.get("out", ""),
        refusal=_above(view, refused, general),
        correcting=asked.correcting,
        late=late and not asked.closed,
        closed=asked.closed,
    )


def _above(view: GameView, refused: Refused | None, general: tuple[Problem, ...]) -> Refusal | None:
    """What is shown above the form; nothing to overrule, for the form itself changes nothing."""
    if refused is None or not (general or refused.status == 409):
        return None
    return replace(refusal(view, replace(refused, problems=general)), overrules=())


def _player(view: GameView, seat: int, entered: Scoring, found: Sequence[Problem]) -> Player:
    typed = entered.typed.get(seat, "")
    points = entered.points.get(seat)
    unlikely = any(one.reason is Reason.POINTS_UNLIKELY for one in found)
    return Player(
        seat=seat,
        name=view.names[seat],
        typed=typed,
        total=f"= {points}" if points is not None and "+" in typed else "",
        is_out=entered.out == seat,
        floats=seat in entered.floats,
        error=entered.errors.get(seat, ""),
        reasons=whys(found, view),
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
    values = dict(rules.points)
    order = [rank for rank in Rank if rank >= Rank.THREE] + [Rank.TWO, *([Rank.JOKER] if rules.jokers else [])]
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
    of: int
    said: str
    changes: tuple[Change, ...]
    fields: tuple[tuple[str, str], ...]
    last: bool
    same: bool
    correcting: bool
    since: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def effective_state(state: GameState, entered: Scoring, asked: Asked) -> tuple[GameState, tuple[TakeBackFloat, ...]]:
    """The state in which the points count, and what makes it so: who was unticked does not float after all."""
    if asked.correcting or not asked.can_float or state.hand is None or state.hand.number != entered.hand:
        return state, ()
    unticked = tuple(TakeBackFloat(entered.hand, seat) for seat in sorted(state.hand.floating - entered.floats))
    for command in unticked:
        if not problems(state, command):
            state = evolve(state, decide(state, command)[0])
    return state, unticked


def preview(view: GameView, asked: Asked, entered: Scoring, since: tuple[str, ...] = ()) -> Preview:
    """The totals and places before and after what was entered, which must be legal."""
    state, _unticked = effective_state(view.state, entered, asked)
    after = evolve(state, decide(state, command(entered, asked))[0])
    new = after.score_of(entered.hand)
    assert new is not None
    of = len(asked.rules.contracts)
    return Preview(
        hand=entered.hand,
        of=of,
        said=_said(view, new),
        changes=changes(view, after, new),
        fields=tuple(entered.fields()),
        last=not asked.correcting and after.hand is None,
        same=after.scores == view.state.scores,
        correcting=asked.correcting,
        since=since,
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


def is_written(state: GameState, entered: Scoring) -> bool:
    """Whether a hand is scored with exactly what was entered: another phone, or this one a moment ago."""
    score = state.score_of(entered.hand)
    if score is None or entered.errors or score.out != entered.out_seat:
        return False
    filled = {seat: entered.points.get(seat, 0) for seat in score.points}
    return filled == dict(score.points) and entered.floats <= score.floating


def since_words(since: Sequence[EntryView], view: GameView) -> tuple[str, ...]:
    """What others entered meanwhile that bears on scores, the last few."""
    return tuple(event_words(entry, view) for entry in since if isinstance(entry.event, _BEARS))[-5:]
