"""What a cell of a score sheet says: points, a word, the number of a hand, a day. Nothing is guessed here."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import date

HANDS = 10
EARLIEST = date(1970, 1, 2)
#: How days are written in figures; "" for those that can be read one way only.
ORDERS = ("dmy", "mdy")

_WHOLE = re.compile(r"([-+]?[0-9]{1,6})(?:[.,]0{1,3})?")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:[.,' ][0-9]{3})+")
_SUM = re.compile(r"[0-9]{1,4}(?:\s*\+\s*[0-9]{1,4})+")
_WITH_WORD = re.compile(r"([-+]?[0-9][0-9., +]*)\s*[-:/(\[]?\s*([^\d\s()\[\]][^()\[\]]*?)\s*[)\]]?")
_FIGURES = re.compile(r"[\d.,'+\s-]*\d[\d.,'+\s-]*")
_TITLE = re.compile(r"(\D*?)\s*[#.:-]?\s*([0-9]{1,2})\s*(?:st|nd|rd|th|[ªº°ao.:)])?(?:\s+(\D+))?")
_BESIDE = re.compile(r"^(\D*[0-9]{1,2}[ªº°.]?)\s*(?:[(\[].*|[:–-]\s.*[^\W\d_].*)$")  # Hand 1 (two sets of three)
_SHORT = {"r", "h", "m", "rd"}  # hand, round, rodada, mão
_YEAR_FIRST = re.compile(r"(?<!\d)([0-9]{4})([-/.])([0-9]{1,2})\2([0-9]{1,2})(?!\d)")
_YEAR_LAST = re.compile(r"(?<!\d)([0-9]{1,2})([-/.])([0-9]{1,2})\2((?:[0-9]{2})?[0-9]{2})(?!\d)")
_DAY_MONTH = re.compile(
    r"(?<!\d)([0-9]{1,2})(?:st|nd|rd|th|[.ºª°])?[\s/-]*(?:de\s+)?([^\W\d_]{3,})\.?,?[\s/-]*(?:de\s+)?((?:[0-9]{2})?[0-9]{2})(?!\d)"
)
_MONTH_DAY = re.compile(r"([^\W\d_]{3,})\.?\s+([0-9]{1,2})(?:st|nd|rd|th)?,?\s+([0-9]{4})(?!\d)")


def folded(text: str) -> str:
    """A word as it is looked up: without capitals, accents, and the marks around it.

    >>> folded(" Não jogou. "), folded("–")
    ('nao jogou', '–')
    """
    plain = unicodedata.normalize("NFD", text.casefold())
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    return " ".join(plain.strip(" .:!()[]").split()) or text.strip()


def points(cell: str) -> int | None:
    """The number in a cell, also as 45.0, 45,00 or 15+20; None where it is none, or none that points can be.

    >>> points("45,0"), points("15 + 20"), points("4.5"), points("x")
    (45, 35, None, None)
    """
    cell = cell.replace("\u2212", "-").replace("\u00a0", " ").replace("\u202f", " ").strip()
    if whole := _WHOLE.fullmatch(cell):
        return int(whole[1])
    if _THOUSANDS.fullmatch(cell):
        number = int(re.sub(r"\D", "", cell))
        return number if number < 20_000 else None
    addends, _equals, result = cell.partition("=")
    if _SUM.fullmatch(addends.strip()) and len(cell) <= 120:
        number = sum(map(int, addends.split("+")))
        return number if not result or result.strip() == str(number) else None
    return None


def is_figures(cell: str) -> bool:
    """Whether a cell has figures and the signs of numbers alone: what is wrong with it is a slip, and no word."""
    return bool(_FIGURES.fullmatch(cell))


class Words:
    """What the words of a sheet mean (``wording.old_nights.sheet_words``)."""

    def __init__(self, words: Mapping[str, str]) -> None:
        self._meanings = {folded(word): meaning for word, meaning in words.items()}
        self.sheets = {word.removeprefix("sheet:"): name for word, name in words.items() if word.startswith("sheet:")}
        self._titles = {
            folded(word.removeprefix("title:")): meaning for word, meaning in words.items() if word.startswith("title:")
        }

    def of(self, cell: str) -> str:
        """The meaning of a word, "" for one that has none here."""
        return self._meanings.get(folded(cell), "")

    def title(self, cell: str) -> str:
        """What a column of our own sheet for spreadsheets holds."""
        return self._titles.get(folded(cell), "")

    def mark(self, cell: str) -> int | str | None:
        """Points, "out", "float" or "sat" for a cell that says so; None where it says anything else."""
        number = points(cell)
        if number is not None:
            return number
        if (meaning := self.of(cell)) in ("out", "float", "sat"):
            return meaning
        if both := _WITH_WORD.fullmatch(cell):
            number, meaning = points(both[1]), self.of(both[2])
            if number is not None and meaning == "unit":
                return number
            if number == 0 and meaning in ("out", "float"):
                return meaning
        return None

    def hand(self, cell: str) -> int | None:
        """The number of a hand in a title such as 3, Hand 3, Round 3, 3rd hand, 3ª rodada or Mão #3; else None."""
        parts = _TITLE.fullmatch(_BESIDE.sub(r"\1", cell.strip()))
        if not parts or not 1 <= int(parts[2]) <= HANDS:
            return None
        words = [told for word in (parts[1], parts[3]) if word and (told := word.strip(" #.:-"))]
        known = all(self.of(word) in ("hand", "number") or word.casefold() in _SHORT for word in words)
        return int(parts[2]) if known else None

    def month(self, word: str) -> int:
        """The number of a month by its name, 0 for none."""
        return int(self._meanings.get(f"month:{folded(word)}", 0))

    def dates(self, cell: str, today: date) -> dict[str, date] | None:
        """The days that a cell may mean, by how they are written; None where no day is in it. A day that cannot be
        (2019-02-30) gives none; where one of two readings is still to come, the other is meant.
        """
        cell = cell[:80]
        if parts := _YEAR_FIRST.search(cell):
            found = {"": _day(parts[1], parts[3], parts[4], today)}
        elif parts := _YEAR_LAST.search(cell):
            one, mark, two, year = parts.groups()
            found = {"dmy": _day(year, two, one, today), "mdy": _day(year, one, two, today)}
            if mark == ".":
                found = {"": found["dmy"]}
        elif (parts := _DAY_MONTH.search(cell)) and self.month(parts[2]):
            found = {"": _day(parts[3], str(self.month(parts[2])), parts[1], today)}
        elif (parts := _MONTH_DAY.search(cell)) and self.month(parts[1]):
            found = {"": _day(parts[3], str(self.month(parts[1])), parts[2], today)}
        else:
            return None
        days = {order: day for order, day in found.items() if day is not None}
        past = {order: day for order, day in days.items() if day <= today}
        return past or days


def _day(year: str, month: str, day: str, today: date) -> date | None:
    number = int(year)
    if len(year) == 2:
        number += 2000 if 2000 + number <= today.year else 1900
    try:
        return date(number, int(month), int(day))
    except ValueError:
        return None
