"""Where the server of this instance answers: written down while it runs, so that `companion link` can name it."""

import socket
from contextlib import suppress
from pathlib import Path

FILE = "running"
#: So long a server of this machine may take to answer a knock, in seconds.
_KNOCK = 2


def note(folder: str, host: str, port: int) -> None:
    """Write down the address that a server just began to answer on; where that cannot be written, nobody is told."""
    with suppress(OSError):
        Path(folder, FILE).write_text(f"{host} {port}\n", "utf-8")


def forget(folder: str, host: str, port: int) -> None:
    """The server stops; what another wrote down meanwhile stays."""
    if _read(folder) == (host, port):
        with suppress(OSError):
            Path(folder, FILE).unlink(missing_ok=True)


def found(folder: str) -> tuple[str, int] | None:
    """Host and port of the running server; None where none is known, or nothing answers there any more."""
    noted = _read(folder)
    return noted if noted and _answers(*noted) else None


def _read(folder: str) -> tuple[str, int] | None:
    try:
        host, port = Path(folder, FILE).read_text("utf-8").split()
        return host, int(port)
    except (OSError, ValueError):
        return None


def _answers(host: str, port: int) -> bool:
    own = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    with suppress(OSError, OverflowError, ValueError), socket.create_connection((own, port), _KNOCK):
        return True
    return False
