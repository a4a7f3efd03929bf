"""Golden games: whole nights in the notation, checked line by line against what was worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.referee import events as e
from companion.referee.engine import decide
from companion.referee.history import redo_target, replay, undo_target
from companion.referee.notation import format_game, parse_event, parse_game
from companion.referee.scoring import purses
from companion.referee.standings import standings, totals
from companion.referee.state import GameState, Hand
from tests.referee.nights import Night, command_of

GAMES = sorted((Path(__file__).parents[1] / "games").glob("*.txt"))


def lines(path: Path) -> list[str]:
    stripped = (line.partition("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in stripped if line]


def pairs(text: str) -> dict[int, int]:
    return {int(seat): int(value) for seat, value in (pair.split(":") for pair in text.split())}


def hand_of(state: GameState) -> Hand:
    assert state.hand is not None
    return state.hand


def decks(state: GameState) -> int:
    assert state.rules is not None
    return state.rules.decks


#: What a line "= word …" must find: the text read, and the state asked.
FACTS: dict[str, tuple[Callable[[str], object], Callable[[GameState], object]]] = {
    "totals": (pairs, totals),
    "places": (pairs, lambda state: standings(state).places),
    "list": (pairs, lambda state: {seat: state.number_of(seat) for seat in state.order}),
    "purses": (pairs, lambda state: purses(state)[0]),
    "pot": (int, lambda state: purses(state)[1]),
    "hand": (
        lambda text: tuple(map(int, text.replace("dealer", "").split())),
        lambda state: (hand_of(state).number, hand_of(state).dealer),
    ),
    "decks": (int, decks),
    "order": (lambda text: tuple(map(int, text.split())), lambda state: state.order),
    "buys": (pairs, lambda state: {seat: used for seat, used in hand_of(state).buys.items() if used}),
    "down": (lambda text: set(map(int, text.split())), lambda state: set(hand_of(state).down)),
    "phase": (str, lambda state: state.phase.value),
}


def play(going: Night, event: e.Event) -> None:
    """Record an entry, having made sure that it is exactly what its command leads to."""
    if isinstance(event, e.Undone):
        assert undo_target(going.entries) == event.entry
    elif isinstance(event, e.Redone):
        assert redo_target(going.entries) == event.entry
    else:
        assert decide(going.state, command_of(event, going.state)) == (event,)
    going.record(event)


def test_there_are_games() -> None:
    assert len(GAMES) >= 6


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_golden_game(path: Path) -> None:
    going, checked = Night(), 0
    for line in lines(path):
        if line.startswith("="):
            word, _, text = line.removeprefix("=").strip().partition(" ")
            read, ask = FACTS[word]
            assert ask(going.state) == read(text.strip()), line
            checked += 1
        else:
            play(going, parse_event(line))
    assert checked >= 4
    assert lines(path)[-1].startswith("= phase")


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_golden_game_reads_back_and_replays(path: Path) -> None:
    written = "\n".join(line for line in lines(path) if not line.startswith("="))
    entries = parse_game(written)
    assert format_game(entries).splitlines() == written.splitlines()
    found = replay(entries)
    assert (found.applied, found.problem) == (len(entries), None)
