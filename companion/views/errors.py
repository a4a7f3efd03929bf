"""Error pages: what happened, in the reader's language, and the way back; never a bare code."""

from contextlib import suppress

from flask import Flask, Response, current_app, make_response, render_template, request
from flask_babel import format_decimal, gettext
from flask_babel import lazy_gettext as _
from flask_wtf.csrf import CSRFError, generate_csrf
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionFree
from werkzeug.exceptions import HTTPException, InternalServerError

from companion.db import db
from companion.i18n import current_language
from companion.security import UPLOADS, UnknownHost
from companion.wording.text import N_

# code -> (title, what to do)
MESSAGES = {
    400: (_("That did not come through"), _("The form arrived incomplete. Go back, reload it and send it again.")),
    403: (_("Not from this phone"), _("This game can only be changed by the phones at its table. Ask for its link.")),
    404: (_("Nothing here"), _("There is no such page, or the game is not one that this phone may see.")),
    405: (_("Not like that"), _("This address only takes what its own form sends. Start from the table.")),
    409: (_("The game has moved on"), _("What that page was for is over. Look at the table and try again.")),
    413: (_("Too much at once"), _("That was far more than any form here needs. Nothing was changed.")),
    422: (_("That cannot be"), _("Something in the form does not fit. Nothing was changed.")),
    429: (_("Too fast"), _("Too many tries in a short time. Wait a minute, then try again.")),
    500: (_("Our mistake"), _("Something went wrong here, not on your side. Every entry made before is safe.")),
    503: (_("Busy"), _("The table is busy just now. Try again in a moment.")),
}
TOO_LARGE = N_(
    "The file is larger than the %(size)s MB that this page takes; nothing was changed. Take fewer nights out at a time, or "
    "import it on the server with “companion import”."
)
LOST = _(
    "If this phone was at the table before: another phone there lets it in again, under “More”, “Phones”. If no phone is in any more, "
    "whoever runs the server makes a new link with “companion link”."
)
EXPIRED = _("This page has been open too long or came from elsewhere. Go back, reload it and send it again.")

UNKNOWN_HOST = _("Not under this name")
NO_HOST = _("The address that this was asked under is none that a server can have. Type it again.")
UNNAMED = N_(
    "This server does not answer as “%(name)s”, so that no page from elsewhere can pretend to be it. Open it by the address that it "
    "shows at its start; if the name is yours, whoever runs the server sets COMPANION_HOSTNAMES=%(name)s."
)


# The database is away, or busy for longer than anybody waits.
AWAY = (OperationalError, InterfaceError, NoConnectionFree)
AWAY_TITLE = _("The table is out of reach just now")
AWAY_LOOKING = _(
    "The server cannot reach its record of games. Nothing is lost. This page tries again by itself in a few seconds."
)
AWAY_ENTERING = _(
    "The server cannot reach its record of games. Every entry made before is safe; whether this one arrived is not known. "
    "Send it again in a moment: it counts once, however often it is sent."
)
SECONDS = "5"
#: At most so much of what is too large is read, 64 MB: whoever sends more sees that the connection is closed.
_PARTS, _PART = 1024, 64 * 1024


def init_app(app: Flask) -> None:
    """Every HTTP error gets a page; an unforeseen one becomes a 500 with the trace in the log."""
    app.register_error_handler(HTTPException, show)
    for kind in AWAY:
        app.register_error_handler(kind, away)


def away(error: DBAPIError | NoConnectionFree) -> Response:
    """The page while the database is away (503): it comes back by itself, or offers what was typed for sending again."""
    current_app.logger.error("the database cannot be used: %s", getattr(error, "orig", error))
    with suppress(*AWAY):
        db.session.rollback()
    looks = request.method in ("GET", "HEAD")
    fields = [] if looks else list(request.form.items(multi=True))
    facts = {
        "code": 503, "title": str(AWAY_TITLE), "advice": str(AWAY_LOOKING if looks else AWAY_ENTERING),
        "fields": fields, "address": _address(),
    }  # fmt: skip
    response = make_response(_without_fail(facts), 503)
    response.headers["Retry-After"] = SECONDS
    if looks:
        response.headers["Refresh"] = SECONDS
    return response


def _address() -> str:
    return request.full_path if request.query_string else request.path


def _is_from_here() -> bool:
    """Whether a browser says that a page of ours sent this: then it is no other site's form, and may be sent again."""
    if any(file.filename for file in request.files.values()):
        return False  # a file cannot be kept
    if site := request.headers.get("Sec-Fetch-Site"):
        return site == "same-origin"
    return request.headers.get("Origin") == request.host_url.rstrip("/")


def _sent_again() -> list[tuple[str, str]]:
    """What was sent, with a token of this session, which a lost cookie has made new."""
    kept = [(name, value) for name, value in request.form.items(multi=True) if name not in ("csrf_token", "again")]
    return [("csrf_token", generate_csrf()), *kept, ("again", "1")]


def show(error: HTTPException) -> Response:
    """The page for `error`; an answer somebody made on purpose is passed on, and redirects stay redirects."""
    if error.response is not None or (error.code or 500) < 400:
        return make_response(error.get_response())
    code = error.code or 500
    if isinstance(error, InternalServerError):
        db.session.rollback()
    if code == 413:
        _let_it_finish()
    response = make_response(_page(code, error), code)
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    return response


def _let_it_finish() -> None:
    """Throw away what is still coming: a browser shows no answer that came while it was sending."""
    for _part in range(_PARTS if request.environ.get("wsgi.input_terminated") else 0):
        if not request.environ["wsgi.input"].read(_PART):
            return


def _page(code: int, error: HTTPException) -> str:
    title, advice = MESSAGES.get(code, MESSAGES[400 if code < 500 else 500])
    if isinstance(error, CSRFError):
        advice = EXPIRED
    elif isinstance(error, UnknownHost):
        title = UNKNOWN_HOST
        advice = gettext(UNNAMED, name=error.asked) if error.asked else NO_HOST
    elif code == 413 and request.endpoint in UPLOADS:
        size = format_decimal(round(current_app.config["MAX_UPLOAD"] / 2**20, 1))
        advice = gettext(TOO_LARGE, size=size)
    # The same at every address of a game, whether there is one or not.
    lost = str(LOST) if code == 404 and request.path.startswith("/g/") else ""
    facts: dict[str, object] = {"code": code, "title": str(title), "advice": str(advice), "lost": lost}
    if isinstance(error, CSRFError) and _is_from_here():
        facts |= {"fields": _sent_again(), "address": _address(), "again": "again" not in request.form}
    return _without_fail(facts) if isinstance(error, InternalServerError) else _framed(facts)


def _framed(facts: dict[str, object]) -> str:
    frame = current_app.jinja_env.select_template(["base.html", "errors/bare.html"])
    return render_template("errors/error.html", frame=frame, language=current_language(), **facts)


def _without_fail(facts: dict[str, object]) -> str:
    """Whatever broke the page may break its frame as well: then without the frame."""
    try:
        return _framed(facts)
    except Exception:
        current_app.logger.exception("the error page failed too")
        return current_app.jinja_env.get_template("errors/bare.html").render(facts, language=current_language())
