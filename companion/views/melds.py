"""Going down, laying off, replacing a wild, and putting a meld right (G4, G7, G8)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from companion import record, wording
from companion.forms.melds import MeldForm, enter, typed_card
from companion.pages import melds as pages
from companion.pages.cards import Face, face
from companion.pages.refusals import Refusal, Refused, overruled, refusal
from companion.record import GameView
from companion.referee.cards import Card
from companion.referee.commands import (
    Command,
    CorrectMeld,
    GoDown,
    GoDownWithoutCards,
    LayOff,
    OverruleRule,
    TakeBackGoingDown,
)
from companion.referee.engine import problems
from companion.referee.state import TableMeld
from companion.views import desk

bp = Blueprint("melds", __name__, url_prefix="/g/<code>")

Answer = Response | tuple[str, int]


@bp.get("/down")
def down(code: str) -> Answer:
    """The melds to lay, slot by slot; without a seat, who it is."""
    view = desk.game(code)
    desk.in_play(view)
    seat = desk.number(request.args.get("seat"))
    if seat not in view.state.dealt_in:
        return render_template("melds/who.html", game=view, seats=view.state.dealt_in), 200
    return _down_page(view, seat, pages.meld_forms(view, seat, MultiDict()))


@bp.post("/down")
def go_down(code: str) -> Answer:
    """Lay the melds; every reason against them is shown and what was entered is kept."""
    view, seat = desk.game(code), _seat()
    then = desk.as_seen(view)
    hand, _rules = desk.in_play(then)
    forms = pages.meld_forms(then, seat, request.form)
    if request.form.get("blind"):
        return _laid(view, GoDownWithoutCards(hand.number, seat), forms)
    if not forms and "overrule" in request.form:
        return _decided(view, seat)
    for form in forms:
        enter(form)
    command = GoDown(hand.number, seat, tuple(form.meld for form in forms if form.meld))
    return _incomplete(view, command, forms) if any(form.errors for form in forms) else _laid(view, command, forms)


def _seat() -> int:
    seat = desk.number(request.args.get("seat"))
    return abort(422) if seat is None else seat


def _laid(view: GameView, command: GoDown | GoDownWithoutCards, forms: list[MeldForm]) -> Answer:
    refused = desk.send(view, command)
    if refused is None:
        return _landed(view, command)
    now = desk.again(view)
    hand, _rules = desk.in_play(now)
    if command.seat not in now.state.dealt_in:
        abort(refused.status)
    if hand.number != command.hand:  # what was entered was meant for another contract
        forms = pages.meld_forms(now, command.seat, MultiDict())
    return _down_page(now, command.seat, forms, refused)


def _incomplete(view: GameView, command: GoDown, forms: list[MeldForm]) -> Answer:
    """Fields are missing; what the referee has against the other melds is said as well, under what was decided."""
    if command.seat not in view.state.dealt_in:
        abort(422)
    if refused := _overrule(view):
        return _down_page(desk.again(view), command.seat, forms, refused)
    view = desk.again(view)
    found = tuple(one for one in problems(view.state, command) if "index" in one.facts)
    return _down_page(view, command.seat, forms, Refused(422, found))


def _decided(view: GameView, seat: int) -> Answer:
    """Only a silent rule was decided: that further melds may be laid (G4.4)."""
    refused = _overrule(view)
    if refused is None or refused.status == 409:  # made elsewhere meanwhile: the page shows what holds now
        return redirect(url_for("melds.down", code=view.code, seat=seat), code=303)
    return _down_page(desk.again(view), seat, [], refused)


def _down_page(view: GameView, seat: int, forms: list[MeldForm], refused: Refused | None = None) -> Answer:
    desk.in_play(view)
    page = pages.down_page(view, seat, forms, refused)
    status = refused.status if refused else 200
    return render_template("melds/down.html", game=view, page=page, token=record.new_token()), status


def _overrule(view: GameView) -> Refused | None:
    """What the table decided lands by itself, so that what follows is judged and shown under it."""
    chosen = overruled(request.form.get("overrule", "")[:100])
    if chosen is None:
        return None
    return desk.attempt(view, partial(record.append, view.code, OverruleRule(*chosen)), f"-rule-{chosen[0]}")


def _landed(view: GameView, command: Command) -> Response:
    if "overrule" not in request.form:
        desk.say_what_it_rests_on(desk.as_seen(view), command)
    return desk.to_table(view)


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a meld's page shows beside the meld: a refusal, a card with its ways, or a correction before it is saved."""

    status: int = 200
    refusal: Refusal | None = None
    error: str = ""
    typed: str = ""
    card: Card | None = None
    ways: tuple[pages.Way, ...] = ()
    form: MeldForm | None = None
    correction: pages.Consequences | None = None
    asks_who: bool = False
    at: str = "lay"

    @property
    def face(self) -> Face | None:
        """The card, to be drawn."""
        return face(self.card) if self.card else None


@bp.get("/melds/<number>")
def meld(code: str, number: str) -> Answer:
    """A meld on the table and what can be done with it."""
    view = desk.game(code)
    return _meld_page(view, _lying(view, number), _Shown())


