"""The games that this phone keeps, to throw those away that were started by mistake, and those thrown away of late."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from flask_babel import format_date, format_time, pgettext
from flask_babel import gettext as _

from companion import record, wording
from companion.record import GameSummary


@dataclass(frozen=True, slots=True)
class Kept:
    """A game in one of the two lists: when it began, who plays, and how it stands or until when it can be taken back;
    ``seen`` is its revision.
    """

    code: str
    begun: str
    players: str
    state: str
    seen: int


@dataclass(frozen=True, slots=True)
class TidyPage:
    """The page; ``error`` is what was wrong with what was sent."""

    kept: tuple[Kept, ...]
    thrown: tuple[Kept, ...]
    error: str = ""


def tidy_page(kept: Sequence[GameSummary], thrown: Sequence[GameSummary], error: str = "") -> TidyPage:
    """The page of these games."""
    return TidyPage(
        tuple(_kept(game, _state(game)) for game in kept), tuple(_kept(game, _until(game)) for game in thrown), error
    )


def _kept(game: GameSummary, state: str) -> Kept:
    begun = f"{format_date(game.created_at, 'medium')}, {format_time(game.created_at, 'short')}"
    players = wording.and_list(wording.isolate(seat.name) for seat in game.seats)
    return Kept(game.code, begun, players, state, game.revision)


def _state(game: GameSummary) -> str:
    if game.is_over:
        return pgettext("of a game", "over")
    return _("hand %(n)s is played", n=game.hand or 0)


def _until(game: GameSummary) -> str:
    end = game.changed_at + record.TAKEN_BACK
    return _("can be taken back until %(day)s", day=format_date(end, "long"))


def since() -> datetime:
    """From when on a game that was thrown away can be taken back."""
    return datetime.now(UTC) - record.TAKEN_BACK
