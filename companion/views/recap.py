"""The recap of a night, its picture, text and link to share, and score sheets to print."""

from flask import Blueprint, abort, flash, render_template, request, url_for
from flask_babel import gettext as _

from companion.exporting import bgstats
from companion.i18n import evening_of
from companion.pages.picture import picture
from companion.pages.printing import blank_sheet, night_sheet
from companion.pages.recap import recap_page, text_to_paste, to_share
from companion.record import GameView, finished
from companion.referee.games import KATE, SHEETS
from companion.views import desk

bp = Blueprint("recap", __name__)

LEAST, USUAL, MOST = 3, 4, 8  # columns of a blank sheet


@bp.get("/g/<code>/recap")
@desk.for_game("watch")
def night(view: GameView) -> desk.Answer:
    """The night: podium, chart, turning points, and what can be sent of it."""
    events, shown = finished.events_in_force(view.code), finished.recap_code(view.code)
    page = recap_page(view, events)
    link = to_share(url_for(".shared", recap=shown)) if shown else None
    return desk.page(
        "recap/recap.html", view, page=page, picture=picture(page), text=text_to_paste(page, link), shown=shown, link=link,
        file_name=f"gripe-{evening_of(view.created_at)}.png",
        bg_stats=bgstats.link(view, events, *finished.identity(view.code)),
    )  # fmt: skip


@bp.post("/g/<code>/recap")
@desk.for_game("keeper")
def link(view: GameView) -> desk.Answer:
    """Hand out the link to the recap, or withdraw the one that the page showed; doing it twice changes nothing."""
    wanted = request.form.get("do", "")
    if wanted == "make":
        finished.hand_out_recap(view.code)
        return desk.go_to(".night", view, _anchor="by-link")
    if wanted != "withdraw":
        abort(422)
    finished.withdraw_recap(view.code, request.form.get("shown", ""))
    flash(_("The link is withdrawn: it shows nothing any more."))
    return desk.go_to(".night", view)


@bp.get("/r/<recap>")
def shared(recap: str) -> str | tuple[str, int]:
    """The recap for who has its link; nothing else of the table is shown there."""
    view = finished.night_of_recap(recap)
    if view is None:
        return render_template("recap/withdrawn.html"), 404
    return render_template("recap/shared.html", page=recap_page(view, finished.events_in_force(view.code)))


@bp.get("/g/<code>/print")
@desk.for_game("watch")
def paper(view: GameView) -> desk.Answer:
    """The score sheet of a night, as one page of paper."""
    return render_template("recap/print.html", game=view, sheet=night_sheet(view))


@bp.get("/print/blank")
def blank() -> str:
    """A blank score sheet; ``players`` columns, the hands of rule sheet ``sheet``."""
    rules = SHEETS.get(request.args.get("sheet", ""), KATE)
    wanted = desk.number(request.args.get("players")) or USUAL
    players = min(max(wanted, LEAST), MOST)
    facts = {"sheet": blank_sheet(rules, players), "counts": range(LEAST, MOST + 1), "chosen": rules.sheet}
    return render_template("recap/blank.html", **facts)
