"""What the games of the family are made of: lists of contracts, packs, values (FAMILY, sections 1 to 3)."""

from collections.abc import Iterable, Sequence

from companion.referee.cards import Rank
from companion.referee.deals import Deal, Pack
from companion.referee.games.game import Game
from companion.referee.games.gripe import contract
from companion.referee.rules import Contract, Rules


def contracts(*texts: str) -> tuple[Contract, ...]:
    """A list of hands as ``contract`` reads them."""
    return tuple(map(contract, texts))


#: The seven hands that most of the family plays.
CLASSIC_SEVEN = contracts("2xset3", "set3 run4", "2xrun4", "3xset3", "2xset3 run4", "set3 2xrun4", "3xrun4")

#: Two decks for three or four, three for more, two jokers in each.
USUAL_PACKS = (Pack(4, 2, 4), Pack(8, 3, 6))

#: Going down takes all cards and ends the deal; nothing is thrown.
ALL_LAID = Deal(last_card="must_not", all_at_once=True)


def deals(dealt: Sequence[int], last_card: str = "may", last: Deal | None = None) -> tuple[Deal, ...]:
    """So many cards dealt in each deal, the last one played otherwise."""
    rows = [Deal(hand_size=cards, last_card=last_card) for cards in dealt]  # type: ignore[arg-type]
    if last is not None:
        rows[-1] = Deal(dealt[-1], last.wild_ranks, last.last_card, last.all_at_once, last.ends_at_first_lay_down)
    return tuple(rows)


def values(low: int | None = 5, nine: int | None = None, **others: int) -> tuple[tuple[Rank, int], ...]:
    """What cards cost in hand: 2 to 9 ``low`` each, or their number where it is None; 10 to K ten; ``others`` by name.

    ``nine`` is the rank from which on ten is counted, the 10 otherwise.
    """
    tens = Rank(nine or 10)
    points: dict[Rank, int] = {
        rank: 10 if rank >= tens else low or int(rank) for rank in Rank if rank is not Rank.JOKER
    }
    points |= {Rank[name.upper()]: value for name, value in others.items()}
    return tuple(points.items())


#: A card counts its number, 10 to K ten.
PIPS = values(None, ace=15, joker=15)

#: What every contract rummy of the family plays unless it says otherwise, as the rule book has it.
BASE = Rules(
    sheet="family",
    contracts=CLASSIC_SEVEN,
    buys=(None,) * 7,
    points=PIPS,
    wild_ranks=(),
    ace="either",
    packs=USUAL_PACKS,
    jokers_in_all=4,
    buy_when_down=False,
    discard_ban=False,
    must_discard_to_go_out=False,
    floating=False,
    swap_by="down_earlier",
    freed_wild="hand",
)


def family_game(sheets: Rules | Iterable[Rules], boardgame: str, *, is_offered: bool = True) -> Game:
    """A game of the family with its rule sheets, the first of which has its name."""
    rows = (sheets,) if isinstance(sheets, Rules) else tuple(sheets)
    return Game(rows[0].sheet, rows, boardgame=boardgame, family="contract", is_offered=is_offered)
