"""The end of the night as its page shows it: winners, places, totals, who won which hand."""

from dataclasses import dataclass

from flask_babel import gettext as _
from flask_babel import ngettext

from companion import wording
from companion.pages.standings import HandWon, PlayerLine, hands_won, player_lines
from companion.pages.table import LastEntry, last_entry
from companion.record import GameView
from companion.referee.commands import CloseGame, ReopenGame
from companion.referee.engine import problems
from companion.referee.games import game_of
from companion.referee.scoring import purses
from companion.referee.standings import standings
from companion.referee.state import GameState, Phase
from companion.wording import recap as words
from companion.wording.grebber import chips_words


@dataclass(frozen=True, slots=True)
class EndPage:
    """Everything the page shows: ``title`` says who won, or how the night stands; ``detail`` how, in one line.

    ``players`` come by place, then who left; in seat order while no hand is scored (G9.3, G9.4).
    """

    over: bool
    title: str
    detail: str
    players: tuple[PlayerLine, ...]
    hands: tuple[HandWon, ...]
    may_close: bool
    may_reopen: bool
    take_back: LastEntry | None


def end_page(view: GameView) -> EndPage:
    """The page of a game, during the night or after it."""
    state = view.state
    over = state.phase in (Phase.FINISHED, Phase.CLOSED)
    stood = standings(state)
    undo = view.undo if state.phase is Phase.FINISHED else None
    return EndPage(
        over=over,
        title=_title(view, stood.winners, over),
        detail=_detail(state, over),
        players=tuple(player_lines(view, stood.ranked(state.chairs if state.scores else state.order))),
        hands=tuple(hands_won(view)),
        may_close=not problems(state, CloseGame()),
        may_reopen=not problems(state, ReopenGame()),
        take_back=last_entry(undo, view),
    )


def _title(view: GameView, first: tuple[int, ...], over: bool) -> str:
    if first:
        return words.headline(first, view.names, over=over)
    return _("Nobody won: no hand was scored.") if over else _("No hand is scored yet.")


def _detail(state: GameState, over: bool) -> str:
    """How long the night was, and what is left in the pot (K6)."""
    said = _length(state, over)
    pot = purses(state)[1]
    return said + " " + _("In the pot: %(chips)s.", chips=chips_words(pot)) if pot else said


def _length(state: GameState, over: bool) -> str:
    rules, scored = state.rules, len(state.scores)
    if not scored:
        return ""
    if state.phase is Phase.FINISHED:
        if game_of(rules).has_target:
            return ngettext("%(target)s points are reached, in %(num)s hand.", "%(target)s points are reached, in %(num)s hands.",
                            scored, target=rules.target)  # fmt: skip
        return ngettext("The one hand is played.", "All %(num)s hands are played.", len(rules.contracts))
    after = wording.after_words(state.scores[-1].number, len(rules.contracts))
    return _("%(after)s, closed early.", after=after) if over else f"{after}."
