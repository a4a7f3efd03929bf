"""The family of the classic seven hands: Contract, Liverpool, Zioncheck, Progressive, May I? and the short Shanghai.

They are one game with different switches (FAMILY 2.1, 2.2, 2.4, 2.6 to 2.8).
"""

from companion.referee.cards import Rank
from companion.referee.deals import Pack
from companion.referee.games.family import ALL_LAID, BASE, CLASSIC_SEVEN, deals, family_game, values

_TEN_THEN_TWELVE = (10,) * 4 + (12,) * 3

CONTRACT = BASE.replace(
    sheet="contract",
    deals=deals(_TEN_THEN_TWELVE, last=ALL_LAID),
    packs=(Pack(4, 2, 1), Pack(8, 3, 2)),
    jokers_in_all=1,
    same_suit_runs="not_touching",
    buy_priority="first_call",
)

LIVERPOOL = BASE.replace(
    sheet="liverpool",
    deals=deals(_TEN_THEN_TWELVE, last=ALL_LAID),
    min_naturals=0,
    same_suit_runs="not_touching",
    draw_discards_down=False,
    exact_cut=-50,
)

ZIONCHECK = BASE.replace(
    sheet="zioncheck",
    deals=deals((11,) * 7, last=ALL_LAID),
    points=values(ace=15, joker=15),
    buy_veto="turn_player",
)

PROGRESSIVE = BASE.replace(
    sheet="progressive",
    deals=deals(range(6, 13), "must"),
    lay_down_size="exact",
    buys=(0,) * 7,
)

MAY_I = BASE.replace(
    sheet="may_i",
    contracts=CLASSIC_SEVEN[:6],
    buys=(None,) * 6,
    deals=deals((11,) * 6, last=ALL_LAID),
    packs=(Pack(5, 2, 4), Pack(8, 3, 6)),
    wild_ranks=(Rank.TWO,),
    ace="high",
    points=values(None, two=20, ace=15, joker=50),
    lay_down_size="exact",
    wild_share="half",
    wild_limit_scope="going_down",
    same_suit_runs="gap2",
    buy_window="whole_turn",
    draw_discards_down=False,
    lay_off_same_turn=False,
    swap_by="not_down",
)

SHANGHAI7 = BASE.replace(
    sheet="shanghai7",
    deals=deals(_TEN_THEN_TWELVE, "must_not"),
    points=values(ace=15, joker=25),
    buys=(5,) * 7,
    swap_by="down_or_going_down",
)

GAMES = (
    family_game(CONTRACT, "Contract Rummy"),
    family_game(LIVERPOOL, "Liverpool Rummy"),
    family_game(ZIONCHECK, "Zioncheck"),
    family_game(PROGRESSIVE, "Progressive Rummy"),
    family_game(MAY_I, "May I?"),
    family_game(SHANGHAI7, "Shanghai Rummy"),
)
__all__ = ["CONTRACT", "GAMES", "LIVERPOOL", "MAY_I", "PROGRESSIVE", "SHANGHAI7", "ZIONCHECK"]
