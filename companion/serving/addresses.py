"""Where other phones find this server."""

import ipaddress
import socket
from urllib.parse import urlsplit

from flask import current_app, request

from companion.serving import lan


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
    names = lan.lan_addresses() if bound in lan.EVERYWHERE else (bound,)
    address = next((f"[{each}]" if ":" in each else each for each in names if not _is_own_screen(each)), None)
    return None if address is None else f"{request.scheme}://{address}{f':{port}' if port else ''}"


def _is_own_screen(name: str) -> bool:
    """Whether a host's name leads to the machine that asks, and so nowhere from another."""
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name in ("", "localhost", socket.gethostname().lower()) or name.endswith(".localhost")
    return address.is_loopback or address.is_unspecified
