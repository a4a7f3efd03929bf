"""Whether a night from elsewhere can be one of ours: what a page could not show is never let in.

What was legal when it was entered is not asked again (law 6); but numbers, names and moments must be such as our own
record has, and the whole must replay.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from companion import codec
from companion.models import SHEET_LENGTH
from companion.names import clean_name, name_problems
from companion.record.exporting import Night
from companion.referee import history
from companion.referee.engine import evolve
from companion.referee.events import (
    CarriedCorrected,
    DoneTogether,
    Event,
    GameStarted,
    ScoreCorrected,
    SeatJoined,
    SeatsMoved,
    parts,
)
from companion.referee.state import GameState

MOST_ENTRIES = 4000  # a long night has four hundred
MOST_SEATS = 40
_MOST = 1_000_000  # of any number in an entry
_LONGEST = 60  # text in an entry: a switch's name
_EARLIEST, _LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)


class InvalidImport(ValueError):
    """A night that cannot be taken: ``why`` is a code (wording.exporting has the sentences), ``facts`` go with it.

    ``night`` counts the nights of the file from 1, ``entry`` the entries of that night; 0: none in particular. ``done``
    is what had become of the nights before it by then.
    """

    done: Sequence[Any] = ()

    def __init__(self, why: str, night: int = 0, entry: int = 0, **facts: object) -> None:
        super().__init__(f"night {night}, entry {entry}: {why} {facts or ''}".rstrip())
        self.why, self.night, self.entry, self.facts = why, night, entry, facts


def validate(night: Night, place: int = 0) -> GameState:
    """The state that a night comes to. Raises InvalidImport; ``place`` says which night of a file it is."""
    try:
        _whole(night)
        for number, event in enumerate(night.events, 1):
            _entry(night, number, event)
        return _replayed(night)
    except InvalidImport as invalid:
        raise InvalidImport(invalid.why, place, invalid.entry, **invalid.facts) from invalid


def _whole(night: Night) -> None:
    if not re.fullmatch(r"[A-Za-z0-9_-]{8,40}", night.uid):
        raise InvalidImport("uid")
    if not 0 < len(night.entries) <= MOST_ENTRIES:
        raise InvalidImport("too_long", most=MOST_ENTRIES)
    if not _names_fit(night):
        raise InvalidImport("names")
    if not all(_EARLIEST <= at < _LATEST for at in (night.created_at, *(entry.at for entry in night.entries))):
        raise InvalidImport("time")
    if any(entry.phone is not None and not 0 <= entry.phone < len(night.phones) for entry in night.entries):
        raise InvalidImport("phones")
    numbers = [phone.number for phone in night.phones if phone.number is not None]
    if len(set(numbers)) < len(numbers) or any(not 0 < number <= _MOST for number in numbers):
        raise InvalidImport("phones")
    hashes = [phone.token_hash for phone in night.phones if phone.token_hash]
    if len(set(hashes)) < len(hashes) or any(phone.seat not in (None, *night.names) for phone in night.phones):
        raise InvalidImport("phones")


def _names_fit(night: Night) -> bool:
    """Whether the names can sit at one table, and each forgotten one is another."""
    known = [name for seat, name in night.names.items() if seat not in night.forgotten]
    numbers = list(night.forgotten.values())
    return (
        0 < len(night.names) <= MOST_SEATS
        and not name_problems(known)
        and not any(name_problems([name]) for name in night.entered_as.values())
        and set(night.entered_as) | set(night.forgotten) <= set(night.names)
        and len(set(numbers)) == len(numbers)
        and all(0 < number <= _MOST for number in numbers)
    )


def _entry(night: Night, number: int, event: Event) -> None:
    data = codec.encode(event)[1]
    name = data["rules"].pop("list_name", "") if isinstance(event, GameStarted) else ""
    if not all(_is_small(value) for value in _values(data)) or (name and _is_no_name(name)):
        raise InvalidImport("too_big", entry=number)
    if not _seats(event) <= set(night.names):
        raise InvalidImport("stranger", entry=number)
    if isinstance(event, GameStarted) and (
        len(event.rules.sheet) > SHEET_LENGTH or len(event.rules.contracts) > MOST_SEATS
    ):
        raise InvalidImport("too_big", entry=number)


def _is_no_name(text: str) -> bool:
    return bool(name_problems([text])) or clean_name(text) != text


def _values(data: Any) -> Iterable[object]:
    """Every number and text in the JSON of an entry."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from _values(value)
    elif isinstance(data, list):
        for value in data:
            yield from _values(value)
    else:
        yield data


def _is_small(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= _LONGEST and value.isprintable()
    return not isinstance(value, int) or -_MOST <= value <= _MOST


def _seats(event: Event) -> set[Any]:
    """Every seat that an event speaks of."""
    if isinstance(event, CarriedCorrected):
        return {*event.carried, *event.begins}
    if isinstance(event, DoneTogether):
        return set().union(*map(_seats, event.events))
    seats = {getattr(event, name, None) for name in ("seat", "dealer", "out")} - {None}
    seats.update(
        *(getattr(event, name, None) or () for name in ("seats", "order", "points", "floating", "paid", "laid"))
    )
    return seats.union(count.seat for count in getattr(event, "counts", ()))


def _replayed(night: Night) -> GameState:
    """The state by the record, which must be one that the tables of the database can hold."""
    events = night.events
    try:
        replayed = history.replay(events)
        if replayed.problem is not None:
            raise InvalidImport("no_sense", entry=replayed.applied + 1)
        state = GameState()
        for number in history.effective_numbers(events):
            for event in parts(events[number - 1]):
                if not _fits(state, event):
                    raise InvalidImport("no_sense", entry=number)
                state = evolve(state, event)
    except (LookupError, TypeError, AttributeError, AssertionError, ArithmeticError) as error:
        raise InvalidImport("no_sense") from error
    hands = [score.number for score in state.scores] + ([state.hand.number] if state.hand else [])
    if state != replayed.state or not state.order or len(set(hands)) < len(hands):
        raise InvalidImport("no_sense")
    last = state.rules.hands_in_all or MOST_ENTRIES  # a game to a target, or on own hands of the list, has no last hand
    if not all(1 <= hand <= last for hand in hands):
        raise InvalidImport("no_sense")
    return state


def _fits(state: GameState, event: Event) -> bool:
    """Whether the people and the hand that an event speaks of are those of the table it comes to."""
    if isinstance(event, GameStarted):
        known = set(event.seats)
        return len(known) == len(event.seats) and event.dealer in known and len(event.carried) in (0, len(known))
    if isinstance(event, SeatJoined):
        return event.seat not in state.seats
    if isinstance(event, SeatsMoved):
        return sorted(event.order) == sorted(state.order)
    if isinstance(event, ScoreCorrected):
        return state.score_of(event.hand) is not None and _seats(event) <= set(state.seats)
    hand = getattr(event, "hand", None)
    return _seats(event) <= set(state.seats) and (
        hand is None or (state.hand is not None and state.hand.number == hand)
    )
