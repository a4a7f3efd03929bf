"""A new game: names, seats, dealer, rules."""

import secrets
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

from flask import Blueprint, redirect, render_template, request, url_for
from flask_babel import gettext as _
from markupsafe import Markup
from werkzeug.wrappers import Response

from companion import record, wording
from companion.forms.starting import DRAW, SHEETS, StartForm, of_list, once_more
from companion.names import BadNames, clean_name, look_alike_key
from companion.pages.home import home_page
from companion.pages.starting import start_page
from companion.phones import devices
from companion.record import Accepted, own_lists, phones
from companion.referee.commands import StartGame
from companion.referee.engine import IllegalCommand
from companion.referee.events import GameStarted
from companion.views import drafts
from companion.views.desk import Answer
from companion.views.notices import tell
from companion.wording.seats import third_deck

bp = Blueprint("starting", __name__)

#: So long after its start a game has just begun.
JUST = timedelta(minutes=15)


@bp.before_request
def lead_back() -> Response | None:
    """Back from a game to the form that started it (``?form=TOKEN``, which a script notes) leads into the game again.

    Such a token is never given to a form: who knows the token of a form that started a game may enter the game with it.
    """
    made = _made(request.args.get("form", "")) if request.method == "GET" else None
    return redirect(url_for("table.table", code=made), code=303) if made else None


def _made(token: str) -> str | None:
    """The code of the game that the form with this token started, where this phone may see it."""
    view = _seen(record.started_with(token[:100]) or "") if token else None
    return view.code if view else None


@bp.get("/new")
def new() -> Answer:
    """The form, empty or (``?again=CODE``) with the people of a game that this phone may see, to the game after which it
    leads once that has begun; with ``another`` it is for another table all the same. ``?sheet=peru``, ``?list=CODE``.
    """
    last, another = _seen(request.args.get("again", "")), "another" in request.args
    if last is None:
        if form := _listed(request.args.get("list", "")):
            return _page(form)
        sheet = request.args.get("sheet", "")
        return _page(StartForm(sheet=sheet)) if sheet in SHEETS else _page(StartForm(sheet=_usual()), offer=True)
    if another:
        return _page(once_more(last))
    last, begun = _latest(last)
    if begun:
        return _to_begun(begun)
    return _page(once_more(last), after=last.code if record.role(last.id, devices.current_id()) == "keeper" else "")


def _listed(code: str, **values: object) -> StartForm | None:
    """The form with a list of one's own; None where this phone finds no such list."""
    kept = own_lists.load(code, devices.current_id()) if code else None
    return of_list(kept.code, kept.content, **values) if kept and not kept.is_removed else None


def _latest(view: record.GameView) -> tuple[record.GameView, record.NextGame | None]:
    """The last of the games that followed one another, and the one being played after it, as far as this phone may see."""
    following = record.next_game(view.id)
    then = _seen(following.code) if following else None
    if following is None or then is None:
        return view, None
    return _latest(then) if following.is_over else (view, following)


def _to_begun(game: record.NextGame) -> Response:
    """Into the next game, which another phone has started."""
    tell(game.code, _("The next game has begun already: here it is."), "good")
    return redirect(url_for("table.table", code=game.code), code=303)


def _usual() -> str:
    """The sheet of this phone's last game; Kate's until another was played."""
    device = devices.current_id()
    last = record.games_for(device, limit=1) if device else ()
    return last[0].sheet if last and last[0].sheet in SHEETS else next(iter(SHEETS))


@bp.post("/new")
def start() -> Answer:
    """Start, or what another button of the form asks."""
    form, wanted = StartForm(request.form), request.form.get("do", "start")
    after = "" if wanted == "another" else _kept(request.form.get("after", ""))
    if wanted not in ("start", "another") or drafts.only_shown():
        return _page(_with_list(form, wanted) or form.changed(wanted), after=after)
    command = form.command()
    return _land(command, form, after) if command else _page(form, 422, after=after)


def _with_list(form: StartForm, wanted: str) -> StartForm | None:
    """The same people with the list that a button asks for."""
    verb, _dash, code = wanted.partition("-")
    seated = form.seated
    points = form.points.texts[: len(seated)]
    return _listed(code, name=seated, points=points, dealer=form.dealer.text) if verb == "list" else None


def _kept(code: str) -> str:
    """The code of a game that this phone keeps, "" for any other: only its keepers start the next one."""
    view = _seen(code)
    return code if view and record.role(view.id, devices.current_id()) == "keeper" else ""


