"""A night with a list of one's own: started, kept as it was when the list changes, played once more, out and in."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion import record
from companion.codec import decode, encode
from companion.record import own_lists
from companion.referee.events import GameStarted
from companion.referee.games import KATE
from companion.referee.own_lists import format_hands, hands_of, plays_own_progress
from tests.test_own_list_pages import Editor, keep
from tests.web import NAMES, another, device_of, plain, play, score

HANDS = "2xset3 dealt7 / set3 run4 / run5 buys0 / 3xset3 nodiscard"


def form_of(page: str) -> dict[str, Any]:
    sent: dict[str, Any] = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    return {**sent, "name": [*NAMES], "dealer": "0", "first": "1", "sheet": "kate", "do": "start"}


def begin(phone: FlaskClient, address: str, **more: Any) -> Any:
    return phone.post("/new", data={**form_of(phone.get(address).text), **more})


def code_of(answer: Any) -> str:
    assert answer.status_code == 303, plain(answer.text)
    return str(answer.location.split("/g/")[1].split("/")[0])


def state_of(app: Flask, code: str) -> Any:
    with app.app_context():
        view = record.load(code)
        assert view is not None
        return view.state


def test_a_night_with_a_list_is_played_to_its_end(app: Flask, client: FlaskClient) -> None:
    own = keep(client, hands=HANDS)
    code = code_of(begin(client, f"/new?list={own}"))
    rules = state_of(app, code).rules
    assert (rules.sheet, rules.list_name, len(rules.contracts)) == ("kate", "Friday", 4)
    assert [rules.dealt(number) for number in (1, 2)] == [7, 11] and rules.buys == (3, 3, 0, 3)
    assert "Hand 1 of 4" in plain(client.get(f"/g/{code}/").text)
    assert "Hand 1 of 4" in plain(client.get("/").text)
    play(app, code, *(score(hand, 0, 0, 10, 20) for hand in range(1, 5)))
    assert state_of(app, code).phase.value == "finished"
    for page in ("recap", "rules", "scores", "end", "history"):
        assert client.get(f"/g/{code}/{page}").status_code == 200, page
    assert "Friday" in client.get(f"/g/{code}/recap").text and "Friday" in client.get(f"/g/{code}/rules").text
    assert "Friday" in plain(client.get("/lists").text) and "Last played" in client.get("/lists").text


def test_new_game_offers_the_lists_and_goes_back_to_a_game(client: FlaskClient) -> None:
    own = keep(client, hands=HANDS, name="Short")
    page = client.get("/new").text
    assert f'value="list-{own}"' in page and "Short" in page
    sent = {**form_of(page), "do": f"list-{own}"}
    listed = client.post("/new", data=sent).text
    assert 'name="own_hands"' in listed and 'value="Bea"' in listed and f'value="list-{own}"' not in listed
    assert 'value="game-kate"' in listed
    back = client.post("/new", data={**form_of(listed), "do": "game-kate"}).text
    assert 'name="own_hands"' not in back and 'value="Bea"' in back


def test_a_list_that_changes_leaves_the_nights_that_were_played(app: Flask, client: FlaskClient) -> None:
    own = keep(client, hands=HANDS)
    code = code_of(begin(client, f"/new?list={own}"))
    Editor(client, f"/lists/{own}").tap("drop-0").tap("save", name="Monday")
    client.post(f"/lists/{own}/remove")
    rules = state_of(app, code).rules
    assert rules.list_name == "Friday" and format_hands(hands_of(rules, KATE)) == HANDS
    play(app, code, score(1, 0, 0, 10, 20))
    assert "Hand 2 of 4" in plain(client.get(f"/g/{code}/").text)


def test_once_more_is_played_by_the_same_list_even_without_it(app: Flask, client: FlaskClient) -> None:
    own = keep(client, hands=HANDS, first="3")
    code = code_of(begin(client, f"/new?list={own}"))
    client.post(f"/lists/{own}/remove")
    play(app, code, *(score(hand, 0, 0, 10, 20) for hand in range(1, 4)))
    again = code_of(begin(client, f"/new?again={code}"))
    assert again != code and state_of(app, again).rules == state_of(app, code).rules


def test_what_nobody_can_play_does_not_start(client: FlaskClient) -> None:
    own = keep(client, hands="2xset3 / run13")
    answer = begin(client, f"/new?list={own}")
    assert answer.status_code == 422 and "Hand 2: No run of 13 by these rules" in plain(answer.text)
    assert 'name="own_hands"' in answer.text
    own = keep(client, hands="2xset3 dealt18", name="Many", token="many")
    six = [*NAMES, "Dan", "Eve", "Fay"]
    answer = begin(client, f"/new?list={own}", name=six)
    assert answer.status_code == 422 and "not enough cards for 6 players in hand 1" in plain(answer.text)
    assert begin(client, f"/new?list={own}", name=six[:5]).status_code == 303


@pytest.mark.parametrize(
    "wrong",
    [{"own_hands": "nonsense"}, {"own_name": ""}, {"own_name": "x" * 300}, {"own_name": "\x00"}, {"sheet": "grebber"}],
)
def test_a_list_that_cannot_be_read_is_none(app: Flask, client: FlaskClient, wrong: dict[str, str]) -> None:
    sent = {**form_of(client.get("/new").text), "own_name": "Ours", "own_hands": "2xset3", **wrong}
    answer = client.post("/new", data=sent)
    assert answer.status_code in (303, 422)
    if answer.status_code == 303:
        assert state_of(app, code_of(answer)).rules.list_name == ""


def test_the_record_holds_the_list_and_old_records_keep_their_bytes(app: Flask, client: FlaskClient) -> None:
    own = keep(client, hands=HANDS)
    state = state_of(app, code_of(begin(client, f"/new?list={own}")))
    event = GameStarted(state.rules, state.seats, 0, 1, ())
    kind, data = encode(event)
    assert data["rules"]["list_name"] == "Friday" and decode(kind, data) == event
    assert "list_name" not in encode(GameStarted(KATE, (0, 1, 2), 0, 1, ()))[1]["rules"]


def test_lists_go_out_and_come_in_once(make_app: Any) -> None:
    here, there = make_app(), make_app()
    one, two = here.test_client(), there.test_client()
    own = keep(one, hands=HANDS, name="👨\u200d👩\u200d👧 Ours")
    begin(one, f"/new?list={own}")
    keep(one, hands="run4", name="Gone", token="gone")
    gone = [kept.code for kept in _kept(here, one) if kept.content.name == "Gone"][0]
    one.post(f"/lists/{gone}/remove")
    file = one.get("/data/everything.json").data
    keep(two, hands="set3", name="👨\u200d👩\u200d👧 Ours")
    for _time in range(2):
        assert _bring(two, file).status_code == 303
    found = {kept.content.name: kept.content.hands for kept in _kept(there, two)}
    assert found == {"👨\u200d👩\u200d👧 Ours": "set3", "👨\u200d👩\u200d👧 Ours (2)": HANDS}
    assert "Hand 1 of 4" in plain(two.get("/").text)


def test_a_file_may_hold_lists_alone(make_app: Any) -> None:
    here, there = make_app(), make_app()
    one, two = here.test_client(), there.test_client()
    keep(one)
    assert _bring(two, one.get("/data/everything.json").data).status_code == 303
    assert "1 list of hands came in." in plain(two.get("/data").text)
    assert [kept.content.name for kept in _kept(there, two)] == ["Friday"]


@pytest.mark.parametrize("wrong", [(b"2xset3", b"2xpair"), (b'"kate"', b'"nobody"'), (b'"Friday"', b'"\\u0000"')])
def test_a_file_with_a_list_that_is_none_is_refused(make_app: Any, wrong: tuple[bytes, bytes]) -> None:
    one, two = make_app().test_client(), make_app().test_client()
    keep(one)
    data = one.get("/data/everything.json").data
    assert wrong[0] in data
    assert _bring(two, data.replace(*wrong)).status_code == 422


def test_each_on_a_hand_of_their_own_is_offered_only_where_it_can_be_played(client: FlaskClient) -> None:
    own = keep(client)
    assert ("hand of their own" in client.get(f"/lists/{own}").text) is plays_own_progress()
    code = code_of(begin(client, "/new?list=" + keep(client, name="Each", token="each", progress="own")))
    assert state_of(client.application, code).rules.own_progress


def _kept(app: Flask, phone: FlaskClient) -> Any:
    with app.app_context():
        return own_lists.kept(device_of(app, phone))


def _bring(phone: FlaskClient, data: bytes) -> Any:
    from io import BytesIO

    return phone.post("/data", data={"file": (BytesIO(data), "nights.json")}, content_type="multipart/form-data")


def test_a_usual_game_beside_one_with_a_list(app: Flask, client: FlaskClient) -> None:
    own = keep(client, hands=HANDS)
    begin(client, f"/new?list={own}")
    another(app, client)
    page = plain(client.get("/").text)
    assert "Hand 1 of 4" in page and "Hand 1 of 10" in page


def test_a_list_on_which_each_player_is_on_an_own_hand(app: Flask, client: FlaskClient) -> None:
    own = keep(client, hands="2xset3 / set3 run4", name="Each", progress="own")
    code = code_of(begin(client, f"/new?list={own}"))
    assert state_of(app, code).rules.own_progress and state_of(app, code).rules.list_name == "Each"
    for page in ("", "recap", "rules", "scores", "more"):
        assert client.get(f"/g/{code}/{page}").status_code == 200, page
    assert client.get("/").status_code == 200
    again = code_of(begin(client, f"/new?again={code}&another"))
    assert state_of(app, again).rules == state_of(app, code).rules


def test_a_list_begun_with_a_game_is_played_as_that_game_is(client: FlaskClient) -> None:
    editor = Editor(client).tap("begin-ten_phases")
    assert 'value="own" checked' in editor.answer.text
    assert 'value="common" checked' in editor.tap("begin-kate").answer.text
