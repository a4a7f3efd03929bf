"""Games with hands of other kinds: Frustration, Ten phases, Three thirteen (FAMILY 2.13 to 2.15).

In the first two each player is on an own hand of the list; in the last everybody has one more turn after somebody is out.
"""

from companion.referee.cards import Rank
from companion.referee.deals import Deal, Pack
from companion.referee.games.family import BASE, contracts, family_game, values

FRUSTRATION = BASE.replace(
    sheet="frustration",
    contracts=contracts(
        "anyrun7", "2xset3", "set3 anyrun4", "set4 anyrun4", "anyrun8",
        "set5 set2", "2xset4", "anyrun9", "set5 set6", "set5 set4",
    ),
    buys=(0,) * 10,
    min_players=2,
    packs=(Pack(5, 2, 0), Pack(8, 3, 0)),
    jokers_in_all=0,
    wild_ranks=(Rank.TWO,),
    wild_places=True,
    ace="corner",
    points=values(two=20, ace=20),
    wild_swap="off",
    whole_turn=True,
    announce_one_card=True,
    progress="own",
    ties="lowest_score",
)  # fmt: skip

TEN_PHASES = BASE.replace(
    sheet="ten_phases",
    contracts=contracts(
        "2xset3", "set3 anyrun4", "set4 anyrun4", "anyrun7", "anyrun8",
        "anyrun9", "2xset4", "colour7", "set5 set2", "set5 set3",
    ),
    buys=(0,) * 10,
    hand_size=10,
    min_players=2,
    max_players=6,
    packs=(Pack(6, 2, 4),),
    jokers_skip=True,
    wild_ranks=(Rank.KING,),
    ace="low",
    points=values(ace=5, king=25, joker=15),
    wild_swap="off",
    progress="own",
    ties="lowest_score",
)  # fmt: skip

THREE_THIRTEEN = BASE.replace(
    sheet="three_thirteen",
    contracts=contracts(*["all"] * 11),
    buys=(0,) * 11,
    deals=tuple(Deal(rank, (Rank(rank),), "must") for rank in range(3, 14)),
    min_players=2,
    packs=(Pack(2, 1, 0), Pack(4, 2, 0), Pack(6, 3, 0), Pack(8, 4, 0)),
    decks=1,
    jokers_in_all=0,
    wild_places=True,
    ace="low",
    points=values(None, ace=1),
    min_naturals=0,
    lay_off=False,
    draw_discards_down=False,
    wild_swap="off",
    after_out="one_turn_each",
    exact_cut=-20,
)

GAMES = (
    family_game(FRUSTRATION, "Frustration"),
    family_game(TEN_PHASES, "Ten phases"),
    family_game(THREE_THIRTEEN, "Three Thirteen"),
)
