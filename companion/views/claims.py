"""Who gets the discard that several want (G5)."""

from flask import Blueprint, request

from companion.forms.claims import ClaimForm
from companion.pages.claims import claim_page
from companion.record import GameView
from companion.views import desk

bp = Blueprint("claims", __name__, url_prefix="/g/<code>")


@bp.get("/who")
@desk.for_game("watch", hand_in_play=True, only=desk.WITH_CONTRACTS)
def who(view: GameView, _playing: desk.Playing) -> desk.Answer:
    """Who discarded and who wants the card; with both, the answer and its rule."""
    form = ClaimForm(view.state.dealt_in, request.args)
    discarder = None if form.errors else form.discarder.data
    page = claim_page(view, discarder, form.call.data, desk.number(form.first.text))
    return desk.page("game/who.html", view, page=page, form=form, status=422 if form.errors else 200)
