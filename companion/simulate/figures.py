"""What many nights came to, counted as they come, so that memory does not grow with their number."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from companion.players.nights import HandFacts, Night
from companion.referee.lists import format_contract
from companion.referee.rules import Rules
from companion.referee.standings import standings, totals

#: The turns for which the chance to be down is told.
TURNS = (1, 5, 10, 20)


class HandFigures:
    """One hand of the list over all nights."""

    def __init__(self, players: int) -> None:
        self.played = self.stock_ran_out = self.stalls = self.nobody_out = self.buys = self.floats = 0
        self.down_at: Counter[int] = Counter()
        self.rounds: Counter[int] = Counter()
        self.seats = 0
        self.points: list[Counter[int]] = [Counter() for _ in range(players)]

    def add(self, hand: HandFacts) -> None:
        """Count one more."""
        self.played += 1
        self.down_at.update(hand.down_at.values())
        self.rounds[hand.rounds] += 1
        self.seats += len(hand.points)
        for counted, points in zip(self.points, sorted(hand.points.values()), strict=False):
            counted[points] += 1
        self.buys += hand.buys
        self.floats += hand.floats
        self.stock_ran_out += hand.stock_ran_out > 0
        self.stalls += hand.stalled
        self.nobody_out += hand.out is None

    def told(self) -> dict[str, Any]:
        """The figures as JSON has them."""
        down, points = sum(self.down_at.values()), sum(self.points, Counter[int]())
        by_turn = {
            str(turn): _rounded(sum(many for at, many in self.down_at.items() if at <= turn) / self.seats)
            for turn in TURNS
        }
        return {
            "played": self.played,
            "down_by_turn": by_turn,
            "mean_turn_down": _mean(self.down_at),
            "mean_turn_end": _mean(self.rounds),
            "not_down": _rounded(1 - down / self.seats),
            "points": _spread(points),
            "points_by_place": [_spread(counted) for counted in self.points if counted],
            "buys": _rounded(self.buys / self.played),
            "floats": _rounded(self.floats / self.played),
            "stock_ran_out": _rounded(self.stock_ran_out / self.played),
            "stalls": _rounded(self.stalls / self.played),
            "nobody_out": _rounded(self.nobody_out / self.played),
        }


class Figures:
    """All hands and all players over the nights."""

    def __init__(self, rules: Rules, players: Sequence[str]) -> None:
        self.rules, self.players, self.nights = rules, players, 0
        self.hands: dict[int, HandFigures] = {}
        self.wins = [0.0] * len(players)
        self.totals: list[Counter[int]] = [Counter() for _ in players]

    def add(self, night: "NightFacts") -> None:
        """Count one more night; who share the first place share the win."""
        self.nights += 1
        for hand in night.hands:
            self.hands.setdefault(hand.number, HandFigures(len(self.players))).add(hand)
        for seat in night.winners:
            self.wins[seat] += 1 / len(night.winners)
        for seat, total in night.totals.items():
            self.totals[seat][total] += 1

    def told(self) -> dict[str, Any]:
        """Everything as JSON has it."""
        hands = []
        for number, figures in sorted(self.hands.items()):
            contracts = self.rules.contracts
            alone = number <= len(contracts) and not self.rules.own_progress
            contract = format_contract(contracts[number - 1]) if alone else None
            hands.append({"hand": number, "contract": contract, **figures.told()})
        players = [
            {"seat": seat, "player": name, "wins": _rounded(self.wins[seat] / self.nights),
             "wins_95": wilson(self.wins[seat], self.nights), "total": _spread(self.totals[seat])}
            for seat, name in enumerate(self.players)
        ]  # fmt: skip
        return {"sheet": self.rules.sheet, "nights": self.nights, "hands": hands, "players": players}


class NightFacts:
    """What is counted of a night; small, so that it travels quickly from one process to another."""

    def __init__(self, night: Night) -> None:
        self.hands = night.hands
        placed = standings(night.state).places
        self.winners = tuple(seat for seat, place in placed.items() if place == 1)
        self.totals = dict(totals(night.state))


def wilson(wins: float, nights: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson's).

    >>> wilson(25, 100)
    (0.1755, 0.343)
    """
    z, share = 1.96, wins / nights
    middle, width = share + z * z / (2 * nights), z * math.sqrt((share * (1 - share) + z * z / (4 * nights)) / nights)
    return _rounded((middle - width) / (1 + z * z / nights)), _rounded((middle + width) / (1 + z * z / nights))


def _rounded(number: float) -> float:
    return round(number, 4)


def _mean(counted: Mapping[int, int]) -> float | None:
    many = sum(counted.values())
    return _rounded(sum(value * times for value, times in counted.items()) / many) if many else None


def _spread(counted: Mapping[int, int]) -> dict[str, Any]:
    """Mean and quartiles of counted values; a quartile is the smallest value that so many do not exceed."""
    many, values = sum(counted.values()), sorted(counted)
    quartiles = []
    for quarter in (1, 2, 3):
        seen = 0
        for value in values:
            seen += counted[value]
            if 4 * seen >= quarter * many:
                quartiles.append(value)
                break
    return {"mean": _mean(counted), "quartiles": quartiles}
