"""Old nights from paper: a simple CSV, one line for every player of a night, made into games by the ordinary commands.

    date,name,1,2,3,4,5,6,7,8,9,10,total
    2019-05-04,Ana,0,45,20,…
    2019-05-04,Bea,30,0,out,…

A night is the lines that stand together with one date; an empty line parts two nights of one day. A blank cell is a hand
that the player sat out, and is not 0. Where several have 0, ``out`` says who went out; the others floated (G9.2).
Every line gets its faults, by number as an editor counts them; a night with a fault is not made.
"""

import csv
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta, tzinfo
from types import MappingProxyType

from companion.names import NameProblem, clean_name, look_alike_key, name_problems
from companion.record.exporting import Entered, Night
from companion.referee import commands as c
from companion.referee.engine import decide, evolve, problems
from companion.referee.events import Event
from companion.referee.games import KATE
from companion.referee.reasons import Problem, Reason
from companion.referee.state import GameState

HANDS = len(KATE.contracts)
EARLIEST = date(1970, 1, 2)
BEGINS = time(20)  # nobody wrote down when
_MOST_LINES = 5000
_MOST_FAULTS = 200  # more than anybody reads
_UNKNOWN = -1  # who went out
_UNREAD = "?"  # a mark with a fault
_TITLE = re.compile(r"(\D*?)\s*([0-9]{1,2})")
_NUMBER = re.compile(r"-?[0-9]{1,6}")
_YEAR_FIRST = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})")
_YEAR_LAST = re.compile(r"([0-9]{1,2})([-/.])([0-9]{1,2})\2([0-9]{4})")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong in a line (from 1): a code with facts, what is wrong with a name, or what the referee says.

    ``hand`` is the hand it is about, 0 for none; ``names`` by seat are for the referee's sentence.
    """

    line: int
    code: str
    facts: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    hand: int = 0
    name_problem: NameProblem | None = None
    problem: Problem | None = None
    names: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(slots=True)
class Paper:
    """What was read: the nights without faults, every fault, and the numbers that are unlikely but may be right."""

    nights: list[Night] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    doubts: list[Fault] = field(default_factory=list)

    def fault(self, line: int, code: str, hand: int = 0, **facts: object) -> None:
        """Note what is wrong in a line."""
        self.faults.append(Fault(line, code, facts, hand))


@dataclass(slots=True)
class _Line:
    """One player's line: the marks by hand are points, "out" or "float"; ``day`` is a text where it is no date."""

    number: int
    day: date | str
    name: str
    marks: dict[int, int | str] = field(default_factory=dict)
    total: int | None = None


def read(text: str, words: Mapping[str, str], *, today: date, zone: tzinfo, day_first: bool = False) -> Paper:
    """The nights of a text. ``words`` are what its words mean (wording.old_nights.sheet_words); ``day_first`` says how
    4/5/2019 is meant, where both could be.
    """
    paper = Paper()
    for block in _blocks(text, paper, _LineReader(paper, words, today, day_first)):
        night = _Night(block, paper).made(zone)
        numbers = {line.number for line in block}
        if night is not None and not any(fault.line in numbers for fault in paper.faults):
            paper.nights.append(night)
    if not paper.nights and not paper.faults:
        paper.fault(1, "nothing")
    paper.faults.sort(key=lambda fault: fault.line)
    del paper.faults[_MOST_FAULTS:]
    return paper


# --- lines ----------------------------------------------------------------------------------------------------------


def _rows(text: str, paper: Paper) -> Iterator[tuple[int, list[str]]]:
    """The rows with their line numbers, the blank ones too."""
    lines = re.split(r"\r\n?|\n", text.removeprefix("\ufeff"))
    first = next(filter(None, lines), "")
    reader = csv.reader(lines, delimiter=max(",;\t", key=first.count))
    try:
        for row in reader:
            if reader.line_num > _MOST_LINES:
                paper.fault(reader.line_num, "too_many", most=_MOST_LINES)
                return
            yield reader.line_num, [cell.strip() for cell in row]
    except csv.Error:
        paper.fault(reader.line_num, "not_csv")


def _blocks(text: str, paper: Paper, reader: "_LineReader") -> Iterator[list[_Line]]:
    """The lines of every night; those without a date that can be read are left out."""
    block: list[_Line] = []
    for number, row in [*_rows(text, paper), (0, [])]:
        line = None
        if any(row) and not reader.columns and reader.takes_titles(number, row):
            if not reader.columns:
                return
        elif any(row):
            line = reader.line(number, row, block[-1].day if block else None)
        if block and (line is None or line.day != block[-1].day):
            if isinstance(block[0].day, date):
                yield block
            block = []
        if line is not None:
            block.append(line)


