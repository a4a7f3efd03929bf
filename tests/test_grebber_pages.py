"""Grebber on its pages: a new game of it, the table, counting a hand, questions, chips; and no page of another game."""

from __future__ import annotations

import io
import re
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.exporting import document
from companion.pages import statistics
from companion.record.exporting import ExportedHouse
from companion.referee.commands import CountHand, PayAntes, PayChips
from companion.referee.games import GREBBER, KATE
from companion.referee.grebber import Count
from companion.referee.kruth import DECK
from companion.referee.notation import parse_game
from companion.referee.scoring import purses
from companion.referee.standings import totals
from companion.referee.state import GameState
from tests.exported import night_to_import
from tests.thorough import one_in
from tests.web import plain, play, start, view, watch

CHIPS = GREBBER.replace(gambling=True)
PAIR = ("Ana", "Bea")


@pytest.fixture
def code(app: Flask, client: FlaskClient) -> str:
    return start(app, client, PAIR, rules=GREBBER)


def state_of(app: Flask, code: str) -> GameState:
    return view(app, code).state


def page(client: FlaskClient, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, answer.status_code
    return plain(answer.get_data(as_text=True))


def query(fields: dict[str, Any]) -> str:
    return urlencode([(name.replace("_", "-"), value) for name, value in fields.items()], doseq=True)


def look(client: FlaskClient, code: str, status: int = 200, hand: int = 1, **fields: Any) -> str:
    """The count of a hand as a form sends it; ``laid_0`` is the field laid-0."""
    return page(client, f"/g/{code}/grebber/count?hand={hand}&seen=1&{query(fields)}", status)


def save(
    client: FlaskClient, code: str, hand: int = 1, path: str = "count", seen: int = 0, token: str = "", **fields: Any
) -> Any:
    sent = {name.replace("_", "-"): value for name, value in fields.items()}
    token, seen = token or f"token-{hand}-{path}".ljust(20, "x"), seen or (hand if path == "count" else hand + 1)
    return client.post(f"/g/{code}/grebber/{path}", data={"hand": hand, "token": token, "seen": seen, **sent})


NUMBERS = {"laid_0": "12", "held_0": "4", "laid_1": "0", "held_1": "3+4"}
CARDS = {
    "laid_0_card": ["3stone", "4stone", "5stone"], "held_0_card": ["4sun"],
    "laid_1": "0", "held_1_card": ["0wind", "5wind"],
}  # fmt: skip


# --- a new game ------------------------------------------------------------------------------------------------------


def begin(client: FlaskClient, names: list[str], **fields: Any) -> Any:
    sent = {"sheet": "grebber", "dealer": "0", "name": names, "token": "n" * 20, **fields}
    return client.post("/new", data=sent)


def test_another_game_offers_grebber_and_keeps_the_names(client: FlaskClient) -> None:
    assert 'value="game-grebber"' in page(client, "/new")
    answer = client.post("/new", data={"name": ["Ana", "Bea"], "do": "game-grebber"})
    said = plain(answer.get_data(as_text=True))
    assert "Two or three names." in said
    assert 'value="Ana"' in said
    assert 'id="target" name="target" value="100"' in said
    assert 'value="game-kate"' in said


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["Ana"], "At least 2 players are needed."),
        (["Ana", "Bea", "Caio", "Duda"], "4 hands of 6 take all 24 cards of the deck, and nothing is left to draw."),
        (["Ana", "Bea", "Caio", "Duda", "Eva"], "the deck has 24 cards, and 5 hands of 6 would take 30."),
    ],
)
def test_k2_other_numbers_are_refused_with_the_arithmetic(client: FlaskClient, names: list[str], said: str) -> None:
    answer = begin(client, names)
    assert answer.status_code == 422
    text = plain(answer.get_data(as_text=True))
    assert said in text
    assert all(f'value="{name}"' in text for name in names)


