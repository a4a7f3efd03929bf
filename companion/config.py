"""Where the settings come from: defaults < instance/config.py < COMPANION_* environment < a test's mapping."""

import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Flask
from platformdirs import user_data_dir

from companion.settings import SETTINGS, SetupError, database_url

__all__ = [
    "DEFAULTS",
    "ENV_PREFIX",
    "INSTALLED_BY",
    "SETTINGS",
    "SetupError",
    "as_started",
    "database_url",
    "instance_path",
    "load",
    "own_database",
    "secret",
]

ENV_PREFIX = "COMPANION"
SECRET_FILE = "secret"
DATABASE_FILE = "companion.sqlite"
#: The name of the folder among this platform's folders of data.
PROGRAM = "gripe-companion"
_BESIDE = Path(__file__).resolve().parent.parent
#: The checkout that this program runs from; None where it was installed.
CHECKOUT = _BESIDE if (_BESIDE / "pyproject.toml").is_file() else None

DEFAULTS: dict[str, Any] = {
    "HOST": "0.0.0.0",
    "PORT": 8000,
    # At home: further names under which phones find it; those of a home network and addresses are always answered.
    "HOSTNAMES": "",
    # waitress gives every open event stream a thread, so there must be many more threads than streams.
    "THREADS": 320,
    # How many phones are told of changes at once; None: two thirds of the threads.
    "STREAMS": None,
    # Home lists every game of the house, not only those this device made or joined.
    "OPEN_HOUSE": False,
    # Many groups on one server: each has its own people, and no house is open.
    "HOSTED": False,
    # A line of JSON for each request, without paths and names; None: where HOSTED.
    "REQUEST_LOG": None,
    # Who says it reads the numbers under /metrics; empty: there is no such page.
    "METRICS_TOKEN": "",
    "BABEL_DEFAULT_LOCALE": "en",
    # Of the table, such as "Europe/Lisbon"; empty: the server's own.
    "TIMEZONE": "",
    # A night begun before this hour belongs to the evening before, where nights are listed; 0 is midnight.
    "DAY_BEGINS": 5,
    "SESSION_COOKIE_NAME": "companion",
    "SESSION_COOKIE_HTTPONLY": True,
    "SESSION_COOKIE_SAMESITE": "Lax",
    # The Secure flag is set per request, under HTTPS alone: security.HttpsAwareSessions.
    "PERMANENT_SESSION_LIFETIME": 60 * 60 * 24 * 400,
    # A CSRF token that dies after an hour dies before the game does.
    "WTF_CSRF_TIME_LIMIT": None,
    "MAX_CONTENT_LENGTH": 256 * 1024,
    "MAX_FORM_MEMORY_SIZE": 256 * 1024,
    "MAX_FORM_PARTS": 1000,
    # An export is larger than any form; larger ones are for `companion import`.
    "MAX_UPLOAD": 8 * 1024 * 1024,
    "COMPRESS_ALGORITHM": ["br", "gzip"],
    "COMPRESS_BR_LEVEL": 5,
    "COMPRESS_MIN_SIZE": 400,
    "COMPRESS_STREAMS": True,
    "SQLALCHEMY_ENGINE_OPTIONS": {},
    # How many proxies in front set X-Forwarded-*; 0 trusts nobody.
    "TRUSTED_PROXIES": 0,
    # Hosted: how many processes answer, and which of gunicorn's kinds they are (gevent or gthread).
    "WORKERS": 2,
    "WORKER_CLASS": "gevent",
}

_SHORT = {"HOST": "HOST", "PORT": "PORT", "DATABASE_URL": "SQLALCHEMY_DATABASE_URI"}
# These are texts even where they read as a number, as a secret of digits alone does.
_TEXTS = (
    "SECRET_KEY",
    "SQLALCHEMY_DATABASE_URI",
    "DATABASE_URL",
    "HOST",
    "HOSTNAMES",
    "METRICS_TOKEN",
    "TIMEZONE",
    "SESSION_COOKIE_NAME",
)


def instance_path(overrides: Mapping[str, Any] | None) -> str:
    """The folder of this house's database, secret and settings, as an absolute path.

    Said outright: Flask's own guess is right only in a checkout. Order: a test's mapping, `COMPANION_INSTANCE_PATH`, the
    `instance/` of the checkout; an installed program keeps its data where this platform's programs do, but goes on with
    an `instance/` of the working folder in which there are games already, since earlier versions kept them there.
    """
    chosen = (overrides or {}).get("INSTANCE_PATH") or _environ(overrides).get(f"{ENV_PREFIX}_INSTANCE_PATH")
    if chosen:
        return str(Path(chosen).absolute())
    if CHECKOUT:
        return str(CHECKOUT / "instance")
    earlier = Path.cwd() / "instance"
    return str(earlier) if (earlier / DATABASE_FILE).is_file() else user_data_dir(PROGRAM, appauthor=False)


