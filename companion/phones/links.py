"""The ways to a table: links, short codes typed by hand, and no guessing.

A link has 128 random bits: nobody guesses it, so it is never refused for tries made elsewhere. A short code has 40
bits, which alone would be too few on a server with many tables. Two things keep it safe: it opens its table only for a
day after it was made or the table's last entry, and wrong codes are counted. Ten in ten minutes from one address are
1,440 a day; where 1,000 tables are being played (2,000 codes) that finds any of them once in about a thousand years.
Counting is in the database, in one statement a try, so that any number of workers count together and none too few.
Whoever used up the tries of an address waits ten minutes; phones at a table play on, and links and QR codes still open.
"""

import hashlib
import hmac
import ipaddress
import secrets
from datetime import UTC, datetime, timedelta

from flask import current_app, request
from sqlalchemy import case, delete, insert, literal, select, update
from sqlalchemy.exc import IntegrityError

from companion.db import UTCDateTime, db, writing
from companion.models import SHORT_LENGTH, Guess

#: No O and 0, no I and 1: whatever is read aloud or off a far screen is typed right. 32 of them: five bits each.
LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
#: How long a short code opens its table after it was made, or after the table's last entry.
SHORT_LIVES = timedelta(days=1)
#: How many wrong codes are taken from an address, and from a device wherever it is, within the window.
TRIES = 10
WINDOW = timedelta(minutes=10)

_GROUP = 4


class TooManyTries(Exception):
    """Too many wrong codes came from here; ``wait`` is in how many seconds one may be typed again."""

    def __init__(self, wait: int) -> None:
        super().__init__(f"again in {wait} s")
        self.wait = wait


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


# --- against guessing -----------------------------------------------------------------------------------------------


def spend_try(device: int | None) -> None:
    """Count a try from this address and this device, before it is looked at. Raises TooManyTries."""
    now = datetime.now(UTC)
    for bucket in _buckets(device):
        _refuse_spent(bucket, now)
    for bucket in _buckets(device):
        tries = _count(bucket, now)
        if tries > TRIES:  # others came in between
            _refuse_spent(bucket, now)
        if tries == 1:
            _forget(now)


def take_back_try(device: int | None) -> None:
    """The code was right: it was no guess."""
    for bucket in _buckets(device):
        with writing() as session:
            session.execute(update(Guess).where(Guess.bucket == bucket, Guess.tries > 0).values(tries=Guess.tries - 1))


def _refuse_spent(bucket: str, now: datetime) -> None:
    row = db.session.execute(select(Guess.since, Guess.tries).where(Guess.bucket == bucket)).one_or_none()
    if row is not None and row.tries >= TRIES and row.since > now - WINDOW:
        raise TooManyTries(max(1, int((row.since + WINDOW - now).total_seconds())))


def _count(bucket: str, now: datetime) -> int:
    """The tries so far with this one: counted in one statement, so that two workers never count one try as two's."""
    is_old = Guess.since <= now - WINDOW
    counted = {
        "since": case((is_old, literal(now, UTCDateTime)), else_=Guess.since),
        "tries": case((is_old, 1), else_=Guess.tries + 1),
    }
    more = update(Guess).where(Guess.bucket == bucket).values(**counted).returning(Guess.tries)
    try:
        with writing() as session:
            tries = session.execute(more).scalar_one_or_none()
            if tries is None:
                session.execute(insert(Guess).values(bucket=bucket, since=now, tries=1))
            return int(tries or 1)
    except IntegrityError:  # another worker counted the first one in between
        with writing() as session:
            return int(session.execute(more).scalar_one())


def _forget(now: datetime) -> None:
    """Drop the counts that are over."""
    with writing() as session:
        session.execute(delete(Guess).where(Guess.since < now - WINDOW))


def _buckets(device: int | None) -> tuple[str, ...]:
    """Where a try comes from: the address, always first, and the device if it is known. Hashed, so that no address
    can be read off the database.
    """
    places = [f"address {_network(request.remote_addr or '')}"] + ([f"device {device}"] if device is not None else [])
    key = str(current_app.config["SECRET_KEY"]).encode()
    return tuple(hmac.new(key, place.encode(), hashlib.sha256).hexdigest() for place in places)


def _network(address: str) -> str:
    """An IPv4 address, or the network a household has in IPv6: it has more addresses than there are codes."""
    try:
        network = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(network, ipaddress.IPv6Address):
        network = network.ipv4_mapped or ipaddress.ip_network((network, 56), strict=False).network_address
    return str(network)
