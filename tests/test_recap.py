"""The recap: what it says of whole, short, tied and empty nights; chart, text, picture, link and paper."""

from __future__ import annotations

import doctest
import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import update
from wcwidth import iter_graphemes

from companion import record
from companion.db import writing
from companion.models import Membership
from companion.pages import charts, text_width
from companion.pages.charts import line_chart, spread
from companion.pages.picture import picture
from companion.pages.recap import RecapPage, recap_page, text_to_paste, to_share
from companion.record import finished
from companion.referee.commands import Buy, CloseGame, CorrectScore, LeaveSeat, ScoreHand
from companion.referee.games import KATE, PERU
from companion.serving import lan
from tests.web import LONG_NAMES, plain, play, score, start, view


def page_of(app: Flask, code: str) -> RecapPage:
    with app.test_request_context():
        view = record.load(code)
        assert view is not None
        return recap_page(view, finished.events_in_force(code))


def turns(page: RecapPage) -> dict[str, str]:
    return dict(page.turns)


def recap(client: FlaskClient, code: str, **headers: str) -> str:
    answer = client.get(f"/g/{code}/recap", headers=headers)
    assert answer.status_code == 200
    return plain(answer.text)


def join(app: Flask, code: str, name: str) -> None:
    with app.app_context():
        view = record.load(code)
        assert view is not None
        record.join(code, name, token=record.new_token(), seen=view.revision)


# --- what it says ----------------------------------------------------------------------------------------------------


def test_a_night_with_its_turning_points(app: Flask, code: str) -> None:
    play(app, code, Buy(1, 1), Buy(1, 1), Buy(1, 2), score(1, 0, 0, 40, 60), score(2, 1, 100, 0, 80), CloseGame())
    page = page_of(app, code)
    assert (page.title, page.margin) == ("Bea wins", "with 40 points, 60 points ahead of Ana")
    assert page.detail.endswith("Ended early, after hand 2 of 10")
    assert turns(page) == {
        "In front": "Ana after hand 1; Bea after hand 2.",
        "Biggest swing": "In hand 2 Bea, 40 points behind Ana, came out 60 ahead.",
        "Worst hand caught": "Ana: 100 points in hand 2.",
        "Most hands won": "Ana and Bea: 1 hand each.",
        "Most buys": "Bea: 2 buys.",
    }
    assert [(hand.number, hand.winner) for hand in page.hands] == [(1, "Ana"), (2, "Bea")]


def test_g9_3_who_ties_shares_everything(app: Flask, code: str) -> None:
    play(app, code, score(1, 0, 0, 40, 40), score(2, None, 50, 10, 10), CloseGame())
    page = page_of(app, code)
    assert (page.title, page.margin) == ("Ana, Bea, and Carl share the win", "with 50 points")
    assert [[player.name for player in step] for step in page.podium] == [["Ana", "Bea", "Carl"]]
    assert turns(page)["In front"] == "Ana after hand 1; Ana, Bea, and Carl after hand 2."
    assert turns(page)["Worst hand caught"] == "Ana: 50 points in hand 2."
    assert page.hands[1].winner == ""
    with app.test_request_context():
        assert "1. Ana: 50\n1. Bea: 50\n1. Carl: 50" in text_to_paste(page)
    drawn = picture(page)
    assert drawn is not None
    assert [row.player.place for row in drawn.rows] == [1, 1, 1]


def test_a_place_that_is_skipped_has_no_step(app: Flask, code: str) -> None:
    play(app, code, score(1, 0, 0, 10, 60), CorrectScore(1, None, {0: 10, 1: 10, 2: 60}, sure=True))
    page = page_of(app, code)
    assert [[(player.name, player.place) for player in step] for step in page.podium] == [
        [("Ana", 1), ("Bea", 1)], [("Carl", 3)],
    ]  # fmt: skip
    assert page.title == "Ana and Bea lead"
    assert page.margin == "with 10 points, 50 points ahead of Carl"


def test_floats_are_told(app: Flask, code: str) -> None:
    play(
        app, code,
        ScoreHand(1, 0, {0: 0, 1: 0, 2: 5}, sure=True, floated=frozenset({1})),
        ScoreHand(2, 0, {0: 0, 1: 0, 2: 5}, sure=True, floated=frozenset({1})),
    )  # fmt: skip
    assert turns(page_of(app, code))["Floated"] == "Bea in hands 1 and 2."
    assert turns(page_of(app, code))["In front"] == "Ana and Bea shared the lead after every hand."


