"""What every answer carries: policy headers, cookies, caching, compression; and what no request may do."""

import hashlib
import ipaddress
import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import brotli  # type: ignore[import-untyped]
from flask import Flask, Request, Response, current_app, request, send_from_directory
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from flask_compress import Compress
from flask_wtf.csrf import CSRFProtect
from itsdangerous import BadSignature
from werkzeug.exceptions import BadRequest
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import IntegerConverter

from companion.settings import HOME_DOMAINS, is_hostname

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# A table may keep its screen awake; it needs nothing else of the phone. (Sharing is allowed to us anyway, and
# a browser that does not know a name here complains in its console.)
PERMISSIONS_POLICY = (
    "camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=(), "
    "screen-wake-lock=(self), fullscreen=(self)"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Permissions-Policy": PERMISSIONS_POLICY,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}
PART_HEADERS = ("X-Content-Type-Options", "Cross-Origin-Resource-Policy")
STATIC = Path(__file__).parent / "static"
UPLOADS = ("data.bring_in", "data.old_nights")
SMALLER = ["text/html", "text/css", "text/javascript", "application/json", "application/manifest+json", "image/svg+xml"]
A_YEAR = 60 * 60 * 24 * 365
_REFUSED = "companion.refused_host"

csrf = CSRFProtect()
compress = Compress()


class BoundedInt(IntegerConverter):
    """`<int:…>` in a path: nine digits at most and nothing but ASCII, so that no id is too big for a database."""

    regex = r"[0-9]{1,9}"


class HttpsAwareSessions(SecureCookieSessionInterface):
    """Sessions that outlive the browser's window, and whose cookie is Secure under HTTPS and only there.

    They do not ask what time it is: a small computer without a clock is put back, to 1970 even, and phones stay in.
    """

    def get_cookie_secure(self, app: Flask) -> bool:
        """Whether this very request came over HTTPS: a home server answers on plain HTTP too."""
        return request.is_secure

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> datetime:
        """The phone is still the game's keeper next week."""
        return datetime.now(UTC) + timedelta(seconds=app.permanent_session_lifetime.total_seconds())

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """As in Flask, however old the cookie seems: the browser itself forgets what is too old."""
        serializer = self.get_signing_serializer(app)
        try:
            return (
                self.session_class(serializer.loads(request.cookies[self.get_cookie_name(app)])) if serializer else None
            )
        except (KeyError, BadSignature):
            return self.session_class()

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """As in Flask, with Max-Age, which a browser counts by its own clock."""
        serializer = self.get_signing_serializer(app)
        if not serializer or not session or not self.should_set_cookie(app, session):
            super().save_session(app, session, response)
            return
        response.set_cookie(
            self.get_cookie_name(app), serializer.dumps(dict(session)),
            max_age=int(app.permanent_session_lifetime.total_seconds()), expires=self.get_expiration_time(app, session),
            domain=self.get_cookie_domain(app), path=self.get_cookie_path(app), secure=self.get_cookie_secure(app),
            httponly=self.get_cookie_httponly(app), samesite=self.get_cookie_samesite(app),
        )  # fmt: skip
        response.vary.add("Cookie")


class UnknownHost(BadRequest):
    """The address that a browser asked under is none of this server's; ``asked`` could be, were it configured ("" else)."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.asked = name


class HostCheck:
    """Lets the app see no Host that is no name or address, and at home none that leads here from outside: a page of
    somebody else's could make its own name lead to this server and read what is here as its own (DNS rebinding).
    """

    def __init__(self, app: Flask) -> None:
        self._app, self._next = app, app.wsgi_app
        # Whoever stands in front lets in what is asked for; hosted there are many names, and nothing of a house to read.
        self._is_home = not (app.config["HOSTED"] or app.config["TRUSTED_PROXIES"])
        self._names = {app.config["HOST"].lower(), *app.config["HOSTNAMES"]}

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        said = environ.get("HTTP_HOST")
        if said is not None:
            name = host_of(said)
            if name is None or not (self._is_ours(name) or not self._is_home):
                environ[_REFUSED], environ["HTTP_HOST"] = name or "", "localhost"
        return self._next(environ, start_response)

    def _is_ours(self, name: str) -> bool:
        return is_address(name) or "." not in name or name.endswith(HOME_DOMAINS) or name in self._names


def host_of(said: str) -> str | None:
    """The name or address that a Host names, in small letters; None where it is none, or its port is none."""
    parts = re.fullmatch(r"(\[[^\[\]]*\]|[^:\[\]]*)(?::([0-9]{0,5}))?", said)
    if parts is None or not parts[1].isascii() or int(parts[2] or 0) > 65535:
        return None
    name = parts[1].lower()
    if name.startswith("["):
        return name[1:-1] if is_address(name[1:-1]) and "%" not in name else None
    name = name.removesuffix(".")
    return name if is_hostname(name) else None


def is_address(name: str) -> bool:
    """Whether it is an IP address, which nobody can make lead elsewhere."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _refuse_host() -> None:
    name = request.environ.get(_REFUSED)
    if name is not None and not (name and request.endpoint == "static"):  # what the page that says so is made of
        raise UnknownHost(name)


def init_app(app: Flask) -> None:
    """Turn all of this on."""
    app.wsgi_app = HostCheck(app)  # type: ignore[method-assign]
    if app.config["TRUSTED_PROXIES"]:
        proxies = int(app.config["TRUSTED_PROXIES"])
        fix = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=proxies)
        app.wsgi_app = fix  # type: ignore[method-assign]
    app.before_request(_refuse_host)
    app.url_map.converters["int"] = BoundedInt
    app.session_interface = HttpsAwareSessions()
    app.before_request(_make_room)  # before the check of the form, which reads all of it
    csrf.init_app(app)
    app.config.setdefault("COMPRESS_MIMETYPES", SMALLER)
    compress.init_app(app)
    _serve_static(app)
    app.after_request(_add_headers)


