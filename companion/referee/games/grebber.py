"""Grebber, with the Kruth deck (K1–K10): a game of another kind, without contracts, to a target."""

from companion.referee.games.game import Game
from companion.referee.reasons import Firmness
from companion.referee.rules import Rules

GREBBER = Rules(
    sheet="grebber",
    contracts=(),
    decks=1,
    hand_size=6,
    wild_ranks=(),
    discard_ban=False,
    floating=False,
    must_discard_to_go_out=False,
    wild_swap="off",
    min_players=2,
    max_players=3,
    players_per_two_decks=3,
    late_joiner="zero",
    lowest_wins=False,
    target=100,
)

GAME = Game(
    "grebber",
    (GREBBER,),
    boardgame="Grebber",
    family="grebber",
    prefix="K",
    own_rules={
        "contracts": ("K3", Firmness.LOGIC),
        "min_players": ("K2", Firmness.TEXT),
        "max_players": ("K2", Firmness.SILENT),
    },
    numbers={"G1.2": "K2", "G9.1": "K5"},
    count="kruth",
    asks="kruth",
    deck=24,
)
