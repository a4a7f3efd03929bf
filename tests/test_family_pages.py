"""Every contract rummy of the family from New game to recap: each page opens, in each language, and says what was played."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.referee.commands import ScoreHand
from companion.referee.games import GAMES
from companion.referee.rules import Rules
from tests.web import plain, play, view

SHEETS = [rules for game in GAMES.values() if game.is_offered and game.family == "contract" for rules in game.sheets]
NAMES = ("Ana", "Bruno", "Carla", "Davi")


def begun(client: FlaskClient, sheet: str, **fields: Any) -> str:
    data = {"token": f"family {sheet}", "sheet": sheet, "name": list(NAMES), "dealer": "0", **fields}
    answer = client.post("/new", data=data)
    assert answer.status_code == 303, plain(answer.get_data(as_text=True))
    return answer.location.split("/g/")[1].strip("/")


@pytest.mark.parametrize("rules", SHEETS, ids=lambda rules: rules.sheet)
@pytest.mark.parametrize("language", ["en", "pt"])
def test_from_new_game_to_recap(app: Flask, client: FlaskClient, rules: Rules, language: str) -> None:
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    code = begun(client, rules.sheet)
    pages = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()) and rule.arguments == {"code"}]
    state = view(app, code).state
    assert state.rules.sheet == rules.sheet
    for number in range(1, len(rules.contracts) + 1):
        if number in (1, len(rules.contracts)):
            for page in pages:
                if not page.rule.endswith("/live"):
                    assert client.get(page.rule.replace("<code>", code)).status_code in (200, 302, 303, 404), page.rule
            assert client.get(f"/g/{code}/down?seat=1").status_code == 200
        state = view(app, code).state
        out = state.dealt_in[number % 4]
        least = min(rules.card_values)
        held = {seat: least * 3 for seat in state.dealt_in if seat != out}
        laid = frozenset(state.dealt_in) if rules.own_progress else None
        play(app, code, ScoreHand(number, out, held, sure=True, laid=laid))
    assert view(app, code).state.phase.value == "finished"
    for address in ("end", "recap", "scores", "history", "rules"):
        assert client.get(f"/g/{code}/{address}").status_code == 200
    for page in pages:
        if not page.rule.endswith("/live"):
            assert client.get(page.rule.replace("<code>", code)).status_code < 500, page.rule
    for address in ("/nights", "/statistics", "/people"):
        assert client.get(address).status_code == 200


def test_points_are_taken_off_where_the_game_does_and_the_form_comes_back_with_it(
    app: Flask, client: FlaskClient
) -> None:
    code = begun(client, "continental")
    page = plain(client.get(f"/g/{code}/over").get_data(as_text=True))
    assert "Went down and out in one turn" in page
    sent = {"hand": "1", "seen": "1", "out": "1", "at_once": "1", "points-0": "17", "points-2": "3", "points-3": "50"}
    assert client.post(f"/g/{code}/over", data={**sent, "token": "t1"}).status_code == 303
    assert dict(view(app, code).state.scores[0].points) == {0: 17, 1: -10, 2: 3, 3: 50}
    again = client.get(f"/g/{code}/scores/1").get_data(as_text=True)
    assert 'name="at_once" value="1" checked' in again


def test_an_exact_cut_takes_fifty_off(app: Flask, client: FlaskClient) -> None:
    code = begun(client, "liverpool")
    sent = {"hand": "1", "seen": "1", "out": "1", "cut": "2", "points-0": "17", "points-2": "3", "points-3": "50"}
    assert client.post(f"/g/{code}/over", data={**sent, "token": "t1"}).status_code == 303
    assert dict(view(app, code).state.scores[0].points) == {0: 17, 1: 0, 2: -47, 3: 50}
    wrong = {**sent, "hand": "2", "seen": "2", "cut": "²"}
    assert client.post(f"/g/{code}/over", data={**wrong, "token": "t2"}).status_code == 422
