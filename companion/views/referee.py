"""Ask the referee without any game: four questions, all by GET, nothing kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping

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
#: The fields of a question, and the answer to what was typed into them.
_ANSWERS: Mapping[str, tuple[set[str], Callable[[Asked], Verdict]]] = {
    "meld": ({"cards"}, lambda asked: pages.about_meld(asked.cards, asked.rules)),
    "contract": ({"groups", "hand"}, lambda asked: pages.about_contract(asked.groups, asked.hand, asked.rules)),
    "hand": ({"cards", "hand"}, lambda asked: pages.about_hand(asked.cards, asked.hand, asked.rules)),
}


@bp.get("")
def index() -> str:
    """The four questions."""
    return render_template("referee/index.html", titles=TITLES)


@bp.get("/meld", endpoint="meld", defaults={"question": "meld"})
@bp.get("/contract", endpoint="contract", defaults={"question": "contract"})
@bp.get("/hand", endpoint="hand", defaults={"question": "hand"})
def ask(question: str) -> tuple[str, int]:
    """Is this a meld, does this fill hand n, can these cards go down?"""
    fields, answer = _ANSWERS[question]
    asked = read(request.args, fields)
    return _page(question, asked, answer(asked) if asked.complete else None)


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


def _not_a_meld(error: pages.NotAMeld) -> str:
    if not error.found:
        return _("%(cards)s is no meld.", cards=str(error))
    ways = "; ".join(map(wording.meld_sentence, error.found))
    return _("%(cards)s can lie in several ways (%(ways)s). Type them in the order they lie.", cards=error, ways=ways)


def _page(question: str, asked: Asked, answer: Verdict | None, **more: object) -> tuple[str, int]:
    facts = {
        "title": TITLES[question], "sheets": SHEETS_ASKED, "faces": [face(card) for card in sheet_order()],
        "contracts": [wording.contract_words(contract) for contract in asked.rules.contracts],
    }  # fmt: skip
    html = render_template(f"referee/{question}.html", asked=asked, answer=answer, **facts, **more)
    return html, 422 if asked.errors else 200
