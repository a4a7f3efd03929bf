"""Going down, laying off, replacing a wild, putting a meld right (G4, G7, G8), and rearranging the table in Peru (P6)."""

from dataclasses import dataclass, field, replace

from flask import Blueprint, abort, request
from werkzeug.datastructures import MultiDict

from companion import wording
from companion.forms.melds import LayOffForm, MeldForm
from companion.forms.rearranging import Draft, Values
from companion.pages import melds as pages
from companion.pages import rearranging
from companion.pages.refusals import Refused
from companion.record import GameView
from companion.referee.cards import Card
from companion.referee.commands import Command, CorrectMeld, GoDown, GoDownWithoutCards, LayOff, TakeBackGoingDown
from companion.referee.engine import problems
from companion.referee.engine.rearranging import rearranges
from companion.referee.state import Playing, TableMeld
from companion.views import desk, drafts
from companion.views.desk import Answer

bp = Blueprint("melds", __name__, url_prefix="/g/<code>")

_to_look = desk.for_game("watch", hand_in_play=True, only=desk.WITH_CONTRACTS)
_to_enter = desk.for_game("keeper", hand_in_play=True, only=desk.WITH_CONTRACTS)


@bp.get("/down")
@_to_look
def down(view: GameView, _playing: Playing) -> Answer:
    """The melds to lay, slot by slot; without a seat, who it is."""
    seat = desk.number(request.args.get("seat"))
    if seat not in view.state.dealt_in:
        return desk.page("melds/who.html", view, seats=view.state.dealt_in)
    return _down_page(view, seat, pages.meld_forms(view, seat, MultiDict()))


@bp.post("/down")
@_to_enter
def go_down(view: GameView, playing: Playing) -> Answer:
    """Lay the melds; every reason against them is shown and what was entered is kept."""
    seat, hand = _seat(), playing.hand.number
    forms = pages.meld_forms(desk.as_loaded(view), seat, request.form)
    if drafts.only_shown() and seat in view.state.dealt_in:
        return _down_page(view, seat, forms)
    if request.form.get("blind"):
        return _lay_down(view, GoDownWithoutCards(hand, seat), forms)
    if not forms and "overrule" in request.form:
        return _decide(view, seat)
    for form in forms:
        form.enter()
    command = GoDown(hand, seat, tuple(form.meld for form in forms if form.meld))
    return (_incomplete if any(form.errors for form in forms) else _lay_down)(view, command, forms)


def _seat() -> int:
    seat = desk.number(request.args.get("seat"))
    return abort(422) if seat is None else seat


def _lay_down(view: GameView, command: GoDown | GoDownWithoutCards, forms: list[MeldForm]) -> Answer:
    refused = desk.send(view, command)
    if refused is None:
        return _landed(view, command)
    now = desk.reload(view)
    hand = desk.playing(now).hand
    if command.seat not in now.state.dealt_in:
        return desk.page("errors/moved_on.html", now, refused) if refused.status == 409 else abort(422)
    if hand.number != command.hand:  # what was entered was meant for another contract
        forms = pages.meld_forms(now, command.seat, MultiDict())
    return _down_page(now, command.seat, forms, refused)


def _incomplete(view: GameView, command: GoDown, forms: list[MeldForm]) -> Answer:
    """Fields are missing; what the referee has against the other melds is said as well, under what was decided."""
    if command.seat not in view.state.dealt_in:
        abort(422)
    refused, now = desk.overrule(view), desk.reload(view)
    if refused is None:
        about_melds = (problem for problem in problems(now.state, command) if "index" in problem.facts)
        refused = Refused(422, tuple(about_melds))
    return _down_page(now, command.seat, forms, refused)


def _decide(view: GameView, seat: int) -> Answer:
    """Only a silent rule was decided: that further melds may be laid (G4.4)."""
    refused = desk.overrule(view)
    if refused is None or refused.status == 409:  # made elsewhere meanwhile: the page shows what holds now
        return desk.go_to(".down", view, seat=seat)
    return _down_page(desk.reload(view), seat, [], refused)


