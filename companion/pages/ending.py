"""The end of the night as its page shows it: winners, places, totals, who won which hand."""

from dataclasses import dataclass

from flask_babel import format_date, format_time, ngettext
from flask_babel import gettext as _

from companion import record, wording
from companion.pages.history import device_words
from companion.pages.standings import HandWon, PlayerLine, hands_won, player_lines
from companion.pages.table import LastEntry, last_entry
from companion.record import GameView
from companion.referee.commands import CloseGame, DiscardGame, ReopenGame, ResumeHand
from companion.referee.engine import problems
from companion.referee.events import HandScored, parts
from companion.referee.games import game_of
from companion.referee.scoring import purses
from companion.referee.standings import standings
from companion.referee.state import GameState, Phase
from companion.wording import recap as words
from companion.wording.grebber import chips_words


@dataclass(frozen=True, slots=True)
class NextLink:
    """The game after this one: ``is_open`` to this phone, and ``said`` of one that is still played."""

    code: str
    said: str
    is_over: bool
    is_open: bool


@dataclass(frozen=True, slots=True)
class EndPage:
    """Everything the page shows: ``title`` says who won, or how the night stands; ``detail`` how, in one line.

    ``players`` come by place, then who left; in seat order while no hand is scored (G9.3, G9.4). A finished night plays on
    by taking its last entry back, ``take_back``, or, where scores were corrected since, with hand ``resume`` as it lay.
    """

    over: bool
    title: str
    detail: str
    players: tuple[PlayerLine, ...]
    hands: tuple[HandWon, ...]
    may_close: bool
    may_reopen: bool
    take_back: LastEntry | None
    resume: int | None
    next: NextLink | None
    may_discard: bool
    discarding: str


@dataclass(frozen=True, slots=True)
class ThrownPage:
    """The page of a game that was thrown away: who did it when, and for how long entry ``take_back`` can be undone."""

    said: str
    until: str
    take_back: int | None


def thrown_page(view: GameView, here: int | None) -> ThrownPage:
    """The page of a game that was thrown away, for the device ``here``."""
    last = record.since(view.code, view.revision - 1, 1)[-1]
    day, clock = format_date(last.at, "long"), format_time(last.at, "short")
    phone = device_words(last.device, here)
    said = _("On %(day)s at %(clock)s, by %(phone)s.", day=day, clock=clock, phone=wording.isolate(phone))
    if not phone:
        said = _("On %(day)s at %(clock)s.", day=day, clock=clock)
    end = last.at + record.TAKEN_BACK
    until = _("Whoever keeps the game can take it back until %(day)s.", day=format_date(end, "long"))
    return ThrownPage(said, until, view.undo.seq if view.undo else None)


def end_page(view: GameView, here: int | None) -> EndPage:
    """The page of a game, during the night or after it, for the device ``here``."""
    state = view.state
    over = state.phase in (Phase.FINISHED, Phase.CLOSED)
    stood = standings(state)
    is_last = view.undo is not None and any(isinstance(event, HandScored) for event in parts(view.undo.event))
    undo = view.undo if state.phase is Phase.FINISHED and is_last else None
    may_resume = state.last_hand and not undo and not problems(state, ResumeHand())
    return EndPage(
        over=over,
        title=_title(view, stood.winners, over),
        detail=_detail(state, over),
        players=tuple(player_lines(view, stood.ranked(state.chairs if state.scores else state.order))),
        hands=tuple(hands_won(view)),
        may_close=not problems(state, CloseGame()),
        may_reopen=not problems(state, ReopenGame()),
        take_back=last_entry(undo, view),
        resume=state.last_hand.number if state.last_hand and may_resume else None,
        next=_next(view, here),
        may_discard=not problems(state, DiscardGame()),
        discarding=_discarding(state),
    )


def _next(view: GameView, here: int | None) -> NextLink | None:
    game = record.next_game(view.id)
    if game is None:
        return None
    begun = _("The next game has begun, at %(clock)s.", clock=format_time(game.created_at, "short"))
    is_open = record.role(game.id, here) is not None
    said = begun if is_open else begun + " " + _("This phone is not at it: ask there for its code.")
    return NextLink(game.code, said, game.is_over, is_open)


def _discarding(state: GameState) -> str:
    """What throwing the game away means."""
    scored = len(state.scores)
    said = ngettext("%(num)s hand is scored in it.", "%(num)s hands are scored in it.", scored) if scored else ""
    gone = _("It leaves every list, the statistics, people and files. Whoever keeps it can take it back for a week.")
    return f"{said} {gone}".strip()


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
        if rules.own_progress:
            return ngettext("The list is done, in %(num)s hand.", "The list is done, in %(num)s hands.", scored)
        return ngettext("The one hand is played.", "All %(num)s hands are played.", len(rules.contracts))
    after = wording.after_words(state.scores[-1].number, rules.hands_in_all)
    return _("%(after)s, closed early.", after=after) if over else f"{after}."
