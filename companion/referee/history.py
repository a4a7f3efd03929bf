"""Undo and redo to any depth, and replaying a record (law 7).

Entries are numbered from 1 as they lie in the record. An undo is an entry that names the entry it takes back,
and a redo one that names the entry it restores; neither is ever taken back itself. The start of the game stays.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce

from companion.referee.engine import evolve
from companion.referee.events import Event, GameStarted, Redone, Undone, parts
from companion.referee.reasons import Problem, Reason, refuse
from companion.referee.state import GameState


@dataclass(frozen=True, slots=True)
class Replay:
    """The state after the first ``applied`` entries; ``problem`` is why the next one makes no sense, if any."""

    state: GameState
    applied: int
    problem: Problem | None = None


@dataclass(slots=True)
class _UndoStacks:
    """Numbers of the entries that hold, and of those taken back that a redo would restore (the last one first)."""

    holding: list[int]
    undone: list[int]

    def push(self, number: int, event: Event) -> None:
        """Count one more entry of the record."""
        if isinstance(event, Undone):
            self._move(event.entry, self.holding, self.undone)
        elif isinstance(event, Redone):
            self._move(event.entry, self.undone, self.holding)
        else:
            self.holding.append(number)
            self.undone.clear()

    @staticmethod
    def _move(number: int, source: list[int], target: list[int]) -> None:
        if number in source[-1:]:
            target.append(source.pop())
        elif number in source:  # no undo of ours names any but the last entry; an old record still reads
            source.remove(number)
            target.append(number)

    def refusal(self, entries: Sequence[Event], event: Event) -> Problem | None:
        """Why an entry cannot follow those counted so far."""
        if isinstance(event, Undone):
            return None if event.entry == self.undo_target(entries) else _refusal(Reason.NOTHING_TO_UNDO)
        if isinstance(event, Redone):
            return None if self.undone[-1:] == [event.entry] else _refusal(Reason.NOTHING_TO_REDO)
        if isinstance(event, GameStarted):
            return _refusal(Reason.ALREADY_STARTED) if self.holding else None
        return None if self.holding else _refusal(Reason.NOT_STARTED)

    def undo_target(self, entries: Sequence[Event]) -> int | None:
        """The last entry that holds, unless it is the start of the game."""
        last = self.holding[-1] if self.holding else None
        return None if last is None or isinstance(entries[last - 1], GameStarted) else last


def _refusal(reason: Reason) -> Problem:
    return refuse(reason, "G1.2")[0]


def _stacks(entries: Iterable[Event]) -> _UndoStacks:
    stacks = _UndoStacks([], [])
    for number, event in enumerate(entries, 1):
        stacks.push(number, event)
    return stacks


def effective_numbers(entries: Iterable[Event]) -> tuple[int, ...]:
    """Numbers (from 1) of the entries that hold, in the order of the record.

    >>> from companion.referee.events import Bought, Undone
    >>> effective_numbers([Bought(1, 0), Bought(1, 2), Undone(2), Bought(1, 3)])
    (1, 4)
    """
    return tuple(sorted(_stacks(entries).holding))


def effective(entries: Sequence[Event]) -> tuple[Event, ...]:
    """The events that hold, in order: what was not undone, without the undos and redos themselves; what was done together
    one by one.

    >>> from companion.referee.events import Bought, Undone, Redone
    >>> effective([Bought(1, 0), Bought(1, 2), Undone(2)])
    (Bought(hand=1, seat=0),)
    >>> effective([Bought(1, 0), Bought(1, 2), Undone(2), Redone(2)])
    (Bought(hand=1, seat=0), Bought(hand=1, seat=2))
    """
    return tuple(event for number in effective_numbers(entries) for event in parts(entries[number - 1]))


def undo_target(entries: Sequence[Event]) -> int | None:
    """The number of the entry that an undo takes back now: the last that holds; None at the start of the game.

    >>> from companion.referee.events import Bought, Undone
    >>> undo_target([Bought(1, 0), Bought(1, 2), Undone(2)])
    1
    """
    return _stacks(entries).undo_target(entries)


def redo_target(entries: Sequence[Event]) -> int | None:
    """The number of the entry that a redo restores now: the last undone since the last new entry, or None.

    >>> from companion.referee.events import Bought, Undone
    >>> redo_target([Bought(1, 0), Undone(1)]), redo_target([Bought(1, 0), Undone(1), Bought(1, 2)])
    (1, None)
    """
    undone = _stacks(entries).undone
    return undone[-1] if undone else None


def fold(entries: Iterable[Event]) -> GameState:
    """The state after ordinary entries, none of them an undo or a redo.

    >>> fold(()) == GameState()
    True
    """
    return reduce(evolve, entries, GameState())


def replay(entries: Sequence[Event]) -> Replay:
    """The state after a record. Stops before the first entry that cannot stand there, and says why.

    That is an undo or redo that names the wrong entry, a second start, or anything before the start; whether an
    entry was legal by the rules is never asked again (law 6).

    >>> from companion.referee.events import Bought
    >>> stopped = replay([Bought(1, 0)])
    >>> stopped.applied, stopped.problem.reason.name
    (0, 'NOT_STARTED')
    """
    stacks, refusal = _UndoStacks([], []), None
    applied = 0
    for number, event in enumerate(entries, 1):
        if (refusal := stacks.refusal(entries, event)) is not None:
            break
        stacks.push(number, event)
        applied = number
    return Replay(fold(entries[number - 1] for number in stacks.holding), applied, refusal)
