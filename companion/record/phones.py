"""The phones of a game: what each may do, whose it is, and the links that let others in. All of it is written here."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from sqlalchemy import Table, bindparam, func, insert, or_, select, update

from companion.db import db, writing
from companion.models import Device, Game, Membership, Seat
from companion.phones import links
from companion.record.reading import DeviceLabel, is_code

ROLES = ("keeper", "watch")
_LINKS = {"keeper": Game.keeper_code, "watch": Game.watch_code}
_SHORTS = {"keeper": Game.keeper_short, "watch": Game.watch_short}
# Every command asks these: SQLAlchemy takes longer to build a statement than SQLite to answer it.
_HERE = (Membership.game_id == bindparam("game"), Membership.device_id == bindparam("device"))
_NUMBER = select(Membership.number).where(*_HERE)
_DEVICES = cast(Table, Device.__table__)
_SEEN = update(_DEVICES).where(_DEVICES.c.id == bindparam("device")).values(seen_at=bindparam("seen_at"))


@dataclass(frozen=True, slots=True)
class Link:
    """A way in, for ``role``; ``short`` is the code typed by hand, or "" where it is too old to open anything."""

    role: str
    token: str
    short: str


@dataclass(frozen=True, slots=True)
class Invitation:
    """What somebody with a link is invited to."""

    code: str
    role: str
    token: str


@dataclass(frozen=True, slots=True)
class Member:
    """A phone of a game; ``is_first``: the game was started on it; ``by_link``: it goes when its link is renewed."""

    label: DeviceLabel
    number: int
    role: str
    seat: int | None
    by_link: bool
    seen_at: datetime

    @property
    def is_first(self) -> bool:
        """Whether it came without a link, before all others: it can always let the others in again."""
        return self.number == 1 and not self.by_link


# --- reading --------------------------------------------------------------------------------------------------------


def game_links(game_id: int) -> tuple[Link, ...]:
    """Both links of a game, the keepers' first."""
    columns = (Game.keeper_code, Game.watch_code, Game.keeper_short, Game.watch_short, Game.short_at, Game.changed_at)
    row = db.session.execute(select(*columns).where(Game.id == game_id)).one()
    awake = _is_awake(row.short_at, row.changed_at)
    return tuple(
        Link(role, str(row._mapping[_LINKS[role]]), (row._mapping[_SHORTS[role]] or "") if awake else "")
        for role in ROLES
    )


def invitation(token: str) -> Invitation | None:
    """What a link opens; None where it is none, or was renewed."""
    return _invitation(_LINKS, token) if is_code(token) else None


def invitation_by_short(short: str) -> Invitation | None:
    """What a short code opens, if it is still awake."""
    return _invitation(_SHORTS, short)


def members(game_id: int) -> tuple[Member, ...]:
    """The phones of a game that may look or enter, in the order in which they came."""
    label = (Device.id, Device.kind, Membership.number, Device.name)
    columns = (*label, Membership.role, Membership.seat, Membership.by_link, Device.seen_at)
    query = select(*columns).join(Membership, Membership.device_id == Device.id)
    rows = db.session.execute(query.where(Membership.game_id == game_id, Membership.live).order_by(Membership.number))
    return tuple(Member(DeviceLabel(*row[:4]), row.number, *row[4:]) for row in rows)


def was_member(game_id: int, device: int | None) -> bool:
    """Whether a phone has lost its role in a game: its link was renewed, or it was removed."""
    query = select(Membership.number).where(_is(game_id, device), Membership.live.is_(False))
    return db.session.execute(query).one_or_none() is not None


# --- writing --------------------------------------------------------------------------------------------------------


def new_links() -> dict[str, Any]:
    """The columns of both links for a game being made."""
    return {column.key: links.new_link() for column in _LINKS.values()} | _new_shorts()


