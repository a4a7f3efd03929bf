"""A new game: names on chairs, the dealer, the rules; whatever is typed gets a sentence and is kept."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from markupsafe import escape

from companion import record
from companion.forms.starting import once_more, turnable
from companion.record import GameView, phones
from companion.referee.commands import CloseGame, LeaveSeat, MoveSeats, OverruleRule
from companion.referee.games import EHOW, KATE
from tests.web import LONG_NAMES, play, score, start

THREE = ["Ana", "Bea", "Carl"]


def post(client: FlaskClient, status: int = 303, **sent: Any) -> Any:
    data = {"name": THREE, "dealer": "0", "token": "one", **sent}
    answer = client.post("/new", data={key.replace("rule_", "rule-"): value for key, value in data.items()})
    assert answer.status_code == status, answer.text[-2000:]
    return answer


def started(app: Flask, client: FlaskClient, **sent: Any) -> GameView:
    """The game that the form starts."""
    code = post(client, **sent).location.split("/")[2]
    with app.app_context():
        view = record.load(code)
    assert view is not None
    return view


def chairs(page: str) -> list[str]:
    """The names in the rows of a page, as typed."""
    return re.findall(r'name="name" value="([^"]*)"', page)


def chosen(page: str, field: str) -> str:
    """The value chosen in a select of a page."""
    select = re.search(rf'<select id="{field}".*?</select>', page, re.S)
    assert select
    found = re.search(r'value="([^"]*)" selected', select[0])
    assert found
    return found[1]


def games(app: Flask, client: FlaskClient) -> int:
    """How many games there are."""
    with app.app_context():
        return len(record.games_for(1))


# --- starting --------------------------------------------------------------------------------------------------------


def test_three_names_start_a_game(app: Flask, client: FlaskClient) -> None:
    view = started(app, client, dealer="1")
    assert [view.names[seat] for seat in view.state.order] == THREE
    assert view.state.hand is not None
    assert view.state.hand.dealer == 1
    assert view.state.rules == KATE


def test_the_phone_that_starts_is_the_keeper(app: Flask, client: FlaskClient) -> None:
    view = started(app, client)
    assert client.get(f"/g/{view.code}/").status_code == 200
    assert app.test_client().get(f"/g/{view.code}/").status_code == 404


def test_blank_chairs_at_the_end_do_not_count(app: Flask, client: FlaskClient) -> None:
    assert len(started(app, client, name=[*THREE, "", "  "]).state.order) == 3


def test_names_are_kept_without_the_spaces_around_them(app: Flask, client: FlaskClient) -> None:
    assert started(app, client, name=["  Ana  ", "Bea", "Carl"]).names[0] == "Ana"


@pytest.mark.parametrize("drawn", [0, 1, 2])
def test_the_dealer_is_drawn_by_lot_and_named(app: Flask, client: FlaskClient, monkeypatch, drawn: int) -> None:
    monkeypatch.setattr("companion.views.starting.secrets.randbelow", lambda below: drawn)
    view = started(app, client, dealer="draw")
    assert view.state.hand is not None
    assert view.state.hand.dealer == drawn
    with client.session_transaction() as session:
        assert session["_flashes"] == [("good", f"The lot fell on {THREE[drawn]}, who deals first.")]


def test_the_lot_is_drawn_among_everybody(app: Flask, client: FlaskClient, monkeypatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr("companion.views.starting.secrets.randbelow", lambda below: asked.append(below) or 0)
    started(app, client, dealer="draw", name=[*THREE, "Dan", ""])
    assert asked == [4]


@pytest.mark.parametrize("count", [7, 8])
def test_g1_2_seven_or_eight_bring_a_third_deck_and_are_told(app: Flask, client: FlaskClient, count: int) -> None:
    view = started(app, client, name=[f"P{n}" for n in range(count)])
    assert view.state.rules is not None
    assert view.state.rules.decks == 3
    with client.session_transaction() as session:
        assert [text for _, text in session["_flashes"]] == [
            f"{count} players need a third deck: shuffle three together. The referee counts with three."
        ]


def test_g1_2_six_play_with_two_decks(app: Flask, client: FlaskClient) -> None:
    view = started(app, client, name=[f"P{n}" for n in range(6)])
    assert view.state.rules is not None
    assert view.state.rules.decks == 2


def test_a_resent_form_lands_on_the_same_game(app: Flask, client: FlaskClient) -> None:
    assert post(client).location == post(client).location
    assert games(app, client) == 1


def test_a_form_sent_twice_before_the_first_answer_came_opens_the_table_all_the_same(app: Flask, client) -> None:
    code = post(client).location.split("/")[2]
    same_phone = app.test_client()  # the answer with its cookie was thrown away by the browser
    assert post(same_phone).location == f"/g/{code}/"
    page = same_phone.get(f"/g/{code}/players")
    assert page.status_code == 200
    assert 'name="do"' in page.text


def test_another_phone_with_another_form_of_the_same_content_starts_its_own_game(app: Flask, client) -> None:
    code = post(client).location.split("/")[2]
    other = app.test_client()
    assert post(other, token="two").location != f"/g/{code}/"
    assert other.get(f"/g/{code}/").status_code == 404


def test_a_phone_that_was_removed_does_not_come_back_by_resending_its_form(app: Flask, client: FlaskClient) -> None:
    code = post(client).location.split("/")[2]
    post(second := app.test_client())
    with app.app_context():
        view = record.load(code)
        assert view is not None
        phones.remove(view.id, 2)
    post(second)
    assert second.get(f"/g/{code}/").status_code == 404


def test_a_resent_form_lands_on_the_same_game_though_the_lot_falls_otherwise(app: Flask, client, monkeypatch) -> None:
    lots = iter([2, 0, 1, 2])
    monkeypatch.setattr("companion.views.starting.secrets.randbelow", lambda below: next(lots))
    locations = {post(client, dealer="draw").location for _ in range(4)}
    assert len(locations) == 1
    with client.session_transaction() as session:
        assert {text for _, text in session["_flashes"]} == {"The lot fell on Carl, who deals first."}


@pytest.mark.parametrize("dealer", ["0", "draw"])
def test_a_form_that_has_started_another_game_is_explained_and_kept(app: Flask, client, dealer: str) -> None:
    post(client)
    page = post(client, 409, name=["Dan", "Eve", "Flo"], dealer=dealer).text
    with app.app_context():
        code = record.games_for(1)[0].code
    faults = page.partition('id="form"')[2].partition("</section>")[0]
    assert "This form has started a game already. Send it again for another one." in faults
    assert f'href="/g/{code}/">To that game</a>' in faults
    assert "Nothing started yet" not in page
    assert chairs(page)[:3] == ["Dan", "Eve", "Flo"]
    again = re.search(r'name="token" value="([^"]+)"', page)
    assert again
    assert again[1] != "one"
    post(client, name=["Dan", "Eve", "Flo"], token=again[1])
    assert games(app, client) == 2


# --- what is wrong with names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [[], ["Ana"], ["Ana", "Bea"], ["", "", ""], ["Ana", "Bea", "", ""]])
def test_g1_2_too_few_players(app: Flask, client: FlaskClient, names: list[str]) -> None:
    page = post(client, 422, name=names).text
    assert "At least 3 players are needed." in page
    assert [name for name in chairs(page) if name] == [name for name in names if name]
    assert games(app, client) == 0


def test_g1_2_nine_are_too_many_and_all_are_kept(app: Flask, client: FlaskClient) -> None:
    names = [f"P{n}" for n in range(9)]
    page = post(client, 422, name=names).text
    assert "At most 8 players can play." in page
    assert chairs(page) == names


def test_a_blank_name_in_between_is_explained_at_its_field(app: Flask, client: FlaskClient) -> None:
    page = post(client, 422, name=["Ana", " ", "Carl", "Dan"]).text
    assert 'id="name-1-error">Type a name.' in page
    assert "Chair 2: Type a name." in page  # in the summary
    assert 'value="drop-1"' in page
    assert 'value="drop-0"' not in page
    assert chairs(page) == ["Ana", " ", "Carl", "Dan"]


@pytest.mark.parametrize("same", ["ana", " Ana ", "A\u200bna", "ANA", "\uff21na"])
def test_names_that_look_the_same_are_explained_at_the_second(app: Flask, client: FlaskClient, same: str) -> None:
    page = post(client, 422, name=["Ana", "Bea", same]).text
    assert "“Ana” looks the same as another name here." in page
    assert 'id="name-2-error"' in page
    assert 'id="name-0-error"' not in page


def test_accents_composed_differently_look_the_same(app: Flask, client: FlaskClient) -> None:
    assert 'id="name-1-error"' in post(client, 422, name=["Zo\u00eb", "Zoe\u0308", "Ana"]).text


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("x" * 41, "At most 40 characters, please."),
        ("x" * 100_000, "At most 40 characters, please."),
        ("A\x00na", "characters that cannot be shown"),
        ("A\x1b[2Jna", "characters that cannot be shown"),
        ("\u200b\u200b", "characters that cannot be shown"),
        ("\u2800", "characters that cannot be shown"),
    ],
)
def test_a_name_that_cannot_be_taken(app: Flask, client: FlaskClient, name: str, sentence: str) -> None:
    page = post(client, 422, name=[*THREE, name]).text
    assert 'id="name-3-error"' in page
    assert sentence in page


ODD = [
    "🂡 Zoë",
    "אברהם",
    "<script>alert(1)</script>",
    "=1+1",
    str(10**30),
    "'; drop table game; --",
    "{{ 7*7 }}",
    "%(n)s",
]


def test_any_text_that_can_be_seen_is_a_name(app: Flask, client: FlaskClient) -> None:
    view = started(app, client, name=ODD, dealer="draw")
    assert [view.names[seat] for seat in view.state.order] == ODD
    page = client.get("/new").text
    assert "<script>alert" not in page
    assert all(str(escape(name)) in page for name in ODD)


def test_every_fault_is_shown_at_once(app: Flask, client: FlaskClient) -> None:
    page = post(client, 422, name=["", "Ana", "ANA", "x" * 41], dealer="9", sheet="x", rule_decks="7").text
    for field in ("name-0-error", "name-2-error", "name-3-error", "dealer-error", "sheet-error", "rule-decks-error"):
        assert f'id="{field}"' in page
    assert 'role="alert"' in page


# --- garbage ---------------------------------------------------------------------------------------------------------


def test_five_hundred_names_are_too_many(app: Flask, client: FlaskClient) -> None:
    page = post(client, 422, name=[f"P{n}" for n in range(500)]).text
    assert "At most 8 players can play." in page
    assert len(page) < 120_000


def test_an_empty_post_is_a_form_with_a_sentence(client: FlaskClient) -> None:
    answer = client.post("/new", data={})
    assert answer.status_code == 422
    assert "At least 3 players are needed." in answer.text


@pytest.mark.parametrize("dealer", ["3", "-1", "1e0", "９", "٣", "10" * 30, "", "Ana", "\x00", "²"])
def test_a_dealer_that_is_nobody(app: Flask, client: FlaskClient, dealer: str) -> None:
    assert "Say who deals first." in post(client, 422, dealer=dealer).text


def test_a_blank_chair_does_not_deal(app: Flask, client: FlaskClient) -> None:
    assert "Say who deals first." in post(client, 422, name=[*THREE, ""], dealer="3").text


@pytest.mark.parametrize("switch", [switch.name for switch in turnable(KATE)])
@pytest.mark.parametrize("value", ["9" * 30, "<b>", "True\x00"])
def test_a_switch_has_only_its_values(app: Flask, client: FlaskClient, switch: str, value: str) -> None:
    page = post(client, 422, **{f"rule_{switch}": value}).text
    assert f'id="rule-{switch}-error"' in page
    assert '<details class="house-rules" open>' in page


def test_a_switch_that_is_none_is_passed_over(app: Flask, client: FlaskClient) -> None:
    assert started(app, client, rule_contracts="()", rule_nonsense="1", rule_sheet="x").state.rules == KATE


@pytest.mark.parametrize("sheet", ["", "canasta", "KATE", "x" * 5000])
def test_a_sheet_that_is_not_offered(app: Flask, client: FlaskClient, sheet: str) -> None:
    assert 'id="sheet-error"' in post(client, 422, sheet=sheet).text


@pytest.mark.parametrize(
    "wanted", ["up", "up-", "up--1", "up-0", "up-99", "down-99", "drop-99", "up-١", "x", "", "add-9"]
)
def test_a_button_that_leads_nowhere_changes_nothing(app: Flask, client: FlaskClient, wanted: str) -> None:
    page = post(client, 200, do=wanted).text
    assert [name for name in chairs(page) if name] == THREE
    assert games(app, client) == 0


# --- rules -----------------------------------------------------------------------------------------------------------


def test_the_how_to_sheet(app: Flask, client: FlaskClient) -> None:
    assert started(app, client, sheet="ehow").state.rules == EHOW


@pytest.mark.parametrize("switch", turnable(KATE), ids=lambda switch: switch.name)
def test_every_switch_is_offered_and_can_be_turned(app: Flask, client: FlaskClient, switch) -> None:
    page = client.get("/new").text
    assert chosen(page, f"rule-{switch.name}") == ""
    other = next(value for value in switch.values if value != getattr(KATE, switch.name))
    rules = started(app, client, **{f"rule_{switch.name}": str(other)}).state.rules
    assert rules == KATE.replace(**{switch.name: other})


def test_a_switch_can_be_turned_back_from_the_sheet(app: Flask, client: FlaskClient) -> None:
    rules = started(app, client, sheet="ehow", rule_discard_ban="True").state.rules
    assert rules == EHOW.replace(discard_ban=True)


def test_no_switch_of_another_game_is_offered(client: FlaskClient) -> None:
    assert "rule-jokers" not in client.get("/new").text


def test_the_rules_are_folded_away(client: FlaskClient) -> None:
    assert '<details class="house-rules">' in client.get("/new").text


def test_what_was_chosen_is_kept(app: Flask, client: FlaskClient) -> None:
    page = post(client, 422, name=["Ana"], sheet="ehow", rule_decks="3", dealer="draw").text
    assert re.search(r'value="ehow" checked', page)
    assert chosen(page, "rule-decks") == "3"
    assert chosen(page, "dealer") == "draw"
    assert "(1 changed)" in page


# --- begun on paper --------------------------------------------------------------------------------------------------


def test_a_night_begun_on_paper_goes_on_at_its_hand_with_its_points(app: Flask, client: FlaskClient) -> None:
    state = started(app, client, first="4", points=["40", " 0 ", "115", "", ""]).state
    assert state.first_hand == 4
    assert state.hand is not None
    assert state.hand.number == 4
    assert dict(state.carried) == {0: 40, 1: 0, 2: 115}


def test_without_paper_nothing_is_carried(app: Flask, client: FlaskClient) -> None:
    state = started(app, client, first="1", points=["", " ", ""]).state
    assert (state.first_hand, dict(state.carried)) == (1, {0: 0, 1: 0, 2: 0})


def test_a_blank_total_is_not_0(app: Flask, client: FlaskClient) -> None:
    page = post(client, 422, first="4", points=["40", "", "10"]).text
    assert 'id="points-1-error">Type a number. An empty field is not 0.' in page
    assert "Bea: Type a number." in page
    assert 'name="points" value="40"' in page
    assert '<details class="house-rules paper" open>' in page
    assert 'id="points-0-error"' in post(client, 422, first="2").text


@pytest.mark.parametrize("points", ["-5", "+5", "1e5", "９５", "٤٠", "4 0", "5.0", str(10**30), "0x5", "<b>", "5\x00"])
def test_points_that_are_no_number(app: Flask, client: FlaskClient, points: str) -> None:
    page = post(client, 422, first="4", points=[points, "0", "0"]).text
    assert 'id="points-0-error">This is not a whole number.' in page
    assert str(escape(points)) in page


def test_g9_2_points_that_no_cards_make(app: Flask, client: FlaskClient) -> None:
    page = post(client, 422, first="2", points=["43", "5000", "0"]).text
    assert "43 points for Ana cannot be" in page
    assert 'id="points-1-error">This is too much: at most 920.' in page


@pytest.mark.parametrize("first", ["0", "11", "-1", "x", "", "1e0", "٤", "9" * 40])
def test_a_hand_that_there_is_not(app: Flask, client: FlaskClient, first: str) -> None:
    assert 'id="first-error"' in post(client, 422, first=first, points=["0", "0", "0"]).text


def test_points_move_with_their_chair(app: Flask, client: FlaskClient) -> None:
    page = post(client, 200, do="up-2", points=["1", "2", "3"]).text
    assert re.findall(r'name="points" value="([^"]*)"', page) == ["1", "3", "2", ""]
    page = post(client, 200, do="drop-0", points=["1", "2", "3"]).text
    assert re.findall(r'name="points" value="([^"]*)"', page) == ["2", "3", "", ""]


def test_points_of_five_hundred(app: Flask, client: FlaskClient) -> None:
    started(app, client, points=["0"] * 500)


# --- buttons without scripts -----------------------------------------------------------------------------------------


def test_a_chair_moves_and_the_deal_with_the_person(app: Flask, client: FlaskClient) -> None:
    page = post(client, 200, do="up-2", dealer="2").text
    assert chairs(page)[:3] == ["Ana", "Carl", "Bea"]
    assert chosen(page, "dealer") == "1"
    page = post(client, 200, do="down-0", dealer="2").text
    assert chairs(page)[:3] == ["Bea", "Ana", "Carl"]
    assert chosen(page, "dealer") == "2"


def test_a_chair_is_taken_away(app: Flask, client: FlaskClient) -> None:
    page = post(client, 200, name=["Ana", "", "Bea", "Carl"], do="drop-1", dealer="3").text
    assert chairs(page) == ["Ana", "Bea", "Carl", ""]
    assert chosen(page, "dealer") == "2"
    assert chosen(post(client, 200, do="drop-0", dealer="0").text, "dealer") == "draw"


def test_one_more_chair_up_to_eight(app: Flask, client: FlaskClient) -> None:
    assert chairs(post(client, 200, do="add", name=[*THREE, "Dan"]).text) == [*THREE, "Dan", ""]
    full = post(client, 200, do="add", name=[f"P{n}" for n in range(8)]).text
    assert len(chairs(full)) == 8
    assert "data-add hidden" in full


def test_g1_2_the_form_says_when_a_third_deck_is_needed(app: Flask, client: FlaskClient) -> None:
    assert 'data-third-deck="7" hidden' in post(client, 200, do="seat").text
    seven = post(client, 200, do="seat", name=[f"P{n}" for n in range(7)]).text
    assert 'data-third-deck="7" hidden' not in seven
    assert "need a third deck" in seven


def test_people_of_earlier_nights_are_one_tap_away(app: Flask, client: FlaskClient) -> None:
    start(app, client, LONG_NAMES)
    page = client.get("/new").text
    assert page.count('name="known"') == len(LONG_NAMES)
    assert 'value="&lt;script&gt;alert(1)&lt;/script&gt;"' in page
    assert 'value="Ana" checked' not in page


def test_people_ticked_get_the_next_chairs_and_none_sits_twice(app: Flask, client: FlaskClient) -> None:
    view = started(app, client, name=["Dan", "Ana", "", ""], known=["Ana", "Bea", "Bea", "ANA"])
    assert [view.names[seat] for seat in view.state.order] == ["Dan", "Ana", "Bea"]


def test_many_people_are_folded_away(app: Flask, client: FlaskClient) -> None:
    for first in (0, 8):
        start(app, client, [f"P{n:02}" for n in range(first, first + 8)])
    assert "More people" in client.get("/new").text


# --- once more -------------------------------------------------------------------------------------------------------


def test_the_last_table_is_offered(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    play(app, code, score(1, 0, 0, 25, 40), CloseGame())
    assert f'href="/new?again={code}"' in client.get("/new").text


def test_once_more_fills_in_names_dealer_and_rules(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, rules=EHOW.replace(late_joiner="zero"), dealer=1)
    play(app, code, score(1, 0, 0, 25, 40), MoveSeats((2, 0, 1)), OverruleRule("stock_out", "end_hand"), CloseGame())
    page = client.get(f"/new?again={code}").text
    assert chairs(page)[:3] == ["Carl", "Ana", "Bea"]
    assert chosen(page, "dealer") == "0"  # Bea dealt hand 1, Carl was to deal hand 2 and sits on the first chair now
    assert re.search(r'value="ehow" checked', page)
    assert chosen(page, "rule-late_joiner") == "zero"
    assert chosen(page, "rule-stock_out") == "end_hand"
    assert "(2 changed)" in page
    assert 'href="/new?again=' not in page


def test_once_more_the_deal_goes_on_after_the_last_hand(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, dealer=2)
    play(app, code, *(score(hand, 0, 0, 25, 40) for hand in range(1, 11)))
    last = (2 + 9) % 3
    assert chosen(client.get(f"/new?again={code}").text, "dealer") == str((last + 1) % 3)


def test_once_more_leaves_out_who_left_and_the_third_deck_they_needed(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, [f"P{n}" for n in range(7)])
    play(app, code, LeaveSeat(3), CloseGame())
    page = client.get(f"/new?again={code}").text
    assert chairs(page) == ["P0", "P1", "P2", "P4", "P5", "P6"]
    assert chosen(page, "rule-decks") == ""


@pytest.mark.parametrize("code", ["nothing", "", "\x00", "x" * 3000, "../.."])
def test_once_more_of_no_game_is_an_empty_form(client: FlaskClient, code: str) -> None:
    answer = client.get("/new", query_string={"again": code})
    assert answer.status_code == 200
    assert chairs(answer.text) == [""] * 4


def test_once_more_of_another_phones_game_tells_no_names(app: Flask, client: FlaskClient) -> None:
    code = start(app, client)
    assert chairs(app.test_client().get(f"/new?again={code}").text) == [""] * 4


def test_once_more_of_a_game_from_peru_keeps_the_people_and_the_game(app: Flask, client: FlaskClient) -> None:
    from companion.referee.games import PERU

    code = start(app, client, rules=PERU)
    with app.app_context():
        view = record.load(code)
    assert view is not None
    form = once_more(view)
    assert form.seated == THREE
    assert form.sheet.text == "peru"
    assert not any(form.switch(switch).text for switch in form.turnable)


def test_looking_at_the_form_changes_nothing(app: Flask, client: FlaskClient) -> None:
    client.get("/new?name=Ana&name=Bea&name=Carl&do=start")
    assert games(app, client) == 0


def test_the_form_needs_its_csrf_token(make_app) -> None:
    assert make_app(WTF_CSRF_ENABLED=True).test_client().post("/new", data={"name": THREE}).status_code == 400
