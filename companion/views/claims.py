"""Who gets the discard that several want (G5)."""

from __future__ import annotations

from flask import Blueprint, request
from flask_babel import gettext as _

from companion.pages.claims import claim_page
from companion.record import GameView
from companion.views import desk
from companion.wording import form_error

bp = Blueprint("claims", __name__, url_prefix="/g/<code>")


@bp.get("/who")
@desk.for_game("watch", hand_in_play=True, only=desk.WITH_CONTRACTS)
def who(view: GameView, _playing: desk.Playing) -> desk.Answer:
    """Who discarded and who wants the card; with both, the answer and its rule."""
    seats, args, errors = view.state.dealt_in, request.args, {}
    discarder, first = desk.number(args.get("discarder")), desk.number(args.get("first"))
    calls = [seat for seat in seats if str(seat) in args.getlist("call")]
    if args and discarder not in seats:
        errors["discarder"] = form_error("choose")
    if args and not calls:
        errors["call"] = _("Mark at least one player who wants the card.")
    return desk.page(
        "game/who.html", view, page=claim_page(view, None if errors else discarder, calls, first), errors=errors,
        discarder=discarder, calls=calls, first=first, status=422 if errors else 200,
    )  # fmt: skip
