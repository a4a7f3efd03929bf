"""Drafts that phones keep of what is typed (``static/js/drafts.js``): which have landed, and what they may be about."""

import re
from collections.abc import Callable

from flask import Blueprint, request
from werkzeug.wrappers import Response

from companion.record import GameView
from companion.referee.engine.rearranging import rearranges

bp = Blueprint("drafts", __name__)

LANDED = "landed"
#: For so many seconds the phone is told; the page after the form reads it.
TOLD = 600
_ABOUT = re.compile(r"[\w/.-]{1,80}", re.ASCII)
#: At most so many are told at once.
_MOST = 5


@bp.app_context_processor
def alive() -> dict[str, Callable[[GameView], str]]:
    """For templates: what drafts of a game may still be about."""
    return {"alive": subjects}


def subjects(view: GameView) -> str:
    """The pages and entries of a game that can be typed about now, parted by blanks: ``over/3`` is the end of hand 3,
    ``down/3`` whoever goes down in it, ``meld/3.1`` a meld on the table, ``correct/2`` a hand counted before.
    """
    counted = [f"correct/{score.number}" for score in view.state.scores]
    hand = view.state.hand
    if hand is None or not view.is_playing:
        return " ".join(counted)
    taps = ("over", "down", "who", *(["rearrange"] if rearranges(view.state.rules) else []))
    pages = [f"{page}/{hand.number}" for page in taps]
    return " ".join(["join", *pages, *(f"meld/{hand.number}.{meld.number}" for meld in hand.melds), *counted])


@bp.after_app_request
def say_what_landed(response: Response) -> Response:
    """A form that landed is answered with another page: its draft has done its work."""
    if request.method != "POST" or response.status_code != 303:
        return response
    draft = request.form.get("draft", "")
    if _ABOUT.fullmatch(draft):
        before = [about for about in request.cookies.get(LANDED, "").split("|") if _ABOUT.fullmatch(about)]
        landed = "|".join([*before[1 - _MOST :], draft])
        response.set_cookie(LANDED, landed, max_age=TOLD, samesite="Lax", secure=request.is_secure)
    return response
