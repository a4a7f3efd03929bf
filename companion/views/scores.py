"""The sheet of scores. The end of a hand is counted, and a count is corrected: the same steps for every game, each with
its own form.

A form is looked at by GET: what it would make of the totals is a page that can be reloaded and come back to. Only
"save" on that page sends anything.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, abort, g, redirect, request, url_for
from flask_babel import gettext as _

from companion import record
from companion.forms.carried import accepted_offer
from companion.forms.counting import GONE, Asked, CountingForm, in_play, scored
from companion.forms.scoring import ScoringForm, first_out, of_score
from companion.pages import counting
from companion.pages.refusals import Refused
from companion.pages.scores import sheet_page
from companion.record import GameView
from companion.referee.commands import DoTogether
from companion.referee.engine import problems
from companion.referee.rules import Rules
from companion.referee.state import HandScore
from companion.views import desk
from companion.views.desk import Answer
from companion.views.live import entering_words, mark_entering
from companion.views.notices import tell

bp = Blueprint("scores", __name__, url_prefix="/g/<code>")


@dataclass(frozen=True, slots=True)
class HandForm:
    """The form that counts the hands of a kind of game.

    ``form`` reads it, ``of_score`` fills it with a hand counted before; ``pages`` is the module that makes its pages.
    ``bp`` is the blueprint of its pages and ``only`` the kind of game that has them; in a game of another kind those that
    are looked at lead on to the pages of the blueprint ``elsewhere``, where it is given.
    """

    bp: Blueprint
    only: Callable[[Rules], bool]
    pages: Any
    form: type[CountingForm]
    of_score: Callable[[Asked, HandScore], CountingForm]
    elsewhere: str = ""

    def add_routes(self, playing: str, before: str) -> None:
        """The pages of the hand in play and, with its ``number`` in the address, of a hand counted before."""
        sends = desk.for_game("keeper", only=self.only)
        looks = desk.for_game("keeper") if self.elsewhere else sends
        for address, shown, sent in ((playing, "count", "save"), (before, "correct", "corrected")):
            self.bp.add_url_rule(address, shown, looks(self.ask))
            self.bp.add_url_rule(address, sent, sends(self.save), methods=["POST"])

    def ask(self, view: GameView, number: int | None = None) -> Answer:
        """The form for the hand in play, or for one counted before; once filled in, what that makes of the totals."""
        if not self.only(view.state.rules):
            endpoint = f"{self.elsewhere}.{'count' if number is None else 'correct'}"
            return redirect(url_for(endpoint, code=view.code, number=number))
        asked = _asked(view, number)
        hand = desk.number(request.args.get("hand")) if number is None else number
        if hand is not None and request.args:
            return self._consider(view, asked, hand)
        if number is not None:
            return self._page(view, self.of_score(asked, view.state.score_of(number) or abort(404)))
        played = desk.playing(view).hand
        laid, out = played.down | played.floating, first_out(view.state)
        return (
            self._page(view, self.form(asked, out=out, floats=played.floating, laid=laid))
            if view.is_playing
            else abort(409)
        )

    def save(self, view: GameView, number: int | None = None) -> Answer:
        """Let a hand be counted, or have another count; on to the next one, the sheet, or the end of the night."""
        hand = (desk.number(request.form.get("hand")) or 0) if number is None else number
        if refused := self._send(view, _asked(view, number), hand):
            return refused
        if number is not None:
            tell(view.code, _("Hand %(n)s is corrected.", n=number), entry=g.landed)
            return desk.go_to("scores.sheet", view)
        tell(view.code, _("Hand %(n)s is written down.", n=hand), entry=g.landed)
        is_over = desk.reload(view).state.hand is None
        return desk.go_to("ending.end", view) if is_over else desk.to_table(view)

    def _consider(self, view: GameView, asked: Asked, number: int) -> Answer:
        """The preview of what the form says, or the form again with what is wrong."""
        entered = self.form(asked, request.args, number)
        mark_entering(view, number)
        against = problems(entered.effective_state(view.state), entered.command())
        if any(problem.reason in GONE for problem in against):
            return self._gone(view, entered, desk.moved_on(view, against))
        if "change" in request.args:
            entered.clear_errors()
            return self._page(view, entered)
        if entered.errors or against:
            return self._page(view, entered, Refused(422, against))
        page = self.pages.preview(view, entered, counting.since_words(desk.entered_since(view), view))
        words = entering_words(view, number)
        return desk.page("scores/preview.html", view, page=page, action=self._address(view, asked), entering=words)

    def _send(self, view: GameView, asked: Asked, number: int) -> Answer | None:
        """Let the count land, after what it rests on; None: it did."""
        entered = self.form(asked, request.form, number)
        if entered.errors:
            return self._page(view, entered, Refused(422))
        given = accepted_offer(request.form) if asked.correcting else None
        parts = (*entered.before(desk.as_loaded(view).state), entered.command(), *([given] if given else []))
        refused = desk.send(view, DoTogether(parts) if len(parts) > 1 else parts[0])
        if refused is None:
            return None
        now, is_gone = desk.reload(view), any(problem.reason in GONE for problem in refused.problems)
        return self._gone(now, entered, refused) if is_gone else self._page(now, entered, refused)

    def _gone(self, view: GameView, entered: CountingForm, refused: Refused) -> Answer:
        """The hand of the form is over or undone: what was entered can correct its count, where there is one."""
        score = view.state.score_of(entered.hand)
        if score and not entered.errors and entered.says(score):  # by another phone, or this one a moment ago
            words = _("Hand %(n)s is written down already, with exactly these points.", n=entered.hand)
            tell(view.code, words, entry=_entry_of(view, score))
            return desk.go_to("scores.sheet", view)
        entered.asked = scored(entered.hand, view.state, entered)
        return self._page(view, entered, refused, late=True)

    def _page(
        self, view: GameView, entered: CountingForm, refused: Refused | None = None, *, late: bool = False
    ) -> Answer:
        if refused:
            refused = replace(refused, problems=tuple(entered.relevant(refused.problems)))
        page = self.pages.count_page(view, entered, refused, late=late)
        return desk.page(
            f"{self.bp.name}/count.html", view, refused, page=page, action=self._address(view, entered.asked),
            entering=entering_words(view, entered.asked.hand),
        )  # fmt: skip

    def _address(self, view: GameView, asked: Asked) -> str:
        number = asked.hand if asked.correcting else None
        return url_for(".count" if number is None else ".correct", code=view.code, number=number)


def _entry_of(view: GameView, score: HandScore) -> int | None:
    """The number of the entry that made a hand's score what it is."""
    made = (entry for entry in reversed(record.entries(view.code) or ()) if entry.holds and entry.before)
    return next((entry.seq for entry in made if entry.before and entry.before.score_of(score.number) != score), None)


def _asked(view: GameView, number: int | None) -> Asked:
    return in_play(view.state) if number is None else scored(number, view.state)


HandForm(bp, desk.WITH_POINTS, counting, ScoringForm, of_score, elsewhere="grebber").add_routes(
    "/over", "/scores/<int:number>"
)


@bp.get("/scores")
@desk.for_game("watch")
def sheet(view: GameView) -> Answer:
    """The sheet: hands by players."""
    return desk.page("scores/sheet.html", view, page=sheet_page(view))
