"""Nights as JSON: complete, one entry a line, the same bytes for the same nights.

    {"format": "gripe-companion", "version": 1, "houses": [
    {"name": "", "people": [], "games": [
    {"uid": …, "created_at": …, "seats": […], "phones": […], "entries": [
    {"at": "2026-11-03T19:00:00.000000Z", "data": {…}, "kind": "game_started", "phone": 0},
    …

A house is people and nights that belong together; a home has one. The ``lists`` of hands it made stand beside them, where
there are any. ``seats`` are names by number (of
whom a table forgot only that there was somebody), ``phones`` those that
made the entries (numbered from 0 as they stand), ``kind`` and ``data`` an entry as ``companion.codec`` writes it.
Links and codes are never in it.
"""

import dataclasses
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from companion import codec
from companion.record.exporting import Entered, ExportedHouse, KnownAs, Name, Night, Number, Phone, Text
from companion.record.forgetting import FORGOTTEN
from companion.record.own_lists import MOST_LISTS, Content
from companion.record.validation import InvalidImport
from companion.referee.games import SHEETS
from companion.referee.lists import MOST_HANDS
from companion.referee.own_lists import format_hands, read_hands
from companion.referee.typed import Limit, between

FORMAT, VERSION = "gripe-companion", 1


def _at_most(most: int) -> Limit:
    return lambda items: len(items) <= most


def _is_list(text: str) -> bool:
    hands, bad = read_hands(text)
    return bool(hands) and not bad and format_hands(hands) == text


@dataclass(frozen=True, slots=True)
class _Seat:
    """A seat in the file: with its name, or, of somebody who was forgotten, only with their number."""

    number: Number
    name: Name | None = None
    entered_as: Name | None = None
    forgotten: Number | None = None


@dataclass(frozen=True)
class _Head:
    """A game in the file, without its entries."""

    uid: Text
    created_at: datetime
    seats: Annotated[tuple[_Seat, ...], _at_most(400)]
    phones: Annotated[tuple[Phone, ...], _at_most(400)]


@dataclass(frozen=True)
class _Game(_Head):
    entries: tuple[Entered, ...]


@dataclass(frozen=True)
class _Entry:
    kind: Text
    at: datetime
    data: object = None
    phone: Number | None = None


@dataclass(frozen=True)
class _List:
    """A list of hands that the house made; ``hands`` as it is shared."""

    name: Name
    sheet: Annotated[str, SHEETS.__contains__]
    hands: Annotated[str, _is_list]
    first_hands: Annotated[int, between(1, MOST_HANDS)] | None = None
    own_progress: bool = False


@dataclass(frozen=True)
class _House:
    games: tuple[Night, ...]
    people: Annotated[tuple[KnownAs, ...], _at_most(4000)] = ()
    name: Text = ""
    lists: Annotated[tuple[_List, ...], _at_most(MOST_LISTS)] = ()


class BadDocument(InvalidImport):
    """What was given is no export of ours; the fact ``detail`` says it for whoever looks into the file."""


# --- out ------------------------------------------------------------------------------------------------------------


def write(houses: Sequence[ExportedHouse]) -> bytes:
    """The document; the nights of a house the oldest first, whatever order they come in."""
    ordered = sorted(houses, key=lambda house: min(map(_order, house.nights), default=("", "")))
    return f'{{"format":"{FORMAT}","version":{VERSION},"houses":{_lines(map(_house, ordered))}}}\n'.encode()


def _order(night: Night) -> tuple[str, str]:
    return _moment(night.created_at), night.uid


def _lines(items: Iterable[str]) -> str:
    text = ",\n".join(items)
    return f"[\n{text}\n]" if text else "[]"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _house(house: ExportedHouse) -> str:
    people = _WRITERS.of(tuple[KnownAs, ...])(house.people)
    nights = _lines(map(_night, sorted(house.nights, key=_order)))
    lists = f'"lists":{_json([asdict(one) for one in house.lists])},' if house.lists else ""
    return f'{{"name":{_json(house.name)},"people":{_json(people)},{lists}"games":{nights}}}'


