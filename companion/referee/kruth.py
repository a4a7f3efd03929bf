"""The Kruth deck and what is laid with it: cards, runs, triplets, the check of sixty (K1, K3, K4).

Every card exists once. A wild that was turned up is no card of a meld but stands for one: it has a place in a meld
and points, and is outside the check (K10).
"""

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from companion.referee.cards import MalformedCard
from companion.referee.reasons import Firmness, Problem, Reason, refuse
from companion.referee.rules import Rules

#: The fewest cards of a run, and the cards of a triplet (K3).
LEAST = 3


class KruthSuit(enum.Enum):
    """The four suits (K1)."""

    STONE = "stone"
    WATER = "water"
    WIND = "wind"
    SUN = "sun"

    __hash__ = object.__hash__


class KruthRank(enum.IntEnum):
    """The six ranks; the value is the points and the order in runs (K1)."""

    DEATH = 0
    DECEIT = 1
    TRUTH = 2
    LIFE = 3
    FATE = 4
    KING = 5


@dataclass(frozen=True, slots=True)
class KruthCard:
    """One of the 24 cards.

    >>> str(KruthCard(KruthRank.LIFE, KruthSuit.STONE))
    '3stone'
    """

    rank: KruthRank
    suit: KruthSuit

    def __str__(self) -> str:
        return f"{self.rank.value}{self.suit.value}"

    @property
    def points(self) -> int:
        """What it counts, laid or held (K1)."""
        return self.rank.value


#: Every card once, suit by suit, Death first (K1).
DECK: tuple[KruthCard, ...] = tuple(KruthCard(rank, suit) for suit in KruthSuit for rank in KruthRank)
_BY_NAME = {str(card): card for card in DECK}
_PLACE = {card: place for place, card in enumerate(DECK)}

#: All the points of the deck (K4).
SUM = sum(card.points for card in DECK)


def parse_kruth(text: str) -> KruthCard:
    """The card of ``3stone`` (K1); raises MalformedCard for anything else.

    >>> parse_kruth("5sun").rank.name
    'KING'
    """
    if card := _BY_NAME.get(text.strip().lower()):
        return card
    raise MalformedCard(text)


def parse_kruths(text: str) -> tuple[KruthCard, ...]:
    """The cards of ``3stone 4stone 5stone``, in that order (K1).

    >>> len(parse_kruths("3stone 4stone 5stone"))
    3
    """
    return tuple(map(parse_kruth, text.split()))


def kruth_points(cards: Iterable[KruthCard]) -> int:
    """What cards count together (K1).

    >>> kruth_points(parse_kruths("3stone 4stone 5stone 0sun"))
    12
    """
    return sum(card.points for card in cards)


def meld_problems(cards: Sequence[KruthCard], rules: Rules) -> tuple[Problem, ...]:
    """Why cards are neither a run of three or more in one suit nor three (or all four) of a rank; empty: they are.

    A card that a wild stands for is given like the card itself (K3).

    >>> from companion.referee.games import GREBBER
    >>> [p.reason.name for p in meld_problems(parse_kruths("1wind 2wind 4wind"), GREBBER)]
    ['KRUTH_GAP']
    """
    if twice := tuple(card for card in dict.fromkeys(cards) if cards.count(card) > 1):
        return refuse(Reason.KRUTH_TWICE, "K3", Firmness.TEXT, cards=twice)
    if len(cards) < LEAST:
        return refuse(Reason.KRUTH_SHORT, "K3", Firmness.TEXT, cards=tuple(cards), count=len(cards))
    if len({card.rank for card in cards}) == 1:
        return () if len(cards) == LEAST or rules.four_of_a_rank else _four(cards)
    if len({card.suit for card in cards}) > 1:
        return refuse(Reason.KRUTH_MIXED, "K3", Firmness.TEXT, cards=tuple(cards))
    return _gaps(cards)


def _four(cards: Sequence[KruthCard]) -> tuple[Problem, ...]:
    return refuse(Reason.KRUTH_FOUR, "K3", Firmness.SILENT, rests_on="four_of_a_rank", cards=tuple(cards))


def _gaps(cards: Sequence[KruthCard]) -> tuple[Problem, ...]:
    ranks = {card.rank for card in cards}
    between = (KruthRank(value) for value in range(min(ranks), max(ranks) + 1))
    missing = tuple(KruthCard(rank, cards[0].suit) for rank in between if rank not in ranks)
    return refuse(Reason.KRUTH_GAP, "K3", Firmness.TEXT, cards=tuple(cards), missing=missing) if missing else ()


# --- what a player laid in a hand -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Laid:
    """Cards as the melds they make: ``melds`` in the deck's order, and the cards that fit in ``none``."""

    melds: tuple[tuple[KruthCard, ...], ...]
    none: tuple[KruthCard, ...] = ()


