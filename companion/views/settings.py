"""Settings of this phone: kept in cookies, nothing of them in the record."""

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for

from companion.i18n import languages, remember_language

bp = Blueprint("settings", __name__)

SUITS = "suits"
A_YEAR = 60 * 60 * 24 * 365


@bp.app_context_processor
def looks() -> dict[str, bool]:
    """Whether cards are drawn in four colours."""
    return {"four_suits": request.cookies.get(SUITS) == "four"}


@bp.get("/settings")
def settings() -> str:
    """The form."""
    return render_template("settings/settings.html")


@bp.post("/settings")
def save() -> Response:
    """Keep what was chosen; what is on offer nowhere is left as it was."""
    answer = make_response(redirect(url_for("settings.settings"), code=303))
    if request.form.get("suits") in ("two", "four"):
        answer.set_cookie(
            SUITS, request.form["suits"], max_age=A_YEAR, httponly=True, samesite="Lax", secure=request.is_secure
        )
    if request.form.get("language") in languages():
        remember_language(answer, request.form["language"])
    return answer
