"""What is taken from a table before anything is played: nights as the lines of their players, and the days in them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from companion.exporting.paper.asking import Asking, Paper
from companion.exporting.paper.cells import EARLIEST, ORDERS, Words, folded, is_figures, points
from companion.exporting.paper.grid import Row
from companion.referee.games import KATE
from companion.referee.rules import Rules

Mark = int | str
UNREAD = "?"  # a mark with a fault, or one that is asked about


@dataclass(slots=True)
class Line:
    """One player: the marks by hand are points, "out" or "float"; ``sat`` are hands said to be sat out.

    ``cells`` are the marks as they stand in the sheet, ``at`` says in which line, ``number`` in which the name.
    ``buys``, ``carried``, ``floated`` and ``here`` (the hands the player was at the table for) are told by our own sheet
    alone.
    """

    number: int
    name: str
    marks: dict[int, Mark] = field(default_factory=dict)
    sat: set[int] = field(default_factory=set)
    at: dict[int, int] = field(default_factory=dict)
    cells: dict[int, str] = field(default_factory=dict)
    total: int | None = None
    total_at: int = 0
    buys: dict[int, int] = field(default_factory=dict)
    carried: int = 0
    floated: set[int] = field(default_factory=set)
    here: set[int] = field(default_factory=set)

    def place(self, hand: int) -> int:
        """The line in which a hand of this player is read."""
        return self.at.get(hand, self.number)


@dataclass(slots=True)
class Rough:
    """A night as its lines say. ``open``: something about it is asked or wrong, so that it is not played; ``unclear``:
    it is not even known where in the sheet its points are; ``undated``: what its day is meant to be is asked or wrong.

    ``exact``: of our own sheet, where a blank cell and who went out are told outright.
    """

    number: int
    day: date | None
    lines: list[Line] = field(default_factory=list)
    open: bool = False
    unclear: bool = False
    undated: bool = False
    exact: bool = False
    rules: Rules = KATE

    @property
    def cells(self) -> list[tuple[str, list[tuple[int, str]]]]:
        """What the sheet says, whatever was answered since: what a question about this night is known by."""
        return [(line.name, sorted(line.cells.items())) for line in self.lines]


class Reader:
    """Reads cells, notes what is wrong with them and asks what they mean. Days are written in one way in one sheet:
    a line that can be read in one way only decides for all.
    """

    def __init__(
        self, paper: Paper, asking: Asking, words: Words, today: date, day_first: bool, rows: Iterable[Row]
    ) -> None:
        self.paper, self.asking, self.words, self.today = paper, asking, words, today
        self.orders = set(ORDERS)
        self.likely = ORDERS if day_first else ORDERS[::-1]
        for row in rows:
            for cell in row.cells:
                found = words.dates(cell, today) or {"": today}
                if "" not in found and not (len(found) == 2 and len(set(found.values())) == 1):
                    self.orders &= set(found)

    def has_day(self, cell: str) -> bool:
        """Whether a day is written in a cell, be it one that can be or not."""
        return self.words.dates(cell, self.today) is not None

    def day(self, line: int, cell: str) -> date | None:
        """The day in a cell; None where that is asked, or wrong."""
        found = self.words.dates(cell, self.today)
        if not found:
            self.paper.fault(line, "date" if cell else "no_date", text=cell)
            return None
        day = self._meant(line, cell, found)
        if day is not None and (code := self._cannot_be(day)):
            self.paper.fault(line, code, text=cell)
            return None
        return day

    def _meant(self, line: int, cell: str, found: dict[str, date]) -> date | None:
        if len(set(found.values())) == 1:
            return next(iter(found.values()))
        if len(self.orders) == 1:
            return found[next(iter(self.orders))]
        about = "all of them" if self.orders else cell
        answers = [(order, {"day": found[order]}) for order in self.likely if order in found]
        return found.get(self.asking.ask(line, "date_order", about, answers, text=cell))

    def _cannot_be(self, day: date) -> str:
        return "future" if day > self.today else "long_ago" if day < EARLIEST else ""

    def mark(self, line: Line, hand: int, cell: str, at: int) -> None:
        """Take what a cell says about a hand."""
        line.at[hand], line.cells[hand] = at, cell
        mark = self.words.mark(cell)
        if mark is None and is_figures(cell):
            self.paper.fault(at, "points", hand, text=cell)
        elif mark is None:
            mark = self._asked(at, hand, cell)
        if mark == "sat":
            line.sat.add(hand)
        else:
            line.marks[hand] = UNREAD if mark is None else mark

    def _asked(self, at: int, hand: int, cell: str) -> Mark | None:
        figures = "".join(char if char.isascii() and char.isdigit() else " " for char in cell).split()
        number = points(figures[0]) if len(figures) == 1 else None
        answers: list[tuple[str, dict[str, object]]] = [("out", {}), ("float", {}), ("sat", {})]
        if number is not None:
            answers.insert(0, ("points", {"points": number}))
        given = self.asking.ask(at, "word", folded(cell), answers, text=cell)
        return number if given == "points" else given or None

    def total(self, line: Line, cell: str, at: int) -> None:
        """Take what a cell says about a total."""
        total = points(cell)
        if total is None:
            self.paper.fault(at, "bad_total", text=cell)
        line.total, line.total_at = total, at
