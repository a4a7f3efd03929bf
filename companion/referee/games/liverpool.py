"""Liverpool rummy: a cousin from the family, not one of the sources; it shows that a contract rummy is one file."""

from companion.referee.cards import Rank
from companion.referee.games.game import Game
from companion.referee.games.gripe import contract
from companion.referee.rules import Rules

POINTS = tuple((rank, 15 if rank in (Rank.JOKER, Rank.ACE) else 5 if rank < Rank.TEN else 10) for rank in Rank)

LIVERPOOL = Rules(
    sheet="liverpool",
    contracts=tuple(map(contract, ("2xset3", "set3 run4", "2xrun4", "3xset3", "2xset3 run4", "set3 2xrun4", "3xrun4"))),
    jokers=1,
    hand_size=10,
    wild_ranks=(),
    ace="either",
    points=POINTS,
    buys=(3,) * 7,
    discard_ban=False,
    floating=False,
    must_discard_to_go_out=False,
)

GAME = Game("liverpool", (LIVERPOOL,), boardgame="Liverpool Rummy", is_offered=False)