def arrange(cards: Iterable[KruthCard], rules: Rules, wilds: Sequence[KruthCard] = ()) -> Laid:
    """The melds that cards make, with as few left over as can be; nobody has to say which meld is which.

    ``wilds`` are the cards that a turned-up wild stands for; only one wild lies there, so a meld has one at most (K6).

    >>> from companion.referee.games import GREBBER
    >>> laid = arrange(parse_kruths("3stone 4stone 5stone 4sun 4wind"), GREBBER)
    >>> [" ".join(map(str, meld)) for meld in laid.melds], " ".join(map(str, laid.none))
    (['3stone 4stone 5stone'], '4wind 4sun')
    """
    pieces = sorted([(card, False) for card in cards] + [(card, True) for card in wilds], key=_order)
    melds, none = _best(tuple(pieces), rules.four_of_a_rank)
    return Laid(tuple(tuple(card for card, _ in meld) for meld in melds), tuple(card for card, _ in none))


_Piece = tuple[KruthCard, bool]
_Pieces = tuple[_Piece, ...]


def _order(piece: _Piece) -> tuple[int, int, bool]:
    """Rank by rank: what is left of the deck then differs only in how far the runs of each suit have come."""
    return piece[0].rank, _PLACE[piece[0]], piece[1]


@lru_cache(maxsize=20_000)
def _best(pieces: _Pieces, four: bool) -> tuple[tuple[_Pieces, ...], _Pieces]:
    """The first piece lies in one of its melds, or in none; what leaves the fewest over comes first."""
    if len(pieces) < LEAST:
        return (), pieces
    first, rest = pieces[0], pieces[1:]
    best: tuple[tuple[_Pieces, ...], _Pieces] | None = None
    for meld in _melds_of(first, rest, four):
        melds, none = _best(_without(rest, meld[1:]), four)
        if best is None or len(none) < len(best[1]):
            best = ((meld, *melds), none)
        if not none:
            return best
    melds, none = _best(rest, four)
    return best if best is not None and len(best[1]) <= len(none) + 1 else (melds, (first, *none))


def _without(pieces: _Pieces, taken: _Pieces) -> _Pieces:
    """The pieces but these; of two wilds that stand for the same card one stays."""
    left = list(pieces)
    for piece in taken:
        left.remove(piece)
    return tuple(left)


def _melds_of(first: _Piece, rest: _Pieces, four: bool) -> Iterable[_Pieces]:
    """Every meld of ``first`` with pieces after it, the longest run first."""
    yield from reversed(list(_runs(first, rest)))
    others = dict.fromkeys(rest)
    alike = [piece for piece in others if piece[0].rank is first[0].rank and piece[0].suit is not first[0].suit]
    for chosen in _suits_apart(alike):
        meld, most = (first, *chosen), LEAST + 1 if four else LEAST
        if LEAST <= len(meld) <= most and sum(wild for _, wild in meld) <= 1:
            yield meld


def _runs(first: _Piece, rest: _Pieces) -> Iterable[_Pieces]:
    grown: list[_Pieces] = [(first,)]
    while grown:
        longer = [
            (*run, piece)
            for run in grown
            for piece in dict.fromkeys(rest)
            if piece[0].suit is first[0].suit
            and piece[0].rank == run[-1][0].rank + 1
            and not (piece[1] and any(wild for _, wild in run))
        ]
        yield from (run for run in longer if len(run) >= LEAST)
        grown = longer


def _suits_apart(pieces: list[_Piece]) -> Iterable[_Pieces]:
    """Every choice of pieces with no suit twice, the larger ones first."""
    choices: list[_Pieces] = [()]
    for piece in pieces:
        choices += [
            (*chosen, piece) for chosen in choices if all(other[0].suit is not piece[0].suit for other in chosen)
        ]
    return sorted(choices, key=len, reverse=True)


def laid_problems(cards: Sequence[KruthCard], rules: Rules, wilds: Sequence[KruthCard] = ()) -> tuple[Problem, ...]:
    """Why what a player laid is not all runs and triplets: the very reason where it is one meld, else what is left over (K3).

    >>> from companion.referee.games import GREBBER
    >>> laid_problems(parse_kruths("3stone 4stone 5stone 0sun 0wind 0water"), GREBBER)
    ()
    """
    lies = arrange(cards, rules, wilds)
    if not (none := lies.none):
        return ()
    few = not lies.melds and len(cards) + len(wilds) <= LEAST + 1 and len(wilds) <= 1
    if few and (exact := meld_problems((*cards, *wilds), rules)):
        return exact
    if rules.four_of_a_rank or arrange(cards, rules.replace(four_of_a_rank=True), wilds).none:
        return refuse(Reason.KRUTH_LEFT_OVER, "K3", Firmness.TEXT, cards=none)
    return _four(none)