def _night(night: Night) -> str:
    seats = tuple(_seat(night, number, name) for number, name in sorted(night.names.items()))
    head = _WRITERS.of(_Head)(_Head(night.uid, night.created_at, seats, night.phones))
    return f'{_json(head)[:-1]},"entries":{_lines(map(_entered, night.entries))}}}'


def _seat(night: Night, number: int, name: str) -> _Seat:
    if number in night.forgotten:
        return _Seat(number, forgotten=night.forgotten[number])
    return _Seat(number, name, night.entered_as.get(number))


def _entered(entered: Entered) -> str:
    kind, data = codec.encode(entered.event)
    entry = {"kind": kind, "data": data, "at": _moment(entered.at)}
    return _json(entry if entered.phone is None else {**entry, "phone": entered.phone})


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


_WRITERS = dataclasses.replace(codec.WRITERS, own={datetime: _moment})


# --- in -------------------------------------------------------------------------------------------------------------


def read(data: bytes) -> tuple[ExportedHouse, ...]:
    """The nights of a document, entry by entry as the record takes them. Raises BadDocument for everything else.

    Whether a night replays is not asked here: ``record.importing`` does, for the same reason it is the only writer.
    """
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BadDocument("not_json", detail=str(error)[:120]) from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadDocument("not_ours")
    version = document.get("version")
    if type(version) is not int or version != VERSION:
        raise BadDocument("newer" if type(version) is int and version > VERSION else "not_ours")
    reader = _Reader()
    try:
        houses: tuple[ExportedHouse, ...] = reader.types.of(tuple[ExportedHouse, ...])(document.get("houses"))
    except RecursionError as bad:
        raise BadDocument("not_json") from bad
    except (ValueError, TypeError) as bad:
        why = "entry" if isinstance(bad, codec.MalformedEntry) else "shape"
        raise BadDocument(why, reader.night_number, reader.entry_number, detail=str(bad)[:200]) from bad
    return houses


class _Reader:
    """Reads a document from its start, and knows where it is."""

    def __init__(self) -> None:
        self.night_number = self.entry_number = 0
        own = {datetime: _read_moment, ExportedHouse: self.house, Night: self.night, Entered: self.entry}
        self.types = dataclasses.replace(codec.READERS, limited=_limited, own={**own, object: lambda value: value})

    def house(self, value: object) -> ExportedHouse:
        house = self.types.of(_House)(value)
        lists = tuple(Content(**asdict(one)) for one in house.lists)
        return ExportedHouse(house.games, house.people, house.name, lists)

    def night(self, value: object) -> Night:
        self.night_number += 1
        self.entry_number = 0
        game: _Game = self.types.of(_Game)(value)
        self.entry_number = 0
        seats = {seat.number: seat for seat in sorted(game.seats, key=lambda seat: seat.number)}
        if len(seats) < len(game.seats):
            raise ValueError("two seats have one number")
        forgotten = {number: seat.forgotten for number, seat in seats.items() if seat.forgotten is not None}
        typed = {number: seat.entered_as for number, seat in seats.items() if seat.entered_as is not None}
        names = {
            number: f"{FORGOTTEN} {seat.forgotten}" if number in forgotten else seat.name or ""
            for number, seat in seats.items()
        }
        if not all(names.values()):
            raise ValueError("a seat has no name")
        return Night(game.uid, game.created_at, names, game.entries, game.phones, typed, forgotten)

    def entry(self, value: object) -> Entered:
        self.entry_number += 1
        entry: _Entry = self.types.of(_Entry)(value)
        return Entered(codec.decode(entry.kind, entry.data), entry.at, entry.phone)


def _limited(read: Callable[[Any], Any], limits: Sequence[Limit]) -> Callable[[Any], Any]:
    def checked(value: Any) -> Any:
        item = read(value)
        if not all(limit(item) for limit in limits):
            raise ValueError(f"not {value!r:.80}")
        return item

    return checked


def _read_moment(value: Any) -> datetime:
    at = datetime.fromisoformat(value)
    if at.tzinfo is None:
        raise ValueError(f"{value} does not say its time zone")
    try:
        return at.astimezone(UTC)
    except OverflowError as error:
        raise ValueError(f"{value} is no moment") from error