@bp.post("/melds/<number>")
def lay(code: str, number: str) -> Answer:
    """Lay off a card, or replace a wild with it; asked where there are several ways."""
    view = desk.game(code)
    on, seat, typed = (
        _lying(desk.as_seen(view), number),
        desk.number(request.form.get("seat")),
        request.form.get("typed", ""),
    )
    card, error = typed_card(request.form.get("card") or typed)
    if card is None:
        return _meld_page(view, on, _Shown(422, error=error, typed=typed))
    if seat is None:
        return _meld_page(view, on, _Shown(422, card=card, asks_who=True))
    return _lay(view, on, seat, card)


def _lay(view: GameView, on: TableMeld, seat: int, card: Card) -> Answer:
    then = desk.as_seen(view)
    hand, _rules = desk.in_play(then)
    found = tuple(way for _play, way in pages.ways(card, on, then))
    chosen = request.form.get("way") or (found[0].value if found else pages.hopeless(card, on))
    command = pages.command_of(chosen, LayOff(hand.number, seat, on.number, card))
    shown = _Shown(422, card=card, typed=request.form.get("typed", ""))
    if command is None:
        return _meld_page(view, on, replace(shown, error=wording.form_error("unknown_choice")))
    if len(found) > 1 and "way" not in request.form and not problems(view.state, command):
        return _meld_page(view, on, replace(shown, ways=found))
    refused = desk.send(view, command)
    return _meld_page(view, on, shown, refused) if refused else _landed(view, command)


@bp.get("/melds/<number>/correct")
@bp.get("/melds/<number>/remove")
def again(code: str, number: str) -> Answer:
    """The address of a preview, opened by itself: back to the meld."""
    return redirect(url_for("melds.meld", code=code, number=number), code=303)


@bp.post("/melds/<number>/correct")
def correct(code: str, number: str) -> Answer:
    """Enter a meld anew: first what would change, then the same entry is saved."""
    view, shown = desk.game(code), _Shown(at="correct")
    then = desk.as_seen(view)
    on, (hand, _rules) = _lying(then, number), desk.in_play(then)
    if refused := _overrule(view):
        return _meld_page(view, on, shown, refused)
    view = desk.again(view)
    form = pages.correction_form(then, on, request.form)
    enter(form)
    if form.meld is None:
        return _meld_page(view, on, replace(shown, status=422, form=form))
    return _corrected(view, on, CorrectMeld(hand.number, on.number, form.meld), replace(shown, form=form))


@bp.post("/melds/<number>/remove")
def remove(code: str, number: str) -> Answer:
    """Take one meld off the table: its owner stays down; first what leaves with it."""
    view = desk.game(code)
    then = desk.as_seen(view)
    on, (hand, _rules) = _lying(then, number), desk.in_play(then)
    return _corrected(view, on, CorrectMeld(hand.number, on.number, None), _Shown(at="remove"))


def _corrected(view: GameView, on: TableMeld, command: CorrectMeld, shown: _Shown) -> Answer:
    if request.form.get("sure"):
        refused = desk.send(view, command, "-fix")
        return _meld_page(view, on, shown, refused) if refused else _landed(view, command)
    if found := problems(view.state, command):
        return _meld_page(view, on, shown, Refused(422, found))
    return _meld_page(view, on, replace(shown, correction=pages.consequences(view, command)))


@bp.get("/down/back")
def ask_back(code: str) -> Answer:
    """Was the player not down after all? What would leave the table."""
    view = desk.game(code)
    if desk.number(request.args.get("seat")) not in view.names:
        return redirect(url_for("melds.down", code=code), code=303)
    return _back_page(view, _take_back(view), None)


@bp.post("/down/back")
def back(code: str) -> Answer:
    """The player was not down after all: their melds leave the table, with what was laid off on them."""
    view = desk.game(code)
    command = _take_back(desk.as_seen(view))
    refused = desk.send(view, command)
    return _back_page(desk.again(view), command, refused) if refused else _landed(view, command)


def _take_back(view: GameView) -> TakeBackGoingDown:
    (hand, _rules), seat = desk.in_play(view), _seat()
    return TakeBackGoingDown(hand.number, seat) if seat in view.names else abort(422)


def _back_page(view: GameView, command: TakeBackGoingDown, refused: Refused | None) -> Answer:
    desk.in_play(view)
    page = pages.back_page(view, command, refused)
    status = refused.status if refused else 200
    return render_template("melds/back.html", game=view, page=page, token=record.new_token()), status


def _lying(view: GameView, number: str) -> TableMeld:
    hand, _rules = desk.in_play(view)
    found = desk.number(number)
    return (hand.find(found) if found is not None else None) or abort(404)


def _meld_page(view: GameView, on: TableMeld, shown: _Shown, refused: Refused | None = None) -> Answer:
    """The meld as it lies now, with the reasons of a refusal; one that has left the table has a page that says so."""
    view = desk.again(view) if refused else view
    reasons = refusal(view, refused) if refused else None
    shown = replace(shown, status=refused.status if refused else shown.status, refusal=reasons)
    hand, _rules = desk.in_play(view)
    now = hand.find(on.number)
    if now is None or now.owner != on.owner:
        return render_template("melds/gone.html", game=view, refusal=reasons), 409
    page = pages.meld_page(view, now, desk.number(request.values.get("seat")), shown.form)
    kept = [(name, value) for name, value in request.form.items(multi=True) if name.startswith("c-")]
    token = record.new_token()
    return render_template("melds/meld.html", game=view, page=page, shown=shown, kept=kept, token=token), shown.status
