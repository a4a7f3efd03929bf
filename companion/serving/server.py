"""Waitress as a home needs it: who is slow, or sends too much, keeps no other phone out.

- A request that begins and does not come is given up, and a connection on which none begins is closed.
- Where every connection is taken, a new one takes the place of one that waits for a request: the oldest of the address
  that has the most of them.
- What is larger than any page takes is read and thrown away, so that the page that says so arrives: a browser shows no
  answer that came while it was still sending.
- Out of open files, it says so once and accepts nobody for a moment.
"""

import errno
import time
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from typing import Any

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.receiver import FixedStreamReceiver
from waitress.server import MultiSocketServer, TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

#: Seconds within which a request must have come: its head, and its body at so many bytes a second on the average.
REQUEST = 10
SLOWEST = 20_000
#: Seconds without a request, before the first one and after one; and without a phone taking what is sent to it.
FIRST = 10
NEXT = 30
UNREAD = 60
#: How often slow ones are looked for, and how long nobody is accepted after the files ran out.
LOOK = 1.0


def create(app: Any, *, most: int, connections: int, **settings: Any) -> Any:
    """A server, not running yet: like ``waitress.create_server``, with ``most`` bytes in a body and so many connections."""
    adjustments = Adjustments(**settings)
    adjustments.max_request_body_size = 2**63  # see RequestParser
    adjustments.most = most
    dispatcher, by_file = ThreadedTaskDispatcher(), dict[int, Any]()
    listening = [
        Server(app, by_file, True, None, dispatcher=dispatcher, adj=adjustments, sockinfo=place)
        for place in adjustments.listen
    ]
    for server in listening:
        server.most_connections = max(1, connections // len(listening))
    dispatcher.set_thread_count(adjustments.threads)  # nothing to stop where an address cannot be had
    if len(listening) == 1:
        return listening[0]
    addresses = [(server.effective_host, server.effective_port) for server in listening]
    return MultiSocketServer(by_file, adjustments, addresses, dispatcher, listening[0].log_info)


class _Discarded:
    """In place of a body that is too large: only its length is kept."""

    def __init__(self, length: int = 0) -> None:
        self.length = length

    def append(self, part: bytes) -> None:
        """Count it."""
        self.length += len(part)

    def __len__(self) -> int:
        return self.length

    def getfile(self) -> BytesIO:
        """Nothing to read; the app sees by the length that it was too much."""
        return BytesIO()

    def close(self) -> None:
        """There is nothing to close."""


class RequestParser(HTTPRequestParser):  # type: ignore[misc]
    """A request whose body, where it is larger than any page takes, is thrown away."""

    def parse_header(self, head: bytes) -> None:
        """As in waitress."""
        super().parse_header(head)
        if self.content_length > self.adj.most:
            self.body_rcv = FixedStreamReceiver(self.content_length, _Discarded())

    def received(self, data: bytes) -> int:
        """As in waitress; a body whose length was not said may turn out to be too large on the way."""
        taken: int = super().received(data)
        body = self.body_rcv
        if self.chunked and body is not None and len(body) > self.adj.most and not isinstance(body.buf, _Discarded):
            kept, body.buf = body.buf, _Discarded(len(body))
            kept.close()
            if self.completed:
                self.headers["CONTENT_LENGTH"] = str(len(body))
        return taken


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection, which knows since when it waits; by a clock that nobody puts back."""

    parser_class = RequestParser

    def __init__(self, *given: Any, **more: Any) -> None:
        self.since = self.active = time.monotonic()
        self.last_seen = 0.0
        self.has_asked = False
        super().__init__(*given, **more)

    def received(self, data: bytes) -> bool:
        """As in waitress; with the first byte of a request its time begins."""
        if self.request is None:
            self.since = time.monotonic()
        taken: bool = super().received(data)
        self.has_asked = self.has_asked or bool(self.requests)
        return taken

    @property
    def waits(self) -> bool:
        """Whether nothing but the phone's next word is waited for."""
        return not self.requests and not self.total_outbufs_len

    def is_overdue(self, now: float) -> bool:
        """Whether it has waited for too long."""
        if self.last_activity != self.last_seen:
            self.last_seen, self.active = self.last_activity, now
        if self.requests:
            return False
        if self.total_outbufs_len:
            return now - self.active > UNREAD
        if self.request is not None:
            return now - self.since > REQUEST + self.request.body_bytes_received / SLOWEST
        return now - self.active > (NEXT if self.has_asked else FIRST)


class Server(TcpWSGIServer):  # type: ignore[misc]
    """Accepts connections, and closes those that keep others out."""

    channel_class = Channel
    most_connections = 1000
    next_look = 0.0
    accepts_from = 0.0
    has_told = False

    def readable(self) -> bool:
        """Whether a new connection may come; slow ones are closed now and then."""
        now = time.monotonic()
        if now >= self.next_look:
            self.next_look = now + LOOK
            self.close_all(lambda channel: channel.is_overdue(now))
        return bool(self.accepting and now >= self.accepts_from and (not self.is_full or self.waiting()))

    @property
    def is_full(self) -> bool:
        """Whether every connection is taken."""
        return len(self.active_channels) >= self.most_connections

    def waiting(self) -> list[Channel]:
        """The connections on which nothing happens."""
        return [channel for channel in self.active_channels.values() if channel.waits]

    def handle_accept(self) -> None:
        """Accept a connection; where all are taken, in place of one that waits."""
        if self.is_full and (waiting := self.waiting()):
            by_address = Counter(channel.addr[0] for channel in waiting)
            busiest = max(by_address, key=by_address.__getitem__)
            oldest = min((one for one in waiting if one.addr[0] == busiest), key=lambda one: one.since)
            oldest.handle_close()
        super().handle_accept()

    def accept(self) -> Any:
        """As in waitress; None where there is no file for a connection."""
        try:
            return super().accept()
        except OSError as error:
            if error.errno not in (errno.EMFILE, errno.ENFILE):
                raise
            self.accepts_from = time.monotonic() + LOOK
            if not self.has_told:
                self.has_told = True
                self.logger.warning("out of open files: new connections wait; `ulimit -n` says how many there may be")
            return None

    def close_all(self, which: Callable[[Channel], bool]) -> None:
        """Close connections at once."""
        for channel in list(self.active_channels.values()):
            if which(channel):
                channel.handle_close()
