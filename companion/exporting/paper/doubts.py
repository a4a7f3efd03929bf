"""What is doubtful about a night as its lines say it: each is asked, and nothing is played before it is answered.

Looked at in this order, because each changes what the next sees: sums among the people, sums among the hands, numbers
that only grow, blank cells, and who went out.
"""

from collections.abc import Mapping, Sequence

from companion.exporting.paper.asking import Asking, Fault
from companion.exporting.paper.lines import UNREAD, Line, Mark, Rough
from companion.names import name_problems

_Answers = Sequence[tuple[str, Mapping[str, object]]]


class Doubts:
    """Asks about one night and changes its lines as the answers say."""

    def __init__(self, asking: Asking, night: Rough) -> None:
        self.asking, self.night, self.cells = asking, night, night.cells
        self.waits = False  # for an answer that changes what is seen next
        self.dropped = 0  # hands that were totals

    def settle(self) -> None:
        """Ask whatever is doubtful; the night is ``open`` where an answer is missing."""
        if self.night.exact or self.night.unclear:
            return
        self._sum_of_hands()
        if not self.waits:
            self._running_totals()
        if not self.waits:
            self._nobody_out()
            self._blank_cells()
            self._who_went_out()

    def _ask(self, line: int, code: str, about: object, answers: _Answers, hand: int = 0, **facts: object) -> str:
        given = self.asking.ask(line, code, (self.cells, about), answers, hand, **facts)
        self.waits = self.waits or not given
        self.night.open = self.night.open or not given
        return given

    @property
    def _hands(self) -> list[int]:
        return sorted({hand for line in self.night.lines for hand in line.marks})

    # --- sums ---------------------------------------------------------------------------------------------------------

    def people(self) -> None:
        """Ask which lines are people; what is wrong with a name is a fault, and then nothing else is asked."""
        if self.night.unclear:
            return
        if not self.night.exact:
            self._sum_of_people()
        wrong = () if self.waits else name_problems([line.name for line in self.night.lines])
        for problem in wrong:
            line = self.night.lines[problem.index].number
            self.asking.paper.faults.append(Fault(line, "name", name_problem=problem))
        self.night.unclear = bool(wrong)

    def _sum_of_people(self) -> None:
        """A line that is the sum of the others is the total of the table rather than a person."""
        for line in list(self.night.lines):
            others = [other for other in self.night.lines if other is not line]
            hands = self._hands
            if (
                len(others) < 3
                or len(hands) < (2 if line.name else 1)
                or not all(_is_sum(line, others, hand) for hand in hands)
            ):
                continue
            if not any(_number(line.marks.get(hand)) for hand in hands):
                continue
            given = self._ask(line.number, "sum_of_people", line.number, [("skip", {}), ("player", {})], name=line.name)
            if given == "skip":
                self.night.lines.remove(line)

    def _sum_of_hands(self) -> None:
        """A hand that is the sum of those before it is a total, of all or of some."""
        before: list[int] = []
        for hand in self._hands:
            if (len(before) > 1 or len(self._hands) == 2) and before and self._adds_up(before, hand):
                answers: _Answers = [("total", {}), ("points", {"hand": hand})]
                line = self.night.lines[0].place(hand)
                if self._ask(line, "sum_of_hands", (hand, self.dropped), answers, hand) == "total":
                    self._drop(hand)
                    self.dropped += 1
                    self._sum_of_hands()
                    return
            before.append(hand)

    def _adds_up(self, before: Sequence[int], hand: int) -> bool:
        lines = [line for line in self.night.lines if line.marks]
        if any(UNREAD in line.marks.values() or hand not in line.marks for line in lines):
            return False
        sums = [(sum(_number(line.marks.get(one)) for one in before), _number(line.marks[hand])) for line in lines]
        return any(summed for summed, _told in sums) and all(summed == told for summed, told in sums)

    def _drop(self, hand: int) -> None:
        """Take a hand for the total; those after it move up."""
        is_last = hand == self._hands[-1]
        for line in self.night.lines:
            mark = line.marks.pop(hand, None)
            if is_last and line.total is None and isinstance(mark, int):
                line.total, line.total_at = mark, line.place(hand)
            line.marks = {one - (one > hand): mark for one, mark in line.marks.items()}
            line.sat = {one - (one > hand) for one in line.sat if one != hand}
            line.at = {one - (one > hand): at for one, at in line.at.items() if one != hand}

    # --- numbers that only grow ---------------------------------------------------------------------------------------

    def _running_totals(self) -> None:
        """Numbers that grow in every line, hand by hand, may be the totals so far; a total that says so proves points."""
        lines = [line for line in self.night.lines if line.marks]
        if len(self._hands) < 2 or not lines or not all(map(_grows, lines)):
            return
        columns = [[line.marks.get(hand) for line in lines] for hand in self._hands]
        if any(before == after for before, after in zip(columns, columns[1:], strict=False)):
            return  # nobody had a point in a hand
        if all(line.total is not None and line.total == _sum(line) != _last(line) for line in lines):
            return
        answers: _Answers = [("running", {}), ("points", {})]
        if self._ask(lines[0].number, "running", "", answers, name=lines[0].name) == "running":
            for line in lines:
                so_far = 0
                for hand in sorted(line.marks):
                    mark = _number(line.marks[hand])
                    line.marks[hand], so_far = mark - so_far, mark

    # --- who went out -------------------------------------------------------------------------------------------------

    def _nobody_out(self) -> None:
        """Hands in which nobody has 0: either nobody went out, or a blank cell is whoever did."""
        clear: list[int] = []
        for hand in self._hands:
            marks = [line.marks.get(hand) for line in self.night.lines]
            if UNREAD in marks or any(mark in ("out", 0) and mark is not False for mark in marks):
                continue
            blank = [line for line in self.night.lines if _is_blank(line, hand)]
            if not blank:
                clear.append(hand)
                continue
            answers = [(str(self.night.lines.index(line)), {"name": line.name}) for line in blank]
            given = self._ask(blank[0].place(hand), "blank_out", hand, [*answers, ("nobody", {})], hand)
            if given.isdigit():
                self.night.lines[int(given)].marks[hand] = "out"
        if clear:
            self._ask(self.night.lines[0].place(clear[0]), "nobody", clear, [("nobody", {})], hands=clear)

    def _blank_cells(self) -> None:
        """What other blank cells mean is the same in the whole sheet."""
        for line in self.night.lines:
            for hand in self._hands:
                if _is_blank(line, hand) and not self._is_asked(hand):
                    given = self.asking.ask(line.place(hand), "blank", "", [("sat", {}), ("float", {})])
                    self.night.open = self.night.open or not given
                    if given == "float":
                        line.marks[hand] = "float"

    def _is_asked(self, hand: int) -> bool:
        """Whether it is still asked who of those with blank cells went out."""
        return self.waits and not any(line.marks.get(hand) in ("out", 0) for line in self.night.lines)

    def _who_went_out(self) -> None:
        """Where several have 0, or several "out", one of them went out and the others floated (G9.2)."""
        for hand in self._hands:
            marks: list[tuple[Line, Mark]] = [
                (line, line.marks[hand]) for line in self.night.lines if hand in line.marks
            ]
            said = [line for line, mark in marks if mark == "out"]
            candidates = said or [line for line, mark in marks if mark == 0]
            if len(candidates) < 2:
                continue
            answers = [(str(self.night.lines.index(line)), {"name": line.name}) for line in candidates]
            given = self._ask(candidates[0].place(hand), "who_out", hand, answers, hand, said=bool(said))
            for line in candidates:
                if given:
                    is_out = line is self.night.lines[int(given)]
                    line.marks[hand] = "out" if is_out else "float" if said else 0


def _number(mark: Mark | None) -> int:
    return mark if isinstance(mark, int) else 0


def _is_sum(line: Line, others: Sequence[Line], hand: int) -> bool:
    marks = [other.marks.get(hand) for other in others]
    return UNREAD not in marks and isinstance(mark := line.marks.get(hand), int) and mark == sum(map(_number, marks))


def _is_blank(line: Line, hand: int) -> bool:
    return hand not in line.marks and hand not in line.sat


def _sum(line: Line) -> int:
    return sum(map(_number, line.marks.values()))


def _last(line: Line) -> int:
    return _number(line.marks[max(line.marks)])


def _grows(line: Line) -> bool:
    marks = [line.marks[hand] for hand in sorted(line.marks)]
    numbers = [_number(mark) for mark in marks]
    told = all(isinstance(mark, int) or (mark == "out" and not at) for at, mark in enumerate(marks))
    return told and all(before <= after for before, after in zip(numbers, numbers[1:], strict=False))
