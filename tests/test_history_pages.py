"""The history: every entry in words, undo and redo to any depth (law 7)."""

from __future__ import annotations

import gzip
import html
import re
from datetime import UTC, datetime, timedelta, timezone

import pytest
from flask import Flask, g
from flask.testing import FlaskClient
from sqlalchemy import update
from werkzeug.test import TestResponse

from companion import record
from companion.db import writing
from companion.models import Device, Membership
from companion.pages.history import history_page
from companion.phones import devices
from companion.referee.commands import (
    Buy,
    CloseGame,
    CorrectScore,
    Float,
    GoDownWithoutCards,
    LeaveSeat,
    ReopenGame,
    TakeBackBuy,
)
from companion.referee.history import replay
from companion.referee.notation import parse_game
from companion.referee.standings import totals
from companion.referee.state import Phase
from companion.settings import SetupError
from tests.web import LONG_NAMES, plain, play, score, start, three_sets, view


def history(client: FlaskClient, code: str) -> str:
    answer = client.get(f"/g/{code}/history")
    assert answer.status_code == 200
    return plain(answer.text)


def entry(page: str, number: int) -> str:
    """One entry of the history, as text."""
    found = re.search(rf'<li class="[^"]*" id="e{number}">(.*?)</li>', page, re.S)
    assert found
    return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split())


def button(page: str, name: str) -> str:
    """What the undo or redo button says."""
    found = re.search(rf'id="{name}">(.*?)</button>', page, re.S)
    assert found
    return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split())


def slip(page: str, name: str) -> dict[str, str]:
    """What the undo or redo form sends."""
    forms = re.findall(r'action="[^"]*/history">(.*?)</form>', page, re.S)
    form = next(form for form in forms if f'id="{name}"' in form)
    return dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))


def press(client: FlaskClient, code: str, name: str, page: str | None = None, status: int = 303) -> TestResponse:
    """Press undo or redo, on the page as it is now or as it was."""
    data = slip(page or history(client, code), name)
    answer = client.post(f"/g/{code}/history", data=data)
    assert answer.status_code == status
    return answer


def another_phone(app: Flask, code: str, role: str = "keeper", kind: str = "iphone", name: str = "") -> FlaskClient:
    phone, game = app.test_client(), view(app, code)
    with app.test_request_context():
        device = devices.ensure()
        phone.set_cookie(devices.COOKIE, devices._signer().dumps(g.device_token))
        with writing() as session:
            session.add(Membership(game_id=game.id, device_id=device, role=role, number=2))
            session.execute(update(Device).where(Device.id == device).values(kind=kind, name=name))
    return phone


# --- what is shown ---------------------------------------------------------------------------------------------------


def test_every_entry_is_a_sentence_with_its_number_and_clock(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, Buy(1, 0), Buy(1, 0), three_sets(), score(1, 1, 45, 0, 30))
    page = history(client, code)
    assert re.fullmatch(r"\d\d:\d\d The game starts with Ana, Bea,? and Carl;.* Entry 1 · this phone", entry(page, 1))
    assert "Ana bought a card (1 of 3)." in entry(page, 2)
    assert "Ana bought a card (2 of 3)." in entry(page, 3)
    assert "Bea went down. Set of sevens: 7♠, 7♥, 7♦; Set of nines: 9♠, 9♣, 2 as 9." in entry(page, 4)
    assert "Hand 1: Bea went out. Ana 45, Bea 0, Carl 30." in entry(page, 5)


def test_the_last_entry_comes_first_within_its_hand(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, Buy(1, 0), score(1, 1, 45, 0, 30), Buy(2, 1), Buy(2, 2))
    page = history(client, code)
    assert re.findall(r'id="e(\d)"', page) == ["5", "4", "3", "2", "1"]
    assert re.findall(r"<h2>(.*?)</h2>", page) == ["Hand 2", "Hand 1"]