def _make_room() -> None:
    """The pages that take a file may be sent more than a form has."""
    if request.endpoint in UPLOADS:
        request.max_content_length = current_app.config["MAX_UPLOAD"]


#: What says nothing of a file that has its version in its address: a dozen of them would be a twentieth of the first load.
_NEEDLESS = ("Accept-Ranges", "Content-Disposition", "Expires", "Last-Modified")


_PAGE = ("base", "cards", "forms", "pages")
#: Style sheets that come as one file: a request costs a phone more than the bytes.
BUNDLES = {"css/page-bundle.css": _PAGE, "css/game-bundle.css": (*_PAGE, "game", "live")}


def _serve_static(app: Flask) -> None:
    """`url_for("static", filename=…)` gives /static/<version>/…, good for a year.

    The version is in the path, not the query, so that the modules and pictures a file refers to by a
    relative address are versioned with it.
    """
    version = partial(static_version, STATIC)
    current = version()

    def add_version(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            values.setdefault("version", version() if app.debug else current)

    def static(version: str, filename: str) -> Response:
        response = _bundle(filename) if filename in BUNDLES else send_from_directory(STATIC, filename, max_age=0)
        if response.status_code == 200:
            response.direct_passthrough = False
            content = response.get_data()
            if response.mimetype in SMALLER and request.accept_encodings["br"]:
                response.set_data(packed(content))
                response.headers["Content-Encoding"] = "br"
                response.vary.add("Accept-Encoding")
        for name in _NEEDLESS:
            response.headers.pop(name, None)
        if version == current and not app.debug:
            response.headers["Cache-Control"] = f"public, max-age={A_YEAR}, immutable"
        return response

    app.url_defaults(add_version)
    app.add_url_rule("/static/<version>/<path:filename>", "static", static)


def _bundle(filename: str) -> Response:
    """The style sheets of a bundle, one after another."""
    sheets = (STATIC / "css" / f"{name}.css" for name in BUNDLES[filename])
    response = Response("".join(sheet.read_text(encoding="utf-8") for sheet in sheets), mimetype="text/css")
    response.add_etag()
    response.make_conditional(request)
    return response


@lru_cache(maxsize=200)
def packed(content: bytes) -> bytes:
    """A file as small as it gets: too slow for every answer, so done once."""
    return bytes(brotli.compress(content, quality=11))


def static_version(folder: Path) -> str:
    """Twelve hex digits that change when any file in `folder` does, by content and name."""
    digest = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


def _add_headers(response: Response) -> Response:
    is_part = request.endpoint == "static" and response.mimetype in ("text/css", "text/javascript")
    for name, value in HEADERS.items():
        # What is only ever part of a page needs no policy: a dozen of them would be a fifth of the first load.
        if not is_part or name in PART_HEADERS:
            response.headers.setdefault(name, value)
    if request.is_secure:  # on plain HTTP browsers ignore it, and say so in the console
        response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        if current_app.config["HOSTED"]:  # at home a family that goes back to plain HTTP would be locked out
            response.headers.setdefault("Strict-Transport-Security", f"max-age={A_YEAR}")
    if "Cache-Control" not in response.headers:
        # Going back must show the table as it is now, not as it was when the page was left.
        response.headers["Cache-Control"] = "no-store" if response.mimetype == "text/html" else "no-cache"
    return response
