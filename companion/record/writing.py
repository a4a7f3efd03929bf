"""The only writer of games: one command, one transaction, once (laws 2–4)."""

import hashlib
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar, cast

from flask import current_app
from sqlalchemy import Table, bindparam, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from companion import codec
from companion.db import MAKING_PEOPLE, advisory_lock, checkpoint, db, writing
from companion.models import Entry, Game, House, Seat
from companion.names import BadNames, cleaned_names, looks_the_same
from companion.record import lists, next_games, people, phones, projecting, snapshots
from companion.record.intent import has_shifted
from companion.record.reading import EntryView, NoSuchGame, entries_after, is_code, undo_of
from companion.record.snapshots import Snapshot, Stored
from companion.referee.commands import Command, JoinSeat, StartGame
from companion.referee.engine import IllegalCommand, decide, problems
from companion.referee.events import Event, Redone, Undone
from companion.referee.reasons import Firmness, Problem, Reason
from companion.referee.state import GameState, Phase

#: Called with the game's id once an entry is committed.
after_commit: set[Callable[[int], None]] = set()

#: The columns of a seat that say who sits there.
_Who = dict[str, int | None]
_T = TypeVar("_T")
_Judge = Callable[[int, Snapshot], tuple[Event, ...]]

# Every command asks these: SQLAlchemy takes longer to build a statement than SQLite to answer it.
# FOR UPDATE: PostgreSQL's row lock does what BEGIN IMMEDIATE does on SQLite, which ignores it.
_GAME = select(Game.id, Game.revision).where(Game.code == bindparam("code")).with_for_update()
_BY_TOKEN = select(Entry.seq, Entry.digest).where(Entry.game_id == bindparam("game"), Entry.token == bindparam("token"))
_ENTRIES, _GAMES = (cast(Table, model.__table__) for model in (Entry, Game))
_ADD_ENTRY = insert(_ENTRIES)
_CHANGE_GAME = (
    update(_GAMES)
    .where(_GAMES.c.id == bindparam("game"))
    .values({name: bindparam(name) for name in ("revision", "changed_at", "phase", "hand")})
)


@dataclass(frozen=True, slots=True)
class Accepted:
    """It landed as ``events``, the last of them entry number ``revision``; ``duplicate``: it had landed before."""

    code: str
    revision: int
    duplicate: bool
    events: tuple[Event, ...]


class Stale(Exception):
    """The game has moved on, and the command no longer fits (409).

    ``since`` are the entries the person had not seen, ``problems`` what the referee says now; without problems
    the command would be legal but would mean something else than the person saw.
    """

    def __init__(self, revision: int, since: tuple[EntryView, ...], problems: tuple[Problem, ...] = ()) -> None:
        super().__init__(f"at revision {revision}")
        self.revision, self.since, self.problems = revision, since, problems


class TokenSpent(Stale):
    """The form was sent before, with other content, and that landed (409), in the game ``code``."""

    def __init__(self, code: str, revision: int, since: tuple[EntryView, ...]) -> None:
        super().__init__(revision, since)
        self.code = code


@dataclass(frozen=True, slots=True)
class _Submission:
    """What comes with every command: the token (hashed), what it was for, the revision seen, and the device."""

    token: str
    digest: str
    seen: int
    device: int | None


def new_token() -> str:
    """A token for a form: what carries it lands once."""
    return secrets.token_urlsafe(16)


def start_game(
    command: StartGame, names: Sequence[str], *, token: str, device: int | None = None, after: str = ""
) -> Accepted:
    """Start a night; ``names`` in the order of ``command.seats``. The device becomes the game's keeper.

    ``after`` is the code of the game that this one follows: its phones come along with their roles. Raises BadNames,
    IllegalCommand, TokenSpent where the form had started another game, and NextGameBegun.
    """
    if len(names) != len(command.seats):
        raise ValueError(f"{len(names)} names for {len(command.seats)} seats")
    cleaned = cleaned_names(names)
    events = decide(GameState(), command)
    submission = _Submission(hashed(token), codec.digest(command, *cleaned), 0, device)
    return retried(lambda: _start(submission, command, cleaned, events, after))


def started_with(token: str) -> str | None:
    """The code of the game that a form with this token started."""
    return db.session.scalar(select(Game.code).where(Game.token == hashed(token)))


def append(code: str, command: Command, *, token: str, seen: int, device: int | None = None) -> Accepted:
    """Let a command land in a game.

    Raises NoSuchGame; IllegalCommand and Ambiguous from the referee; Stale where the game has moved on past
    ``seen`` and the command is no longer legal, or no longer means the same; TokenSpent.
    """
    if isinstance(command, JoinSeat | StartGame):
        raise TypeError(f"{type(command).__name__} has its own function, which takes the names")
    submission = _Submission(hashed(token), codec.digest(command), seen, device)
    return _land(code, submission, lambda game_id, game: _judge(game_id, game, command, seen))


