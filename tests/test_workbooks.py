"""Files of old nights: .xlsx and .ods of any size and content, and the letters of older spreadsheets."""

from __future__ import annotations

import io
import re
from datetime import date

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from companion.exporting.paper import workbook
from companion.exporting.paper.encodings import decoded, read_anew
from companion.exporting.paper.workbook import BadWorkbook, lines_of
from tests.test_old_nights import GOOD, TODAY, look, send
from tests.thorough import thorough
from tests.web import plain
from tests.workbooks import ods, xlsx

CELLS = [["date", "name", 1, 2, 3, "total"], [date(2019, 5, 4), "Ana", 0, 45.0, 20, 65],
         [date(2019, 5, 4), "Bea", 30, 0, 10, 40], [date(2019, 5, 4), "Carl", 15, 5, 0, 20]]  # fmt: skip


@pytest.mark.parametrize("make", [xlsx, ods])
def test_a_spreadsheet_is_the_night_of_its_cells(make) -> None:
    (night,) = look(lines_of(make({"Sheet1": CELLS}))).nights
    assert night.uid == look(GOOD).nights[0].uid


@pytest.mark.parametrize("make", [xlsx, ods])
def test_sheets_named_by_their_day_are_nights_of_that_day(make) -> None:
    rows = [row[1:] for row in CELLS]
    text = lines_of(make({"2019-05-04": rows, "18 May 2019": rows, "Empty": []}))
    assert [night.created_at.date() for night in look(text).nights] == [date(2019, 5, 4), date(2019, 5, 18)]


@pytest.mark.parametrize("make", [xlsx, ods])
def test_a_cell_with_a_line_break_and_sums_as_text(make) -> None:
    rows = [["name", 1, 2], ["Ana\nMaria", 0, "15+20"], ["Bea; B", 30, 0], ['"Carl"', 15, 5]]
    paper = look("2019-05-04\n" + lines_of(make({"Sheet1": rows})))
    assert list(paper.nights[0].names.values()) == ["Ana Maria", "Bea; B", '"Carl"']


def test_macros_formulas_and_pictures_are_left_alone() -> None:
    data = xlsx({"Sheet1": CELLS}, extra={"xl/vbaProject.bin": b"\x00\x01", "xl/media/image1.png": b"\x89PNG" * 100})
    assert look(lines_of(data)).nights


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 512, "old_workbook"),
        (b"PK\x03\x04 and nothing more", "not_workbook"),
        (xlsx({"S": CELLS})[:900], "not_workbook"),
        (xlsx({"S": [["x"]]}, place="XFD1048576"), "too_big"),
        (xlsx({"S": [["x"]]}, place="A1048576"), "too_big"),
        (xlsx({"S": [["x"]]}, place="&#65;1"), "not_workbook"),
        (xlsx({"S": CELLS}, extra={"xl/zeros.xml": b"0" * 30_000_000}), "too_big"),
        (xlsx({"S": CELLS}, extra={f"xl/{n}.xml": b"" for n in range(1100)}), "too_big"),
        (ods({"S": [["x"] * 90] * 90}, repeated=1_000_000_000), "too_big"),
    ],
    ids=["xls", "no zip", "cut", "far", "low", "entity", "unpacked", "parts", "repeated"],
)
def test_bombs_and_what_is_none_are_refused(data: bytes, code: str) -> None:
    with pytest.raises(BadWorkbook) as bad:
        lines_of(data)
    assert bad.value.code == code and len(data) < 200_000


def test_blank_rows_to_the_end_of_the_sheet_are_none() -> None:
    assert look(lines_of(ods({"S": CELLS}, blank_rows=1_048_000))).nights


@thorough(60, in_ci=400)
@given(st.data())
def test_a_damaged_spreadsheet_is_read_or_refused(data: st.DataObject) -> None:
    whole = bytearray(data.draw(st.sampled_from([xlsx({"S": CELLS}, packed=False), ods({"S": CELLS}, packed=False)])))
    for at in data.draw(st.lists(st.integers(0, len(whole) - 1), max_size=8)):
        whole[at] = data.draw(st.integers(0, 255))
    try:
        look(lines_of(bytes(whole)))
    except BadWorkbook as bad:
        assert bad.code in ("old_workbook", "not_workbook", "too_big")


def test_the_page_reads_a_spreadsheet_and_says_why_it_does_not(client: FlaskClient) -> None:
    answer = send(client, "old", file=(io.BytesIO(xlsx({"S": CELLS})), "old.xlsx"))
    assert answer.status_code == 200 and "1 night can be read" in answer.text
    for data, words in ((b"\xd0\xcf\x11\xe0" * 200, "older kind"), (b"PK\x03\x04", "cannot be read")):
        answer = send(client, GOOD, file=(io.BytesIO(data), "old.xls"))
        assert answer.status_code == 422 and words in answer.text and "Carl,15,5,0,20" in answer.text
    large = send(
        client,
        "",
        file=(io.BytesIO(xlsx({"S": CELLS}, extra={"xl/media/p.png": bytes(400_000)}, packed=False)), "a.xlsx"),
    )
    assert large.status_code == 200 and "1 night can be read" in large.text


# --- letters ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_letters_of_every_way_to_save_a_sheet(encoding: str) -> None:
    text = GOOD.replace("Ana", "Zoë").replace("Bea", "João").replace("Carl", "Cecília")
    assert decoded(text.encode(encoding)).text == text and not decoded(text.encode(encoding)).encodings


@pytest.mark.parametrize("encoding", ["cp1252", "mac_roman", "cp850"])
@pytest.mark.parametrize(
    "names", ["João,José", "Conceição,Zé", "Müller,Ana", "Núñez,Inês", "JOSÉ,ANDRÉ", "Zoë,D'Ávila", "Luís,Caçula"]
)
def test_letters_of_older_spreadsheets_are_read_or_asked(encoding: str, names: str) -> None:
    found = decoded(f"date,name,1\n{names}\n".encode(encoding))
    if names in found.text:
        assert not found.encodings or encoding in found.encodings
    else:
        assert encoding in found.encodings, "the right reading is among those that are asked"
        assert names in read_anew(found.text, found.encodings[0], encoding)


def test_the_names_decide_how_letters_are_read(client: FlaskClient) -> None:
    sheet = GOOD.replace("Bea", "João").encode("mac_roman")
    found = decoded(sheet)
    assert set(found.encodings) == {"mac_roman", "cp850"}
    page = send(client, "", file=(io.BytesIO(sheet), "old.csv"))
    assert "Which names are right?" in page.text and "João" in page.text and "Joïo" in page.text
    assert 'value="import"' not in page.text
    hidden = re.search(r'name="encodings" value="([^"]+)"', page.text)[1]
    sent = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", page.text, re.S)[1]
    assert send(client, sent, encodings=hidden, do="import").status_code == 422
    for encoding, name in (("mac_roman", "João"), ("cp850", "Joïo")):
        answer = send(client, sent, encodings=hidden, **{"q-encoding": encoding})
        assert (
            f"{name} 40" in plain(answer.text) and "Which names" not in answer.text and 'value="import"' in answer.text
        )


@thorough(200, in_ci=2000)
@given(st.binary(max_size=60))
def test_any_bytes_are_some_text(data: bytes) -> None:
    found = decoded(data)
    for encoding in found.encodings:
        assert isinstance(read_anew(found.text, found.encodings[0], encoding), str)
    assert TODAY and workbook.is_workbook(data) == data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0"))
