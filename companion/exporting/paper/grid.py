"""A text of lines as rows of cells: which mark parts the cells, and which line a row begins in."""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

MOST_LINES = 5000
_LONGEST = 250  # letters of a cell that are looked at: a name is shorter
_MARKS = "\t;|,"  # a comma last: it stands in numbers and in sentences too


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row, trimmed, and the number of its first line (from 1)."""

    number: int
    cells: tuple[str, ...]

    def __getitem__(self, place: int) -> str:
        return self.cells[place] if 0 <= place < len(self.cells) else ""

    @property
    def filled(self) -> list[int]:
        """Where something stands."""
        return [place for place, cell in enumerate(self.cells) if cell]


class BadGrid(ValueError):
    """The lines cannot be read from ``line`` on; ``code`` says why."""

    def __init__(self, line: int, code: str, **facts: object) -> None:
        super().__init__(code)
        self.line, self.code, self.facts = line, code, facts


def rows(text: str) -> list[Row]:
    """The rows of a text, the blank ones too; a cell in quotes may go over several lines.

    Raises BadGrid where quotes are not closed, or there are too many lines.

    >>> [row.cells for row in rows('sep=;' + chr(10) + 'Ana;0,0;"a, b"')]
    [('Ana', '0,0', 'a, b')]
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    first, _mark, rest = text.partition("\n")
    told = first.strip().strip('"').casefold()
    if told.startswith("sep=") and len(told) == 5 or first.casefold() == "sep=\t":
        return list(_rows(rest, first.strip('" \r')[4:5] or "\t", 1))
    mark = _delimiter(text)
    return _spaced(text) if mark not in text else list(_rows(text, mark, 0))


def _rows(text: str, delimiter: str, before: int) -> Iterator[Row]:
    reader, begins = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), 0
    try:
        for cells in reader:
            if reader.line_num + before > MOST_LINES:
                raise BadGrid(begins + before + 1, "too_many", most=MOST_LINES)
            if cells and cells[-1].count("\n") > 2 and delimiter in cells[-1] and text.count('"') % 2:
                raise BadGrid(begins + before + 1, "not_csv")
            trimmed = [_trimmed(cell) for cell in cells]
            while trimmed and not trimmed[-1]:
                trimmed.pop()
            yield Row(begins + before + 1, tuple(trimmed))
            begins = reader.line_num
    except csv.Error as error:
        raise BadGrid(begins + before + 1, "not_csv") from error


def _trimmed(cell: str) -> str:
    return " ".join(cell[: 2 * _LONGEST].split())[:_LONGEST]


def _spaced(text: str) -> list[Row]:
    """Rows typed with spaces between the cells: as many words in each line, or a name with numbers after it."""
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        raise BadGrid(MOST_LINES + 1, "too_many", most=MOST_LINES)
    words = [line.split() for line in lines]
    even = len({len(cells) for cells in words if cells}) == 1 and len(max(words, key=len)) > 2
    return [
        Row(number, tuple(map(_trimmed, cells if even else _name_and_numbers(line[: 2 * _LONGEST].strip()))))
        for number, (line, cells) in enumerate(zip(lines, words, strict=True), 1)
    ]


def _name_and_numbers(line: str) -> tuple[str, ...]:
    parts = re.fullmatch(r"(.*?[^\W\d_].*?)((?:\s+[-+]?[0-9][0-9+.,]*)+)", line)
    return (parts[1], *parts[2].split()) if parts else (line,) if line else ()


def _delimiter(text: str) -> str:
    """The mark that at least half of the lines have; a comma may be part of a number, so the others come first."""
    lines = [line for line in text.split("\n")[:200] if line.strip(" ,;\t|")]
    for mark in _MARKS:
        if 2 * sum(mark in line for line in lines) >= max(len(lines), 1):
            return mark
    return max(_MARKS[::-1], key=text.count)
