"""The database: declarative base, aware datetimes, SQLite's settings, migrations, and the one way to write.

Reading needs nothing special. Writing is always

    with writing() as session:
        ...read what the decision rests on, add what follows...

which is one transaction: committed at the end, rolled back on any error, and alone in it from its first
statement, so that what it read is still true when it commits.
"""

import sqlite3
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from flask import Flask
from flask_migrate import Migrate
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import Connection, DateTime, MetaData, event, func, select
from sqlalchemy.engine import Dialect, make_url
from sqlalchemy.exc import ArgumentError, DisconnectionError, NoSuchModuleError, OperationalError
from sqlalchemy.exc import TimeoutError as WaitedTooLong
from sqlalchemy.orm import DeclarativeBase, scoped_session
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.types import TypeDecorator

from companion.config import INSTALLED_BY, SetupError
from companion.settings import without_password

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_TIMEOUT_MS = 15_000
#: Of PostgreSQL's transactions, where there are some.
TRANSACTION = "READ COMMITTED"
#: A connection that was used within so many seconds is not asked whether it is still there.
FRESH = 1.0
# Numbers of PostgreSQL's advisory locks: one machine migrates (migrations/env.py), one writer makes houses and people.
MIGRATING, MAKING_PEOPLE = 7106, 7107

# Every constraint has a name, so that a later migration can speak of it.
NAMES = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """What every model inherits from."""

    metadata = MetaData(naming_convention=NAMES)


class UTCDateTime(TypeDecorator[datetime]):
    """An aware datetime in, the same moment in UTC out; SQLite by itself drops the zone.

    Binding a naive datetime raises ValueError: nobody knows which moment it means.
    """

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The moment in UTC, without its zone where the database has no place for it."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a datetime without a zone: {value!r}")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The moment in UTC, aware."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _render_item(kind: str, item: object, _context: object) -> str | bool:
    """How a migration writes our own types down: as what they are in the database, so that it stands alone."""
    return "sa.DateTime(timezone=True)" if kind == "type" and isinstance(item, UTCDateTime) else False


_WAITS = f"-c lock_timeout={BUSY_TIMEOUT_MS} -c idle_in_transaction_session_timeout={4 * BUSY_TIMEOUT_MS}"
#: How each of our databases is connected to.
_OPTIONS: dict[str, dict[str, Any]] = {
    # The driver must leave transactions alone: `_begin` says when one starts and of which kind.
    "sqlite": {"pool_size": 10, "connect_args": {"isolation_level": None}},
    # A connection that died with its server is replaced unseen, and nobody waits for ever for anybody. A worker has at
    # most 20 connections, so that four workers stay below the 100 that PostgreSQL gives by default. Whoever only reads
    # needs no transaction, which would be two more questions for every page; `writing` begins one.
    "postgresql": {
        "pool_size": 10, "max_overflow": 10, "pool_timeout": 10, "isolation_level": "AUTOCOMMIT",
        "connect_args": {"connect_timeout": 5, "application_name": "companion", "options": _WAITS},
    },
}  # fmt: skip

db = SQLAlchemy(model_class=Base)
migrate = Migrate(render_as_batch=True, compare_type=True, render_item=_render_item)


