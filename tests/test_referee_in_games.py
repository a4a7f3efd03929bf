"""Ask the referee inside a game, by its own rules; and by any sheet of the family without one."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.forms.questions import SHEETS
from companion.referee.commands import GoDown
from companion.referee.games import KATE, PERU
from tests.referee.nights import melds
from tests.web import play, score, start

WILDS_ALONE = KATE.replace(min_naturals=0)
QUESTIONS = ("meld", "contract", "hand")


def test_g3_3_a_table_that_plays_wilds_alone_is_answered_by_its_own_rules(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, rules=WILDS_ALONE)
    assert "Yes" in client.get(f"/g/{code}/referee/meld?cards=2S+2H+2D").text
    assert "No, this is no meld." in client.get("/referee/meld?cards=2S+2H+2D").text


def test_more_leads_to_the_four_questions_of_the_game(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    assert f'href="/g/{code}/referee"' in client.get(f"/g/{code}/more").text
    page = client.get(f"/g/{code}/referee").text
    assert all(f"/g/{code}/referee/{question}" in page for question in (*QUESTIONS, "discard"))
    assert 'class="tabs"' in page


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_keeps_tabs_and_title_and_offers_no_other_sheet(
    app: Flask, client: FlaskClient, question: str
) -> None:
    code = start(app, client)
    page = client.get(f"/g/{code}/referee/{question}").text
    assert 'class="tabs"' in page and "Hand 1 of 10" in page and "By the rules of this table" in page
    assert 'name="sheet"' not in page
    assert '<details class="writing-pad" data-into=' in page and " open>" in page
    assert "No, this is no meld." not in client.get(f"/g/{code}/referee/{question}?sheet=ehow").text


def test_the_hand_asked_about_is_the_one_in_play_and_another_can_be_chosen(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    play(app, code, score(1, 0, 0, 5, 10), score(2, 0, 0, 5, 10))
    page = client.get(f"/g/{code}/referee/hand").text
    assert re.search(r'<option value="3"[^>]* selected', page)
    assert "hand 1" in client.get(f"/g/{code}/referee/contract?hand=1&groups=9S+9H+9D%0A8S+8H+8D").text


def test_what_may_be_thrown_is_asked_of_the_melds_on_the_table(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, rules=PERU)
    play(app, code, GoDown(1, 1, melds("set 9S 9H JK")), GoDown(1, 2, melds("set KS KD KH / run 6S 7S JK")))
    assert client.get(f"/g/{code}/referee/discard").location == f"/g/{code}/throw"


def test_after_the_night_the_questions_are_still_answered(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    play(app, code, *(score(hand, 0, 0, 10, 10) for hand in range(1, 11)))
    assert "may be thrown." in client.get(f"/g/{code}/referee/discard?groups=4S+5S+6S&card=9H").text
    assert "Yes, this is a meld." in client.get(f"/g/{code}/referee/meld?cards=4S+5S+6S").text


@pytest.mark.parametrize("typed", ["meld?cards=xx", "hand?cards=5S&hand=99", "contract?groups=5S&hand=", "meld?cards="])
def test_what_cannot_be_read_is_said_beside_its_field(app: Flask, client: FlaskClient, typed: str) -> None:
    answer = client.get(f"/g/{start(app, client)}/referee/{typed}")
    assert answer.status_code == 422 and 'class="field-error"' in answer.text


@pytest.mark.parametrize("sheet", sorted(SHEETS))
def test_every_game_of_the_family_is_asked_about_without_a_game(client: FlaskClient, sheet: str) -> None:
    cards = "3S 3H 3D 5C 6C 7C 8C 9H 9D 9S"
    for question in ("meld?cards=7S+7H+7D", f"hand?hand=1&cards={cards}", "contract?hand=1&groups=7S+7H+7D"):
        answer = client.get(f"/referee/{question}&sheet={sheet}")
        assert answer.status_code == 200 and 'id="answer"' in answer.text, question
    assert client.get(f"/referee/discard?groups=7S+7H+7D&card=7C&sheet={sheet}").status_code == 200


def test_the_sheet_chosen_last_is_kept_and_a_strange_one_is_not(client: FlaskClient) -> None:
    client.get("/referee/meld?cards=7S+7H+7D&sheet=ehow")
    assert re.search(r'<option value="ehow"[^>]* selected', client.get("/referee/hand").text)
    client.get("/referee/meld?cards=7S+7H+7D&sheet=nonsense")
    client.set_cookie("sheet", "nonsense")
    assert re.search(r'<option value="kate"[^>]* selected', client.get("/referee/hand").text)


def test_hands_with_wilds_of_their_own_are_asked_about_by_their_number(client: FlaskClient) -> None:
    asked = [sheet for sheet, rules in SHEETS.items() if any(deal.wild_ranks for deal in rules.deals)]
    for sheet in asked:
        assert 'name="hand"' in client.get(f"/referee/meld?sheet={sheet}").text
    assert 'name="hand"' not in client.get("/referee/meld?sheet=kate").text
