"""Home: the games of this phone, and the language."""

from flask import Blueprint, Response, abort, current_app, make_response, redirect, render_template, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.routing import MapAdapter, RequestRedirect

from companion import i18n, record
from companion.pages.home import home_page
from companion.phones import devices

bp = Blueprint("home", __name__)

EVERY_NIGHT = 2000  # a lifetime of them


@bp.get("/")
def index() -> str:
    """New game, games going on, nights finished."""
    everything = "all" in request.args
    games = record.games_for(devices.current_id(), *([EVERY_NIGHT] if everything else []))
    return render_template("home/home.html", page=home_page(games, everything=everything))


@bp.post("/language")
def language() -> Response:
    """Remember the language, and back to where the person was."""
    code = request.form.get("language", "")
    if code not in i18n.languages():
        abort(422)
    back = redirect(_back(request.form.get("next", "")), code=303)
    return i18n.remember_language(make_response(back), code)


def _back(wanted: str) -> str:
    """`wanted` where it is a page of ours, else the page above it that is one, else home; never another site's."""
    path, mark, query = wanted.partition("?")
    if len(wanted) > 2000 or not path.startswith("/") or path.startswith("//") or not _is_plain(wanted):
        return "/"
    here = current_app.url_map.bind("here", url_scheme="http")
    if _is_page(here, path):
        return path + mark * bool(query) + query
    above = path.rstrip("/").rpartition("/")[0] + "/"  # a form's own address is no page: its table's is
    return above if _is_page(here, above) else "/"


def _is_plain(address: str) -> bool:
    """Browsers take a backslash for a slash and skip control characters: neither is in an address of ours."""
    return address.isascii() and address.isprintable() and "\\" not in address and " " not in address


def _is_page(here: MapAdapter, path: str) -> bool:
    try:
        here.match(path, method="GET")
    except (RequestRedirect, MethodNotAllowed, HTTPException):
        return False
    return True
