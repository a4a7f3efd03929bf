"""Nights as files to be sent: their bytes, their kind, and a name that any phone and any disk can keep."""

import base64
import binascii
import unicodedata
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from companion.exporting import document, spreadsheet
from companion.i18n import evening_of
from companion.record.exporting import ExportedHouse

KINDS = {"json": "application/json", "csv": "text/csv; charset=utf-8"}
_LONGEST = 60
#: A form holds so many letters of packed nights: a hundred evenings. Unpacked they are so many bytes at most.
MOST_PACKED = 150_000
_MOST_UNPACKED = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class File:
    """A file to be saved."""

    name: str
    kind: str
    data: bytes


def file_of(kind: str, houses: Sequence[ExportedHouse], about: str = "", only: str | None = None) -> File:
    """Nights as "json" or "csv"; ``about`` goes into the name, ``only`` are the lines of the player of that name."""
    data = document.write(houses) if kind == "json" else spreadsheet.write(spreadsheet.lines(houses, only))
    name = "-".join(filter(None, ("gripe", name_for_a_file(about))))
    return File(f"{name}.{kind}", KINDS[kind], data)


def sheet_file(about: str, titles: Sequence[str]) -> File:
    """An empty sheet with these titles."""
    return File(f"gripe-{about}.csv", KINDS["csv"], spreadsheet.write((), titles))


def packed(houses: Sequence[ExportedHouse]) -> str:
    """Nights as a text that a form can hold."""
    return base64.b64encode(zlib.compress(document.write(houses), 9)).decode()


def unpacked(text: str) -> tuple[ExportedHouse, ...]:
    """The nights that were packed. Raises InvalidImport for every other text."""
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(base64.b64decode(text, validate=True), _MOST_UNPACKED)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise document.BadDocument("not_json") from error
    return document.read(data)  # cut short where it was longer: no whole document


def date_of(houses: Sequence[ExportedHouse]) -> str:
    """The day of the first night."""
    return evening_of(houses[0].nights[0].created_at).isoformat()


def name_for_a_file(text: str) -> str:
    """Letters of any script, figures and pictures; what would end a name, a folder or a line becomes a dash.

    >>> name_for_a_file('../Ana "🂡"\\n.exe')
    'Ana-🂡-exe'
    """
    kept = "".join(
        char if unicodedata.category(char)[0] in "LNM" or unicodedata.category(char) == "So" else " " for char in text
    )
    return "-".join(kept.split())[:_LONGEST]
