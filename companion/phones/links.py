"""The ways to a table: links, short codes typed by hand, and no guessing.

A link has 128 random bits: nobody guesses it, so it is never refused for tries made elsewhere. A short code has 40
bits, which alone would be too few on a server with many tables. Two things keep it safe: it opens its table only for a
day after it was made or the table's last entry, and wrong codes are counted. Ten in ten minutes from one address are
1,440 a day; where 1,000 tables are being played (2,000 codes) that finds any of them once in about a thousand years.
Whoever used up the tries of an address waits ten minutes; phones at a table play on, and links and QR codes still open.
"""

import secrets
from datetime import timedelta

from companion.models import SHORT_LENGTH
from companion.phones.limits import Limit

#: No O and 0, no I and 1: whatever is read aloud or off a far screen is typed right. 32 of them: five bits each.
LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
#: How long a short code opens its table after it was made, or after the table's last entry.
SHORT_LIVES = timedelta(days=1)
#: How many wrong codes are taken from an address, and from a device wherever it is, within the window.
TRIES = 10
WINDOW = timedelta(minutes=10)
WRONG_CODES = Limit("", TRIES, WINDOW)

_GROUP = 4


def new_link() -> str:
    """The secret part of a link: 128 bits."""
    return secrets.token_urlsafe(16)


def new_short() -> str:
    """A code to be typed by hand, as it is stored."""
    return "".join(secrets.choice(LETTERS) for _ in range(SHORT_LENGTH))


def grouped(short: str) -> str:
    """A short code as it is shown.

    >>> grouped("K7QM3XPD")
    'K7QM 3XPD'
    """
    return f"{short[:_GROUP]} {short[_GROUP:]}"


def read_short(text: str) -> str | None:
    """A short code as somebody typed it, in any case, with or without gaps; None for what can be no code.

    >>> read_short(" k7qm-3xpd ")
    'K7QM3XPD'
    >>> read_short("K7QM 3XP0") is None
    True
    """
    if len(text) > 10 * SHORT_LENGTH or not text.isascii():
        return None
    typed = "".join(char for char in text.upper() if char.isalnum())
    return typed if len(typed) == SHORT_LENGTH and set(typed) <= set(LETTERS) else None
