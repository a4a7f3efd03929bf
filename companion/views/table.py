"""The table: the page that lies between the players, and what one tap on it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from flask import Blueprint, abort, flash, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion import record, wording
from companion.pages.discards import discard_page
from companion.pages.refusals import Refused, refusal
from companion.pages.table import TablePage, table_page
from companion.record import GameView
from companion.referee.commands import Buy, Command, DealAnew, Float, PayAntes, PayChips, TakeBackBuy, TakeBackFloat
from companion.referee.state import Phase
from companion.views import desk, page_cache
from companion.views.joining import seat_of

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
    "buy": Buy,
    "unbuy": TakeBackBuy,
    "float": lambda hand, seat, _nth: Float(hand, seat),
    "unfloat": lambda hand, seat, _nth: TakeBackFloat(hand, seat),
    "ante": lambda hand, _seat, _nth: PayAntes(hand),
    "greb": lambda hand, seat, nth: PayChips(hand, seat, "greb", nth),
    "turn": lambda hand, seat, nth: PayChips(hand, seat, "turn_wild", nth),
    "use": lambda hand, seat, nth: PayChips(hand, seat, "use_wild", nth),
    "anew": lambda hand, _seat, _nth: DealAnew(hand),
}
_ENTRIES = {"undo": record.undo, "redo": record.redo}


@bp.get("/")
def table(code: str) -> Response | tuple[str, int]:
    """The table; once the night is over, its end."""
    view = desk.game(code)
    if view.state.phase is not Phase.PLAYING:
        return redirect(url_for("ending.end", code=code))
    return (_shared(view), 200) if page_cache.may_share() else _page(view)


@bp.post("/do")
def act(code: str) -> Response | tuple[str, int]:
    """One tap; a refusal is shown in the row it is about."""
    view = desk.game(code)
    tap = _tap(request.form.get("do") or request.form.get("again", ""))
    refused = _land(view, tap)
    if refused is None:
        return desk.to_table(view)
    fresh = desk.again(view)
    if fresh.state.phase is not Phase.PLAYING:
        return _over(fresh, refused)
    return _page(fresh, refused, tap)


@bp.get("/throw")
def discards(code: str) -> str:
    """May I throw it? All 52 cards, for the table as a whole or for a player."""
    view = desk.game(code)
    desk.in_play(view)
    seat = desk.number(request.args["seat"]) if "seat" in request.args else seat_of(view)
    page = discard_page(view, seat if seat in view.state.dealt_in else None, request.args.get("card", "")[:10])
    return render_template("game/discards.html", game=view, page=page)


@bp.get("/more")
def more(code: str) -> str:
    """Everything else about this game."""
    return render_template("game/more.html", game=desk.game(code))


@bp.get("/rules")
def rules(code: str) -> str:
    """The rules as this table plays them."""
    view = desk.game(code)
    assert view.state.rules is not None
    return render_template("rules/rules.html", page=wording.rules_page(view.state.rules), table=True, game=view)


def _tap(text: str) -> Tap:
    what, *numbers = text[:40].split(".")
    found = [desk.number(part) for part in numbers]
    if what not in _SEATED | _ENTRIES or not 1 <= len(found) <= 2 or None in found:
        abort(422)
    return Tap(text, what, *(number for number in found if number is not None))


def _land(view: GameView, tap: Tap) -> Refused | None:
    if tap.what in _ENTRIES:
        return desk.attempt(view, partial(_ENTRIES[tap.what], view.code, entry=tap.number), f"-{tap.text}")
    hand = desk.number(request.form.get("hand"))
    if hand is None:
        abort(422)
    return desk.send(view, _SEATED[tap.what](hand, tap.number, tap.nth), f"-{tap.text}")


def _over(view: GameView, refused: Refused) -> Response:
    """The night ended before the tap came: its end is shown, and that this was not entered."""
    shown = refusal(view, refused)
    flash(" ".join([shown.title, *(why.sentence for why in shown.reasons)]), "bad")
    return redirect(url_for("ending.end", code=view.code), code=303)


def _shared(view: GameView) -> str:
    """The table for a phone that follows it: drawn once a revision, names and all."""
    seat, order = g.seat, view.state.order

    def draw(marks: Mapping[str, object]) -> str:
        return _drawn(view, table_page(view), again="", **marks)

    about = ("table", view.id, view.revision, tuple(view.names.items()))
    return page_cache.share(about, draw, order.index(seat) if seat in order else 0, record.new_token())


def _page(view: GameView, refused: Refused | None = None, tap: Tap | None = None) -> tuple[str, int]:
    shown = refusal(view, refused) if refused else None
    seat = tap.number if tap and tap.what in _SEATED and tap.what not in _WHOLE else None
    found = table_page(view, shown, seat, seat_of(view))
    page = _drawn(view, found, again=tap.text if tap else "", token=record.new_token())
    return page, refused.status if refused else 200


def _drawn(view: GameView, page: TablePage, **fields: object) -> str:
    return render_template("grebber/table.html" if page.grebber else "game/table.html", game=view, page=page, **fields)
