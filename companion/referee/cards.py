"""Cards: ranks, suits, the exact card and what a pack of decks holds (G1.1, G2.1, G2.2).

A card is written rank first: ``10S``, ``AH``, ``2D``. ``9?`` is a nine whose suit nobody typed (only
inside a set) and ``JK`` (or ``*``) is a joker.
"""

import enum
from collections.abc import Iterable
from dataclasses import dataclass


class MalformedCard(ValueError):
    """The text that names no card."""


class Rank(enum.IntEnum):
    """A rank; the number is its place in a run, the ace high (G2.1). A joker has place 0."""

    JOKER = 0
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    __hash__ = int.__hash__  # the one enum gives is written in Python, and cards are looked up a lot

    @property
    def symbol(self) -> str:
        """The rank as it is written: ``2`` … ``10 J Q K A``, a joker ``JK``."""
        return _RANK_SYMBOLS[self]


_RANK_SYMBOLS = dict(zip(Rank, ["JK", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"], strict=True))
_RANKS_BY_SYMBOL = {symbol: rank for rank, symbol in _RANK_SYMBOLS.items()} | {"T": Rank.TEN}


class Suit(enum.Enum):
    """One of the four suits; the value is its letter."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"

    __hash__ = object.__hash__  # as for ranks; members are single, so identity serves


#: Hearts and diamonds.
RED = frozenset({Suit.HEARTS, Suit.DIAMONDS})

_SUITS_BY_SYMBOL = {suit.value: suit for suit in Suit} | {
    "♠": Suit.SPADES, "♥": Suit.HEARTS, "♦": Suit.DIAMONDS, "♣": Suit.CLUBS,
    "♤": Suit.SPADES, "♡": Suit.HEARTS, "♢": Suit.DIAMONDS, "♧": Suit.CLUBS,
}  # fmt: skip


@dataclass(frozen=True, slots=True, order=False)
class Card:
    """One exact card. ``suit`` is None for a joker, or where nobody typed the suit of a set's card."""

    rank: Rank
    suit: Suit | None

    def __str__(self) -> str:
        if self.rank is Rank.JOKER:
            return "JK"
        return self.rank.symbol + (self.suit.value if self.suit else "?")

    def __repr__(self) -> str:
        return f"parse_card({str(self)!r})"


JOKER = Card(Rank.JOKER, None)


def parse_card(text: str) -> Card:
    """Read one card such as ``10S``, ``th``, ``A♠``, ``9?`` or ``*``; raises MalformedCard (G1.1).

    >>> parse_card("t♥")
    parse_card('10H')
    """
    cleaned = text.strip().replace("\N{VARIATION SELECTOR-16}", "").replace("\N{VARIATION SELECTOR-15}", "").upper()
    if cleaned in ("*", "JK"):
        return JOKER
    rank = _RANKS_BY_SYMBOL.get(cleaned[:-1])
    suit = _SUITS_BY_SYMBOL.get(cleaned[-1:])
    if rank is None or rank is Rank.JOKER or (suit is None and cleaned[-1:] != "?"):
        raise MalformedCard(text)
    return Card(rank, suit)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by spaces or commas, in order; raises MalformedCard for the first that is none (G1.1).

    >>> parse_cards("4S 2H, 6S")
    (parse_card('4S'), parse_card('2H'), parse_card('6S'))
    """
    return tuple(parse_card(part) for part in text.replace(",", " ").split())


def format_cards(cards: Iterable[Card]) -> str:
    """Write cards as ``parse_cards`` reads them: ``4S 2H 6S`` (G1.1).

    >>> format_cards([parse_card("4S"), JOKER])
    '4S JK'
    """
    return " ".join(map(str, cards))


#: Every exact card but the jokers, suit by suit, low rank first.
FIFTY_TWO = tuple(Card(rank, suit) for suit in Suit for rank in Rank if rank is not Rank.JOKER)
