"""Hand over, and the sheet of scores with its corrections."""

from collections.abc import Sequence

from flask import Blueprint

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


HandForm(
    bp,
    desk.WITH_POINTS,
    pages,
    blank=lambda playing: ScoringForm(playing.hand.number, playing.rules, floats=playing.hand.floating),
    of_score=of_score,
    read=lambda sent, number, asked: ScoringForm(number, asked.rules, sent),
    relevant=_relevant,
    elsewhere="grebber",
).add_routes("/over", "/scores/<int:number>")


@bp.get("/scores")
@desk.for_game("watch")
def sheet(view: GameView) -> desk.Answer:
    """The sheet: hands by players."""
    return desk.page("scores/sheet.html", view, page=sheet_page(view))
