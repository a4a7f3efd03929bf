"""Going down, laying off, replacing a wild, and putting a meld right (G4, G7, G8)."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from companion import record, wording
from companion.pages import melds as pages
from companion.pages.refusals import Refused, overrules, whys
from companion.record import GameView
from companion.referee.cards import Card, MalformedCard, parse_card
from companion.referee.commands import (
    Command,
    CorrectMeld,
    GoDown,
    GoDownWithoutCards,
    LayOff,
    ReplaceWild,
    TakeBackGoingDown,
)
from companion.referee.engine import correction_preview, problems
from companion.referee.reasons import Problem
from companion.referee.state import TableMeld
from companion.referee.table import Play
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
        return _who(view, "melds.down", _("Who goes down?"))
    return _down_page(view, seat, pages.slot_forms(view, seat, request.form), 200)


@bp.post("/down")
def go_down(code: str) -> Answer:
    """Lay the melds; every reason against them is shown and what was entered is kept."""
    view = desk.game(code)
    hand, rules = desk.in_play(view)
    seat = desk.number(request.args.get("seat"))
    if seat not in view.state.dealt_in:
        abort(422)
    if request.form.get("blind"):
        return _landed_or_down(view, seat, GoDownWithoutCards(hand.number, seat), [])
    forms = pages.slot_forms(view, seat, request.form)
    for form in forms:
        pages.enter(form, view.state.rules or rules)
    if any(form.errors for form in forms):
        return _down_page(view, seat, forms, 422)
    melds = tuple(form.meld for form in forms if form.meld)
    return _landed_or_down(view, seat, GoDown(hand.number, seat, melds), forms)


def _landed(view: GameView, command: Command) -> Response:
    desk.say_what_it_rests_on(view, command)
    return desk.to_table(view)


def _landed_or_down(view: GameView, seat: int, command: Command, forms: list[pages.SlotForm]) -> Answer:
    refused = desk.send(view, command)
    if refused is None:
        return _landed(view, command)
    view = record.load(view.code) or view
    forms = forms or pages.slot_forms(view, seat, request.form)
    return _down_page(view, seat, forms, refused.status, refused.problems)


def _down_page(
    view: GameView, seat: int, forms: list[pages.SlotForm], status: int, found: tuple[Problem, ...] = ()
) -> Answer:
    hand, rules = desk.in_play(view)
    closed = () if forms or found else problems(view.state, GoDown(hand.number, seat, ()))
    page = render_template(
        "melds/down.html",
        game=view,
        seat=seat,
        name=view.names[seat],
        forms=forms,
        contract=wording.contract_words(view.state.contract) if view.state.contract else "",
        whole=pages.spread(forms, (*found, *closed), view),
        overrules=overrules(found, rules),
        is_down=hand.is_down(seat),
        status=status,
        token=record.new_token(),
    )
    return page, status


def _who(view: GameView, endpoint: str, title: str) -> Answer:
    links = [(view.names[seat], url_for(endpoint, code=view.code, seat=seat)) for seat in view.state.dealt_in]
    return render_template("melds/who.html", game=view, title=title, links=links), 200


@dataclass(slots=True)
class _Shown:
    """What a meld's page shows beside the meld itself."""

    status: int = 200
    found: tuple[Problem, ...] = ()
    ways: tuple[pages.Way, ...] = ()
    card: Card | None = None
    error: str = ""
    correction: pages.Consequences | None = None
    readings: tuple[pages.Reading, ...] = ()
    removing: bool = False


@bp.get("/melds/<int:number>")
def meld(code: str, number: int) -> Answer:
    """A meld on the table and what can be done with it."""
    view = desk.game(code)
    return _meld_page(view, _lying(view, number), _Shown())


@bp.post("/melds/<int:number>")
def lay(code: str, number: int) -> Answer:
    """Lay off a card, or replace a wild with it; asked where there are several ways."""
    view = desk.game(code)
    on, seat = _lying(view, number), desk.number(request.form.get("seat"))
    typed = request.form.get("typed", "").strip() or request.form.get("card", "")
    try:
        card = parse_card(typed[:20])
    except MalformedCard:
        return _meld_page(view, on, _Shown(422, error=wording.form_error("bad_card", text=typed[:20])))
    if seat is None or seat not in view.state.dealt_in:
        return _meld_page(view, on, _Shown(422, card=card, error=_("Say who lays the card.")))
    return _laid(view, on, seat, card)