def join(
    code: str, name: str, place: int | None = None, *, token: str, seen: int, device: int | None = None
) -> Accepted:
    """Seat a late joiner (G9.4). Raises BadNames, and all that ``append`` raises."""
    cleaned = cleaned_names([name])[0]
    submission = _Submission(hashed(token), codec.digest(JoinSeat(0, place), cleaned), seen, device)

    def judge(game_id: int, game: Snapshot) -> tuple[Event, ...]:
        advisory_lock(MAKING_PEOPLE)
        return _judge(game_id, game, JoinSeat(_seat_for(game_id, game, cleaned), place), seen)

    return retried(lambda: _land(code, submission, judge))


def retried(write: Callable[[], _T]) -> _T:
    """What a transaction gives, tried again where another process made the same game or person in between: now it is
    there to be found.
    """
    try:
        return write()
    except IntegrityError:
        return write()


def undo(code: str, *, entry: int, token: str, seen: int, device: int | None = None) -> Accepted:
    """Take back entry number ``entry``, which must be the last that holds; else Stale, or IllegalCommand."""
    return _turn(Undone, code, entry, _Submission(hashed(token), f"undo {entry}"[:64], seen, device))


def redo(code: str, *, entry: int, token: str, seen: int, device: int | None = None) -> Accepted:
    """Restore entry number ``entry``, which must be the one undone last; else Stale, or IllegalCommand."""
    return _turn(Redone, code, entry, _Submission(hashed(token), f"redo {entry}"[:64], seen, device))


def _turn(kind: type[Undone] | type[Redone], code: str, entry: int, submission: _Submission) -> Accepted:
    """Undo or redo an entry, where it is the one the person saw."""

    def judge(game_id: int, game: Snapshot) -> tuple[Event, ...]:
        target = undo_of(game) if kind is Undone else game.redo
        if target == entry:
            return (kind(entry),)
        reason = Reason.NOTHING_TO_UNDO if kind is Undone else Reason.NOTHING_TO_REDO
        problems = (Problem(reason, "G1.2", firmness=Firmness.LOGIC),) if target is None else ()
        if problems and submission.seen == game.revision:
            raise IllegalCommand(problems)
        raise Stale(game.revision, entries_after(submission.seen, game_id, game), problems)

    return retried(lambda: _land(code, submission, judge))


def _judge(game_id: int, game: Snapshot, command: Command, seen: int) -> tuple[Event, ...]:
    """The events of a command on the fresh state, if it is legal and meant."""
    if seen == game.revision:
        return decide(game.state, command)
    refused = problems(game.state, command)
    if refused or not 0 <= seen < game.revision or has_shifted(command, game, seen):
        raise Stale(game.revision, entries_after(seen, game_id, game), refused)
    return decide(game.state, command)


def _land(code: str, submission: _Submission, judge: _Judge) -> Accepted:
    """Judge and write in one transaction; then, and only then, keep the new state and tell who listens."""
    if not is_code(code):
        raise NoSuchGame(code)
    with writing() as session:
        row = session.execute(_GAME, {"code": code}).one_or_none()
        if row is None:
            raise NoSuchGame(code)
        game = snapshots.snapshot(row.id, code, row.revision)
        if (landed := _landed(row.id, game, code, submission)) is not None:
            return landed
        after = _extended(game, judge(row.id, game), submission.device)
        _write(row.id, submission, game, after)
    return _committed(row.id, code, game, after)


def _landed(game_id: int, game: Snapshot, code: str, submission: _Submission) -> Accepted | None:
    """How the same command landed before, if it did. Raises TokenSpent where the token was for another."""
    first = db.session.execute(_BY_TOKEN, {"game": game_id, "token": submission.token}).one_or_none()
    if first is None:
        return None
    if first.digest != submission.digest:
        raise TokenSpent(code, game.revision, entries_after(first.seq - 1, game_id, game))
    later = select(func.min(Entry.seq)).where(Entry.game_id == game_id, Entry.seq > first.seq, Entry.token.is_not(None))
    last = (db.session.execute(later).scalar_one() or game.revision + 1) - 1
    return Accepted(code, last, True, game.events[first.seq - 1 : last])


def _extended(game: Snapshot, events: Sequence[Event], device: int | None) -> Snapshot:
    now, after = datetime.now(UTC), game.revision + 1
    return game.extended(Stored(number, event, device, now) for number, event in enumerate(events, after))


def _write(game_id: int, submission: _Submission, game: Snapshot, after: Snapshot) -> None:
    """The new entries, and what is read off the record; the token goes with the first entry of a command only."""
    mark: dict[str, Any] = {"token": submission.token, "digest": submission.digest}
    for stored in after.entries[game.revision :]:
        kind, data = codec.encode(stored.event)
        entry = {"game_id": game_id, "seq": stored.seq, "kind": kind, "data": data, "at": stored.at}
        db.session.execute(_ADD_ENTRY, {**entry, "device_id": stored.device, **mark})
        mark = dict.fromkeys(mark)
    projecting.project(game_id, game.state, after.state)
    if game.state.phase is Phase.DISCARDED:
        next_games.put_back(game_id)
    _touch(game_id, submission.device, after)


