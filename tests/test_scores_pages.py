"""Hand over and the sheet of scores: what is entered, previewed, saved and corrected (G9)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any

import pytest
from flask import Flask, g
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion import record
from companion.db import writing
from companion.models import Membership
from companion.phones import devices
from companion.referee.commands import (
    Buy,
    CloseGame,
    CorrectScore,
    DealAnew,
    Float,
    GoDownWithoutCards,
    LeaveSeat,
    ScoreHand,
    SitOut,
    StartGame,
    TakeBackFloat,
)
from companion.referee.games import EHOW, KATE, PERU
from companion.referee.standings import totals
from tests.lint_html import VOID
from tests.thorough import one_in
from tests.web import LONG_NAMES, NAMES, plain, play, score, start, view

Fields = list[tuple[str, str]]


def undo(app: Flask, code: str) -> None:
    seen = view(app, code)
    assert seen.undo is not None
    with app.app_context():
        record.undo(code, entry=seen.undo.seq, token=record.new_token(), seen=seen.revision)


def known(phone: FlaskClient) -> int:
    """The device that a phone is from now on; within a request's context."""
    device = devices.ensure()
    phone.set_cookie(devices.COOKIE, devices._signer().dumps(g.device_token))
    return device


def watch(app: Flask, code: str) -> FlaskClient:
    """A phone that may only look."""
    phone, game = app.test_client(), view(app, code)
    with app.test_request_context():
        device = known(phone)
        with writing() as session:
            session.add(Membership(game_id=game.id, device_id=device, role="watch", number=2))
    return phone


def hidden(page: str, name: str) -> str:
    value = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert value, name
    return value[1]


def fill(
    client: FlaskClient, code: str, *, out: object = None, status: int = 200, hand: int | None = None, **more: Any
) -> TestResponse:
    """Open the form, fill it in, look at the preview. Points by ``p0="15+20"``; ``floats=[2]``, ``sure=["0=300"]``."""
    where = f"/g/{code}/over" if hand is None else f"/g/{code}/scores/{hand}"
    page = client.get(where).text
    return client.get(where, query_string=fields(page, out, **more))


def fields(page: str, out: object = None, **more: Any) -> Fields:
    sent = [("hand", hidden(page, "hand")), ("seen", hidden(page, "seen"))]
    sent += [("out", str(out))] if out is not None else []
    for name, value in more.items():
        if name.startswith("p"):
            sent.append((f"points-{name[1:]}", str(value)))
        else:
            sent += [(name, str(each)) for each in value]
    return sent


def form_of(page: str) -> dict[str, list[str]]:
    """What the preview's save button sends."""
    form = page[page.index('method="post"') :]
    form = form[: form.index("</form>")]
    fields: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form):
        fields.setdefault(name, []).append(plain(value))
    return fields


def save(client: FlaskClient, code: str, page: str, hand: int | None = None) -> TestResponse:
    where = f"/g/{code}/over" if hand is None else f"/g/{code}/scores/{hand}"
    return client.post(where, data=form_of(page))


def line(page: str, seat: int) -> str:
    """One player's line of the form."""
    item = re.search(rf'<label for="points-{seat}">.*?(?=<label for="points-|</ul>)', page, re.S)
    assert item
    return plain(item[0])


