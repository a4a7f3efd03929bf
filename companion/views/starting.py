"""A new game: names, seats, dealer, rules."""

import secrets
from contextlib import suppress
from dataclasses import replace

from flask import Blueprint, redirect, render_template, request, url_for
from flask_babel import gettext as _
from markupsafe import Markup
from werkzeug.wrappers import Response

from companion import record, wording
from companion.forms.starting import DRAW, SHEETS, StartForm, once_more
from companion.names import BadNames
from companion.pages.home import home_page
from companion.pages.starting import start_page
from companion.phones import devices
from companion.record import Accepted, phones
from companion.referee.commands import StartGame
from companion.referee.engine import IllegalCommand
from companion.referee.events import GameStarted
from companion.views import drafts
from companion.views.desk import Answer
from companion.views.notices import tell
from companion.wording.seats import third_deck

bp = Blueprint("starting", __name__)


@bp.get("/new")
def new() -> Answer:
    """The form, empty or (``?again=CODE``) with the people of a game that this phone may see; ``?sheet=peru``."""
    last = _seen(request.args.get("again", ""))
    if last is None and (sheet := request.args.get("sheet", "")) in SHEETS:
        return _page(StartForm(sheet=sheet))
    return _page(once_more(last) if last else StartForm(), offer=last is None)


@bp.post("/new")
def start() -> Answer:
    """Start, or what another button of the form asks."""
    form, wanted = StartForm(request.form), request.form.get("do", "start")
    if wanted != "start" or drafts.only_shown():
        return _page(form.changed(wanted))
    command = form.command()
    return _land(command, form) if command else _page(form, 422)


def _land(command: StartGame, form: StartForm) -> Answer:
    """Start the game, or say at the form why not."""
    try:
        return _to_table(_start(command, form), form)
    except BadNames as bad:
        form.refuse_names(bad.problems)
    except IllegalCommand as refused:
        names = dict(enumerate(form.seated))
        form.refuse(refused.problems, lambda problem: wording.sentence(problem, names))
    except record.TokenSpent as spent:
        form.error = _started_already(spent.code)
        return _page(form, 409)
    return _page(form, 422)


def _started_already(code: str) -> str:
    """That the form has started the game with this code, and the way there where this phone may see it."""
    words = _("This form has started a game already. Send it again for another one.")
    if _seen(code) is None:
        return words
    table = url_for("table.table", code=code)
    return Markup('{} <a class="button" href="{}">{}</a>').format(words, table, _("To that game"))


def _start(command: StartGame, form: StartForm) -> Accepted:
    """The game lands once: a lot drawn again for a form that came before finds the game of the first draw."""
    token, names, device = request.form.get("token", "")[:100], form.seated, devices.ensure()
    first = secrets.randbelow(len(names)) if form.dealer.text == DRAW else command.dealer
    dealers = [(first + turn) % len(names) for turn in range(len(names) if form.dealer.text == DRAW else 1)]
    for dealer in dealers[:-1]:
        with suppress(record.TokenSpent):
            return record.start_game(replace(command, dealer=dealer), names, token=token, device=device)
    return record.start_game(replace(command, dealer=dealers[-1]), names, token=token, device=device)


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


def _page(form: StartForm, status: int = 200, *, offer: bool = False) -> tuple[str, int]:
    device = devices.current_id()
    last = home_page(record.games_for(device, limit=5)).again if device and offer else None
    page = start_page(form, record.known_people(record.house_for(device), device), again=last)
    return render_template("starting/new.html", page=page, token=record.new_token()), status
