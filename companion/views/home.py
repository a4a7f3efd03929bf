"""What belongs to no game: home, the settings of this phone (cookies, nothing of the record), the rules by sheet."""

from flask import Blueprint, Response, abort, current_app, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.routing import MapAdapter, RequestRedirect

from companion import i18n, record
from companion.pages.home import home_page
from companion.phones import devices
from companion.referee.games import SHEETS
from companion.wording import rules_page

bp = Blueprint("home", __name__)

EVERY_NIGHT = 2000  # a lifetime of them
SUITS = "suits"
SIZE = "size"


@bp.app_context_processor
def looks() -> dict[str, bool]:
    """Whether cards are drawn in four colours, and everything large."""
    return {"four_suits": request.cookies.get(SUITS) == "four", "large": request.cookies.get(SIZE) == "large"}


@bp.get("/")
def index() -> str:
    """New game, games going on, nights finished."""
    everything = "all" in request.args
    games = record.games_for(devices.current_id(), *([EVERY_NIGHT] if everything else []))
    return render_template("home/home.html", page=home_page(games, everything=everything))


@bp.post("/language")
def language() -> Response:
    """Remember the language, and back to where the person was."""
    if not i18n.switch(request.form.get("language", "")):
        abort(422)
    return make_response(redirect(_back(request.form.get("next", "")), code=303))


@bp.get("/settings")
def settings() -> str:
    """The form."""
    return render_template("settings/settings.html")


@bp.post("/settings")
def save() -> Response:
    """Keep what was chosen; what is on offer nowhere is left as it was."""
    answer = make_response(redirect(url_for(".settings"), code=303))
    choices = (
        ("suits", SUITS, ("two", "four")), ("size", SIZE, ("normal", "large")),
        ("language", i18n.COOKIE, i18n.languages()),
    )  # fmt: skip
    for field, cookie, offered in choices:
        if request.form.get(field) in offered:
            _keep(answer, cookie, request.form[field])
    return answer


@bp.get("/rules")
def rules() -> str:
    """The rules of a sheet (``?sheet=ehow``), of Kate's by default."""
    sheet = SHEETS.get(request.args.get("sheet", "kate")) or abort(404)
    return render_template("rules/rules.html", page=rules_page(sheet), table=None)


def _keep(answer: Response, cookie: str, choice: str) -> None:
    answer.set_cookie(cookie, choice, max_age=i18n.A_YEAR, httponly=True, samesite="Lax", secure=request.is_secure)


def _back(wanted: str) -> str:
    """`wanted` where it is a page of ours, else the page above it that is one, else home; never another site's."""
    path, mark, query = wanted.partition("?")
    # Browsers take a backslash for a slash and skip control characters: neither is in an address of ours.
    is_plain = wanted.isascii() and wanted.isprintable() and not {"\\", " "} & set(wanted)
    if len(wanted) > 2000 or not path.startswith("/") or path.startswith("//") or not is_plain:
        return "/"
    here = current_app.url_map.bind("here", url_scheme="http")
    if _is_page(here, path):
        return path + mark * bool(query) + query
    above = path.rstrip("/").rpartition("/")[0] + "/"  # a form's own address is no page: its table's is
    return above if _is_page(here, above) else "/"


def _is_page(here: MapAdapter, path: str) -> bool:
    try:
        here.match(path, method="GET")
    except (RequestRedirect, MethodNotAllowed, HTTPException):
        return False
    return True
