"""The tables. The record is ``Entry``; ``Game``'s summary, ``Seat`` and ``Score`` are read off it.

Only ``companion.record`` writes games, people and memberships; ``companion.phones`` makes a device known, counts wrong
codes.
"""

from datetime import datetime
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from companion.db import UTCDateTime, db

# Flask-SQLAlchemy names a table after its class: PersonChange is person_change.
if TYPE_CHECKING:
    from companion.db import Base as Model
else:
    Model = db.Model

CODE_LENGTH = 32  # of a game's code and its links
SHORT_LENGTH = 8  # of a code typed by hand
TOKEN_LENGTH = 64  # of a form's token, at most
UID_LENGTH = 40
SHEET_LENGTH = 20
LIST_LENGTH = 6000  # of a list of hands, as it is shared
CONTRACTS_LENGTH = 20_000  # of the contracts of a game, which may have come from elsewhere


#: Of a game that was not thrown away.
_HOLDS = sa.text("phase <> 'discarded'")


class House(Model):
    """People and games that belong together; on a home server there is exactly one."""

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(sa.String(160), default="")


class Person(Model):
    """Somebody who plays; ``key`` is the same for names that look the same.

    ``merged_into`` is the other name of the same person, which may be merged on in its turn; None for most.
    ``forgotten`` counts, in their house, those whose name was taken away for good; None for everybody else.
    """

    __table_args__ = (sa.UniqueConstraint("house_id", "key"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    house_id: Mapped[int] = mapped_column(sa.ForeignKey("house.id"))
    name: Mapped[str] = mapped_column(sa.String(160))
    key: Mapped[str] = mapped_column(sa.String(160))
    hidden: Mapped[bool] = mapped_column(default=False)
    merged_into: Mapped[int | None] = mapped_column(sa.ForeignKey("person.id"))
    forgotten: Mapped[int | None]


class PersonChange(Model):
    """What a table changed about its people, so that it can be taken back: ``kind`` is "renamed", "merged" (into
    ``other_id``), "hidden", "shown" or "forgotten".

    A renaming keeps the name before and after, and the key before; forgetting blanks them all. ``partial``: it changed
    the nights of some phones alone. Then the row of the person stays as it is, and a renaming is about a person made for
    it, out of ``other_id``.
    """

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(sa.ForeignKey("person.id"), index=True)
    other_id: Mapped[int | None] = mapped_column(sa.ForeignKey("person.id"), index=True)
    kind: Mapped[str] = mapped_column(sa.String(20))
    before: Mapped[str] = mapped_column(sa.String(160), default="")
    after: Mapped[str] = mapped_column(sa.String(160), default="")
    key: Mapped[str] = mapped_column(sa.String(160), default="")
    device_id: Mapped[int | None] = mapped_column(sa.ForeignKey("device.id"))
    at: Mapped[datetime] = mapped_column(UTCDateTime)
    undone_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    partial: Mapped[bool] = mapped_column(default=False, server_default=sa.false())


class ChangedSeat(Model):
    """A seat that a change of people is about, as it was before."""

    __table_args__ = (sa.ForeignKeyConstraint(["game_id", "number"], ["seat.game_id", "seat.number"]),)
    change_id: Mapped[int] = mapped_column(sa.ForeignKey("person_change.id"), primary_key=True)
    game_id: Mapped[int] = mapped_column(primary_key=True, index=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    person_id: Mapped[int] = mapped_column(sa.ForeignKey("person.id"))
    entered_as: Mapped[int | None]
    hidden: Mapped[bool]


class WithheldName(Model):
    """A name that was taken away by ``change_id`` and can still be given back, and what went with it.

    ``since`` is when the days until it is gone for good begin, ``seen_at`` when the clock was last looked at, and
    ``doubted`` says that the clock has jumped ahead once (``record.forgetting``).
    """

    person_id: Mapped[int] = mapped_column(sa.ForeignKey("person.id"), primary_key=True)
    change_id: Mapped[int] = mapped_column(sa.ForeignKey("person_change.id"), index=True)
    name: Mapped[str] = mapped_column(sa.String(160))
    key: Mapped[str] = mapped_column(sa.String(160))
    hidden: Mapped[bool]
    since: Mapped[datetime] = mapped_column(UTCDateTime)
    seen_at: Mapped[datetime] = mapped_column(UTCDateTime)
    doubted: Mapped[bool] = mapped_column(default=False)


class Device(Model):
    """A browser, known by the hash of the token in its cookie. ``kind`` is guessed ("iphone", "android" …)."""

    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(sa.String(64), unique=True)
    kind: Mapped[str] = mapped_column(sa.String(20))
    name: Mapped[str] = mapped_column(sa.String(160), default="")
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    seen_at: Mapped[datetime] = mapped_column(UTCDateTime)


class Game(Model):
    """One night. ``code`` names it in addresses; ``phase`` and ``hand`` are read off the record for the home list,
    ``sheet`` is the rule sheet it started with.

    The other codes are links that somebody handed out, None while there is none or once it was withdrawn.
    ``contracts`` are the hands of a list of the table's own, as text; "" where they are those of the sheet.
    ``uid`` is the same night on every server that it was carried to; it opens nothing. ``after_id`` is the game whose
    people it was started for once more: each has one such game that was not thrown away.
    """

    __table_args__ = (
        sa.Index("ix_game_house_id_uid", "house_id", "uid", unique=True),
        sa.Index("ix_game_after_id", "after_id", unique=True, sqlite_where=_HOLDS, postgresql_where=_HOLDS),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    house_id: Mapped[int] = mapped_column(sa.ForeignKey("house.id"), index=True)
    code: Mapped[str] = mapped_column(sa.String(CODE_LENGTH), unique=True)
    token: Mapped[str] = mapped_column(sa.String(TOKEN_LENGTH), unique=True)
    digest: Mapped[str] = mapped_column(sa.String(64))
    created_at: Mapped[datetime] = mapped_column(UTCDateTime)
    changed_at: Mapped[datetime] = mapped_column(UTCDateTime)
    revision: Mapped[int]
    phase: Mapped[str] = mapped_column(sa.String(20))
    hand: Mapped[int | None]
    keeper_code: Mapped[str | None] = mapped_column(sa.String(CODE_LENGTH), unique=True)
    watch_code: Mapped[str | None] = mapped_column(sa.String(CODE_LENGTH), unique=True)
    keeper_short: Mapped[str | None] = mapped_column(sa.String(SHORT_LENGTH), unique=True, index=True)
    watch_short: Mapped[str | None] = mapped_column(sa.String(SHORT_LENGTH), unique=True, index=True)
    short_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    recap_code: Mapped[str | None] = mapped_column(sa.String(CODE_LENGTH), unique=True, index=True)
    sheet: Mapped[str] = mapped_column(sa.String(SHEET_LENGTH), default="", server_default="")
    contracts: Mapped[str] = mapped_column(sa.String(CONTRACTS_LENGTH), default="", server_default="")
    uid: Mapped[str | None] = mapped_column(sa.String(UID_LENGTH))
    after_id: Mapped[int | None]


class OwnList(Model):
    """A list of hands that a house made: ``hands`` as ``referee.own_lists`` writes them, on the rules of ``sheet``.

    ``first_hands``: only so many of them are played, None: all. ``revision`` counts how often it was saved. Without a
    ``house_id`` it is only its device's, which was in no group yet. ``removed_at``: it can be taken back.
    """

    id: Mapped[int] = mapped_column(primary_key=True)
    house_id: Mapped[int | None] = mapped_column(sa.ForeignKey("house.id"), index=True)
    device_id: Mapped[int | None] = mapped_column(sa.ForeignKey("device.id"), index=True)
    code: Mapped[str] = mapped_column(sa.String(CODE_LENGTH), unique=True)
    token: Mapped[str] = mapped_column(sa.String(TOKEN_LENGTH), unique=True)
    name: Mapped[str] = mapped_column(sa.String(160))
    sheet: Mapped[str] = mapped_column(sa.String(SHEET_LENGTH))
    hands: Mapped[str] = mapped_column(sa.String(LIST_LENGTH))
    first_hands: Mapped[int | None]
    own_progress: Mapped[bool] = mapped_column(default=False)
    revision: Mapped[int] = mapped_column(default=1)
    changed_at: Mapped[datetime] = mapped_column(UTCDateTime)
    used_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    removed_at: Mapped[datetime | None] = mapped_column(UTCDateTime)


class Membership(Model):
    """What a device may do in a game; ``number`` counts the game's devices from 1, and stays the device's.

    ``by_link``: it came by a link, and loses its role when that is renewed: then, or when it is removed, it is no
    longer ``live``. ``seat`` is the player whose phone it says it is.
    """

    __table_args__ = (sa.CheckConstraint("role IN ('keeper', 'watch')", name="role"),)
    game_id: Mapped[int] = mapped_column(sa.ForeignKey("game.id"), primary_key=True)
    device_id: Mapped[int] = mapped_column(sa.ForeignKey("device.id"), primary_key=True, index=True)
    role: Mapped[str] = mapped_column(sa.String(10))
    number: Mapped[int]
    seat: Mapped[int | None]
    by_link: Mapped[bool] = mapped_column(default=False, server_default=sa.false())
    live: Mapped[bool] = mapped_column(default=True, server_default=sa.true())


class Guess(Model):
    """How many wrong codes came from somewhere (a hash: who it is cannot be read off) since a moment."""

    bucket: Mapped[str] = mapped_column(sa.String(64), primary_key=True)
    since: Mapped[datetime] = mapped_column(UTCDateTime, index=True)
    tries: Mapped[int]


class Seat(Model):
    """Who sits where in the record's numbering; the rest is read off the record.

    ``seated`` is False once a late joiner's arrival was undone, ``place`` None for who left the table. ``entered_as``
    is the person whose name was typed, where merging gave the seat to another; None: the same. ``hidden``: whoever
    keeps this night does not want the person offered; the night shows the name all the same.
    """

    __table_args__ = (sa.UniqueConstraint("game_id", "person_id"),)
    game_id: Mapped[int] = mapped_column(sa.ForeignKey("game.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    person_id: Mapped[int] = mapped_column(sa.ForeignKey("person.id"), index=True)
    seated: Mapped[bool] = mapped_column(default=True)
    carried: Mapped[int] = mapped_column(default=0)
    total: Mapped[int] = mapped_column(default=0)
    place: Mapped[int | None]
    entered_as: Mapped[int | None]
    hidden: Mapped[bool] = mapped_column(default=False, server_default=sa.false())


class Entry(Model):
    """One entry of a game's record. Never changed, never deleted: triggers of the first migration refuse it.

    ``token`` and ``digest`` (of the command) make a resend land once; entries that came from elsewhere have none.
    """

    __table_args__ = (sa.UniqueConstraint("game_id", "token"),)
    game_id: Mapped[int] = mapped_column(sa.ForeignKey("game.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(sa.String(40))
    data: Mapped[dict[str, Any]] = mapped_column(sa.JSON)
    token: Mapped[str | None] = mapped_column(sa.String(TOKEN_LENGTH))
    digest: Mapped[str | None] = mapped_column(sa.String(64))
    device_id: Mapped[int | None] = mapped_column(sa.ForeignKey("device.id"))
    at: Mapped[datetime] = mapped_column(UTCDateTime)


class Score(Model):
    """Points of a seat in a finished hand, and the buys it used; no row for who was not dealt in."""

    __table_args__ = (sa.ForeignKeyConstraint(["game_id", "seat"], ["seat.game_id", "seat.number"]),)
    game_id: Mapped[int] = mapped_column(primary_key=True)
    hand: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    points: Mapped[int]
    out: Mapped[bool] = mapped_column(default=False)
    floated: Mapped[bool] = mapped_column(default=False)
    buys: Mapped[int] = mapped_column(default=0, server_default="0")