def test_more_ties_than_can_be_read_are_counted(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, LONG_NAMES[:6])
    play(app, code, score(1, 0, 0, 50, 50, 50, 50, 50))
    assert turns(page_of(app, code))["Worst hand caught"].endswith("in hand 1. And 2 more as big.")


@pytest.mark.parametrize("close", [False, True])
def test_an_empty_night_says_nothing_silly(app: Flask, client: FlaskClient, code: str, close: bool) -> None:
    play(app, code, *([CloseGame()] if close else []))
    page = page_of(app, code)
    assert page.title == ("Nobody won" if close else "Nobody leads yet")
    assert (page.podium, page.turns, page.hands, page.chart, page.margin) == ((), (), (), None, "")
    assert picture(page) is None
    told = recap(client, code)
    assert '<svg class="chart' not in told
    assert "Share this night" not in told


def test_one_hand_has_no_who_led_when_and_no_swing(app: Flask, code: str) -> None:
    play(app, code, score(1, 0, 0, 40, 60))
    assert turns(page_of(app, code)) == {"Worst hand caught": "Carl: 60 points in hand 1."}


def test_g9_4_late_joiners_begin_with_what_they_brought_and_leavers_end(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, ("Ana", "Bea", "Carl", "Dan"))
    play(app, code, score(1, 0, 0, 40, 60, 20))
    join(app, code, "Eva")
    play(app, code, score(2, 0, 0, 5, 5, 5, 5), LeaveSeat(3))
    play(app, code, ScoreHand(3, 4, {0: 10, 1: 10, 2: 10, 4: 0}, sure=True), CloseGame())
    page = page_of(app, code)
    players = {player.name: player for player in page.players}
    assert players["Eva"].notes == ("1 hand won", "started with 60 points")
    assert (players["Dan"].place, players["Dan"].notes) == (None, ("left the table",))
    assert page.players[-1].name == "Dan"
    assert page.chart is not None
    eva, dan = page.chart.lines[4], page.chart.lines[3]
    assert eva.path.count("L") == 2  # from hand 1, when she came, to hand 3
    assert dan.path.count("L") == 2  # from the start to hand 2
    assert [[total for total, _first in cells][3:] for cells in page.table.values()] == [
        [20, None],
        [25, 65],
        [None, 65],
    ]
    with app.test_request_context():
        assert "– Dan: 25 (left the table)" in text_to_paste(page)


def test_who_sits_down_after_the_last_scored_hand_is_there_all_the_same(app: Flask, code: str) -> None:
    play(app, code, score(1, 0, 0, 40, 60))
    join(app, code, "Eva")
    play(app, code, CloseGame())
    page = page_of(app, code)
    assert page.chart is not None
    assert page.chart.lines[3].path.count("L") == 0
    assert page.chart.lines[3].marks
    assert [total for total, _first in page.table["1"]] == [0, 40, 60, None]


def test_a_correction_and_an_undo_change_recap_end_and_sheet_alike(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, score(1, 0, 0, 40, 60), score(2, 1, 100, 0, 80))
    play(app, code, CorrectScore(2, 1, {0: 5, 1: 0, 2: 80}, sure=True))
    assert page_of(app, code).title == "Ana leads"
    for path in ("recap", "end", "print"):
        assert ">5<" in plain(client.get(f"/g/{code}/{path}").text), path
    with app.app_context():
        view = record.load(code)
        assert view is not None and view.undo is not None
        record.undo(code, entry=view.undo.seq, token="u", seen=view.revision)
    assert page_of(app, code).title == "Bea leads"


def test_everything_is_told_in_portuguese_too(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, score(1, 0, 0, 40, 60))
    assert '<html lang="pt">' in recap(client, code, **{"Accept-Language": "pt"})


# --- the chart -------------------------------------------------------------------------------------------------------

PINNED = (
    '<path class="grid" d="M34 12H206" fill="none" stroke="#d9d0bc" stroke-width="1"/>'
    '<text class="tick" x="34" y="12" dx="-8" dy="4" text-anchor="end" font-size="11" fill="#505950">0</text>'
)


def test_the_same_night_gives_the_same_bytes(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, score(1, 0, 0, 40, 60), score(2, 1, 100, 0, 80))
    drawings = [re.findall(r'<svg class="chart.*?</svg>', client.get(f"/g/{code}/recap").text, re.S) for _ in range(2)]
    assert drawings[0] == drawings[1]
    assert PINNED in drawings[0][3]
    page = page_of(app, code)
    assert page.chart is not None
    assert page.chart.lines[0].path == "M34 12L120 12L206 132"
    assert page.chart.lines[1].path == "M34 12L120 60L206 60"


