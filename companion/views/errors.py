"""Error pages: what happened, in the reader's language, and the way back; never a bare code."""

from __future__ import annotations

from flask import Flask, Response, current_app, make_response, render_template
from flask_babel import lazy_gettext as _
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException, InternalServerError

from companion.db import db
from companion.i18n import current_language

# code -> (title, what to do)
MESSAGES = {
    400: (_("That did not come through"), _("The form arrived incomplete. Go back, reload it and send it again.")),
    403: (_("Not from this phone"), _("This game can only be changed by the phones at its table. Ask for its link.")),
    404: (_("Nothing here"), _("There is no such page, or the game is not one that this phone may see.")),
    405: (_("Not like that"), _("This address only takes what its own form sends. Start from the table.")),
    409: (_("The game has moved on"), _("Somebody else made an entry meanwhile. Look at the table and try again.")),
    413: (_("Too much at once"), _("That was far more than any form here needs. Nothing was changed.")),
    422: (_("That cannot be"), _("Something in the form does not fit. Nothing was changed.")),
    429: (_("Too fast"), _("Too many tries in a short time. Wait a minute, then try again.")),
    500: (_("Our mistake"), _("Something went wrong here, not on your side. Every entry made before is safe.")),
    503: (_("Busy"), _("The table is busy just now. Try again in a moment.")),
}
EXPIRED = _("This page has been open too long or came from elsewhere. Go back, reload it and send it again.")


def init_app(app: Flask) -> None:
    """Every HTTP error gets a page; an unforeseen one becomes a 500 with the trace in the log."""
    app.register_error_handler(HTTPException, show)


def show(error: HTTPException) -> Response:
    """The page for `error`; an answer somebody made on purpose is passed on, and redirects stay redirects."""
    if error.response is not None or (error.code or 500) < 400:
        return make_response(error.get_response())
    code = error.code or 500
    if isinstance(error, InternalServerError):
        db.session.rollback()
    response = make_response(_page(code, error), code)
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    return response


def _page(code: int, error: HTTPException) -> str:
    title, advice = MESSAGES.get(code, MESSAGES[400 if code < 500 else 500])
    if isinstance(error, CSRFError):
        advice = EXPIRED
    facts: dict[str, object] = {
        "code": code,
        "title": str(title),
        "advice": str(advice),
        "language": current_language(),
    }
    facts["frame"] = current_app.jinja_env.select_template(["base.html", "errors/bare.html"])
    if not isinstance(error, InternalServerError):
        return render_template("errors/error.html", **facts)
    try:
        return render_template("errors/error.html", **facts)
    except Exception:  # whatever broke the page may break its frame as well: then without the frame
        current_app.logger.exception("the error page failed too")
        return current_app.jinja_env.get_template("errors/bare.html").render(facts)