class _LineReader:
    """Reads rows as lines of players, and notes what is wrong with each."""

    def __init__(self, paper: Paper, words: Mapping[str, str], today: date, day_first: bool) -> None:
        self.paper, self.words, self.today, self.day_first = paper, words, today, day_first
        self.columns: dict[int, str] = {}

    def takes_titles(self, number: int, row: Sequence[str]) -> bool:
        """Read what stands in which column, or note why that is not known; False: the first row is a night's already,
        and its columns are those of the template.
        """
        if _date(row[0], self.day_first)[0] is not None:
            self.columns = dict(enumerate(("date", "name", *map(str, range(1, HANDS + 1)), "total")))
            return False
        columns: dict[int, str] = {}
        for place, cell in enumerate(row):
            title = self._title(cell)
            if title is None and cell:
                self.paper.fault(number, "column", text=cell)
            elif title in columns.values():
                self.paper.fault(number, "column_twice", text=cell)
            elif title:
                columns[place] = title
        for wanted in ("date", "name"):
            if wanted not in columns.values():
                self.paper.fault(number, f"no_{wanted}_column")
        self.columns = {} if self.paper.faults else columns
        return True

    def _title(self, cell: str) -> str | None:
        """What a column holds: "date", "name", "total" or the number of a hand; None where that is not known."""
        title = cell.casefold().removeprefix("\ufeff")
        hand = _TITLE.fullmatch(title)
        if hand and 1 <= int(hand[2]) <= HANDS and (not hand[1] or self.words.get(hand[1]) == "hand"):
            return str(int(hand[2]))
        meaning = self.words.get(title)
        return meaning if meaning in ("date", "name", "total") else None

    def line(self, number: int, row: Sequence[str], day: date | str | None) -> _Line:
        """The line of a player; ``day`` is that of the line above, in the same night."""
        cells = {self.columns[place]: cell for place, cell in enumerate(row) if place in self.columns}
        if any(cell for place, cell in enumerate(row) if place not in self.columns):
            self.paper.fault(number, "too_wide")
        when = cells.get("date", "")
        day = self._day(number, when) if when or day is None else day
        line = _Line(number, day, cells.get("name", "").removeprefix("'"))
        for hand in range(1, HANDS + 1):
            if cell := cells.get(str(hand), ""):
                self._mark(line, hand, cell)
        if cell := cells.get("total", ""):
            self._total(line, cell)
        return line

    def _day(self, number: int, cell: str) -> date | str:
        """The date in a cell; where it is none that can be, the cell itself, and the fault is noted."""
        when, code = _date(cell, self.day_first) if cell else (None, "no_date")
        if when is not None and when > self.today:
            when, code = None, "future"
        elif when is not None and when < EARLIEST:
            when, code = None, "long_ago"
        if when is None:
            self.paper.fault(number, code, text=cell)
        return cell if when is None else when

    def _mark(self, line: _Line, hand: int, cell: str) -> None:
        meaning = self.words.get(cell.casefold(), "")
        if meaning in ("out", "float"):
            line.marks[hand] = meaning
        elif _NUMBER.fullmatch(cell):
            line.marks[hand] = int(cell)
        else:
            line.marks[hand] = _UNREAD
            self.paper.fault(line.number, "points", hand, text=cell)

    def _total(self, line: _Line, cell: str) -> None:
        """The total must be what the points come to; a line with a fault among its points has that said already."""
        summed = sum(mark for mark in line.marks.values() if isinstance(mark, int))
        if not _NUMBER.fullmatch(cell):
            self.paper.fault(line.number, "bad_total", text=cell)
        elif int(cell) != summed and not any(fault.line == line.number for fault in self.paper.faults):
            self.paper.fault(line.number, "total", total=int(cell), summed=summed)


def _date(cell: str, day_first: bool) -> tuple[date | None, str]:
    """The date in a cell, or the code of what is wrong with it."""
    try:
        if parts := _YEAR_FIRST.fullmatch(cell):
            return date(int(parts[1]), int(parts[2]), int(parts[3])), ""
        if parts := _YEAR_LAST.fullmatch(cell):
            first, second, year = int(parts[1]), int(parts[3]), int(parts[4])
            if parts[2] == "." or day_first or first > 12:
                return date(year, second, first), ""
            if second > 12 or first == second:
                return date(year, first, second), ""
            return None, "date_order"
    except ValueError:
        pass
    return None, "date"


# --- nights ---------------------------------------------------------------------------------------------------------


