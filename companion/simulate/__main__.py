"""``python -m companion.simulate``: nights that play themselves, and what came of them."""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from companion.exporting import document
from companion.players import PLAYERS, play_night
from companion.record.exporting import Entered, ExportedHouse, Night
from companion.referee.games import GAMES
from companion.referee.lists import BadContract, read_contract, with_list
from companion.referee.rules import BadRules, Rules
from companion.simulate.figures import Figures, NightFacts

#: Nights that one process plays before it hands them over.
CHUNK = 4
MOST_NIGHTS = 1_000_000


class BadArgument(ValueError):
    """What was asked cannot be simulated; the message says why."""


def main(arguments: list[str] | None = None) -> int:
    """Simulate as the arguments say and print the figures; 2 with a sentence where they make no sense."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    try:
        rules, players = _rules(asked), _players(asked.players)
        _check(asked, rules, players)
        figures = _simulated(rules, players, asked)
        if asked.json:
            Path(asked.json).write_text(_json(figures, asked), "utf-8")
        if asked.keep:
            _keep(rules, players, asked)
    except BadArgument as problem:
        parser.error(str(problem))
    except OSError as problem:
        parser.error(f"cannot write {problem.filename}: {problem.strerror}")
    print(_table(figures.told()))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m companion.simulate", description="Nights that play themselves.")
    parser.add_argument("--game", dest="which", default="kate", help="a game or a rule sheet (default: kate)")
    parser.add_argument("--players", default="careful,careful,careful,careful", help=", ".join(PLAYERS))
    parser.add_argument("--nights", type=int, default=100, help="how many (default: 100)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same nights (default: 1)")
    parser.add_argument(
        "--rules", nargs="*", default=[], metavar="KEY=VALUE", help="switches of the rules, as JSON has them"
    )
    parser.add_argument("--contracts", metavar="LIST", help='a list of hands of your own: "2xset3 / set3 run4"')
    parser.add_argument("--json", metavar="FILE", help="write the figures as JSON")
    parser.add_argument(
        "--keep", type=int, default=0, metavar="N", help="write the first N nights as simulated-nights.json"
    )
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="processes (default: all cores)")
    return parser


def _rules(asked: argparse.Namespace) -> Rules:
    games = [game for game in GAMES.values() if game.has_contracts]
    sheets = {rules.sheet: rules for game in games for rules in game.sheets}
    by_name = sheets | {game.key: game.sheets[0] for game in games}
    if asked.which not in by_name:
        raise BadArgument(f"no game {asked.which!r} that can be simulated; there are {', '.join(sorted(by_name))}")
    rules = by_name[asked.which]
    if asked.contracts:
        try:
            rules = with_list(rules, [read_contract(part) for part in asked.contracts.split("/")])
        except BadContract as problem:
            raise BadArgument(f"--contracts: {problem}") from problem
    for pair in asked.rules:
        rules = _with_switch(rules, pair)
    return rules


def _with_switch(rules: Rules, pair: str) -> Rules:
    key, given, text = pair.partition("=")
    if not given:
        raise BadArgument(f"--rules {pair!r}: write key=value")
    try:
        value: Any = json.loads(text)
    except ValueError:
        value = text
    try:
        return rules.replace(**{key: tuple(value) if isinstance(value, list) else value})
    except TypeError as problem:
        raise BadArgument(f"--rules: there is no switch {key!r}") from problem
    except BadRules as problem:
        raise BadArgument(f"--rules: {key} cannot be {text}") from problem


def _players(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in PLAYERS:
            raise BadArgument(f"no player {name!r}; there are {', '.join(PLAYERS)}")
    return names


def _check(asked: argparse.Namespace, rules: Rules, players: tuple[str, ...]) -> None:
    if not rules.min_players <= len(players) <= rules.max_players:
        raise BadArgument(
            f"{asked.which} is for {rules.min_players} to {rules.max_players} players, not {len(players)}"
        )
    if not 1 <= asked.nights <= MOST_NIGHTS:
        raise BadArgument(f"--nights: 1 to {MOST_NIGHTS}")
    if not 0 <= asked.keep <= asked.nights:
        raise BadArgument("--keep: no more than there are nights")
    if asked.cores < 1:
        raise BadArgument("--cores: at least 1")
    try:
        _night(rules, players, asked.seed, 0)
    except ValueError as problem:
        raise BadArgument(str(problem)) from problem


def _night(rules: Rules, players: tuple[str, ...], seed: int, number: int) -> Any:
    """A night by its number: its own chance, so that it is the same in whatever process it is played."""
    return play_night(rules, [PLAYERS[name] for name in players], Random(f"{seed}/{number}"))


def _facts(rules: Rules, players: tuple[str, ...], seed: int, number: int) -> NightFacts:
    return NightFacts(_night(rules, players, seed, number))


def _simulated(rules: Rules, players: tuple[str, ...], asked: argparse.Namespace) -> Figures:
    figures = Figures(rules, players)
    for done, night in enumerate(_played(partial(_facts, rules, players, asked.seed), asked), 1):
        figures.add(night)
        _progress(done, asked.nights)
    return figures


def _played(play: Any, asked: argparse.Namespace) -> Iterator[NightFacts]:
    """The nights in order of their numbers, whoever played them."""
    if asked.cores == 1:
        yield from map(play, range(asked.nights))
        return
    with ProcessPoolExecutor(asked.cores) as pool:
        at_once = asked.cores * CHUNK * 8  # so that no more than these wait in memory
        for first in range(0, asked.nights, at_once):
            numbers = range(first, min(first + at_once, asked.nights))
            yield from pool.map(play, numbers, chunksize=CHUNK)


def _progress(done: int, of: int) -> None:
    """A bar for people; none where nobody looks."""
    if sys.stderr.isatty():
        filled = 40 * done // of
        print(f"\r[{'#' * filled}{' ' * (40 - filled)}] {done}/{of}", end="\n" if done == of else "", file=sys.stderr)


def _json(figures: Figures, asked: argparse.Namespace) -> str:
    return json.dumps({"seed": asked.seed, **figures.told()}, indent=1) + "\n"


def _keep(rules: Rules, players: tuple[str, ...], asked: argparse.Namespace) -> None:
    """The first nights as a file that "Bring nights in" reads. Their times are made up: a minute an entry."""
    nights = []
    for number in range(asked.keep):
        start = datetime(2026, 1, 1, 19, tzinfo=UTC) + timedelta(days=number)
        entries = _night(rules, players, asked.seed, number).entries
        entered = tuple(Entered(event, start + timedelta(minutes=at)) for at, event in enumerate(entries))
        names = {seat: f"{name.capitalize()} {seat + 1}" for seat, name in enumerate(players)}
        uid = f"simulated-{rules.sheet}-{'-'.join(players)}-{asked.seed}-{number}"
        nights.append(Night(uid, start, names, entered))
    Path("simulated-nights.json").write_bytes(document.write((ExportedHouse(tuple(nights)),)))


def _table(told: dict[str, Any]) -> str:
    """The figures for people, a line for each hand and each player."""
    lines = [
        f"{told['sheet']}, {told['nights']} nights",
        f"{'hand':<24}{'T1':>5}{'T5':>5}{'T10':>5}{'T20':>5}{'down':>6}{'end':>6}{'not':>5}"
        f"{'points':>8}{'quartiles':>13}{'buys':>6}{'floats':>7}{'stock':>6}{'stall':>6}",
    ]
    for hand in told["hands"]:
        by_turn = "".join(f"{chance * 100:>4.0f}%" for chance in hand["down_by_turn"].values())
        down = f"{hand['mean_turn_down']:.1f}" if hand["mean_turn_down"] is not None else "–"
        quartiles = " ".join(map(str, hand["points"]["quartiles"]))
        lines.append(
            f"{hand['hand']:>2} {hand['contract'] or '':<21.21}{by_turn}{down:>6}{hand['mean_turn_end']:>6.1f}"
            f"{hand['not_down'] * 100:>4.0f}%{hand['points']['mean']:>8.1f}{quartiles:>13}{hand['buys']:>6.1f}"
            f"{hand['floats']:>7.2f}{hand['stock_ran_out'] * 100:>5.0f}%{hand['stalls'] * 100:>5.1f}%"
        )
        means = [f"{place['mean']:.0f} ({' '.join(map(str, place['quartiles']))})" for place in hand["points_by_place"]]
        lines.append("   points by place, mean (quartiles): " + ", ".join(means))
    for player in told["players"]:
        low, high = player["wins_95"]
        lines.append(
            f"{player['seat'] + 1} {player['player']:<10} wins {player['wins'] * 100:.1f} % ({low * 100:.1f}–{high * 100:.1f})"
            f", total {player['total']['mean']:.0f}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
