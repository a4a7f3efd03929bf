"""The sheet of scores: hands by players, totals and places."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from flask_babel import gettext as _

from companion import wording
from companion.pages.standings import PlayerLine, player_lines
from companion.pages.table import shapes
from companion.pages.text_width import in_lines, told_apart
from companion.record import GameView
from companion.referee.games import game_of
from companion.referee.rules import Contract
from companion.referee.standings import standings_of
from companion.referee.state import GameState, HandScore

#: How wide the name over a column is, in ems: the longest word of most names.
HEAD = 7.5


@dataclass(frozen=True, slots=True)
class Cell:
    """A player's points of a hand; ``points`` None: not dealt in. ``words`` say it with the name. ``step`` is the hand of
    the list they were on, with a tick where they laid it, where each is on an own one. ``leads``: who was in front after
    the hand.
    """

    points: int | None
    mark: str
    words: str
    step: str = ""
    leads: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A hand: ``state`` is "played", "in_play" or "ahead"; only a played one has cells."""

    number: int
    contract: str
    slots: tuple[tuple[str, int], ...]
    state: str
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class SheetPage:
    """The sheet; ``contracts``: its hands have some. ``heads`` are the names of its columns, in two short lines each.
    ``start``: somebody came with points, or may have. ``own``: each player is on an own hand of the list.
    """

    columns: tuple[PlayerLine, ...]
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    contracts: bool
    count_words: str
    start: bool
    own: bool = False


def sheet_page(view: GameView) -> SheetPage:
    """The sheet of a game, players clockwise, who left included (G9.4)."""
    state = view.state
    return SheetPage(
        columns=tuple(player_lines(view, state.chairs)),
        heads=told_apart([view.names[seat] for seat in state.chairs], lambda name: in_lines(name, HEAD, 2)),
        rows=tuple(_row(view, number, contract) for number, contract in _hands(state)),
        start=_has_start(state),
        contracts=game_of(state.rules).has_contracts,
        own=state.rules.own_progress,
        count_words=_("Hand over") if game_of(state.rules).has_contracts else _("Count the hand"),
    )


def _has_start(state: GameState) -> bool:
    """Whether points at the start are shown: somebody had some, the night was begun on paper, or somebody came late."""
    late = state.scores and max(state.seats) > max(state.scores[0].points)
    return bool(late) or state.first_hand > 1 or any(state.carried.values())


def _hands(state: GameState) -> Iterable[tuple[int, Contract | None]]:
    """The hands of the list; of a game that nobody knows the length of those scored and the one in play."""
    if state.rules.hands_in_all:
        yield from list(enumerate(state.rules.contracts, 1))[state.first_hand - 1 :]
        return
    yield from ((score.number, None) for score in state.scores)
    if state.hand is not None:
        yield state.hand.number, None


def _row(view: GameView, number: int, contract: Contract | None) -> Row:
    state = view.state
    score, playing = state.score_of(number), state.playing if view.is_playing else None
    slots = shapes(contract) if contract else ()
    words = wording.contract_words(contract) if contract else ""
    if score is None:
        return Row(number, words, slots, "in_play" if playing and playing.hand.number == number else "ahead")
    first = standings_of(state, number, state.seats, ()).leaders
    cells = (replace(_cell(view, score, seat), leads=seat in first) for seat in state.chairs)
    return Row(number, words, slots, "played", tuple(cells))


def _cell(view: GameView, score: HandScore, seat: int) -> Cell:
    name, points = wording.isolate(view.names[seat]), score.points.get(seat)
    if points is None:
        return Cell(None, "", _("%(name)s: not dealt in", name=name))
    step, said = _step(view, score, seat)
    if seat == score.out:
        return Cell(points, "out", _("%(name)s: %(points)s, went out", name=name, points=points) + said, step)
    if seat in score.floating:
        return Cell(points, "floats", _("%(name)s: %(points)s, floated", name=name, points=points) + said, step)
    return Cell(points, "", f"{name}: {points}{said}", step)


def _step(view: GameView, score: HandScore, seat: int) -> tuple[str, str]:
    """The hand of the list that a player was on in a scored hand, short and in words; "" where all play the same."""
    if not view.state.rules.own_progress:
        return "", ""
    number = view.state.number_of(seat, score.number)
    if seat in score.down:
        return f"{number}✓", ", " + _("laid hand %(n)s of the list", n=number)
    return str(number), ", " + _("on hand %(n)s of the list", n=number)