def test_the_leader_lies_on_top(app: Flask) -> None:
    lines = (("a", {0: 0, 1: 20}), ("b", {0: 0, 1: 90}))
    low, high = line_chart(lines, (0, 1)), line_chart(lines, (0, 1), best_low=False)
    assert float(low.lines[0].name_y) < float(low.lines[1].name_y)
    assert float(high.lines[0].name_y) > float(high.lines[1].name_y)


def test_every_line_can_be_told_without_its_colour() -> None:
    samples = [charts.sample(index) for index in range(24)]
    assert len({(style.mark, style.filled, style.dash) for style in samples}) == 24
    assert len({(style.mark, style.filled) for style in samples[:8]}) == 8


def test_the_page_keeps_the_policy_and_its_ids(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, LONG_NAMES)
    play(app, code, score(1, 0, *(5 * seat for seat in range(8))))
    for path in ("recap", "print"):
        text = client.get(f"/g/{code}/{path}").text
        assert not re.search(r"\sstyle=|\son\w+=|<script>|<style", text)
        ids = re.findall(r'\sid="([^"]+)"', text)
        assert len(ids) == len(set(ids))
        assert text.count("<h1") == 1


@settings(deadline=None)
@given(
    st.lists(st.dictionaries(st.integers(0, 10), st.integers(-300, 4000), min_size=1), min_size=1, max_size=10),
    st.booleans(),
)
def test_names_at_the_ends_never_collide_and_nothing_leaves_the_paper(
    values: list[dict[int, int]], best_low: bool
) -> None:
    chart = line_chart([("n", totals) for totals in values], range(11), best_low=best_low)
    feet = sorted(float(line.name_y) for line in chart.lines)
    assert all(below - above >= charts.LINE_GAP - 0.2 for above, below in zip(feet, feet[1:], strict=False))
    assert feet[0] >= 0 and feet[-1] <= chart.height
    for line in chart.lines:
        points = [tuple(map(float, pair.split())) for pair in line.path[1:].split("L")]
        assert all(charts.LEFT <= x <= charts.WIDTH and 0 <= y <= chart.height for x, y in points)
    ticks = [int(words) for _y, words in chart.down]
    assert 2 <= len(ticks) <= 6


@given(st.lists(st.floats(12, 192), max_size=12))
def test_labels_are_moved_no_more_than_they_must(wanted: list[float]) -> None:
    places = spread(wanted, 14, 12, 192)
    order = sorted(range(len(wanted)), key=lambda index: (wanted[index], index))
    assert [places[index] for index in order] == sorted(places)
    if all(wanted[below] - wanted[above] >= 14 for above, below in zip(order, order[1:], strict=False)):
        assert places == pytest.approx(wanted)


# --- names in drawings -----------------------------------------------------------------------------------------------


def test_the_examples_in_the_docstrings_hold() -> None:
    for module in (text_width, charts):
        assert doctest.testmod(module).failed == 0


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=60), st.floats(1, 20))
def test_a_name_is_cut_between_letters_and_fits(name: str, room: float) -> None:
    shown = text_width.fitted(name, room)
    assert shown == name or shown.endswith("…")
    assert "".join(iter_graphemes(name)) == name
    if shown != name:
        assert text_width.width(shown) <= max(room, 1)
        kept = list(iter_graphemes(shown[:-1]))
        assert list(iter_graphemes(name))[: len(kept)] == kept


def test_emoji_made_of_several_stay_whole() -> None:
    astronaut = "👩🏽‍🚀"
    assert text_width.fitted(astronaut * 9, 4) == astronaut * 2 + "…"


# --- the picture and the text ----------------------------------------------------------------------------------------


def test_the_picture_needs_no_style_sheet(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, LONG_NAMES)
    play(app, code, score(1, 0, *(5 * seat for seat in range(8))))
    drawn = re.search(r'<svg class="picture".*?</svg>', client.get(f"/g/{code}/recap").text, re.S)
    assert drawn is not None
    assert 'xmlns="http://www.w3.org/2000/svg"' in drawn[0]
    for shape in re.findall(r"<(?:path|text|rect)[^>]*>", drawn[0]):
        inherits = 'text-anchor="end">' in shape or 'data-room="600"' in shape
        assert "fill=" in shape or "stroke=" in shape or inherits, shape
    assert "currentColor" not in drawn[0] and "var(" not in drawn[0] and "href" not in drawn[0]


def test_a_long_headline_is_wrapped_and_cut_at_three_lines(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, [f"Maximiliane-Alexandra {number}" for number in range(6)])
    play(app, code, score(1, None, *[50] * 6))
    drawn = picture(page_of(app, code))
    assert drawn is not None
    title = [text for text in drawn.texts if text.bold]
    assert len(title) == 3
    assert title[-1].text.endswith("…")


