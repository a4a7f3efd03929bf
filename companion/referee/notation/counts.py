"""What a player has at the end of a hand of Grebber, as it is written inside a line."""

import re

from companion.referee.grebber import Count
from companion.referee.kruth import KruthCard, parse_kruths

_CARDS = r"((?: [0-5][a-z]+)*)"
_COUNT = re.compile(rf"(\d+) laid (-?\d+){_CARDS} held (-?\d+){_CARDS}(?: wild{_CARDS})?")


def format_count(count: Count) -> str:
    """``0 laid 12 3stone 4stone 5stone held 4 4sun``; the cards a used wild stands for come last.

    >>> format_count(Count(1, 8, 12))
    '1 laid 8 held 12'
    """
    line = f"{count.seat} laid {count.laid}{_listed(count.laid_cards)} held {count.held}{_listed(count.held_cards)}"
    return line + (f" wild{_listed(count.wilds)}" if count.wilds else "")


def _listed(cards: tuple[KruthCard, ...]) -> str:
    return "".join(f" {card}" for card in cards)


def read_count(text: str) -> Count:
    """The count that ``format_count`` wrote; raises ValueError for anything else.

    >>> read_count("0 laid 12 3stone 4stone 5stone held 4 4sun").score
    8
    """
    match = _COUNT.fullmatch(text.strip())
    if match is None:
        raise ValueError(text)
    seat, laid, laid_cards, held, held_cards, wilds = match.groups()
    cards = (parse_kruths(part or "") for part in (laid_cards, held_cards, wilds))
    return Count(int(seat), int(laid), int(held), *cards)
