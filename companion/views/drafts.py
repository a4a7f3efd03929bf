"""What was typed stays typed: drafts on the phone (``static/js/drafts.js``), which have landed and what they may be
about; and without scripts the switch of the language, which the form itself sends with everything in it.
"""

import re
from collections.abc import Callable
from urllib.parse import urlencode

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from companion import i18n
from companion.record import GameView
from companion.referee.engine.rearranging import rearranges

bp = Blueprint("drafts", __name__)

LANDED = "landed"
#: What a language button sends beside the form.
SHOWN_IN = "show_in"
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


@bp.before_app_request
def switch_language() -> Response | None:
    """A form that is looked at by its address comes back to it, without what a language button added."""
    language = request.args.get(SHOWN_IN) if request.method == "GET" else request.form.get(SHOWN_IN)
    if language is None or not i18n.switch(language) or request.method != "GET":
        return None
    kept = [(name, value) for name, value in request.args.items(multi=True) if name not in (SHOWN_IN, "change")]
    return redirect(f"{request.path}?{urlencode([*kept, ('change', '1')])}", code=303)


def only_shown() -> bool:
    """Whether a form was sent by a language button: it is shown again as it is, and nothing is entered."""
    return SHOWN_IN in request.form


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
