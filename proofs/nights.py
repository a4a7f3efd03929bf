"""Nights of random games, rules and players: no law of the engine or the record is broken, and nothing is raised.

    python -m proofs.nights [N]      (1000 nights)

At every step commands that a person might enter by mistake are tried: they are refused with reasons, or are legal. Each
night is replayed, written and read, exported and read in again, undone to a random depth and done again. A night that
fails is kept as ``failing-night-NUMBER.json`` with the number that makes it again. The record itself and HTTP are not
gone through here.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from companion.codec import decode, encode
from companion.exporting import document
from companion.players import PLAYERS, Night, play_night
from companion.record.exporting import Entered, ExportedHouse
from companion.record.exporting import Night as ExportedNight
from companion.referee import commands as do
from companion.referee.cards import FIFTY_TWO
from companion.referee.engine import problems
from companion.referee.events import Event, Redone, Undone
from companion.referee.games import GAMES
from companion.referee.history import effective, redo_target, replay, undo_target
from companion.referee.notation import format_game, parse_game
from companion.referee.standings import totals
from companion.referee.state import GameState

SHEETS = [rules for game in GAMES.values() if game.is_offered and game.has_contracts for rules in game.sheets]
#: Switches that every contract rummy may turn.
CHANGES: tuple[dict[str, object], ...] = (
    {}, {}, {}, {"lay_off_same_turn": False}, {"discard_ban": False}, {"wild_swap": "off"}, {"buy_when_down": False},
    {"must_discard_to_go_out": False}, {"max_wilds": 1}, {"same_rank_sets": "forbidden"}, {"stock_out": "end_hand"},
)  # fmt: skip


@dataclass
class Figures:
    """What was tried."""

    nights: int = 0
    entries: int = 0
    refused: int = 0
    undone: int = 0


def prove(nights: int, first: int = 0) -> Figures:
    """Play so many nights and check each; AssertionError or whatever was raised names the night, which is kept."""
    figures = Figures()
    for number in range(first, first + nights):
        rng = Random(f"night {number}")
        rules = rng.choice(SHEETS).replace(**rng.choice(CHANGES))
        players = rng.randint(rules.min_players, min(rules.max_players, 6))
        names = [rng.choice(sorted(PLAYERS)) for _ in range(players)]
        try:
            night = play_night(rules, [PLAYERS[name] for name in names], rng)
        except Exception as problem:
            problem.add_note(f"night {number}: {rules.sheet} with {', '.join(names)}")
            raise
        try:
            _check(night, rng, figures)
        except Exception as problem:
            kept = Path(f"failing-night-{number}.json")
            kept.write_bytes(document.write((_exported(night.entries),)))
            problem.add_note(f"night {number}: {rules.sheet} with {', '.join(names)}, kept as {kept}")
            raise
        figures.nights += 1
        figures.entries += len(night.entries)
    return figures


def _check(night: Night, rng: Random, figures: Figures) -> None:
    entries = list(night.entries)
    assert replay(entries).state == night.state
    assert [decode(*encode(event)) for event in entries] == entries
    assert list(parse_game(format_game(entries))) == entries
    house = _exported(entries)
    assert document.read(document.write((house,))) == (house,)
    summed = {seat: sum(hand.points.get(seat, 0) for hand in night.hands) for seat in night.state.seats}
    assert totals(night.state) == summed
    for at in rng.sample(range(1, len(entries)), min(12, len(entries) - 1)):
        figures.refused += _tries(replay(entries[:at]).state, rng)
    figures.undone += _undoes(entries, night.state, rng)


def _tries(state: GameState, rng: Random) -> int:
    """Commands entered by mistake: all of them are answered, and those that can never be legal refused."""
    number = state.hand.number if state.hand else 1
    never = (
        do.Buy(number + 1, 0), do.Buy(number, 99), do.LayOff(number, 0, 10_000, rng.choice(FIFTY_TWO)),
        do.GoDown(number, 0, ()), do.ScoreHand(number, 0, {0: -7}), do.SetDealer(number, 99),
    )  # fmt: skip
    for command in never:
        assert problems(state, command), command
    return len(never)


def _undoes(entries: Sequence[Event], end: GameState, rng: Random) -> int:
    """Undone to a random depth and done again, the night is what it was."""
    record, depth = list(entries), rng.randint(1, min(40, len(entries) - 1))
    for _ in range(depth):
        target = undo_target(record)
        assert target is not None
        record.append(Undone(target))
    assert replay(record).state == replay(entries[:-depth]).state
    for _ in range(depth):
        target = redo_target(record)
        assert target is not None
        record.append(Redone(target))
    assert replay(record).state == end
    assert list(effective(record)) == list(entries)
    return depth


def _exported(entries: Sequence[Event]) -> ExportedHouse:
    start = datetime(2026, 1, 1, 19, tzinfo=UTC)
    entered = tuple(Entered(event, start + timedelta(minutes=at)) for at, event in enumerate(entries))
    names = {seat: f"Player {seat + 1}" for seat in range(8)}
    seats = replay(entries).state.seats
    return ExportedHouse((ExportedNight("proof", start, {seat: names[seat] for seat in seats}, entered),))


def main() -> int:
    """Prove so many nights as the command asks for."""
    figures = prove(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
    print(figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
