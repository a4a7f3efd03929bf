"""Names within a given width, for drawings: a drawing cannot wrap its text, and the server has no fonts to measure.

Widths are estimates in ems, on the generous side. A letter is what a reader counts as one: with its accents, and an
emoji with all that it is joined from.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import accumulate
from os.path import commonprefix

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


def in_lines(name: str, room: float, most: int) -> str:
    """A name of which at most so many lines are shown, each ``room`` ems wide, without a break inside a word.

    >>> in_lines("Bartholomäus van der Berghe", 7.5, 2), in_lines("Anna-Maria", 4, 2)
    ('Bartholomäus van der Berg…', 'Anna-Maria')
    """
    apart = re.sub(r"(?<=\w)-(?=\w)", f"-{_SOFT_HYPHEN} ", name)  # a line may end after a hyphen
    return " ".join(wrapped(apart, room, most)).replace(f"-{_SOFT_HYPHEN} ", "-").replace(_SOFT_HYPHEN, "")


def told_apart(names: Sequence[str], short: Callable[[str], str]) -> tuple[str, ...]:
    """Each name as ``short`` makes it; those that would look the same are made short from where they differ.

    >>> told_apart(["Grandma Rose", "Grandma Ruth", "Ana"], lambda name: fitted(name, 5))
    ('G. Rose', 'G. Ruth', 'Ana')
    """
    shown = list(map(short, names))
    for alike in {look: [at for at, one in enumerate(shown) if one == look] for look in shown}.values():
        if len(alike) > 1:
            for at, words in zip(alike, _apart([names[at] for at in alike], short), strict=True):
                shown[at] = words
    return tuple(shown)


def _apart(names: list[str], short: Callable[[str], str]) -> list[str]:
    """Names that look alike when short, otherwise: by initials, by their ends, or numbered."""
    is_fenced = any("\u2068" in name for name in names)  # right to left: nothing is cut off its beginning
    ways = (list(map(short, way)) for way in ([] if is_fenced else [_initials(names), _ends(names)]))
    numbered = [short(f"{number}. {name}") for number, name in enumerate(names, 1)]
    return next((way for way in ways if len(set(way)) == len(way)), numbered)


def _initials(names: list[str]) -> list[str]:
    """The words that all begin with as initials; everybody keeps a last word."""
    words = [name.split() for name in names]
    same = min(len(commonprefix(words)), *(len(each) - 1 for each in words))
    return [" ".join([*(f"{word[0]}." for word in each[:same]), *each[same:]]) for each in words]


def _ends(names: list[str]) -> list[str]:
    """The first letter, and what follows from just before where they begin to differ."""
    letters = [list(iter_graphemes(name)) for name in names]
    same = len(commonprefix(letters)) - 1
    return ["".join([each[0], "…", *each[same:]]) if same > 1 else "".join(each) for each in letters]


_SOFT_HYPHEN = "\N{SOFT HYPHEN}"
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
