"""Ten phases, Frustration and Three thirteen on their pages: each player's own hand, who laid it, and the last turns."""

import csv
import io
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from companion import record
from companion.referee.cards import parse_cards
from companion.referee.commands import CorrectCarried, GoDown, ScoreHand
from companion.referee.melds import Meld
from companion.referee.rules import Kind
from companion.referee.standings import standings
from tests.test_family_pages import begun
from tests.web import plain, play, view


def sets(*texts: str) -> tuple[Meld, ...]:
    return tuple(Meld.set_of(parse_cards(text)[0].rank, parse_cards(text)) for text in texts)


def page(client: FlaskClient, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, address
    return plain(answer.get_data(as_text=True))


def post(app: Flask, client: FlaskClient, code: str, path: str, status: int = 303, **fields: Any) -> str:
    data = {
        "token": record.new_token(),
        "seen": view(app, code).revision,
        **{k.replace("_", "-"): v for k, v in fields.items()},
    }
    answer = client.post(f"/g/{code}/{path}", data=data)
    assert answer.status_code == status, plain(answer.get_data(as_text=True)).split("<main")[1][:3000]
    return plain(answer.get_data(as_text=True))


def deal(app: Flask, code: str, *laid: int, out: int | None = None, points: int = 20) -> None:
    state = view(app, code).state
    assert state.hand
    held = {seat: points for seat in state.dealt_in if seat != out}
    play(app, code, ScoreHand(state.hand.number, out, held, laid=frozenset(laid)))


def test_each_players_hand_of_the_list_stands_by_the_name(app: Flask, client: FlaskClient) -> None:
    code = begun(client, "ten_phases")
    table = page(client, f"/g/{code}/")
    assert table.count("<strong>1</strong> · two sets of three") == 4
    assert "Hand 1 of" not in table
    assert "A joker is laid nowhere" in table
    assert 'id="buy0"' not in client.get(f"/g/{code}/").get_data(as_text=True)
    deal(app, code, 0, 2, out=2)
    table = page(client, f"/g/{code}/")
    assert table.count("<strong>2</strong> · a set of three and a run of four in any suits") == 2
    assert table.count("<strong>1</strong> · two sets of three") == 2
    assert "hand 2 of the list: a set of three and a run of four in any suits" in table
    assert "2 · a set of three and a run of four in any suits" in page(client, f"/g/{code}/tv")
    assert "Hand 2 of the list asks for a set of three and a run of four in any suits." in page(
        client, f"/g/{code}/down?seat=0"
    )
    assert "Hand 1 of the list asks for two sets of three." in page(client, f"/g/{code}/down?seat=1")


def test_a_run_of_any_suits_is_tapped_without_a_suit_and_cards_of_one_suit_are_typed(
    app: Flask, client: FlaskClient
) -> None:
    code = begun(client, "ten_phases")
    play(app, code, CorrectCarried({}, {0: 2, 1: 8}))
    run = client.get(f"/g/{code}/down?seat=0").get_data(as_text=True)
    assert 'name="m1-low"' in run
    assert 'name="m1-suit"' not in run
    assert 'name="m1-wildK"' in run
    assert 'name="m1-wildJK"' not in run
    taps = {"m0_rank": "8", "m0_count": "3", "m0_wildK": "1", "m1_low": "3", "m1_count": "4", "m1_wildK": "2"}
    post(app, client, code, "down?seat=0", **taps)
    melds = view(app, code).state.hand.melds  # type: ignore[union-attr]
    assert [str(on.meld) for on in melds] == ["8? 8? K?", "3? 4? K? 6?"]
    assert melds[1].meld.kind is Kind.ANYRUN
    assert "Enter the cards first." in post(app, client, code, "down?seat=1", 422)
    post(app, client, code, "down?seat=1", m0_typed="3S 3S 5S 9S QS AS KH")
    meld = view(app, code).state.hand.melds[2]  # type: ignore[union-attr]
    assert meld.meld.kind is Kind.COLOUR
    assert client.get(f"/g/{code}/melds/2").status_code == 200
    post(app, client, code, "melds/2/correct", c_typed="3S 3S 5S 9S QS AS 7S", sure="1")


def test_who_laid_is_ticked_at_the_end_of_a_hand_shown_before_it_is_saved_and_corrected(
    app: Flask, client: FlaskClient
) -> None:
    code = begun(client, "ten_phases")
    play(app, code, GoDown(1, 0, sets("8S 8H 8D", "5S 5H 5D")))
    form = client.get(f"/g/{code}/over").get_data(as_text=True)
    assert 'name="laid" value="0" checked' in form
    assert 'name="laid" value="1">' in form
    sent = {"hand": "1", "out": "3", "laid": ["0", "1"], "points-0": "25", "points-1": "5", "points-2": "40"}
    before = plain(client.get(f"/g/{code}/over", query_string=sent).get_data(as_text=True))
    assert "Ana" in before
    assert before.count("on hand 2 of the list") == 3
    assert before.count("on hand 1 of the list") == 1
    post(app, client, code, "over", **sent)
    state = view(app, code).state
    assert [state.number_of(seat) for seat in range(4)] == [2, 2, 1, 2]
    sheet = page(client, f"/g/{code}/scores")
    assert "Ana: 25, laid hand 1 of the list" in sheet
    assert "Carla: 40, on hand 1 of the list" in sheet
    again = client.get(f"/g/{code}/scores/1").get_data(as_text=True)
    assert [f'name="laid" value="{seat}" checked' in again for seat in range(4)] == [True, True, False, True]
    post(app, client, code, "scores/1", **{**sent, "laid": ["2"]})
    state = view(app, code).state
    assert [state.number_of(seat) for seat in range(4)] == [1, 1, 2, 2]
    assert "Down: Carla and Davi." in page(client, f"/g/{code}/history")


def test_the_night_ends_with_the_list_and_every_account_of_it_says_how_far_each_came(
    app: Flask, client: FlaskClient
) -> None:
    code = begun(client, "frustration")
    for _ in range(9):
        deal(app, code, 0, 1, out=1)
    play(app, code, ScoreHand(10, 2, {0: 20, 1: 200, 3: 20}, laid=frozenset({2}), sure=True))
    deal(app, code, 0, 1, out=0, points=80)
    state = view(app, code).state
    assert standings(state).winners == (0,)
    assert standings(state).totals == {0: 200, 1: 280, 2: 260, 3: 280}
    end = page(client, f"/g/{code}/end")
    assert "The list is done, in 11 hands." in end
    assert end.count("all 10 hands of the list") == 2
    assert (end.count("1 of 10 hands of the list"), end.count("0 of 10 hands of the list")) == (1, 1)
    assert "Ana wins" in page(client, f"/g/{code}/recap")
    printed = page(client, f"/g/{code}/print")
    assert "4✓: laid hand 4 of the list." in printed
    assert "1. a run of seven in any suits; 2. two sets of three" in printed
    rows = list(csv.reader(io.StringIO(client.get(f"/g/{code}/night.csv").get_data(as_text=True).lstrip("\ufeff"))))
    asked = {(row[3], row[5]): row[4] for row in rows[1:]}
    assert asked["11", "Ana"] == "a set of five and a set of four"
    assert asked["11", "Davi"] == "a run of seven in any suits"
    assert client.get("/statistics?sheet=frustration").status_code == 200


def test_a_late_joiner_begins_on_the_hand_of_the_last_and_it_is_corrected_beside_the_points(
    app: Flask, client: FlaskClient
) -> None:
    code = begun(client, "ten_phases")
    deal(app, code, 0, 1, 2, 3)
    deal(app, code, 0)
    post(app, client, code, "players", do="join", name="Eva")
    assert view(app, code).state.number_of(4) == 2
    assert "On hand 2 of the list." in page(client, f"/g/{code}/history")
    form = client.get(f"/g/{code}/scores/start").get_data(as_text=True)
    assert 'name="first-4" value="2"' in form
    sent = {f"start-{seat}": "0" for seat in range(4)} | {"start-4": "40", "first-4": "11"}
    refused = client.get(f"/g/{code}/scores/start", query_string=sent)
    assert refused.status_code == 422
    assert "Type the number of a hand of the list, from 1 to 10." in plain(refused.get_data(as_text=True))
    sent["first-4"] = "4"
    assert "on hand 4 of the list" in page(
        client, f"/g/{code}/scores/start?" + "&".join(f"{k}={v}" for k, v in sent.items())
    )
    post(app, client, code, "scores/start", **sent)
    assert view(app, code).state.number_of(4) == 4
    assert "First hand of the list corrected: Eva 4." in page(client, f"/g/{code}/history")


def test_games_in_which_all_play_the_same_hand_ask_nothing_of_it(client: FlaskClient) -> None:
    code = begun(client, "carioca")
    assert 'name="laid"' not in client.get(f"/g/{code}/over").get_data(as_text=True)
    assert 'name="first-0"' not in client.get(f"/g/{code}/scores/start").get_data(as_text=True)
    assert 'id="buy0"' not in client.get(f"/g/{code}/").get_data(as_text=True)
    assert 'id="buy0"' in client.get(f"/g/{begun(client, 'contract')}/").get_data(as_text=True)


def test_three_thirteen_from_the_first_to_be_out_to_the_last_turns(app: Flask, client: FlaskClient) -> None:
    code = begun(client, "three_thirteen")
    for _ in range(3):
        state = view(app, code).state
        play(app, code, ScoreHand(state.hand.number, 0, {1: 3, 2: 3, 3: 3}))  # type: ignore[union-attr]
    table = page(client, f"/g/{code}/")
    assert "Every card in sets and runs" in table
    assert "wild: sixes" in table
    assert "One more turn" not in table
    form = client.get(f"/g/{code}/down?seat=1").get_data(as_text=True)
    assert form.count("A set or a run") == 2
    post(app, client, code, "down?seat=1", 422, x0_typed="9H 9D 9C")
    post(app, client, code, "down?seat=1", x0_typed="9H 9D 9C", x1_typed="KS KH 6D")
    assert "One more turn each: Ana, Carla, and Davi." in page(client, f"/g/{code}/")
    assert "Somebody is out: lay the melds there are." in page(client, f"/g/{code}/down?seat=2")
    post(app, client, code, "down?seat=2", x0_typed="8H 8D 8C")
    over = client.get(f"/g/{code}/over").get_data(as_text=True)
    assert 'name="out" value="1" checked' in over
    post(app, client, code, "over", hand="4", out="1", points_0="0", points_2="17", points_3="4")
    assert dict(view(app, code).state.scores[3].points) == {0: 0, 1: 0, 2: 17, 3: 4}