def test_a_correction_stands_where_it_was_made(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, score(1, 1, 45, 0, 30), score(2, 1, 45, 0, 30), CorrectScore(1, 1, {0: 40, 2: 30}))
    page = history(client, code)
    assert page.index("Hand 3</h2>") < page.index('id="e4"') < page.index("Hand 2</h2>")
    assert "Hand 1 corrected: Bea went out. Ana 40, Bea 0, Carl 30." in entry(page, 4)


def test_what_comes_after_the_last_hand_has_its_own_heading(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, *(score(hand, 0, 0, 5, 10) for hand in range(1, 11)), CorrectScore(10, 1, {0: 5, 2: 5}))
    headings = re.findall(r"<h2>(.*?)</h2>", history(client, code))
    assert headings == ["After the last hand", *(f"Hand {hand}" for hand in range(10, 0, -1))]


def test_what_was_undone_is_struck_through_and_said_so(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, Buy(1, 0), Buy(1, 0))
    press(client, code, "undo")
    page = history(client, code)
    assert "<s>Ana bought a card (2 of 3).</s> <b>Undone by entry 4.</b>" in page
    assert "Undone, entry 3: Ana bought a card (2 of 3)." in entry(page, 4)
    assert "Undone by" not in entry(page, 2)


def test_a_redone_entry_holds_again(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, Buy(1, 0))
    press(client, code, "undo")
    press(client, code, "redo")
    page = history(client, code)
    assert "<s>" not in page
    assert "Redone, entry 2: Ana bought a card (1 of 3)." in entry(page, 4)


def test_an_entry_names_the_device_it_came_from(app: Flask, client: FlaskClient, code: str) -> None:
    named = another_phone(app, code, kind="android", name="Bea's old phone")
    press_buy(named, code)
    page = history(client, code)
    assert entry(page, 2).endswith("Entry 2 · Bea's old phone")
    assert "(Bea's old phone)" in button(page, "undo")
    assert entry(history(named, code), 2).endswith("this phone")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("iphone", "iPhone (no. 2 here)"),
        ("ipad", "iPad (no. 2 here)"),
        ("android", "Android phone (no. 2 here)"),
        ("computer", "computer (no. 2 here)"),
        ("other", "another phone (no. 2 here)"),
    ],
)
def test_a_device_without_a_name_is_told_by_kind_and_number(
    app: Flask, client: FlaskClient, code: str, kind: str, words: str
) -> None:
    press_buy(another_phone(app, code, kind=kind), code)
    assert entry(history(client, code), 2).endswith(words)


def press_buy(phone: FlaskClient, code: str) -> None:
    data = {"do": "buy.0.1", "hand": "1", "seen": "1", "token": record.new_token()}
    assert phone.post(f"/g/{code}/do", data=data).status_code == 303


def test_clocks_are_utc_for_machines_and_local_for_people(app: Flask, client: FlaskClient, code: str) -> None:
    with app.test_request_context():
        game, entries = record.load(code), record.entries(code)
        assert game is not None
        assert entries is not None
        at = entries[0].at
        page = history_page(game, entries, timezone(timedelta(hours=5, minutes=30)))
    line = page.groups[0].lines[0]
    assert datetime.fromisoformat(line.at) == at.replace(microsecond=0)
    assert line.at.endswith("Z")
    assert line.clock == (at + timedelta(hours=5, minutes=30)).strftime("%H:%M")


def test_a_time_zone_can_be_set(make_app) -> None:
    app = make_app(TIMEZONE="Pacific/Kiritimati")
    client = app.test_client()
    page = history(client, start(app, client))
    found = re.search(r'<time datetime="([^"]*)">([^<]*)</time>', page)
    assert found
    there = datetime.fromisoformat(found[1]).astimezone(UTC) + timedelta(hours=14)
    assert there.strftime("%H:%M") == found[2]


