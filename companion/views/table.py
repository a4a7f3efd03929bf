"""The table: the page that lies between the players, what one tap on it does, and its questions about a discard."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from flask import Blueprint, abort, g, redirect, render_template, request, url_for

from companion import record, wording
from companion.forms.claims import ClaimForm
from companion.forms.numbers import ENTRY, whole
from companion.pages.claims import claim_page
from companion.pages.discards import discard_page
from companion.pages.refusals import Refused, refusal, said
from companion.pages.table import TablePage, table_page
from companion.pages.unnoted import noting
from companion.record import GameView
from companion.referee import commands
from companion.referee.commands import Command, PayChips
from companion.referee.state import Phase, Playing
from companion.views import desk, page_cache
from companion.views.notices import tell

bp = Blueprint("table", __name__, url_prefix="/g/<code>")


@dataclass(frozen=True, slots=True)
class Tap:
    """What a button of the table sends as ``do``: ``buy.3.1`` is seat 3's first buy, ``undo.17`` is about entry 17."""

    text: str
    what: str
    number: int
    nth: int | None = None


#: Buttons about the hand in play as a whole, and those about a seat in it.
_WHOLE = frozenset({"ante", "anew"})
_SEATED: dict[str, Callable[[int, int, int | None], Command]] = {
    "buy": commands.Buy,
    "unbuy": commands.TakeBackBuy,
    "float": lambda hand, seat, _nth: commands.Float(hand, seat),
    "unfloat": lambda hand, seat, _nth: commands.TakeBackFloat(hand, seat),
    "ante": lambda hand, _seat, _nth: commands.PayAntes(hand),
    "greb": lambda hand, seat, nth: PayChips(hand, seat, "greb", nth),
    "turn": lambda hand, seat, nth: PayChips(hand, seat, "turn_wild", nth),
    "use": lambda hand, seat, nth: PayChips(hand, seat, "use_wild", nth),
    "fill": lambda hand, seat, _nth: commands.FillPurse(hand, seat),
    "anew": lambda hand, _seat, _nth: commands.DealAnew(hand),
}
_ENTRIES = {"undo": record.undo, "redo": record.redo}


@bp.get("/")
@desk.for_game("watch")
def table(view: GameView) -> desk.Answer:
    """The table; once the night is over, its end."""
    if view.state.phase is not Phase.PLAYING:
        return redirect(url_for("ending.end", code=view.code))
    return _shared(view) if page_cache.may_share() else _page(view)


@bp.post("/do")
@desk.for_game("keeper")
def act(view: GameView) -> desk.Answer:
    """One tap; a refusal is shown in the row it is about."""
    tap = _tap(request.form.get("do") or request.form.get("again", ""))
    refused = _land(view, tap)
    if refused is None:
        return desk.to_table(view)
    now = desk.reload(view)
    return _page(now, refused, tap) if now.state.phase is Phase.PLAYING else _over(now, refused)


@bp.get("/throw")
@desk.for_game("watch", hand_in_play=True, only=desk.WITH_CONTRACTS)
def discards(view: GameView, playing: Playing) -> desk.Answer:
    """May I throw it? All 52 cards, for the table as a whole or for a player."""
    seat = desk.number(request.args["seat"]) if "seat" in request.args else desk.own_seat(view)
    seat = seat if seat in view.state.dealt_in else None
    page = discard_page(view, playing, seat, request.args.get("card", "")[:10])
    return desk.page("game/discards.html", view, page=page)


@bp.get("/who")
@desk.for_game("watch", hand_in_play=True, only=desk.WITH_CONTRACTS)
def who(view: GameView, playing: Playing) -> desk.Answer:
    """Who gets the discard that several want (G5): who discarded and who wants it; with both, the answer and its rule."""
    form = ClaimForm(view.state.dealt_in, request.args)
    if "change" in request.args:
        form.clear_errors()
    discarder = None if form.errors else form.discarder.data
    page = claim_page(view, playing, discarder, form.call.data, desk.number(form.first.text))
    return desk.page("game/who.html", view, page=page, form=form, status=422 if form.errors else 200)


@bp.get("/more")
@desk.for_game("watch")
def more(view: GameView) -> desk.Answer:
    """Everything else about this game."""
    return desk.page("game/more.html", view)


@bp.get("/rules")
@desk.for_game("watch")
def rules(view: GameView) -> desk.Answer:
    """The rules as this table plays them."""
    return desk.page("rules/rules.html", view, page=wording.rules_page(view.state.rules), table=True)


def _tap(text: str) -> Tap:
    what, *numbers = text[:40].split(".")
    read = [number for each in numbers if (number := whole(each, ENTRY)) is not None]
    if what not in {*_SEATED, *_ENTRIES, "note"} or not 1 <= len(numbers) == len(read) <= 2:
        abort(422)
    return Tap(text, what, *read)


def _land(view: GameView, tap: Tap) -> Refused | None:
    if tap.what in _ENTRIES:
        return desk.attempt(view, partial(_ENTRIES[tap.what], view.code, entry=tap.number), f"-{tap.text}")
    hand = desk.number(request.form.get("hand"))
    if hand is None:
        abort(422)
    if tap.what == "note":
        return desk.send(view, noting(desk.as_loaded(view).state, tap.number, tap.nth), f"-{tap.text}")
    return desk.send(view, _SEATED[tap.what](hand, tap.number, tap.nth), f"-{tap.text}")


def _over(view: GameView, refused: Refused) -> desk.Answer:
    """The night ended before the tap came: its end is shown, and that this was not entered."""
    shown = refusal(view, refused)
    tell(view.code, said(shown), "bad")
    return desk.go_to("ending.end", view)


def _shared(view: GameView) -> str:
    """The table for a phone that follows it: drawn once a revision, names and all."""
    seat, order = g.seat, view.state.order

    def draw(marks: Mapping[str, object]) -> str:
        return _drawn(view, table_page(view), again="", **marks)

    about = ("table", view.id, view.revision, tuple(view.names.items()))
    return page_cache.share(about, draw, order.index(seat) if seat in order else None, record.new_token())


def _page(view: GameView, refused: Refused | None = None, tap: Tap | None = None) -> desk.Answer:
    """The table; a refusal is shown in the row that it is about, or above all."""
    about_seat = tap and tap.what in _SEATED and tap.what not in _WHOLE and tap.number in view.state.order
    html = _drawn(
        view, table_page(view, desk.own_seat(view)), again=tap.text if tap else "", token=record.new_token(),
        refusal=refusal(view, refused) if refused else None, refused_seat=tap.number if tap and about_seat else None,
    )  # fmt: skip
    return html, refused.status if refused else 200


def _drawn(view: GameView, page: TablePage, **fields: object) -> str:
    return render_template("grebber/table.html" if page.grebber else "game/table.html", game=view, page=page, **fields)