def _land(command: StartGame, form: StartForm, after: str) -> Answer:
    """Start the game, or say at the form why not."""
    try:
        return _to_table(_start(command, form, after), form)
    except record.NextGameBegun as begun:
        return _lead_in(begun.game, form, after)
    except BadNames as bad:
        form.refuse_names(bad.problems)
    except IllegalCommand as refused:
        names = dict(enumerate(form.seated))
        form.refuse(refused.problems, lambda problem: wording.sentence(problem, names))
    except record.TokenSpent as spent:
        form.error = _started_already(spent.code)
        return _page(form, 409, after=after)
    return _page(form, 422, after=after)


def _lead_in(game: record.NextGame, form: StartForm, after: str) -> Answer:
    """Into the game that another phone started meanwhile; where other people were typed here, both ways are offered."""
    old, device = record.load(after), devices.ensure()
    if old:
        record.next_games.bring_in(game, old.id, device)
    begun = _seen(game.code)
    if begun is None:
        form.error = _("The next game has begun on another phone. This phone is not at it: ask there for its code.")
        return _page(form, 409)
    if {look_alike_key(clean_name(name)) for name in form.seated} == set(map(look_alike_key, begun.names.values())):
        return _to_begun(game)
    form.error = _("The next game has begun already, with %(names)s. Yours has not.",
                   names=wording.and_list(map(wording.isolate, begun.names.values())))  # fmt: skip
    return _page(form, 409, after=after, begun=game.code)


def _started_already(code: str) -> str:
    """That the form has started the game with this code, and the way there where this phone may see it."""
    words = _("This form has started a game already. Send it again for another one.")
    if _seen(code) is None:
        return words
    table = url_for("table.table", code=code)
    return Markup('{} <a class="button" href="{}">{}</a>').format(words, table, _("To that game"))


def _start(command: StartGame, form: StartForm, after: str) -> Accepted:
    """The game lands once: a lot drawn again for a form that came before finds the game of the first draw."""
    token, names, device = request.form.get("token", "")[:100], form.seated, devices.ensure()
    first = secrets.randbelow(len(names)) if form.dealer.text == DRAW else command.dealer
    dealers = [(first + turn) % len(names) for turn in range(len(names) if form.dealer.text == DRAW else 1)]
    start = partial(record.start_game, names=names, token=token, device=device, after=after)
    for dealer in dealers[:-1]:
        with suppress(record.TokenSpent):
            return start(replace(command, dealer=dealer))
    return start(replace(command, dealer=dealers[-1]))


def _let_in(started: Accepted) -> None:
    """A phone that nobody knew and whose form arrived twice became two devices: the second is let in as well.

    Its answer is the one that a browser keeps, and only the phone that was given the form can send its token.
    """
    view, device = record.load(started.code), devices.ensure()
    if view and record.role(view.id, device) is None and not phones.was_member(view.id, device):
        phones.enter(phones.game_links(view.id)[0].token, device, None)


def _to_table(started: Accepted, form: StartForm) -> Response:
    if started.duplicate:
        _let_in(started)
    elif form.own.text:
        own_lists.note_used(form.own.text, devices.ensure())
    event = started.events[0]
    assert isinstance(event, GameStarted)
    if form.dealer.text == DRAW:
        drawn = wording.isolate(form.seated[event.dealer])
        tell(started.code, _("The lot fell on %(name)s, who deals first.", name=drawn), "good", entry=1)
    if len(event.seats) > event.rules.players_per_two_decks:
        tell(started.code, third_deck(len(event.seats)), "good", entry=1)
    return redirect(url_for("table.table", code=started.code), code=303)


def _seen(code: str) -> record.GameView | None:
    """The game of that code, where this phone may see it."""
    view = record.load(code)
    return view if view and record.role(view.id, devices.current_id()) else None


def _page(
    form: StartForm, status: int = 200, *, offer: bool = False, after: str = "", begun: str = ""
) -> tuple[str, int]:
    device = devices.current_id()
    games = record.games_for(device, limit=20) if device else ()
    last = home_page(games[:5]).again if offer else None
    known, played = record.known_people(record.house_for(device), device), [game.sheet for game in games]
    page = start_page(form, known, last, after, begun, played=played, kept=own_lists.kept(device))
    return render_template("starting/new.html", page=page, token=record.new_token(), just=_just_begun(device)), status


def _just_begun(device: int | None) -> record.GameSummary | None:
    """A game that began some minutes ago: who has no scripts and goes back to the form finds it there."""
    games = record.games_for(device, limit=5) if device else ()
    since = datetime.now(UTC) - JUST
    return next((game for game in games if not game.is_over and game.created_at > since), None)
