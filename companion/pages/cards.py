"""Cards and melds as templates draw them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion import wording
from companion.referee.cards import JOKER, Card, Rank, Suit
from companion.referee.melds import Meld
from companion.wording.cards import SUIT_SIGNS

#: The letter of each printed suit, by which templates draw it.
_SUITS = {sign: suit.value.lower() for suit, sign in SUIT_SIGNS.items()}


@dataclass(frozen=True, slots=True)
class Face:
    """One card: what is printed on it, its full name, for a wild what it stands for (else None), and the
    suit whose colour it has ("s", "h", "d", "c", or "" for none).
    """

    code: str
    printed: str
    name: str
    stands_for: str | None = None
    suit: str = ""

    @property
    def corner(self) -> tuple[str, str]:
        """Rank and suit as they are printed: ``("10", "h")``; no suit is ``""``."""
        return _told_apart(self.printed)

    @property
    def place(self) -> tuple[str, str]:
        """Rank and suit of what a wild stands for."""
        return _told_apart(self.stands_for or "")


def _told_apart(printed: str) -> tuple[str, str]:
    suit = _SUITS.get(printed[-1:], "")
    return printed[:-1] if suit else printed, suit


@dataclass(frozen=True, slots=True)
class DrawnMeld:
    """A meld: its cards low end first, and the whole as a sentence."""

    faces: tuple[Face, ...]
    sentence: str


@wording.per_language
def face(card: Card) -> Face:
    """A card by itself."""
    printed = "★" if card.rank is Rank.JOKER else wording.card_short(card)  # the word is wider than the card
    return Face(str(card), printed, wording.card_name(card), None, _colour(card))


def _colour(card: Card) -> str:
    return card.suit.value.lower() if card.suit else ""


@wording.per_language
def drawn(meld: Meld) -> DrawnMeld:
    """A meld with every wild labelled (G3.6)."""
    return DrawnMeld(tuple(_in_meld(meld, at) for at in range(len(meld.cards))), wording.meld_sentence(meld))


def _in_meld(meld: Meld, position: int) -> Face:
    plain = face(meld.cards[position])
    if not meld.is_wild_at(position):
        return plain
    place = meld.stands_for(position)
    return Face(
        plain.code, plain.printed, wording.wild_label(meld, position), wording.card_short(place),
        _colour(place),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Key:
    """One card of the sheet of 52: whether it is dead, and the words a screen reader says."""

    face: Face
    dead: bool
    label: str


def pad(dead: Mapping[Card, object], words: Mapping[bool, str]) -> tuple[Key, ...]:
    """All 52 cards in the order of the sheet: the 2s, the joker where ``dead`` has one, then suit by suit from 3 to
    ace; ``words`` for dead and alive.
    """
    return tuple(_key(card, bool(dead.get(card)), words) for card in sheet_order(joker=JOKER in dead))


def sheet_order(*, joker: bool = False) -> Iterable[Card]:
    """The four 2s and a joker, which may never be thrown where they play; then 3 to ace of every suit, two rows of six."""
    ranks = [rank for rank in Rank if rank >= Rank.THREE]
    yield from (Card(Rank.TWO, suit) for suit in Suit)
    yield from [JOKER] if joker else []
    yield from (Card(rank, suit) for suit in Suit for rank in ranks)


def _key(card: Card, is_dead: bool, words: Mapping[bool, str]) -> Key:
    drawn_face = face(card)
    return Key(drawn_face, is_dead, f"{drawn_face.name}: {words[is_dead]}")
