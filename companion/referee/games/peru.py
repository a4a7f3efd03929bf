"""The nine-deal rummy from Peru (P1–P9)."""

from companion.referee.cards import Rank
from companion.referee.games.game import Game
from companion.referee.games.gripe import contract
from companion.referee.reasons import Firmness
from companion.referee.rules import Rules

#: P2: a 2 or a joker is worth 25 even where the 2 is natural.
POINTS = tuple(
    (rank, 25 if rank in (Rank.JOKER, Rank.TWO) else 15 if rank is Rank.ACE else 5 if rank < Rank.EIGHT else 10)
    for rank in Rank
)

PERU = Rules(
    sheet="peru",
    contracts=tuple(map(contract, ("set3", "2xset3", "3xset3", "set4", "2xset4", "set5", "2xset5", "set6", "run7"))),
    jokers=2,
    natural_twos=True,
    ace="corner",
    points=POINTS,
    naturals_outnumber=True,
    adjacent_wilds="forbidden",
    extra_melds=True,
    buys=(8,) * 9,
    buys_per_game=8,
    stock_cards=2,
    next_player_pays=True,
    buy_unit="chip",
    buy_priority="first_call",
    discard_ban=False,
    wild_discards=False,
    floating=False,
    wild_swap="all",
    freed_wild="table",
    min_players=2,
    max_players=8,
    players_per_two_decks=5,
)

GAME = Game(
    "peru",
    (PERU,),
    boardgame="Telefunken",
    family="peru",
    prefix="P",
    own_rules={
        "min_naturals": ("P5", Firmness.TEXT),
        "naturals_outnumber": ("P5", Firmness.TEXT),
        "adjacent_wilds": ("P5", Firmness.TEXT),
        "buys": ("P8", Firmness.TEXT),
        "next_player_pays": ("P8", Firmness.TEXT),
    },
)
