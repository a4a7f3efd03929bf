"""The long Shanghai, also called California, and Hawaiian in its two forms (FAMILY 2.3, 2.5)."""

from companion.referee.cards import Rank
from companion.referee.deals import Pack
from companion.referee.games.family import ALL_LAID, BASE, contracts, deals, family_game, values

SHANGHAI = BASE.replace(
    sheet="shanghai",
    contracts=contracts(
        "2xset3", "set3 run4", "2xrun4", "3xset3", "set3 run7", "2xset3 run5", "3xrun4", "set3 run10", "3xset3 run5", "3xrun5"
    ),
    buys=(3,) * 8 + (4,) * 2,
    points=values(ace=15, joker=25),
    wild_share="half",
    must_discard_to_go_out=True,
    floating=True,
    lay_off_same_turn=False,
)  # fmt: skip

HAWAIIAN = BASE.replace(
    sheet="hawaiian",
    contracts=(*SHANGHAI.contracts[:6], *contracts("3xset4"), *SHANGHAI.contracts[7:]),
    buys=(3,) * 9 + (4,),
    hand_size=9,
    min_players=2,
    max_players=4,
    packs=(Pack(4, 3, 6),),
    decks=3,
    jokers_in_all=6,
    wild_ranks=(Rank.TWO,),
    ace="high",
    points=values(two=20, ace=15, joker=50),
    buy_when_down=True,
    swap_by="down",
    freed_wild="end",
)

HAWAIIAN7 = HAWAIIAN.replace(
    sheet="hawaiian7",
    contracts=contracts("2xset3", "set3 run4", "2xrun4", "3xset3", "set3 run7", "set3 2xrun4", "2xset3 run4"),
    buys=(None,) * 7,
    deals=deals((7, 8, 9, 10, 11, 12, 12), last=ALL_LAID),
    wild_share="third",
    stock_cards=2,
    buy_when_down=False,
    lay_off_same_turn=False,
)

GAMES = (
    family_game(SHANGHAI, "Shanghai Rummy"),
    family_game((HAWAIIAN, HAWAIIAN7), "Hawaiian Rummy"),
)
