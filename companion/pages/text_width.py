"""Names within a given width, for drawings: a drawing cannot wrap its text, and the server has no fonts to measure.

Widths are estimates in ems, on the generous side. A letter is what a reader counts as one: with its accents, and an
emoji with all that it is joined from.
"""

import unicodedata
from itertools import accumulate

from wcwidth import iter_graphemes

_NARROW = frozenset("iljtfrI.,:;'!|()[] -’")
_WIDE = frozenset("mwMW@%—")


def width(text: str) -> float:
    """About how many ems a text is wide."""
    return sum(_width(letter[0]) for letter in iter_graphemes(text))


def fitted(text: str, room: float) -> str:
    """The text, cut between letters and ended with "…" where it is wider than ``room`` ems.

    >>> fitted("Maximiliane-Alexandra", 6), fitted("Ana", 6)
    ('Maximili…', 'Ana')
    """
    letters = list(iter_graphemes(text))
    widths = [_width(letter[0]) for letter in letters]
    if sum(widths) <= room:
        return text
    ends = accumulate(widths, initial=_ELLIPSIS)
    kept = sum(1 for end in ends if end <= room) - 1
    return "".join(letters[: max(0, kept)]).rstrip() + "…"


def wrapped(text: str, room: float, most: int) -> tuple[str, ...]:
    """The text in lines of ``room`` ems, ``most`` at most, broken between words; what does not fit is cut.

    >>> wrapped("Ana, Bea and Carl share the win", 10, 2)
    ('Ana, Bea and Carl', 'share the win')
    """
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and (width(longer) <= room or len(lines) == most):
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(fitted(line, room) for line in lines)


_ELLIPSIS = 0.9


def _width(char: str) -> float:
    if unicodedata.east_asian_width(char) in "WF":
        return 1.1
    if unicodedata.category(char) in ("So", "Sk"):
        return 1.4
    if char in _NARROW:
        return 0.36
    if char in _WIDE:
        return 0.95
    return 0.72 if char.isupper() or char > "\u0600" else 0.6
