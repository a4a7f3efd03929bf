"""What a writer gets back, and the ways it is refused beside the referee's own."""

from dataclasses import dataclass

from companion.record.reading import EntryView
from companion.referee.events import Event
from companion.referee.reasons import Problem


@dataclass(frozen=True, slots=True)
class Accepted:
    """It landed as ``events``, the last of them entry number ``revision``; ``duplicate``: it had landed before."""

    code: str
    revision: int
    duplicate: bool
    events: tuple[Event, ...]


class NoSuchGame(LookupError):
    """No game has that code."""


class Stale(Exception):
    """The game has moved on, and the command no longer fits (409).

    ``since`` are the entries the person had not seen, ``problems`` what the referee says now; without problems
    the command would be legal but would mean something else than the person saw.
    """

    def __init__(self, revision: int, since: tuple[EntryView, ...], problems: tuple[Problem, ...] = ()) -> None:
        super().__init__(f"at revision {revision}")
        self.revision, self.since, self.problems = revision, since, problems


class TokenSpent(Stale):
    """The form was sent before, with other content, and that landed (409)."""
