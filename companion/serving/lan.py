"""Serving on the home network: find the address, for phones as well, show it with a QR code, answer with waitress."""

import errno
import io
import ipaddress
import signal
import socket
import sys
from functools import partial
from types import FrameType
from typing import Any
from urllib.parse import urlsplit

import segno
from flask import Flask, current_app, request

from companion import live
from companion.config import SetupError, as_started
from companion.serving import files, running, server
from companion.settings import HOME_DOMAINS

# One address of each private range (and one nobody has): connecting a UDP socket asks the routing table
# which of our own addresses would be used, and sends nothing.
PROBES = ("192.0.2.1", "192.168.0.1", "10.0.0.1", "172.16.0.1", "169.254.0.1")
EVERYWHERE = ("0.0.0.0", "::", "")
#: How many connections are open at once; a browser has several.
CONNECTIONS = 1000


def serve(app: Flask) -> None:
    """Answer until stopped (Ctrl-C or SIGTERM). Raises SetupError where the port cannot be had."""
    host, port = str(app.config["HOST"]), int(app.config["PORT"])
    listening = listen(app, host, port)
    for stopping in (signal.SIGTERM, signal.SIGINT):
        signal.signal(stopping, partial(_stop, app))
    running.note(app.instance_path, host, port)
    try:
        print(welcome(host, port, app.instance_path), flush=True)
        listening.run()
    finally:
        running.forget(app.instance_path, host, port)


def welcome(host: str, port: int, folder: str) -> str:
    """What the terminal shows: the addresses for phones, the QR code of the first, where the games are, how to stop."""
    addresses = urls(host, port)
    lines = ["Gripe Companion is on the table.", ""]
    lines += [f"  {url}" for url in addresses]
    lines += ["", _qr(addresses[0])] if _terminal_draws_blocks() else [""]
    lines += [f"The games are kept in {folder}", ""]
    lines += ["Phones on the same Wi-Fi open that address, or scan the code. Stop with Ctrl-C."]
    return "\n".join(lines)


def urls(host: str, port: int) -> tuple[str, ...]:
    """The addresses a phone can open, best first; this machine's own loopback where there is no network."""
    names = lan_addresses() or ("127.0.0.1",) if host in EVERYWHERE else (host,)
    return tuple(f"http://{bracketed(name)}:{port}/" for name in names)


def bracketed(host: str) -> str:
    """A host as it stands in an address: one of IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


def base_address() -> str | None:
    """Scheme and host that another phone can open, without a slash at the end; None where there is none.

    It is what this request came by (behind a proxy: by its headers, see the setting TRUSTED_PROXIES), except on the
    server's own screen: for "localhost" the machine's address on its network is given.
    """
    try:
        host = urlsplit(f"//{request.host}")
        name, port = host.hostname or "", host.port
    except ValueError:  # no host that a browser would send
        name, port = "", None
    if not _is_own_screen(name):
        return f"{request.scheme}://{request.host}"
    bound = str(current_app.config["HOST"])
    names = lan_addresses() if bound in EVERYWHERE else (bound,)
    address = next((bracketed(each) for each in names if not _is_own_screen(each)), None)
    return None if address is None else f"{request.scheme}://{address}{f':{port}' if port else ''}"


def is_home(address: str) -> bool:
    """Whether only phones in the same Wi-Fi can open an address: its host is of a private network, or has a name of one.

    >>> is_home("http://192.168.1.20:8000"), is_home("http://kitchen.local"), is_home("https://gripe.example.org/r/x")
    (True, True, False)
    """
    name = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(name).is_private
    except ValueError:
        return "." not in name or name.endswith(HOME_DOMAINS)


def _is_own_screen(name: str) -> bool:
    """Whether a host's name leads to the machine that asks, and so nowhere from another."""
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name in ("", "localhost", socket.gethostname().lower()) or name.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def lan_addresses() -> tuple[str, ...]:
    """This machine's IPv4 addresses on its networks, the default one first, found without any traffic."""
    addresses = [address for probe in PROBES if (address := _own_address_towards(probe))]
    return tuple(dict.fromkeys(address for address in addresses if not address.startswith("127.")))


def _own_address_towards(probe: str) -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as lookup:
        try:
            lookup.connect((probe, 9))
            return str(lookup.getsockname()[0])
        except OSError:
            return None  # no route there, so no address of ours on that network


def listen(app: Flask, host: str, port: int) -> Any:
    """A waitress for this app, not running yet. Raises SetupError."""
    room = _room(app)
    try:
        return server.create(
            app,
            most=max(int(app.config["MAX_UPLOAD"]), int(app.config["MAX_CONTENT_LENGTH"])),
            connections=room.connections,
            threads=room.threads,
            host=host,
            port=port,
            asyncore_use_poll=True,
            # Whether a proxy is believed is said in one place, TRUSTED_PROXIES; waitress by itself drops what it says.
            clear_untrusted_proxy_headers=not app.config["TRUSTED_PROXIES"],
            channel_request_lookahead=1,  # so that an event stream learns that its phone is gone
            ident=None,
        )
    except (OSError, ValueError) as error:
        raise SetupError(why_not(error, host, port)) from error


def _room(app: Flask) -> files.Room:
    """What the system has room for, of what the settings ask for; where that is less, it is said."""
    threads, streams = int(app.config["THREADS"]), app.config["STREAMS"]
    if streams is not None and streams >= max(threads, 2):
        raise SetupError(f"STREAMS={streams} leaves no thread for pages; it is a number below THREADS={threads}.")
    wanted = files.needed(threads, CONNECTIONS)
    allowed = files.allow(wanted)
    room = files.room(threads, CONNECTIONS, allowed)
    if room.threads < threads:
        live.lower_limit(app, max(1, room.threads * 2 // 3))
    if allowed < wanted:
        print(
            f"This system allows {allowed} open files: {room.threads} requests are answered at once, and {room.connections} "
            f"connections are open. `ulimit -n {wanted}` before the start gives room for all.",
            file=sys.stderr, flush=True,
        )  # fmt: skip
    return room


def why_not(error: Exception, host: str, port: int) -> str:
    """Why nothing can be served there, and what to do instead."""
    code = getattr(error, "errno", None)
    if code == errno.EADDRINUSE:
        return (
            f"Port {port} is in use: maybe Gripe Companion runs already. "
            f"Stop the other program, or take another port: {_run_at(port + 1 if port < 65535 else 8000)}"
        )
    if code == errno.EACCES:
        return f"Port {port} may not be opened by this user. Take one above 1023: {_run_at(8000)}"
    return f"HOST={host} is not an address of this machine. Leave it out to serve on the whole home network."


def _run_at(port: int) -> str:
    return as_started(f"make run PORT={port}", f"companion run --port {port}")


def _qr(url: str) -> str:
    drawing = io.StringIO()
    segno.make(url, error="m", micro=False).terminal(out=drawing, border=2, compact=True)
    return drawing.getvalue()


def _terminal_draws_blocks() -> bool:
    try:
        "▀▄█".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _stop(app: Flask, _signal: int, _frame: FrameType | None) -> None:
    live.close(app)  # waitress waits for whoever is being answered, and a stream has no end of its own
    raise SystemExit(0)