def as_started(in_checkout: str, installed: str) -> str:
    """Of two ways to say a command, the one that works where this program runs: in a checkout, or installed."""
    return in_checkout if CHECKOUT else installed


#: How what only many tables need is fetched.
INSTALLED_BY = as_started("`make hosted` installs it", 'pip install "gripe-companion[hosted]" installs it')


def load(app: Flask, overrides: Mapping[str, Any] | None) -> None:
    """Fill `app.config` from every source in order, make the instance folder and the secret.

    Raises SetupError where a source cannot be read or the folder cannot be written.
    """
    folder = Path(app.instance_path)
    _make_folder(folder)
    app.config.from_mapping(DEFAULTS)
    app.config["SQLALCHEMY_DATABASE_URI"] = own_database(folder)
    _load_file(app)
    app.config.update(_from_environment(_environ(overrides)))
    app.config.update({k: v for k, v in (overrides or {}).items() if k not in ("INSTANCE_PATH", "ENVIRON")})
    for key, setting in SETTINGS.items():
        app.config[key] = setting.checked(key, app.config.get(key))
    # Where there was a secret, there was a table once (see command/beginning.py).
    app.config["SECRET_WAS_THERE"] = not app.config.get("SECRET_KEY") and (folder / SECRET_FILE).exists()
    if not app.config.get("SECRET_KEY"):
        app.config["SECRET_KEY"] = secret(folder)


def own_database(folder: Path) -> str:
    """The address of the database in the instance folder, where none is named."""
    return f"sqlite:///{folder / DATABASE_FILE}"


def secret(folder: Path) -> str:
    """The house's secret from `folder`, made at the first start and readable by its owner alone.

    Raises SetupError where it can be neither read nor written.
    """
    path = folder / SECRET_FILE
    try:
        _write_secret_once(path)
        text = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(f"The secret file {path} can't be used: {_reason(error)}.") from error
    if len(text) < 32:
        raise SetupError(f"The secret file {path} is damaged. Delete it and start again; every phone then joins anew.")
    return text


def _write_secret_once(path: Path) -> None:
    """Two first starts at once must agree: written aside in full, then linked into place; the first link wins."""
    if path.exists():
        return
    aside = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as out:
        out.write(secrets.token_hex(32) + "\n")
    try:
        os.link(aside, path)
    except FileExistsError:
        pass  # somebody else's first start was first; theirs counts
    finally:
        aside.unlink(missing_ok=True)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = folder / f".probe-{secrets.token_hex(4)}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise SetupError(
            f"The folder {folder} can't be written, and the games are kept there: {_reason(error)}. "
            f"Make it writable, or name another one with {ENV_PREFIX}_INSTANCE_PATH."
        ) from error


def _load_file(app: Flask) -> None:
    try:
        app.config.from_pyfile("config.py", silent=True)
        if "DATABASE_URL" in app.config:
            app.config["SQLALCHEMY_DATABASE_URI"] = app.config["DATABASE_URL"]
    except (Exception, SystemExit) as error:  # the file is the owner's own Python: anything may come out of it
        path, what = Path(app.instance_path) / "config.py", " ".join(str(error).split())
        raise SetupError(f"The settings file {path} has a mistake: {type(error).__name__}: {what}.") from error


def _environ(overrides: Mapping[str, Any] | None) -> Mapping[str, str]:
    given: Mapping[str, str] | None = (overrides or {}).get("ENVIRON")
    return os.environ if given is None else given


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    """`COMPANION_PORT=9000` and so on; the short names HOST and PORT and DATABASE_URL count too, but less. What is set
    to nothing is not set.
    """
    settings: dict[str, Any] = {key: environ[short] for short, key in _SHORT.items() if environ.get(short)}
    for name, value in environ.items():
        if name.startswith(f"{ENV_PREFIX}_") and name != f"{ENV_PREFIX}_INSTANCE_PATH" and value:
            key = name.removeprefix(f"{ENV_PREFIX}_")
            settings[_SHORT.get(key, key)] = value if key in _TEXTS else _value(value)
    return settings


def _value(text: str) -> Any:
    """A JSON value where it reads as one (8000, true, "x"), else the text itself, as Flask does it."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or "its content is not what this app wrote"
