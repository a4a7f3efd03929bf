"""The look at nights that a file carries further than they are here, before a keeper lets them go on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flask_babel import format_date, ngettext, pgettext

from companion import record, wording
from companion.exporting import files
from companion.i18n import evening_of
from companion.record import GameView
from companion.record.exporting import ExportedHouse, Night
from companion.record.importing import Imported
from companion.record.validation import validate
from companion.referee.standings import totals
from companion.referee.state import GameState, Phase


@dataclass(frozen=True, slots=True)
class FurtherNight:
    """A night that goes on: its day, how far it is here and in the file, and everybody's points in both ("": not here)."""

    uid: str
    day: str
    here: str
    there: str
    players: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class FurtherPage:
    """``packed`` is what the form sends back: the nights of the file. ``left`` counts those for which it has no room."""

    nights: tuple[FurtherNight, ...]
    packed: str
    left: int


def further_page(done: Sequence[Imported]) -> FurtherPage:
    """The page of the nights that go on in the file; a form has room for so much, and the others wait for the next time."""
    shown = list(done)
    while len(shown) > 1 and len(_packed(shown)) > files.MOST_PACKED:
        shown.pop()
    nights = tuple(_further(one.night, view) for one in shown if (view := record.load(one.code)) is not None)
    return FurtherPage(nights, _packed(shown), len(done) - len(shown))


def _packed(done: Iterable[Imported]) -> str:
    return files.packed((ExportedHouse(tuple(one.night for one in done)),))


def _further(night: Night, view: GameView) -> FurtherNight:
    after = validate(night)
    now, then = totals(view.state), totals(after)
    names = {**night.names, **view.names}
    return FurtherNight(
        uid=night.uid,
        day=format_date(evening_of(night.created_at), "medium"),
        here=_stands(view.state, view.revision),
        there=_stands(after, len(night.entries)),
        players=tuple((wording.isolate(names[seat]), str(now.get(seat, "")), str(then[seat])) for seat in after.seats),
    )


def _stands(state: GameState, entries: int) -> str:
    if state.phase is Phase.PLAYING and state.hand is not None:
        where = wording.hand_words(state.hand.number, state.rules.hands_in_all)
    else:
        where = pgettext("one night", "Ended")
    return where + " · " + ngettext("%(num)s entry", "%(num)s entries", entries)
