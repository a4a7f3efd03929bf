"""One night from the first deal to the last score, as a record and in figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from companion.players.dealing import PlayedHand
from companion.players.seen import Player
from companion.referee.commands import CloseGame, Command, StartGame
from companion.referee.engine import Ambiguous, IllegalCommand, decide, evolve
from companion.referee.events import Event
from companion.referee.rules import Rules
from companion.referee.state import GameState, Phase

#: Where each player is on an own hand of the list a night might not end: after so many hands it is closed.
MOST_HANDS = 60


@dataclass(frozen=True, slots=True)
class HandFacts:
    """What became of a hand; turns are rounds of the table, points by seat."""

    number: int
    down_at: Mapping[int, int]
    rounds: int
    out: int | None
    points: Mapping[int, int]
    buys: int
    floats: int
    stock_ran_out: int
    stalled: bool


@dataclass(frozen=True, slots=True)
class Night:
    """The entries of a night, the state at its end and the facts of its hands."""

    entries: tuple[Event, ...]
    state: GameState
    hands: tuple[HandFacts, ...]


class _Table:
    """The record as it grows."""

    def __init__(self) -> None:
        self.entries: list[Event] = []
        self.state = GameState()

    def do(self, command: Command) -> GameState | None:
        """The state after a command, or None where the engine refuses it."""
        try:
            events = decide(self.state, command)
        except (IllegalCommand, Ambiguous):
            return None
        for event in events:
            self.state = evolve(self.state, event)
        self.entries += events
        return self.state


def play_night(rules: Rules, players: Sequence[Player], rng: Random) -> Night:
    """A whole legal night; raises ValueError where the rules do not allow so many players.

    >>> from companion.players.four import PLAYERS
    >>> from companion.referee.games import KATE
    >>> night = play_night(KATE, [PLAYERS["careful"]] * 3, Random("7/0"))
    >>> night.state.phase.value, len(night.hands)
    ('finished', 10)
    """
    table, seats = _Table(), tuple(range(len(players)))
    hands: list[HandFacts] = []
    if table.do(StartGame(rules, seats, rng.randrange(len(players)))) is None:
        raise ValueError("these rules are not for so many players, or cannot be played")
    by_seat = dict(enumerate(players))
    while table.state.phase is Phase.PLAYING and len(hands) < MOST_HANDS:
        played = PlayedHand(table.state, table.do, by_seat, rng)
        played.play()
        hands.append(_facts(played, table.state))
    if table.state.phase is Phase.PLAYING:
        table.do(CloseGame())
    return Night(tuple(table.entries), table.state, tuple(hands))


def _facts(played: PlayedHand, state: GameState) -> HandFacts:
    score = state.scores[-1]
    return HandFacts(
        played.number, dict(played.down_at), played.round, score.out, dict(score.points), sum(score.buys.values()),
        len(played.floated), played.stock_ran_out, played.stalled,
    )  # fmt: skip