@pytest.mark.parametrize(("typed", "target"), [("", 100), ("500", 500), ("1000", 1000), (" 37 ", 37)])
def test_k5_the_target(app: Flask, client: FlaskClient, typed: str, target: int) -> None:
    answer = begin(client, ["Ana", "Bea"], target=typed)
    assert answer.status_code == 303
    rules = state_of(app, answer.location.split("/")[2]).rules
    assert rules is not None
    assert (rules.target, rules.sheet) == (target, "grebber")


@pytest.mark.parametrize("typed", ["0", "-5", "abc", "100000", "٣", "1e3", "9" * 300, "=1+1"])
def test_k5_no_target(client: FlaskClient, typed: str) -> None:
    answer = begin(client, ["Ana", "Bea"], target=typed)
    assert answer.status_code == 422
    assert "Type a whole number from 1 to 99999" in plain(answer.get_data(as_text=True))


def test_begun_on_paper_below_zero(app: Flask, client: FlaskClient) -> None:
    answer = begin(client, ["Ana", "Bea"], first="7", points=["-12", "85"])
    assert answer.status_code == 303
    assert totals(state_of(app, answer.location.split("/")[2])) == {0: -12, 1: 85}
    over = begin(client, ["Ana", "Bea"], first="7", points=["-12", "100"], token="o" * 20)
    assert over.status_code == 422
    assert "The points so far are from" in plain(over.get_data(as_text=True))


def test_once_more_keeps_the_target_and_the_chips(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, PAIR, rules=CHIPS.replace(target=500))
    said = page(client, f"/new?again={code}")
    assert 'name="target" value="500"' in said
    assert "Grebber" in said


# --- the table -------------------------------------------------------------------------------------------------------


def test_the_table_shows_the_target_and_nothing_of_contracts(client: FlaskClient, code: str) -> None:
    said = page(client, f"/g/{code}/")
    assert "Played to 100 points" in said
    assert "Shuffle the 24 cards of the Kruth deck. Ana deals 6 to everybody. Bea starts." in said
    assert "100 to go" in said
    assert "Must it be given?" in page(client, f"/g/{code}/more")
    home = page(client, "/")
    assert "Hand 1" in home
    assert "of 0" not in home
    for other in ("Throw?", "Goes down", "Buy", "ante", "Who gets it?", " of 0"):
        assert other not in said
    assert len(client.get(f"/g/{code}/").data) < 40_000


@pytest.mark.parametrize(
    "path",
    ["throw", "down/0", "melds/0", "who-gets-it", "rearrange", "rearrange?seat=0", "claims"],
)
def test_pages_of_other_games_answer_kindly(client: FlaskClient, code: str, path: str) -> None:
    answer = client.get(f"/g/{code}/{path}")
    assert answer.status_code == 404


def test_a_page_of_another_game_says_so_and_leads_back(app: Flask, client: FlaskClient, code: str) -> None:
    for path in ("throw", "rearrange?seat=0"):
        assert "Another game is played here" in page(client, f"/g/{code}/{path}", 404)
    gripe = start(app, client, rules=KATE)
    for path in ("grebber/count", "grebber/ask"):
        assert "Another game is played here" in page(client, f"/g/{gripe}/{path}", 404)


@pytest.mark.parametrize("tap", ["buy.0.1", "float.0", "unbuy.0.1"])
def test_taps_of_other_games_are_refused(client: FlaskClient, code: str, tap: str) -> None:
    answer = client.post(f"/g/{code}/do", data={"do": tap, "hand": "1", "token": "t" * 20, "seen": "1"})
    assert answer.status_code == 422
    assert "belongs to another game" in plain(answer.get_data(as_text=True))


@pytest.mark.parametrize(
    "path",
    [
        "",
        "scores",
        "more",
        "rules",
        "history",
        "end",
        "recap",
        "players",
        "tv",
        "print",
        "grebber/count",
        "grebber/ask",
        "phones",
    ],
)
@pytest.mark.parametrize("language", ["en", "pt"])
def test_every_page_of_the_game_opens(app: Flask, client: FlaskClient, path: str, language: str) -> None:
    code = start(app, client, PAIR, rules=CHIPS)
    play(app, code, PayAntes(1))
    assert save(client, code, seen=2, **NUMBERS).status_code == 303
    client.post("/language", data={"language": language})
    assert client.get(f"/g/{code}/{path}").status_code == 200


