"""Plays a night by its lines with the ordinary commands, so that it comes in exactly if the referee lets it."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta, tzinfo

from companion.exporting.paper.asking import Fault, Paper
from companion.exporting.paper.lines import UNREAD, Line, Mark, Rough
from companion.names import clean_name, look_alike_key
from companion.record.exporting import Entered, Night
from companion.referee import commands as c
from companion.referee.engine import decide, evolve, problems
from companion.referee.events import Event, SeatJoined
from companion.referee.reasons import Problem, Reason
from companion.referee.state import GameState

BEGINS = time(20)  # nobody wrote down when


class Player:
    """Plays one night; who is on line ``i`` of the night has seat ``i``."""

    def __init__(self, night: Rough, paper: Paper) -> None:
        self.night, self.lines, self.paper = night, night.lines, paper
        self.names = {seat: clean_name(line.name) for seat, line in enumerate(self.lines)}
        self.state, self.events = GameState(), list[Event]()
        self.faults: list[Fault] = []

    def made(self, zone: tzinfo) -> Night | None:
        """The night, or None where something is wrong, which is then among the faults of the paper."""
        hands = self._hands()
        self._check_totals()
        first = [seat for seat, line in enumerate(self.lines) if not line.here or hands[:1] == [min(line.here)]]
        carried = tuple(self.lines[seat].carried for seat in first)
        start = c.StartGame(
            self.night.rules, tuple(first), 0, hands[0] if hands else 1, carried if any(carried) else ()
        )
        if hands and self._does(start):
            for hand in hands:
                self._play(hand)
            if self.state.hand is not None:
                self._does(c.CloseGame())
        self.paper.faults += self.faults
        return None if self.faults or self.night.day is None else self._night(zone, self.night.day)

    def _fault(self, seat: int, code: str, hand: int = 0, **facts: object) -> None:
        self.faults.append(Fault(self.lines[seat].place(hand), code, facts, hand))

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

    def _check_totals(self) -> None:
        """A total must be what the points come to; where one of them cannot be read, that is said already."""
        for line in self.lines:
            summed = line.carried + sum(mark for mark in line.marks.values() if isinstance(mark, int))
            if line.total is not None and line.marks and UNREAD not in line.marks.values() and line.total != summed:
                facts = {"total": line.total, "summed": summed, "name": line.name}
                code = "total" if line.total_at == line.number else "total_of"
                self.faults.append(Fault(line.total_at, code, facts))

    def _play(self, hand: int) -> None:
        """Who came, left or sat it out, then the scores; where they cannot be, others take their place so that the next
        hand is judged.
        """
        if self.night.exact:
            self._come(hand)
        marks = {seat: line.marks[hand] for seat, line in enumerate(self.lines) if hand in line.marks}
        fits = UNREAD not in marks.values()
        gone = [seat for seat in self.state.order if self.night.exact and hand not in self.lines[seat].here]
        for seat in self.state.order:
            if seat not in marks and seat not in gone:
                fits = self._does(c.SitOut(hand, seat), hand, seat) and fits
        for seat in gone:  # after those who sit out: at the end of the night so few may be left
            self._does(c.LeaveSeat(seat), hand, seat)
        for seat in self.state.order:
            for _nth in range(self.lines[seat].buys.get(hand, 0)):
                self._does(c.Buy(hand, seat), hand, seat)
        points = {seat: 0 if isinstance(mark, str) else mark for seat, mark in marks.items()}
        out, floated = _who_went_out(marks)
        if out is not None and hand in self.lines[out].floated:  # and went out a turn later
            self._does(c.GoDownWithoutCards(hand, out), hand, out)
            self._does(c.Float(hand, out), hand, out)
        if fits and self._does(c.ScoreHand(hand, out, points, floated=floated), hand):
            return
        if not fits:
            self._say_more(hand, points)
        self._let(c.ScoreHand(hand, None, dict.fromkeys(self.state.dealt_in, 5), sure=True))

    def _come(self, hand: int) -> None:
        for seat, line in enumerate(self.lines):
            if hand in line.here and seat not in self.state.seats:
                joined = SeatJoined(seat, line.carried, len(self.state.order))
                if not self._note(problems(self.state, c.JoinSeat(seat)), hand, seat):
                    self._record(joined)
            elif hand in line.here and seat not in self.state.order:
                self._does(c.ReturnToSeat(seat), hand, seat)

    def _say_more(self, hand: int, points: dict[int, int]) -> None:
        """What the referee says of the points themselves, though it is not known who went out."""
        for seat, value in points.items():
            if value < 0 or value % 5:
                against = problems(self.state, c.ScoreHand(hand, None, {seat: value}))
                about = [problem for problem in against if problem.reason is not Reason.MISSING_POINTS]
                self._note([it for it in about if it.facts.get("seat") == seat], hand, seat)

    def _does(self, command: c.Command, hand: int = 0, seat: int | None = None) -> bool:
        """Let a command be done; False where the referee refuses it, with every reason among the faults."""
        refused = problems(self.state, command)
        unlikely = [problem for problem in refused if problem.reason is Reason.POINTS_UNLIKELY]
        if not self.night.exact:
            self.paper.doubts += self._faults(unlikely, hand, seat)
        if self._note([problem for problem in refused if problem not in unlikely], hand, seat):
            return False
        self._let(replace(command, sure=True) if refused and isinstance(command, c.ScoreHand) else command)
        return True

    def _note(self, problems: Sequence[Problem], hand: int, seat: int | None) -> bool:
        self.faults += self._faults(problems, hand, seat)
        return bool(problems)

    def _faults(self, problems: Sequence[Problem], hand: int, seat: int | None) -> list[Fault]:
        found = []
        for problem in problems:
            about = problem.facts.get("seat", seat)
            line = self.lines[about if isinstance(about, int) and about in self.names else 0]
            found.append(Fault(line.place(hand), "referee", hand=hand, problem=problem, names=self.names))
        return found

    def _let(self, command: c.Command) -> None:
        for event in decide(self.state, command):
            self._record(event)

    def _record(self, event: Event) -> None:
        self.state = evolve(self.state, event)
        self.events.append(event)

    def _night(self, zone: tzinfo, day: date) -> Night:
        begun = datetime.combine(day, BEGINS, zone)
        entries = tuple(Entered(event, begun + timedelta(seconds=seq)) for seq, event in enumerate(self.events))
        return Night(self._uid(), begun, self.names, entries)

    def _uid(self) -> str:
        """By its content: the same night from paper comes in once, however its lines are written."""
        marks = [(look_alike_key(self.names[seat]), _told(line)) for seat, line in enumerate(self.lines)]
        return hashlib.sha256(f"paper {self.night.day} {marks!r}".encode()).hexdigest()[:32]


def _told(line: Line) -> object:
    """The marks of a line; beside them what only our own sheet tells."""
    marks, more = sorted(line.marks.items()), (line.carried, sorted(line.here), sorted(line.buys.items()))
    return (marks, more) if line.here else marks


def _who_went_out(marks: dict[int, Mark]) -> tuple[int | None, frozenset[int]]:
    """Who went out (None: nobody) and who floated (G9.2)."""
    zeros = [seat for seat, mark in marks.items() if mark == 0]
    out = next((seat for seat, mark in marks.items() if mark == "out"), zeros[0] if len(zeros) == 1 else None)
    floated = {seat for seat, mark in marks.items() if mark == "float"} | set(zeros)
    return out, frozenset(floated - {out})
