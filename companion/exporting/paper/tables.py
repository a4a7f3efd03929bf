"""Where in a sheet the names, the hands and the days stand: people down or across, with titles or without."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from companion.exporting.paper.cells import HANDS, points
from companion.exporting.paper.grid import Row
from companion.exporting.paper.lines import Reader

#: Kinds of tables: a line for every player, a line for every hand, or a line for every hand of every player.
DOWN, ACROSS, LONG = "down", "across", "long"
_RULE = re.compile(r"[-=_:+*~]{3,}")  # a line drawn with signs
_MOST_BELOW = 60  # rows that are looked at to know what a table is
FEWEST = 2  # names that a line must have to be the names of a table


@dataclass(slots=True)
class Table:
    """Rows below their titles, in blocks that blank lines part. ``columns`` says what stands where: "date", "name",
    "total", "hand", the number of a hand, or "?" for what has no title that is known. ``days`` by block are those
    that stand in a line of their own, or in the corner.
    """

    titles: Row
    kind: str
    columns: dict[int, str] = field(default_factory=dict)
    blocks: list[list[Row]] = field(default_factory=lambda: [[]])
    days: dict[int, date | None] = field(default_factory=dict)
    open: bool = False
    width: int = 0  # columns that have a title, or something in every row

    def place(self, what: str) -> int:
        """The column of something, -1 for none."""
        return next((place for place, held in self.columns.items() if held == what), -1)

    def gap(self) -> None:
        """A blank line: what follows may be another night."""
        if self.blocks[-1]:
            self.blocks.append([])

    def dated(self, day: date | None) -> None:
        """What follows is of this day; None where the day is asked, or wrong."""
        self.gap()
        self.days[len(self.blocks) - 1] = day

    @property
    def rows(self) -> list[Row]:
        """All rows below the titles."""
        return [row for block in self.blocks for row in block]


class Tables:
    """Finds the tables of a sheet."""

    def __init__(self, reader: Reader, rows: Sequence[Row]) -> None:
        self.reader, self.words, self.paper, self.rows = reader, reader.words, reader.paper, rows

    def found(self) -> list[Table]:
        """The tables, each with its rows."""
        tables: list[Table] = []
        table: Table | None = None
        waiting: list[date | None] = []  # the day in the line above
        gap = True
        for at, row in enumerate(self.rows):
            if row.filled and all(_RULE.fullmatch(row[place]) for place in row.filled):
                continue
            if not row.filled:
                gap = True
                if table:
                    table.gap()
                continue
            if table is None and sum(map(self.reader.has_day, row.cells)) > 1:
                self.paper.fault(row.number, "only_totals")  # days across: a column for each night
                return []
            new = self._titled(at, gap or table is None or bool(waiting) or _same_titles(row, table))
            if new is None and self._is_day_alone(row, table):
                waiting = [self._day_in(row)]
                continue
            if new is None and table is None and self._is_remark(row):
                self.paper.note(row.number, "remark", text=" ".join(filter(None, row.cells)))
                continue
            new = new or (None if table else self._untitled(row))
            if new:
                table = new
                tables.append(new)
            if table and waiting:
                table.dated(waiting.pop())
            if table and table.titles is not row:
                table.blocks[-1].append(row)
            gap = False
        return tables

    # --- lines that are no rows ---------------------------------------------------------------------------------------

    def _is_day_alone(self, row: Row, table: Table | None) -> bool:
        """Whether a line only says which day it is, with some words around it at most."""
        days = [place for place in row.filled if self.reader.has_day(row[place])]
        others = [row[place] for place in row.filled if place not in days]
        if len(days) != 1 or any(self.words.mark(cell) is not None for cell in others):
            return False
        if table and table.place("date") == days[0]:
            return not others and table.kind == DOWN and not row[table.place("name")] and len(row.filled) == 1
        return table is None or not others or self.words.of(others[0]) == "date" or len(others) <= 1

    def _day_in(self, row: Row) -> date | None:
        return next(self.reader.day(row.number, row[place]) for place in row.filled if self.reader.has_day(row[place]))

    def _is_remark(self, row: Row) -> bool:
        return not any(self.words.mark(cell) is not None for cell in row.cells)

    # --- titles -------------------------------------------------------------------------------------------------------

    def _titled(self, at: int, fresh: bool) -> Table | None:
        """The table that begins with this row; ``fresh``: a line without titles of our own may begin one."""
        row = self.rows[at]
        own = [self.words.title(cell) for cell in row.cells]
        if {"name", "hand", "points"} <= set(own):
            return Table(row, LONG, {place: what for place, what in enumerate(own) if what})
        hands = self._hands_in(row)
        if self._is_title_line(row, hands):
            return self._hands_across(row, hands, at)
        return self._names_across(at) if fresh else None

    def _hands_in(self, row: Row) -> dict[int, int]:
        return {place: hand for place in row.filled if (hand := self.words.hand(row[place])) is not None}

    def _is_title_line(self, row: Row, hands: dict[int, int]) -> bool:
        others = [row[place] for place in row.filled if place not in hands]
        meant = {self.words.of(cell) for cell in others}
        named = bool(meant & {"date", "name"})
        if not {"date", "name"} <= meant and any(points(cell) is not None for cell in others):
            return False
        if not hands:
            return {"date", "name"} <= meant
        order = list(hands.values())
        in_order = all(after == before + 1 for before, after in zip(order, order[1:], strict=False))
        spelt = any(points(row[place]) is None for place in hands)
        label_only = len(hands) == 1 and min(hands) == min(row.filled) and not named
        return not label_only and (named or (in_order and (len(hands) > 1 or spelt or "total" in meant)))

    def _hands_across(self, row: Row, hands: dict[int, int], at: int) -> Table:
        table = Table(row, DOWN)
        for place in row.filled:
            what = str(hands[place]) if place in hands else self.words.of(row[place])
            if what in table.columns.values():
                self.paper.fault(row.number, "column_twice", text=row[place])
                table.open = True
            elif what in ("date", "name", "total") or place in hands:
                table.columns[place] = what
        self._find_names(table, at)
        return table

    def _find_names(self, table: Table, at: int) -> None:
        """The column of the names is the first before the hands that has words in it; a day may stand above it."""
        row, below = table.titles, self._below(at)
        first = min((place for place, what in table.columns.items() if what.isdigit()), default=len(row.cells))
        for place in range(first):
            if place not in table.columns and table.place("name") < 0 and any(is_word(under[place]) for under in below):
                if not any(self.reader.has_day(under[place]) for under in below):
                    table.columns[place] = "name"
                elif table.place("date") < 0:
                    table.columns[place] = "date"
        for place in row.filled:
            if table.columns.get(place) in (None, "name") and self.reader.has_day(row[place]):
                table.days[0] = self.reader.day(row.number, row[place])
        if table.place("name") < 0:
            self.paper.fault(row.number, "no_name_column")
            table.open = True

    def _below(self, at: int) -> list[Row]:
        """The rows below one, to the next blank line after the first of them."""
        below: list[Row] = []
        for row in self.rows[at + 1 : at + 1 + _MOST_BELOW]:
            if (below and not row.filled) or self._is_title_line(row, self._hands_in(row)):
                break
            if row.filled:
                below.append(row)
        return below

    def _names_across(self, at: int) -> Table | None:
        """A line of names above lines of points, or of contracts above them; None where it is neither."""
        row = self.rows[at]
        texts = [place for place in row.filled if is_word(row[place]) and self.words.mark(row[place]) is None]
        if len(texts) < max(FEWEST, len(row.filled) - 1) or self._has_marks(row):
            return None
        below = self._below(at)
        scored = [place for place in texts if any(points(under[place]) is not None for under in below)]
        if len(scored) < FEWEST:
            return None
        table = Table(row, ACROSS)
        self._find_days(table, below)
        label = self._labels(table, below)
        if label >= 0:
            table.columns[label] = "hand"
            if self._are_people(table, label, below):
                table.kind, table.columns[label] = DOWN, "name"
                table.columns |= {place: "total" for place in row.filled if self.words.of(row[place]) == "total"}
        return table

    def _has_marks(self, row: Row) -> bool:
        return any(points(cell) is not None for cell in row.cells)

    def _find_days(self, table: Table, below: Sequence[Row]) -> None:
        row = table.titles
        width = max(len(under.cells) for under in below)
        for place in range(max(width, len(row.cells))):
            if self.words.of(row[place]) == "date" or any(self.reader.has_day(under[place]) for under in below):
                table.columns[place] = "date"
                break
        else:
            for place in row.filled[:1]:
                if self.reader.has_day(row[place]):
                    table.days[0] = self.reader.day(row.number, row[place])

    def _labels(self, table: Table, below: Sequence[Row]) -> int:
        """The column that says which line it is: numbers of hands in order, or words."""
        row = table.titles
        for place in range(max(len(under.cells) for under in below)):
            cells = [under[place] for under in below if under[place]]
            if place in table.columns or not cells:
                continue
            hands = [hand for cell in cells if (hand := self.words.hand(cell)) is not None]
            in_order = len(hands) > 1 and all(b - a in (0, 1) or b < a for a, b in zip(hands, hands[1:], strict=False))
            named = not row[place] or self.words.of(row[place]) in ("hand", "number", "name")
            if named and (len(hands) == len(cells) or self.words.of(row[place]) == "hand" or in_order):
                return place
            spoken = [cell for cell in cells if is_word(cell) and self.words.mark(cell) is None]
            starts = len(spoken) >= (len(cells) + 1) // 2 and not any(points(cell) is not None for cell in spoken)
            return place if starts or (in_order and len(hands) >= len(cells) - 1 and hands[0] == 1) else -1
        return -1

    def _are_people(self, table: Table, label: int, below: Sequence[Row]) -> bool:
        """Whether the people stand in the first column and not in the first row; asked where both could be."""
        row, corner = table.titles, self.words.of(table.titles[label])
        cells = [under[label] for under in below if under[label] and self.words.of(under[label]) != "total"]
        if corner in ("hand", "number") or all(self.words.hand(cell) is not None for cell in cells):
            return False
        if corner == "name":
            return True
        across = [row[place] for place in row.filled if place != label and place not in table.columns]
        answers = [("across", {"names": across}), ("down", {"names": cells})]
        given = self.reader.asking.ask(row.number, "who", (row.cells, cells), answers)
        table.open = table.open or not given
        return given == "down"

    # --- no titles ----------------------------------------------------------------------------------------------------

    def _untitled(self, row: Row) -> Table:
        """A table whose first row is a player's already: the day, the name and the hands, as in the template."""
        table = Table(Row(0, ()), DOWN)
        days = [place for place in row.filled if self.reader.has_day(row[place])]
        names = [place for place in row.filled if place not in days and is_word(row[place])]
        if not names:
            self.paper.fault(row.number, "no_name_column")
            table.open = True
        if days:
            table.columns[days[0]] = "date"
        if names:
            table.columns[names[0]] = "name"
        first = max(table.columns, default=-1) + 1
        table.columns |= {first + hand - 1: str(hand) for hand in range(1, HANDS + 1)}
        table.columns[first + HANDS] = "total"
        return table


def _same_titles(row: Row, table: Table) -> bool:
    """Whether a row begins as the titles of the table above do."""
    return table.kind == ACROSS and bool(row[0]) and row[0].casefold() == table.titles[0].casefold()


def is_word(cell: str) -> bool:
    return any(unicodedata.category(char) in ("Lu", "Ll", "Lt", "Lm", "Lo", "So") for char in cell)