def test_a_time_zone_that_does_not_exist_is_said_at_the_start(make_app) -> None:
    with pytest.raises(SetupError, match="TIMEZONE=Nowhere/../Land is no time zone"):
        make_app(TIMEZONE="Nowhere/../Land")


def test_names_are_text_whatever_they_are(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, LONG_NAMES)
    play(app, code, Buy(1, 5), GoDownWithoutCards(1, 4), Float(1, 4), LeaveSeat(6))
    assert "<script>alert" not in client.get(f"/g/{code}/history").text


def test_older_hands_are_folded_and_the_newest_are_not(app: Flask, client: FlaskClient, code: str) -> None:
    buys = [command for _ in range(4) for command in (Buy(1, 0), TakeBackBuy(1, 0))]
    play(app, code, *buys, score(1, 0, 0, 5, 10), *buys_of(2), Buy(2, 1))
    page = history(client, code)
    assert re.findall(r'<details class="history" id="from\d+"( open)?>', page) == [" open", ""]


def buys_of(hand: int) -> list[Buy | TakeBackBuy]:
    return [command for _ in range(4) for command in (Buy(hand, 0), TakeBackBuy(hand, 0))]


def test_400_entries_stay_light(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, LONG_NAMES)
    commands: list[object] = []
    for hand in range(1, 11):
        commands += [command for seat in range(8) for command in (Buy(hand, seat), TakeBackBuy(hand, seat))] * 2
        commands += [GoDownWithoutCards(hand, seat) for seat in range(7)]
        commands += [score(hand, 0, 0, *[5 * hand + 5 * seat for seat in range(7)])]
    play(app, code, *commands)  # type: ignore[arg-type]
    page = client.get(f"/g/{code}/history").get_data()
    assert page.count(b'id="e') > 400
    assert len(gzip.compress(page)) < 40_000


# --- undo and redo ---------------------------------------------------------------------------------------------------


def test_the_buttons_say_what_they_would_do(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, Buy(1, 0), Buy(1, 1))
    press(client, code, "undo")
    page = history(client, code)
    assert button(page, "undo") == "↶ Undo: Ana bought a card (1 of 3)."
    assert button(page, "redo") == "↷ Redo: Bea bought a card (1 of 3)."


def test_at_the_start_there_is_nothing_to_undo(client: FlaskClient, code: str) -> None:
    page = history(client, code)
    assert "There is nothing to undo." in page
    assert "<form" not in page[page.index("<main") : page.index("</main")]


def test_undo_across_a_hand_end_restores_everything(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, Buy(1, 0), three_sets(), GoDownWithoutCards(1, 2), Float(1, 2))
    before = view(app, code).state
    play(app, code, score(1, 1, 45, 0, 0), Buy(2, 1))
    press(client, code, "undo")
    press(client, code, "undo")
    assert view(app, code).state == before
    assert "Undone, entry 6: Hand 1: Bea went out." in entry(history(client, code), 9)


def test_undo_over_the_end_of_the_night_and_back(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, *(score(hand, 0, 0, 5, 10) for hand in range(1, 11)))
    after = view(app, code).state
    press(client, code, "undo")
    assert view(app, code).state.phase is Phase.PLAYING
    press(client, code, "redo")
    assert view(app, code).state == after


def test_undo_of_closing_early(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, score(1, 0, 0, 5, 10), CloseGame(), ReopenGame(), CloseGame())
    press(client, code, "undo")
    assert view(app, code).state.phase is Phase.PLAYING


def test_undo_and_redo_to_any_depth(app: Flask, client: FlaskClient, code: str) -> None:
    play(
        app,
        code,
        Buy(1, 0),
        score(1, 1, 45, 0, 30),
        Buy(2, 1),
        score(2, 0, 0, 5, 10),
        CorrectScore(1, 1, {0: 40, 2: 30}),
    )
    end = view(app, code).state
    for _ in range(5):
        press(client, code, "undo")
    assert view(app, code).state.scores == ()
    assert 'id="undo"' not in history(client, code)
    for _ in range(5):
        press(client, code, "redo")
    assert view(app, code).state == end
    assert totals(end) == {0: 40, 1: 5, 2: 40}
    assert 'id="redo"' not in history(client, code)


