"""Points at the start as their pages show them: the form, and what a correction makes of the totals."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask_babel import gettext as _

from companion.forms.carried import CarriedForm
from companion.pages.counting import Change, changes_of
from companion.pages.late_joiners import Offer, offer
from companion.pages.refusals import Meanwhile, Refusal, Refused, refusal, whys
from companion.pages.verdicts import Why
from companion.record import GameView, finished
from companion.referee.commands import CorrectCarried
from companion.referee.engine import decide, evolve
from companion.referee.joiners import given_points
from companion.wording import seats as words


@dataclass(frozen=True, slots=True)
class Line:
    """A player's line of the form: ``first`` is the field of the hand of the list they began with, None where all play the
    same; ``late`` is what G9.4 gives who came late, in words, or "".
    """

    seat: int
    name: str
    field: object
    first: object
    late: str
    reasons: tuple[Why, ...]


@dataclass(frozen=True, slots=True)
class CarriedPage:
    """The form of everybody's points at the start; ``refusal`` is what is shown above it."""

    lines: tuple[Line, ...]
    refusal: Refusal | None


@dataclass(frozen=True, slots=True)
class CarriedPreview:
    """What other points at the start would make of the totals and places."""

    form: CarriedForm
    changes: tuple[Change, ...]
    notes: tuple[str, ...]
    same: bool
    since: tuple[Meanwhile, ...]
    offer: Offer | None


def carried_page(view: GameView, form: CarriedForm, refused: Refused | None = None) -> CarriedPage:
    """The form, each reason beside the player it is about, the rest above."""
    against = refused.problems if refused else ()
    given = given_points(finished.events_in_force(view.code))
    lines = tuple(
        Line(
            seat, view.names[seat], form.start.of(seat), form.first.by_seat.get(seat), _late(given.get(seat)),
            whys([problem for problem in against if problem.facts.get("seat") == seat], view),
        )
        for seat in view.state.chairs
    )  # fmt: skip
    general = tuple(problem for problem in against if problem.facts.get("seat") not in view.state.chairs)
    above = refused and (refused.status == 409 or general)
    return CarriedPage(lines, refusal(view, refused) if refused and above else None)


def _late(points: int | None) -> str:
    return "" if points is None else words.joiner_given(points)


def carried_preview(view: GameView, form: CarriedForm, since: Sequence[Meanwhile] = ()) -> CarriedPreview:
    """The totals and places before and after, which must be legal."""
    state = view.state
    (event,) = decide(state, CorrectCarried(form.changed, form.begins))
    after = evolve(state, event)
    points = {seat: str(after.carried.get(seat, 0)) for seat in state.chairs}
    turn = _("With this the game is over.") if after.hand is None else _("With this the game goes on.")
    notes = (turn,) if (state.hand is None) is not (after.hand is None) else ()
    return CarriedPreview(
        form, changes_of(view, after, points), notes, form.command() is None, tuple(since),
        offer(view, event) if form.changed else None,
    )  # fmt: skip