# --- counting --------------------------------------------------------------------------------------------------------


def test_k3_numbers_are_previewed_and_land(app: Flask, client: FlaskClient, code: str) -> None:
    said = look(client, code, **NUMBERS)
    assert "Laid 12 + held 11 = 23 of 60; 37 undrawn." in said
    assert "Ana 12 − 4 = 8" in said
    assert "Bea 0 − 7 = −7" in said
    assert "Save and deal hand 2" in said
    assert f'method="post" action="/g/{code}/grebber/count"' in said
    assert totals(state_of(app, code)) == {0: 0, 1: 0}
    for _twice in range(2):
        assert save(client, code, **NUMBERS).status_code == 303
    assert totals(state_of(app, code)) == {0: 8, 1: -7}
    table = page(client, f"/g/{code}/")
    assert "Hand 1 is counted." in table
    assert "92 to go" in table


def test_k3_cards_are_put_together_by_the_referee(app: Flask, client: FlaskClient, code: str) -> None:
    said = look(client, code, **CARDS)
    assert "run in Stone, Life to King; holds Fate of Sun" in said
    assert "holds Death of Wind and King of Wind" in said
    assert save(client, code, **CARDS).status_code == 303
    (score,) = state_of(app, code).scores
    assert dict(score.points) == {0: 8, 1: -5}
    assert [str(card) for card in score.counts[0].laid_cards] == ["3stone", "4stone", "5stone"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"laid_0_card": ["3stone", "5stone", "2stone"]}, "Fate of Stone is missing between them"),
        ({"laid_0_card": ["3stone", "4stone"]}, "Too short"),
        ({"laid_0_card": ["3stone", "4stone", "5sun"]}, "neither of one suit nor of one rank"),
        (
            {"laid_0_card": ["3stone", "4stone", "5stone", "0sun", "1sun"]},
            "In no run and no triplet: Death of Sun and Deceit of Sun",
        ),
        ({"held_1_card": ["3stone"]}, "Every card exists only once"),
        ({"laid_0": "2", "laid_0_card": []}, "No runs and triplets count 2 together"),
        ({"laid_0": "13"}, "The cards make 12, but the field says 13."),
        ({"held_0": "", "held_0_card": []}, "An empty field is not 0."),
        ({"held_0_card": ["9moon"]}, "none of the answers"),
        ({"laid_1": "50", "held_1": "5"}, "the whole deck has 60 points"),
        ({"undrawn": "30"}, "together it must be 60"),
        ({"undrawn": "none"}, "not a whole number"),
        ({"held_1": "61"}, "at most 60"),
        ({"held_1": "٣"}, "not a whole number"),
        ({"held_1": "９"}, "not a whole number"),
        ({"held_1": "=1+1"}, "cannot be added up"),
        ({"held_1": "-3"}, "not a whole number"),
        ({"held_1": "9" * 400}, "At most 120 characters"),
        ({"wild_0": "5sun"}, "This table plays without chips"),
        ({"wild_0": "joker"}, "none of the answers"),
    ],
)
def test_k3_k4_refusals_stand_beside_the_player_and_keep_what_was_typed(
    app: Flask, client: FlaskClient, code: str, fields: dict[str, Any], said: str
) -> None:
    sent = {**CARDS, "held_1_card": ["0wind", "5wind"], **fields}
    if "held_1" in fields:
        sent.pop("held_1_card")
    answered = look(client, code, 422, **sent)
    assert said in answered
    assert 'value="5wind" data-points="5" checked' in answered or "held_1" in fields or "held_1_card" in fields
    assert save(client, code, **sent).status_code == 422
    assert state_of(app, code).scores == ()


