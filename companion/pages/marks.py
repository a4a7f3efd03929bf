"""How people are told apart: everybody is a playing card of their own, by its suit, by its colour, and by whether the
suit or the card is coloured; eight people are eight cards also for who sees no colours.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion import wording
from companion.record.many_nights import PersonRow

SUITS = ("spade", "heart", "club", "diamond")
TONES = 8


@dataclass(frozen=True, slots=True)
class Mark:
    """A card: the suit's name, whether the whole card is coloured, the colour (from 0), and the letters on it."""

    suit: str
    full: bool
    tone: int
    letters: str


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody as pages show them."""

    id: int
    name: str
    mark: Mark
    hidden: bool
    forgotten: bool


def mark(number: int, name: str) -> Mark:
    """The card of the person with that number in their house; the first eight differ without colours.

    >>> [(one.suit, one.full) for one in (mark(0, "Ana"), mark(4, "Bea"))]
    [('spade', False), ('spade', True)]
    """
    return Mark(SUITS[number % 4], number % 8 > 3, (number + number // 8 * 3) % TONES, initials(name))


def initials(name: str) -> str:
    """The first letters of the first and the last word, where words begin with letters.

    >>> [initials(name) for name in ("Ana", "bartolomeu van der Berg", "=1+1", "\U0001f0a1 Zoë")]
    ['A', 'BB', '', 'Z']
    """
    words = [letter for word in name.split() if (letter := _first_letter(word))]
    return "".join(words[:1] + words[1:][-1:])


def _first_letter(word: str) -> str:
    first = word[0]
    return unicodedata.normalize("NFC", first.upper())[:1] if first.isalpha() else ""


def people_by_id(rows: Iterable[PersonRow]) -> Mapping[int, Person]:
    """Everybody as pages show them, by id, in the order given."""
    return {row.id: _person(row) for row in rows}


def _person(row: PersonRow) -> Person:
    card = mark(row.number, "" if row.forgotten else row.name)
    return Person(row.id, wording.isolate(row.name), card, row.hidden, row.forgotten)
