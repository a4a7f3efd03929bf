"""The page for a television across the room: hand, contract, totals, who deals; nothing to tap."""

from dataclasses import dataclass

from companion.pages.standings import PlayerLine, player_lines
from companion.pages.table import TablePage, table_page
from companion.record import GameView
from companion.referee.standings import standings


@dataclass(frozen=True, slots=True)
class TvPage:
    """The page: the ``table``, or None once the night is over, and ``final`` has the players by their places."""

    table: TablePage | None
    final: tuple[PlayerLine, ...] = ()


def tv_page(view: GameView) -> TvPage:
    """A game as it stands, for who only looks."""
    if view.is_playing:
        return TvPage(table_page(view))
    return TvPage(None, tuple(player_lines(view, standings(view.state).ranked(view.state.order))))
