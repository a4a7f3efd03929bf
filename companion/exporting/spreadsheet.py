"""Nights as one sheet for spreadsheets: a line for every night, hand and player, the totals those of the score sheet.

UTF-8 with the mark that Excel needs to see it, lines ended as RFC 4180 says, every text in quotes and no number. In
languages that write 1,5 spreadsheets expect semicolons. A text that a spreadsheet would take for a formula gets an
apostrophe before it; what is blank is blank and not 0.
"""

import csv
import io
from collections.abc import Iterable, Sequence

from companion import wording
from companion.analysis import results
from companion.i18n import evening_of
from companion.record.exporting import ExportedHouse, Night
from companion.referee import history
from companion.referee.standings import Standings
from companion.referee.state import GameState, HandScore
from companion.wording.exporting import column_titles, separator

#: Without it Excel takes UTF-8 for Windows-1252.
MARK = "\ufeff"
#: A cell that begins so is a formula to one spreadsheet or another; the last four are what Japanese keyboards type.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")

_Cell = str | int | None


def safe(text: str) -> str:
    """A text that no spreadsheet takes for a formula.

    >>> safe("=1+1"), safe("Ana")
    ("'=1+1", 'Ana')
    """
    return f"'{text}" if text.startswith(FORMULA) else text


def write(rows: Iterable[Sequence[_Cell]], titles: Sequence[str] | None = None) -> bytes:
    """Rows under their titles (those of ``lines`` unless given) as the bytes of a file."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=separator(), quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerow(titles or column_titles())
    for row in rows:
        writer.writerow([safe(cell) if isinstance(cell, str) else "" if cell is None else cell for cell in row])
    return (MARK + out.getvalue()).encode()


def lines(houses: Iterable[ExportedHouse], only: str | None = None) -> Iterable[tuple[_Cell, ...]]:
    """The rows of some nights, the oldest first and numbered; ``only`` those of the player of that name."""
    nights = [night for house in houses for night in house.nights]
    for number, night in enumerate(sorted(nights, key=lambda night: (night.created_at, night.uid)), 1):
        yield from _night(number, night, only)


def _night(number: int, night: Night, only: str | None) -> Iterable[tuple[_Cell, ...]]:
    events = history.effective(night.events)
    state = history.fold(events)
    date, sheet = evening_of(night.created_at).isoformat(), wording.sheet_name(state.rules.sheet)
    stood = {standing.hand: standing for standing in results.after_each_hand(state, events)}
    for score in state.scores:
        contract = wording.hand_contract(score.rules, score.number)
        own = score.rules.contracts if score.rules.own_progress else ()
        # Everybody at the table at the end of the hand, in the order they joined; who sat it out too.
        here = score.points.keys() | stood[score.number].places.keys()
        for seat in filter(here.__contains__, state.seats):
            if only in (None, night.names[seat]):
                asked = wording.contract_words(own[state.number_of(seat, score.number) - 1]) if own else contract
                yield number, date, sheet, score.number, asked, night.names[seat], *_told(state, score, seat, stood)


def _told(state: GameState, score: HandScore, seat: int, stood: dict[int, Standings]) -> tuple[_Cell, ...]:
    """Points, out, floated, buys, what the player brought along, and total and place after the hand."""
    standing, dealt_in = stood[score.number], seat in score.points
    hand: tuple[_Cell, ...] = (None, None, None, None)
    if dealt_in:
        hand = (score.points[seat], int(seat == score.out), int(seat in score.floating), score.buys.get(seat, 0))
    return *hand, state.carried.get(seat, 0), standing.totals.get(seat), standing.places.get(seat)