def remember(game_id: int, device: int) -> None:
    """Within a transaction: a device was seen, and one that is new in an open house is one of the game's from now on."""
    _see(device)
    if db.session.execute(_NUMBER, {"game": game_id, "device": device}).one_or_none() is None:
        _add(game_id, device, "keeper", by_link=False)


def enter(token: str, device: int, seat: int | None) -> Invitation | None:
    """Let a device in by a link, once however often it is sent; None where the link opens nothing.

    Who may enter things already may still do so after opening a watch link.
    """
    with writing() as session:
        invited = invitation(token)
        if invited is None:
            return None
        game_id = session.execute(select(Game.id).where(Game.code == invited.code).with_for_update()).scalar_one()
        if invitation(token) != invited:  # renewed while we waited for the lock
            return None
        _let_in(game_id, device, invited.role, seat)
        _see(device)
    return invited


def renew(game_id: int, role: str, token: str, device: int) -> bool:
    """Make a new link and short code in place of ``token``; every phone that came by it loses its role, but not
    ``device``, whose keeper does it. False where the link was renewed already: sent twice, it is renewed once.
    """
    with writing() as session:
        now = session.execute(select(_LINKS[role]).where(Game.id == game_id).with_for_update()).scalar_one()
        if now != token:
            return False
        _make_new(game_id, (role,))
        came = (Membership.game_id == game_id, Membership.role == role, Membership.by_link)
        session.execute(update(Membership).where(*came, Membership.device_id != device).values(live=False))
        _see(device)
    return True


def renew_all(game_id: int) -> None:
    """New links and codes, and no phone has a role any more, the one the night was started on neither."""
    with writing() as session:
        session.execute(select(Game.id).where(Game.id == game_id).with_for_update())
        session.execute(update(Game).where(Game.id == game_id).values(**new_links()))
        session.execute(update(Membership).where(Membership.game_id == game_id).values(live=False))


def new_shorts(game_id: int) -> None:
    """Wake the short codes with new ones, where they are too old; the links stay."""
    with writing() as session:
        columns = (Game.short_at, Game.changed_at)
        row = session.execute(select(*columns).where(Game.id == game_id).with_for_update()).one()
        if not _is_awake(row.short_at, row.changed_at):
            session.execute(update(Game).where(Game.id == game_id).values(**_new_shorts()))


def come_along(old: int, new: int) -> None:
    """Within the transaction that makes a game: the phones of the one before have the same roles in it, and the seats of
    the same people.
    """
    columns = (Membership.device_id, Membership.role, Membership.by_link, Membership.seat)
    query = select(*columns).where(Membership.game_id == old, Membership.live).order_by(Membership.number)
    for row in db.session.execute(query).all():
        _follow(old, new, row)


def follow(old: int, new: int, device: int) -> None:
    """A phone of a game has the same role in another, where it never had any."""
    with writing() as session:
        session.execute(select(Game.id).where(Game.id == new).with_for_update())
        columns = (Membership.device_id, Membership.role, Membership.by_link, Membership.seat)
        row = session.execute(select(*columns).where(_is(old, device), Membership.live)).one_or_none()
        if row:
            _follow(old, new, row)


def _follow(old: int, new: int, row: Any) -> None:
    if db.session.execute(_NUMBER, {"game": new, "device": row.device_id}).one_or_none() is None:
        _add(new, row.device_id, row.role, by_link=row.by_link)
    there = select(Seat.person_id).where(Seat.game_id == old, Seat.number == row.seat).scalar_subquery()
    seat = db.session.scalar(select(Seat.number).where(Seat.game_id == new, Seat.person_id == there))
    db.session.execute(update(Membership).where(_is(new, row.device_id)).values(seat=seat))


def take_seat(game_id: int, device: int, seat: int | None) -> None:
    """A device says whose it is; one that is new in an open house becomes one of the game's."""
    with writing() as session:
        session.execute(select(Game.id).where(Game.id == game_id).with_for_update())
        remember(game_id, device)
        session.execute(update(Membership).where(_is(game_id, device)).values(seat=seat))


