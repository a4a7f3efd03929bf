"""The history of a game: every entry in words, the last first, hand by hand."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from itertools import groupby

from flask_babel import format_date
from flask_babel import gettext as _

from companion.pages.refusals import device_words, event_words
from companion.pages.table import LastEntry, last_entry
from companion.record import EntryView, GameView
from companion.referee.events import GameStarted, Redone, Undone

_SHOWN = 8  # entries before older hands are folded


@dataclass(frozen=True, slots=True)
class Line:
    """An entry. ``kind`` is "undo", "redo" or ""; ``undone`` says in words that it does not hold, else ""."""

    number: int
    sentence: str
    at: str
    clock: str
    device: str
    kind: str
    undone: str


@dataclass(frozen=True, slots=True)
class Group:
    """Entries made while one hand was on the table, the last first; older ones are folded away."""

    title: str
    day: str
    lines: tuple[Line, ...]
    unfolded: bool = False


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """The page."""

    groups: tuple[Group, ...]
    undo: LastEntry | None
    redo: LastEntry | None


def history_page(
    view: GameView, entries: Sequence[EntryView], zone: tzinfo | None = None, here: int | None = None
) -> HistoryPage:
    """The history; clocks in ``zone`` (None: the server's), ``here`` is the device that looks."""
    by_number = {entry.seq: entry for entry in entries}
    undone_by = {one.event.entry: one.seq for one in entries if isinstance(one.event, Undone)}
    groups = []
    for hand, of_hand in groupby(entries, key=_hand):
        lines = [_line(entry, view, by_number, undone_by, zone, here) for entry in of_hand]
        first = by_number[lines[0].number]
        title = _("Hand %(n)s", n=hand) if hand else _("After the last hand")
        groups.append(Group(title, format_date(first.at.astimezone(zone), "d MMM"), tuple(reversed(lines))))
    return HistoryPage(
        _unfolded(reversed(groups)), _act(view.undo, view, by_number, here), _act(view.redo, view, by_number, here)
    )


def _unfolded(groups: Iterable[Group]) -> tuple[Group, ...]:
    """The newest groups open, as many as it takes to show the last few entries."""
    shown, unfolded = 0, []
    for group in groups:
        unfolded.append(replace(group, unfolded=shown < _SHOWN))
        shown += len(group.lines)
    return tuple(unfolded)


def _hand(entry: EntryView) -> int | None:
    """The number of the hand that was on the table; None once the last was scored."""
    if isinstance(entry.event, GameStarted):
        return entry.event.first_hand
    return entry.before.hand.number if entry.before and entry.before.hand else None


def _line(
    entry: EntryView,
    view: GameView,
    by_number: Mapping[int, EntryView],
    undone_by: Mapping[int, int],
    zone: tzinfo | None,
    here: int | None,
) -> Line:
    return Line(
        number=entry.seq,
        sentence=_sentence(entry, view, by_number),
        at=f"{entry.at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        clock=f"{entry.at.astimezone(zone):%H:%M}",
        device=device_words(entry.device, here),
        kind="undo" if isinstance(entry.event, Undone) else "redo" if isinstance(entry.event, Redone) else "",
        undone=_("Undone by entry %(number)s", number=undone_by[entry.seq]) if entry.holds is False else "",
    )


def _sentence(entry: EntryView, view: GameView, by_number: Mapping[int, EntryView]) -> str:
    """An undo or redo tells of its entry as that was told then: the state it came into is the entry's, not its own."""
    if isinstance(entry.event, Undone | Redone) and entry.event.entry in by_number:
        entry = replace(entry, before=by_number[entry.event.entry].before)
    return event_words(entry, view)


def _act(
    entry: EntryView | None, view: GameView, by_number: Mapping[int, EntryView], here: int | None
) -> LastEntry | None:
    known = by_number.get(entry.seq, entry) if entry else None
    return last_entry(known, view, device_words(known.device, here) if known else "")