def _laid(view: GameView, on: TableMeld, seat: int, card: Card) -> Answer:
    found = pages.ways(card, on, view)
    chosen = [play for play, way in found if request.form.get("way", way.value) == way.value]
    command = _command(view, on, seat, card, chosen)
    if len(chosen) > 1 and not problems(view.state, command):
        return _meld_page(view, on, _Shown(422, card=card, ways=tuple(way for _play, way in found)))
    if refused := desk.send(view, command):
        view = record.load(view.code) or view
        return _meld_page(view, on, _Shown(refused.status, refused.problems, card=card))
    return _landed(view, command)


def _command(view: GameView, on: TableMeld, seat: int, card: Card, chosen: list[Play]) -> LayOff | ReplaceWild:
    """The command of the chosen way; where the card plays nowhere, the one whose refusal says most."""
    hand, _rules = desk.in_play(view)
    if not chosen:
        stands = [on.meld.stands_for(at) for at in on.meld.wild_positions()]
        return (ReplaceWild if card in stands else LayOff)(hand.number, seat, on.number, card)
    play = chosen[0]
    only = len(chosen) == 1
    if play.action == "replace":
        to, position = (play.wild_to, play.position) if only else (None, None)
        return ReplaceWild(hand.number, seat, on.number, card, to, position)
    return LayOff(hand.number, seat, on.number, card, play.action if only and play.action != "add" else None)


@bp.post("/melds/<int:number>/correct")
def correct(code: str, number: int) -> Answer:
    """Enter a meld anew: first what would change, then the same form saves it."""
    view = desk.game(code)
    on, (hand, rules) = _lying(view, number), desk.in_play(view)
    errors: list[str] = []
    cards = pages.typed_cards(request.form.get("cards", "")[: pages.TYPED_LIMIT], errors)
    if not cards:
        return _meld_page(view, on, _Shown(422, error=errors[0]))
    base, readings = pages.read(cards, on.base.kind, request.form.get("reading", ""), rules)
    if base is None:
        return _meld_page(view, on, _Shown(422, readings=readings))
    return _corrected(view, on, CorrectMeld(hand.number, number, base))


@bp.post("/melds/<int:number>/remove")
def remove(code: str, number: int) -> Answer:
    """Take one meld off the table: its owner stays down; first what leaves with it."""
    view = desk.game(code)
    on, (hand, _rules) = _lying(view, number), desk.in_play(view)
    return _corrected(view, on, CorrectMeld(hand.number, number, None))


def _corrected(view: GameView, on: TableMeld, command: CorrectMeld) -> Answer:
    if found := problems(view.state, command):
        return _meld_page(view, on, _Shown(422, found))
    if not request.form.get("sure"):
        shown = pages.consequences(correction_preview(view.state, command), view.names)
        return _meld_page(view, on, _Shown(correction=shown, removing=command.base is None))
    if refused := desk.send(view, command):
        return _meld_page(view, on, _Shown(refused.status, refused.problems))
    return _landed(view, command)


@bp.post("/down/back")
def back(code: str) -> Answer:
    """The player was not down after all: first what leaves the table, then it does."""
    view = desk.game(code)
    (hand, _rules), seat = desk.in_play(view), desk.number(request.args.get("seat"))
    if seat not in view.state.dealt_in:
        abort(422)
    command = TakeBackGoingDown(hand.number, seat)
    refused = desk.send(view, command) if request.form.get("sure") else None
    if request.form.get("sure") and refused is None:
        return _landed(view, command)
    return _back_page(view, seat, command, refused)


def _back_page(view: GameView, seat: int, command: TakeBackGoingDown, refused: Refused | None) -> Answer:
    hand, _rules = desk.in_play(view)
    found = refused.problems if refused else problems(view.state, command)
    page = render_template(
        "melds/back.html",
        game=view,
        seat=seat,
        name=view.names[seat],
        melds=[wording.meld_sentence(one.meld) for one in hand.melds_of(seat)],
        correction=pages.consequences(correction_preview(view.state, command), view.names),
        reasons=whys(found, view),
        token=record.new_token(),
    )
    return page, refused.status if refused else 422 if found else 200


def _lying(view: GameView, number: int) -> TableMeld:
    hand, _rules = desk.in_play(view)
    return hand.find(number) or abort(404)


def _meld_page(view: GameView, on: TableMeld, shown: _Shown) -> Answer:
    on = _lying(view, on.number)
    page = render_template(
        "melds/meld.html",
        game=view,
        page=pages.meld_page(view, on),
        shown=shown,
        reasons=whys(shown.found, view),
        seat=desk.number(request.values.get("seat")),
        token=record.new_token(),
    )
    return page, shown.status