def test_k10_a_wild_that_stood_twice_for_one_card_counts_twice(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, PAIR, rules=CHIPS)
    laid = ["3sun", "5sun", "4water", "4stone"]
    sent = {"laid_0_card": laid, "held_0": "0", "wild_0": ["4sun", "4sun"], "laid_1": "0", "held_1": "5"}
    assert save(client, code, **sent).status_code == 303
    (score,) = state_of(app, code).scores
    assert dict(score.points) == {0: 24, 1: -5}


def test_k4_sixty_is_fine_and_sixty_one_is_not(client: FlaskClient, code: str) -> None:
    full = {"laid_0": "40", "held_0": "5", "laid_1": "10"}
    assert "= 60 of 60; 0 undrawn" in look(client, code, held_1="5", **full)
    assert "make 61" in look(client, code, 422, held_1="6", **full)


def test_k5_the_end_and_its_undo(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, PAIR, rules=GREBBER.replace(target=12))
    assert "Save and end the night" in look(client, code, laid_0="12", held_0="0", laid_1="15", held_1="0")
    answer = save(client, code, laid_0="12", held_0="0", laid_1="15", held_1="0")
    assert answer.location.endswith("/end")
    said = page(client, f"/g/{code}/end")
    assert "Bea wins" in said
    assert "12 points are reached, in 1 hand." in said
    client.post(f"/g/{code}/do", data={"do": "undo.2", "token": "u" * 20, "seen": "2", "hand": "1"})
    assert "Played to 12 points" in page(client, f"/g/{code}/")


def test_k5_a_correction_says_that_it_ends_the_game_or_takes_its_end_back(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, PAIR, rules=GREBBER.replace(target=20))
    save(client, code, laid_0="18", held_0="0", laid_1="0", held_1="5")
    more, less = ({"laid_0": points, "held_0": "0", "laid_1": "0", "held_1": "5"} for points in ("24", "18"))
    assert "With this the game is over." in page(client, f"/g/{code}/grebber/count/1?hand=1&{query(more)}")
    assert save(client, code, path="count/1", token="a" * 20, **more).status_code == 303
    assert "Ana wins" in page(client, f"/g/{code}/end")
    assert "With this the game goes on." in page(client, f"/g/{code}/grebber/count/1?hand=1&{query(less)}")
    assert save(client, code, path="count/1", token="b" * 20, seen=3, **less).status_code == 303
    assert "2 to go" in page(client, f"/g/{code}/")


def test_an_earlier_hand_is_corrected(app: Flask, client: FlaskClient, code: str) -> None:
    save(client, code, **CARDS)
    assert client.get(f"/g/{code}/scores/1").location.endswith("/grebber/count/1")
    shown = page(client, f"/g/{code}/grebber/count/1")
    assert 'value="3stone" data-points="3" checked' in shown
    assert "Correct hand 1" in shown
    sent = query({**CARDS, "held_0_card": ["4sun", "1water"]})
    said = page(client, f"/g/{code}/grebber/count/1?hand=1&{sent}")
    assert "Save the correction" in said
    assert f'method="post" action="/g/{code}/grebber/count/1"' in said
    assert save(client, code, path="count/1", **{**CARDS, "held_0_card": ["4sun", "1water"]}).status_code == 303
    assert totals(state_of(app, code)) == {0: 7, 1: -5}
    assert client.get(f"/g/{code}/grebber/count/9").status_code == 404


def test_a_form_for_a_hand_that_is_over_becomes_a_correction(client: FlaskClient, code: str) -> None:
    save(client, code, **NUMBERS)
    late = look(client, code, 409, **{**NUMBERS, "held_0": "5"})
    assert "Hand 1 is scored already" in late
    assert 'name="held-0" value="5"' in late
    same = client.get(f"/g/{code}/grebber/count?hand=1&seen=1&{query(NUMBERS)}")
    assert same.status_code == 303
    assert same.location.endswith("/scores")


@pytest.mark.parametrize(
    "path",
    ["grebber/count?hand=0", "grebber/count?hand=999", "grebber/count?hand=7&laid-0=5", "grebber/count/7?hand=7"],
)
def test_a_hand_that_is_not_there_is_no_error_of_ours(client: FlaskClient, code: str, path: str) -> None:
    assert client.get(f"/g/{code}/{path}").status_code == 409


