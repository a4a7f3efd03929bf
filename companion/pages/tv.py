"""The page for a television across the room: hand, contract, totals, who deals; nothing to tap."""

from dataclasses import dataclass

from flask_babel import gettext as _

from companion import wording
from companion.pages.table import TablePage, table_page
from companion.record import GameView
from companion.referee.standings import standings
from companion.referee.state import Phase


@dataclass(frozen=True, slots=True)
class Standing:
    """A player: total, place in words ("" before the first score), and what there is to say of them in this hand."""

    name: str
    total: int
    place: str
    leads: bool
    deals: bool = False
    starts: bool = False
    status: str = ""


@dataclass(frozen=True, slots=True)
class TvPage:
    """The page; ``table`` is None once the night is over, and the players then come by their places."""

    table: TablePage | None
    players: tuple[Standing, ...]


def tv_page(view: GameView) -> TvPage:
    """A game as it stands, for who only looks."""
    if view.state.phase is not Phase.PLAYING:
        return TvPage(None, _final(view))
    table = table_page(view)
    return TvPage(table, tuple(_standing(row.facts, row.leads) for row in table.rows))


def _standing(facts: wording.RowFacts, leads: bool) -> Standing:
    status = ""
    if facts.sitting_out:
        status = _("sits this hand out")
    elif facts.floating:
        status = _("Floats")
    elif facts.is_down:
        status = _("Down")
    return Standing(facts.name, facts.total, facts.place, leads, facts.dealer, facts.starter, status)


def _final(view: GameView) -> tuple[Standing, ...]:
    stood = standings(view.state)
    return tuple(
        Standing(view.names[seat], stood.totals[seat], wording.place_words(stood.place(seat)), stood.leads(seat))
        for seat in stood.ranked(view.state.order)
    )
