"""What every page of a game leads to: the tabs at its foot, everything under "More", and what its head says."""

from dataclasses import dataclass

from flask import url_for
from flask_babel import gettext as _

from companion import wording
from companion.record import GameView
from companion.referee.games import game_of


@dataclass(frozen=True, slots=True)
class Link:
    """A way to another page: ``name`` says in the markup which one it is, ``mark`` is its icon, ``text`` says more."""

    address: str
    title: str
    text: str = ""
    name: str = ""
    mark: str = ""


def heading(view: GameView) -> str:
    """Which hand is played, or that none is."""
    if view.is_playing and view.state.hand:
        return wording.hand_words(view.state.hand.number, view.state.rules.hands_in_all)
    return _("The night is over")


def _asks_about_melds(view: GameView) -> bool:
    return game_of(view.state.rules).asks == "melds"


def tabs(view: GameView) -> tuple[Link, ...]:
    """The pages of a game one turns to most; the second is the question asked most in such a game."""
    code = view.code
    question = Link(url_for("grebber.ask", code=code), _("Ask"), name="ask", mark="scores")
    if _asks_about_melds(view):
        question = Link(url_for("table.discards", code=code), _("Throw?"), name="throw", mark="throw")
    return (
        Link(url_for("table.table", code=code), _("Table"), name="table", mark="table"),
        question,
        Link(url_for("scores.sheet", code=code), _("Scores"), name="scores", mark="scores"),
        Link(url_for("table.more", code=code), _("More"), name="more", mark="more"),
    )


def more(view: GameView, *, keeper: bool) -> tuple[Link, ...]:
    """Everything else; only keepers let other phones in."""
    code = view.code
    phones = Link(
        url_for("joining.phones", code=code), _("Phones"), _("Let others join by QR code, link or short code.")
    )
    asking = url_for("grebber.ask", code=code), _("Is this a run? Must it be given? Must it be laid?")
    if _asks_about_melds(view):
        asking = url_for("asking.index", code=code), _("Is this a meld? Can these cards go down?")
    return (
        *([phones] if keeper else []),
        Link(url_for("history.history", code=code), _("History"), _("Every entry of the night; undo and redo.")),
        Link(
            url_for("seats.players", code=code), _("Players"), _("Joining late, leaving, sitting out, seats, dealer.")
        ),
        Link(url_for("table.rules", code=code), _("Rules"), _("As this table plays them.")),
        Link(asking[0], _("Ask the referee"), asking[1]),
        Link(url_for("ending.end", code=code), _("End of the night"), _("Standings, enough for tonight, once more.")),
        Link(url_for("recap.night", code=code), _("Recap"), _("Chart, turning points, share and print.")),
        Link(
            url_for("live.tv", code=code),
            _("Television"),
            _("The table for all to read across the room; nothing to tap."),
        ),
        Link(url_for("lists.index"), _("Lists of your own"), _("The hands that you choose, for another night.")),
        Link(url_for("home.index"), _("All games"), _("Other nights, and a new game.")),
    )
