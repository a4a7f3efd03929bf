"""A contract rummy that only the tests have: what a further game's file would hold, and how tests let it be played."""

from __future__ import annotations

import pytest

from companion.referee import games, protocol
from companion.referee.cards import Rank
from companion.referee.games.game import Game
from companion.referee.games.gripe import contract
from companion.referee.reasons import Firmness
from companion.referee.rules import Rules

CROSSING = Rules(
    sheet="crossing",
    contracts=tuple(map(contract, ("set3 run4", "2xrun4", "set4 run5"))),
    jokers=1,
    hand_size=10,
    wild_ranks=(),
    ace="either",
    points=tuple((rank, 30 if rank is Rank.JOKER else 4 if rank < Rank.TEN else 12) for rank in Rank),
    buys=(2, 2, 3),
    stock_cards=2,
    min_players=2,
    max_players=5,
    players_per_two_decks=5,
    discard_ban=False,
)

GAME = Game(
    "crossing",
    (CROSSING,),
    boardgame="Rummy Crossing",
    own_rules={"buys": ("X2", Firmness.TEXT), "min_players": ("X1", Firmness.TEXT)},
)


def let_play(monkeypatch: pytest.MonkeyPatch, game: Game = GAME) -> Game:
    """Until the end of the test the game is one of the games, as if its file lay beside theirs."""
    monkeypatch.setitem(games._games, game.key, game)
    for rules in game.sheets:
        monkeypatch.setitem(games._sheets, rules.sheet, rules)
        monkeypatch.setitem(protocol._SHEETS, rules.sheet, rules)
    return game
