"""Ask the referee without any game: four questions, all by GET, nothing kept."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask_babel import gettext as _
from flask_babel import lazy_gettext

from companion import wording
from companion.forms.questions import SHEETS_ASKED, Asked, read
from companion.pages import referee as pages
from companion.pages.cards import face, sheet_order
from companion.pages.verdicts import Verdict

bp = Blueprint("referee", __name__, url_prefix="/referee")

TITLES = {
    "meld": lazy_gettext("Is this a meld?"),
    "discard": lazy_gettext("May I throw it?"),
    "contract": lazy_gettext("Does this fill the hand?"),
    "hand": lazy_gettext("Can these cards go down?"),
}


@bp.get("")
def index() -> str:
    """The four questions."""
    return render_template("referee/index.html", titles=TITLES)


@bp.get("/meld")
def meld() -> tuple[str, int]:
    """Is this a meld, and what is each 2?"""
    asked = read(request.args, {"cards"})
    answer = pages.about_meld(asked.cards, asked.rules) if asked.complete else None
    return _page("meld", asked, answer)


@bp.get("/discard")
def discard() -> tuple[str, int]:
    """The dead-card sheet of typed melds."""
    asked = read(request.args, {"groups"})
    sheet = None
    if asked.complete:
        try:
            sheet = pages.discard_sheet(pages.lying(asked.groups, asked.rules), asked.card, asked.rules)
        except pages.NotAMeld as error:
            asked.errors["groups"] = _not_a_meld(error)
    return _page("discard", asked, sheet.verdict if sheet else None, sheet=sheet)


@bp.get("/contract")
def contract() -> tuple[str, int]:
    """Does this fill hand n?"""
    asked = read(request.args, {"groups", "hand"})
    answer = pages.about_contract(asked.groups, asked.hand, asked.rules) if asked.complete else None
    return _page("contract", asked, answer)


@bp.get("/hand")
def hand() -> tuple[str, int]:
    """Can these cards go down?"""
    asked = read(request.args, {"cards", "hand"})
    answer = pages.about_hand(asked.cards, asked.hand, asked.rules) if asked.complete else None
    return _page("hand", asked, answer)


def _not_a_meld(error: pages.NotAMeld) -> str:
    if not error.found:
        return _("%(cards)s is no meld.", cards=str(error))
    ways = "; ".join(map(wording.meld_sentence, error.found))
    return _("%(cards)s can lie in several ways (%(ways)s). Type them in the order they lie.", cards=error, ways=ways)


def _page(question: str, asked: Asked, answer: Verdict | None, **more: object) -> tuple[str, int]:
    contracts = [wording.contract_words(contract) for contract in asked.rules.contracts]
    page = render_template(
        f"referee/{question}.html",
        asked=asked,
        answer=answer,
        title=TITLES[question],
        contracts=contracts,
        sheets=SHEETS_ASKED,
        faces=[face(card) for card in sheet_order()],
        **more,
    )
    return page, 422 if asked.errors else 200
