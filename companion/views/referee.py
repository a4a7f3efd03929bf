"""Ask the referee without any game: four questions, all by GET, nothing kept but the rule sheet that was chosen last."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from flask import Blueprint, Response, make_response, render_template, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext

from companion import i18n, wording
from companion.forms.questions import ContractQuestion, DiscardQuestion, HandQuestion, MeldQuestion, Question
from companion.pages import referee as pages
from companion.pages.cards import face, sheet_order
from companion.pages.verdicts import Verdict

bp = Blueprint("referee", __name__, url_prefix="/referee")

#: The cookie with the rule sheet that was chosen last.
SHEET = "sheet"
TITLES = {
    "meld": lazy_gettext("Is this a meld?"),
    "discard": lazy_gettext("May I throw it?"),
    "contract": lazy_gettext("Does this fill the hand?"),
    "hand": lazy_gettext("Can these cards go down?"),
}
#: The form of a question, and the fields that are asked about.
_FORMS: Mapping[str, tuple[type[Question], tuple[str, ...]]] = {
    "meld": (MeldQuestion, ("cards",)),
    "discard": (DiscardQuestion, ()),
    "contract": (ContractQuestion, ("groups", "hand")),
    "hand": (HandQuestion, ("cards", "hand")),
}
_ANSWERS: Mapping[str, Callable[..., Verdict]] = {
    "meld": pages.about_meld,
    "contract": pages.about_contract,
    "hand": pages.about_hand,
}


@bp.get("")
def index() -> str:
    """The four questions."""
    addresses = {question: url_for(f".{question}") for question in TITLES}
    return render_template("referee/index.html", titles=TITLES, addresses=addresses)


@bp.get("/meld", endpoint="meld", defaults={"question": "meld"})
@bp.get("/discard", endpoint="discard", defaults={"question": "discard"})
@bp.get("/contract", endpoint="contract", defaults={"question": "contract"})
@bp.get("/hand", endpoint="hand", defaults={"question": "hand"})
def ask(question: str) -> Response:
    """One of the questions, by the sheet that is chosen or was chosen last."""
    asked = form_of(question)(request.args, usual=request.cookies.get(SHEET))
    facts = answered(question, asked)
    answer = make_response(render_template("referee/question.html", **facts, **_addresses(question, asked)))
    answer.status_code = 422 if asked.errors else 200
    if "sheet" in request.args:
        chosen = asked.sheet.text
        answer.set_cookie(
            SHEET, chosen, max_age=i18n.A_YEAR, httponly=True, samesite="Lax", secure=request.is_secure
        )  # fmt: skip
    return answer


def _addresses(question: str, asked: Question) -> dict[str, Any]:
    return {
        "again": partial(url_for, f".{question}", sheet=asked.sheet.text),
        "others": url_for(".index"),
        "rules_page": url_for("home.rules", sheet=asked.sheet.text),
    }


def form_of(question: str) -> type[Question]:
    """The form of one of the questions."""
    return _FORMS[question][0]


def answered(question: str, asked: Question) -> dict[str, Any]:
    """What the page of a question shows: the form, and the answer where all of it could be read."""
    faces = [face(card) for card in sheet_order(joker=bool(asked.rules.joker_count))]
    facts = {"asked": asked, "title": TITLES[question], "faces": faces, "chosen": request.args, "answer": None}
    if asked.complete and isinstance(asked, DiscardQuestion):
        return facts | _discard(asked)
    if asked.complete:
        given = [asked[name].data for name in _FORMS[question][1]]
        facts["answer"] = _ANSWERS[question](*given, asked.rules)
    return facts


def _discard(asked: DiscardQuestion) -> dict[str, Any]:
    """The dead-card sheet of typed melds, with the readings to choose from."""
    ways = pages.questions(asked.groups.data, asked.rules)
    try:
        table = pages.lying(asked.groups.data, asked.rules, request.args)
    except pages.NotAMeld as error:
        asked.groups.error = _not_a_meld(error)
        return {"questions": ways}
    sheet = pages.discard_sheet(table, asked.card.data, asked.rules)
    return {"questions": ways, "sheet": sheet, "answer": sheet.verdict}


def _not_a_meld(error: pages.NotAMeld) -> str:
    if not error.found:
        return _("%(cards)s is no meld.", cards=str(error))
    ways = "; ".join(map(wording.meld_sentence, error.found))
    return _("%(cards)s can lie in several ways (%(ways)s). Choose one.", cards=error, ways=ways)
