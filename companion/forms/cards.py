"""Cards as people type them: one reader for every field, and the fields."""

from collections.abc import Mapping
from typing import Any

from companion.forms.fields import KEPT, Field, wrong
from companion.referee.cards import Card, MalformedCard, Rank, parse_cards

TYPED_LIMIT = 200  # characters of cards that make a meld
CARDS_LIMIT = 16
_BARE = {rank.symbol for rank in Rank if rank} | {"T"}


def read_cards(text: str, most: int, limit: int) -> tuple[Card, ...]:
    """At most so many cards, of at most so many characters; a rank alone is a card whose suit nobody has to type.

    Raises ``wrong`` with the sentence that says why they cannot be read; no card at all is one.
    """
    if len(text) > limit:
        raise wrong("too_long", limit=limit)
    parts = text.replace(",", " ").split()
    try:
        cards = parse_cards(" ".join(f"{part}?" if part.upper() in _BARE else part for part in parts))
    except MalformedCard as error:
        raise wrong("bad_card", text=str(error)[:20]) from None
    if not cards:
        raise wrong("no_cards")
    if len(cards) > most:
        raise wrong("too_many_cards", most=most)
    return cards


class Cards(Field):
    """Cards in a row."""

    attributes: Mapping[str, str] = {"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}

    def __init__(self, label: Any = "", *, most: int = CARDS_LIMIT, limit: int = TYPED_LIMIT, **options: Any) -> None:
        super().__init__(label, kept=5 * KEPT, **options)
        self.most, self.limit = most, limit

    def read(self, text: str) -> Any:
        return read_cards(text, self.most, self.limit)


class Groups(Cards):
    """Melds, one a line."""

    kind = "lines"
    attributes = {"rows": "4", **Cards.attributes}

    def read(self, text: str) -> tuple[tuple[Card, ...], ...]:
        if len(text) > self.limit:
            raise wrong("too_long", limit=self.limit)
        lines = [line for line in text.splitlines() if line.replace(",", " ").strip()]
        if not lines:
            raise wrong("no_cards")
        return tuple(read_cards(line, self.most, self.limit) for line in lines)
