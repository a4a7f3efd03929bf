"""How many files this process may have open. Every connection is one, of a phone as of the database."""

from typing import NamedTuple

#: Files besides those of connections: the program's own, the log, a picture that is being read.
SPARE = 100
#: A connection of SQLite has its file, the log and the index of that; a large form lies in a file while it is read.
_OF_A_THREAD = 4
#: A connection of a phone, and a file for what it is sending.
_OF_A_CONNECTION = 2


class Room(NamedTuple):
    """How many requests are answered at once, and how many connections are open."""

    threads: int
    connections: int


def needed(threads: int, connections: int) -> int:
    """The open files of so many at most."""
    return SPARE + _OF_A_THREAD * threads + _OF_A_CONNECTION * connections


def room(threads: int, connections: int, files: int) -> Room:
    """So many of both that ``files`` never run out, however busy the server is."""
    threads = max(1, min(threads, (files - SPARE) // (_OF_A_THREAD + _OF_A_CONNECTION)))
    return Room(threads, max(4, min(connections, (files - SPARE - _OF_A_THREAD * threads) // _OF_A_CONNECTION)))


def allow(wanted: int) -> int:
    """Ask the system for so many open files; how many there are now. Most give a program 1,024 until it asks for more."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return max(soft, most)
