"""Hand over, and the sheet of scores with its corrections."""

from flask import Blueprint

from companion.forms.scoring import ScoringForm, of_score
from companion.pages import counting as pages
from companion.pages.scores import sheet_page
from companion.record import GameView
from companion.views import desk
from companion.views.counting import HandForm

bp = Blueprint("scores", __name__, url_prefix="/g/<code>")

HandForm(bp, desk.WITH_POINTS, pages, ScoringForm, of_score, elsewhere="grebber").add_routes(
    "/over", "/scores/<int:number>"
)


@bp.get("/scores")
@desk.for_game("watch")
def sheet(view: GameView) -> desk.Answer:
    """The sheet: hands by players."""
    return desk.page("scores/sheet.html", view, page=sheet_page(view))
