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
        "contracts": ("P4", Firmness.TEXT),
        "min_players": ("P1", Firmness.TEXT),
        "max_players": ("P1", Firmness.SILENT),
        "wild_discards": ("P7", Firmness.TEXT),
        "min_naturals": ("P5", Firmness.TEXT),
        "naturals_outnumber": ("P5", Firmness.TEXT),
        "adjacent_wilds": ("P5", Firmness.TEXT),
        "buys": ("P8", Firmness.TEXT),
        "next_player_pays": ("P8", Firmness.TEXT),
    },
    numbers={
        "G1.1": "P1",
        "G1.2": "P1",
        "G2.1": "P3",
        "G2.2": "P2",
        "G2.3": "P2",
        "G3.1": "P4",
        "G3.2": "P3",
        "G3.3": "P5",
        "G3.4": "P5",
        "G3.5": "P5",
        "G4.1": "P4",
        "G4.2": "P4",
        "G4.3": "P4",
        "G4.4": "P4",
        "G5.2": "P8",
        "G5.3": "P8",
        "G5.4": "P8",
        "G6.1": "P7",
        "G6.2": "P4",
        "G7.1": "P4",
        "G7.2": "P9",
        "G8.1": "P6",
        "G8.2": "P6",
        "G8.3": "P6",
        "G8.4": "P6",
        "G8.5": "P6",
        "G9.1": "P9",
    },  # fmt: skip
)
