"""The nine-deal rummy from Peru on its pages: rearranging (P6), a new game of it, chips, who called first, discards."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion import record
from companion.referee.cards import parse_card
from companion.referee.commands import GoDown, ReplaceWild
from companion.referee.games import PERU
from tests.referee.nights import melds
from tests.web import plain, play, start


@pytest.fixture
def code(app: Flask, client: FlaskClient) -> str:
    """Bea is down with nines (meld 0), Carl with kings (1) and the run 6♠ 7♠ joker (2)."""
    code = start(app, client, rules=PERU)
    down = (GoDown(1, 1, melds("set 9S 9H JK")), GoDown(1, 2, melds("set KS KD KH / run 6S 7S JK")))
    play(app, code, *down)
    return code


def look(client: FlaskClient, code: str, seat: int = 1, status: int = 200, **fields: Any) -> str:
    """The page of a draft; ``m`` may be a list, ``m_2`` is the field m-2."""
    sent = [(name.replace("_", "-"), value) for name, value in fields.items()]
    answer = client.get(f"/g/{code}/rearrange?{urlencode([('seat', seat), *sent], doseq=True)}")
    assert answer.status_code == status
    return plain(answer.get_data(as_text=True))


def text_of(page: str, key: str) -> str:
    return page.split(f'id="{key}" name="{key}" value="')[1].split('"')[0]


def lies(app: Flask, code: str) -> list[str]:
    with app.app_context():
        view = record.load(code)
    assert view is not None
    assert view.state.hand is not None
    return [str(on.meld) for on in view.state.hand.melds]


FREED = {"m": ["1", "2"], "m_1": "KS KD KH KC JK", "m_2": "5S 6S 7S", "hand": "5S KC"}


def test_p6_legal_is_said_and_nothing_is_entered_by_looking(app: Flask, client: FlaskClient, code: str) -> None:
    page = look(client, code, **FREED)
    assert "Legal." in page
    assert "Lay it so" in page
    assert lies(app, code) == ["9S 9H JK", "KS KD KH", "6S 7S JK"]


def test_p6_it_lands_whole_and_one_undo_takes_it_back(app: Flask, client: FlaskClient, code: str) -> None:
    fields = {name.replace("_", "-"): value for name, value in FREED.items()}
    sent = {**fields, "token": "t" * 20, "seen": "3"}
    for _twice in range(2):
        answer = client.post(f"/g/{code}/rearrange?seat=1", data=sent)
        assert answer.status_code == 303
    assert lies(app, code) == ["9S 9H JK", "KS KD KH KC JK", "5S 6S 7S"]
    table = plain(client.get(f"/g/{code}/").get_data(as_text=True))
    assert "Bea rearranged the table" in table
    client.post(f"/g/{code}/do", data={"do": "undo.4", "token": "u" * 20, "seen": "4", "hand": "1"})
    assert lies(app, code) == ["9S 9H JK", "KS KD KH", "6S 7S JK"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"m": "2", "m_2": "5S 6S 7S", "hand": "5S"}, "Left over: ★"),
        ({"m": "1", "m_1": "KD KH KC", "n_0": "JS QS KS", "hand": "KC JS"}, "Where does this come from?"),
        ({"m": "1", "m_1": "KD KH", "n_0": "JS QS KS", "hand": "JS QS"}, "may not be taken from"),
        ({"m": "0", "m_0": "9S 9H JK 2H", "hand": "2H"}, "P5"),
        ({"m": "2", "m_2": "6S 7S JK 2H", "hand": "2H"}, "P5"),
        ({"m": "2", "m_2": "", "hand": ""}, "must stay on the table"),
    ],
)
def test_p6_every_reason_is_said_with_its_rule(
    client: FlaskClient, code: str, fields: dict[str, Any], said: str
) -> None:
    page = look(client, code, **fields)
    assert "Not like this." in page
    assert said.replace("★", "") in page.replace("joker", "")
    assert "Lay it so" not in page
    assert "#P6" in page


def test_p6_the_neighbour_of_an_exchange_lands(client: FlaskClient, code: str) -> None:
    assert "Legal." in look(client, code, m="1", m_1="KD KH KC", n_0="JS QS KS", hand="KC JS QS")


def test_hand_cards_left_empty_are_worked_out(client: FlaskClient, code: str) -> None:
    page = look(client, code, m="1", m_1="KS KD KH KC", hand="")
    assert "From the hand: K♣." in page


def test_taps_take_up_lay_take_off_and_show_the_freed_wild_until_it_lies(client: FlaskClient, code: str) -> None:
    page = look(client, code, do="take.2")
    assert text_of(page, "m-2") == "6S 7S JK"
    page = look(client, code, m="2", m_2="6S 7S JK", hand="", do="hold.5S", into="m-2")
    assert text_of(page, "hand") == "5S"
    page = look(client, code, m="2", m_2="6S 7S JK", hand="5S", do="put.5S", into="m-2")
    assert text_of(page, "m-2") == "5S 6S 7S JK"
    assert "Still to be laid" not in page
    page = look(client, code, m="2", m_2="5S 6S 7S JK", hand="5S", do="off.m-2.3", into="m-2")
    assert text_of(page, "m-2") == "5S 6S 7S"
    assert "Still to be laid" in page
    assert 'value="put.JK"' in page
    page = look(client, code, m=["1", "2"], m_1="KS KD KH", m_2="5S 6S 7S", hand="5S KC", do="put.JK", into="m-1")
    assert text_of(page, "m-1") == "KS KD KH JK"
    assert 'value="put.JK"' not in page


def test_a_tapped_card_takes_the_place_of_the_wild_that_stands_for_it(client: FlaskClient, code: str) -> None:
    page = look(client, code, m="2", m_2="6S 7S JK", hand="8S", do="put.8S", into="m-2")
    assert text_of(page, "m-2") == "6S 7S 8S"
    assert 'value="put.JK"' in page


def test_a_new_line_is_added_and_left_again(client: FlaskClient, code: str) -> None:
    assert text_of(look(client, code, do="new"), "n-0") == ""
    assert 'id="n-0"' not in look(client, code, n_0="", do="leave.n-0")
    assert 'id="m-2"' not in look(client, code, m="2", do="leave.m-2")


def test_where_a_2_may_be_natural_or_wild_it_is_asked(client: FlaskClient, code: str) -> None:
    page = look(client, code, n_0="AS 2S 3S 2S", hand="AS 2S 3S 2S")
    assert "How they lie" in page or "Legal." in page
    both = look(client, code, n_0="2S 2H 3S", hand="2S 2H 3S")
    assert "How they lie" in both
    assert "Say how they lie" in both


@pytest.mark.parametrize(
    "fields",
    [
        {"m": ["99", "x", "-1"], "m_99": "9S"}, {"do": "put."}, {"do": "off.m-2.999999"}, {"do": "take.9999"}, {"do": "x" * 500},
        {"hand": "zz"}, {"m": "2", "m_2": "zz"}, {"n_0": "9" * 900}, {"n_0": "2S 2H", "into": "zz"}, {"hand": "JK " * 90},
        {"m": "2", "m_2": "2 2 2"}, {"n_5": "3S", "n_6": "4S", "do": "new"}, {"m": "2", "do": "put.2H", "into": "m-2", "m_2": "2H"},
        {"do": "put.5S", "n_0": "((", "into": "n-0"}, {"m": "2", "do": "off.m-2.٣"}, {"m": "2", "m_2": "6? 7S JK"},
    ],
)  # fmt: skip
def test_whatever_is_sent_the_page_answers(app: Flask, client: FlaskClient, code: str, fields: dict[str, Any]) -> None:
    look(client, code, **fields)
    sent = {name.replace("_", "-"): value for name, value in fields.items()}
    answer = client.post(f"/g/{code}/rearrange?seat=1", data={**sent, "token": "t" * 20, "seen": "3"})
    assert answer.status_code == 422
    assert lies(app, code) == ["9S 9H JK", "KS KD KH", "6S 7S JK"]


def test_what_was_typed_stays_with_the_sentence_beside_it(client: FlaskClient, code: str) -> None:
    page = look(client, code, m="2", m_2="6S 7X", hand="5Z")
    assert text_of(page, "m-2") == "6S 7X"
    assert text_of(page, "hand") == "5Z"
    assert "“7X” is not a card" in page
    assert "“5Z” is not a card" in page


def test_only_who_is_down_is_asked_for(client: FlaskClient, app: Flask) -> None:
    code = start(app, client, rules=PERU)
    assert "Nobody is down yet" in look(client, code, seat=0)
    play(app, code, GoDown(1, 1, melds("set 9S 9H JK")))
    page = look(client, code, seat=0)
    assert "Who rearranges the table?" in page
    assert "Bea" in page


def test_gripe_has_no_such_page(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    assert client.get(f"/g/{code}/rearrange?seat=0").status_code == 404
    assert "rearrange" not in client.get(f"/g/{code}/").get_data(as_text=True)


def test_a_freed_wild_lies_in_the_hand_of_the_draft_until_it_is_laid(
    app: Flask, client: FlaskClient, code: str
) -> None:
    play(app, code, ReplaceWild(1, 1, 2, parse_card("8S")))
    assert text_of(look(client, code), "hand") == "JK"
    assert "Left over" in look(client, code)
    assert text_of(look(client, code, seat=2), "hand") == ""


def test_p6_at_the_end_of_a_hand_it_is_asked_where_a_freed_wild_went(
    app: Flask, client: FlaskClient, code: str
) -> None:
    sent = {"hand": "1", "seen": "4", "out": "1", "points-0": "50", "points-2": "30"}
    assert 'name="unnoted"' not in plain(client.get(f"/g/{code}/over").get_data(as_text=True))
    play(app, code, ReplaceWild(1, 1, 2, parse_card("8S")))
    assert 'name="unnoted"' in plain(client.get(f"/g/{code}/over").get_data(as_text=True))
    asked = client.get(f"/g/{code}/over?{urlencode(sent)}")
    assert asked.status_code == 422
    assert "Where did this freed wild go: joker?" in plain(asked.get_data(as_text=True))
    answered = client.get(f"/g/{code}/over?{urlencode({**sent, 'unnoted': '1'})}")
    assert answered.status_code == 200
    assert 'name="unnoted" value="1"' in plain(answered.get_data(as_text=True))
    saved = client.post(f"/g/{code}/over", data={**sent, "unnoted": "1", "token": "w" * 20})
    assert saved.status_code == 303


# --- a new game -----------------------------------------------------------------------------------------------------


def new(client: FlaskClient, status: int = 200, **fields: Any) -> str:
    sent = {name.replace("_", "-"): value for name, value in fields.items()}
    answer = client.post("/new", data={"token": "n" * 20, **sent})
    assert answer.status_code == status
    return plain(answer.get_data(as_text=True))


def test_another_game_is_folded_away_and_gripe_stays_as_it_was(client: FlaskClient) -> None:
    page = plain(client.get("/new").get_data(as_text=True))
    assert "What do you play?" in page
    assert 'value="game-peru"' in page
    assert 'value="peru"' not in page  # no third rule sheet of Gripe
    assert "Jokers" not in page


def test_another_game_keeps_the_names_and_has_its_own_switches(client: FlaskClient) -> None:
    page = new(client, name=["Ana", "Bea"], sheet="kate", rule_max_wilds="2", do="game-peru")
    assert 'name="sheet" value="peru"' in page
    assert 'value="Ana"' in page
    assert 'id="rule-jokers"' in page
    for absent in ("rule-max_wilds", "rule-naturals_outnumber", "rule-dead_hand", "rule-extra_melds", "rule-wild_swap"):
        assert f'id="{absent}"' not in page
    assert "9: a run of seven" in page
    assert "10: " not in page
    assert 'value="game-kate"' in page
    back = new(client, name=["Ana", "Bea"], sheet="peru", rule_jokers="3", do="game-kate")
    assert 'value="Ana"' in back
    assert 'id="rule-max_wilds"' in back
    assert 'value="game-kate"' not in back


@pytest.mark.parametrize("players", [2, 5, 6, 8])
def test_p1_two_to_eight_play_and_more_than_five_with_three_packs(
    app: Flask, client: FlaskClient, players: int
) -> None:
    new(client, 303, name=[f"P{n}" for n in range(players)], sheet="peru", dealer="0", rule_jokers="3")
    with app.app_context():
        (view,) = record.games_for(1)
        state = record.load(view.code).state  # type: ignore[union-attr]
    assert (state.rules.sheet, state.rules.jokers, state.rules.decks) == ("peru", 3, 2 if players <= 5 else 3)


def test_p1_one_player_is_too_few_and_nine_are_too_many(client: FlaskClient) -> None:
    assert "At least 2 players are needed." in new(client, 422, name=["Ana"], sheet="peru")
    assert "At most 8 players can play." in new(client, 422, name=[f"P{n}" for n in range(9)], sheet="peru")
    assert "At least 3 players are needed." in new(client, 422, name=["Ana", "Bea"], sheet="kate")


def test_the_same_again_is_the_same_game(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, rules=PERU.replace(jokers=3))
    page = plain(client.get(f"/new?again={code}").get_data(as_text=True))
    assert 'name="sheet" value="peru"' in page
    assert '<option value="3" selected>' in page.split('id="rule-jokers"')[1].split("</select>")[0]
    assert 'value="peru"' in plain(client.get("/new?sheet=peru").get_data(as_text=True))
    usual = plain(client.get("/new?sheet=nonsense").get_data(as_text=True))
    assert 'name="sheet" value="peru"' in usual  # the game played last
    assert 'value="game-kate"' in usual
