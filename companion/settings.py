"""What each setting may be, wherever it comes from; what is said where it is something else."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pytz

from companion.i18n import SOURCE

_TRANSLATIONS = Path(__file__).parent / "translations"
_LANGUAGES = (SOURCE, *sorted({path.name for path in _TRANSLATIONS.iterdir() if path.is_dir()} - {SOURCE}))
_A_DAY = 24 * 60 * 60
_LABEL = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
_HOSTNAME = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*")
#: Cookies of our own that the session's must not be.
_TAKEN = ("device", "language")


class SetupError(Exception):
    """The app cannot start, and this sentence says why and what to do."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a setting may be: ``read`` gives its value, or raises ValueError where it ``is_not`` one. ``shown`` is how it
    is written into the sentence.
    """

    read: Callable[[Any], Any]
    is_not: str
    shown: Callable[[str], str] = str

    def checked(self, key: str, value: object) -> Any:
        """The value to go by. Raises SetupError with one sentence."""
        try:
            if isinstance(value, str):
                value.encode()  # bytes of the environment that are no text would fail later, at the first page
            return self.read(value)
        except (ValueError, TypeError, LookupError):
            text = self.shown(str(value)).encode("ascii", "backslashreplace").decode()
            text = re.sub(r"\s+", " ", text)
            raise SetupError(f"{_NAMES.get(key, key)}={text[:200]} {self.is_not}.") from None


#: Settings that are better known by another name.
_NAMES = {"SQLALCHEMY_DATABASE_URI": "DATABASE_URL"}


def _number(least: int, most: int, *, or_none: bool = False) -> Setting:
    """A whole number, as such or in figures."""

    def read(value: object) -> int | None:
        if value is None and or_none:
            return None
        text = str(value)
        if not (text.isascii() and text.isdigit() and least <= int(text[:12]) <= most):
            raise ValueError
        return int(text)

    return Setting(read, f"is not a number from {least} to {most}")


def _yes_or_no(*, or_none: bool = False) -> Setting:
    words = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}

    def read(value: object) -> bool | None:
        return None if value is None and or_none else words[str(value).lower()]

    return Setting(read, "is neither true nor false")


def _one_of(choices: Collection[object], is_not: str) -> Setting:
    def read(value: object) -> object:
        if value not in choices:
            raise ValueError
        return value

    return Setting(read, is_not)


def _text(pattern: str, is_not: str, shown: Callable[[str], str] = str) -> Setting:
    def read(value: object) -> str:
        if not isinstance(value, str) or not re.fullmatch(pattern, value, re.DOTALL):
            raise ValueError
        return value

    return Setting(read, is_not, shown)


#: What ends so leads nowhere on the internet, so no page out there can have such a name.
HOME_DOMAINS = (".local", ".lan", ".home", ".home.arpa", ".internal", ".fritz.box")


def is_hostname(name: str) -> bool:
    """Whether a name is such as an address may have: letters, figures and hyphens between dots."""
    return _HOSTNAME.fullmatch(name) is not None


def _hostnames(value: object) -> tuple[str, ...]:
    """Names apart from each other by commas or gaps, or a list of them."""
    names = re.split(r"[\s,]+", value.strip()) if isinstance(value, str) else value
    if not isinstance(names, list | tuple):
        raise ValueError
    for name in names:
        if not isinstance(name, str) or (name and not is_hostname(name)):
            raise ValueError
    return tuple(name.lower() for name in names if name)


def _time_zone(value: object) -> str:
    """The name of a zone that both libraries know, or "" for the machine's own."""
    if not isinstance(value, str):
        raise ValueError
    try:
        if value:
            ZoneInfo(value)
            pytz.timezone(value)
    except (OSError, ZoneInfoNotFoundError, pytz.UnknownTimeZoneError) as error:
        raise ValueError from error
    return value


def _lifetime(value: object) -> object:
    """Seconds, or a timedelta, as Flask takes it."""
    seconds = value.total_seconds() if isinstance(value, timedelta) else int(str(value)[:12])
    if not _A_DAY <= seconds <= 400 * _A_DAY:
        raise ValueError
    return value if isinstance(value, timedelta) else int(seconds)


def _packings(value: object) -> list[str]:
    """Ways of packing an answer, as a list or apart from each other by commas."""
    names = re.split(r"[\s,]+", value.strip()) if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not names or not set(names) <= {"br", "gzip", "deflate"}:
        raise ValueError
    return list(names)


