"""Which phone this is: a long-lived signed cookie with a random token, of which only the hash is stored.

There is no account. A page looks (``current_id``), and only a change makes a device known (``ensure``).
"""

import hashlib
import hmac
import secrets
from datetime import UTC, datetime

from flask import Flask, Response, current_app, g, request, session
from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy import bindparam, insert, select
from sqlalchemy.exc import IntegrityError

from companion.db import db, writing
from companion.models import Device

# Every request asks this: SQLAlchemy takes longer to build a statement than SQLite to answer it.
_BY_TOKEN = select(Device.id).where(Device.token_hash == bindparam("token_hash"))

COOKIE = "device"
#: Browsers keep no cookie for longer; every visit starts it anew.
MAX_AGE = 60 * 60 * 24 * 400


def init_app(app: Flask) -> None:
    """Send the cookie to whoever just became known, and again to whoever comes back."""
    app.after_request(_send_cookie)


def current_id() -> int | None:
    """The id of the device of this request, or None while nothing is known of it."""
    if "device" not in g:
        token = _token()
        g.device = db.session.scalar(_BY_TOKEN, {"token_hash": hash_of(token)}) if token else None
        g.device_token = token if g.device else None
    device: int | None = g.device
    return device


def ensure() -> int:
    """The id of the device of this request, made known if it is new. For requests that change something only."""
    if (known := current_id()) is not None:
        return known
    token = _first_token()
    try:
        made = _found_or_made(token)
    except IntegrityError:  # PostgreSQL: another of the phone's first requests was quicker
        made = _found_or_made(token)
    g.device, g.device_token = made, token
    return made


def _found_or_made(token: str) -> int:
    with writing():
        known: int | None = db.session.scalar(_BY_TOKEN, {"token_hash": hash_of(token)})
        return make(hash_of(token), guess_kind(request.user_agent.string)) if known is None else known


def _first_token() -> str:
    """The token of a phone that is not known yet: worked out from its session, which the page with its first form began,
    so that several first requests at once are those of one phone. Without a session, a random one.
    """
    begun = session.get("csrf_token")
    if not isinstance(begun, str):
        return secrets.token_urlsafe(32)
    key = current_app.config["SECRET_KEY"]
    return hmac.new(key if isinstance(key, bytes) else key.encode(), f"device {begun}".encode(), "sha256").hexdigest()


def make(token_hash: str, kind: str, name: str = "") -> int:
    """Within a transaction: make a device known."""
    now = datetime.now(UTC)
    values = {"token_hash": token_hash, "kind": kind, "name": name, "made_at": now, "seen_at": now}
    return db.session.execute(insert(Device).values(**values).returning(Device.id)).scalar_one()


def guess_kind(user_agent: str) -> str:
    """What sort of device a browser says it is on: "iphone", "ipad", "android", "computer" or "other".

    >>> guess_kind("Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Mobile Safari/537.36")
    'android'
    """
    agent = user_agent.lower()
    signs = (
        ("iphone", "iphone"), ("ipad", "ipad"), ("android", "android"), ("windows", "computer"),
        ("macintosh", "computer"), ("cros", "computer"), ("linux", "computer"),
    )  # fmt: skip
    return next((kind for sign, kind in signs if sign in agent), "other")


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt="device")


def _token() -> str | None:
    """The token in the cookie, if it is one of ours."""
    try:
        token = _signer().loads(request.cookies.get(COOKIE, ""))
    except BadSignature:
        return None
    return token if isinstance(token, str) else None


def hash_of(token: str) -> str:
    """What is stored of a device's token."""
    return hashlib.sha256(token.encode()).hexdigest()


def _send_cookie(response: Response) -> Response:
    if token := g.get("device_token"):
        response.set_cookie(
            COOKIE, _signer().dumps(token), max_age=MAX_AGE, httponly=True, samesite="Lax", secure=request.is_secure
        )
    return response
