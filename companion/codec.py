"""Entry <-> JSON: the only JSON of the record.

``encode`` gives the entry's kind and a JSON object; ``decode`` reads them back to the very same event and
refuses everything else. Cards are strings (``10S``), ranks and points ints, seats as keys of points strings
(JSON has no other). A field that is absent takes its default, so that entries of earlier versions stay
readable; every object carries the version ``v`` of this format.
"""

import dataclasses
import hashlib
import json
import re
import types
from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from typing import Any, get_args

from companion.referee.cards import Card, MalformedCard, parse_card
from companion.referee.commands import Command, DoTogether, OverruleRule
from companion.referee.events import DoneTogether, Event, GameStarted, Redone, RuleOverruled, Undone
from companion.referee.kruth import KruthCard, parse_kruth
from companion.referee.rules import BadRules, Rules, economy
from companion.referee.typed import Walker, field_types

_Read = Callable[[Any], Any]
_Write = Callable[[Any], Any]

VERSION = 1

#: Stored is the name of the class in snake_case; a test pins them all, so that renaming a class changes no record.
KINDS: Mapping[str, type] = {re.sub(r"\B(?=[A-Z])", "_", cls.__name__).lower(): cls for cls in get_args(Event)}
_NAMES = {cls: kind for kind, cls in KINDS.items()}

#: The limit on the buys of a whole game is stored by the name it had first.
_STORED_AS = {"buys_per_game": "chips"}
_READ_AS = {stored: name for name, stored in _STORED_AS.items()}
#: Switches that came later are written only where they differ from what every record before them played.
LATER: Mapping[str, object] = {
    "wild_price": "pot",
    "deals": (), "packs": (), "jokers_in_all": None, "jokers_skip": False, "wild_places": False, "red_ace": None,
    "wild_share": "any", "max_wilds_by_size": (), "max_wilds_laid": None, "set_naturals": None, "wilds_apart": 0,
    "set_suits": "any", "further_kinds": "any", "further_when": "same_turn", "further_run": 3, "all_at_once": False,
    "last_card_stays": False, "ends_at_first_lay_down": False, "whole_turn": False, "lay_off": True,
    "draw_discards_down": True, "swap_by": "down", "buy_veto": "none", "buy_window": "until_next_draws",
    "not_just_taken": False, "announce_one_card": False, "after_out": "at_once", "direction": "clockwise",
    "start": "normal", "exact_cut": 0, "exact_cut_chips": 0, "out_in_one_turn": 0, "progress": "common",
    "ties": "shared", "list_name": "",
}  # fmt: skip


class MalformedEntry(ValueError):
    """What is stored is no entry of this version; the text says where and why."""


def encode(event: Event) -> tuple[str, dict[str, Any]]:
    """The kind of an event and its JSON object.

    >>> encode(events.Bought(hand=3, seat=1))
    ('bought', {'v': 1, 'hand': 3, 'seat': 1})
    """
    return _NAMES[type(event)], {"v": VERSION, **WRITERS.of(type(event))(event)}


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
        event: Event = _ENTRIES.of(KINDS[kind])({key: value for key, value in data.items() if key != "v"})
    except (ValueError, TypeError, KeyError) as error:
        raise MalformedEntry(f"{kind}: {error}") from error
    return event


