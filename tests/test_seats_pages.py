"""Who sits at the table: seats, dealer, sitting out, joining late, leaving, coming back, dealing anew."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion import record
from companion.referee.commands import Buy, CloseGame, GoDownWithoutCards, LeaveSeat, SitOut
from companion.referee.games import KATE
from tests.web import LONG_NAMES, play, score, start, view, watch

FOUR = ("Ana", "Bea", "Carl", "Dan")


def page_of(client: FlaskClient, code: str) -> str:
    answer = client.get(f"/g/{code}/players")
    assert answer.status_code == 200
    return answer.text


def send(
    client: FlaskClient, code: str, do: str, status: int = 303, seen: int = 1, hand: str = "1", **sent: Any
) -> Any:
    data = {"do": do, "token": "t", "seen": str(seen), "hand": hand, **sent}
    answer = client.post(f"/g/{code}/players", data=data)
    assert answer.status_code == status, answer.text[-1500:]
    if status == 303:
        assert answer.location == f"/g/{code}/players"
    return answer


def dealer(app: Flask, code: str) -> int:
    hand = view(app, code).state.hand
    assert hand is not None
    return hand.dealer


def buttons(page: str) -> set[str]:
    return set(re.findall(r'name="do" value="([^"]+)"', page))


# --- seats -----------------------------------------------------------------------------------------------------------


def test_the_table_is_listed_clockwise_with_who_deals(app: Flask, client: FlaskClient) -> None:
    page = page_of(client, start(app, client, dealer=1))
    assert re.findall(r'seat-name"><bdi[^>]*>(\w+)</bdi><small>([^<]+)', page) == [
        ("Ana", "0 points"), ("Bea", "deals, 0 points"), ("Carl", "0 points"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("do", "order"),
    [("up-1", (1, 0, 2)), ("down-1", (0, 2, 1)), ("up-2", (0, 2, 1)), ("down-0", (1, 0, 2))],
)
def test_seats_move_with_a_button(app: Flask, client: FlaskClient, do: str, order: tuple[int, ...]) -> None:
    code = start(app, client)
    send(client, code, do, order=["0", "1", "2"])
    assert view(app, code).state.order == order


def test_seats_move_all_at_once_when_dragged(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    send(client, code, "save", order=["2", "0", "1"])
    assert view(app, code).state.order == (2, 0, 1)
    with client.session_transaction() as session:
        assert session["_flashes"] == [("good", "New seats, clockwise: Carl, Ana, and Bea.")]


@pytest.mark.parametrize("do", ["save", "up-0", "down-2"])
def test_an_order_that_is_there_already_is_no_entry(app: Flask, client: FlaskClient, do: str) -> None:
    code = start(app, client)
    send(client, code, do, order=["0", "1", "2"])
    assert view(app, code).revision == 1


def test_moving_twice_from_one_page_lands_once(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    send(client, code, "up-1", order=["0", "1", "2"])
    send(client, code, "up-1", order=["0", "1", "2"])
    assert view(app, code).revision == 2


@pytest.mark.parametrize("order", [["0", "1"], ["0", "1", "1"], ["0", "1", "2", "3"], [], ["0", "1", "99"]])
def test_an_order_of_other_people_is_refused_with_the_reason(app: Flask, client: FlaskClient, order: list[str]) -> None:
    page = send(client, start(app, client), "save", 422, order=order).text
    assert "The new order must hold everybody at the table, each once." in page


def test_an_order_made_before_somebody_joined_is_shown_again(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    with app.app_context():
        record.join(code, "Dan", token="j", seen=1)
    page = send(client, code, "save", 409, order=["2", "1", "0"]).text
    assert "Dan joined" in page


# --- this hand -------------------------------------------------------------------------------------------------------


def test_somebody_else_deals(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    assert "dealer-0" not in buttons(page_of(client, code))
    send(client, code, "dealer-2")
    assert dealer(app, code) == 2


def test_a_button_of_an_earlier_hand_changes_nothing(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    play(app, code, score(1, 0, 0, 25, 40))
    page = send(client, code, "dealer-2", 409).text
    assert "That was meant for hand 1; the table is at hand 2 now." in page
    assert dealer(app, code) == 1


def test_sitting_a_hand_out_and_coming_back_in(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, FOUR)
    send(client, code, "out-3")
    assert view(app, code).state.dealt_in == (0, 1, 2)
    page = page_of(client, code)
    assert "sits this hand out, 0 points" in page
    assert "in-3" in buttons(page)
    send(client, code, "in-3", seen=2)
    assert view(app, code).state.dealt_in == (0, 1, 2, 3)


def test_g1_2_nobody_sits_out_at_a_table_of_three_and_is_told_why(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    page = page_of(client, code)
    assert not {"out-0", "leave-0"} & buttons(page)
    assert "2 players are too few: at least 3 must play." in page
    assert 'href="/g/' + code + '/rules#G1.2"' in page
    assert "too few" in send(client, code, "out-0", 422).text


def test_who_is_down_does_not_sit_out_and_is_told_why(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, FOUR)
    play(app, code, GoDownWithoutCards(1, 2))
    page = page_of(client, code)
    assert "out-2" not in buttons(page)
    assert "Carl is down already." in page


def test_dealing_anew_is_offered_once_something_was_entered(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    assert "anew" not in buttons(page_of(client, code))
    play(app, code, Buy(1, 2), GoDownWithoutCards(1, 2))
    page = page_of(client, code)
    assert "Everything entered for hand 1 is taken away, buys and melds too; Ana deals it again." in page
    send(client, code, "anew", seen=3)
    hand = view(app, code).state.hand
    assert hand is not None
    assert hand.untouched


def test_dealing_anew_what_changed_meanwhile_is_shown_first(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    play(app, code, Buy(1, 2), Buy(1, 1))
    assert "Bea bought a card" in send(client, code, "anew", 409, seen=2).text


# --- coming and going ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "points", "words"),
    [
        ("highest", 40, "Starts with 40 points: the highest total so far."),
        ("average", 20, "Starts with 20 points: the average of all totals, rounded to 5."),
        ("zero", 0, "Starts with 0 points: as your table starts everybody from 0."),
    ],
)
def test_g9_4_a_joiner_is_told_what_they_start_with(app: Flask, client, rule: str, points: int, words: str) -> None:
    code = start(app, client, rules=KATE.replace(late_joiner=rule))
    play(app, code, score(1, 0, 0, 25, 40))
    assert words in page_of(client, code)
    send(client, code, "join", seen=2, name="Eve", place="3")
    state = view(app, code).state
    assert state.carried[3] == points


def test_a_joiner_sits_where_they_sit(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    send(client, code, "join", name=" Eve ", place="1")
    seen = view(app, code)
    assert [seen.names[seat] for seat in seen.state.order] == ["Ana", "Eve", "Bea", "Carl"]


def test_without_a_chair_a_joiner_sits_last(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    send(client, code, "join", name="Eve")
    assert view(app, code).state.order == (0, 1, 2, 3)


def test_a_joiner_waits_for_the_next_hand(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    assert "is dealt in from the next one" not in page_of(client, code)
    play(app, code, Buy(1, 2))
    assert "Hand 1 is being played: a joiner is dealt in from the next one." in page_of(client, code)


def test_g9_4_the_seventh_brings_the_third_deck(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, [f"P{n}" for n in range(6)])
    assert "need a third deck" in page_of(client, code)
    send(client, code, "join", name="P6")
    rules = view(app, code).state.rules
    assert rules is not None
    assert rules.decks == 3
    assert "need a third deck" not in page_of(client, code)


def test_g1_2_a_full_table_says_so_instead_of_a_form(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, [f"P{n}" for n in range(8)])
    page = page_of(client, code)
    assert "9 players are too many: at most 8 can play." in page
    assert "join" not in buttons(page)
    assert "9 players are too many" in send(client, code, "join", 422, name="Eve").text


def test_joining_twice_from_one_page_lands_once(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    send(client, code, "join", name="Eve")
    send(client, code, "join", name="Eve")
    assert view(app, code).revision == 2


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "Type a name."),
        ("   ", "Type a name."),
        ("ANA", "“Ana” looks the same as another name here."),
        ("A\u200bna", "looks the same as another name here."),
        ("x" * 41, "At most 40 characters, please."),
        ("x" * 100_000, "At most 40 characters, please."),
        ("Eve\x00", "characters that cannot be shown"),
        ("\u200b", "characters that cannot be shown"),
    ],
)
def test_a_joiners_name_that_cannot_be_taken(app: Flask, client: FlaskClient, name: str, sentence: str) -> None:
    code = start(app, client)
    page = send(client, code, "join", 422, name=name, place="1").text
    assert sentence in page
    assert 'id="name-error"' in page
    assert '<option value="1" selected>' in page
    assert view(app, code).revision == 1


@pytest.mark.parametrize("name", ["🂡 Zoë", "אברהם", "<script>alert(1)</script>", "=1+1", str(10**30), "%(n)s"])
def test_any_text_that_can_be_seen_joins(app: Flask, client: FlaskClient, name: str) -> None:
    code = start(app, client)
    send(client, code, "join", name=name)
    assert view(app, code).names[3] == name
    assert "<script>alert" not in page_of(client, code)


@pytest.mark.parametrize("place", ["-1", "99", "1e0", "٣", "x", "9" * 30])
def test_a_chair_that_is_none(app: Flask, client: FlaskClient, place: str) -> None:
    page = send(client, start(app, client), "join", 422, name="Eve", place=place).text
    assert 'id="place-error"' in page
    assert 'value="Eve"' in page


def test_g9_4_a_leaver_keeps_the_scores_and_can_come_back(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, FOUR)
    play(app, code, score(1, 0, 0, 25, 40, 10))
    assert "Carl keeps 40 points on the sheet, but can no longer win." in page_of(client, code)
    send(client, code, "leave-2", seen=2, hand="2")
    page = page_of(client, code)
    assert "Left the table" in page
    assert view(app, code).state.order == (0, 1, 3)
    send(client, code, "return-2", seen=3, hand="2")
    assert view(app, code).state.order == (0, 1, 2, 3)


def test_who_left_and_is_typed_anew_is_pointed_to_the_way_back(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, FOUR)
    play(app, code, LeaveSeat(2))
    page = send(client, code, "join", 422, seen=2, name="carl").text
    assert "Carl was here and left." in page
    assert "return-2" in buttons(page)


def test_a_full_table_takes_nobody_back_and_says_why(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, [f"P{n}" for n in range(8)])
    play(app, code, LeaveSeat(2))
    with app.app_context():
        record.join(code, "Eve", token="j", seen=2)
    page = page_of(client, code)
    assert "return-2" not in buttons(page)
    assert "9 players are too many" in page


def test_people_of_earlier_nights_are_suggested(app: Flask, client: FlaskClient) -> None:
    start(app, client, ("Ana", "Eve", "Flo"))
    page = page_of(client, start(app, client))
    assert re.findall(r'<option value="(\w+)"></option>', page) == ["Eve", "Flo"]


def test_every_change_is_said(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    send(client, code, "join", name="Eve")
    assert (
        '<p class="notice notice-good" role="status" data-entry="2">Eve joined and starts with 0 points.</p>'
        in page_of(client, code)
    )


# --- whoever asks, whatever comes ------------------------------------------------------------------------------------


def test_a_watcher_sees_and_cannot_send(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, FOUR)
    play(app, code, LeaveSeat(2))
    watcher = app.test_client()
    watch(app, watcher, code)
    page = page_of(watcher, code)
    assert "Ana" in page
    assert "Carl" in page
    assert not buttons(page)
    assert page.count("<form") == 1  # the language
    send(watcher, code, "leave-1", 403)


def test_another_phone_sees_nothing(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    assert app.test_client().get(f"/g/{code}/players").status_code == 404
    assert app.test_client().post(f"/g/{code}/players", data={"do": "leave-0"}).status_code == 404


def test_after_the_night_nothing_can_be_changed_and_why(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, FOUR)
    play(app, code, SitOut(1, 2), CloseGame())
    page = page_of(client, code)
    assert "This game is over." in page
    assert f'href="/g/{code}/end"' in page
    assert not buttons(page)
    assert "This game is over." in send(client, code, "leave-1", 422, seen=3).text
    assert "This game is over." in send(client, code, "join", 422, seen=3, name="Eve").text


GARBAGE = ["", "x", "leave", "leave-", "leave--1", "leave-x", "leave-٣", "up", "up-", "up-9", "save-", "anew-1", "in-\x00", "-",
           "leave-" + "9" * 30, "9" * 5000]  # fmt: skip


@pytest.mark.parametrize("do", GARBAGE)
def test_garbage_changes_nothing(app: Flask, client: FlaskClient, do: str) -> None:
    code = start(app, client, FOUR)
    answer = client.post(f"/g/{code}/players", data={"do": do, "token": "t", "seen": "1"})
    assert answer.status_code == 422
    assert view(app, code).revision == 1


@pytest.mark.parametrize("verb", ["leave", "return", "dealer", "out", "in"])
@pytest.mark.parametrize("seat", ["4", "99", "999"])
def test_a_seat_that_nobody_has(app: Flask, client: FlaskClient, verb: str, seat: str) -> None:
    page = send(client, start(app, client, FOUR), f"{verb}-{seat}", 422).text
    assert "Nobody sits on that chair at this table." in page


@pytest.mark.parametrize("hand", ["", "x", "-1", "1e0", "9" * 40])
def test_a_hand_that_is_none(app: Flask, client: FlaskClient, hand: str) -> None:
    code = start(app, client, FOUR)
    send(client, code, "out-1", 422, hand=hand)
    send(client, code, "anew", 422, hand=hand)
    assert view(app, code).revision == 1


def test_an_order_of_five_hundred(app: Flask, client: FlaskClient) -> None:
    send(client, start(app, client), "save", 422, order=["0"] * 500)
    send(client, start(app, client), "save", 422, order=["x", "1", "2"])


def test_names_are_text_whatever_they_hold(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, LONG_NAMES)
    page = page_of(client, code)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>alert" not in page


def test_looking_changes_nothing(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, FOUR)
    client.get(f"/g/{code}/players?do=leave-1")
    assert view(app, code).revision == 1
