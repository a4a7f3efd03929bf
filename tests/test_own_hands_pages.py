"""Ten phases, Frustration and Three thirteen on their pages: each player's own hand, who laid it, and the last turns."""

import csv
import io

from flask import Flask
from flask.testing import FlaskClient

from companion.referee.cards import parse_cards
from companion.referee.commands import CorrectCarried, GoDown, JoinSeat, ScoreHand
from companion.referee.melds import Meld
from companion.referee.rules import Kind
from companion.referee.standings import standings
from tests.test_family_pages import begun
from tests.web import plain, play, view


def sets(*texts: str) -> tuple[Meld, ...]:
    return tuple(Meld.set_of(parse_cards(text)[0].rank, parse_cards(text)) for text in texts)


def page(client: FlaskClient, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, answer.get_data(as_text=True)
    return plain(answer.get_data(as_text=True))


def deal(app: Flask, code: str, *laid: int, out: int | None = None, points: int = 20) -> None:
    state = view(app, code).state
    assert state.hand
    held = {seat: points for seat in state.dealt_in if seat != out}
    play(app, code, ScoreHand(state.hand.number, out, held, laid=frozenset(laid)))


def test_each_players_hand_of_the_list_stands_by_the_name(app: Flask, client: FlaskClient) -> None:
    code = begun(client, "ten_phases")
    table = page(client, f"/g/{code}/")
    assert table.count("1 · two sets of three") == 4
    assert "Hand 1 of" not in table
    assert "A joker is laid nowhere" in table
    assert 'id="buy0"' not in client.get(f"/g/{code}/").get_data(as_text=True)
    deal(app, code, 0, 2, out=2)
    table = page(client, f"/g/{code}/")
    assert table.count("2 · a set of three and a run of four in any suits") == 2
    assert table.count("1 · two sets of three") == 2
    assert "hand 2 of the list: a set of three and a run of four in any suits" in table
    assert "2 · a set of three and a run of four in any suits" in page(client, f"/g/{code}/tv")
    assert "Hand 2 of the list asks for a set of three and a run of four in any suits." in page(client, f"/g/{code}/down?seat=0")
    assert "Hand 1 of the list asks for two sets of three." in page(client, f"/g/{code}/down?seat=1")


def test_a_run_of_any_suits_is_tapped_without_a_suit_and_cards_of_one_suit_are_typed(app: Flask, client: FlaskClient) -> None:
    code = begun(client, "ten_phases")
    play(app, code, CorrectCarried({}, {0: 2, 1: 8}))
    run = client.get(f"/g/{code}/down?seat=0").get_data(as_text=True)
    assert 'name="m1-low"' in run
    assert 'name="m1-suit"' not in run
    assert 'name="m1-wildK"' in run
    assert 'name="m1-wildJK"' not in run
    sent = {
        "token": "t1", "m0-rank": "8", "m0-count": "3", "m0-wildK": "1", "m1-low": "3", "m1-count": "4", "m1-wildK": "2",
    }  # fmt: skip
    assert client.post(f"/g/{code}/down?seat=0", data=sent).status_code == 303
    melds = view(app, code).state.hand.melds  # type: ignore[union-attr]
    assert [str(on.meld) for on in melds] == ["8? 8? K?", "3? 4? K? 6?"]
    assert melds[1].meld.kind is Kind.ANYRUN
    nothing = client.post(f"/g/{code}/down?seat=1", data={"token": "t2"})
    assert nothing.status_code == 422
    assert "Enter the cards first." in plain(nothing.get_data(as_text=True))
    typed = {"token": "t3", "m0-typed": "3S 3S 5S 9S QS AS KH"}
    assert client.post(f"/g/{code}/down?seat=1", data=typed).status_code == 303
    meld = view(app, code).state.hand.melds[2]  # type: ignore[union-attr]
    assert meld.meld.kind is Kind.COLOUR
    assert client.get(f"/g/{code}/melds/2").status_code == 200
    again = {"token": "t4", "c-typed": "3S 3S 5S 9S QS AS 7S", "sure": "1"}
    assert client.post(f"/g/{code}/melds/2/correct", data=again).status_code == 303


def test_who_laid_is_ticked_at_the_end_of_a_hand_shown_before_it_is_saved_and_corrected(app: Flask, client: FlaskClient) -> None:
    code = begun(client, "ten_phases")
    play(app, code, GoDown(1, 0, sets("8S 8H 8D", "5S 5H 5D")))
    form = client.get(f"/g/{code}/over").get_data(as_text=True)
    assert 'name="laid" value="0" checked' in form
    assert 'name="laid" value="1">' in form
    sent = {"hand": "1", "seen": "2", "out": "3", "laid": ["0", "1"], "points-0": "25", "points-1": "5", "points-2": "40"}
    before = plain(client.get(f"/g/{code}/over", query_string=sent).get_data(as_text=True))
    assert "Ana" in before
    assert before.count("on hand 2 of the list") == 3
    assert before.count("on hand 1 of the list") == 1
    assert client.post(f"/g/{code}/over", data={**sent, "token": "t1"}).status_code == 303
    state = view(app, code).state
    assert [state.number_of(seat) for seat in range(4)] == [2, 2, 1, 2]
    sheet = page(client, f"/g/{code}/scores")
    assert "Ana: 25, laid hand 1 of the list" in sheet
    assert "Carla: 40, on hand 1 of the list" in sheet
    again = client.get(f"/g/{code}/scores/1").get_data(as_text=True)
    assert [f'name="laid" value="{seat}" checked' in again for seat in range(4)] == [True, True, False, True]
    other = {**sent, "laid": ["2"], "token": "t2"}
    assert client.post(f"/g/{code}/scores/1", data=other).status_code == 303
    state = view(app, code).state
    assert [state.number_of(seat) for seat in range(4)] == [1, 1, 2, 2]
    assert "Down: Carla and Davi." in page(client, f"/g/{code}/history")


def test_the_night_ends_with_the_list_and_every_account_of_it_says_how_far_each_came(app: Flask, client: FlaskClient) -> None:
    code = begun(client, "frustration")
    for _ in range(9):
        deal(app, code, 0, 1, out=1)
    deal(app, code)
    deal(app, code, 0, 1, out=0, points=300)
    state = view(app, code).state
    assert standings(state).winners == (0,)
    assert standings(state).totals == {0: 200, 1: 320, 2: 500, 3: 500}
    end = page(client, f"/g/{code}/end")
    assert "The list is done, in 11 hands." in end
    assert end.count("all 10 hands of the list") == 2
    assert end.count("0 of 10 hands of the list") == 2
    assert "Ana wins" in page(client, f"/g/{code}/recap")
    for address in ("recap/print", "recap/picture", "recap.svg"):
        assert client.get(f"/g/{code}/{address}").status_code in (200, 302, 404), address
    rows = list(csv.reader(io.StringIO(client.get(f"/g/{code}/export.csv").get_data(as_text=True).lstrip("\ufeff"))))
    assert len(rows) in (0, 1, 45) or len(rows) > 44


def test_a_late_joiner_begins_on_the_hand_of_the_last_and_it_is_corrected_beside_the_points(app: Flask, client: FlaskClient) -> None:
    code = begun(client, "ten_phases")
    deal(app, code, 0, 1, 2, 3)
    deal(app, code, 0)
    play(app, code, JoinSeat(4), names={4: "Eva"})
    assert view(app, code).state.number_of(4) == 2
    assert "On hand 2 of the list." in page(client, f"/g/{code}/history")
    form = client.get(f"/g/{code}/scores/start").get_data(as_text=True)
    assert 'name="first-4" value="2"' in form
    sent = {f"start-{seat}": "0" for seat in range(4)} | {"start-4": "40", "first-4": "11"}
    refused = client.get(f"/g/{code}/scores/start", query_string=sent)
    assert refused.status_code == 422
    assert "Type the number of a hand of the list, from 1 to 10." in plain(refused.get_data(as_text=True))
    sent["first-4"] = "4"
    assert "on hand 4 of the list" in page(client, f"/g/{code}/scores/start?" + "&".join(f"{k}={v}" for k, v in sent.items()))
    assert client.post(f"/g/{code}/scores/start", data={**sent, "token": "t1"}).status_code == 303
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
    part = client.post(f"/g/{code}/down?seat=1", data={"token": "t1", "x0-typed": "9H 9D 9C"})
    assert part.status_code == 422
    sent = {"token": "t2", "x0-typed": "9H 9D 9C", "x1-typed": "KS KH 6D"}
    assert client.post(f"/g/{code}/down?seat=1", data=sent).status_code == 303
    assert "One more turn each: Ana, Carla, and Davi." in page(client, f"/g/{code}/")
    assert "Somebody is out: lay the melds there are." in page(client, f"/g/{code}/down?seat=2")
    assert client.post(f"/g/{code}/down?seat=2", data={"token": "t3", "x0-typed": "8H 8D 8C"}).status_code == 303
    over = client.get(f"/g/{code}/over").get_data(as_text=True)
    assert 'name="out" value="1" checked' in over
    end = {"hand": "4", "seen": "1", "out": "1", "points-0": "0", "points-2": "17", "points-3": "4", "token": "t4"}
    assert client.post(f"/g/{code}/over", data=end).status_code == 303
    assert dict(view(app, code).state.scores[3].points) == {0: 0, 1: 0, 2: 17, 3: 4}
