"""The record in lines that people can read and write: one event a line, exact both ways.

A line about one hand begins with the hand's number. Seats and entries are numbers, cards as ``10S``::

    1 start kate seats 0 1 2 3 dealer 2
    1 buy 2
    1 down 1: set 9? 9? 2S / set KS KD 2H
    1 lay 1 9H on 0: set 9? 9? 2S 9H
    1 score 0:45 1:0 2:120 3:15 out 1
    undo 5

In a file of lines, ``#`` begins a comment, and empty lines are skipped.
"""

from collections.abc import Iterable

from companion.referee.events import Event
from companion.referee.notation.lines import MalformedLine, format_event, parse_event
from companion.referee.notation.values import format_meld, read_meld

__all__ = [
    "MalformedLine", "format_event", "format_game", "format_meld", "parse_event", "parse_game", "read_meld",
]  # fmt: skip


def format_game(entries: Iterable[Event]) -> str:
    """A record as text, one line an entry, in order.

    >>> from companion.referee.events import Bought
    >>> format_game([Bought(1, 2)])
    '1 buy 2\\n'
    """
    return "".join(f"{format_event(event)}\n" for event in entries)


def parse_game(text: str) -> tuple[Event, ...]:
    """The entries of a text that ``format_game`` or a person wrote; raises MalformedLine for the first bad line.

    >>> parse_game("1 buy 2  # the jack\\n\\nclose")
    (Bought(hand=1, seat=2), GameClosed())
    """
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return tuple(parse_event(line) for line in lines if line)
