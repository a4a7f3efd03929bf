"""Nights as JSON: complete, one entry a line, the same bytes for the same nights.

    {"format": "gripe-companion", "version": 1, "houses": [
    {"name": "", "people": [], "games": [
    {"uid": …, "created_at": …, "seats": […], "phones": […], "entries": [
    {"at": "2026-11-03T19:00:00.000000Z", "data": {…}, "kind": "game_started", "phone": 0},
    …

A house is people and nights that belong together; a home has one. ``seats`` are names by number (of
whom a table forgot only that there was somebody), ``phones`` those that
made the entries (numbered from 0 as they stand), ``kind`` and ``data`` an entry as ``companion.codec`` writes it.
Links and codes are never in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from companion import codec
from companion.names import clean_name, name_problems
from companion.record.exporting import Entered, ExportedHouse, KnownAs, Night, Phone
from companion.record.person_changes import FORGOTTEN

__all__ = ["FORMAT", "VERSION", "BadDocument", "read", "write"]

FORMAT, VERSION = "gripe-companion", 1
KINDS = ("iphone", "ipad", "android", "computer", "other")
ROLES = ("", "keeper", "watch")
_LONGEST = 200  # of any text here
_HIGHEST = 1_000_000_000  # of any number here
_MOST = 400  # seats, phones or people of one night or house


class BadDocument(ValueError):
    """What was given is no export of ours. ``why`` is a code (wording.exporting has the sentences), ``detail`` says it
    for whoever looks into the file; ``night`` and ``entry`` count from 1, 0: none in particular.
    """

    def __init__(self, why: str, night: int = 0, entry: int = 0, detail: str = "") -> None:
        super().__init__(f"{why}: night {night}, entry {entry} {detail}".rstrip())
        self.why, self.night, self.entry, self.detail = why, night, entry, detail


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
    people = [
        _without({"name": one.name, "hidden": one.hidden, "merged_into": one.merged_into}) for one in house.people
    ]
    nights = _lines(map(_night, sorted(house.nights, key=_order)))
    return f'{{"name":{_json(house.name)},"people":{_json(people)},"games":{nights}}}'


def _night(night: Night) -> str:
    seats = [_seat(night, number, name) for number, name in sorted(night.names.items())]
    head = {
        "uid": night.uid,
        "created_at": _moment(night.created_at),
        "seats": seats,
        "phones": list(map(_phone, night.phones)),
    }
    return f'{_json(head)[:-1]},"entries":{_lines(map(_entered, night.entries))}}}'


def _seat(night: Night, number: int, name: str) -> dict[str, object]:
    """A seat with its name; of somebody who was forgotten only that they were."""
    if number in night.forgotten:
        return {"number": number, "forgotten": night.forgotten[number]}
    return _without({"number": number, "name": name, "entered_as": night.entered_as.get(number, "")}, "number")


def _phone(phone: Phone) -> dict[str, object]:
    found: dict[str, object] = {
        "kind": phone.kind, "name": phone.name, "token_hash": phone.token_hash, "role": phone.role,
        "by_link": phone.by_link, "live": phone.live,
    }  # fmt: skip
    found |= {name: value for name, value in (("number", phone.number), ("seat", phone.seat)) if value is not None}
    return _without(found, "number", "seat")


def _entered(one: Entered) -> str:
    kind, data = codec.encode(one.event)
    found = {"kind": kind, "data": data, "at": _moment(one.at)}
    return _json(found if one.phone is None else {**found, "phone": one.phone})


def _without(found: dict[str, Any], *kept: str) -> dict[str, Any]:
    """What is there to say: neither "" nor False."""
    return {name: value for name, value in found.items() if name in kept or value}


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


# --- in -------------------------------------------------------------------------------------------------------------


def read(data: bytes) -> tuple[ExportedHouse, ...]:
    """The nights of a document, entry by entry as the record takes them. Raises BadDocument for everything else.

    Whether a night replays is not asked here: ``record.importing`` does, for the same reason it is the only writer.
    """
    try:
        found = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BadDocument("not_json", detail=str(error)[:120]) from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise BadDocument("not_ours")
    version = found.get("version")
    if type(version) is not int or version != VERSION:
        raise BadDocument("newer" if type(version) is int and version > VERSION else "not_ours")
    reader = _Reader()
    try:
        return tuple(reader.house(one) for one in _list(found, "houses"))
    except _Bad as bad:
        raise BadDocument("shape", reader.night_number, reader.entry_number, str(bad)[:200]) from bad
    except codec.MalformedEntry as bad:
        raise BadDocument("entry", reader.night_number, reader.entry_number, str(bad)[:200]) from bad
    except RecursionError as bad:
        raise BadDocument("not_json") from bad


class _Bad(ValueError):
    """A field that is not as it should be; the text names it."""


class _Reader:
    """Reads a document from its start, and knows where it is."""

    def __init__(self) -> None:
        self.night_number = self.entry_number = 0

    def house(self, value: object) -> ExportedHouse:
        self.entry_number = 0
        found = _object(value, "a house")
        people = tuple(map(_known, _list(found, "people", _MOST * 10)))
        return ExportedHouse(tuple(map(self.night, _list(found, "games"))), people, _text(found, "name"))

    def night(self, value: object) -> Night:
        self.night_number, self.entry_number = self.night_number + 1, 0
        found = _object(value, "a game")
        seats = [_object(seat, "a seat") for seat in _list(found, "seats", _MOST)]
        numbers = [_number(seat, "number") for seat in seats]
        if len(set(numbers)) < len(numbers):
            raise _Bad("two seats have one number")
        pairs = list(zip(numbers, seats, strict=True))
        typed = {number: _name(seat, "entered_as") for number, seat in pairs if "entered_as" in seat}
        forgotten = {number: _number(seat, "forgotten") for number, seat in pairs if "forgotten" in seat}
        return Night(
            uid=_text(found, "uid"),
            created_at=_time(found, "created_at"),
            names={
                number: f"{FORGOTTEN} {forgotten[number]}" if number in forgotten else _name(seat, "name")
                for number, seat in sorted(pairs, key=lambda pair: pair[0])
            },
            phones=tuple(map(_read_phone, _list(found, "phones", _MOST))),
            entries=tuple(map(self.entry, _list(found, "entries"))),
            entered_as=typed,
            forgotten=forgotten,
        )

    def entry(self, value: object) -> Entered:
        self.entry_number += 1
        found = _object(value, "an entry")
        event = codec.decode(_text(found, "kind"), found.get("data"))
        return Entered(event, _time(found, "at"), _number(found, "phone") if "phone" in found else None)


def _known(value: object) -> KnownAs:
    found = _object(value, "somebody")
    other = _name(found, "merged_into") if "merged_into" in found else ""
    return KnownAs(_name(found, "name"), _truth(found, "hidden"), other)


def _read_phone(value: object) -> Phone:
    found = _object(value, "a phone")
    kind, role, told = _text(found, "kind"), _text(found, "role"), _text(found, "token_hash")
    if kind not in KINDS or role not in ROLES or (told and not (len(told) == 64 and told.isalnum() and told.isascii())):
        raise _Bad("no phone is like that")
    return Phone(
        kind=kind,
        name=_name(found, "name") if found.get("name") else "",
        number=_number(found, "number") if "number" in found else None,
        token_hash=told,
        role=role,
        seat=_number(found, "seat") if "seat" in found else None,
        by_link=_truth(found, "by_link"),
        live=_truth(found, "live"),
    )


def _object(value: object, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _Bad(f"{what} should be an object")
    return value


def _field(found: Mapping[str, Any], name: str, of: type, otherwise: object) -> Any:
    value = found.get(name, otherwise)
    if type(value) is not of:
        raise _Bad(f"{name} is missing or not as it should be")
    return value


def _list(found: Mapping[str, Any], name: str, most: int | None = None) -> list[Any]:
    value: list[Any] = _field(found, name, list, [] if name == "people" else None)
    if most is not None and len(value) > most:
        raise _Bad(f"{name} has more than {most}")
    return value


def _text(found: Mapping[str, Any], name: str) -> str:
    value: str = _field(found, name, str, None if name in ("uid", "kind", "at", "created_at") else "")
    if len(value) > _LONGEST or not value.isprintable():
        raise _Bad(f"{name} is no text for that place")
    return value


def _name(found: Mapping[str, Any], name: str) -> str:
    """A name as ours are: nothing that a page could not show."""
    value: str = _field(found, name, str, None)
    if len(value) > _LONGEST or name_problems([value]) or clean_name(value) != value:
        raise _Bad(f"{name} is no name")
    return value


def _number(found: Mapping[str, Any], name: str) -> int:
    value: int = _field(found, name, int, None)
    if not 0 <= value < _HIGHEST:
        raise _Bad(f"{name} is no number for that place")
    return value


def _truth(found: Mapping[str, Any], name: str) -> bool:
    value: bool = _field(found, name, bool, False)
    return value


def _time(found: Mapping[str, Any], name: str) -> datetime:
    try:
        at = datetime.fromisoformat(_text(found, name))
    except ValueError as error:
        raise _Bad(f"{name} is no moment") from error
    if at.tzinfo is None:
        raise _Bad(f"{name} does not say its time zone")
    try:
        return at.astimezone(UTC)
    except (OverflowError, ValueError) as error:
        raise _Bad(f"{name} is no moment") from error
