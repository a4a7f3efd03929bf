"""What may be typed about, what has landed, and the language switched by a form that keeps what was typed."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest

from companion import record
from companion.referee.commands import CloseGame, CountHand, GoDown
from companion.referee.games import GREBBER, PERU
from companion.referee.grebber import Count
from companion.referee.notation import read_meld
from companion.views.drafts import LANDED, subjects
from tests.web import device_of, plain, play, score, start, three_sets, view


def alive(app, code):
    with app.test_request_context():
        return subjects(view(app, code)).split()


def test_drafts_may_be_about_the_hand_in_play_and_hands_counted_before(app, client, code):
    assert alive(app, code) == ["join", "over/1", "down/1", "who/1"]
    play(app, code, three_sets())
    assert alive(app, code)[4:] == ["meld/1.0", "meld/1.1"]
    play(app, code, score(1, 0, 0, 25, 40))
    assert alive(app, code) == ["join", "over/2", "down/2", "who/2", "correct/1"]
    play(app, code, CloseGame())
    assert alive(app, code) == ["correct/1"]
    assert "rearrange/1" in alive(app, start(app, app.test_client(), rules=PERU))


def landed(answer):
    return [cookie for cookie in answer.headers.getlist("Set-Cookie") if cookie.startswith(f"{LANDED}=")]


def test_only_what_landed_is_said_to_have_landed(app, client, code):
    names = {"name": "Dan", "place": "", "do": "join", "draft": f"{code}/join", "token": "t", "seen": "1"}
    answer = client.post(f"/g/{code}/players", data=names | {"name": ""})
    assert answer.status_code == 422 and not landed(answer)
    answer = client.post(f"/g/{code}/players", data=names)
    assert answer.status_code == 303
    assert landed(answer)[0].startswith(f"{LANDED}={code}/join;") and "HttpOnly" not in landed(answer)[0]
    answer = client.post("/settings", data={"suits": "four", "draft": "phone/settings"})
    assert landed(answer)[0].startswith(f"{LANDED}={code}/join|phone/settings;"), "until the phone has read it"
    for odd in ("", "a b", "ä", "x" * 90, "x;y", "<b>"):
        assert not landed(client.post("/settings", data={"draft": odd})), odd


# --- the language, switched by the form itself ------------------------------------------------------------------------


def test_every_page_with_a_draft_switches_the_language_by_its_form(app, client, code):
    play(app, code, score(1, 0, 0, 25, 40), GoDown(2, 1, tuple(map(read_meld, ("set 7S 7H 7D", "run 4S 5S 6S 7S")))))
    for address in ("over", "scores/1", "players", "down?seat=0", "melds/0", "who"):
        page = client.get(f"/g/{code}/{address}").text
        form = re.search(r'<button form="([\w-]+)" name="show_in" value="pt"', page)
        assert form and f'id="{form[1]}"' in page and "data-draft=" in page, address
    for address in ("/", f"/g/{code}/", f"/g/{code}/scores", "/referee/meld", "/settings", "/join"):
        assert 'name="show_in"' not in client.get(address).text, address


@pytest.mark.parametrize(
    ("address", "sent", "kept"),
    [
        ("over", {"hand": "2", "out": "1", "points-0": "15+20", "seen": "3"}, 'value="15+20"'),
        ("over", {"hand": "2", "points-0": "x"}, 'value="x"'),
        ("scores/1", {"hand": "1", "out": "0", "points-1": "99"}, 'value="99"'),
        ("who", {"discarder": "0"}, 'name="discarder" value="0" checked'),
    ],
)  # fmt: skip
def test_a_form_that_is_looked_at_comes_back_in_the_other_language(app, client, code, address, sent, kept):
    play(app, code, score(1, 0, 0, 25, 40))
    answer = client.get(f"/g/{code}/{address}?{urlencode({**sent, 'show_in': 'pt'})}")
    assert answer.status_code == 303 and "show_in" not in answer.location
    assert any(cookie.startswith("language=pt;") for cookie in answer.headers.getlist("Set-Cookie"))
    answer = client.get(answer.location)
    assert answer.status_code == 200 and 'lang="pt"' in answer.text and kept in answer.text
    assert "field-error" not in answer.text


SENT = {
    "players": ({"name": "Dorothea", "place": "2"}, 'value="Dorothea"'),
    "down?seat=0": ({"m0-rank": "7", "m0-count": "3", "m1-typed": "4S 5S"}, 'value="4S 5S"'),
    "melds/0": ({"typed": "7C", "seat": "1"}, 'value="7C"'),
    "melds/0/correct": ({"c-typed": "7C 7D 2S"}, 'value="7C 7D 2S"'),
    "/new": ({"name": ["Rosa", "J", "Mia"], "dealer": "1", "token": "t"}, 'value="Rosa"'),
    "/data/paper": ({"text": "2019-05-04,Rosa,0,10"}, "2019-05-04,Rosa,0,10"),
    "/people/1": ({"do": "rename", "name": "Anabela"}, 'value="Anabela"'),
}  # fmt: skip


@pytest.mark.parametrize("address", SENT)
def test_a_form_that_lands_is_only_shown_in_the_other_language(app, client, code, address):
    play(app, code, score(1, 0, 0, 25, 40), GoDown(2, 1, tuple(map(read_meld, ("set 7S 7H 7D", "run 4S 5S 6S 7S")))))
    before = view(app, code)
    fields, kept = SENT[address]
    there = address if address.startswith("/") else f"/g/{code}/{address}"
    answer = client.post(there, data={**fields, "show_in": "pt", "draft": "x/y"})
    assert answer.status_code == 200, plain(answer.text)[:500]
    assert 'lang="pt"' in answer.text and kept in answer.text and "field-error" not in answer.text
    assert not landed(answer)
    assert any(cookie.startswith("language=pt;") for cookie in answer.headers.getlist("Set-Cookie"))
    assert view(app, code).revision == before.revision and view(app, code).names == before.names
    with app.app_context():
        assert len(record.games_for(device_of(app, client))) == 1, "no other game"


def test_a_language_that_there_is_not_changes_nothing(client, code):
    answer = client.get(f"/g/{code}/over?show_in=xx")
    assert '<html lang="en">' in answer.text and "language=" not in str(answer.headers.getlist("Set-Cookie"))
    assert client.post("/language", data={"language": "xx"}).status_code == 422


def test_a_hand_of_grebber_comes_back_with_its_wilds_and_cards(app, client):
    code = start(app, client, ("Ana", "Bea"), rules=GREBBER)
    play(app, code, CountHand(1, (Count(0, 12, 0), Count(1, 0, 3))))
    answer = client.get(f"/g/{code}/grebber/count?hand=2&laid-0=3%2B4&show_in=pt", follow_redirects=True)
    assert answer.status_code == 200 and 'value="3+4"' in answer.text and 'lang="pt"' in answer.text


# --- Back to the form of a new game -----------------------------------------------------------------------------------

NEW = {"name": ["Ana", "Bea", "Carl"], "dealer": "0", "token": "once"}


def test_the_form_of_a_game_that_began_leads_into_it_again(app, client):
    assert client.get("/new?form=once").status_code == 200, "nothing began yet"
    table = client.post("/new", data=NEW).location
    answer = client.get("/new?form=once")
    assert (answer.status_code, answer.location) == (303, table)
    stranger = app.test_client().get("/new?form=once")
    assert stranger.status_code == 200 and table not in stranger.text
    assert 'value="once"' not in client.get("/new?form=twice").text + stranger.text, (
        "no form is given a token from outside"
    )
    assert client.get(f"/new?form={'x' * 5000}").status_code == 200


def test_without_scripts_the_form_says_that_a_game_has_just_begun(app, client):
    assert "has just begun" not in client.get("/new").text
    table = client.post("/new", data=NEW).location
    page = client.get("/new").text
    assert re.search(rf'<noscript><p>.*has just begun.*href="{table}"', page)
    assert "has just begun" not in app.test_client().get("/new").text
