"""Score sheets on paper: a night's own, and a blank one for a table without phones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flask_babel import format_date, ngettext
from flask_babel import gettext as _

from companion import wording
from companion.i18n import evening_of
from companion.pages.standings import PlayerLine, player_lines
from companion.record import GameView
from companion.referee.games import game_of
from companion.referee.rules import Rules
from companion.referee.state import GameState, HandScore
from companion.wording.book import HandText, card_values, hands

OUT, FLOATED = "★", "~"

#: Rows of a sheet for a game that nobody knows the length of.
OPEN_ROWS = 16


@dataclass(frozen=True, slots=True)
class Cell:
    """Points of a hand and the total after it; None where there is nothing to print. ``step`` is the own hand of the list."""

    points: int | None = None
    total: int | None = None
    mark: str = ""
    step: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A hand: what it asks for; ``note`` is how many cards that takes, and how many buys there are."""

    number: int
    contract: str
    note: str
    played: bool
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of one page; ``columns`` are players, or None for somebody who writes the name."""

    title: str
    detail: str
    blank: bool
    columns: tuple[PlayerLine | None, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...]


def blank_sheet(rules: Rules, players: int) -> Sheet:
    """The hands of a rule sheet for so many players, to be filled in by hand."""
    empty = (Cell(),) * players
    return Sheet(
        title=wording.game_name(rules),
        detail=_("Date: ____________________"),
        blank=True,
        columns=(None,) * players,
        rows=tuple(Row(hand.number, _capital(hand.contract), _before(hand), False, empty) for hand in _hands(rules)),
        notes=(*_list(rules), _values(rules), *_aim(rules)),
    )


def _hands(rules: Rules, scored: int = 0) -> Sequence[HandText]:
    """The hands of the list; of a game that nobody knows the length of as many as were played and a page holds."""
    if rules.hands_in_all:
        return hands(rules)
    return [HandText(number, "", 0, None, ()) for number in range(1, max(scored, OPEN_ROWS) + 1)]


def _before(hand: HandText) -> str:
    if not hand.contract:
        return ""
    cards = ngettext("%(num)s card", "%(num)s cards", hand.needed)
    return f"{cards} · {hand.buys_words}" if hand.buys is not None else cards


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _values(rules: Rules) -> str:
    """What cards left in hand count (G2.3)."""
    values = "; ".join(f"{ranks}: {points}" for ranks, points in card_values(rules))
    return _("Left in hand: %(values)s.", values=values)


def _list(rules: Rules) -> Iterable[str]:
    """The hands of the list, where each player is on an own one and the rows of the sheet are of nobody in particular."""
    if rules.own_progress:
        listed = "; ".join(f"{hand.number}. {hand.contract}" for hand in hands(rules))
        yield _("Each player’s hand of the list, beside the points: %(listed)s.", listed=listed)


def _aim(rules: Rules) -> Iterable[str]:
    if game_of(rules).has_target:
        yield _(
            "Points laid less points held; all cards together count 60. Played to: %(target)s.", target=rules.target
        )
    if rules.own_progress:
        yield _("Who lays the last hand of the list first wins; of several the lowest total does.")
        return
    yield _("The lowest total wins.") if rules.lowest_wins else _("The highest total wins.")


def night_sheet(view: GameView) -> Sheet:
    """The sheet of a game as it stands: the hands not played are left empty, to go on by hand."""
    state = view.state
    listed = [hand for hand in _hands(state.rules, len(state.scores)) if hand.number >= state.first_hand]
    return Sheet(
        title=wording.game_name(state.rules),
        detail=format_date(evening_of(view.created_at), "long"),
        blank=False,
        columns=tuple(player_lines(view, state.chairs)),
        rows=tuple(_row(state, hand) for hand in listed),
        notes=tuple(_notes(state)),
    )


def _row(state: GameState, hand: HandText) -> Row:
    score = state.score_of(hand.number)
    cells = tuple(_cell(state, score, seat) if score else Cell() for seat in state.chairs)
    return Row(hand.number, _capital(hand.contract), "", score is not None, cells)


def _cell(state: GameState, score: HandScore, seat: int) -> Cell:
    if seat not in score.points:
        return Cell()
    so_far = [earlier.points.get(seat, 0) for earlier in state.scores if earlier.number <= score.number]
    mark = OUT if seat == score.out else FLOATED if seat in score.floating else ""
    step = (
        f"{state.number_of(seat, score.number)}{'✓' if seat in score.down else ''}" if state.rules.own_progress else ""
    )
    return Cell(score.points[seat], state.carried.get(seat, 0) + sum(so_far), mark, step)


def _notes(state: GameState) -> Iterable[str]:
    """What the marks mean, where there are any."""
    if any(score.out is not None for score in state.scores):
        yield _("%(mark)s went out. Small figures are totals so far.", mark=OUT)
    if any(score.floating for score in state.scores):
        yield _("%(mark)s floated.", mark=FLOATED)
    if state.rules.own_progress:
        yield from _list(state.rules)
        yield _("4✓: laid hand 4 of the list.")
