"""Hand over, and the sheet of scores with its corrections."""

from collections.abc import Sequence

from flask import Blueprint, redirect, url_for

from companion.forms.scoring import ScoringForm, of_score
from companion.pages import counting as pages
from companion.pages.scores import sheet_page
from companion.record import GameView
from companion.referee.reasons import Problem, Reason
from companion.views import desk
from companion.views.counting import HandForm

bp = Blueprint("scores", __name__, url_prefix="/g/<code>")

#: What an empty field means is open while nobody said who went out.
_OPEN = (Reason.MISSING_POINTS, Reason.ZERO_NOT_OUT)


def _relevant(problems: Sequence[Problem], entered: ScoringForm) -> Sequence[Problem]:
    def follows(problem: Problem) -> bool:
        is_open = problem.reason in _OPEN and "out" in entered.errors
        return is_open or f"points-{problem.facts.get('seat')}" in entered.errors

    return [problem for problem in problems if not follows(problem)]


_FORM = HandForm(
    "scores/count.html",
    "scores.over",
    "scores.correct",
    pages,
    blank=lambda playing: ScoringForm(playing.hand.number, playing.rules, floats=playing.hand.floating),
    of_score=of_score,
    read=lambda sent, number, asked: ScoringForm(number, asked.rules, sent),
    relevant=_relevant,
)


@bp.get("/scores")
@desk.for_game("watch")
def sheet(view: GameView) -> desk.Answer:
    """The sheet: hands by players."""
    return desk.page("scores/sheet.html", view, page=sheet_page(view))


@bp.get("/over")
@desk.for_game("keeper")
def over(view: GameView) -> desk.Answer:
    """The end of a hand: who went out and what the others hold; a game of another kind counts on a page of its own."""
    return _FORM.ask(view) if _counts_here(view) else redirect(url_for("grebber.count", code=view.code))


@bp.post("/over")
@desk.for_game("keeper", only=desk.WITH_POINTS)
def save(view: GameView) -> desk.Answer:
    """The hand is scored."""
    return _FORM.save(view)


@bp.get("/scores/<int:number>")
@desk.for_game("keeper")
def correct(view: GameView, number: int) -> desk.Answer:
    """A hand scored before, to be put right."""
    if not _counts_here(view):
        return redirect(url_for("grebber.correct", code=view.code, number=number))
    return _FORM.ask_again(view, number)


@bp.post("/scores/<int:number>")
@desk.for_game("keeper", only=desk.WITH_POINTS)
def corrected(view: GameView, number: int) -> desk.Answer:
    """The old hand has other scores."""
    return _FORM.save_again(view, number)


def _counts_here(view: GameView) -> bool:
    return view.state.rules is not None and desk.WITH_POINTS(view.state.rules)