def test_the_text_has_the_link_only_while_there_is_one(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, score(1, 0, 0, 40, 60))
    assert "/r/" not in recap(client, code)
    shown = make_link(client, code)
    assert f"http://192.168.1.20/r/{shown}" in recap(client, code)


# --- the link --------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def on_a_home_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "lan_addresses", lambda: ("192.168.1.20",))


def make_link(client: FlaskClient, code: str) -> str:
    assert client.post(f"/g/{code}/recap", data={"do": "make"}).status_code == 303
    link = re.search(r'id="link" value="http://192.168.1.20/r/([^"]+)"', client.get(f"/g/{code}/recap").text)
    assert link is not None
    return link[1]


def withdraw(client: FlaskClient, code: str, shown: str) -> None:
    assert client.post(f"/g/{code}/recap", data={"do": "withdraw", "shown": shown}).status_code == 303


def test_whoever_has_the_link_sees_this_night_and_nothing_else(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, score(1, 0, 0, 40, 60))
    other = start(app, app.test_client(), ("Dora", "Emil", "Fritz"))
    shown = make_link(client, code)
    answer = app.test_client().get(f"/r/{shown}")
    assert answer.status_code == 200
    assert "Ana leads" in answer.text and "Worst hand caught" in answer.text
    for secret in (code, other, "/g/", "Dora", "Share this night"):
        assert secret not in answer.text
    assert '<meta name="robots" content="noindex">' in answer.text
    assert app.test_client().get(f"/g/{code}/recap").status_code == 404


@pytest.mark.parametrize(
    ("asked", "address", "note"),
    [
        ("http://localhost:8000", "http://192.168.1.20:8000", "It works in this Wi-Fi only"),
        ("http://192.168.1.77:8000", "http://192.168.1.77:8000", "It works in this Wi-Fi only"),
        ("http://kitchen.local", "http://kitchen.local", "It works in this Wi-Fi only"),
        ("https://gripe.example.org", "https://gripe.example.org", ""),
        ("http://8.8.8.8", "http://8.8.8.8", ""),
    ],
)
def test_the_link_has_an_address_that_others_can_use(make_app: Any, asked: str, address: str, note: str) -> None:
    app = make_app(TRUSTED_PROXIES=1)
    with app.test_request_context(base_url=asked):
        link = to_share("/r/x")
    assert link.address == f"{address}/r/x"
    assert link.note.startswith(note) and bool(link.note) == bool(note)


def test_where_no_phone_can_come_the_link_says_so(
    app: Flask, client: FlaskClient, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lan, "lan_addresses", tuple)
    client.post(f"/g/{code}/recap", data={"do": "make"})
    play(app, code, score(1, 0, 0, 40, 60))
    page = client.get(f"/g/{code}/recap").text
    assert 'value="http://localhost/r/' in page
    assert page.count("No other phone can reach this server") == 2  # beside the link, and in the text to paste


def test_a_withdrawn_link_is_dead_and_a_new_one_is_another(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, score(1, 0, 0, 40, 60))
    first = make_link(client, code)
    withdraw(client, code, first)
    dead = app.test_client().get(f"/r/{first}")
    assert dead.status_code == 404
    assert "Ana" not in dead.text
    second = make_link(client, code)
    assert second != first
    assert app.test_client().get(f"/r/{first}").status_code == 404
    withdraw(client, code, first)  # a page from before knows only the first
    assert app.test_client().get(f"/r/{second}").status_code == 200


def test_a_link_made_twice_is_one(client: FlaskClient, code: str, app: Flask) -> None:
    play(app, code, score(1, 0, 0, 40, 60))
    assert make_link(client, code) == make_link(client, code)


@pytest.mark.parametrize("recap_code", ["none", "\u0000", "a" * 200, "ü", "%", "_" * 22])
def test_what_is_no_link_is_not_found(client: FlaskClient, recap_code: str) -> None:
    assert client.get(f"/r/{recap_code}").status_code == 404


@pytest.mark.parametrize("sent", [{}, {"do": "x"}, {"do": "withdraw"}, {"do": "withdraw", "shown": "\u0000"}])
def test_a_form_of_somebody_elses_making_changes_nothing(
    app: Flask, client: FlaskClient, code: str, sent: dict[str, str]
) -> None:
    play(app, code, score(1, 0, 0, 40, 60))
    shown = make_link(client, code)
    assert client.post(f"/g/{code}/recap", data=sent).status_code in (303, 422)
    assert app.test_client().get(f"/r/{shown}").status_code == 200