class WriteLock:
    """One writer at a time, who came first first. Nobody waits longer than ``seconds``; and where one of them could not
    write in that time, since another program has locked the file, all who wait by then give up with it.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._lock = threading.Lock()
        self._is_taken = False
        self._waiting: deque[tuple[threading.Event, list[bool]]] = deque()

    @contextmanager
    def held(self) -> Iterator[float]:
        """Hold the lock; yields until when (by ``time.monotonic``) this writer waits. Raises WaitedTooLong."""
        until = time.monotonic() + self.seconds
        self._acquire()
        try:
            yield until
        except OperationalError:
            if time.monotonic() >= until:
                self._give_up()
            raise
        finally:
            self._release()

    def _acquire(self) -> None:
        turn, given = threading.Event(), list[bool]()
        with self._lock:
            if not self._is_taken:
                self._is_taken = True
                return
            self._waiting.append((turn, given))
        turn.wait(self.seconds)
        with self._lock:
            if not given:
                self._waiting.remove((turn, given))
        if given != [True]:
            raise WaitedTooLong("the database is locked, and others wait for it too")

    def _release(self) -> None:
        with self._lock:
            self._is_taken = bool(self._waiting)
            if self._waiting:
                self._wake(True)

    def _give_up(self) -> None:
        with self._lock:
            while self._waiting:
                self._wake(False)

    def _wake(self, is_next: bool) -> None:
        turn, given = self._waiting.popleft()
        given.append(is_next)
        turn.set()


_write_lock = WriteLock(BUSY_TIMEOUT_MS / 1000)
#: Something was committed since the log was brought into the file.
_wrote = threading.Event()
#: So many seconds after the last commit that is done anyway.
IDLE = 10.0
#: Until when the writer of this thread waits for the file, by ``time.monotonic``; None: it only reads.
_writes_until: ContextVar[float | None] = ContextVar("writes_until", default=None)


def init_app(app: Flask) -> None:
    """Bind the database to the app, with SQLite set up for several phones writing at once.

    Raises SetupError where the address is none of a database that this app knows.
    """
    kind = _kind(app.config["SQLALCHEMY_DATABASE_URI"])
    given = app.config["SQLALCHEMY_ENGINE_OPTIONS"]
    # What was typed stands in no message of an error, so in no log.
    usual = {
        "hide_parameters": True,
        "max_overflow": app.config["THREADS"] + 10,
        **_OPTIONS[kind],
    }  # SQLite's: a connection for every thread
    connect = {**usual["connect_args"], **given.get("connect_args", {})}
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = {**usual, **given, "connect_args": connect}
    _make_engine(app, given)
    migrate.init_app(app, db, directory=str(MIGRATIONS))
    with app.app_context():
        if db.engine.dialect.name == "sqlite":
            event.listen(db.engine, "connect", _set_pragmas)
            event.listen(db.engine, "begin", _begin)
        else:
            event.listen(db.engine, "checkin", _put_back)
            event.listen(db.engine, "checkout", _taken)


def _make_engine(app: Flask, given: object) -> None:
    try:
        db.init_app(app)
        with app.app_context():
            _ = db.engine
    except (TypeError, ValueError, ArgumentError) as error:
        why = " ".join(str(error).split())
        raise SetupError(f"SQLALCHEMY_ENGINE_OPTIONS={given} is not what SQLAlchemy takes: {why}.") from error


def _kind(address: str) -> str:
    """Which of our two databases an address is for; its driver must be there. Raises SetupError."""
    try:
        url = make_url(address)
        url.get_dialect().import_dbapi()
    except ImportError as error:
        raise SetupError(f"The driver of this database is missing ({error.name}): {INSTALLED_BY}.") from error
    except (ArgumentError, NoSuchModuleError, ValueError):
        raise SetupError(
            f"DATABASE_URL is no address: {without_password(address)}. It looks like postgresql://user:password@host/name."
        ) from None
    if url.get_backend_name() not in _OPTIONS:
        raise SetupError(f"Gripe Companion keeps its games in SQLite or PostgreSQL, not in {url.get_backend_name()}.")
    return url.get_backend_name()


@contextmanager
def writing() -> Iterator[scoped_session[Any]]:
    """One write transaction: yields the session, commits at the end, rolls back and re-raises on any error.

    Whatever the session had read before is let go first, since it may be out of date. Not to be nested:
    a transaction inside another could not be undone on its own (RuntimeError). On SQLite, where another program has
    locked the file, all who wait share one deadline: OperationalError or WaitedTooLong.
    """
    if _writes_until.get() is not None:
        raise RuntimeError("writing() inside writing(): one command is one transaction")
    db.session.rollback()  # before the wait: whoever waits holds no connection's old picture of the file
    # SQLite has one writer anyway; on PostgreSQL every game has its own lock, and games do not wait for each other.
    with _write_lock.held() if db.engine.dialect.name == "sqlite" else nullcontext(0.0) as until:
        mark = _writes_until.set(until)
        try:
            if db.engine.dialect.name == "postgresql":
                db.session.connection(execution_options={"isolation_level": TRANSACTION})
            yield db.session
            db.session.commit()
            _wrote.set()
        except BaseException:
            db.session.rollback()
            raise
        finally:
            _writes_until.reset(mark)


def advisory_lock(number: int) -> None:
    """Within `writing()`: take PostgreSQL's advisory lock of that number until the commit.

    For rows that cannot be locked, since they are still to be made. SQLite has one writer at a time anyway.
    """
    if db.session.connection().dialect.name == "postgresql":
        db.session.execute(select(func.pg_advisory_xact_lock(number)))


def file_of(app: Flask) -> Path | None:
    """The file of SQLite; None where the database is another, or in memory."""
    with app.app_context():
        place = db.engine.url.database
        return Path(place) if db.engine.dialect.name == "sqlite" and place and place != ":memory:" else None


def checkpoint(app: Flask, *, empties: bool = False) -> None:
    """Bring what SQLite has in its log (`…-wal`) into the file itself, as far as nobody reads it just now; waits for nobody.

    Nothing is lost without it, but whoever carries the file away alone has everything. ``empties`` the log as well.
    """
    place = file_of(app)
    if place is None:
        return
    try:
        with closing(sqlite3.connect(place, timeout=0)) as connection:
            connection.execute(f"PRAGMA wal_checkpoint({'TRUNCATE' if empties else 'PASSIVE'})")
    except sqlite3.OperationalError as error:  # somebody writes just now, or the disk is full: the next one does it
        app.logger.info("the log was not brought into the database: %s", error)


def checkpoint_when_idle(app: Flask) -> None:
    """From now on bring the log into the file, and empty it, whenever nobody has written for a while."""

    def run() -> None:
        while True:
            _wrote.wait()
            while _wrote.is_set():
                _wrote.clear()
                time.sleep(IDLE)
            checkpoint(app, empties=True)

    threading.Thread(target=run, name="checkpoints", daemon=True).start()


def _set_pragmas(connection: Any, _record: Any) -> None:
    """SQLite forgets these with every connection. FULL: a battery that dies loses nothing acknowledged."""
    cursor = connection.cursor()
    for setting in (
        f"busy_timeout = {BUSY_TIMEOUT_MS}",
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
    ):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _put_back(_connection: Any, record: ConnectionPoolEntry) -> None:
    record.info["used"] = time.monotonic()


def _taken(connection: Any, record: ConnectionPoolEntry, _proxy: Any) -> None:
    """A connection that has lain idle may have died with its server: then another takes its place."""
    if time.monotonic() - record.info.get("used", float("inf")) < FRESH:
        return
    try:
        db.engine.dialect.do_ping(connection)
    except db.engine.dialect.loaded_dbapi.Error as error:
        raise DisconnectionError from error


def _begin(connection: Connection) -> None:
    """A writer takes the write lock before it reads: read-then-write would fail or race otherwise."""
    until = _writes_until.get()
    if until is None:
        connection.exec_driver_sql("BEGIN")
        return
    left = 1 + max(0, int(1000 * (until - time.monotonic())))
    connection.exec_driver_sql(f"PRAGMA busy_timeout = {left}")
    try:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    finally:
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
