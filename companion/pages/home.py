"""The home page: what is being played on this phone, and the nights it remembers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from flask_babel import format_date, format_time, ngettext

from companion import wording
from companion.i18n import evening_of
from companion.record import GameSummary
from companion.record.projecting import hands_in_all
from companion.referee.state import Phase
from companion.wording.recap import won_words

SHOWN = 10  # of those going on and of those finished, before a tap on "all"
LEFT_LYING = timedelta(hours=12)  # a night that nobody closed is last week's table all the same


@dataclass(frozen=True, slots=True)
class Tile:
    """A game: which hand is played or who won, who plays or else played, and who leads or the day it began."""

    code: str
    title: str
    players: str
    more: str


@dataclass(frozen=True, slots=True)
class HomePage:
    """``again`` is the code of the last game with its players' names, or None; ``hidden`` counts nights not shown."""

    again: tuple[str, str] | None
    going_on: tuple[Tile, ...]
    nights: tuple[Tile, ...]
    hidden: int

    @property
    def is_empty(self) -> bool:
        """Whether this phone knows no game yet."""
        return not (self.going_on or self.nights)


def home_page(games: Sequence[GameSummary], *, everything: bool = False) -> HomePage:
    """The page of these games, the last changed first."""
    over = [game for game in games if game.is_over]
    playing = [game for game in games if not game.is_over]
    clocks = told_apart((game.code, game.created_at, (seat.name for seat in game.seats)) for game in games)
    most = len(games) if everything else SHOWN
    past = [game for game in games if game.is_over or datetime.now(UTC) - game.changed_at > LEFT_LYING]
    return HomePage(
        again=(past[0].code, _players(past[0])) if past else None,
        going_on=tuple(_going_on(game, clocks) for game in playing[:most]),
        nights=tuple(_night(game, clocks) for game in over[:most]),
        hidden=len(over[most:]) + len(playing[most:]),
    )


def told_apart(games: Iterable[tuple[str, datetime, Iterable[str]]]) -> dict[str, str]:
    """What tells games of the same people on the same evening apart, by code: when each began, and a number where that
    is the same too. ``games`` are codes, when they began, and who plays.
    """
    alike: dict[object, list[tuple[datetime, str]]] = {}
    for code, begun, names in games:
        alike.setdefault((evening_of(begun), frozenset(names)), []).append((begun, code))
    said: dict[str, str] = {}
    for several in (sorted(group) for group in alike.values() if len(group) > 1):
        clocks = [format_time(begun, "short") for begun, _code in several]
        for place, (_begun, code) in enumerate(several):
            nth = clocks[: place + 1].count(clocks[place])
            said[code] = clocks[place] if clocks.count(clocks[place]) == 1 else f"{clocks[place]} ({nth})"
    return said


def _going_on(game: GameSummary, clocks: Mapping[str, str]) -> Tile:
    hand = wording.hand_words(game.hand or 0, hands_in_all(game.sheet, game.contracts))
    first = _first(game)
    leads = ngettext("%(names)s leads", "%(names)s lead", len(first), names=_names(first)) if first else ""
    return Tile(game.code, hand, _players(game), " · ".join(filter(None, (leads, clocks.get(game.code)))))


def _night(game: GameSummary, clocks: Mapping[str, str]) -> Tile:
    first = _first(game)
    others = [seat.name for seat in game.seats if seat.name not in first]
    day = format_date(evening_of(game.created_at), "medium")
    return Tile(game.code, won_words(first), _names(others), ", ".join(filter(None, (day, clocks.get(game.code)))))


def _first(game: GameSummary) -> list[str]:
    """The names in first place; none while all are level during play, or where no hand was scored."""
    placed = [seat for seat in game.seats if seat.place is not None]
    first = [seat.name for seat in placed if seat.place == 1]
    scored = game.phase is Phase.FINISHED or (game.is_over and any(seat.total for seat in placed))
    return first if scored or len(first) < len(placed) else []


def _players(game: GameSummary) -> str:
    return _names([seat.name for seat in game.seats if seat.place is not None])


def _names(names: Sequence[str]) -> str:
    return wording.and_list(map(wording.isolate, names))
