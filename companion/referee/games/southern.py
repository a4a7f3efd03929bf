"""Games of Latin America, Spain and Jamaica: Carioca, Loba, Continental, Telefunken, Kalooki (FAMILY 2.9 to 2.11, 2.16)."""

from companion.referee.cards import Rank
from companion.referee.deals import Deal, Pack
from companion.referee.games.family import ALL_LAID, BASE, CLASSIC_SEVEN, contracts, deals, family_game, values

CARIOCA = BASE.replace(
    sheet="carioca",
    contracts=(*CLASSIC_SEVEN, *contracts("4xset3", "run13")),
    buys=(0,) * 9,
    deals=deals((12,) * 9, last=ALL_LAID),
    min_players=2,
    max_players=5,
    packs=(Pack(5, 2, 4),),
    ace="corner",
    points=values(None, ace=20, joker=50),
    max_wilds=1,
    max_wilds_laid=2,
    wild_limit_scope="going_down",
    wilds_apart=3,
    same_rank_sets="forbidden",
    extra_melds=True,
    further_kinds="deal",
    further_when="later_turn",
    further_run=4,
    draw_discards_down=False,
    lay_off_same_turn=False,
    wild_swap="off",
    wild_discards=False,
    direction="anticlockwise",
    out_in_one_turn=-10,
    ties="most_deals_won",
)

LOBA = CARIOCA.replace(
    sheet="loba",
    contracts=CLASSIC_SEVEN[:6],
    buys=(0,) * 6,
    deals=deals((11,) * 6, last=Deal(last_card="may", ends_at_first_lay_down=True)),
    ace="either",
    lay_down_size="exact",
    extra_melds=False,
    out_in_one_turn=0,
    ties="shared",
)

CONTINENTAL = BASE.replace(
    sheet="continental",
    deals=deals(range(7, 14), "must"),
    min_players=2,
    packs=(Pack(4, 2, 6), Pack(8, 3, 6)),
    jokers_in_all=6,
    ace="corner_endless",
    points=values(None, ace=20, joker=50),
    adjacent_wilds="forbidden",
    buy_own_discard=True,
    swap_by="down",
    freed_wild="same_owner_run",
    must_discard_to_go_out=True,
    direction="anticlockwise",
    out_in_one_turn=-10,
)

TELEFUNKEN = BASE.replace(
    sheet="telefunken",
    contracts=contracts("2xset3", "set4", "2xset4", "set5", "2xset5", "set6", "run7"),
    min_players=4,
    packs=(Pack(4, 2, 4), Pack(8, 3, 6)),
    wild_ranks=(Rank.TWO,),
    natural_twos=True,
    points=values(nine=8, two=25, ace=15, joker=50),
    naturals_outnumber=True,
    extra_melds=True,
    buys=(7,) * 7,
    buys_per_game=7,
    stock_cards=2,
    next_player_pays=True,
    buy_unit="chip",
    buy_priority="first_call",
    wild_swap="all",
    swap_by="down",
    freed_wild="table",
    wild_discards=False,
    must_discard_to_go_out=True,
    start="starter_one_card_more",
    exact_cut_chips=1,
)

KALOOKI = BASE.replace(
    sheet="kalooki",
    contracts=contracts(
        "3xset3", "2xset3 run4", "set3 2xrun4", "3xrun4", "4xset3", "3xset3 run4", "2xset3 2xrun4", "set3 3xrun4", "4xrun4"
    ),
    buys=(3,) * 9,
    deals=deals((9, 10, 11, 12, 12, 13, 14, 15, 16)),
    packs=(Pack(4, 2, 4), Pack(6, 3, 8), Pack(8, 4, 10)),
    points=values(None, ace=15, joker=50),
    red_ace=1,
    adjacent_wilds="forbidden",
    set_naturals=2,
    same_rank_sets="forbidden",
    same_suit_runs="forbidden",
    swap_by="down",
    freed_wild="end",
)  # fmt: skip

GAMES = (
    family_game(CARIOCA, "Carioca"),
    family_game(LOBA, "Loba"),
    family_game(CONTINENTAL, "Continental"),
    family_game(TELEFUNKEN, "Telefunken"),
    family_game(KALOOKI, "Kalooki"),
)