def name_device(device: int, name: str) -> None:
    """Give a device its name, or none: ""."""
    with writing() as session:
        session.execute(update(Device).where(Device.id == device).values(name=name))


def remove(game_id: int, number: int) -> None:
    """Take the role from a phone of a game, and make new the links that it knows: a keeper sees both, a watcher came by
    its own. The phones that are in stay in; the removed one's entries keep its number. Sent twice, it is removed once.
    """
    with writing() as session:
        session.execute(select(Game.id).where(Game.id == game_id).with_for_update())
        here = (Membership.game_id == game_id, Membership.number == number, Membership.live)
        role = session.execute(update(Membership).where(*here).values(live=False).returning(Membership.role)).scalar()
        if role is not None:
            _make_new(game_id, ROLES if role == "keeper" else (role,))


# --- pieces ---------------------------------------------------------------------------------------------------------


def _is(game_id: int, device: int | None) -> Any:
    return (Membership.game_id == game_id) & (Membership.device_id == device)


def _is_awake(short_at: datetime | None, changed_at: datetime) -> bool:
    """Whether the short codes still open the table (companion.phones.links says why they do not always)."""
    return datetime.now(UTC) - max(changed_at, short_at or changed_at) < links.SHORT_LIVES


def _invitation(columns: dict[str, Any], secret: str) -> Invitation | None:
    wanted = (Game.code, Game.keeper_code, Game.watch_code, Game.short_at, Game.changed_at, *columns.values())
    is_theirs = or_(*(column == secret for column in columns.values()))
    row = db.session.execute(select(*dict.fromkeys(wanted)).where(is_theirs).limit(1)).one_or_none()
    if row is None or (columns is _SHORTS and not _is_awake(row.short_at, row.changed_at)):
        return None
    role = next(role for role in ROLES if row._mapping[columns[role]] == secret)
    return Invitation(row.code, role, str(row._mapping[_LINKS[role]]))


def _make_new(game_id: int, roles: Iterable[str]) -> None:
    """New links and short codes for some roles. The other short code, where it sleeps, is made new as well: both wake
    together, and the old one is dead.
    """
    row = db.session.execute(select(Game.short_at, Game.changed_at).where(Game.id == game_id)).one()
    codes = {} if _is_awake(row.short_at, row.changed_at) else _new_shorts()
    for role in roles:
        codes |= {_LINKS[role].key: links.new_link(), _SHORTS[role].key: links.new_short()}
    codes["short_at"] = datetime.now(UTC)
    db.session.execute(update(Game).where(Game.id == game_id).values(**codes))


def _new_shorts() -> dict[str, Any]:
    return {column.key: links.new_short() for column in _SHORTS.values()} | {"short_at": datetime.now(UTC)}


def _add(game_id: int, device: int, role: str, *, by_link: bool) -> None:
    last = db.session.execute(select(func.max(Membership.number)).where(Membership.game_id == game_id)).scalar_one()
    values = {"game_id": game_id, "device_id": device, "role": role, "number": (last or 0) + 1, "by_link": by_link}
    db.session.execute(insert(Membership).values(**values))


def _let_in(game_id: int, device: int, role: str, seat: int | None) -> None:
    row = db.session.execute(select(Membership.role, Membership.live).where(_is(game_id, device))).one_or_none()
    if row is None:
        _add(game_id, device, role, by_link=True)
    elif not row.live or (row.role, role) == ("watch", "keeper"):
        db.session.execute(update(Membership).where(_is(game_id, device)).values(role=role, by_link=True, live=True))
    db.session.execute(update(Membership).where(_is(game_id, device)).values(seat=seat))


def _see(device: int) -> None:
    db.session.connection().execute(_SEEN, {"device": device, "seen_at": datetime.now(UTC)})