def digest(command: Command, *further: str) -> str:
    """A fingerprint of a command (64 hex digits), to tell a resend from another command with the same token."""
    text = json.dumps([type(command).__name__, WRITERS.of(type(command))(command), *further], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


# --- writing --------------------------------------------------------------------------------------------------------


def _object_writer(cls: Any, writers: Mapping[str, _Write]) -> _Write:
    """Fields that have their default are left out."""
    defaults = {field.name: _default(field) for field in dataclasses.fields(cls)}
    fields = tuple((name, writer, defaults.get(name, dataclasses.MISSING)) for name, writer in writers.items())
    return lambda value: {
        name: writer(item) for name, writer, default in fields if (item := getattr(value, name)) != default
    }


def _default(field: dataclasses.Field[Any]) -> Any:
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def _write_rules(rules: Rules) -> dict[str, Any]:
    """The rules are pinned in full, so that a default changed later changes no game."""
    said = {**LATER, **economy(rules.buys_per_game)}
    return {
        _STORED_AS.get(name, name): WRITERS.of(of)(value)
        for name, of in _switch_types().items()
        if (value := getattr(rules, name)) != said.get(name, dataclasses.MISSING)
    }


def _write_rule(rule: RuleOverruled | OverruleRule) -> dict[str, Any]:
    """A switch's value as its field is written; what is no switch (a command may hold anything) as it reads."""
    try:
        value = WRITERS.of(_switch_type(rule.switch))(rule.value)
    except (ValueError, TypeError, AttributeError):
        value = repr(rule.value)
    return {"switch": _STORED_AS.get(rule.switch, rule.switch), "value": value}


def _write_together(together: DoneTogether) -> dict[str, Any]:
    return {"events": [{"kind": _NAMES[type(event)], **WRITERS.of(type(event))(event)} for event in together.events]}


def _write_commands(together: DoTogether) -> list[Any]:
    return [[type(command).__name__, WRITERS.of(type(command))(command)] for command in together.commands]


@cache
def _switch_types() -> dict[str, Any]:
    return field_types(Rules)


def _switch_type(switch: Any) -> Any:
    if switch not in _switch_types():
        raise ValueError(f"no such switch: {switch!r:.80}")
    return _switch_types()[switch]


#: Writes any record of ours as JSON.
WRITERS: Walker[_Write] = Walker(
    plain=lambda of: lambda value: value,
    choice=lambda words: lambda value: value,
    member=lambda of: lambda member: member.value,
    optional=lambda write: lambda value: None if value is None else write(value),
    many=lambda write, of: lambda values: [write(item) for item in (sorted(values) if of is frozenset else values)],
    row=lambda writers: lambda values: [write(item) for write, item in zip(writers, values, strict=True)],
    mapping=lambda _, write: lambda values: {str(key): write(values[key]) for key in sorted(values)},
    record=_object_writer,
    own={
        Card: str, KruthCard: str, Rules: _write_rules, RuleOverruled: _write_rule, OverruleRule: _write_rule,
        DoneTogether: _write_together, DoTogether: _write_commands,
    },
)  # fmt: skip


# --- reading --------------------------------------------------------------------------------------------------------


def _typed(of: type, value: Any) -> Any:
    """The value, which must be of that very type: True is no number, 1.0 no whole one."""
    if type(value) is not of:
        raise ValueError(f"should be {_A_NAME[of]}, not {value!r:.80}")
    return value


_A_NAME = {int: "int", str: "str", bool: "bool", list: "a list", dict: "an object"}


def _among(name: str, values: Mapping[Any, Any], value: Any) -> Any:
    if type(value) is not type(next(iter(values))) or value not in values:
        raise ValueError(f"{name} has no {value!r:.80}")
    return values[value]


def _object_reader(cls: Any, readers: Mapping[str, _Read]) -> _Read:
    def read(value: Any) -> Any:
        if unknown := _typed(dict, value).keys() - readers.keys():
            raise ValueError(f"{cls.__name__} has no {', '.join(sorted(map(repr, unknown)))}")
        return cls(**{name: readers[name](item) for name, item in value.items()})

    return read


def _seat(text: str) -> int:
    if not (text.isascii() and text.isdigit() and str(int(text[:9])) == text):
        raise ValueError(f"no seat is called {text!r:.80}")
    return int(text)


#: Reads any record of ours from JSON; raises ValueError or TypeError.
READERS: Walker[_Read] = Walker(
    plain=lambda of: partial(_typed, of),
    choice=lambda words: partial(_among, f"the choice of {words}", {word: word for word in words}),
    member=lambda of: partial(_among, of.__name__, {member.value: member for member in of}),
    optional=lambda read: lambda value: None if value is None else read(value),
    many=lambda read, of: lambda value: of(map(read, _typed(list, value))),
    row=lambda readers: (
        lambda value: tuple(read(item) for read, item in zip(readers, _typed(list, value), strict=True))
    ),
    mapping=lambda _, read: (
        lambda value: types.MappingProxyType({_seat(seat): read(item) for seat, item in _typed(dict, value).items()})
    ),
    record=_object_reader,
)


@lru_cache(1024)
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
    card = parse_kruth(_typed(str, value))
    if str(card) != value:
        raise ValueError(f"no card of the Kruth deck: {value!r:.80}")
    return card


@lru_cache(256)
def _rules_of(text: str) -> Rules:
    """The games of a night pin the same rules; reading them once is enough."""
    stored = json.loads(text)
    if not _typed(dict, stored).keys().isdisjoint(_STORED_AS):
        raise ValueError(f"rules are stored with {', '.join(_READ_AS)}, not {', '.join(_STORED_AS)}")
    if "chips" in stored:
        stored = {**economy(stored["chips"]), **stored}
    rules: Rules = READERS.of(Rules)(
        {_READ_AS.get(name, name): value for name, value in {**_later(), **stored}.items()}
    )
    return rules


@cache
def _later() -> dict[str, Any]:
    return {name: WRITERS.of(_switch_types()[name])(value) for name, value in LATER.items()}


def _read_rules(value: Any) -> Rules:
    if isinstance(value, dict) and value.get("ace") == "both":  # as it was written before there were two values of it
        value = {**value, "ace": "either"}
    try:
        return _rules_of(json.dumps(value, sort_keys=True))
    except BadRules as error:
        raise ValueError(f"no table plays {error}") from error


def _read_overruled(value: Any) -> RuleOverruled:
    if _typed(dict, value).keys() != {"switch", "value"}:
        raise ValueError("an overruled rule has a switch and a value")
    if value["switch"] in _STORED_AS:
        raise ValueError(f"no such switch: {value['switch']!r}")
    switch: Any = _READ_AS.get(value["switch"], value["switch"])
    return RuleOverruled(switch, READERS.of(_switch_type(switch))(value["value"]))


#: What is an entry of its own, or nothing.
_ALONE = frozenset({DoneTogether, GameStarted, Undone, Redone})


def _read_together(value: Any) -> DoneTogether:
    if _typed(dict, value).keys() != {"events"} or len(_typed(list, value["events"])) < 2:
        raise ValueError("at least two events are done together")
    return DoneTogether(tuple(map(_read_part, value["events"])))


def _read_part(value: Any) -> Event:
    fields = dict(_typed(dict, value))
    kind = KINDS.get(_typed(str, fields.pop("kind", None)))
    if kind is None or kind in _ALONE:
        raise ValueError(f"no such kind of event: {value['kind']!r:.80}")
    event: Event = _ENTRIES.of(kind)(fields)
    return event


_ENTRIES = dataclasses.replace(
    READERS,
    own={
        Card: _read_card, KruthCard: _read_kruth, Rules: _read_rules, RuleOverruled: _read_overruled,
        DoneTogether: _read_together,
    },
)  # fmt: skip

#: Built at import, so that a field nothing can read or write fails here and not at a table.
for _cls in (*KINDS.values(), Rules):
    _ENTRIES.of(_cls), WRITERS.of(_cls)
