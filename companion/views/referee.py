"""Ask the referee without any game: four questions, all by GET, nothing kept."""

from collections.abc import Callable, Mapping

from flask import Blueprint, render_template, request
from flask_babel import gettext as _
from flask_babel import lazy_gettext

from companion import wording
from companion.forms.questions import ContractQuestion, DiscardQuestion, HandQuestion, MeldQuestion, Question
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
#: The form of a question, the answer to what was typed into it, and the fields that are asked about.
_ANSWERS: Mapping[str, tuple[type[Question], Callable[..., Verdict], tuple[str, ...]]] = {
    "meld": (MeldQuestion, pages.about_meld, ("cards",)),
    "contract": (ContractQuestion, pages.about_contract, ("groups", "hand")),
    "hand": (HandQuestion, pages.about_hand, ("cards", "hand")),
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
    form, answer, fields = _ANSWERS[question]
    asked = form(request.args)
    given = [asked[name].data for name in fields]
    return _page(question, asked, answer(*given, asked.rules) if asked.complete else None)


@bp.get("/discard")
def discard() -> tuple[str, int]:
    """The dead-card sheet of typed melds."""
    asked, sheet = DiscardQuestion(request.args), None
    questions = pages.questions(asked.groups.data, asked.rules) if asked.complete else {}
    if asked.complete:
        try:
            table = pages.lying(asked.groups.data, asked.rules, request.args)
            sheet = pages.discard_sheet(table, asked.card.data, asked.rules)
        except pages.NotAMeld as error:
            asked.groups.error = _not_a_meld(error)
    return _page("discard", asked, sheet.verdict if sheet else None, sheet=sheet, questions=questions)


def _not_a_meld(error: pages.NotAMeld) -> str:
    if not error.found:
        return _("%(cards)s is no meld.", cards=str(error))
    ways = "; ".join(map(wording.meld_sentence, error.found))
    return _("%(cards)s can lie in several ways (%(ways)s). Choose one.", cards=error, ways=ways)


def _page(question: str, asked: Question, answer: Verdict | None, **more: object) -> tuple[str, int]:
    faces = [face(card) for card in sheet_order()]
    page = render_template(
        "referee/question.html",
        asked=asked,
        answer=answer,
        title=TITLES[question],
        faces=faces,
        chosen=request.args,
        **more,
    )
    return page, 422 if asked.errors else 200
