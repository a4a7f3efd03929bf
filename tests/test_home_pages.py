"""Home and the language: what a phone sees first, and that the way back never leads elsewhere."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.phones import devices
from companion.referee.commands import CloseGame
from companion.referee.games import KATE, PERU
from tests.web import LONG_NAMES, play, score, start


def home(client: FlaskClient, address: str = "/") -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.text


def test_a_newcomer_is_told_what_to_do(client: FlaskClient) -> None:
    page = home(client)
    assert "Type who plays" in page
    assert 'href="/new"' in page
    assert 'href="/referee"' in page
    assert 'href="/rules"' in page
    assert "Going on" not in page
    assert "Finished nights" not in page


def test_looking_makes_no_device_known(client: FlaskClient) -> None:
    assert devices.COOKIE + "=" not in "".join(client.get("/").headers.getlist("Set-Cookie"))


def test_a_game_going_on_says_where_it_stands_and_who_leads(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    assert "lead" not in home(client)
    play(app, code, score(1, 0, 0, 25, 40))
    page = home(client)
    assert "Hand 2 of 10" in page
    assert "Ana, Bea and Carl" in page or "Ana, Bea, and Carl" in page
    assert "Ana leads" in page
    assert f'href="/g/{code}/"' in page
    assert "Type who plays" not in page


def test_a_game_of_nine_deals_says_so(app: Flask, client: FlaskClient) -> None:
    start(app, client, rules=PERU)
    assert "Hand 1 of 9" in home(client)


def test_level_leaders_are_named_together(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    play(app, code, score(1, 0, 0, 25, 40), score(2, 1, 25, 0, 40))
    assert "Ana and Bea lead" in home(client)


def test_a_finished_night_names_its_winner_and_date(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    play(app, code, score(1, 1, 10, 0, 40), CloseGame())
    page = home(client)
    assert "Bea won" in page
    assert f'href="/g/{code}/end"' in page
    assert f'href="/new?again={code}"' in page
    assert "Going on" not in page


def test_a_night_without_a_hand_has_no_winner(app: Flask, client: FlaskClient) -> None:
    play(app, start(app, client), CloseGame())
    page = home(client)
    assert "Nobody won" in page
    assert "Ana won" not in page


def test_g9_3_a_night_that_ends_all_level_is_won_by_all(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    play(app, code, score(1, 0, 0, 25, 25), score(2, 1, 25, 0, 25), score(3, 2, 25, 25, 0), CloseGame())
    assert "Ana, Bea, and Carl won" in home(client)


def test_a_game_of_another_phone_is_not_listed(app: Flask, client: FlaskClient) -> None:
    start(app, client)
    assert "Type who plays" in home(app.test_client())


def test_games_that_nobody_closes_stay_light_too(app: Flask, client: FlaskClient) -> None:
    for guest in range(12):
        _on_the_same_phone(client, ("Ana", "Bea", f"Guest {guest}"))
    assert home(client).count("Hand 1 of 10") == 10
    assert "Show 2 older nights" in home(client)
    assert home(client, "/?all=").count("Hand 1 of 10") == 12


def test_a_night_that_nobody_closed_is_offered_again_next_week(app: Flask, client: FlaskClient, monkeypatch) -> None:
    code = start(app, client)
    assert "?again=" not in home(client)
    monkeypatch.setattr("companion.pages.home.LEFT_LYING", timedelta(seconds=-1))
    assert f'href="/new?again={code}"' in home(client)


def test_long_lists_stay_light(app: Flask, client: FlaskClient) -> None:
    codes = []
    for guest in range(12):
        codes.append(_on_the_same_phone(client, ("Ana", "Bea", f"Guest {guest}")))
        play(app, codes[-1], CloseGame())
    page = home(client)
    assert page.count('class="night-more"') == 10
    assert "Show 2 older nights" in page
    assert home(client, "/?all=").count('class="night-more"') == 12


def _on_the_same_phone(client: FlaskClient, names: tuple[str, ...]) -> str:
    answer = client.post("/new", data={"name": list(names), "token": names[-1], "dealer": "0"})
    assert answer.status_code == 303
    return answer.location.split("/")[2]


@pytest.mark.parametrize("accepts", ["en", "pt"])
def test_names_are_text_whatever_they_hold(app: Flask, client: FlaskClient, accepts: str) -> None:
    start(app, client, LONG_NAMES, KATE)
    page = client.get("/", headers={"Accept-Language": accepts}).text
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page


# --- the language ----------------------------------------------------------------------------------------------------


def choose(client: FlaskClient, **sent: str) -> str:
    answer = client.post("/language", data={"language": "pt", **sent})
    assert answer.status_code == 303
    assert any(cookie.startswith("language=pt;") for cookie in answer.headers.getlist("Set-Cookie"))
    return answer.location


def test_the_language_is_remembered(client: FlaskClient) -> None:
    choose(client, next="/")
    assert '<html lang="pt"' in home(client)


@pytest.mark.parametrize("page", ["/", "/referee/meld?cards=4S+2H", "/rules?sheet=ehow", "/g/abc/scores"])
def test_the_language_leads_back_to_the_page(client: FlaskClient, page: str) -> None:
    assert choose(client, next=page) == page


def test_an_empty_question_mark_is_left_out(client: FlaskClient) -> None:
    assert choose(client, next="/referee?") == "/referee"


def test_a_form_leads_back_to_the_table(client: FlaskClient) -> None:
    assert choose(client, next="/g/abc/do") == "/g/abc/"
    assert choose(client, next="/language") == "/"


ELSEWHERE = [
    "//evil.example", "/\\evil.example", "\\\\evil.example", "https://evil.example/", "javascript:alert(1)",
    "/\t/evil.example", "/\n/evil.example", "/%0d%0aSet-Cookie: x", " //evil.example", "evil.example", "",
    "/no-such-page", "/" + "a" * 5000, "/\x00", "///evil.example", "/https://evil.example", "/ø", "?", "/?\r\nX: y",
    "/.//evil.example", "/rules/..//evil.example",
]  # fmt: skip


@pytest.mark.parametrize("wanted", ELSEWHERE)
def test_the_language_never_leads_elsewhere(client: FlaskClient, wanted: str) -> None:
    assert choose(client, next=wanted) == "/"


def test_without_next_the_language_leads_home(client: FlaskClient) -> None:
    assert choose(client) == "/"


@pytest.mark.parametrize("code", ["", "xx", "EN", "pt\n", "../en", "e" * 5000])
def test_a_language_that_is_not_on_offer_is_refused(client: FlaskClient, code: str) -> None:
    answer = client.post("/language", data={"language": code})
    assert answer.status_code == 422
    assert "language=" not in "".join(answer.headers.getlist("Set-Cookie"))


def test_the_language_is_not_changed_by_a_link(client: FlaskClient) -> None:
    assert client.get("/language?language=pt").status_code == 405


def test_the_language_form_needs_its_csrf_token(make_app) -> None:
    assert make_app(WTF_CSRF_ENABLED=True).test_client().post("/language", data={"language": "pt"}).status_code == 400