def test_over_leads_to_the_count_and_who_watches_counts_nothing(app: Flask, client: FlaskClient, code: str) -> None:
    assert client.get(f"/g/{code}/over").location.endswith("/grebber/count")
    assert client.post(f"/g/{code}/over", data={"hand": "1"}).status_code == 404
    watcher = app.test_client()
    watch(app, watcher, code)
    assert watcher.get(f"/g/{code}/grebber/count").status_code == 403
    assert watcher.post(f"/g/{code}/grebber/count", data={}).status_code == 403
    assert watcher.get(f"/g/{code}/grebber/ask").status_code == 200
    assert "Count the hand" not in plain(watcher.get(f"/g/{code}/").get_data(as_text=True))


# --- questions -------------------------------------------------------------------------------------------------------


def ask(client: FlaskClient, code: str, status: int = 200, **fields: Any) -> str:
    return page(client, f"/g/{code}/grebber/ask?{query(fields)}", status)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"q": "meld", "card": ["3sun", "4sun", "5sun"]}, "Yes: run in Sun, Life to King."),
        ({"q": "meld", "card": ["3sun", "3wind", "3stone"]}, "Yes: triplet of Life."),
        ({"q": "meld", "card": ["0sun", "1sun", "3sun"]}, "Truth of Sun is missing"),
        ({"q": "give", "card": ["3sun", "4sun"], "suit": "sun"}, "Yes: 1 card must be given."),
        ({"q": "give", "card": ["3sun", "4sun"], "rank": "3"}, "Yes: 1 card must be given."),
        ({"q": "give", "card": ["3sun", "4sun"], "suit": "wind"}, "Nothing to give."),
        ({"q": "give", "card": ["3sun"], "suit": "sun", "rank": "3"}, "never both"),
        ({"q": "give", "card": ["3sun"]}, "choose one"),
        ({"q": "greb", "card": ["3sun", "4sun", "5sun"]}, "Draw one card, then lay: run in Sun"),
        ({"q": "greb", "card": ["3sun", "4sun", "0sun"]}, "Draw until a run or a triplet can be laid"),
    ],
)
def test_k7_k9_questions(client: FlaskClient, code: str, fields: dict[str, Any], said: str) -> None:
    assert said in ask(client, code, **fields)


@pytest.mark.parametrize(
    "fields",
    [{"q": "meld"}, {"q": "why", "card": "3sun"}, {"q": "meld", "card": "3moon"}, {"q": "give", "card": "3sun", "rank": "9"},
     {"q": "give", "card": "3sun", "suit": "hearts"}, {"q": "give", "card": "3sun", "rank": "٣" * 40}],
)  # fmt: skip
def test_questions_that_cannot_be_read(client: FlaskClient, code: str, fields: dict[str, Any]) -> None:
    ask(client, code, 422, **fields)


def test_k7_the_silent_rule_is_overruled_from_that_very_page(app: Flask, client: FlaskClient, code: str) -> None:
    asked = {"q": "give", "card": ["3sun", "4sun"], "suit": "sun"}
    shown = ask(client, code, **asked)
    assert "What a request brings: one of them" in shown
    assert "What a request brings: all of them" in shown
    answer = client.post(
        f"/g/{code}/grebber/ask",
        data={**asked, "switch": "request_gives", "value": "all", "token": "t" * 20, "seen": "1"},
    )
    assert answer.status_code == 303
    assert "Yes: 2 cards must be given." in page(client, answer.location)
    four = {"q": "meld", "card": ["3sun", "3wind", "3stone", "3water"]}
    assert "All four of a rank: yes" in ask(client, code, **four)
    sent = {**four, "switch": "four_of_a_rank", "value": "False", "token": "w" * 20, "seen": "2"}
    assert "three of a rank, not all four" in page(client, client.post(f"/g/{code}/grebber/ask", data=sent).location)
    bad = client.post(f"/g/{code}/grebber/ask", data={"switch": "target", "value": "5", "token": "v" * 20, "seen": "3"})
    assert bad.status_code == 422


