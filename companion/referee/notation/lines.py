"""One event, one line: how each kind is written, and the pattern that reads it back."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from companion.referee import events as e
from companion.referee.cards import parse_card, parse_cards
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
    """The line is no entry; ``text`` is the line."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def format_event(event: Event) -> str:
    """The line of an event.

    >>> format_event(e.Bought(4, 2))
    '4 buy 2'
    """
    return _WRITERS[type(event)](event)


def parse_event(line: str) -> Event:
    """The event of a line; spaces around it do not matter. Raises MalformedLine.

    >>> parse_event("4 score 0:45 1:0 out 1")
    HandScored(hand=4, out=1, points={0: 45, 1: 0}, floating=frozenset(), counts=())
    """
    text = " ".join(line.split())
    for pattern, build in _READERS:
        if match := pattern.fullmatch(text):
            return _built(build, match.groupdict(), text)
    raise MalformedLine(line)


def _built(build: Callable[[dict[str, Any]], Event], parts: dict[str, Any], line: str) -> Event:
    try:
        return build(parts)
    except (ValueError, TypeError) as error:  # a card, a number or a switch that is none
        raise MalformedLine(line) from error


# --- small words ------------------------------------------------------------------------------------------------


def _ints(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _read_ints(text: str | None) -> tuple[int, ...]:
    return tuple(map(int, text.split())) if text else ()


def _some(word: str, numbers: Iterable[int]) -> str:
    """`` word 1 2 3``, or nothing without numbers."""
    listed = _ints(numbers)
    return f" {word} {listed}" if listed else ""


def _maybe(meld: Meld | None) -> str:
    return "-" if meld is None else format_meld(meld)


def _read_maybe(text: str) -> Meld | None:
    return None if text.strip() == "-" else read_meld(text)


def _melds(melds: Iterable[Meld]) -> str:
    return " / ".join(map(format_meld, melds))


def _read_melds(text: str) -> tuple[Meld, ...]:
    return tuple(read_meld(part) for part in text.split("/")) if text.strip() else ()


def _points(points: Mapping[int, int]) -> str:
    return " ".join(f"{seat}:{value}" for seat, value in points.items())


def _read_points(text: str) -> dict[int, int]:
    pairs = (pair.split(":") for pair in text.split())
    return {int(seat): int(value) for seat, value in pairs}


# --- writing ----------------------------------------------------------------------------------------------------


def _started(event: e.GameStarted) -> str:
    sheet, _, switches = format_rules(event.rules).partition(" ")
    line = f"{event.first_hand} start {sheet} seats {_ints(event.seats)} dealer {event.dealer}"
    return line + _some("carried", event.carried) + (f" with {switches}" if switches else "")


def _laid_off(event: e.LaidOff) -> str:
    end = f" {event.end}" if event.end else ""
    return f"{event.hand} lay {event.seat} {event.card}{end} on {event.meld}: {format_meld(event.result)}"


def _replaced(event: e.WildReplaced) -> str:
    at = "" if event.position is None else f" at {event.position}"
    move = f"{event.card} for {event.wild} to {event.to}"
    return f"{event.hand} replace {event.seat} {move} on {event.meld}{at}: {format_meld(event.result)}"


def _rearranged(event: e.Rearranged) -> str:
    cards = "".join(f" {card}" for card in event.cards)
    changed = " / ".join(f"{number} {format_meld(meld)}" for number, meld in event.changed)
    new = f" + {_melds(event.new)}" if event.new else ""
    return f"{event.hand} rearrange {event.seat}{cards}: {changed}".rstrip() + new


def _corrected(event: e.MeldCorrected) -> str:
    moved = _some("kept", event.kept) + _some("dropped", event.dropped)
    return f"{event.hand} correct meld {event.meld}{moved}: {_maybe(event.base)} = {_maybe(event.result)}"


def _scores(word: str) -> Callable[[Any], str]:
    def line(event: e.HandScored | e.ScoreCorrected) -> str:
        out = "nobody" if event.out is None else str(event.out)
        points = f" {_points(event.points)}" if event.points else ""
        line = f"{event.hand} {word}{points} out {out}" + _some("floating", sorted(event.floating))
        return line + (f" counts: {' / '.join(map(format_count, event.counts))}" if event.counts else "")

    return line


def _of_seat(words: str) -> Callable[[Any], str]:
    return lambda event: f"{event.hand} {words} {event.seat}"


_WRITERS: dict[type, Callable[[Any], str]] = {
    e.GameStarted: _started,
    e.Bought: _of_seat("buy"),
    e.BuyTakenBack: _of_seat("take back buy"),
    e.WentDown: lambda event: f"{event.hand} down {event.seat}: {_melds(event.melds)}".rstrip(),
    e.WentDownWithoutCards: lambda event: f"{event.hand} down {event.seat} without cards",
    e.LaidOff: _laid_off,
    e.WildReplaced: _replaced,
    e.Rearranged: _rearranged,
    e.MeldCorrected: _corrected,
    e.GoingDownTakenBack: _of_seat("take back down"),
    e.Floated: _of_seat("float"),
    e.FloatTakenBack: _of_seat("take back float"),
    e.SatOut: _of_seat("sit out"),
    e.SatBackIn: _of_seat("sit in"),
    e.HandScored: _scores("score"),
    e.ScoreCorrected: _scores("rescore"),
    e.ChipsPaid: lambda event: f"{event.hand} chips {event.what} {_points(event.paid)}".rstrip(),
    e.PurseFilled: lambda event: f"{event.hand} fill purse {event.seat} {event.chips}",
    e.HandDealtAnew: lambda event: f"{event.hand} deal anew",
    e.SeatJoined: lambda event: f"join {event.seat} place {event.place} carried {event.carried}",
    e.SeatLeft: lambda event: f"leave {event.seat}",
    e.SeatReturned: lambda event: f"return {event.seat}",
    e.SeatsMoved: lambda event: f"seats {_ints(event.order)}".rstrip(),
    e.DealerSet: _of_seat("dealer"),
    e.RuleOverruled: lambda event: f"overrule {format_switch(event.switch, event.value)}",
    e.GameClosed: lambda event: "close",
    e.GameReopened: lambda event: "reopen",
    e.Undone: lambda event: f"undo {event.entry}",
    e.Redone: lambda event: f"redo {event.entry}",
}


# --- reading ----------------------------------------------------------------------------------------------------


def _read_started(parts: dict[str, Any]) -> e.GameStarted:
    rules = read_rules(f"{parts['sheet']} {parts['switches'] or ''}")
    seats, carried = _read_ints(parts["seats"]), _read_ints(parts["carried"])
    return e.GameStarted(rules, seats, int(parts["dealer"]), int(parts["hand"]), carried)


def _read_laid_off(parts: dict[str, Any]) -> e.LaidOff:
    return e.LaidOff(*_place(parts), parse_card(parts["card"]), parts["end"], read_meld(parts["result"]))


def _read_replaced(parts: dict[str, Any]) -> e.WildReplaced:
    position = None if parts["at"] is None else int(parts["at"])
    card, wild, result = parse_card(parts["card"]), parse_card(parts["wild"]), read_meld(parts["result"])
    return e.WildReplaced(*_place(parts), card, wild, parts["to"], result, position)


def _read_rearranged(parts: dict[str, Any]) -> e.Rearranged:
    changed, _, new = parts["melds"].partition("+")
    by_number = (part.split(maxsplit=1) for part in changed.split("/") if part.strip())
    after = tuple((int(number), read_meld(meld)) for number, meld in by_number)
    cards = parse_cards(parts["cards"] or "")
    return e.Rearranged(int(parts["hand"]), int(parts["seat"]), cards, after, _read_melds(new))


def _place(parts: dict[str, Any]) -> tuple[int, int, int]:
    return int(parts["hand"]), int(parts["seat"]), int(parts["meld"])


def _read_corrected(parts: dict[str, Any]) -> e.MeldCorrected:
    kept, dropped = _read_ints(parts["kept"]), _read_ints(parts["dropped"])
    base, result = _read_maybe(parts["base"]), _read_maybe(parts["result"])
    return e.MeldCorrected(int(parts["hand"]), int(parts["meld"]), result, kept, dropped, base)


def _read_scores(kind: Callable[..., Event]) -> Callable[[dict[str, Any]], Event]:
    def build(parts: dict[str, Any]) -> Event:
        out = None if parts["out"] == "nobody" else int(parts["out"])
        points, floating = _read_points(parts["points"]), frozenset(_read_ints(parts["floating"]))
        counts = tuple(map(read_count, (parts["counts"] or "").split("/"))) if parts["counts"] else ()
        return kind(int(parts["hand"]), out, points, floating, counts)

    return build


def _numbers(kind: Callable[..., Event]) -> Callable[[dict[str, Any]], Event]:
    """Events of whole numbers only, in the order of the pattern's names."""
    return lambda parts: kind(*(int(number) for number in parts.values()))


_N = r"-?\d+"
_LIST = rf"{_N}(?: {_N})*"
_HAND, _SEAT = rf"(?P<hand>{_N})", rf"(?P<seat>{_N})"
_SCORES = rf"(?P<points>(?: {_N}:{_N})*) out (?P<out>{_N}|nobody)(?: floating (?P<floating>{_LIST}))?(?: counts: (?P<counts>.+))?"
_ON = rf"on (?P<meld>{_N})"

_READERS: tuple[tuple[re.Pattern[str], Callable[[dict[str, Any]], Event]], ...] = tuple(
    (re.compile(pattern), build)
    for pattern, build in (
        (
            rf"{_HAND} start (?P<sheet>\S+) seats (?P<seats>{_LIST}) dealer (?P<dealer>{_N})"
            rf"(?: carried (?P<carried>{_LIST}))?(?: with (?P<switches>.+))?",
            _read_started,
        ),
        (rf"{_HAND} buy {_SEAT}", _numbers(e.Bought)),
        (rf"{_HAND} take back buy {_SEAT}", _numbers(e.BuyTakenBack)),
        (rf"{_HAND} down {_SEAT} without cards", _numbers(e.WentDownWithoutCards)),
        (
            rf"{_HAND} down {_SEAT}:(?P<melds>.*)",
            lambda parts: e.WentDown(int(parts["hand"]), int(parts["seat"]), _read_melds(parts["melds"])),
        ),
        (rf"{_HAND} lay {_SEAT} (?P<card>\S+)(?: (?P<end>low|high))? {_ON}: (?P<result>.+)", _read_laid_off),
        (
            rf"{_HAND} replace {_SEAT} (?P<card>\S+) for (?P<wild>\S+) to (?P<to>low|high|hand|table) {_ON}"
            rf"(?: at (?P<at>{_N}))?: (?P<result>.+)",
            _read_replaced,
        ),
        (rf"{_HAND} rearrange {_SEAT}(?P<cards>(?: [^\s:]+)*):(?P<melds>.*)", _read_rearranged),
        (
            rf"{_HAND} correct meld (?P<meld>{_N})(?: kept (?P<kept>{_LIST}))?(?: dropped (?P<dropped>{_LIST}))?"
            r": (?P<base>[^=]+) = (?P<result>.+)",
            _read_corrected,
        ),
        (rf"{_HAND} take back down {_SEAT}", _numbers(e.GoingDownTakenBack)),
        (rf"{_HAND} float {_SEAT}", _numbers(e.Floated)),
        (rf"{_HAND} take back float {_SEAT}", _numbers(e.FloatTakenBack)),
        (rf"{_HAND} sit out {_SEAT}", _numbers(e.SatOut)),
        (rf"{_HAND} sit in {_SEAT}", _numbers(e.SatBackIn)),
        (rf"{_HAND} score{_SCORES}", _read_scores(e.HandScored)),
        (rf"{_HAND} rescore{_SCORES}", _read_scores(e.ScoreCorrected)),
        (
            rf"{_HAND} chips (?P<what>\w+)(?P<paid>(?: {_N}:{_N})*)",
            lambda parts: e.ChipsPaid(int(parts["hand"]), parts["what"], _read_points(parts["paid"])),
        ),
        (rf"{_HAND} fill purse {_SEAT} (?P<chips>{_N})", _numbers(e.PurseFilled)),
        (rf"{_HAND} deal anew", _numbers(e.HandDealtAnew)),
        (
            rf"join {_SEAT} place (?P<place>{_N}) carried (?P<carried>{_N})",
            lambda parts: e.SeatJoined(int(parts["seat"]), int(parts["carried"]), int(parts["place"])),
        ),
        (rf"leave {_SEAT}", _numbers(e.SeatLeft)),
        (rf"return {_SEAT}", _numbers(e.SeatReturned)),
        (rf"seats(?P<order>(?: {_N})*)", lambda parts: e.SeatsMoved(_read_ints(parts["order"]))),
        (rf"{_HAND} dealer {_SEAT}", _numbers(e.DealerSet)),
        (r"overrule (?P<switch>\S+)", lambda parts: e.RuleOverruled(*read_switch(parts["switch"]))),
        (r"close", lambda parts: e.GameClosed()),
        (r"reopen", lambda parts: e.GameReopened()),
        (rf"undo (?P<entry>{_N})", _numbers(e.Undone)),
        (rf"redo (?P<entry>{_N})", _numbers(e.Redone)),
    )
)
