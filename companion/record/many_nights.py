"""Many nights at once: those this device may see, who sat there, and the hands they played, in one question each."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, case, exists, false, func, not_, or_, select

from companion.analysis.statistics import PerHand, PlayedHand, SeatResult
from companion.db import db
from companion.models import Game, Person, Score, Seat
from companion.names import look_alike_key, shown_name
from companion.record.lists import keeps, visible_to
from companion.record.projecting import contracts_of
from companion.referee.games import SHEETS
from companion.referee.state import Phase

#: The rule sheets whose nights are won by who is furthest in the list.
_BY_PROGRESS = tuple(sheet for sheet, rules in SHEETS.items() if rules.own_progress)


def _count_of(flag: Any) -> ColumnElement[int]:
    return func.sum(case((flag, 1), else_=0))


#: What the hands of one number, or one contract, come to.
_SUMS = (func.count(), func.sum(Score.points), _count_of(Score.out), _count_of(Score.floated), func.sum(Score.buys))
_OVER = (Phase.FINISHED.value, Phase.CLOSED.value)
_SCORED = exists().where(Score.game_id == Game.id)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which nights: of these rule sheets (none: of all), begun from ``since`` on and before ``until``, with all of
    these people at the table.
    """

    sheets: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    people: tuple[int, ...] = ()


class NightRow(NamedTuple):
    """A night in the history; ``scored``: at least one hand was."""

    id: int
    code: str
    created_at: datetime
    changed_at: datetime
    phase: Phase
    hand: int | None
    sheet: str
    contracts: str
    scored: bool


@dataclass(frozen=True, slots=True)
class PersonRow:
    """Somebody who sat at one of the nights; ``number`` counts the people of their house from 0, ``keys`` are what
    their names look like, also those that were merged into theirs.
    """

    id: int
    house_id: int
    name: str
    keys: tuple[str, ...]
    number: int
    hidden: bool
    forgotten: bool


def nights(device: int | None, wanted: Wanted = Wanted(), *, unfinished: bool = False) -> tuple[NightRow, ...]:
    """The nights, whether they ended or not, the last begun first; ``unfinished``: only those that do not count."""
    columns = (Game.id, Game.code, Game.created_at, Game.changed_at, Game.phase, Game.hand, Game.sheet, Game.contracts)
    query = _where(select(*columns, _SCORED.label("scored")), device, wanted)
    if unfinished:
        query = query.where(not_(and_(*_ended())))
    rows = db.session.execute(query.order_by(Game.created_at.desc(), Game.id.desc()))
    return tuple(NightRow(**{**row._mapping, "phase": Phase(row.phase), "scored": bool(row.scored)}) for row in rows)


def seat_results(device: int | None, wanted: Wanted = Wanted()) -> tuple[SeatResult, ...]:
    """Everybody at the table of the nights that ended, hidden people too."""
    columns = (
        Game.id, Seat.person_id, Seat.place, Seat.total, Game.phase == Phase.FINISHED.value, Game.sheet.not_in(_BY_PROGRESS)
    )  # fmt: skip
    query = select(*columns).join(Seat, Seat.game_id == Game.id).where(Seat.seated, *_ended())
    return tuple(SeatResult(*row[:4], *map(bool, row[4:])) for row in db.session.execute(_where(query, device, wanted)))


def wins(device: int | None) -> dict[int, tuple[int, int]]:
    """How many nights that ended everybody sat at, and how many of them they won, by person."""
    query = select(Seat.person_id, func.count(), _count_of(Seat.place == 1)).join(Game, Game.id == Seat.game_id)
    rows = db.session.execute(_where(query.where(Seat.seated, *_ended()).group_by(Seat.person_id), device, Wanted()))
    return {person: (int(nights), int(won)) for person, nights, won in rows}


def have_different_lists(device: int | None, wanted: Wanted = Wanted()) -> bool:
    """Whether the hand of one number asked for different things in the nights that ended."""
    return len({contracts_of(sheet, own) for sheet, own in _lists(device, wanted)}) > 1


def _lists(device: int | None, wanted: Wanted) -> set[tuple[str, str]]:
    query = select(Game.sheet, Game.contracts).where(*_ended()).distinct()
    return {(row.sheet, row.contracts) for row in db.session.execute(_where(query, device, wanted))}


def by_contract(device: int | None, wanted: Wanted = Wanted(), person: int | None = None) -> tuple[PlayedHand, ...]:
    """The same as ``hands``, by what each hand asked for, whatever its number was."""
    keys = (Seat.person_id, Score.hand, Game.sheet, Game.contracts)
    query = _dealt(select(*keys, *_SUMS), person).group_by(*keys)
    rows = db.session.execute(_where(query, device, wanted))
    return tuple(
        PlayedHand(person, _contract(hand, contracts_of(sheet, own)), PerHand(*map(int, sums)))
        for person, hand, sheet, own, *sums in rows
    )


def _contract(hand: int, contracts: tuple[str, ...]) -> str:
    return contracts[hand - 1] if hand <= len(contracts) else ""


def hands(device: int | None, wanted: Wanted = Wanted(), person: int | None = None) -> tuple[PlayedHand, ...]:
    """What came of every contract, by person, in the nights that ended; with ``person`` only theirs."""
    query = _dealt(select(Seat.person_id, Score.hand, *_SUMS), person).group_by(Seat.person_id, Score.hand)
    rows = db.session.execute(_where(query, device, wanted))
    return tuple(PlayedHand(person, hand, PerHand(*map(int, sums))) for person, hand, *sums in rows)