# --- chips -----------------------------------------------------------------------------------------------------------


def tap(client: FlaskClient, code: str, what: str, seen: int, token: str = "") -> Any:
    return client.post(
        f"/g/{code}/do", data={"do": what, "hand": "1", "token": token or what.ljust(20, "x"), "seen": seen}
    )


def test_k6_one_tap_each_and_undo(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, rules=CHIPS)
    shown = page(client, f"/g/{code}/")
    assert "Everybody pays the ante" in shown
    assert "Pot: 0 chips" in shown
    assert tap(client, code, "ante.0", 1).status_code == 303
    assert tap(client, code, "greb.0.1", 2).status_code == 303
    assert tap(client, code, "turn.1.1", 3).status_code == 303
    assert tap(client, code, "use.2.1", 4).status_code == 303
    assert purses(state_of(app, code)) == ({0: 18, 1: 17, 2: 18}, 7)
    said = page(client, f"/g/{code}/")
    assert "Pot: 7 chips" in said
    assert "The wild is Bea’s." in said
    assert "Everybody pays the ante" not in said
    assert 'value="use.1.' not in said
    tap(client, code, "undo.5", 5)
    assert purses(state_of(app, code)) == ({0: 18, 1: 17, 2: 19}, 6)
    assert tap(client, code, "ante.0", 6, "z" * 20).status_code == 422
    assert "in the pot already" in plain(tap(client, code, "ante.0", 6, "y" * 20).get_data(as_text=True))


def test_k6_the_same_greb_from_two_phones_is_one(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, rules=CHIPS)
    assert tap(client, code, "greb.0.1", 1, "a" * 20).status_code == 303
    assert tap(client, code, "greb.0.1", 1, "b" * 20).status_code == 409
    assert purses(state_of(app, code))[1] == 1
    assert (
        tap(client, code, "greb.0.2", 1, "c" * 20).status_code == 303
    )  # a second one, tapped while the phone was offline
    assert tap(client, code, "turn.0.1", 1, "d" * 20).status_code == 303
    assert purses(state_of(app, code))[1] == 4


def test_k6_who_has_too_few_chips_says_greb_for_nothing_and_fills_the_purse_up(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, PAIR, rules=CHIPS.replace(purse=2))
    shown = page(client, f"/g/{code}/")
    assert 'value="fill.0' not in shown
    assert tap(client, code, "turn.0.1", 1).status_code == 303
    shown = page(client, f"/g/{code}/")
    assert 'value="fill.0.1"' in shown
    assert 'value="fill.1' not in shown
    assert 'value="turn.0' not in shown
    assert tap(client, code, "greb.0.1", 2).status_code == 303
    assert tap(client, code, "fill.0.1", 3).status_code == 303
    assert purses(state_of(app, code)) == ({0: 2, 1: 2}, 2)
    assert tap(client, code, "fill.0.1", 4, "g" * 20).status_code == 422
    said = page(client, f"/g/{code}/history")
    assert "Ana said Greb and paid nothing: too few chips." in said
    assert "Ana filled the purse up with 2 chips." in said


def test_k6_the_end_shows_purses_and_the_pot(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, PAIR, rules=CHIPS.replace(target=10))
    play(app, code, PayAntes(1))
    assert "In the pot: 2 chips." in page(client, f"/g/{code}/end")
    save(client, code, seen=2, laid_0="12", held_0="0", laid_1="0", held_1="5")
    said = page(client, f"/g/{code}/end")
    assert "21 chips" in said
    assert "19 chips" in said
    assert "In the pot" not in said


def test_k10_a_used_wild_counts_beside_the_check(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, PAIR, rules=CHIPS)
    play(app, code, PayAntes(1), PayChips(1, 0, "turn_wild"))
    sent = {"laid_0_card": ["4sun", "5sun"], "held_0": "0", "wild_0": "3sun", "laid_1": "0", "held_1": "5"}
    said = look(client, code, **sent)
    assert "Laid 9 + held 5 = 14 of 60" in said
    assert "Ana 12 − 0 = 12: run in Sun, Life to King" in said
    assert save(client, code, seen=3, **sent).status_code == 303
    assert totals(state_of(app, code)) == {0: 12, 1: -5}


