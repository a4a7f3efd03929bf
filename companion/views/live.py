"""What keeps phones up to date: a stream of revisions, a question for one, and the page for a television."""

import json
import select
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, cast
from urllib.parse import quote

from flask import Blueprint, Flask, abort, current_app, g, jsonify, request
from flask_babel import gettext as _
from sqlalchemy.exc import DatabaseError
from sqlalchemy.exc import TimeoutError as NoConnectionFree
from werkzeug.wrappers import Response

from companion import live, record
from companion.forms.numbers import ENTRY, whole
from companion.i18n import current_language
from companion.pages.refusals import device_words, event_words
from companion.pages.tv import tv_page
from companion.phones import devices
from companion.record import GameView, phones
from companion.views import desk, page_cache

bp = Blueprint("live", __name__)

#: A stream says its number again at least so often, and looks after a second whether the phone is still there.
HEARTBEAT = 15
LOOK = 1
#: How many entries of others the quiet line tells of, and among how many they are looked for.
TOLD = 3
LOOKED_AT = 20


@bp.get("/g/<code>/live")
@desk.states(desk.Access("watch"))
def stream(code: str) -> Response | tuple[str, int]:
    """Server-sent events: each only a revision. 204 where there is no room for another stream: then ask."""
    game, _revision, device = _standing(code)
    is_gone = _is_gone(request.environ)
    subscriber = live.subscribe(game, device, request.remote_addr or "", is_gone)
    if subscriber is None:
        return "", 204
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    events = _events(app, device, subscriber, request.environ.get("waitress.client_disconnected"))
    response = current_app.response_class(events, mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    response.headers["Cache-Control"] = "no-store, no-transform"
    response.call_on_close(subscriber.close)
    return response


@bp.get("/g/<code>/revision")
@desk.states(desk.Access("watch"))
def revision(code: str) -> Response:
    """The game's revision, and what came after ``seen`` in words; 304 where the phone knows it already."""
    _game, current, _device = _standing(code)
    seen = whole(request.args.get("seen"), ENTRY)
    view = record.load(code) if seen is not None and seen != current else None
    response = jsonify(revision=current, lines=_of_others(_since(view, seen)) if view and seen is not None else [])
    response.set_etag(f"{current}-{seen}-{current_language()}")
    response.vary.update(["Accept-Language", "Cookie"])
    return response.make_conditional(request)


@bp.get("/g/<code>/entering")
@desk.for_game("keeper")
def entering(view: GameView) -> Response:
    """Which other phone is entering a hand at this moment, in words; "" for none."""
    return jsonify(words=entering_words(view, desk.number(request.args.get("hand"))))


@bp.post("/g/<code>/entering")
@desk.for_game("keeper")
def say_entering(view: GameView) -> tuple[str, int]:
    """This phone is entering a hand."""
    mark_entering(view, desk.number(request.form.get("hand")))
    return "", 204


def mark_entering(view: GameView, hand: int | None) -> None:
    """Let the other phones know, for a minute, that this one is entering a hand."""
    device = devices.current_id()
    if hand is not None and device is not None:
        live.say_entering(view.id, hand, device)


def entering_words(view: GameView, hand: int | None) -> str:
    """Which other phones are entering a hand."""
    here = devices.current_id()
    others = live.entering(view.id, hand) - {here} if hand is not None else ()
    labels = [member.label for member in phones.members(view.id) if member.label.id in others] if others else []
    names = [device_words(label, here) for label in labels]
    return _("Another phone is entering this hand: %(phones)s.", phones=", ".join(names)) if names else ""


@bp.get("/g/<code>/tv")
@desk.for_game("watch")
def tv(view: GameView) -> desk.Answer:
    """The table across the room: nothing to tap."""
    table, final = tv_page(view)
    return desk.page("live/tv.html", view, table=table, final=final)


@bp.app_context_processor
def clock() -> dict[str, Callable[[], int]]:
    """When a page was made, in seconds: it says so when it is seen without a connection."""
    return {"now": lambda: int(time.time())}


@bp.after_app_request
def say_what_came_since(response: Response) -> Response:
    """A page that a phone fetches because something changed says in a header what that was."""
    seen = whole(request.headers.get("X-Seen"), ENTRY)
    view: GameView | None = g.get("game")
    if seen is not None and response.status_code == 200 and view is not None:
        about = ("since", view.id, view.revision, seen, tuple(view.names.items()))
        came = page_cache.get(about, lambda: _since(view, seen))
        response.headers["X-Since"] = quote(json.dumps(_of_others(came)))
    return response


def _standing(code: str) -> tuple[int, int, int | None]:
    """The game's id, its revision and the device; 404 where this phone may not look.

    Every phone asks after every entry: the game itself is not read for it.
    """
    game_and_revision, device = record.revision(code), devices.current_id()
    if game_and_revision is None or record.role(game_and_revision[0], device) is None:
        abort(404)
    return (*game_and_revision, device)


def _is_gone(environ: Mapping[str, Any]) -> Callable[[], bool] | None:
    """How the server tells whether the phone has left without a word; None where it cannot."""
    if (told := environ.get("waitress.client_disconnected")) is not None:
        return cast(Callable[[], bool], told)
    line: socket.socket | None = environ.get("gunicorn.socket")
    return None if line is None else partial(_is_closed, line)


def _is_closed(line: socket.socket) -> bool:
    """Whether the other end of a connection has closed it: there is something to read, and it is nothing."""
    try:
        return bool(select.select([line], [], [], 0)[0]) and line.recv(1, socket.MSG_PEEK) == b""
    except (OSError, ValueError):  # broken off, or closed here already
        return True


def _events(
    app: Flask, device: int | None, subscriber: live.Subscriber, is_gone: Callable[[], bool] | None
) -> Iterator[str]:
    """The stream of one phone; it ends when the phone has left or lost its role, and when the server stops.

    A phone that left is seen by ``is_gone`` where the server can tell, else when nothing can be sent to it.
    """
    pause = LOOK if is_gone else HEARTBEAT
    try:
        yield "retry: 2000\n\n"
        while not subscriber.is_closed:
            current = _revision_for(app, subscriber, device)
            if current is None:
                yield "event: gone\ndata: 0\n\n"
                return
            yield f"data: {current}\n\n"
            if subscriber.take_hint():
                yield "event: hint\ndata: 0\n\n"
            for _look in range(round(HEARTBEAT / pause)):
                if subscriber.wait(pause):
                    break
                if is_gone and is_gone():
                    return
    except (DatabaseError, NoConnectionFree):
        app.logger.warning("a stream ends: the database does not answer")
    finally:
        subscriber.close()


def _revision_for(app: Flask, subscriber: live.Subscriber, device: int | None) -> int | None:
    """The committed revision, or None where the device may look no more."""
    with app.app_context():
        standing = subscriber.standing(record.standing)
        return standing[0] if standing and (device in standing[1] or record.is_open()) else None


def _since(view: GameView, seen: int) -> list[tuple[int | None, str]]:
    """The entries after a revision, not more than a few, in words and each with the device that made it."""
    entries = record.since(view.code, seen, LOOKED_AT)
    return [(entry.device.id if entry.device else None, event_words(entry, view)) for entry in entries]


def _of_others(came: list[tuple[int | None, str]]) -> list[str]:
    """The last of them that this phone did not enter itself."""
    here = devices.current_id()
    return [words for device, words in came if device is None or device != here][-TOLD:]
