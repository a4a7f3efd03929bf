"""Which phone this is: a long-lived signed cookie with a random token, of which only the hash is stored.

There is no account. A page looks (``current``), and only a change makes a device known (``ensure``).
"""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime

from flask import Flask, Response, current_app, g, request
from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy import bindparam, insert, select

from companion.db import db, writing
from companion.models import Device as DeviceRow

# Every request asks this: SQLAlchemy takes longer to build a statement than SQLite to answer it.
_BY_TOKEN = select(DeviceRow.id, DeviceRow.kind, DeviceRow.name).where(DeviceRow.token_hash == bindparam("token_hash"))

COOKIE = "device"
#: Browsers keep no cookie for longer; every visit starts it anew.
MAX_AGE = 60 * 60 * 24 * 400


@dataclass(frozen=True, slots=True)
class Device:
    """A known browser: ``kind`` is guessed, ``name`` is given by somebody or ""."""

    id: int
    kind: str
    name: str


def init_app(app: Flask) -> None:
    """Send the cookie to whoever just became known, and again to whoever comes back."""
    app.after_request(_send_cookie)


def current() -> Device | None:
    """The device of this request, or None while nothing is known of it."""
    if "device" not in g:
        token = _token()
        g.device = None if token is None else _find(token)
        g.device_token = token if g.device else None
    device: Device | None = g.device
    return device


def current_id() -> int | None:
    """The id of the device of this request, or None while nothing is known of it."""
    return device.id if (device := current()) else None


def ensure() -> Device:
    """The device of this request, made known if it is new. For requests that change something only."""
    if (known := current()) is not None:
        return known
    token = secrets.token_urlsafe(32)
    now = datetime.now(UTC)
    kind = guess_kind(request.user_agent.string)
    with writing() as session:
        values = {"token_hash": _hash(token), "kind": kind, "name": "", "made_at": now, "seen_at": now}
        made = session.execute(insert(DeviceRow).values(**values).returning(DeviceRow.id)).scalar_one()
    g.device, g.device_token = Device(made, kind, ""), token
    return g.device


def guess_kind(user_agent: str) -> str:
    """What sort of device a browser says it is on: "iphone", "ipad", "android", "computer" or "other".

    >>> guess_kind("Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Mobile Safari/537.36")
    'android'
    """
    told = user_agent.lower()
    signs = (
        ("iphone", "iphone"), ("ipad", "ipad"), ("android", "android"), ("windows", "computer"),
        ("macintosh", "computer"), ("cros", "computer"), ("linux", "computer"),
    )  # fmt: skip
    return next((kind for sign, kind in signs if sign in told), "other")


def _find(token: str) -> Device | None:
    row = db.session.execute(_BY_TOKEN, {"token_hash": _hash(token)}).one_or_none()
    return None if row is None else Device(row.id, row.kind, row.name)


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt="device")


def _token() -> str | None:
    """The token in the cookie, if it is one of ours."""
    try:
        token = _signer().loads(request.cookies.get(COOKIE, ""))
    except BadSignature:
        return None
    return token if isinstance(token, str) else None


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _send_cookie(response: Response) -> Response:
    if token := g.get("device_token"):
        response.set_cookie(
            COOKIE, _signer().dumps(token), max_age=MAX_AGE, httponly=True, samesite="Lax", secure=request.is_secure
        )
    return response