def test_who_only_watches_hands_out_no_link(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, score(1, 0, 0, 40, 60))
    with app.app_context(), writing() as session:
        session.execute(update(Membership).values(role="watch"))
    assert "Make a link" not in recap(client, code)
    assert client.post(f"/g/{code}/recap", data={"do": "make"}).status_code == 403


def test_a_link_of_no_game_raises(app: Flask) -> None:
    with app.app_context():
        for act in (finished.recap_code, finished.hand_out_recap, finished.events_in_force):
            with pytest.raises(record.NoSuchGame):
                act("none")
        with pytest.raises(record.NoSuchGame):
            finished.withdraw_recap("none", "x")


# --- paper -----------------------------------------------------------------------------------------------------------


def test_the_printed_sheet_has_points_totals_and_places(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, score(1, 0, 0, 40, 60), score(2, 1, 100, 0, 40))
    page = re.sub(r"\s+", " ", plain(client.get(f"/g/{code}/print").text))
    assert "<td>100<small>100</small></td>" in page
    assert '<td class="paper-out">0<sup>★</sup><small>40</small></td>' in page
    assert "<td>100</td><td>40</td><td>100</td>" in page
    assert "<td>2nd</td><td>1st</td><td>2nd</td>" in page
    assert "★ went out" in page and "~" not in page
    assert len(re.findall(r'class="paper-hand"><strong>', page)) == 10


def test_an_unplayed_sheet_prints_empty_rows(client: FlaskClient, code: str) -> None:
    page = plain(client.get(f"/g/{code}/print").text)
    assert "went out" not in page
    assert page.count("<td></td>") == 10 * 3 + 6


@pytest.mark.parametrize(
    ("asked", "columns"),
    [("", 4), ("?players=3", 3), ("?players=8", 8), ("?players=99", 8), ("?players=0", 4), ("?players=x", 4)],
)
def test_the_blank_sheet_has_the_ten_hands(client: FlaskClient, asked: str, columns: int) -> None:
    page = client.get(f"/print/blank{asked}").text
    assert page.count("<td></td>") == (len(KATE.contracts) + 2) * columns
    assert "Three sets of three and a run of five" in page
    assert "4 buys" in page


def test_another_sheet_prints_its_own_hands(client: FlaskClient) -> None:
    page = client.get("/print/blank?sheet=peru").text
    assert page.count('class="paper-hand"><strong>') == len(PERU.contracts)
    assert "Gripe" in client.get("/print/blank?sheet=none").text


# --- names that look the same when short -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (("Grandma Rose", "Grandma Ruth", "Ana"), ("G. Rose", "G. Ruth", "Ana")),
        (("Maximiliane", "Maximilian", "Max"), ("M…ne", "M…n", "Max")),
        (("Maria da Silva", "Maria da Silveira"), ("M…va", "M…veira")),
        (("Bea", "Ana"), ("Bea", "Ana")),
        (("Grandma Rose", "Grandfather"), ("Grand…", "Grandf…")),
        (("אברהם אברהם אברהם א", "אברהם אברהם אברהם ב"), None),
    ],
)
def test_names_that_shorten_to_the_same_are_told_apart(names: tuple[str, ...], shown: tuple[str, ...] | None) -> None:
    short = text_width.told_apart(names, lambda name: text_width.fitted(name, 4.5))
    assert shown is None or short == shown
    assert len(set(short)) == len(names)


@given(st.lists(st.text(min_size=1, max_size=40).filter(str.strip), min_size=2, max_size=8, unique=True))
def test_whatever_the_names_they_are_told_apart_where_there_is_room_for_a_number(names: list[str]) -> None:
    short = text_width.told_apart(names, lambda name: text_width.fitted(name, 8))
    alike = [one for one in short if short.count(one) > 1]
    assert len(short) == len(names)
    assert all(width <= 9 for width in map(text_width.width, short))
    assert not alike or any(not name.strip() or name != name.strip() for name in names)


def test_chart_and_picture_tell_two_grandmothers_apart(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, ("Grandmother Rosemary Smith of Ely", "Grandmother Rosemary Smith of Ayr", "Ana"))
    play(app, code, score(1, 0, 0, 40, 60))
    with app.test_request_context():
        page = recap_page(view(app, code), finished.events_in_force(code))
        drawn = picture(page)
    assert page.chart and drawn
    for names in ([line.name for line in page.chart.lines], [row.name for row in drawn.rows]):
        assert len(set(names)) == 3, names
