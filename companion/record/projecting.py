"""What is read off the record: the score rows, the seats' totals and the game's line in the home list."""

from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import delete, insert, select, tuple_, update

from companion.db import db
from companion.models import Score, Seat
from companion.referee.games import SHEETS
from companion.referee.lists import format_contract
from companion.referee.rules import Rules
from companion.referee.standings import standings
from companion.referee.state import GameState


class ScoreRow(NamedTuple):
    """A row of ``Score`` without its game."""

    hand: int
    seat: int
    points: int
    out: bool
    floated: bool
    buys: int


class SeatRow(NamedTuple):
    """What a row of ``Seat`` reads off the record."""

    number: int
    seated: bool
    carried: int
    total: int
    place: int | None


def score_rows(state: GameState) -> set[ScoreRow]:
    """The score rows that a state asks for."""
    return {
        ScoreRow(score.number, seat, points, seat == score.out, seat in score.floating, score.buys.get(seat, 0))
        for score in state.scores
        for seat, points in score.points.items()
    }


def seat_rows(state: GameState) -> set[SeatRow]:
    """The seats that a state asks for, with totals and places (None: left the table)."""
    stood = standings(state)
    return {
        SeatRow(seat, True, state.carried.get(seat, 0), stood.totals[seat], stood.places.get(seat))
        for seat in state.seats
    }


def summary(state: GameState) -> dict[str, Any]:
    """The game's columns for the home list."""
    return {"phase": state.phase.value, "hand": state.hand.number if state.hand else None}


#: Before the contracts of a list on which each player is on an own hand.
_EACH = "each: "


def own_contracts(rules: Rules) -> str:
    """The contracts of a game that has a list of its own, as text; "" for those of its sheet."""
    sheet = SHEETS.get(rules.sheet)
    if sheet is None or (sheet.contracts, sheet.progress) == (rules.contracts, rules.progress):
        return ""
    return (_EACH if rules.own_progress else "") + " / ".join(map(format_contract, rules.contracts))


@lru_cache(maxsize=256)
def contracts_of(sheet: str, own: str) -> tuple[str, ...]:
    """The contracts of a game by its hands, as texts, by its sheet and what ``own_contracts`` kept; none where a hand has
    no contract of its own, or each player another.

    >>> contracts_of("kate", "")[:2], contracts_of("kate", "2xset3 / run4"), contracts_of("ten_phases", "")
    (('2xset3', 'set3 run4'), ('2xset3', 'run4'), ())
    """
    if own:
        return () if own.startswith(_EACH) else tuple(own.split(" / "))
    rules = SHEETS.get(sheet)
    return tuple(map(format_contract, rules.contracts)) if rules and not rules.own_progress else ()


def hands_in_all(sheet: str, own: str) -> int:
    """How many hands such a game has; 0 where nobody knows."""
    return len(contracts_of(sheet, own))


def project(game_id: int, before: GameState, after: GameState) -> None:
    """Bring scores and seats from one state to the next, within the transaction that writes the entry."""
    if before.scores is not after.scores:
        _project_scores(game_id, score_rows(before), score_rows(after))
    gone = {SeatRow(number, False, 0, 0, None) for number in set(before.seats) - set(after.seats)}
    for row in gone | (seat_rows(after) - seat_rows(before)):
        here = (Seat.game_id == game_id) & (Seat.number == row.number)
        db.session.execute(update(Seat).where(here).values(**row._asdict()))


def stored_scores(game_id: int) -> set[ScoreRow]:
    """The score rows as they are in the database."""
    columns = (getattr(Score, name) for name in ScoreRow._fields)
    return {ScoreRow(*row) for row in db.session.execute(select(*columns).where(Score.game_id == game_id))}


def stored_seats(game_id: int) -> set[SeatRow]:
    """The seats that are taken, as they are in the database."""
    columns = (getattr(Seat, name) for name in SeatRow._fields)
    query = select(*columns).where(Seat.game_id == game_id, Seat.seated)
    return {SeatRow(*row) for row in db.session.execute(query)}


def _project_scores(game_id: int, before: set[ScoreRow], after: set[ScoreRow]) -> None:
    if gone := before - after:
        keys = [(row.hand, row.seat) for row in gone]
        db.session.execute(delete(Score).where(Score.game_id == game_id, tuple_(Score.hand, Score.seat).in_(keys)))
    if new := after - before:
        db.session.execute(insert(Score), [{"game_id": game_id, **row._asdict()} for row in sorted(new)])