def _down_page(view: GameView, seat: int, forms: list[MeldForm], refused: Refused | None = None) -> Answer:
    desk.playing(view)
    return desk.page("melds/down.html", view, refused, page=pages.down_page(view, seat, forms, refused))


def _landed(view: GameView, command: Command) -> Answer:
    if "overrule" not in request.form:
        desk.say_what_it_rests_on(desk.as_loaded(view), command)
    return desk.to_table(view)


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a meld's page shows beside the meld: a card with its ways, or a correction before it is saved."""

    status: int = 200
    form: LayOffForm = field(default_factory=LayOffForm)
    card: Card | None = None
    ways: tuple[pages.Way, ...] = ()
    correcting: MeldForm | None = None
    correction: pages.Consequences | None = None
    asks_who: bool = False
    at: str = "lay"


@bp.get("/melds/<number>")
@_to_look
def meld(view: GameView, playing: Playing, number: str) -> Answer:
    """A meld on the table and what can be done with it."""
    return _meld_page(view, _on_table(playing, number), _Shown())


@bp.post("/melds/<number>")
@_to_enter
def lay(view: GameView, playing: Playing, number: str) -> Answer:
    """Lay off a card, or replace a wild with it; asked where there are several ways."""
    table_meld, seat = _on_table(playing, number), desk.number(request.form.get("seat"))
    form = LayOffForm(request.form)
    if drafts.only_shown():
        return _meld_page(view, table_meld, _Shown(form=form))
    card = form.chosen
    if card is None or seat is None:
        return _meld_page(view, table_meld, _Shown(422, form=form, card=card, asks_who=card is not None))
    return _lay_off(view, table_meld, LayOff(playing.hand.number, seat, table_meld.number, card), form)


def _lay_off(view: GameView, table_meld: TableMeld, lay_off: LayOff, form: LayOffForm) -> Answer:
    card = lay_off.card
    ways = pages.ways(card, table_meld, desk.as_loaded(view))
    chosen = request.form.get("way") or (ways[0].value if ways else pages.likely_play(card, table_meld))
    command = pages.command_of(chosen, lay_off)
    shown = _Shown(422, form=form, card=card)
    if command is None:
        form.typed.error = wording.form_error("unknown_choice")
        return _meld_page(view, table_meld, shown)
    if len(ways) > 1 and "way" not in request.form and not problems(view.state, command):
        return _meld_page(view, table_meld, replace(shown, ways=ways))
    refused = desk.send(view, command)
    return _meld_page(view, table_meld, shown, refused) if refused else _landed(view, command)


@bp.get("/melds/<number>/correct")
@bp.get("/melds/<number>/remove")
@desk.for_game("watch", only=desk.WITH_CONTRACTS)
def back_to_meld(view: GameView, number: str) -> Answer:
    """The address of a preview, opened by itself: back to the meld."""
    return desk.go_to(".meld", view, number=number)


@bp.post("/melds/<number>/correct")
@_to_enter
def correct(view: GameView, playing: Playing, number: str) -> Answer:
    """Enter a meld anew: first what would change, then the same entry is saved."""
    table_meld, shown = _on_table(playing, number), _Shown(at="correct")
    if "sure" not in request.form and (refused := desk.overrule(view)):  # what is saved decides with it
        return _meld_page(view, table_meld, shown, refused)
    form = pages.correction_form(desk.as_loaded(view), table_meld, request.form)
    if drafts.only_shown():
        return _meld_page(view, table_meld, replace(shown, correcting=form))
    form.enter()
    shown, now = replace(shown, correcting=form), desk.reload(view)
    if form.meld is None:
        return _meld_page(now, table_meld, replace(shown, status=422))
    return _corrected(now, table_meld, CorrectMeld(playing.hand.number, table_meld.number, form.meld), shown)


@bp.post("/melds/<number>/remove")
@_to_enter
def remove(view: GameView, playing: Playing, number: str) -> Answer:
    """Take one meld off the table: its owner stays down; first what leaves with it."""
    table_meld = _on_table(playing, number)
    command = CorrectMeld(playing.hand.number, table_meld.number, None)
    return _corrected(view, table_meld, command, _Shown(at="remove"))