def hand_nights(
    device: int | None, wanted: Wanted, person: int, what: str, hand: int | str | None = None
) -> frozenset[int]:
    """The nights that numbers about hands come from: of ``what`` "dealt", "out", "floated" or "bought", in a hand, with a
    contract, or any.

    Raises KeyError for another ``what``.
    """
    sort = {"dealt": Score.hand > 0, "out": Score.out, "floated": Score.floated, "bought": Score.buys > 0}[what]
    query = _dealt(select(Game.id).distinct(), person).where(sort)
    if isinstance(hand, str):
        query = query.where(or_(false(), *(_asked_for(hand, *kept) for kept in _lists(device, wanted))))
    elif hand is not None:
        query = query.where(Score.hand == hand)
    return frozenset(db.session.execute(_where(query, device, wanted)).scalars())


def _asked_for(contract: str, sheet: str, own: str) -> ColumnElement[bool]:
    """The condition that a hand of such a game had this contract."""
    numbers = [number for number, text in enumerate(contracts_of(sheet, own), 1) if text == contract]
    return and_(Game.sheet == sheet, Game.contracts == own, Score.hand.in_(numbers))


def nights_with(people: Collection[int]) -> frozenset[int]:
    """The nights at which any of these people sat, seen by this device or not."""
    query = select(Seat.game_id).where(Seat.person_id.in_(people), Seat.seated).distinct()
    return frozenset(db.session.execute(query).scalars())


def people(device: int | None) -> tuple[PersonRow, ...]:
    """Everybody who sat at a night that this device may see, hidden ones too, by name."""
    houses = select(Game.house_id).where(*visible_to(device))
    known = select(Person).where(Person.house_id.in_(houses)).order_by(Person.house_id, Person.id)
    everybody = db.session.execute(known).scalars().all()
    here = _here(device)
    keys = _keys(everybody)
    count: dict[int, int] = {}
    rows = []
    for row in everybody:
        number = count.get(row.house_id, 0)
        count[row.house_id] = number + (row.merged_into is None)
        if row.id in here:
            name, forgotten = shown_name(row.name, row.forgotten), row.forgotten is not None
            hidden = row.hidden or here[row.id]
            rows.append(PersonRow(row.id, row.house_id, name, keys[row.id], number, hidden, forgotten))
    return tuple(sorted(rows, key=lambda row: (row.keys[0], row.id)))


def _here(device: int | None) -> dict[int, bool]:
    """Those who sat at a night that a device may see, and whether they are hidden in all that it keeps, or else sees."""
    kept = case((keeps(device, Game.id), 1), else_=0)
    shown = case((Seat.hidden, 0), else_=1)
    sums = (func.max(kept), func.max(kept * shown), func.max(shown))
    query = select(Seat.person_id, *sums).join(Game, Game.id == Seat.game_id).where(Seat.seated)
    rows = db.session.execute(_where(query.group_by(Seat.person_id), device, Wanted()))
    return {person: not (shown_kept if kept else shown_seen) for person, kept, shown_kept, shown_seen in rows}


def sheets(device: int | None) -> dict[str, int]:
    """The rule sheets that the nights were played by, with how many nights each, the most first."""
    query = _where(select(Game.sheet, func.count().label("many")), device, Wanted())
    rows = db.session.execute(query.group_by(Game.sheet).order_by(func.count().desc(), Game.sheet))
    return {row.sheet: int(row.many) for row in rows}


def _keys(everybody: Collection[Any]) -> dict[int, tuple[str, ...]]:
    """What the names look like, by the person that each of them is now; the person's own first."""
    into = {row.id: row.merged_into for row in everybody}
    # Of two people of one name, one may have a key that only tells them apart: found, and listed, by the name all the same.
    keys = {row.id: [look_alike_key(row.name) if row.key.startswith("ALSO ") else row.key] for row in everybody}
    for row in everybody:
        person = row.merged_into
        while person is not None:
            keys[person].append(row.key)
            person = into[person]
    return {person: tuple(own) for person, own in keys.items()}


def _ended() -> tuple[ColumnElement[bool], ...]:
    """A night counts once it is over and a hand was scored."""
    return Game.phase.in_(_OVER), _SCORED


def _dealt(chosen: Any, person: int | None) -> Any:
    """The hands that were scored in nights that ended; with ``person`` those of theirs."""
    at_seat = (Seat.game_id == Score.game_id) & (Seat.number == Score.seat)
    query = chosen.select_from(Score).join(Seat, at_seat).join(Game, Game.id == Score.game_id)
    query = query.where(Game.phase.in_(_OVER))
    return query if person is None else query.where(Seat.person_id == person)


def _where(chosen: Any, device: int | None, wanted: Wanted) -> Any:
    """Only nights of this device, and wanted."""
    chosen = chosen.where(*visible_to(device))
    if wanted.sheets:
        chosen = chosen.where(Game.sheet.in_(wanted.sheets))
    if wanted.since is not None:
        chosen = chosen.where(Game.created_at >= wanted.since)
    if wanted.until is not None:
        chosen = chosen.where(Game.created_at < wanted.until)
    for person in wanted.people:
        theirs = select(Seat.game_id).where(Seat.person_id == person, Seat.seated)
        chosen = chosen.where(Game.id.in_(theirs))
    return chosen
