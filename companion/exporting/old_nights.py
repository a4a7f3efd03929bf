"""Old nights from paper: score sheets of any usual shape, made into games by the ordinary commands.

    date,name,1,2,3,4,5,6,7,8,9,10,total
    2019-05-04,Ana,0,45,20,…
    2019-05-04,Bea,30,0,out,…

People may also stand in the first row with a line for every hand, and our own sheet for spreadsheets is read too. What
could be read in two ways, or would make a night that no table plays, is a question with its answers; a night is made
once all about it is answered and nothing in it is wrong. Every line gets its faults, by number as an editor counts them.
"""

from collections.abc import Mapping, Sequence
from datetime import date, tzinfo
from types import MappingProxyType

from companion.exporting.paper.asking import MOST_FAULTS, MOST_QUESTIONS, Asking, Fault, Paper, Question
from companion.exporting.paper.cells import HANDS, Words
from companion.exporting.paper.doubts import Doubts
from companion.exporting.paper.grid import BadGrid, Row, rows
from companion.exporting.paper.lines import Reader, Rough
from companion.exporting.paper.nights import nights_of
from companion.exporting.paper.playing import Player
from companion.exporting.paper.tables import Tables
from companion.names import look_alike_key

__all__ = ["HANDS", "Fault", "Paper", "Question", "read"]

_CROWD = 40  # lines that are too many for any night, whatever is asked about them
_NONE_GIVEN: Mapping[str, str] = MappingProxyType({})


def read(
    text: str,
    words: Mapping[str, str],
    *,
    today: date,
    zone: tzinfo,
    day_first: bool = False,
    answers: Mapping[str, str] = _NONE_GIVEN,
) -> Paper:
    """The nights of a text. ``words`` are what its words mean (wording.old_nights.sheet_words); ``answers`` are those
    given to the questions, by their key; ``day_first`` says which answer about 4/5/2019 comes first.
    """
    paper = Paper()
    try:
        grid = rows(text)
    except BadGrid as bad:
        paper.faults.append(Fault(bad.line, bad.code, bad.facts))
        return paper
    asking = Asking(paper, answers, today)
    reader = Reader(paper, asking, Words(words), today, day_first, grid)
    _play(paper, asking, _nights(reader, grid), zone)
    if not paper.nights and not paper.faults and not paper.questions:
        paper.fault(1, "nothing")
    if len(paper.questions) > MOST_QUESTIONS:
        paper.fault(paper.questions[MOST_QUESTIONS].lines[0], "too_many_questions", most=MOST_QUESTIONS)
        del paper.questions[MOST_QUESTIONS:]
    del paper.notes[MOST_FAULTS:]
    paper.faults.sort(key=lambda fault: fault.line)
    del paper.faults[MOST_FAULTS:]
    return paper


def _nights(reader: Reader, grid: Sequence[Row]) -> list[Rough]:
    return [night for table in Tables(reader, grid).found() for night in nights_of(reader, table)]


def _play(paper: Paper, asking: Asking, nights: Sequence[Rough], zone: tzinfo) -> None:
    """Make the nights that nothing is asked about and nothing is wrong with; equal ones once."""
    made: dict[object, int] = {}
    for night in nights:
        doubts, lost = Doubts(asking, night), night.unclear
        if len(night.lines) <= _CROWD:
            doubts.people()
            doubts.settle()
        wrong = {fault.line for fault in paper.faults} & _lines_of(night)
        if lost or (night.open and not wrong):
            continue
        played = Player(night, paper).made(zone)
        if played is None or wrong or night.open:
            continue
        people = sorted((look_alike_key(line.name), sorted(line.marks.items(), key=str)) for line in night.lines)
        same = (night.day, str(people))
        if same in made:
            paper.note(night.number, "same_night", first=made[same])
        else:
            made[same] = night.number
            paper.nights.append(played)


def _lines_of(night: Rough) -> set[int]:
    return {at for line in night.lines for at in (line.number, line.total_at, *line.at.values())}
