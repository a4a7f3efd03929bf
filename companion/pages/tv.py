"""The page for a television across the room: hand, contract, totals, who deals; nothing to tap."""

from companion.pages.standings import PlayerLine, player_lines
from companion.pages.table import TablePage, table_page
from companion.record import GameView
from companion.referee.standings import standings


def tv_page(view: GameView) -> tuple[TablePage | None, tuple[PlayerLine, ...]]:
    """The table, for who only looks; once the night is over None, and the players by their places."""
    if view.is_playing:
        return table_page(view), ()
    return None, tuple(player_lines(view, standings(view.state).ranked(view.state.order)))
