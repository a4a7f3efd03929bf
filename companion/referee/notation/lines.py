"""One event, one line: a template for each kind says how it is written, and reads it back."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any, NamedTuple

from companion.referee import events as e
from companion.referee.cards import format_cards, parse_card, parse_cards
from companion.referee.events import Event
from companion.referee.melds import Meld
from companion.referee.notation.counts import format_count, read_count
from companion.referee.notation.values import (
    format_meld,
    format_rules,
    format_switch,
    read_meld,
    read_rules,
    read_switch,
)  # fmt: skip


class MalformedLine(ValueError):
    """The line that is no entry."""


def format_event(event: Event) -> str:
    """The line of an event.

    >>> format_event(e.Bought(4, 2))
    '4 buy 2'
    """
    return _LINES[type(event)].write(event)


def parse_event(line: str) -> Event:
    """The event of a line; spaces around it do not matter. Raises MalformedLine.

    >>> parse_event("4 score 0:45 1:0 out 1")
    HandScored(hand=4, out=1, points={0: 45, 1: 0}, floating=frozenset(), counts=(), laid=None)
    """
    text = " ".join(line.split())
    for known in _LINES.values():
        if match := known.pattern.fullmatch(text):
            try:
                return known.read(match.groupdict(default=""))
            except (ValueError, TypeError, SyntaxError) as error:  # a card, a number or a switch that is none
                raise MalformedLine(line) from error
    raise MalformedLine(line)


# --- the fields of an event -------------------------------------------------------------------------------------


class _Part(NamedTuple):
    """A field inside a line: the pattern of its text, and both ways."""

    pattern: str
    write: Callable[[Any], str]
    read: Callable[[str], Any]


def _optional(before: str, part: _Part, missing: object = (), pattern: str = "") -> _Part:
    """A part that comes after these words, all of it left out where the value is ``missing``."""

    def read(text: str) -> Any:
        return part.read(text.strip().removeprefix(before.strip())) if text.strip() else missing

    return _Part(
        pattern or f"(?:{before}(?:{part.pattern}))?",
        lambda value: "" if value == missing else before + part.write(value),
        read,
    )


def _many(write: Callable[[Any], str], read: Callable[[str], Any]) -> _Part:
    """What stands with strokes between."""
    return _Part(
        ".+",
        lambda values: " / ".join(map(write, values)),
        lambda text: tuple(read(part) for part in text.split("/")),
    )


def _ints(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _read_ints(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


def _points(points: Mapping[int, int]) -> str:
    return "".join(f" {seat}:{value}" for seat, value in points.items())


def _read_points(text: str) -> dict[int, int]:
    return {int(seat): int(value) for seat, value in (pair.split(":") for pair in text.split())}


def _changed(changed: tuple[int, Meld]) -> str:
    return f"{changed[0]} {format_meld(changed[1])}"


def _read_changed(text: str) -> tuple[int, Meld]:
    number, meld = text.split(maxsplit=1)
    return int(number), read_meld(meld)


_N = r"-?\d+"
_LIST = rf"{_N}(?: {_N})*"
_NUMBER, _CARD, _MELD = _Part(_N, str, int), _Part(r"\S+", str, parse_card), _Part(".+", format_meld, read_meld)
_NUMBERS = _Part(_LIST, _ints, _read_ints)
_MAYBE_MELD = _Part(
    "[^=]+",
    lambda meld: "-" if meld is None else format_meld(meld),
    lambda text: None if text.strip() == "-" else read_meld(text),
)
_MELDS = _many(format_meld, read_meld)
_POINTS = _Part(rf"(?: {_N}:{_N})*", _points, _read_points)
#: By the name of the field; the others are numbers.
_PARTS = {
    "base": _MAYBE_MELD,
    "card": _CARD,
    "cards": _optional(" ", _Part("", format_cards, parse_cards), pattern=r"(?: [^\s:]+)*"),
    "changed": _optional(" ", _many(_changed, _read_changed), pattern="[^+]*"),
    "counts": _optional(" counts: ", _many(format_count, read_count)),
    "dropped": _optional(" dropped ", _NUMBERS),
    "end": _optional(" ", _Part("low|high", str, str), missing=None),
    "floating": _optional(
        " floating ",
        _Part(_LIST, lambda seats: _ints(sorted(seats)), lambda text: frozenset(_read_ints(text))),
        missing=frozenset(),
    ),
    "begins": _Part(
        rf"(?: on(?: {_N}:{_N})+)?",
        lambda begins: f" on{_points(begins)}" if begins else "",
        lambda text: _read_points(text.strip().removeprefix("on")),
    ),
    "laid": _Part(
        rf"(?: laid (?:{_LIST}|nobody))?",
        lambda laid: "" if laid is None else f" laid {_ints(sorted(laid)) or 'nobody'}",
        lambda text: (
            frozenset(_read_ints(text.strip().removeprefix("laid").replace("nobody", ""))) if text.strip() else None
        ),
    ),
    "kept": _optional(" kept ", _NUMBERS),
    "melds": _optional(" ", _MELDS, pattern=".*"),
    "new": _optional(" + ", _MELDS, pattern=r"(?:\+.*)?"),
    "order": _optional(" ", _NUMBERS),
    "out": _Part(
        rf"{_N}|nobody",
        lambda seat: "nobody" if seat is None else str(seat),
        lambda text: None if text == "nobody" else int(text),
    ),
    "paid": _POINTS,
    "points": _POINTS,
    "position": _optional(" at ", _NUMBER, missing=None),
    "result": _MELD,
    "to": _Part("low|high|hand|table", str, str),
    "what": _Part(r"\w+", str, str),
    "wild": _CARD,
}


# --- the lines --------------------------------------------------------------------------------------------------


class _Line(NamedTuple):
    """How a kind of event is written, the pattern of its line, and how it is made of the texts that this finds."""

    kind: type
    write: Callable[[Any], str]
    pattern: re.Pattern[str]
    read: Callable[[dict[str, str]], Event]


def _line(kind: type[Any], template: str, **own: _Part) -> _Line:
    """A line with every field of the event in its place; how one is written say ``own``, then ``_PARTS``."""
    parts = {field.name: _PARTS.get(field.name, _NUMBER) for field in fields(kind)} | own
    pattern = template.format_map({name: f"(?P<{name}>{part.pattern})" for name, part in parts.items()})
    return _Line(
        kind,
        lambda event: template.format_map({name: part.write(getattr(event, name)) for name, part in parts.items()}),
        re.compile(pattern),
        lambda texts: kind(**{name: part.read(texts[name]) for name, part in parts.items()}),
    )


def _started(event: e.GameStarted) -> str:
    sheet, _, switches = format_rules(event.rules).partition(" ")
    line = f"{event.first_hand} start {sheet} seats {_ints(event.seats)} dealer {event.dealer}"
    carried = f" carried {_ints(event.carried)}" if event.carried else ""
    return line + carried + (f" with {switches}" if switches else "")


def _read_started(texts: dict[str, str]) -> e.GameStarted:
    rules = read_rules(f"{texts['sheet']} {texts['switches']}")
    seats, carried = _read_ints(texts["seats"]), _read_ints(texts["carried"])
    return e.GameStarted(rules, seats, int(texts["dealer"]), int(texts["hand"]), carried)


_START = re.compile(
    rf"(?P<hand>{_N}) start (?P<sheet>\S+) seats (?P<seats>{_LIST}) dealer (?P<dealer>{_N})"
    rf"(?: carried (?P<carried>{_LIST}))?(?: with (?P<switches>.+))?"
)
_LINES = {
    line.kind: line
    for line in (
        # first: the lines of melds would take what follows the stroke for a card
        _Line(
            e.DoneTogether,
            lambda event: " & ".join(map(format_event, event.events)),
            re.compile(r"(?P<lines>.+ & .+)"),
            lambda texts: e.DoneTogether(tuple(map(parse_event, texts["lines"].split(" & ")))),
        ),
        _Line(e.GameStarted, _started, _START, _read_started),
        _line(e.Bought, "{hand} buy {seat}"),
        _line(e.BuyTakenBack, "{hand} take back buy {seat}"),
        _line(e.WentDown, "{hand} down {seat}:{melds}"),
        _line(e.WentDownWithoutCards, "{hand} down {seat} without cards"),
        _line(e.LaidOff, "{hand} lay {seat} {card}{end} on {meld}: {result}"),
        _line(e.WildReplaced, "{hand} replace {seat} {card} for {wild} to {to} on {meld}{position}: {result}"),
        _line(e.Rearranged, "{hand} rearrange {seat}{cards}:{changed}{new}"),
        _line(e.MeldCorrected, "{hand} correct meld {meld}{kept}{dropped}: {base} = {result}", result=_MAYBE_MELD),
        _line(e.GoingDownTakenBack, "{hand} take back down {seat}"),
        _line(e.Floated, "{hand} float {seat}"),
        _line(e.FloatTakenBack, "{hand} take back float {seat}"),
        _line(e.SatOut, "{hand} sit out {seat}"),
        _line(e.SatBackIn, "{hand} sit in {seat}"),
        _line(e.HandScored, "{hand} score{points} out {out}{floating}{laid}{counts}"),
        _line(e.ScoreCorrected, "{hand} rescore{points} out {out}{floating}{laid}{counts}"),
        _line(e.ChipsPaid, "{hand} chips {what}{paid}"),
        _line(e.PurseFilled, "{hand} fill purse {seat} {chips}"),
        _line(e.HandDealtAnew, "{hand} deal anew"),
        _line(
            e.SeatJoined,
            "join {seat} place {place} carried {carried}{begins}",
            begins=_optional(" on ", _NUMBER, missing=None),
        ),
        _line(e.SeatLeft, "leave {seat}"),
        _line(e.SeatReturned, "return {seat}"),
        _line(e.SeatsMoved, "seats{order}"),
        _line(e.DealerSet, "{hand} dealer {seat}"),
        _Line(
            e.RuleOverruled,
            lambda event: f"overrule {format_switch(event.switch, event.value)}",
            re.compile(r"overrule (?P<switch>\S+)"),
            lambda texts: e.RuleOverruled(*read_switch(texts["switch"])),
        ),
        _line(e.GameClosed, "close"),
        _line(e.GameReopened, "reopen"),
        _line(e.HandResumed, "resume"),
        _line(e.CarriedCorrected, "recarry{carried}{begins}", carried=_POINTS),
        _line(e.GameDiscarded, "discard"),
        _line(e.Undone, "undo {entry}"),
        _line(e.Redone, "redo {entry}"),
    )
}
