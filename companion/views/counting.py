"""The end of a hand is counted, and a count is corrected: the same steps for every game, each with its own form.

A form is looked at by GET: what it would make of the totals is a page that can be reloaded and come back to. Only
"save" on that page sends anything.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, flash, redirect, request, url_for
from flask_babel import gettext as _

from companion.forms.counting import GONE, Asked, CountingForm, in_play, scored
from companion.pages.counting import since_words
from companion.pages.refusals import Refused
from companion.record import GameView
from companion.referee.engine import problems
from companion.referee.rules import Rules
from companion.referee.state import HandScore, Phase
from companion.views import desk
from companion.views.desk import Answer


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
        self.bp.add_url_rule(playing, "count", looks(self.ask))
        self.bp.add_url_rule(playing, "save", sends(self.save), methods=["POST"])
        self.bp.add_url_rule(before, "correct", looks(self.ask_again))
        self.bp.add_url_rule(before, "corrected", sends(self.save_again), methods=["POST"])

    def ask(self, view: GameView) -> Answer:
        """The form for the hand in play; once filled in, what that makes of the totals."""
        if not self.only(view.state.rules):
            return redirect(url_for(f"{self.elsewhere}.count", code=view.code))
        asked, number = in_play(view.state), desk.number(request.args.get("hand"))
        if number is not None:
            return self._consider(view, asked, number)
        hand = desk.playing(view).hand
        if view.state.phase is not Phase.PLAYING:
            abort(409)
        return self._page(view, self.form(asked, floats=hand.floating))

    def ask_again(self, view: GameView, number: int) -> Answer:
        """The form for a hand counted before; once changed, what that makes of the totals."""
        if not self.only(view.state.rules):
            return redirect(url_for(f"{self.elsewhere}.correct", code=view.code, number=number))
        asked = scored(number, view.state)
        if request.args:
            return self._consider(view, asked, number)
        return self._page(view, self.of_score(asked, view.state.score_of(number) or abort(404)))

    def save(self, view: GameView) -> Answer:
        """Let the hand in play be counted; on to the next one, or to the end of the night."""
        number = desk.number(request.form.get("hand")) or 0
        if refused := self._send(view, in_play(view.state), number):
            return refused
        flash(_("Hand %(n)s is written down.", n=number))
        is_over = desk.reload(view).state.hand is None
        return desk.go_to("ending.end", view) if is_over else desk.to_table(view)

    def save_again(self, view: GameView, number: int) -> Answer:
        """Let a hand counted before have another count; back to the sheet."""
        if refused := self._send(view, scored(number, view.state), number):
            return refused
        flash(_("Hand %(n)s is corrected.", n=number))
        return desk.go_to("scores.sheet", view)

    def _consider(self, view: GameView, asked: Asked, number: int) -> Answer:
        """The preview of what the form says, or the form again with what is wrong."""
        entered = self.form(asked, request.args, number)
        against = problems(entered.effective_state(view.state), entered.command())
        if any(problem.reason in GONE for problem in against):
            return self._gone(view, entered, Refused(409, against, desk.entered_since(view)))
        if "change" in request.args:
            entered.clear_errors()
            return self._page(view, entered)
        if entered.errors or against:
            return self._page(view, entered, Refused(422, against))
        page = self.pages.preview(view, entered, since_words(desk.entered_since(view), view))
        return desk.page("scores/preview.html", view, page=page, action=self._address(view, asked))

    def _send(self, view: GameView, asked: Asked, number: int) -> Answer | None:
        """Let the count land, after what it rests on; None: it did."""
        entered = self.form(asked, request.form, number)
        if entered.errors:
            return self._page(view, entered, Refused(422))
        before = entered.before(view.state)
        for at, command in enumerate((*before, entered.command())):
            if refused := desk.send(view, command, suffix="" if at == len(before) else f"-{at}"):
                now, is_gone = desk.reload(view), any(problem.reason in GONE for problem in refused.problems)
                return self._gone(now, entered, refused) if is_gone else self._page(now, entered, refused)
        return None

    def _gone(self, view: GameView, entered: CountingForm, refused: Refused) -> Answer:
        """The hand of the form is over or undone: what was entered can correct its count, where there is one."""
        score = view.state.score_of(entered.hand)
        if score and not entered.errors and entered.says(score):  # by another phone, or this one a moment ago
            flash(_("Hand %(n)s is written down already, with exactly these points.", n=entered.hand))
            return desk.go_to("scores.sheet", view)
        entered.asked = scored(entered.hand, view.state, entered)
        return self._page(view, entered, refused, late=True)

    def _page(
        self, view: GameView, entered: CountingForm, refused: Refused | None = None, *, late: bool = False
    ) -> Answer:
        if refused:
            refused = Refused(refused.status, tuple(entered.relevant(refused.problems)), refused.since)
        page = self.pages.count_page(view, entered, refused, late=late)
        return desk.page(
            f"{self.bp.name}/count.html", view, refused, page=page, action=self._address(view, entered.asked)
        )

    def _address(self, view: GameView, asked: Asked) -> str:
        if asked.correcting:
            return url_for(".correct", code=view.code, number=asked.hand)
        return url_for(".count", code=view.code)
