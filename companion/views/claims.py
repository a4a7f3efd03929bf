"""Who gets the discard that several want (G5)."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask_babel import gettext as _

from companion import record
from companion.pages.claims import claim_page
from companion.views import desk
from companion.wording import form_error

bp = Blueprint("claims", __name__, url_prefix="/g/<code>")


@bp.get("/who")
def who(code: str) -> tuple[str, int]:
    """Who discarded and who wants the card; with both, the answer and its rule."""
    view = desk.game(code)
    desk.in_play(view)
    playing, args = view.state.dealt_in, request.args
    discarder, first = desk.number(args.get("discarder")), desk.number(args.get("first"))
    calls = [seat for seat in playing if str(seat) in args.getlist("call")]
    errors = {}
    if args and discarder not in playing:
        errors["discarder"] = form_error("choose")
    if args and not calls:
        errors["call"] = _("Mark at least one player who wants the card.")
    page = claim_page(view, None if errors else discarder, calls, first)
    html = render_template(
        "game/who.html", game=view, page=page, errors=errors, discarder=discarder, calls=calls, first=first,
        token=record.new_token(),
    )  # fmt: skip
    return html, 422 if errors else 200
