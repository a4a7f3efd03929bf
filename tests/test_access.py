"""Every page about a game says who may open it, whether it needs a hand in play, and which kind of game it belongs to."""

from __future__ import annotations

import pytest
from flask import Flask, url_for
from flask.testing import FlaskClient

from companion.referee.games import GREBBER, KATE
from companion.views.desk import Access
from tests.web import play, score, start, watch

Page = tuple[str, str, Access]
#: What stands in an address beside the game's code.
VALUES = {"number": 1, "question": "meld", "role": "watch", "kind": "json"}


def pages(app: Flask, code: str) -> list[Page]:
    """Method, address and access of everything there is about a game."""
    found = []
    for rule in app.url_map.iter_rules():
        if "code" in rule.arguments:
            access = app.view_functions[rule.endpoint].access
            with app.test_request_context():
                values = {name: VALUES[name] for name in rule.arguments - {"code"}}
                address = url_for(rule.endpoint, code=code, **values)
            found.extend((method, address, access) for method in rule.methods & {"GET", "POST"})
    return found


def status(phone: FlaskClient, page: Page) -> int:
    answer = phone.open(page[1], method=page[0], buffered="/live" not in page[1])
    answer.close()
    return answer.status_code


def test_every_route_of_a_game_states_it_and_only_keepers_send(app):
    found = pages(app, "abcdefgh")
    assert len(found) > 40
    assert [page for page in found if not isinstance(page[2], Access)] == []
    assert [page for page in found if page[0] == "POST" and page[2].role != "keeper"] == []
    assert {page[2].role for page in found} == {"keeper", "watch"}


@pytest.mark.parametrize("rules", [KATE, GREBBER], ids=["kate", "grebber"])
def test_strangers_find_nothing_and_watchers_open_only_what_they_may(app, client, rules):
    code = start(app, client, rules=rules)
    watcher, stranger = app.test_client(), app.test_client()
    watch(app, watcher, code)
    for page in pages(app, code):
        assert status(stranger, page) == 404, page
        assert (status(watcher, page) == 403) is (page[2].role == "keeper"), page


@pytest.mark.parametrize("rules", [KATE, GREBBER], ids=["kate", "grebber"])
def test_a_page_of_another_kind_of_game_is_not_found_with_the_way_back(app, client, rules):
    code = start(app, client, rules=rules)
    for method, address, access in pages(app, code):
        if access.only and not access.only(rules):
            answer = client.open(address, method=method)
            assert answer.status_code == 404 and "Another game is played here" in answer.text, address


def test_without_a_hand_in_play_its_pages_say_that_the_game_has_moved_on(app, client):
    code = start(app, client)
    play(app, code, *(score(hand, 0, 0, 10, 10) for hand in range(1, 11)))
    needy = [page for page in pages(app, code) if page[2].hand_in_play and (not page[2].only or page[2].only(KATE))]
    assert len(needy) > 5
    for page in needy:
        assert status(client, page) == 409, page
