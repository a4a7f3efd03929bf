"""Old nights from paper: what is read, what is wrong in which line, and that a night comes in once, by the rules."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from datetime import UTC, date
from functools import cache
from time import process_time
from types import MappingProxyType

import pytest
from flask import Flask
from flask.testing import FlaskClient
from flask_babel import Babel
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from companion import record
from companion.command import maintenance
from companion.db import db
from companion.exporting.old_nights import HANDS, Paper, read
from companion.forms.old_nights import decoded
from companion.models import Game
from companion.record.validation import validate
from companion.referee.standings import places, totals
from companion.referee.state import Phase
from companion.wording import old_nights as words
from tests.web import plain

TODAY = date(2026, 11, 30)
GOOD = """date,name,1,2,3,total
2019-05-04,Ana,0,45,20,65
2019-05-04,Bea,30,0,10,40
2019-05-04,Carl,15,5,0,20
"""


@cache
def sheet_words() -> dict[str, str]:
    app = Flask("companion")
    Babel(app)
    with app.app_context():
        return words.sheet_words(("en", "pt"))


def look(text: str, *, day_first: bool = False, answers: Mapping[str, str] = MappingProxyType({})) -> Paper:
    return read(text, sheet_words(), today=TODAY, zone=UTC, day_first=day_first, answers=answers)


def asked(text: str, *given: str) -> tuple[list[tuple[str, list[int], int]], Paper]:
    """The questions about a text (code, lines, hand), and what is read once they are answered with ``given``, in order."""
    answers: dict[str, str] = {}
    told: list[tuple[str, list[int], int]] = []
    waiting = list(given)
    while True:
        paper = look(text, answers=answers)
        new = [one for one in paper.unanswered if one.key not in answers]
        told += [(one.code, one.lines, one.hand) for one in new]
        if not new or not waiting:
            assert not waiting, f"nobody asked for {waiting}"
            return told, paper
        for question in new[: len(waiting)]:
            answers[question.key] = waiting.pop(0)


def faults(text: str, **more: bool) -> list[tuple[int, str, int]]:
    paper = look(text, **more)
    return [
        (fault.line, fault.problem.reason.value if fault.problem else fault.code, fault.hand) for fault in paper.faults
    ]


def table(*rows: str, titles: str = "date,name,1,2,3,total") -> str:
    return "\n".join((titles, *(f"2019-05-04,{row}" for row in rows)))


# --- what is read ----------------------------------------------------------------------------------------------------


def test_a_night_is_played_by_its_lines() -> None:
    (night,) = look(GOOD).nights
    state = validate(night)
    assert dict(night.names) == {0: "Ana", 1: "Bea", 2: "Carl"}
    assert (night.created_at.isoformat(), state.phase) == ("2019-05-04T20:00:00+00:00", Phase.CLOSED)
    assert totals(state) == {0: 65, 1: 40, 2: 20} and places(totals(state)) == {0: 3, 1: 2, 2: 1}
    assert [score.out for score in state.scores] == [0, 1, 2]


def test_all_ten_hands_finish_a_night() -> None:
    rows = [",".join([name, *(["0" if name == "Ana" else "10"] * HANDS)]) for name in ("Ana", "Bea", "Carl")]
    titles = ",".join(("date", "name", *map(str, range(1, HANDS + 1))))
    (night,) = look(table(*rows, titles=titles)).nights
    assert validate(night).phase is Phase.FINISHED


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace(",", ";"),
        GOOD.replace(",", "\t"),
        "\ufeff" + GOOD,
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("date,name", "Data,Nome"),
        GOOD.replace("1,2,3", "Hand 1,rodada 2,mão 3"),
        GOOD.replace("\n2019-05-04,Bea", "\n,Bea").replace("\n2019-05-04,Carl", "\n,Carl"),
        GOOD.replace("2019-05-04", "2019/5/4"),
        GOOD.replace("2019-05-04", "4.5.2019"),
        GOOD.replace(",65", ",").replace(",40", ",").replace(",20\n", "\n"),
        GOOD.replace("\n", ",,,\n"),
        "\n\n" + GOOD + "\n\n",
        '"date","name","1","2","3","total"\n' + GOOD.partition("\n")[2].replace("Ana", '"Ana"'),
        # no titles: as in the template
        GOOD.partition("\n")[2]
        .replace(",65", ",,,,,,,,65")
        .replace(",40", ",,,,,,,,40")
        .replace(",20\n", ",,,,,,,,20\n"),
    ],
)
def test_it_is_the_same_night_however_it_is_written(text: str) -> None:
    paper = look(text)
    assert paper.faults == []
    assert [night.uid for night in paper.nights] == [look(GOOD).nights[0].uid]


def test_an_empty_line_parts_two_nights_of_a_day() -> None:
    again = GOOD.partition("\n")[2].replace("30", "35").replace(",40", ",45")
    assert [len(night.names) for night in look(f"{GOOD}\n{again}").nights] == [3, 3]
    assert [fault for fault in faults(f"{GOOD}{again}") if fault[1] == "name"] == [
        (line, "name", 0) for line in (5, 6, 7)
    ]


def test_a_blank_cell_is_a_hand_not_played() -> None:
    text = table("Ana,0,,20,20", "Bea,30,0,10,40", "Carl,15,5,0,20", "Dora,5,5,5,15")
    questions, paper = asked(text, "sat")
    assert questions == [("blank", [2], 0)] and not look(text).nights
    (night,) = paper.nights
    state = validate(night)
    assert [set(score.points) for score in state.scores] == [{0, 1, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}]
    assert totals(state)[0] == 20
    (night,) = asked(text, "float")[1].nights
    assert [score.floating for score in validate(night).scores] == [set(), {0}, set()]


def test_a_blank_cell_where_nobody_has_nothing_may_be_who_went_out() -> None:
    text = table("Ana,,45", "Bea,30,0", "Carl,15,5")
    questions, paper = asked(text, "0")
    assert questions == [("blank_out", [2], 1)] and not look(text).nights
    assert [score.out for score in validate(paper.nights[0]).scores] == [0, 1]
    questions, paper = asked(text, "nobody", "sat")
    assert [code for code, _lines, _hand in questions] == ["blank_out", "blank"]
    assert not paper.nights and paper.faults[0].problem, "two are too few for a hand"


def test_a_night_may_begin_later() -> None:
    (night,) = look(table("Ana,,0,20,20", "Bea,,30,0,30", "Carl,,15,5,20")).nights
    assert [score.number for score in validate(night).scores] == [2, 3]


def test_who_floated_and_who_went_out() -> None:
    (night,) = look(table("Ana,out,0,20", "Bea,0,5,0", "Carl,15,FLOAT,5")).nights
    first, second, third = validate(night).scores
    assert (first.out, first.floating) == (0, {1})
    assert (second.out, second.floating) == (0, {2})
    assert (third.out, third.floating) == (1, set())


def test_nobody_may_have_gone_out() -> None:
    text = table("Ana,5,0", "Bea,30,5", "Carl,15,10")
    questions, paper = asked(text, "nobody")
    assert questions == [("nobody", [2], 0)] and not look(text).nights
    (night,) = paper.nights
    assert validate(night).scores[0].out is None


def test_seven_bring_a_third_deck() -> None:
    (night,) = look(table(*(f"P{n},{5 * n}" for n in range(7)))).nights
    state = validate(night)
    assert state.rules and state.rules.decks == 3


def test_names_in_any_script_and_quoted() -> None:
    (night,) = look(table('"Ana, Maria",0', "אברהם,5", "👩‍👩‍👧,10", "'=1+1,15")).nights
    assert list(night.names.values()) == ["Ana, Maria", "אברהם", "👩‍👩‍👧", "=1+1"]


# --- what is wrong, line by line -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [(1, "nothing", 0)]),
        ("date,name,1", [(1, "nothing", 0)]),
        ("<script>,=1+1\n", [(1, "nothing", 0)]),
        ("5,0,10\n0,5,5", [(1, "no_name_column", 0)]),
        ("date,name,1,1\n2019-05-04,Ana,5,5", [(1, "column_twice", 0)]),
        ("date,name,11\n", [(1, "nothing", 0)]),
        (table("Ana,0", "Bea,5"), [(2, "too_few_players", 0)]),
        (table(*(f"P{n},{5 * n}" for n in range(9))), [(2, "too_many_players", 0)]),
        (table("Ana,0", "Bea,5", "ANA,10"), [(4, "name", 0)]),
        (table("Ana,0", ",5", "Carl,10"), [(3, "name", 0)]),
        (table("Ana,0", "Bea,7", "Carl,-5"), [(3, "not_multiple_of_five", 1), (4, "negative_points", 1)]),
        (table("Ana,0", "Bea,５", "Carl,4.5"), [(3, "points", 1), (4, "points", 1)]),
        (table("Ana,0", "Bea,99999999999999999999", "Carl,5"), [(3, "points", 1)]),
        (table("Ana,0", "Bea,900", "Carl,900"), [(2, "points_above_pack", 1)]),
        (table("Ana,0,,5", "Bea,5,,0", "Carl,10,,5"), [(2, "gap", 2)]),
        (table("Ana", "Bea", "Carl"), [(2, "no_hands", 0)]),
        (table("Ana,0,5,0,6", "Bea,5,0,5,ten", "Carl,10,5,5,20"), [(2, "total", 0), (3, "bad_total", 0)]),
        (table("Ana,0,5,0,5,9", "Bea,5,0,5", "Carl,10,5,5"), [(2, "too_wide", 0)]),
        (GOOD.replace("2019", "2027"), [(2, "future", 0), (3, "future", 0), (4, "future", 0)]),
        (GOOD.replace("2019", "1969"), [(2, "long_ago", 0), (3, "long_ago", 0), (4, "long_ago", 0)]),
        (GOOD.replace("2019-05-04", "2019-02-30"), [(2, "date", 0), (3, "date", 0), (4, "date", 0)]),
        (GOOD.replace("Ana", "A\x00a"), [(2, "name", 0)]),
    ],
)
def test_every_line_says_what_is_wrong_with_it(text: str, expected: list[tuple[int, str, int]]) -> None:
    assert faults(text) == expected
    assert look(text).nights == []


@pytest.mark.parametrize("day_first", [True, False])
def test_a_day_that_could_be_either_is_asked_unless_another_line_proves_it(day_first: bool) -> None:
    text = GOOD.replace("2019-05-04", "4/5/2019")
    (question,) = look(text, day_first=day_first).questions
    assert (question.code, question.lines) == ("date_order", [2, 3, 4])
    assert [order for order, _facts in question.answers] == (["dmy", "mdy"] if day_first else ["mdy", "dmy"])
    (night,) = asked(text, "dmy")[1].nights
    assert night.created_at.date() == date(2019, 5, 4)
    other = GOOD.partition("\n")[2]
    for proof, day in (("12/25/2018", date(2019, 4, 5)), ("25/12/2018", date(2019, 5, 4))):
        paper = look(text + "\n" + other.replace("2019-05-04", proof), day_first=day_first)
        assert not paper.questions and [night.created_at.date() for night in paper.nights] == [day, date(2018, 12, 25)]
    both = other.replace("2019-05-04", "12/25/2018") + "\n" + other.replace("2019-05-04", "25/11/2018")
    assert [night.created_at.date() for night in look(f"{text}\n{both}").nights] == [
        date(2018, 12, 25),
        date(2018, 11, 25),
    ]


@pytest.mark.parametrize(
    ("cell", "day"),
    [
        ("25/12/18", date(2018, 12, 25)), ("4.5.19", date(2019, 5, 4)), ("2019-05-04 20:30:00", date(2019, 5, 4)),
        ("4 de maio de 2019", date(2019, 5, 4)), ("04-mai-2019", date(2019, 5, 4)), ("Sat 4 May 2019", date(2019, 5, 4)),
        ('"May 4, 2019"', date(2019, 5, 4)), ("4/4/2019", date(2019, 4, 4)), ("sáb 13/04/2019", date(2019, 4, 13)),
        ("10-Out-2018", date(2018, 10, 10)), ("3/12/2026", date(2026, 3, 12)),
    ],
)  # fmt: skip
def test_days_as_people_write_them(cell: str, day: date) -> None:
    paper = look(GOOD.replace("2019-05-04", cell))
    assert [night.created_at.date() for night in paper.nights] == [day] and not paper.questions


def test_a_night_without_a_day_is_asked_for_it() -> None:
    text = "name,1,2\nAna,0,45\nBea,30,0\nCarl,15,5\n"
    assert asked(text)[0] == [("day", [2], 0)] and not look(text).nights
    assert asked(text, "2019-05-04")[1].nights[0].created_at.date() == date(2019, 5, 4)
    for wrong in ("2027-01-01", "1969-05-04", "4/5/2019", "never"):
        assert not asked(text, wrong)[1].nights


def test_who_went_out_of_several_is_asked() -> None:
    text = table("Ana,0,5", "Bea,0,0", "Carl,10,5")
    assert asked(text)[0] == [("who_out", [2], 1)]
    (night,) = asked(text, "1")[1].nights
    assert [(score.out, score.floating) for score in validate(night).scores] == [(1, {0}), (1, set())]
    (night,) = asked(table("Ana,out", "Bea,out", "Carl,10"), "1")[1].nights
    assert [(score.out, score.floating) for score in validate(night).scores] == [(1, {0})]


def test_a_fault_in_one_night_leaves_the_others_readable() -> None:
    paper = look(GOOD + "2020-01-01,Ana,7\n2020-01-01,Bea,0\n2020-01-01,Carl,5\n")
    assert len(paper.nights) == 1 and [(fault.line, fault.hand) for fault in paper.faults] == [(5, 1)]


def test_unlikely_numbers_are_asked_about() -> None:
    paper = look(table("Ana,0", "Bea,300", "Carl,5"))
    assert [(fault.line, fault.hand) for fault in paper.doubts] == [(3, 1)] and len(paper.nights) == 1


def test_every_fault_has_its_words(app: Flask) -> None:
    facts = {
        "text": "x", "most": 5, "total": 1, "summed": 2, "name": "Ana", "first": 2, "texts": ["a"], "hands": [1], "said": True,
        "day": TODAY, "points": 5, "names": ["Ana"], "last": 3, "hand": 2, "count": 6,
    }  # fmt: skip
    for language in ("en", "pt"):
        with app.test_request_context(headers={"Accept-Language": language}):
            for say, codes in (
                (words.fault_words, words._FAULTS), (words.note_words, words._NOTES), (words.question_words, words._QUESTIONS),
            ):  # fmt: skip
                assert all(say(code, facts) for code in codes)
            assert all(words.answer_words(*(*code.split(), "")[:2], facts) for code in words._ANSWERS)
            assert len(words.understood()) == 6


@settings(deadline=None, max_examples=150)
@given(st.lists(st.lists(st.sampled_from(
    ["2019-05-04", "1/2/2003", "", "", "Ana", "Bea", "0", "5", "45", "out", "float", '"', "\x00", "900", "date", "name", "1", "total"]
) | st.text(max_size=6), max_size=7), max_size=9), st.sampled_from(",;\t"))  # fmt: skip
def test_nothing_typed_breaks_it(rows: list[list[str]], separator: str) -> None:
    text = "\n".join(separator.join(row) for row in rows)
    for tried in (text, GOOD.partition("\n")[0] + "\n" + text):
        paper = look(tried)
        assert paper.faults or paper.nights or paper.questions
        for night in paper.nights:
            validate(night)


@pytest.mark.parametrize(
    "text",
    [
        "date,name,1,2\n" + "\n".join(f"2019-05-04,P{n},w{n},y{n}" for n in range(2400)),
        ("a" + "," * 29 + "\n") * 4900,
        '"\n' * 4000,
        ("a" * 250 + " ") * 500,
        "\n".join(f"4/5/{1970 + n % 50},A{n},0,45,5" for n in range(4900)),
        "\n\n".join(f"a{n},b{n},c{n}\n1,2,3" for n in range(1600)),
        ",".join(f"n{n}" for n in range(9000)) + "\n" + ",".join("5" for _ in range(9000)),
    ],
    ids=["words", "columns", "quotes", "letters", "days", "tables", "wide"],
)
def test_no_sheet_takes_long_and_none_asks_too_much(text: str) -> None:
    begun = process_time()
    paper = look(text)
    assert process_time() - begun < 15, "a second or so on any machine"
    assert (paper.faults or paper.questions) and len(paper.questions) <= 100 and len(paper.notes) <= 200


def test_files_of_spreadsheets_are_decoded() -> None:
    for data in ("Zoë".encode(), "\ufeffZoë".encode(), "Zoë".encode("utf-16"), "Zoë".encode("cp1252")):
        assert decoded(data) == "Zoë"
    assert decoded(b"\x81\xff\x00")


# --- the page --------------------------------------------------------------------------------------------------------


def send(client: FlaskClient, text: str, **more: object):
    return client.post("/data/paper", data={"text": text, "do": "look", **more}, content_type="multipart/form-data")


def test_the_way_there_and_the_template(client: FlaskClient) -> None:
    assert 'href="/data/paper"' in client.get("/data").text
    assert "2019-05-04,Bea,30,0,10,40" in client.get("/data/paper").text
    sheet = client.get("/data/paper.csv")
    assert sheet.data.decode("utf-8-sig").strip() == '"date","name","1","2","3","4","5","6","7","8","9","10","total"'
    assert faults(sheet.data.decode()) == [(1, "nothing", 0)]
    portuguese = client.get("/data/paper.csv", headers={"Accept-Language": "pt"}).data.decode("utf-8-sig")
    assert portuguese.startswith('"data";"nome";"1"') and faults(portuguese) == [(1, "nothing", 0)]


def test_a_look_first_then_in(app: Flask, client: FlaskClient) -> None:
    answer = send(client, GOOD)
    page = plain(answer.text)
    assert answer.status_code == 200
    assert "1 night can be read" in page and "Carl won" in page and "Ana 65, Bea 40, Carl 20" in page
    with app.app_context():
        assert db.session.execute(select(func.count(Game.id))).scalar_one() == 0
    answer = send(client, GOOD, do="import")
    assert (answer.status_code, answer.location) == (303, "/data")
    assert "1 night is in." in client.get("/data").text
    home = plain(client.get("/").text)
    assert "Carl won" in home and "May 4, 2019" in home
    with app.app_context():
        assert maintenance.check() == []
        (game,) = record.games_for(1)
    for address in ("end", "scores", "recap", "history", "print", "players"):
        assert client.get(f"/g/{game.code}/{address}").status_code == 200
    assert send(client, GOOD, do="import").status_code == 303
    with app.app_context():
        assert db.session.execute(select(func.count(Game.id))).scalar_one() == 1
    again = plain(send(client, GOOD).text)
    assert "was here already" in again and 'value="import"' not in again


def test_a_night_like_one_that_is_here_is_asked_about(client: FlaskClient) -> None:
    send(client, GOOD, do="import")
    changed = GOOD.replace("30", "35").replace(",40", ",45")
    page = send(client, changed)
    assert "Is this a second one?" in page.text and send(client, changed, do="import").status_code == 422
    field = re.search(r'name="(q-alike-[^"]+)" value="second"', page.text)[1]
    assert "can be read" not in send(client, changed, **{field: "same"}).text
    assert "Bring them in" in send(client, changed, **{field: "second"}).text
    assert "Is this a second one?" not in send(client, changed.replace("2019-05-04", "2019-05-05")).text
    assert "Is this a second one?" not in send(client, changed.replace("Bea", "Dora")).text


def test_faults_keep_what_was_typed(app: Flask, client: FlaskClient) -> None:
    bad = GOOD.replace("Bea,30", "<b>Bea</b>,31")
    for do in ("look", "import"):
        answer = send(client, bad, do=do)
        page = plain(answer.text)
        assert answer.status_code == 422
        assert (
            "Line 3" in page
            and "31 points for <b>Bea</b> cannot be" in page
            and "The total says 40, the hands add up to 41." in page
        )
        assert "\n" + bad.rstrip("\n") in page
        assert 'value="import"' not in page
    with app.app_context():
        assert db.session.execute(select(func.count(Game.id))).scalar_one() == 0
    assert client.get_cookie("device") is None


def test_unlikely_numbers_need_a_yes(client: FlaskClient) -> None:
    text = table("Ana,0", "Bea,300", "Carl,5")
    assert send(client, text).status_code == 200
    asked = send(client, text, do="import")
    assert asked.status_code == 422 and "Yes, the numbers are right" in asked.text
    assert send(client, text, do="import", sure="yes").status_code == 303


def test_a_file_takes_the_place_of_the_lines_and_is_looked_at_first(client: FlaskClient) -> None:
    answer = send(client, "old", do="import", file=(io.BytesIO(GOOD.encode("utf-16")), "old.csv"))
    assert answer.status_code == 200 and "1 night can be read" in answer.text and ">\nold" not in answer.text


def test_too_much_is_said(client: FlaskClient) -> None:
    answer = send(client, "x" * 160_000)
    assert answer.status_code == 422 and "At most 150000 characters" in answer.text.replace(",", "")
    assert send(client, "x" * 300_000).status_code == 413
    many = send(client, GOOD + "\n" * 6000 + "x")
    assert many.status_code == 422 and "more than 5000 lines" in many.text


def test_garbage_is_no_error_of_ours(client: FlaskClient) -> None:
    for data in ({}, {"do": "nonsense"}, {"text": "\x00\x1b", "do": "import"}, {"text": '"' * 999}):
        assert client.post("/data/paper", data=data).status_code == 422


def test_in_portuguese(client: FlaskClient) -> None:
    answer = client.post(
        "/data/paper", data={"text": GOOD.replace("2019-05-04", "04/05/2019")}, headers={"Accept-Language": "pt"}
    )
    assert answer.status_code == 200 and "Que dia é “04/05/2019”?" in plain(answer.text)
    assert "4 de maio de 2019" in answer.text and "noite pode ser lida" not in answer.text


def test_hosted_two_groups_have_the_same_old_night(make_app: Callable[..., Flask]) -> None:
    app = make_app(HOSTED=True)
    for _ in range(2):
        assert send(app.test_client(), GOOD, do="import").status_code == 303
    with app.app_context():
        assert db.session.execute(select(func.count(Game.id))).scalar_one() == 2
