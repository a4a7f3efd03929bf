"""The letters of a file as a spreadsheet saves it. UTF-8 and UTF-16 say so themselves; of the older ways to write é and ã
those are possible in which nothing but letters comes out, and where several are, the names decide, read by a person.
"""

import re
from dataclasses import dataclass

#: Excel on Windows, Excel on old Macs, DOS; every byte of the last two is some letter, so a text can be read anew.
OLDER = ("cp1252", "mac_roman", "cp850")
_SIGNS = "’‘“”–—…€£ºª°·•«»\u00a0¿¡½¼¾×²³§±"
_LETTERS = frozenset("àáâãäåæçèéêëìíîïñòóôõöøœùúûüýÿšžßðþ")
_LIKELY = frozenset("áéíóúâêôãõçàüñöäë")
_SAMPLES = 4


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text; ``encodings`` are those it may have been written in, the first is how it is read, none: it is certain."""

    text: str
    encodings: tuple[str, ...] = ()


def decoded(data: bytes) -> Decoded:
    """The text of a file.

    >>> decoded("João".encode("cp1252")).text, decoded("João".encode("cp850")).text
    ('João', 'João')
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Decoded(data.decode("utf-16", "replace"))
    for wide, zeros in (("utf-16-le", data[1::2]), ("utf-16-be", data[::2])):
        if 2 * zeros.count(0) > len(zeros) > 1:
            return Decoded(data.decode(wide, "replace"))
    try:
        return Decoded(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return _older(data)


def _older(data: bytes) -> Decoded:
    readings = {name: text for name in OLDER if (text := _tried(data, name)) is not None}
    possible = {name: text for name, text in readings.items() if _is_possible(text)} or readings
    order = sorted(possible, key=lambda name: -sum(char in _LIKELY for char in possible[name].casefold()))
    different = [name for at, name in enumerate(order) if possible[name] not in [possible[one] for one in order[:at]]]
    return Decoded(possible[different[0]], tuple(different) if len(different) > 1 else ())


def _tried(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _is_possible(text: str) -> bool:
    """Whether what is beyond ASCII is letters of the West where letters stand, and no capital after a small letter."""
    for at, char in enumerate(text):
        if char < "\x80" or char in _SIGNS:
            continue
        if char.casefold() not in _LETTERS and char != "ß":
            return False
        before = text[at - 1 : at]
        if char.isupper() and before.isalpha() and before.islower():
            return False
        if char.islower() and before.isupper() and text[at + 1 : at + 2].isupper():
            return False
    return True


def read_anew(text: str, was: str, now: str) -> str:
    """A text read in one way, read in another; what was typed since stays as it is.

    >>> read_anew("Jo‹o", "cp1252", "mac_roman")
    'João'
    """
    return "".join(char if char < "\x80" else _anew(char, was, now) for char in text)


def _anew(char: str, was: str, now: str) -> str:
    try:
        return char.encode(was).decode(now)
    except UnicodeError:
        return char


def samples(text: str, was: str, now: str) -> list[str]:
    """Some words in which a letter is at stake, as another reading has them."""
    words = dict.fromkeys(word for word in re.findall(r"[^\s,;|\t\"]+", text) if not word.isascii())
    return [read_anew(word, was, now) for word in list(words)[:_SAMPLES]]