# --- what every game has ---------------------------------------------------------------------------------------------


def night(app: Flask, client: FlaskClient, *hands: tuple[tuple[int, int], tuple[int, int]], target: int = 10) -> str:
    """A night counted in numbers, laid and held by player."""
    answer = begin(client, list(PAIR), target=str(target), token=f"night-{hands}".ljust(20, "x"))
    code: str = answer.location.split("/")[2]
    for number, counts in enumerate(hands, 1):
        play(app, code, CountHand(number, tuple(Count(seat, *count) for seat, count in enumerate(counts))))
    return code


def test_k5_statistics_know_that_the_highest_total_wins(app: Flask, client: FlaskClient) -> None:
    night(app, client, ((12, 0), (0, 5)))
    night(app, client, ((3, 5), (6, 0)), ((0, 9), (18, 0)))
    begin(client, ["Ana", "Caio", "Duda"], sheet="kate", token="k" * 20)
    said = page(client, "/statistics?sheet=grebber")
    assert "Average" in said
    assert "Buys a hand" not in said
    assert "Points by hand" not in said
    rows = [row.split("</tr>")[0] for row in said.split("<tr>")[1:]]
    ana = next(row for row in rows if '<bdi translate="no">Ana</bdi>' in row)
    bea = next(row for row in rows if '<bdi translate="no">Bea</bdi>' in row)
    # Ana: 12 and −11, Bea: −5 and 24; both won once, Bea's average is better.
    assert rows.index(bea) < rows.index(ana)
    for number in ("0.5", "12", "-11"):
        assert number in ana
    for number in ("9.5", "24", "-5"):
        assert number in bea
    best = bea.split("of=best-")[1].split('"')[0]
    nights_page = page(client, f"/nights?sheet=grebber&of=best-{best}".replace("&amp;", "&"))
    assert "Grebber" in nights_page