def _options(value: object) -> dict[str, Any]:
    """What SQLAlchemy is given."""
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise ValueError
    if not isinstance(value.get("connect_args", {}), dict):
        raise ValueError
    return value


def _secret(value: object) -> str | bytes | None:
    """None: the one of the folder."""
    if not value:
        return None
    if not isinstance(value, str | bytes) or len(value) < 16:
        raise ValueError
    return value


def _token(value: object) -> str:
    """ "": none."""
    if not isinstance(value, str) or (value and not re.fullmatch(r"[!-~]{16,200}", value)):
        raise ValueError
    return value


def database_url(text: str) -> str:
    """The address of the database with the driver that we bring: hosters write `postgres://` or `postgresql://`."""
    kind, mark, rest = text.partition("://")
    return f"postgresql+psycopg{mark}{rest}" if kind in ("postgres", "postgresql") else text


def _database(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError
    return database_url(value)


def without_password(address: str) -> str:
    """An address of a database as it may be shown, though it may be none."""
    return re.sub(r"(?<=:)[^:@/]*(?=@)|(?<=://).*(?=@)", "…", address)


SETTINGS: dict[str, Setting] = {
    "HOST": _text(r"[^\s/@?#]{1,253}", "is no address of a machine; it looks like 0.0.0.0 or 192.168.1.20"),
    "PORT": _number(1, 65535),
    "HOSTNAMES": Setting(
        _hostnames, "is no list of names; it looks like cards.example.org, with commas between several"
    ),
    "SECRET_KEY": Setting(
        _secret, "is too short to be a secret; leave it out, or take 32 random characters or more", lambda _text: "…"
    ),
    "SQLALCHEMY_DATABASE_URI": Setting(
        _database, "is no address; it looks like postgresql://user:password@host/name", without_password
    ),
    "SQLALCHEMY_ENGINE_OPTIONS": Setting(_options, "is no mapping of SQLAlchemy's options, such as {'pool_size': 5}"),
    "TRUSTED_PROXIES": _number(0, 16),
    "OPEN_HOUSE": _yes_or_no(),
    "HOSTED": _yes_or_no(),
    "TIMEZONE": Setting(_time_zone, "is no time zone; it looks like Europe/Lisbon, and nothing is the machine's own"),
    "BABEL_DEFAULT_LOCALE": _one_of(_LANGUAGES, f"is none of the languages there are: {', '.join(_LANGUAGES)}"),
    "DAY_BEGINS": _number(0, 12),
    "REQUEST_LOG": _yes_or_no(or_none=True),
    "METRICS_TOKEN": Setting(
        _token, "is too short to be a secret; leave it out, or take 32 random characters or more", lambda _text: "…"
    ),
    "THREADS": _number(1, 65535),
    "STREAMS": _number(0, 65535, or_none=True),
    "WORKERS": _number(1, 64),
    "WORKER_CLASS": _one_of(
        ("gevent", "gthread"), "is neither gevent nor gthread; other kinds cut the phones' event streams"
    ),
    "SESSION_COOKIE_NAME": _text(
        rf"(?!(?:{'|'.join(_TAKEN)})$)[A-Za-z0-9_-]{{1,60}}",
        "is no name for a cookie: letters and figures, and none of ours",
    ),
    "SESSION_COOKIE_HTTPONLY": _yes_or_no(),
    "SESSION_COOKIE_SAMESITE": _one_of(("Lax", "Strict"), "is neither Lax nor Strict"),
    "PERMANENT_SESSION_LIFETIME": Setting(_lifetime, f"is not a number of seconds from {_A_DAY} to {400 * _A_DAY}"),
    "WTF_CSRF_TIME_LIMIT": _number(60, 400 * _A_DAY, or_none=True),
    "MAX_CONTENT_LENGTH": _number(1024, 2**30),
    "MAX_FORM_MEMORY_SIZE": _number(1024, 2**30),
    "MAX_FORM_PARTS": _number(10, 1_000_000),
    "MAX_UPLOAD": _number(1024, 2**30),
    "COMPRESS_ALGORITHM": Setting(_packings, "is no list of br, gzip and deflate"),
    "COMPRESS_BR_LEVEL": _number(0, 11),
    "COMPRESS_MIN_SIZE": _number(0, 2**30),
    "COMPRESS_STREAMS": _yes_or_no(),
}
