"""How often something may be done from one place: an address (a household, in IPv6), and a device wherever it is.

Counting is in the database, in one statement a try, so that any number of workers count together and none too few.
"""

import hashlib
import hmac
import ipaddress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from flask import current_app, request
from sqlalchemy import case, delete, insert, literal, or_, select, update
from sqlalchemy.exc import IntegrityError

from companion.db import UTCDateTime, db, writing
from companion.models import Guess

#: Those who count at once do not have the very same time; later than by so much is a clock that was put back.
_SKEW = timedelta(minutes=1)


class TooManyTries(Exception):
    """Too much was tried from here; ``wait`` is in how many seconds there may be another try."""

    def __init__(self, wait: int) -> None:
        super().__init__(f"again in {wait} s")
        self.wait = wait

    @property
    def minutes(self) -> int:
        """The wait as it is said."""
        return -(-self.wait // 60)


@dataclass(frozen=True, slots=True)
class Limit:
    """``tries`` within a window from each place. ``name`` (a few letters) tells one thing that is counted from another."""

    name: str
    tries: int
    window: timedelta

    def spend(self, device: int | None, tries: int = 1) -> None:
        """Count a try from this address and this device, before it is looked at. Raises TooManyTries."""
        now = datetime.now(UTC)
        for bucket in self._buckets(device):
            self._refuse_spent(bucket, now, tries)
        for bucket in self._buckets(device):
            counted = self._count(bucket, now, tries)
            if counted > self.tries:  # others came in between
                self._refuse_spent(bucket, now)
            if counted == tries:
                self._forget(now)

    def take_back(self, device: int | None) -> None:
        """It was none of those that are counted."""
        for bucket in self._buckets(device):
            fewer = update(Guess).where(Guess.bucket == bucket, Guess.tries > 0).values(tries=Guess.tries - 1)
            with writing() as session:
                session.execute(fewer)

    def _refuse_spent(self, bucket: str, now: datetime, more: int = 1) -> None:
        row = db.session.execute(select(Guess.since, Guess.tries).where(Guess.bucket == bucket)).one_or_none()
        # A moment to come is one of a clock that was put back since: it would be waited for, for years.
        if row is not None and row.tries + more > self.tries and now - self.window < row.since <= now + _SKEW:
            wait = min(self.window, row.since + self.window - now)
            raise TooManyTries(max(1, int(wait.total_seconds())))

    def _count(self, bucket: str, now: datetime, tries: int) -> int:
        """The tries so far with this one: counted in one statement, so that two workers never count one try as two's."""
        is_old = or_(Guess.since <= now - self.window, Guess.since > now + _SKEW)
        counted = {
            "since": case((is_old, literal(now, UTCDateTime)), else_=Guess.since),
            "tries": case((is_old, tries), else_=Guess.tries + tries),
        }
        more = update(Guess).where(Guess.bucket == bucket).values(**counted).returning(Guess.tries)
        try:
            with writing() as session:
                so_far = session.execute(more).scalar_one_or_none()
                if so_far is None:
                    session.execute(insert(Guess).values(bucket=bucket, since=now, tries=tries))
                return int(so_far or tries)
        except IntegrityError:  # another worker counted the first one in between
            with writing() as session:
                return int(session.execute(more).scalar_one())

    def _buckets(self, device: int | None) -> tuple[str, ...]:
        """Where a try comes from: the address, always first, and the device if it is known. Hashed, so that no address
        can be read off the database.
        """
        places = [f"address {household(request.remote_addr or '')}"]
        places += [f"device {device}"] if device is not None else []
        key = str(current_app.config["SECRET_KEY"]).encode()
        digests = (hmac.new(key, f"{self.name}{place}".encode(), hashlib.sha256).hexdigest() for place in places)
        return tuple(f"{self.name} {digest[:40]}" if self.name else digest for digest in digests)

    def _forget(self, now: datetime) -> None:
        """Drop the counts that are over."""
        own = Guess.bucket.startswith(f"{self.name} ") if self.name else ~Guess.bucket.contains(" ")
        with writing() as session:
            session.execute(delete(Guess).where(own, or_(Guess.since < now - self.window, Guess.since > now + _SKEW)))


def household(address: str) -> str:
    """An IPv4 address, or the network a household has in IPv6: it has more addresses than there are codes."""
    try:
        network = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(network, ipaddress.IPv6Address):
        network = network.ipv4_mapped or ipaddress.ip_network((network, 56), strict=False).network_address
    return str(network)
