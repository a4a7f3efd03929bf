"""The end of a hand is counted, and a count is corrected: the same steps for every game, each with its own form.

A form is looked at by GET: what it would make of the totals is a page that can be reloaded and come back to. Only
"save" on that page sends anything.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, flash, redirect, request, url_for
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from companion.pages.counting import GONE, since_words
from companion.pages.refusals import Refused
from companion.record import GameView
from companion.referee.engine import problems
from companion.referee.reasons import Problem
from companion.referee.rules import Rules
from companion.referee.state import HandScore, Phase, Playing
from companion.views import desk
from companion.views.desk import Answer


@dataclass(frozen=True, slots=True)
class HandForm:
    """The form that counts the hands of a kind of game.

    ``blank(state)`` and ``of_score(score)`` fill it, ``read(fields, hand, asked)`` reads it; ``pages`` is the module that
    makes its pages; ``relevant`` picks from the problems of a hand those that do not only follow from unreadable fields.
    ``bp`` is the blueprint of its pages and ``only`` the kind of game that has them; in a game of another kind those that
    are looked at lead on to the pages of the blueprint ``elsewhere``, where it is given.
    """

    bp: Blueprint
    only: Callable[[Rules], bool]
    pages: Any
    blank: Callable[[Playing], Any]
    of_score: Callable[[HandScore, Rules], Any]
    read: Callable[[MultiDict[str, str], int, Any], Any]
    relevant: Callable[[Sequence[Problem], Any], Sequence[Problem]]
    elsewhere: str = ""

    def add_routes(self, in_play: str, before: str) -> None:
        """The pages of the hand in play and, with its ``number`` in the address, of a hand counted before."""
        sends = desk.for_game("keeper", only=self.only)
        looks = desk.for_game("keeper") if self.elsewhere else sends
        self.bp.add_url_rule(in_play, "count", looks(self.ask))
        self.bp.add_url_rule(in_play, "save", sends(self.save), methods=["POST"])
        self.bp.add_url_rule(before, "correct", looks(self.ask_again))
        self.bp.add_url_rule(before, "corrected", sends(self.save_again), methods=["POST"])

    def ask(self, view: GameView) -> Answer:
        """The form for the hand in play; once filled in, what that makes of the totals."""
        if not self.only(view.state.rules):
            return redirect(url_for(f"{self.elsewhere}.count", code=view.code))
        asked, number = self.pages.in_play(view.state), desk.number(request.args.get("hand"))
        if number is not None:
            return self._consider(view, asked, number)
        playing = desk.playing(view)
        if view.state.phase is not Phase.PLAYING:
            abort(409)
        return self._page(view, asked, self.blank(playing))

    def ask_again(self, view: GameView, number: int) -> Answer:
        """The form for a hand counted before; once changed, what that makes of the totals."""
        if not self.only(view.state.rules):
            return redirect(url_for(f"{self.elsewhere}.correct", code=view.code, number=number))
        asked = self.pages.scored(number, view.state)
        if request.args:
            return self._consider(view, asked, number)
        return self._page(view, asked, self.of_score(view.state.score_of(number) or abort(404), asked.rules))

    def save(self, view: GameView) -> Answer:
        """Let the hand in play be counted; on to the next one, or to the end of the night."""
        number = desk.number(request.form.get("hand")) or 0
        if refused := self._send(view, self.pages.in_play(view.state), number):
            return refused
        flash(_("Hand %(n)s is written down.", n=number))
        is_over = desk.reload(view).state.hand is None
        return desk.go_to("ending.end", view) if is_over else desk.to_table(view)

    def save_again(self, view: GameView, number: int) -> Answer:
        """Let a hand counted before have another count; back to the sheet."""
        if refused := self._send(view, self.pages.scored(number, view.state), number):
            return refused
        flash(_("Hand %(n)s is corrected.", n=number))
        return desk.go_to("scores.sheet", view)

    def _consider(self, view: GameView, asked: Any, number: int) -> Answer:
        """The preview of what the form says, or the form again with what is wrong."""
        entered = self.read(request.args, number, asked)
        state, _before = self.pages.effective_state(view.state, entered, asked)
        against = problems(state, self.pages.command(entered, asked))
        if any(problem.reason in GONE for problem in against):
            return self._gone(view, entered, Refused(409, against, desk.entered_since(view)))
        if "change" in request.args:
            entered.clear_errors()
            return self._page(view, asked, entered)
        if entered.errors or against:
            return self._page(view, asked, entered, Refused(422, against))
        page = self.pages.preview(view, asked, entered, since_words(desk.entered_since(view), view))
        return desk.page("scores/preview.html", view, page=page, action=self._address(view, asked))

    def _send(self, view: GameView, asked: Any, number: int) -> Answer | None:
        """Let the count land, after what it rests on; None: it did."""
        entered = self.read(request.form, number, asked)
        if entered.errors:
            return self._page(view, asked, entered, Refused(422))
        _state, before = self.pages.effective_state(view.state, entered, asked)
        for at, command in enumerate((*before, self.pages.command(entered, asked))):
            if refused := desk.send(view, command, suffix="" if at == len(before) else f"-{at}"):
                now, is_gone = desk.reload(view), any(problem.reason in GONE for problem in refused.problems)
                return self._gone(now, entered, refused) if is_gone else self._page(now, asked, entered, refused)
        return None

    def _gone(self, view: GameView, entered: Any, refused: Refused) -> Answer:
        """The hand of the form is over or undone: what was entered can correct its count, where there is one."""
        if self.pages.is_written(view.state, entered):
            flash(_("Hand %(n)s is written down already, with exactly these points.", n=entered.hand))
            return desk.go_to("scores.sheet", view)
        asked = self.pages.scored(entered.hand, view.state, entered)
        return self._page(view, asked, entered, refused, late=True)

    def _page(
        self, view: GameView, asked: Any, entered: Any, refused: Refused | None = None, *, late: bool = False
    ) -> Answer:
        if refused:
            refused = Refused(refused.status, tuple(self.relevant(refused.problems, entered)), refused.since)
        page = self.pages.count_page(view, asked, entered, refused, late=late)
        return desk.page(f"{self.bp.name}/count.html", view, refused, page=page, action=self._address(view, asked))

    def _address(self, view: GameView, asked: Any) -> str:
        if asked.correcting:
            return url_for(".correct", code=view.code, number=asked.hand)
        return url_for(".count", code=view.code)
