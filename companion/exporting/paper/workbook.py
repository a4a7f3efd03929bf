"""A spreadsheet (.xlsx, .ods) as lines of text. Formulas and macros are never run: only the values saved with them are read.

What is unpacked is limited before any of it is read: the parts of the archive, the places of cells, and how often a cell
may be repeated, so that a small file cannot become a large one.
"""

import csv
import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from xml.parsers import expat

import python_calamine

from companion.exporting.paper.grid import MOST_LINES

MOST_UNPACKED = 24 * 1024 * 1024
MOST_COLUMNS = 100
MOST_CELLS = 400_000
MOST_SHEETS = 60
_MOST_PARTS = 1000
_PLACE = re.compile(rb"\br\s*=\s*[\"']\s*([A-Za-z]*)([0-9]+)\s*[\"']")
_REPEATED = re.compile(rb"(number-(?:columns|rows)-repeated\s*=\s*)([\"'])\s*([0-9]+)\s*\2")
_MOST_REPEATED = 100  # to the end of the sheet there are a million blank rows


class BadWorkbook(ValueError):
    """The file cannot be read; ``code`` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def is_workbook(data: bytes) -> bool:
    """Whether this is a spreadsheet, or an older one or one with a password, which cannot be read."""
    return data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0"))


def lines_of(data: bytes) -> str:
    """The cells of all sheets as lines of CSV; a sheet that is one of several begins with its name. Raises BadWorkbook."""
    if not data.startswith(b"PK"):
        raise BadWorkbook("old_workbook")
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    try:
        sheets = list(_sheets(_repacked(data)))
    except BadWorkbook:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError) as error:
        raise BadWorkbook("not_workbook") from error
    for name, rows in sheets:
        if len(sheets) > 1 or re.search(r"\d", name) and not re.fullmatch(r"\D+\d", name):
            writer.writerow([name])
        writer.writerows([list(map(_text, row)) for row in rows])
        out.write("\n")
    return out.getvalue()


def _sheets(data: bytes) -> Iterator[tuple[str, Sequence[Sequence[object]]]]:
    """The visible sheets that have something in them."""
    try:
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
        names = [
            sheet.name
            for sheet in book.sheets_metadata
            if sheet.typ == python_calamine.SheetTypeEnum.WorkSheet
            and sheet.visible == python_calamine.SheetVisibleEnum.Visible
        ]
        cells = 0
        for name in names[:MOST_SHEETS]:
            sheet = book.get_sheet_by_name(name)
            cells += sheet.height * sheet.width
            if cells > MOST_CELLS:
                raise BadWorkbook("too_big")
            if sheet.height:
                yield name, sheet.to_python()
    except (python_calamine.CalamineError, ValueError) as error:
        if isinstance(error, BadWorkbook):
            raise
        raise BadWorkbook("not_workbook") from error
    except BaseException as panic:
        # what the library did not expect comes as an exception that is none of Python's own
        if type(panic).__name__ != "PanicException":
            raise
        raise BadWorkbook("not_workbook") from panic


def _repacked(data: bytes) -> bytes:
    """The archive with what is needed of it alone, each part looked at."""
    out, left = io.BytesIO(), MOST_UNPACKED
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(out, "w") as kept:
        names = archive.namelist()
        if len(names) > _MOST_PARTS or len(set(map(str.casefold, names))) < len(names):
            raise BadWorkbook("too_big")
        is_ods = "content.xml" in names
        for name in names:
            if not name.endswith((".xml", ".rels")) and name != "mimetype":
                continue
            with archive.open(name) as part:
                content = part.read(left + 1)
            left -= len(content)
            if left < 0:
                raise BadWorkbook("too_big")
            if name != "mimetype":
                content = _ods_part(content, name) if is_ods else _xlsx_part(content)
            kept.writestr(name, content)
    return out.getvalue()


def _xlsx_part(content: bytes) -> bytes:
    if b"\x00" in content:
        raise BadWorkbook("not_workbook")
    for letters, row in _PLACE.findall(content):
        column = 0
        for letter in letters.upper()[:4]:
            column = 26 * column + letter - 64
        if column > MOST_COLUMNS or int(row[:9]) > MOST_LINES:
            raise BadWorkbook("too_big")
    return content


def _ods_part(content: bytes, name: str) -> bytes:
    if b"\x00" in content:
        raise BadWorkbook("not_workbook")
    content = _REPEATED.sub(lambda found: b'%s"%d"' % (found[1], min(int(found[3][:9]), _MOST_REPEATED)), content)
    if name == "content.xml" and _cells_of_ods(content) > 5 * MOST_CELLS:
        raise BadWorkbook("too_big")
    return content


def _cells_of_ods(content: bytes) -> int:
    """How many cells there are, the blank ones at the ends too."""
    counted, row = [0, 0], [1]

    def start(name: str, attributes: dict[str, str]) -> None:
        if name == "table:table-row":
            row[0] = int(attributes.get("table:number-rows-repeated", 1))
            counted[1] += row[0]
        elif name in ("table:table-cell", "table:covered-table-cell"):
            counted[0] += row[0] * int(attributes.get("table:number-columns-repeated", 1))

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError) as error:
        raise BadWorkbook("not_workbook") from error
    return sum(counted)


def _text(cell: object) -> str:
    """A cell as it would be typed: days as 2019-05-04, whole numbers without .0, a line break as a space."""
    if isinstance(cell, bool):
        return "x" if cell else ""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 10**9:
        return str(int(cell))
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, (time, timedelta)):
        return str(cell)
    return " ".join(str(cell).split())