def test_a_column_added_to_the_statistics_hides_no_other(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = statistics._every_column
    added = statistics.Column("Shared", lambda tally: str(len(tally.shared)), "shared", lambda tally: tally.shared)
    monkeypatch.setattr(statistics, "_every_column", lambda: (*every(), added))
    night(app, client, ((12, 0), (0, 5)))
    heads = re.findall(r"<th[^>]*>(.*?)</th>", page(client, "/statistics?sheet=grebber"))
    assert {"Out", "Shared"} <= set(heads)
    assert not {"Times floated", "Buys a hand"} & set(heads)


def test_negative_points_go_out_as_numbers_and_come_back_whole(app: Flask, client: FlaskClient) -> None:
    code = night(app, client, ((3, 5), (6, 0)), ((0, 9), (18, 0)))
    sheet = client.get(f"/g/{code}/night.csv").get_data(as_text=True)
    assert "Ana" in sheet
    assert "-9" in sheet
    assert "'-9" not in sheet
    whole = client.get(f"/g/{code}/night.json").get_data(as_text=True)
    assert '"held": 9' in whole or '"held":9' in whole


def test_the_paper_sheets(client: FlaskClient) -> None:
    said = page(client, "/print/blank?sheet=grebber&players=3")
    assert "Grebber" in said
    assert "Played to: 100." in said
    assert "The highest total wins." in said


def test_the_rules_of_the_table(client: FlaskClient, code: str) -> None:
    said = page(client, f"/g/{code}/rules")
    for number in ("K1", "K5", "K10"):
        assert f'id="{number}"' in said
    assert 'href="#hands"' not in said


def test_k2_a_third_joins_and_a_fourth_is_refused_with_the_arithmetic(
    app: Flask, client: FlaskClient, code: str
) -> None:
    sent = {"do": "join", "name": "Caio", "place": "", "token": "j" * 20, "seen": "1"}
    assert client.post(f"/g/{code}/players", data=sent).status_code == 303
    assert len(state_of(app, code).order) == 3
    assert "third deck" not in page(client, f"/g/{code}/players")
    answer = client.post(f"/g/{code}/players", data={**sent, "name": "Duda", "token": "k" * 20, "seen": "2"})
    assert answer.status_code == 422
    assert "take all 24 cards" in plain(answer.get_data(as_text=True))


def test_a_whole_night_comes_in_from_a_file_and_every_page_of_it_opens(app: Flask, client: FlaskClient) -> None:
    text = (Path(__file__).parent / "games" / "grebber.txt").read_text(encoding="utf-8")
    entries = parse_game("\n".join(line for line in text.splitlines() if not line.startswith("=")))
    file = document.write((ExportedHouse((night_to_import(list(entries), 0),)),))
    assert client.post("/data", data={"file": (io.BytesIO(file), "gripe.json")}).status_code == 303
    assert client.get("/data/everything.json").data == file
    code = client.get("/").get_data(as_text=True).split("/g/")[1].split("/")[0].split('"')[0]
    assert totals(state_of(app, code)) == {0: 41, 1: 19, 2: 43}
    for path in (
        "scores",
        "history",
        "recap",
        "end",
        "players",
        "more",
        "print",
        "rules",
        "tv",
        "grebber/count/1",
        "grebber/ask",
    ):
        assert client.get(f"/g/{code}/{path}").status_code == 200, path


NASTY = (
    "",
    "0",
    "12",
    "-1",
    "61",
    "3+4",
    "+",
    "9" * 200,
    "٣",
    "１２",
    "=1+1",
    "<b>",
    "🂡",
    "\u202e12",
    "None",
    "1e3",
    "0x1",
    "5 ",
    "\x00",
)


@pytest.mark.parametrize("seed", one_in(5, range(25)))
def test_nothing_that_is_sent_breaks_a_page(app: Flask, client: FlaskClient, seed: int) -> None:
    rng = Random(seed)
    code = start(app, client, PAIR, rules=rng.choice((GREBBER, CHIPS)))
    cards = [*map(str, DECK), "9moon", "", "3STONE"]
    for _ in range(6):
        fields: dict[str, Any] = {}
        for seat in (0, 1, 7):
            for part in ("laid", "held"):
                fields[f"{part}-{seat}"] = rng.choice(NASTY)
                fields[f"{part}-{seat}-card"] = rng.sample(cards, rng.randint(0, 7))
            fields[f"wild-{seat}"] = [rng.choice(cards) for _ in range(rng.randint(0, 3))]
        fields |= {
            "undrawn": rng.choice(NASTY),
            "hand": rng.choice(("1", "0", "2", "999", *NASTY)),
            "seen": rng.choice(NASTY),
        }
        asked = {"q": rng.choice(("meld", "give", "greb", *NASTY)), "card": rng.sample(cards, 4), "suit": rng.choice((*NASTY, "sun")),
                 "rank": rng.choice((*NASTY, "5"))}  # fmt: skip
        answers = [
            client.get(f"/g/{code}/grebber/count?{urlencode(fields, doseq=True)}"),
            client.post(f"/g/{code}/grebber/count", data={**fields, "token": rng.choice(NASTY)}),
            client.get(f"/g/{code}/grebber/count/1?{urlencode(fields, doseq=True)}"),
            client.post(f"/g/{code}/grebber/count/{rng.choice((0, 1, 2, 99999))}", data=fields),
            client.get(f"/g/{code}/grebber/ask?{urlencode(asked, doseq=True)}"),
            client.post(
                f"/g/{code}/grebber/ask", data={**asked, "switch": rng.choice(NASTY), "value": rng.choice(NASTY)}
            ),
            client.post(
                f"/g/{code}/do", data={"do": f"greb.{rng.choice(NASTY)}.{rng.choice(NASTY)}", "hand": rng.choice(NASTY)}
            ),
        ]
        assert [answer.status_code for answer in answers if answer.status_code not in (200, 303, 404, 409, 422)] == []
