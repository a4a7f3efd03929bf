"""A contract rummy that nobody has heard of: no page, print, export, recap or statistic calls it by another game's name."""

from __future__ import annotations

import json
import re
from urllib.parse import unquote

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.referee import games
from companion.referee.cards import Rank
from companion.referee.commands import CloseGame
from companion.referee.games import KATE, Game
from companion.referee.games.gripe import contract
from tests.web import another, plain, play, score, start, three_sets

NAME = "Tangerine rummy"
TANGERINE = KATE.replace(
    sheet="tangerine",
    contracts=tuple(map(contract, ("2xset3", "run5", "set3 run4"))),
    buys=(2, 2, 1),
    hand_size=9,
    points=tuple((rank, 12 if rank is Rank.TWO else 4) for rank in Rank if rank is not Rank.JOKER),
)
#: What only other games may be called, and the numbers of their rules.
FOREIGN = re.compile(r"Gripe|Kate|Peru|Telefunken|Grebber|Liverpool|\b[KP]\d+\b")
#: The name of this app, and the note on the rules page that every cousin of Gripe has.
OURS = re.compile(
    r"Gripe Companion|Gripe: our table|A cousin of Gripe|relative of Gripe|those of Gripe|differs from Gripe"
)


@pytest.fixture(autouse=True)
def tangerine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game, as its own file in the room of games would add it."""
    monkeypatch.setitem(games._games, "tangerine", Game("tangerine", (TANGERINE,), boardgame=NAME))
    monkeypatch.setitem(games._sheets, "tangerine", TANGERINE)


def pages_of_a_game(app: Flask) -> list[str]:
    """The addresses of all pages that need no more than a game's code."""
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()) and rule.arguments == {"code"}]
    return sorted(rule.rule for rule in rules if not rule.rule.endswith("/live"))


def strangers(text: str) -> list[str]:
    return FOREIGN.findall(OURS.sub("", unquote(plain(text))))


def looked_at(client: FlaskClient, address: str, status: int = 200) -> str:
    """What a page says in its own part; "" where this game has no such page."""
    answer = client.get(address)
    page = answer.get_data(as_text=True) if answer.status_code == status else ""
    return page.partition("<main")[2].partition("</main>")[0] if "<main" in page else page


def test_no_page_of_a_new_game_speaks_of_another(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, rules=TANGERINE)
    seen: dict[str, list[str]] = {}

    def look() -> None:
        for address in (*(page.replace("<code>", code) for page in pages_of_a_game(app)),
                        f"/g/{code}/throw?card=7C", f"/g/{code}/who?discarder=0&call=2"):  # fmt: skip
            seen[address] = seen.get(address, []) + strangers(looked_at(client, address))

    look()
    play(app, code, three_sets())
    look()
    play(app, code, score(1, 0, 0, 16, 24), score(2, 1, 12, 0, 4), score(3, 2, 4, 8, 0))
    look()
    assert len(seen) > 15
    assert {address: found for address, found in seen.items() if found} == {}
    assert NAME in looked_at(client, f"/g/{code}/recap")


def test_many_nights_and_what_is_taken_out_call_it_by_its_name(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, rules=TANGERINE)
    play(app, code, score(1, 0, 0, 16, 24), CloseGame())
    play(app, another(app, client, rules=TANGERINE), score(1, 0, 0, 16, 24), CloseGame())
    for address in ("/nights", "/statistics", "/people", "/people/1", "/statistics?sheet=tangerine"):
        assert strangers(looked_at(client, address)) == [], address
    recap = client.get(f"/g/{code}/recap").get_data(as_text=True)
    link = re.search(r"createPlay\.html\?data=([^\"]+)", recap)
    assert link
    assert json.loads(unquote(plain(link[1])))["game"]["name"] == NAME
    sheet = client.get(f"/g/{code}/night.csv").get_data(as_text=True)
    assert NAME in sheet
    assert strangers(sheet) == []


def test_a_score_that_cannot_be_names_the_values_of_its_own_cards(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, rules=TANGERINE)
    page = looked_at(client, f"/g/{code}/over?hand=1&out=0&points-1=7&points-2=4", 422)
    assert "every card counts 4 or 12" in plain(page)
    assert strangers(page) == []


def test_a_score_of_the_game_from_peru_names_its_values(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, rules=games.PERU)
    page = looked_at(client, f"/g/{code}/over?hand=1&out=0&points-1=7&points-2=5", 422)
    assert "every card counts 5, 10, 15, or 25" in plain(page)
