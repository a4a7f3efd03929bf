"""The rules: in general by sheet, and as one table plays them."""

from flask import Blueprint, abort, render_template, request

from companion.referee.games import SHEETS
from companion.wording import rules_page

bp = Blueprint("rules", __name__)


@bp.get("/rules")
def general() -> str:
    """The rules of a sheet (``?sheet=ehow``), of Kate's by default."""
    rules = SHEETS.get(request.args.get("sheet", "kate")) or abort(404)
    return render_template("rules/rules.html", page=rules_page(rules), table=None)
