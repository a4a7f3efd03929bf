"""The recap of a night, its picture, text and link to share, and score sheets to print."""

from __future__ import annotations

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import format_date
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from companion import record
from companion.exporting import bgstats
from companion.pages.picture import picture
from companion.pages.printing import blank_sheet, night_sheet
from companion.pages.recap import recap_page, text_to_paste
from companion.record import finished
from companion.referee.games import KATE, SHEETS
from companion.views import desk

bp = Blueprint("recap", __name__)

LEAST, USUAL, MOST = 3, 4, 8  # columns of a blank sheet


@bp.get("/g/<code>/recap")
def night(code: str) -> str:
    """The night: podium, chart, turning points, and what can be sent of it."""
    view = desk.game(code)
    events, shown = finished.events_in_force(code), finished.recap_code(code)
    page = recap_page(view, events)
    link = url_for(".shared", recap=shown, _external=True) if shown else ""
    return render_template(
        "recap/recap.html",
        game=view,
        page=page,
        picture=picture(page),
        text=text_to_paste(page, link),
        shown=shown,
        link=link,
        file_name=f"gripe-{format_date(view.created_at, 'yyyy-MM-dd')}.png",
        bg_stats=bgstats.link(view, events, *finished.identity(code)),
        token=record.new_token(),
    )


@bp.post("/g/<code>/recap")
def link(code: str) -> Response:
    """Hand out the link to the recap, or withdraw the one that the page showed; doing it twice changes nothing."""
    view, wanted = desk.game(code), request.form.get("do", "")
    if wanted not in ("make", "withdraw"):
        abort(422)
    if wanted == "make":
        finished.hand_out_recap(view.code)
        return redirect(url_for(".night", code=code, _anchor="by-link"), code=303)
    finished.withdraw_recap(view.code, request.form.get("shown", ""))
    flash(_("The link is withdrawn: it shows nothing any more."))
    return redirect(url_for(".night", code=code), code=303)


@bp.get("/r/<recap>")
def shared(recap: str) -> str | tuple[str, int]:
    """The recap for who has its link; nothing else of the table is shown there."""
    view = finished.night_of_recap(recap)
    if view is None:
        return render_template("recap/withdrawn.html"), 404
    return render_template("recap/shared.html", page=recap_page(view, finished.events_in_force(view.code)))


@bp.get("/g/<code>/print")
def paper(code: str) -> str:
    """The score sheet of a night, as one page of paper."""
    view = desk.game(code)
    return render_template("recap/print.html", game=view, sheet=night_sheet(view))


@bp.get("/print/blank")
def blank() -> str:
    """A blank score sheet; ``players`` columns, the hands of rule sheet ``sheet``."""
    rules = SHEETS.get(request.args.get("sheet", ""), KATE)
    wanted = desk.number(request.args.get("players")) or USUAL
    players = min(max(wanted, LEAST), MOST)
    counts = range(LEAST, MOST + 1)
    sheet = blank_sheet(rules, players)
    return render_template("recap/blank.html", sheet=sheet, counts=counts, chosen=rules.sheet)
