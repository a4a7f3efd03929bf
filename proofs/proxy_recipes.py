"""The recipes of docs/hosting.md for proxies, read from the document and started as they stand there.

Only ports, names, certificates and what keeps Caddy from the machine's own settings are put in.
"""

from __future__ import annotations

import http.client
import re
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from proofs.phones import Phone

DOCUMENT = Path(__file__).parents[1] / "docs" / "hosting.md"
NAME = "localhost"
#: Each recipe, with how many servers stand behind it; "mkcert" is the one for home.
KINDS = {"nginx": 1, "nginx-two": 2, "caddy": 1, "caddy-two": 2, "mkcert": 1}
#: What a block of the document holds that belongs to a recipe.
_HOLDS = {
    "nginx": "listen 443 ssl;",
    "upstream": "upstream gripe {",
    "caddy": "gripe.example.org {\n    reverse_proxy 127.0.0.1:8000\n",
    "caddy-two": "gripe.example.org {\n    reverse_proxy 10.0.0.2:8000 10.0.0.3:8000",
    "mkcert": "https://gripe.local, ",
}
_TWO = ("10.0.0.2:8000", "10.0.0.3:8000")
_OWN = "    admin off\n    auto_https disable_redirects\n    skip_install_trust\n"
#: A proxy is told to stop; it must within so many seconds, whatever streams are open.
STOPS_WITHIN = 12.0


class Answering(Protocol):
    """A server behind the proxy."""

    port: int


def recipes() -> dict[str, list[str]]:
    """The blocks of the document that belong to each recipe, in its order."""
    blocks = re.findall(r"```\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    return {name: [block for block in blocks if held in block] for name, held in _HOLDS.items()}


def settings(kind: str, folder: Path, servers: Sequence[Answering]) -> str:
    """The proxy's settings: the recipe with this proof's names, certificate and servers."""
    certificate, key = folder / "cert.pem", folder / "key.pem"
    ports = [f"127.0.0.1:{server.port}" for server in servers]
    if kind.startswith("nginx"):
        site = recipes()["nginx"][0].replace("gripe.example.org", NAME)
        site = re.sub(r"# ssl_certificate .*", f"ssl_certificate {certificate}; ssl_certificate_key {key};", site)
        upstream = ""
        if kind == "nginx-two":
            upstream = recipes()["upstream"][0]
            for address, port in zip(_TWO, ports, strict=True):
                upstream = upstream.replace(address, port)
            site = site.replace("http://127.0.0.1:8000", "http://gripe")
        site = site.replace("127.0.0.1:8000", ports[0])
        files = f"pid {folder}/nginx.pid; error_log {folder}/nginx.log; daemon off;"
        return f"{files}\nevents {{ worker_connections 1024; }}\nhttp {{ access_log off;\n{upstream}\n{site}}}\n"
    site = recipes()[kind][0].replace("{\n", "{\n" + _OWN, 1)
    site = site.replace("https://gripe.local, https://192.168.1.20", f"https://{NAME}")
    site = site.replace("gripe.local+1-key.pem", str(key)).replace("gripe.local+1.pem", str(certificate))
    site = site.replace("\ngripe.example.org {", f"\nhttps://{NAME} {{\n    tls internal", 1)
    for address, port in zip(("127.0.0.1:8000",) if len(ports) == 1 else _TWO, ports, strict=True):
        site = site.replace(address, port)
    return site


class Proxy:
    """A proxy that runs."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.address = f"https://{NAME}"
        self._process = process

    def stop(self) -> float:
        """Tell it to stop; gives the seconds that it took. Raises AssertionError where it does not."""
        start = time.monotonic()
        self._process.terminate()
        try:
            self._process.wait(STOPS_WITHIN)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise AssertionError(f"the proxy did not stop within {STOPS_WITHIN:.0f} s, with streams open") from None
        return time.monotonic() - start


@contextmanager
def proxied(kind: str, folder: Path, servers: Sequence[Answering]) -> Iterator[Proxy]:
    """The proxy before these servers, once it answers."""
    made = ["mkcert", "-cert-file", str(folder / "cert.pem"), "-key-file", str(folder / "key.pem"), NAME]
    subprocess.run(made, check=True, capture_output=True, env={"CAROOT": str(folder), "PATH": "/usr/bin:/bin"})
    is_nginx = kind.startswith("nginx")
    written = folder / ("nginx.conf" if is_nginx else "Caddyfile")
    written.write_text(settings(kind, folder, servers))
    program = ["nginx", "-c", str(written)] if is_nginx else ["caddy", "run", "--config", str(written)]
    environ = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "PATH": "/usr/sbin:/usr/bin:/bin"}
    with (folder / "proxy.log").open("wb") as log:
        proxy = Proxy(subprocess.Popen(program, stdout=log, stderr=log, env=environ))
        try:
            _wait_for(proxy.address, folder / "proxy.log")
            yield proxy
        finally:
            proxy.stop()


def _wait_for(address: str, log: Path) -> None:
    end = time.monotonic() + 30
    while True:
        try:
            if Phone(address).get("/").status == 200:
                return
        except (OSError, http.client.HTTPException):
            pass
        if time.monotonic() > end:
            raise RuntimeError(f"the proxy does not start:\n{log.read_text('utf-8', 'replace')[-2000:]}")
        time.sleep(0.1)