class _Night:
    """Plays one night by its lines; who is on line ``i`` of the night has seat ``i``."""

    def __init__(self, lines: Sequence[_Line], paper: Paper) -> None:
        self.lines, self.paper = lines, paper
        self.names = {seat: clean_name(line.name) for seat, line in enumerate(lines)}
        self.state, self.events = GameState(), list[Event]()

    def made(self, zone: tzinfo) -> Night | None:
        """The night, or None where something is wrong, which is then among the faults."""
        hands = self._hands()
        wrong_names = name_problems([line.name for line in self.lines])
        for problem in wrong_names:
            self.paper.faults.append(Fault(self.lines[problem.index].number, "name", name_problem=problem))
        if not hands or not self._does(c.StartGame(KATE, tuple(self.names), 0, hands[0])):
            return None
        for hand in hands:
            self._play(hand)
        if self.state.hand is not None:
            self._does(c.CloseGame())
        return None if wrong_names else self._night(zone)

    def _fault(self, seat: int, code: str, hand: int = 0, **facts: object) -> None:
        self.paper.fault(self.lines[seat].number, code, hand, **facts)

    def _hands(self) -> list[int]:
        """The hands that were played, one after the other."""
        hands = sorted({hand for line in self.lines for hand in line.marks})
        if not hands:
            self._fault(0, "no_hands")
        for hand in range(hands[0], hands[-1]) if hands else ():
            if hand not in hands:
                self._fault(0, "gap", hand)
                return []
        return hands

    def _play(self, hand: int) -> None:
        """Who sat it out, then the scores; where they cannot be, others take their place so that the next is judged."""
        marks = {seat: line.marks[hand] for seat, line in enumerate(self.lines) if hand in line.marks}
        fits = _UNREAD not in marks.values()
        for seat in self.names:
            if seat not in marks:
                fits = self._does(c.SitOut(hand, seat), hand, seat) and fits
        out, floated = self._who_went_out(hand, marks)
        points = {seat: 0 if isinstance(mark, str) else mark for seat, mark in marks.items()}
        if out != _UNKNOWN and fits:
            if self._does(c.ScoreHand(hand, out, points, floated=floated), hand):
                return
        else:
            self._say_more(hand, points)
        self._let(c.ScoreHand(hand, None, dict.fromkeys(self.state.dealt_in, 5), sure=True))

    def _who_went_out(self, hand: int, marks: Mapping[int, int | str]) -> tuple[int | None, frozenset[int]]:
        """Who went out (None: nobody) and who floated; a fault where several could be it (G9.2)."""
        said = [seat for seat, mark in marks.items() if mark == "out"]
        zeros = [seat for seat, mark in marks.items() if mark == 0]
        floated = frozenset(seat for seat, mark in marks.items() if mark == "float")
        if len(said) > 1:
            self._fault(said[1], "two_out", hand, name=self.names[said[0]])
            return _UNKNOWN, frozenset()
        if said:
            return said[0], floated | set(zeros)
        if len(zeros) > 1:
            for seat in zeros:
                self._fault(seat, "several_zeros", hand)
            return _UNKNOWN, frozenset()
        return (zeros[0] if zeros else None), floated

    def _say_more(self, hand: int, points: Mapping[int, int]) -> None:
        """What the referee says of the points themselves, though it is not known who went out."""
        for seat, value in points.items():
            if value < 0 or value % 5:
                against = problems(self.state, c.ScoreHand(hand, None, {seat: value}))
                about = [problem for problem in against if problem.reason is not Reason.MISSING_POINTS]
                self._note(self.paper.faults, [it for it in about if it.facts.get("seat") == seat], hand, seat)

    def _does(self, command: c.Command, hand: int = 0, seat: int | None = None) -> bool:
        """Let a command be done; False where the referee refuses it, with every reason among the faults."""
        refused = problems(self.state, command)
        rest = [problem for problem in refused if problem.reason is not Reason.POINTS_UNLIKELY]
        self._note(self.paper.doubts, [problem for problem in refused if problem not in rest], hand, seat)
        self._note(self.paper.faults, rest, hand, seat)
        if rest:
            return False
        self._let(replace(command, sure=True) if refused and isinstance(command, c.ScoreHand) else command)
        return True

    def _note(self, where: list[Fault], problems: Sequence[Problem], hand: int, seat: int | None) -> None:
        for problem in problems:
            about = problem.facts.get("seat", seat)
            line = self.lines[about if isinstance(about, int) and about in self.names else 0].number
            where.append(Fault(line, "referee", hand=hand, problem=problem, names=self.names))

    def _let(self, command: c.Command) -> None:
        for event in decide(self.state, command):
            self.state = evolve(self.state, event)
            self.events.append(event)

    def _night(self, zone: tzinfo) -> Night:
        day = self.lines[0].day
        assert isinstance(day, date)
        begun = datetime.combine(day, BEGINS, zone)
        entries = tuple(Entered(event, begun + timedelta(seconds=seq)) for seq, event in enumerate(self.events))
        return Night(self._uid(), begun, self.names, entries)

    def _uid(self) -> str:
        """By its content: the same night from paper comes in once, however its lines are written."""
        marks = [(look_alike_key(self.names[seat]), sorted(line.marks.items())) for seat, line in enumerate(self.lines)]
        return hashlib.sha256(f"paper {self.lines[0].day} {marks!r}".encode()).hexdigest()[:32]