def _committed(game_id: int, code: str, game: Snapshot, after: Snapshot) -> Accepted:
    """Keep the new state, and tell who listens."""
    snapshots.cache().put(code, after)
    tell(game_id, after.revision)
    if projecting.summary(game.state) != projecting.summary(after.state):  # a hand or the night began or ended
        checkpoint(current_app._get_current_object())  # type: ignore[attr-defined]
    return Accepted(code, after.revision, False, after.events[game.revision :])


def tell(game_id: int, revision: int) -> None:
    """Tell whoever listens of what was committed."""
    for callback in after_commit:
        try:
            callback(game_id)
        except Exception:  # the entry is committed: whoever listens may fail, the writer may not
            current_app.logger.exception("told of game %s at revision %s", game_id, revision)


def _touch(game_id: int, device: int | None, game: Snapshot) -> None:
    values = {"revision": game.revision, "changed_at": game.entries[-1].at, **projecting.summary(game.state)}
    db.session.connection().execute(_CHANGE_GAME, {"game": game_id, **values})
    if device is not None:
        phones.remember(game_id, device)


def _start(
    submission: _Submission, command: StartGame, names: Sequence[str], events: tuple[Event, ...], follows: str
) -> Accepted:
    """Game, people, seats and the first entry in one transaction."""
    with writing() as session:
        advisory_lock(MAKING_PEOPLE)  # houses and people are made here: two first games at once would make them twice
        query = select(Game.id, Game.code, Game.digest).where(Game.token == submission.token)
        if (made := session.execute(query).one_or_none()) is not None:
            if made.digest != submission.digest:
                raise TokenSpent(made.code, 1, ())
            first = snapshots.stored_entries(made.id, 0, 1)
            return Accepted(made.code, 1, True, tuple(stored.event for stored in first))
        before = next_games.predecessor(follows) if follows else None
        house = before.house_id if before else lists.house_for(submission.device) or make_house()
        seated = dict(zip(command.seats, _people(house, names), strict=True))
        game = Snapshot()
        after = _extended(game, events, submission.device)
        now = after.entries[0].at
        game_id, code = make_game(
            after.state, house_id=house, token=submission.token, digest=submission.digest, created_at=now,
            changed_at=now, revision=after.revision, uid=secrets.token_hex(16), after_id=before.id if before else None,
        )  # fmt: skip
        for number in command.seats:
            session.execute(insert(Seat).values(game_id=game_id, number=number, **seated[number]))
        _write(game_id, submission, game, after)
        if before:
            phones.come_along(before.id, game_id)
    if before:
        tell(before.id, after.revision)
    return _committed(game_id, code, game, after)


def make_house(name: str = "") -> int:
    """A new house, for people and games that belong together."""
    return int(db.session.execute(insert(House).values(name=name).returning(House.id)).scalar_one())


def make_game(state: GameState, **columns: object) -> tuple[int, str]:
    """A row for a new game in this state, with its links; its id and its code."""
    code = secrets.token_urlsafe(16)
    columns |= {"code": code, "sheet": state.rules.sheet, "contracts": projecting.own_contracts(state.rules)}
    columns |= {**projecting.summary(state), **phones.new_links()}
    return int(db.session.execute(insert(Game).values(**columns).returning(Game.id)).scalar_one()), code


def _people(house: int, names: Sequence[str]) -> list[_Who]:
    """Who sits where; raises BadNames where two of the names are one person's, since they were merged."""
    seated = [_person(house, name) for name in names]
    persons = [who["person_id"] for who in seated]
    for index, (name, person) in enumerate(zip(names, persons, strict=True)):
        if (other := persons.index(person)) != index:
            raise BadNames((looks_the_same(index, name, other, names[other]),))
    return seated


def _person(house: int, name: str) -> _Who:
    """The person whose name looks like this, made if there is none yet; and whose name it was before a merging."""
    typed = people.person_named(house, name) or people.make_person(house, name)
    person = people.merged_into(typed)
    return {"person_id": person, "entered_as": None if person == typed else typed}


def _seat_for(game_id: int, game: Snapshot, name: str) -> int:
    """The seat number for a joiner, with its row.

    A number is never given to somebody else, not even when the arrival was undone: the history names both.
    """
    house = db.session.execute(select(Game.house_id).where(Game.id == game_id)).scalar_one()
    who = _person(house, name)
    seats = db.session.execute(select(Seat.number, Seat.person_id).where(Seat.game_id == game_id)).all()
    own = next((row.number for row in seats if row.person_id == who["person_id"]), None)
    if own in game.state.seats:
        raise BadNames((looks_the_same(0, name, own, name),))
    if own is None:
        own = max(row.number for row in seats) + 1
        db.session.execute(insert(Seat).values(game_id=game_id, number=own, **who))
    return int(own)


def hashed(token: str) -> str:
    """A client may send anything as its token; none at all is a command of its own."""
    return hashlib.sha256((token or new_token()).encode("utf-8", "surrogatepass")).hexdigest()
