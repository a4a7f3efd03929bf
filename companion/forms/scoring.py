"""The end of a hand as somebody enters it: who went out, who floats, and what the others hold."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from flask_babel import lazy_gettext as _l
from werkzeug.datastructures import MultiDict

from companion.forms.counting import Asked, CountingForm
from companion.forms.fields import BySeat, Field, Several, Sum, wrong
from companion.forms.numbers import whole
from companion.referee.commands import CorrectScore, ScoreHand, TakeBackFloat
from companion.referee.reasons import Problem, Reason
from companion.referee.scoring import likely_points, pack_points
from companion.referee.state import GameState, HandScore

NOBODY = "nobody"
#: What an empty field means is open while nobody said who went out.
_OPEN = (Reason.MISSING_POINTS, Reason.ZERO_NOT_OUT)
_POINTS = re.compile(r"points-([0-9]{1,3})")


class Out(Field):
    """Who went out: a seat, or ``NOBODY``."""

    def read(self, text: str) -> int | str:
        seat = NOBODY if text == NOBODY else whole(text, 3)
        if seat is None:
            raise wrong("choose")
        return seat


class Cut(Field):
    """Who lifted exactly the cards to be dealt: a seat, or nothing."""

    def read(self, text: str) -> int | None:
        seat = whole(text, 3)
        if text and seat is None:
            raise wrong("choose")
        return seat


class Seats(Several):
    """Some players."""

    def read(self, texts: Iterable[str]) -> frozenset[int]:
        return frozenset(seat for text in texts if (seat := whole(text, 3)) is not None)


class ScoringForm(CountingForm):
    """The points of a hand. An empty field of points is no error of the form: the referee judges it.

    ``sure`` has the unlikely points that somebody confirmed, each as ``seat=points``.
    """

    out = Out(_l("Who went out?"), default="")
    floats = Seats()
    sure = Several()
    at_once = Several(_l("Went down and out in one turn"))
    cut = Cut(_l("Who cut exactly?"), default="")
    laid = Seats(_l("Who laid what was asked?"))
    unnoted = Several(_l("Not noted: where the freed wild went"))
    points = BySeat(
        Sum(most=lambda form: pack_points(form.asked.rules), least=lambda form: form.asked.rules.least_points)
    )

    def add_players(self, sent: MultiDict[str, str]) -> None:
        """Those of whom points were sent."""
        for name in sent:
            if field := _POINTS.fullmatch(name):
                self.points.of(int(field[1]))

    @property
    def seats(self) -> tuple[int, ...]:
        """The players of whom points were sent."""
        return tuple(self.points.by_seat)

    @property
    def out_seat(self) -> int | None:
        """Who went out; None: nobody did, or nobody chose yet."""
        return self.out.data if isinstance(self.out.data, int) else None

    @property
    def read_points(self) -> dict[int, int]:
        """The points that could be read, with what the game takes off of them."""
        rules, points = self.asked.rules, self.typed_points
        if self.at_once.data and self.out_seat is not None and rules.out_in_one_turn:
            points[self.out_seat] = points.get(self.out_seat, 0) + rules.out_in_one_turn
        if isinstance(self.cut.data, int) and rules.exact_cut:
            held = points.get(self.cut.data, 0 if self.cut.data == self.out_seat else None)
            points |= {} if held is None else {self.cut.data: held + rules.exact_cut}
        return points

    @property
    def typed_points(self) -> dict[int, int]:
        """The points as they were typed."""
        return {seat: field.data for seat, field in self.points.by_seat.items() if isinstance(field.data, int)}

    def before(self, state: GameState) -> tuple[TakeBackFloat, ...]:
        """Who was unticked does not float after all."""
        if self.asked.correcting or not self.asked.can_float or state.hand is None or state.hand.number != self.hand:
            return ()
        return tuple(TakeBackFloat(self.hand, seat) for seat in sorted(state.hand.floating - self.floats.data))

    def command(self) -> ScoreHand | CorrectScore:
        """What the form asks for; a hand scored before had no floaters to tick where nobody can float."""
        entered = (self.hand, self.out_seat, self.read_points, self._is_sure())
        if self.asked.correcting:
            return CorrectScore(*entered, self.floats.data if self.asked.can_float else None, self.laid_seats)
        return ScoreHand(*entered, self.floats.data, bool(self.unnoted.data), self.laid_seats)

    @property
    def laid_seats(self) -> frozenset[int] | None:
        """Who laid the contract of their own hand of the list; None where all play the same hand."""
        return frozenset(self.laid.data) if self.asked.rules.own_progress else None

    def _is_sure(self) -> bool:
        """Whether every unlikely number was confirmed, each as it stands."""
        if not 1 <= self.hand <= (len(self.asked.rules.buys) if self.asked.rules.hands_in_all else self.hand):
            return False
        likely = likely_points(self.asked.rules, self.hand)
        unlikely = {f"{seat}={points}" for seat, points in self.typed_points.items() if points > likely}
        return bool(unlikely) and unlikely <= set(self.sure.data)

    def relevant(self, problems: Sequence[Problem]) -> list[Problem]:
        """What an empty field means is open while nobody said who went out."""
        unread = self.errors
        return [
            problem
            for problem in problems
            if not (problem.reason in _OPEN and "out" in unread) and f"points-{problem.facts.get('seat')}" not in unread
        ]

    def says(self, score: HandScore) -> bool:
        """Whether the hand was scored so; who did not type a number has 0."""
        points = {seat: self.read_points.get(seat, 0) for seat in score.points}
        laid = self.laid_seats is None or self.laid_seats | ({self.out_seat} - {None}) == score.down
        same = score.out == self.out_seat and points == dict(score.points)
        return same and laid and self.floats.data <= score.floating


def first_out(state: GameState) -> int | str:
    """Who is out already, where the others have one more turn after that; "" where nobody can know."""
    hand = state.hand
    if hand is None or state.hand_rules.after_out != "one_turn_each":
        return ""
    if hand.melds:
        return hand.melds[0].owner
    return next(iter(hand.down)) if len(hand.down) == 1 else ""


def of_score(asked: Asked, score: HandScore) -> ScoringForm:
    """What was scored, as if somebody had just typed it; the zeros of who went out or floated stay blank."""
    rules, held = asked.rules, dict(score.points)
    of_out = held.get(-1 if score.out is None else score.out, 0)
    off: dict[str, Any] = {}
    if rules.out_in_one_turn and of_out in (rules.out_in_one_turn, rules.least_points):
        off, held[score.out or 0] = {"at_once": ["1"]}, of_out - rules.out_in_one_turn
    if rules.exact_cut and (cut := next((seat for seat, points in held.items() if points < 0), None)) is not None:
        off, held[cut] = {**off, "cut": str(cut)}, held[cut] - rules.exact_cut
    typed = {seat: str(points) if points else "" for seat, points in held.items()}
    out = NOBODY if score.out is None else score.out
    return ScoringForm(asked, out=out, floats=score.floating, laid=score.down, points=typed, **off)
