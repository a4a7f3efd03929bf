"""Entry <-> JSON: the only JSON of the record.

``encode`` gives the entry's kind and a JSON object; ``decode`` reads them back to the very same event and
refuses everything else. Cards are strings (``10S``), ranks and points ints, seats as keys of points strings
(JSON has no other). A field that is absent takes its default, so that entries of earlier versions stay
readable; every object carries the version ``v`` of this format.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import json
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal

from companion.referee import events
from companion.referee.cards import Card, MalformedCard, parse_card
from companion.referee.commands import Command, OverruleRule
from companion.referee.events import Event, RuleOverruled
from companion.referee.kruth import KruthCard, parse_kruth
from companion.referee.melds import Meld
from companion.referee.rules import BadRules, Contract, Rules, Slot

__all__ = ["VERSION", "MalformedEntry", "decode", "digest", "encode"]

VERSION = 1

#: The names in the database are written out, so that renaming a class changes no record.
KINDS: Mapping[str, type] = types.MappingProxyType(
    {
        "game_started": events.GameStarted,
        "bought": events.Bought,
        "buy_taken_back": events.BuyTakenBack,
        "went_down": events.WentDown,
        "went_down_without_cards": events.WentDownWithoutCards,
        "laid_off": events.LaidOff,
        "wild_replaced": events.WildReplaced,
        "rearranged": events.Rearranged,
        "meld_corrected": events.MeldCorrected,
        "going_down_taken_back": events.GoingDownTakenBack,
        "floated": events.Floated,
        "float_taken_back": events.FloatTakenBack,
        "sat_out": events.SatOut,
        "sat_back_in": events.SatBackIn,
        "hand_scored": events.HandScored,
        "score_corrected": events.ScoreCorrected,
        "chips_paid": events.ChipsPaid,
        "hand_dealt_anew": events.HandDealtAnew,
        "seat_joined": events.SeatJoined,
        "seat_left": events.SeatLeft,
        "seat_returned": events.SeatReturned,
        "seats_moved": events.SeatsMoved,
        "dealer_set": events.DealerSet,
        "rule_overruled": events.RuleOverruled,
        "game_closed": events.GameClosed,
        "game_reopened": events.GameReopened,
        "undone": events.Undone,
        "redone": events.Redone,
    }
)
_NAMES = {cls: kind for kind, cls in KINDS.items()}

_Read = Callable[[Any], Any]
_Write = Callable[[Any], Any]


class MalformedEntry(ValueError):
    """What is stored is no entry of this version; the text says where and why."""


def encode(event: Event) -> tuple[str, dict[str, Any]]:
    """The kind of an event and its JSON object.

    >>> encode(events.Bought(hand=3, seat=1))
    ('bought', {'v': 1, 'hand': 3, 'seat': 1})
    """
    return _NAMES[type(event)], {"v": VERSION, **_writer_of(event)(event)}


def decode(kind: str, data: object) -> Event:
    """The event that was stored; raises MalformedEntry for anything ``encode`` could not have written.

    >>> decode("bought", {"v": 1, "hand": 3, "seat": 1})
    Bought(hand=3, seat=1)
    """
    if kind not in KINDS:
        raise MalformedEntry(f"no such kind of entry: {kind!r}")
    if not isinstance(data, dict) or data.get("v") != VERSION:
        raise MalformedEntry(f"{kind}: not an entry of version {VERSION}")
    try:
        event: Event = _reader(KINDS[kind])({key: value for key, value in data.items() if key != "v"})
    except (ValueError, TypeError, KeyError) as error:
        raise MalformedEntry(f"{kind}: {error}") from error
    return event


def digest(command: Command, *further: str) -> str:
    """A fingerprint of a command (64 hex digits), to tell a resend from another command with the same token."""
    text = json.dumps([type(command).__name__, _writer_of(command)(command), *further], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _writer_of(value: object) -> _Write:
    hint: Any = type(value)
    return _writer(hint)


# One reader and one writer a type, built once from the fields' annotations.


@cache
def _writer(hint: Any) -> _Write:
    if hint in (Card, KruthCard):
        return str
    if hint in (RuleOverruled, OverruleRule):
        return lambda rule: {"switch": rule.switch, "value": _write_switch(rule.switch, rule.value)}
    if dataclasses.is_dataclass(hint):
        return _object_writer(hint)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return lambda member: member.value
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is types.UnionType:
        inner = _writer(_present(args))
        return lambda value: None if value is None else inner(value)
    if origin is tuple:
        return _tuple_writer(args)
    if origin is frozenset:
        return lambda value: sorted(value)
    if origin is Mapping:
        return lambda value: {str(key): value[key] for key in sorted(value)}
    return lambda value: value


def _object_writer(cls: Any) -> _Write:
    hints = typing.get_type_hints(cls)
    fields = [(field.name, _writer(hints[field.name]), _default(field)) for field in dataclasses.fields(cls)]
    # The rules are pinned in full, so that a default changed later changes no game.
    in_full = cls is Rules

    def write(value: Any) -> dict[str, Any]:
        found = {}
        for name, inner, default in fields:
            item = getattr(value, name)
            if in_full or default is dataclasses.MISSING or item != default:
                found[name] = inner(item)
        return found

    return write


def _tuple_writer(args: tuple[Any, ...]) -> _Write:
    if args[-1] is Ellipsis:
        inner = _writer(args[0])
        return lambda value: [inner(item) for item in value]
    inners = [_writer(arg) for arg in args]
    return lambda value: [inner(item) for inner, item in zip(inners, value, strict=True)]


@cache
def _reader(hint: Any) -> _Read:
    if hint is Card:
        return _read_card
    if hint is KruthCard:
        return _read_kruth
    if hint is RuleOverruled:
        return _read_overruled
    if hint is Rules:
        return _read_rules
    if dataclasses.is_dataclass(hint):
        return _object_reader(hint)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return _enum_reader(hint)
    if hint in (int, str, bool):
        return _plain_reader(hint)
    return _composed_reader(hint)


def _composed_reader(hint: Any) -> _Read:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is types.UnionType:
        inner = _reader(_present(args))
        return lambda value: None if value is None else inner(value)
    if origin is tuple:
        return _tuple_reader(args)
    if origin is frozenset:
        item = _reader(args[0])
        return lambda value: frozenset(item(one) for one in _list(value))
    if origin is Mapping:
        return _read_points
    if origin is Literal:
        return _literal_reader(args)
    raise TypeError(f"the record has no JSON for {hint}")


def _object_reader(cls: Any) -> _Read:
    hints = typing.get_type_hints(cls)
    readers = {field.name: _reader(hints[field.name]) for field in dataclasses.fields(cls)}

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise ValueError(f"{cls.__name__} should be an object, not {value!r:.80}")
        if unknown := value.keys() - readers.keys():
            raise ValueError(f"{cls.__name__} has no {', '.join(sorted(map(repr, unknown)))}")
        return cls(**{name: readers[name](item) for name, item in value.items()})

    return read


@cache
def _rules_of(text: str) -> Rules:
    """Every game of an evening pins the same rules; reading them once is enough."""
    rules: Rules = _object_reader_of_rules()(json.loads(text))
    return rules


@cache
def _object_reader_of_rules() -> _Read:
    return _object_reader(Rules)


def _read_rules(value: Any) -> Rules:
    try:
        return _rules_of(json.dumps(value, sort_keys=True))
    except BadRules as error:
        raise ValueError(f"no table plays {error}") from error


def _tuple_reader(args: tuple[Any, ...]) -> _Read:
    if args[-1] is Ellipsis:
        inner = _reader(args[0])
        return lambda value: tuple(inner(item) for item in _list(value))
    inners = [_reader(arg) for arg in args]
    return lambda value: tuple(inner(item) for inner, item in zip(inners, _list(value), strict=True))


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"should be a list, not {value!r:.80}")
    return value


def _plain_reader(wanted: type) -> _Read:
    def read(value: Any) -> Any:
        if type(value) is not wanted:  # True is no number, 1.0 no whole one
            raise ValueError(f"should be {wanted.__name__}, not {value!r:.80}")
        return value

    return read


def _enum_reader(cls: type[enum.Enum]) -> _Read:
    members = {member.value: member for member in cls}
    plain = _plain_reader(type(next(iter(members))))

    def read(value: Any) -> enum.Enum:
        if (member := members.get(plain(value))) is None:
            raise ValueError(f"{cls.__name__} has no {value!r:.80}")
        return member

    return read


def _literal_reader(words: tuple[Any, ...]) -> _Read:
    def read(value: Any) -> Any:
        if value not in words:
            raise ValueError(f"should be one of {words}, not {value!r:.80}")
        return value

    return read


_is_number = _plain_reader(int)


def _read_points(value: Any) -> Mapping[int, int]:
    if not isinstance(value, dict):
        raise ValueError(f"points should be an object, not {value!r:.80}")
    points = {}
    for seat, number in value.items():
        if not (seat.isascii() and seat.isdigit() and str(int(seat[:9])) == seat):
            raise ValueError(f"no seat is called {seat!r:.80}")
        points[int(seat)] = _is_number(number)
    return types.MappingProxyType(points)


@cache
def _card(text: str) -> Card:
    card = parse_card(text)
    if str(card) != text:  # people may type 10♠, the record is written one way
        raise MalformedCard(text)
    return card


def _read_card(value: Any) -> Card:
    if not isinstance(value, str) or len(value) > 3:
        raise ValueError(f"no card: {value!r:.80}")
    return _card(value)


def _read_kruth(value: Any) -> KruthCard:
    card = parse_kruth(value) if isinstance(value, str) else None
    if str(card) != value:
        raise ValueError(f"no card of the Kruth deck: {value!r:.80}")
    assert card is not None
    return card


@cache
def _switch_hints() -> dict[Any, Any]:
    return typing.get_type_hints(Rules)


def _switch_hint(switch: object) -> Any:
    hints = _switch_hints()
    if switch not in hints:
        raise ValueError(f"no such switch: {switch!r:.80}")
    return hints[switch]


def _write_switch(switch: str, value: object) -> Any:
    """A switch's value as its field is written; what is no switch (a command may hold anything) as it reads."""
    try:
        return _writer(_switch_hint(switch))(value)
    except (ValueError, TypeError, AttributeError):
        return repr(value)


def _read_overruled(value: Any) -> RuleOverruled:
    if not isinstance(value, dict) or value.keys() != {"switch", "value"}:
        raise ValueError("an overruled rule has a switch and a value")
    return RuleOverruled(value["switch"], _reader(_switch_hint(value["switch"]))(value["value"]))


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def _present(args: tuple[Any, ...]) -> Any:
    """The one type beside None of an optional field."""
    (hint,) = (arg for arg in args if arg is not type(None))
    return hint


#: Built at import, so that a field nothing can write fails here and not at a table.
for _cls in (*KINDS.values(), Meld, Contract, Slot):
    _reader(_cls), _writer(_cls)