class _Heard(HTMLParser):
    """What is read out: everything but what is only drawn."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.drawn = [False]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.drawn.append(self.drawn[-1] or ("aria-hidden", "true") in attrs)

    def handle_endtag(self, tag: str) -> None:
        self.drawn.pop()
        self.said.append(" " if tag in ("td", "th") else "")

    def handle_data(self, data: str) -> None:
        if not self.drawn[-1]:
            self.said.append(data)


def heard(page: str) -> str:
    """A piece of a page as it is read out."""
    reader = _Heard()
    reader.feed(page)
    return re.sub(r"\s+([:;,.])", r"\1", plain(" ".join("".join(reader.said).split())))


def rows(page: str) -> list[str]:
    """The rows of the table on a page, each as it is read out."""
    return [heard(row) for row in re.findall(r"<tr\b.*?</tr>", page, re.S)]


# --- the form --------------------------------------------------------------------------------------------------------


def test_everybody_dealt_in_is_asked_for_and_nobody_else(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, ("Ana", "Bea", "Carl", "Dora"))
    play(app, code, SitOut(1, 2))
    page = client.get(f"/g/{code}/over").text
    assert re.findall(r'name="out" value="(\w+)"', page) == ["0", "1", "3", "nobody"]
    assert re.findall(r'name="points-(\d)"', page) == ["0", "1", "3"]


def test_g2_3_the_form_says_what_cards_count(client: FlaskClient, code: str) -> None:
    assert "3–8: 5, 9–K: 10, A: 15, 2: 20." in client.get(f"/g/{code}/over").text


def test_g2_3_the_pad_has_every_rank_with_its_points(client: FlaskClient, code: str) -> None:
    page = client.get(f"/g/{code}/over").text
    keys = re.findall(r'data-points="(\d+)" aria-label="[^"]*">(\w+)<', page)
    assert [rank for _, rank in keys] == ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"]
    assert [int(points) for points, _ in keys] == [5] * 6 + [10] * 5 + [15, 20]


def test_p2_the_pad_of_another_sheet_has_its_joker(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, rules=PERU)
    page = client.get(f"/g/{code}/over").text
    assert "2–★: 25." in page
    assert 'aria-label="joker: 25 points"' in page


def test_g7_3_who_is_known_to_float_is_ticked(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, GoDownWithoutCards(1, 2), Float(1, 2))
    page = client.get(f"/g/{code}/over").text
    assert 'name="floats" value="2" checked' in page
    assert page.count(" checked") == 1


def test_g7_4_where_nobody_floats_nobody_is_asked(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, rules=EHOW)
    assert 'name="floats"' not in client.get(f"/g/{code}/over").text


def test_looking_at_the_form_and_the_preview_changes_nothing(app: Flask, client: FlaskClient, code: str) -> None:
    fill(client, code, out=0, p1="45", p2="30")
    assert view(app, code).revision == 1


# --- what is entered -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "total"),
    [("45", 45), ("15+20+5", 40), (" 15 + 20 ", 35), ("0045", 45), ("5", 5), ("+".join(["20"] * 8), 160)],
)
def test_points_are_a_number_or_a_sum(app: Flask, client: FlaskClient, code: str, typed: str, total: int) -> None:
    page = fill(client, code, out=0, p1=typed, p2="10").text
    assert save(client, code, page).status_code == 303
    assert dict(view(app, code).state.scores[0].points) == {0: 0, 1: total, 2: 10}


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("abc", "This is not a whole number"),
        ("-5", "This is not a whole number"),
        ("1e5", "This is not a whole number"),
        ("4.5", "This is not a whole number"),
        ("４５", "This is not a whole number"),
        ("٤٥", "This is not a whole number"),
        ("😀", "This is not a whole number"),
        ("<script>", "This is not a whole number"),
        ("15++5", "cannot be added up"),
        ("15+", "cannot be added up"),
        ("+15", "cannot be added up"),
        ("15+x", "cannot be added up"),
        ("15+-5", "cannot be added up"),
        (str(10**30), "at most 920"),
        ("925", "at most 920"),
        ("900+25", "at most 920"),
        ("5+" * 100 + "5", "At most 120 characters"),
        ("12", "12 points for Bea cannot be"),
        ("0", "0 for Bea? Only who goes out or floats"),
        ("", "Points are missing for Bea. An empty field is not 0."),
    ],
)
def test_what_cannot_be_is_refused_beside_the_player(
    app: Flask, client: FlaskClient, code: str, typed: str, sentence: str
) -> None:
    answer = fill(client, code, out=0, p1=typed, p2="30")
    assert answer.status_code == 422
    assert sentence in line(answer.text, 1)
    assert f'value="{typed}"' in line(answer.text, 1)
    assert 'aria-invalid="true"' in line(answer.text, 1)
    assert 'value="30"' in line(answer.text, 2)
    assert "field-error" not in line(answer.text, 2)
    assert 'name="out" value="0" checked' in answer.text


def test_a_field_that_could_not_be_read_is_not_called_missing_as_well(client: FlaskClient, code: str) -> None:
    assert "missing" not in line(fill(client, code, out=0, p1="abc", p2="5").text, 1)


def test_g9_1_every_missing_entry_is_shown_by_name(client: FlaskClient, code: str) -> None:
    page = fill(client, code, out=0).text
    assert "Points are missing for Bea." in line(page, 1)
    assert "Points are missing for Carl." in line(page, 2)
    assert "missing" not in line(page, 0)
    summary = page[page.index('class="errors"') : page.index("<fieldset")]
    assert re.findall(r'href="#([^"]*)"><bdi[^>]*>(.*?)</bdi>', summary) == [("points-1", "Bea"), ("points-2", "Carl")]


def test_who_went_out_must_be_said_and_only_that_is_asked_then(client: FlaskClient, code: str) -> None:
    answer = fill(client, code, p1="45")
    assert answer.status_code == 422
    assert 'id="out-error">Choose one of the answers.' in answer.text
    assert "missing" not in answer.text
    assert 'value="45"' in line(answer.text, 1)


@pytest.mark.parametrize("out", ["9", "-1", "x", "1e5", "٣", "99999999999"])
def test_a_made_up_seat_did_not_go_out(app: Flask, client: FlaskClient, code: str, out: str) -> None:
    assert fill(client, code, out=out, p0="5", p1="5", p2="5").status_code == 422
    assert view(app, code).revision == 1


def test_points_for_somebody_who_does_not_play_are_refused(client: FlaskClient, code: str) -> None:
    answer = fill(client, code, out=0, p1="5", p2="5", p7="5")
    assert answer.status_code == 422
    assert "Nobody sits on that chair" in plain(answer.text)


def test_g9_1_who_went_out_has_no_points(client: FlaskClient, code: str) -> None:
    answer = fill(client, code, out=0, p0="10", p1="5", p2="5")
    assert answer.status_code == 422
    assert "Ana went out and scores 0, not 10." in line(answer.text, 0)


def test_g9_2_more_than_all_the_cards_have_is_refused_as_a_whole(client: FlaskClient, code: str) -> None:
    answer = fill(client, code, out="nobody", p0="310", p1="310", p2="310", sure=["0=310", "1=310", "2=310"])
    assert answer.status_code == 422
    assert "Together that makes 930 points" in plain(answer.text)


def test_g9_2_unlikely_points_are_asked_once(app: Flask, client: FlaskClient, code: str) -> None:
    answer = fill(client, code, out=0, p1="295", p2="5")
    assert answer.status_code == 422
    assert "295 points for Bea? One player can hardly hold more than 290. Sure?" in line(answer.text, 1)
    assert 'name="sure" value="1=295"' in line(answer.text, 1)
    page = fill(client, code, out=0, p1="295", p2="5", sure=["1=295"]).text
    assert "is this right?" in page
    assert save(client, code, page).status_code == 303
    assert view(app, code).state.scores[0].points[1] == 295


def test_g9_2_being_sure_of_one_number_is_not_being_sure_of_another(client: FlaskClient, code: str) -> None:
    answer = fill(client, code, out=0, p1="300", p2="5", sure=["1=295"])
    assert answer.status_code == 422
    assert 'value="1=300"' in line(answer.text, 1)


def test_what_was_confirmed_stays_confirmed_when_something_else_is_changed(client: FlaskClient, code: str) -> None:
    answer = fill(client, code, out=0, p1="295", p2="x", sure=["1=295"])
    assert answer.status_code == 422
    assert '<input type="hidden" name="sure" value="1=295">' in answer.text
    assert "field-error" not in line(answer.text, 1)


@pytest.mark.parametrize("sure", ["", "1", "=", "1=", "x=295", "1=x", "1=99999999999999", "1=295=1", "٣=٥"])
def test_a_made_up_sure_is_none(client: FlaskClient, code: str, sure: str) -> None:
    assert fill(client, code, out=0, p1="295", p2="5", sure=[sure]).status_code == 422


@pytest.mark.parametrize("hand", ["0", "11", "999"])
def test_a_made_up_hand_is_explained(app: Flask, client: FlaskClient, code: str, hand: str) -> None:
    answer = client.get(f"/g/{code}/over", query_string={"hand": hand, "out": "0", "points-1": "400"})
    assert answer.status_code == 409
    assert "the table is at hand 1 now" in plain(answer.text)
    data = {"hand": hand, "out": "0", "points-1": "400", "seen": "1", "token": "t"}
    assert client.post(f"/g/{code}/over", data=data).status_code == 422
    assert view(app, code).revision == 1


def test_an_empty_post_is_explained(app: Flask, client: FlaskClient, code: str) -> None:
    assert client.post(f"/g/{code}/over", data={}).status_code == 422
    assert client.post(f"/g/{code}/scores/1", data={}).status_code == 422
    assert view(app, code).revision == 1


NASTY = (
    "",
    "-1",
    "1e5",
    "٣",
    "４",
    "1" * 400,
    "999",
    "0=0",
    "\x00",
    "\ud800",
    "‮1",
    "<b>",
    "🂡",
    "1;2",
    "%s",
    "{{1}}",
    " ",
)


@pytest.mark.parametrize(
    "field", ["hand", "seen", "token", "out", "floats", "points-0", "points-99", "sure", "overrule", "change"]
)
def test_nothing_that_is_sent_makes_a_500(app: Flask, client: FlaskClient, code: str, field: str) -> None:
    play(app, code, score(1, 0, 0, 5, 10))
    right = {"hand": "2", "seen": "2", "token": "t", "out": "0", "points-1": "5", "points-2": "15"}
    for text in one_in(3, NASTY):
        sent = {**right, field: text.encode("utf-8", "surrogatepass")}
        for path in ("over", "scores/1", "scores/2"):
            looked = client.get(f"/g/{code}/{path}", query_string=sent)
            assert looked.status_code in (200, 303, 409, 422), (path, text)
            if field not in ("token", "seen", "change"):
                posted = client.post(f"/g/{code}/{path}", data={**sent, "points-1": "x"})
                assert posted.status_code in (409, 422), (path, text)
    assert view(app, code).revision == 2


# --- floaters and hands that nobody went out of ----------------------------------------------------------------------


def test_g7_3_floaters_have_0_and_several_zeros_are_fine(app: Flask, client: FlaskClient, code: str) -> None:
    page = fill(client, code, out=0, floats=[1], p2="30").text
    assert "Ana went out. Bea floats." in plain(page)
    assert save(client, code, page).status_code == 303
    scored = view(app, code).state.scores[0]
    assert (dict(scored.points), scored.floating) == ({0: 0, 1: 0, 2: 30}, {1})


def test_a_floater_with_points_is_refused_beside_the_name(client: FlaskClient, code: str) -> None:
    answer = fill(client, code, out=0, floats=[1], p1="10", p2="30")
    assert answer.status_code == 422
    assert "Bea floats and scores 0, not 10." in line(answer.text, 1)
    assert 'name="floats" value="1" checked' in answer.text


def test_a_floater_who_is_unticked_does_not_float_after_all(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, GoDownWithoutCards(1, 2), Float(1, 2))
    page = fill(client, code, out=0, p1="10", p2="30").text
    assert save(client, code, page).status_code == 303
    assert dict(view(app, code).state.scores[0].points) == {0: 0, 1: 10, 2: 30}
    assert view(app, code).state.scores[0].floating == frozenset()
    assert save(client, code, page).status_code == 303, "a second tap lands once"
    assert len(view(app, code).state.scores) == 1
    assert view(app, code).revision == 4


def test_what_a_saved_hand_did_is_one_entry_and_one_undo_takes_all_of_it_back(
    app: Flask, client: FlaskClient, code: str
) -> None:
    play(app, code, GoDownWithoutCards(1, 2), Float(1, 2), GoDownWithoutCards(1, 1), Float(1, 1))
    before = view(app, code)
    assert save(client, code, fill(client, code, out=0, p1="10", p2="30").text).status_code == 303
    after = view(app, code)
    assert after.revision == before.revision + 1 and after.undo
    history = plain(client.get(f"/g/{code}/history").text)
    said = "Bea does not float after all. Carl does not float after all. Hand 1: Ana went out. Ana 0, Bea 10, Carl 30."
    assert said in history.split(f'id="e{after.revision}"')[1].split("</li>")[0]
    fields = {"token": "u", "seen": after.revision}
    client.post(f"/g/{code}/do", data={**fields, "do": f"undo.{after.undo.seq}"})
    assert view(app, code).state == before.state, "both float again"
    client.post(f"/g/{code}/do", data={"token": "r", "seen": after.revision + 1, "do": f"redo.{after.undo.seq}"})
    assert view(app, code).state == after.state


def test_a_pair_of_entries_of_an_older_record_stays_two_undos(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, GoDownWithoutCards(1, 2), Float(1, 2), TakeBackFloat(1, 2), score(1, 0, 0, 10, 30))
    client.post(f"/g/{code}/do", data={"token": "u", "seen": 5, "do": "undo.5"})
    now = view(app, code)
    assert now.undo and now.undo.seq == 4 and now.state.hand and now.state.hand.floating == frozenset()


def test_a_floater_who_goes_out_is_simply_out(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, GoDownWithoutCards(1, 2), Float(1, 2))
    page = fill(client, code, out=2, floats=[2], p0="5", p1="10").text
    assert "Carl went out." in plain(page)
    assert "Carl floats" not in plain(page)
    assert save(client, code, page).status_code == 303


def test_g9_2_a_hand_that_nobody_went_out_of(app: Flask, client: FlaskClient, code: str) -> None:
    page = fill(client, code, out="nobody", p0="5", p1="10", p2="15").text
    assert "Nobody went out." in plain(page)
    assert save(client, code, page).status_code == 303
    assert view(app, code).state.scores[0].out is None


def test_g9_2_nobody_has_0_where_nobody_went_out(client: FlaskClient, code: str) -> None:
    answer = fill(client, code, out="nobody", p0="0", p1="10", p2="15")
    assert answer.status_code == 422
    assert "0 for Ana?" in line(answer.text, 0)


# --- the preview -----------------------------------------------------------------------------------------------------


def test_the_preview_shows_totals_and_places_before_and_after(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, score(1, 0, 0, 20, 10))
    page = fill(client, code, out=1, p0="20", p2="15").text
    assert rows(page)[1:] == [
        "Ana: 20, total 0 becomes 20, 1st.",
        "Bea: 0, went out, 20, 3rd becomes 1st.",
        "Carl: 15, total 10 becomes 25, 2nd becomes 3rd.",
    ]


def test_before_the_first_hand_there_is_no_place_to_leave(client: FlaskClient, code: str) -> None:
    assert "Bea: 45, total 0 becomes 45, 3rd." in rows(fill(client, code, out=0, p1="45", p2="30").text)


def test_who_left_has_no_place_and_who_sits_out_no_points(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, ("Ana", "Bea", "Carl", "Dora", "Eva"))
    play(app, code, score(1, 0, 0, 20, 10, 5, 15), LeaveSeat(1), SitOut(2, 4))
    lines = rows(fill(client, code, out=0, p2="20", p3="15").text)
    assert "Bea: not dealt in, 20, left." in lines
    assert "Eva: not dealt in, 15, 4th becomes 2nd." in lines


def test_change_something_brings_the_form_back_as_it_was(client: FlaskClient, code: str) -> None:
    page = fill(client, code, out=0, floats=[1], p2="15+20").text
    back = client.get(f"/g/{code}/over", query_string={**form_of(page), "change": "1"})
    assert back.status_code == 200
    assert 'name="out" value="0" checked' in back.text
    assert 'name="floats" value="1" checked' in back.text
    assert 'value="15+20"' in line(back.text, 2)
    assert "= 35" in line(back.text, 2)
    assert "field-error" not in back.text


def test_the_preview_tells_what_was_entered_meanwhile(app: Flask, client: FlaskClient, code: str) -> None:
    sent = fields(client.get(f"/g/{code}/over").text, 0, p1="45", p2="30")
    play(app, code, Buy(1, 1), DealAnew(1))
    page = client.get(f"/g/{code}/over", query_string=sent).text
    assert "Entered meanwhile:" in page
    assert "Hand 1 was dealt anew." in page
    assert "bought" not in page, "a buy is nothing to a score"


# --- saving ----------------------------------------------------------------------------------------------------------


def test_saved_the_table_of_the_next_hand_follows(app: Flask, client: FlaskClient, code: str) -> None:
    answer = save(client, code, fill(client, code, out=0, p1="45", p2="30").text)
    assert (answer.status_code, answer.location) == (303, f"/g/{code}/")
    hand = view(app, code).state.hand
    assert hand is not None
    assert (hand.number, hand.dealer) == (2, 1)
    assert "Hand 1 is written down." in client.get(answer.location).text


def test_after_the_last_hand_the_night_ends(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, *(score(hand, 0, 0, 5, 10) for hand in range(1, 10)))
    page = fill(client, code, out=0, p1="45", p2="30").text
    assert "Save and end the night" in page
    answer = save(client, code, page)
    assert (answer.status_code, answer.location) == (303, f"/g/{code}/end")
    again = save(client, code, page)
    assert (again.status_code, again.location) == (303, f"/g/{code}/end")


def test_a_double_tap_on_save_lands_once(app: Flask, client: FlaskClient, code: str) -> None:
    page = fill(client, code, out=0, p1="45", p2="30").text
    assert save(client, code, page).status_code == 303
    assert save(client, code, page).status_code == 303
    assert view(app, code).revision == 2


def test_the_preview_reached_again_by_the_back_button_explains_itself(
    app: Flask, client: FlaskClient, code: str
) -> None:
    sent = fields(client.get(f"/g/{code}/over").text, 0, p1="45", p2="30")
    save(client, code, client.get(f"/g/{code}/over", query_string=sent).text)
    answer = client.get(f"/g/{code}/over", query_string=sent, follow_redirects=True)
    assert answer.request.path == f"/g/{code}/scores"
    assert "Hand 1 is written down already, with exactly these points." in answer.text


def test_points_of_one_hand_never_fill_the_form_of_the_next(app: Flask, client: FlaskClient, code: str) -> None:
    sent = [*fields(client.get(f"/g/{code}/over").text, 0, p1="45", p2="30"), ("change", "1")]
    assert client.get(f"/g/{code}/over", query_string=sent).status_code == 200
    play(app, code, score(1, 0, 0, 45, 30))
    answer = client.get(f"/g/{code}/over", query_string=sent, follow_redirects=True)
    assert "Hand 1 is written down already" in answer.text
    play(app, code, CorrectScore(1, 0, {1: 50, 2: 30}))
    answer = client.get(f"/g/{code}/over", query_string=sent)
    assert answer.status_code == 409
    assert f'action="/g/{code}/scores/1"' in answer.text


def test_two_phones_with_the_same_points_agree(app: Flask, client: FlaskClient, code: str) -> None:
    page = fill(client, code, out=0, p1="45", p2="30").text
    play(app, code, score(1, 0, 0, 45, 30))
    answer = save(client, code, page)
    assert (answer.status_code, answer.location) == (303, f"/g/{code}/scores")
    assert view(app, code).revision == 2


def test_two_phones_with_other_points_are_told_and_lose_nothing(app: Flask, client: FlaskClient, code: str) -> None:
    page = fill(client, code, out=0, p1="45", p2="15+20").text
    play(app, code, score(1, 0, 0, 40, 30))
    answer = save(client, code, page)
    assert answer.status_code == 409
    said = plain(answer.text)
    assert "Somebody was quicker" in said
    assert "Hand 1: Ana went out. Ana 0, Bea 40, Carl 30." in said
    assert "Hand 1 is scored already." in said
    assert 'value="45"' in line(answer.text, 1)
    assert 'value="15+20"' in line(answer.text, 2)
    assert f'action="/g/{code}/scores/1"' in answer.text
    assert view(app, code).revision == 2


def test_a_preview_of_a_hand_that_was_scored_meanwhile_says_so(app: Flask, client: FlaskClient, code: str) -> None:
    sent = fields(client.get(f"/g/{code}/over").text, 0, p1="45", p2="30")
    play(app, code, score(1, 0, 0, 40, 30))
    answer = client.get(f"/g/{code}/over", query_string=sent)
    assert answer.status_code == 409
    assert "Ana 0, Bea 40, Carl 30." in plain(answer.text)
    assert 'value="45"' in line(answer.text, 1)


def test_a_form_for_a_hand_that_was_undone_can_be_read_but_not_sent(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, score(1, 0, 0, 40, 30))
    page = fill(client, code, out=0, p1="45", p2="35").text
    undo(app, code)
    answer = save(client, code, page)
    assert answer.status_code == 409
    assert "the table is at hand 1 now" in plain(answer.text)
    assert "Undone, entry 2" in plain(answer.text)
    assert 'value="45"' in line(answer.text, 1)
    assert "See the new totals" not in answer.text


def test_a_hand_over_form_of_a_night_that_is_over_explains_itself(app: Flask, client: FlaskClient, code: str) -> None:
    page = fill(client, code, out=0, p1="45", p2="35").text
    play(app, code, CloseGame())
    assert client.get(f"/g/{code}/over").status_code == 409
    answer = save(client, code, page)
    assert answer.status_code == 409
    assert "The game was closed early." in plain(answer.text)
    assert 'value="45"' in line(answer.text, 1)


def test_after_the_last_hand_there_is_no_hand_to_end(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, *(score(hand, 0, 0, 5, 10) for hand in range(1, 11)))
    assert client.get(f"/g/{code}/over").status_code == 409


# --- corrections -----------------------------------------------------------------------------------------------------


@pytest.fixture
def sixth(app: Flask, code: str) -> str:
    """Five hands are scored, the sixth is played."""
    play(app, code, score(1, 0, 0, 20, 10), GoDownWithoutCards(2, 2), Float(2, 2))
    play(app, code, ScoreHand(2, 1, {0: 30, 1: 0}))
    play(app, code, *(score(hand, 2, 5, 10, 0) for hand in (3, 4, 5)), Buy(6, 0))
    return code


def test_an_old_hand_is_corrected_during_a_later_one(app: Flask, client: FlaskClient, sixth: str) -> None:
    form = client.get(f"/g/{sixth}/scores/2").text
    assert 'name="out" value="1" checked' in form
    assert 'name="floats" value="2" checked' in form
    assert 'value="30"' in line(form, 0)
    page = fill(client, sixth, hand=2, out=1, floats=[2], p0="35").text
    assert "Ana: 35, total 45 becomes 50, 2nd." in rows(page)
    answer = save(client, sixth, page, hand=2)
    assert (answer.status_code, answer.location) == (303, f"/g/{sixth}/scores")
    now = view(app, sixth).state
    assert totals(now)[0] == 50
    assert now.hand is not None
    assert (now.hand.number, now.hand.buys[0]) == (6, 1), "the hand in play goes on"
    assert "Hand 2 is corrected." in client.get(answer.location).text


def test_a_correction_may_change_who_went_out_and_who_floated(app: Flask, client: FlaskClient, sixth: str) -> None:
    page = fill(client, sixth, hand=2, out="nobody", floats=[], p0="30", p1="5", p2="10").text
    assert save(client, sixth, page, hand=2).status_code == 303
    score_ = view(app, sixth).state.score_of(2)
    assert score_ is not None
    assert (score_.out, score_.floating, dict(score_.points)) == (None, frozenset(), {0: 30, 1: 5, 2: 10})


def test_a_correction_that_changes_nothing_says_so(client: FlaskClient, sixth: str) -> None:
    page = fill(client, sixth, hand=2, out=1, floats=[2], p0="30").text
    assert "nothing would change" in page
    assert "Save the correction" not in page


def test_g9_2_a_correction_is_held_to_the_same_rules(client: FlaskClient, sixth: str) -> None:
    answer = fill(client, sixth, hand=2, out=1, p0="12", p2="")
    assert answer.status_code == 422
    assert "12 points for Ana cannot be" in line(answer.text, 0)
    assert "Points are missing for Carl" in line(answer.text, 2)


def test_two_corrections_at_once_are_not_mixed(app: Flask, client: FlaskClient, sixth: str) -> None:
    page = fill(client, sixth, hand=2, out=1, floats=[2], p0="35").text
    play(app, sixth, CorrectScore(2, 1, {0: 40}))
    answer = save(client, sixth, page, hand=2)
    assert answer.status_code == 409
    assert "Hand 2 corrected: Bea went out. Ana 40" in plain(answer.text)
    assert 'value="35"' in line(answer.text, 0)
    page = client.get(f"/g/{sixth}/scores/2", query_string=form_of(page)).text
    assert "Ana: 35, total 55 becomes 50, 3rd becomes 2nd." in rows(page), "and then lands when it is meant"
    assert save(client, sixth, page, hand=2).status_code == 303


def test_a_hand_that_is_not_scored_has_nothing_to_correct(app: Flask, client: FlaskClient, code: str) -> None:
    assert client.get(f"/g/{code}/scores/1").status_code == 404
    assert client.get(f"/g/{code}/scores/99").status_code == 404
    play(app, code, score(1, 0, 0, 20, 10))
    page = fill(client, code, hand=1, out=0, p1="25", p2="10").text
    undo(app, code)
    answer = save(client, code, page, hand=1)
    assert answer.status_code == 409
    assert "Hand 1 has no scores to correct yet." in plain(answer.text)
    assert 'value="25"' in line(answer.text, 1)
    again = client.get(f"/g/{code}/scores/1", query_string=form_of(page))
    assert again.status_code == 409


def test_a_finished_night_can_still_be_corrected(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, *(score(hand, 0, 0, 5, 10) for hand in range(1, 11)))
    page = fill(client, code, hand=10, out=1, p0="5", p2="10").text
    assert save(client, code, page, hand=10).status_code == 303
    assert totals(view(app, code).state) == {0: 5, 1: 45, 2: 100}


def test_who_left_keeps_scores_that_can_be_corrected(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, ("Ana", "Bea", "Carl", "Dora"))
    play(app, code, score(1, 0, 0, 20, 10, 5), LeaveSeat(1))
    page = fill(client, code, hand=1, out=0, p1="25", p2="10", p3="5").text
    assert "Bea: 25, total 20 becomes 25, left." in rows(page)
    assert save(client, code, page, hand=1).status_code == 303


# --- the sheet -------------------------------------------------------------------------------------------------------


def sheet(client: FlaskClient, code: str) -> str:
    answer = client.get(f"/g/{code}/scores")
    assert answer.status_code == 200
    return answer.text


def test_every_row_of_the_sheet_reads_as_one_sentence(client: FlaskClient, sixth: str) -> None:
    lines = rows(sheet(client, sixth))
    assert lines[1] == "Hand 1, two sets of three: (correct it) Ana: 0, went out; Bea: 20; Carl: 10."
    assert (
        lines[2]
        == "Hand 2, a set of three and a run of four: (correct it) Ana: 30; Bea: 0, went out; Carl: 0, floated."
    )
    assert lines[6] == "Hand 6, two sets of three and a run of five: Hand over"
    assert lines[7] == "Hand 7, three runs of four: not played yet"
    assert lines[11] == "Total: Ana: 45, 2nd; Bea: 50, 3rd; Carl: 10, 1st."
    assert len(lines) == 12


def test_the_sheet_is_a_table_with_a_caption_and_scopes(client: FlaskClient, sixth: str) -> None:
    page = sheet(client, sixth)
    assert page.count("<caption") == 1
    assert page.count('scope="col"') == 4
    assert page.count('scope="row"') == 11


def test_g9_3_equal_totals_share_a_place_and_the_next_is_skipped(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, score(1, 0, 0, 10, 30), score(2, 1, 10, 0, 30))
    assert rows(sheet(client, code))[-1] == "Total: Ana: 10, 1st; Bea: 10, 1st; Carl: 60, 3rd."


def test_before_the_first_hand_nobody_leads(client: FlaskClient, code: str) -> None:
    page = sheet(client, code)
    assert rows(page)[-1] == "Total: Ana: 0; Bea: 0; Carl: 0."
    assert "correct" not in page


def test_who_went_out_is_marked_by_more_than_colour(client: FlaskClient, sixth: str) -> None:
    page = sheet(client, sixth)
    assert len(re.findall(r'<td class="cell-out[^"]*">', page)) == 5  # a ring, as on paper
    assert page.count("went out;") + page.count("went out.") == 5
    assert page.count('<span class="mark">≈</span>') == 1


def test_g9_4_a_late_joiner_has_a_row_to_start_from_and_no_points_before(
    app: Flask, client: FlaskClient, code: str
) -> None:
    play(app, code, score(1, 0, 0, 20, 10))
    with app.app_context():
        record.join(code, "Dora", token=record.new_token(), seen=2)
    lines = rows(sheet(client, code))
    assert lines[1] == "At the start: Ana: 0; Bea: 0; Carl: 0; Dora: 20."
    assert lines[2].endswith("Carl: 10; Dora: not dealt in.")
    assert lines[-1] == "Total: Ana: 0, 1st; Bea: 20, 3rd; Carl: 10, 2nd; Dora: 20, 3rd."


def test_g9_4_who_left_keeps_the_column_and_has_no_place(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, ("Ana", "Bea", "Carl", "Dora"))
    play(app, code, score(1, 1, 5, 0, 10, 15), LeaveSeat(1), ScoreHand(2, 0, {2: 10, 3: 15}))
    lines = rows(sheet(client, code))
    assert lines[0] == "Hand Ana Bea left Carl Dora"
    assert "Bea: not dealt in" in lines[2]
    assert lines[-1] == "Total: Ana: 5, 1st; Bea: 0, left; Carl: 20, 2nd; Dora: 30, 3rd."


def test_a_night_that_began_on_paper_starts_at_its_hand(app: Flask, client: FlaskClient) -> None:
    command = StartGame(KATE, (0, 1, 2), 0, first_hand=4, carried=(100, 50, 75))
    with app.test_request_context():
        code = record.start_game(command, NAMES, token=record.new_token(), device=known(client)).code
    lines = rows(sheet(client, code))
    assert lines[1] == "At the start: Ana: 100; Bea: 50; Carl: 75."
    assert lines[2].startswith("Hand 4")
    assert len(lines) == 1 + 1 + 7 + 1


def test_a_closed_night_has_no_hand_to_end(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, score(1, 0, 0, 20, 10), CloseGame())
    assert "/over" not in sheet(client, code)


def test_names_are_text_whatever_they_are(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, LONG_NAMES)
    play(app, code, score(1, 4, 5, 10, 15, 20, 0, 25, 30, 35))
    for page in (
        sheet(client, code),
        client.get(f"/g/{code}/over").text,
        fill(client, code, out=4, p0=5, p1=5, p2=5, p3=5, p5=5, p6=5, p7=5).text,
    ):
        assert "<script>alert" not in page
        assert '<bdi translate="no">אברהם</bdi>' in page


# --- who watches, and strangers --------------------------------------------------------------------------------------


def test_who_watches_sees_the_sheet_without_forms(app: Flask, client: FlaskClient, sixth: str) -> None:
    phone = watch(app, sixth)
    page = phone.get(f"/g/{sixth}/scores").text
    assert "Ana: 30" in plain(page)
    assert "/over" not in page
    assert "/scores/2" not in page
    assert rows(page)[6].endswith("being played")
    assert phone.get(f"/g/{sixth}/over").status_code == 403
    assert phone.get(f"/g/{sixth}/scores/2").status_code == 403
    data: Mapping[str, Any] = form_of(fill(client, sixth, hand=2, out=1, floats=[2], p0="35").text)
    assert phone.post(f"/g/{sixth}/scores/2", data=data).status_code == 403
    assert view(app, sixth).revision == 9


def test_a_strange_phone_sees_nothing(app: Flask, sixth: str) -> None:
    phone = app.test_client()
    for path in ("scores", "over", "scores/2"):
        assert phone.get(f"/g/{sixth}/{path}").status_code == 404


def test_two_names_that_begin_alike_are_told_apart_over_their_columns(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, ("Grandmother Rosemary-Louise Smith", "Grandmother Rosemary-Louise Stone", "Ana"))
    head = client.get(f"/g/{code}/scores").text.partition("<thead>")[2].partition("</thead>")[0]
    shown = re.findall(r'class="sheet-name"[^>]*><bdi[^>]*>([^<]+)</bdi>', head)
    assert shown == ["G. R. Smith", "G. R. Stone", "Ana"]
    assert '<span class="hidden" translate="no">Grandmother Rosemary-Louise Smith</span>' in head  # for who listens
    assert "Ana</span>" not in head.replace("Ana</bdi></span>", "")
