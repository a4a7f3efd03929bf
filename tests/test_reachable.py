"""Every page can be reached by a menu, a link or a form that only looks, from the first page."""

from __future__ import annotations

from urllib.parse import urlencode, urljoin, urlsplit

from flask import Flask
from flask.testing import FlaskClient

from companion.referee.commands import Buy, CloseGame, CountHand, GoDown
from companion.referee.games import GREBBER, PERU
from companion.referee.grebber import Count
from proofs.phones import Answer
from tests.referee.nights import melds
from tests.web import another, play, score, start, three_sets

#: Pages of one route that are looked at: enough for every state of the games below.
MOST_OF_A_ROUTE = 40
#: Routes that no menu leads to, and why.
UNLINKED = {
    "/g/<code>/live": "the stream that scripts listen to",
    "/g/<code>/revision": "what scripts ask where there is no stream",
    "/g/<code>/entering": "what scripts ask when another phone is entering a hand",
    "/g/<code>/melds/<number>/correct": "only for a phone that loads a refused form again: leads back to the meld",
    "/g/<code>/melds/<number>/remove": "only for a phone that loads a refused form again: leads back to the meld",
    "/j/<token>": "the link that is shown to other phones, as a code to scan",
    "/r/<recap>": "the link to one night that is given to others",
    "/manifest.webmanifest": "for the browser, which installs the app by it",
    "/sw.js": "for the browser: the worker that answers without a connection",
    "/healthz": "for programs that watch over the server",
    "/readyz": "for programs that watch over the server",
    "/metrics": "for programs that watch over the server, where it is switched on",
    "/offline": "what the worker shows without a connection",
    "/static/<version>/<path:filename>": "style sheets, scripts and icons",
}


def leads_to(page: Answer) -> list[str]:
    """Where a page's links and its forms that only look lead."""
    forms = [form for form in page.forms if form.method == "get"]
    asked = [urljoin(page.path, f"{form.action}?{urlencode([*form.fields, *form.buttons[:1]])}") for form in forms]
    return [*page.links, *asked]


def routes_reached(app: Flask, phone: FlaskClient) -> set[str]:
    """The routes that a phone comes to from the first page."""
    adapter = app.url_map.bind("localhost")
    looked_at: dict[str, set[str]] = {}
    waiting = ["/"]
    while waiting:
        address = waiting.pop().partition("#")[0]
        route = adapter.match(urlsplit(address).path, method="GET", return_rule=True)[0].rule
        addresses = looked_at.setdefault(route, set())
        if address in addresses or len(addresses) >= MOST_OF_A_ROUTE:
            continue
        addresses.add(address)
        answer = phone.get(address)
        assert answer.status_code in (200, 302, 303, 422), f"{answer.status_code} at {address}, which a page leads to"
        if answer.location:
            waiting.append(answer.location)
        elif answer.mimetype == "text/html":
            waiting += leads_to(Answer(answer.status_code, {}, answer.text, urlsplit(address).path))
    return set(looked_at)


def test_every_page_can_be_reached_from_the_first(app: Flask, client: FlaskClient) -> None:
    """Games as they start, in the middle of a hand, with a scored hand and ended, of each kind of game."""
    start(app, client)
    in_a_hand, ended = another(app, client), another(app, client)
    play(app, in_a_hand, Buy(1, 1), three_sets())
    play(app, ended, score(1, 0, 0, 5, 10), CloseGame())
    peru = another(app, client, rules=PERU)
    play(app, peru, GoDown(1, 1, melds("set 9S 9H JK")), GoDown(1, 2, melds("set KS KD KH / run 6S 7S JK")))
    grebber = another(app, client, names=("Dot", "Eve"), rules=GREBBER)
    play(app, grebber, CountHand(1, (Count(0, 12, 4), Count(1, 0, 7))))
    client.post("/lists/new", data={"name": "Friday", "sheet": "kate", "hands": "2xset3 / set3 run4", "do": "save"})
    every = {rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    reached = routes_reached(app, client)
    assert every - reached - UNLINKED.keys() == set(), "pages that nothing leads to"
    assert UNLINKED.keys() - (every - reached) == set(), "there is a way to these now: they are no exceptions"