def _corrected(view: GameView, table_meld: TableMeld, command: CorrectMeld, shown: _Shown) -> Answer:
    if request.form.get("sure"):
        refused = desk.send(view, command, "-fix")
        return _meld_page(view, table_meld, shown, refused) if refused else _landed(view, command)
    if against := problems(view.state, command):
        return _meld_page(view, table_meld, shown, Refused(422, against))
    return _meld_page(view, table_meld, replace(shown, correction=pages.consequences(view, command)))


@bp.get("/down/back")
@_to_look
def ask_back(view: GameView, playing: Playing) -> Answer:
    """Was the player not down after all? What would leave the table."""
    if desk.number(request.args.get("seat")) not in view.names:
        return desk.go_to(".down", view)
    return _back_page(view, _take_back(view, playing), None)


@bp.post("/down/back")
@_to_enter
def back(view: GameView, playing: Playing) -> Answer:
    """The player was not down after all: their melds leave the table, with what was laid off on them."""
    command = _take_back(view, playing)
    refused = desk.send(view, command)
    return _back_page(desk.reload(view), command, refused) if refused else _landed(view, command)


def _take_back(view: GameView, playing: Playing) -> TakeBackGoingDown:
    seat = _seat()
    return TakeBackGoingDown(playing.hand.number, seat) if seat in view.names else abort(422)


def _back_page(view: GameView, command: TakeBackGoingDown, refused: Refused | None) -> Answer:
    desk.playing(view)
    return desk.page("melds/back.html", view, refused, page=pages.back_page(view, command, refused))


def _on_table(playing: Playing, number: str) -> TableMeld:
    wanted = desk.number(number)
    return (playing.hand.find(wanted) if wanted is not None else None) or abort(404)


def _meld_page(view: GameView, table_meld: TableMeld, shown: _Shown, refused: Refused | None = None) -> Answer:
    """The meld as it lies now, with the reasons of a refusal; one that has left the table has a page that says so."""
    view = desk.reload(view) if refused else view
    now = desk.playing(view).hand.find(table_meld.number)
    if now is None or now.owner != table_meld.owner:
        return desk.page("melds/gone.html", view, refused, status=409)
    page = pages.meld_page(view, now, desk.number(request.values.get("seat")), shown.correcting)
    kept = [(name, value) for name, value in request.form.items(multi=True) if name.startswith("c-")]
    status = refused.status if refused else shown.status
    return desk.page("melds/meld.html", view, refused, page=page, shown=shown, kept=kept, status=status)


@bp.get("/rearrange")
@desk.for_game("watch", hand_in_play=True, only=rearranges)
def rearrange(view: GameView, playing: Playing) -> Answer:
    """The table as a player would rearrange it, and whether that is legal; nothing is entered."""
    seat = desk.number(request.args["seat"]) if "seat" in request.args else desk.own_seat(view)
    if seat is None or not playing.hand.is_down(seat) or seat not in view.state.dealt_in:
        return desk.page("rearranging/who.html", view, players=rearranging.players(view, playing.hand))
    return _rearrange_page(view, seat, request.args)


@bp.post("/rearrange")
@desk.for_game("keeper", hand_in_play=True, only=rearranges)
def land_rearranged(view: GameView, playing: Playing) -> Answer:
    """Enter it, whole."""
    seat = _seat()
    if seat not in view.names:
        abort(422)
    entered = Draft(request.form, playing.hand, seat, playing.rules)
    if not entered.is_readable:
        return _rearrange_page(view, seat, request.form, Refused(422))
    command = entered.command()
    if refused := desk.send(view, command):
        return _rearrange_page(desk.reload(view), seat, request.form, refused)
    desk.say_what_it_rests_on(desk.as_loaded(view), command)
    return desk.to_table(view)


def _rearrange_page(view: GameView, seat: int, values: Values, refused: Refused | None = None) -> Answer:
    playing = desk.playing(view)
    page = rearranging.rearrange_page(view, playing.hand, Draft(values, playing.hand, seat, playing.rules))
    return desk.page("rearranging/rearrange.html", view, refused, page=page)