def test_a_new_entry_ends_redo(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, Buy(1, 0))
    press(client, code, "undo")
    play(app, code, Buy(1, 1))
    assert 'id="redo"' not in history(client, code)


def test_a_double_tap_undoes_once(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, Buy(1, 0), Buy(1, 1))
    page = history(client, code)
    assert press(client, code, "undo", page).location == f"/g/{code}/history"
    press(client, code, "undo", page)
    assert view(app, code).revision == 4


def test_undo_and_redo_of_one_page_are_two_commands(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, Buy(1, 0), Buy(1, 1))
    press(client, code, "undo")
    page = history(client, code)
    press(client, code, "undo", page)
    answer = press(client, code, "redo", page, status=409)
    assert "Entered meanwhile:" in answer.text
    assert view(app, code).revision == 5


def test_undo_on_a_page_that_another_phone_made_stale_explains_itself(
    app: Flask, client: FlaskClient, code: str
) -> None:
    play(app, code, Buy(1, 0))
    page = history(client, code)
    play(app, code, GoDownWithoutCards(1, 1))
    answer = press(client, code, "undo", page, status=409)
    said = plain(answer.text)
    assert "Somebody was quicker" in said
    assert "Bea went down; the cards were not entered." in said[said.index('id="refused"') : said.index("history-acts")]
    assert "Bea went down" in button(said, "undo"), "and the page is the fresh one"
    assert view(app, code).revision == 3


@pytest.mark.parametrize("what", ["undo", "redo"])
@pytest.mark.parametrize("number", ["", "0", "-1", "1", "99", "٣", "1e5", str(10**30), "x"])
def test_a_made_up_entry_is_not_undone(app: Flask, client: FlaskClient, code: str, what: str, number: str) -> None:
    play(app, code, Buy(1, 0))
    answer = client.post(f"/g/{code}/history", data={"turn": what, "entry": number, "seen": "2", "token": "t"})
    assert answer.status_code in (409, 422)
    assert 'id="refused"' in answer.text
    assert view(app, code).revision == 2


def test_a_post_without_anything_is_explained(app: Flask, client: FlaskClient, code: str) -> None:
    assert client.post(f"/g/{code}/history").status_code in (409, 422)
    assert view(app, code).revision == 1


# --- who watches, and strangers --------------------------------------------------------------------------------------


def test_who_watches_sees_the_history_without_forms(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, Buy(1, 0), Buy(1, 1))
    press(client, code, "undo")
    phone = another_phone(app, code, role="watch")
    page = history(phone, code)
    assert "Ana bought a card" in page
    assert "<form" not in page[page.index("<main") : page.index("</main")]
    data = slip(history(client, code), "undo")
    assert phone.post(f"/g/{code}/history", data=data).status_code == 403
    assert view(app, code).revision == 4


def test_a_strange_phone_sees_nothing(app: Flask, code: str) -> None:
    assert app.test_client().get(f"/g/{code}/history").status_code == 404


def test_the_game_as_text_has_no_name_and_plays_again(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, LONG_NAMES[:4])
    play(app, code, Buy(1, 1), three_sets(), score(1, 0, 0, 5, 10, 15), Buy(2, 2))
    assert f"/g/{code}/history/text" in client.get(f"/g/{code}/history").text
    page = client.get(f"/g/{code}/history/text").text
    text = html.unescape(re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.S)[1])  # type: ignore[index]
    assert not any(name in text for name in LONG_NAMES[:4]) and code not in text
    seen = view(app, code)
    assert replay(parse_game(text)).state == seen.state
    stranger = app.test_client()
    assert stranger.get(f"/g/{code}/history/text").status_code == 404
