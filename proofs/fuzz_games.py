"""The world of the fuzz: two groups with a game each, who may do what in them, and what nobody else may know."""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass, field
from random import Random
from typing import Any

from flask import Flask, g
from flask.testing import FlaskClient
from sqlalchemy import delete, event, select, text

from companion import record
from companion.db import db, writing
from companion.exporting import document
from companion.models import Device, Game, Guess, Membership, OwnList, Person, Seat
from companion.phones import devices
from companion.record import exporting, finished, own_lists, phones
from companion.referee.commands import Buy, CloseGame, Command, DiscardGame, GoDown, ScoreHand, StartGame
from companion.referee.games import GREBBER, KATE, SHEETS, game_of
from companion.referee.notation import read_meld
from companion.referee.rules import Rules
from proofs.fuzz_requests import Request

GROUPS = ("Quux", "Zyxw")  # in the names of nobody else, and in no text of the app


@dataclass
class Actor:
    """Somebody with a phone: of a group or of none, and the role they have in its game."""

    role: str
    group: int | None
    client: FlaskClient
    device: int = 0
    csrf: str = ""

    def __str__(self) -> str:
        return self.role if self.group is None else f"the {self.role} of group {self.group}"


@dataclass
class Table:
    """A group's game."""

    id: int
    code: str
    names: tuple[str, ...]
    links: dict[str, tuple[str, str]] = field(default_factory=dict)
    people: list[int] = field(default_factory=list)
    recap: str = ""
    own_list: str = ""
    file: bytes = b""


_CODES = re.compile(r"[A-Za-z0-9_-]{16,32}")
#: Those that a game is made of beside Kate's, which come up as often as all of them.
OTHERS = [rules for rules in SHEETS.values() if game_of(rules).is_offered]


class World:
    """Games, people, and what is secret."""

    def __init__(self, app: Flask, random: Random) -> None:
        self.app, self.random = app, random
        self.tables: list[Table] = []
        self._notified: int | None = None
        roles = [(role, group) for group in range(len(GROUPS)) for role in ("keeper", "watch")] + [("stranger", None)]
        self.actors = [Actor(role, group, app.test_client()) for role, group in roles]
        self.keepers = [actor for actor in self.actors if actor.role == "keeper"]
        for actor in self.actors:
            actor.csrf = actor.client.get("/").text.split('name="csrf_token" value="')[1].split('"')[0]
            self._know(actor)

    def _know(self, actor: Actor) -> None:
        with self.app.test_request_context():
            actor.device = devices.ensure()
            actor.client.set_cookie(devices.COOKIE, devices._signer().dumps(g.device_token))

    # --- games ------------------------------------------------------------------------------------------------------

    def new_games(self) -> None:
        """A new game for each group: as it starts, in the middle of a hand, nearly over, closed, or thrown away."""
        self.tables = []
        for group, mark in enumerate(GROUPS):
            rules = self.random.choice([KATE, self.random.choice(OTHERS)])
            names = tuple(f"{mark}{number}" for number in range(min(4, rules.max_players)))
            keeper = self._actor("keeper", group)
            with self.app.test_request_context():
                command = StartGame(rules, tuple(range(len(names))), 0)
                code = record.start_game(command, names, token=record.new_token(), device=keeper.device).code
                view = record.load(code)
                assert view is not None
                self.tables.append(Table(view.id, code, names))
                for each in self._played(rules):
                    view = record.load(code)
                    assert view is not None
                    record.append(code, each, token=record.new_token(), seen=view.revision)
                if self.random.random() < 0.5:
                    finished.hand_out_recap(code)
                own = own_lists.Content(f"{mark} list", KATE.sheet, "2xset3 / set3 run4 buys2")
                self.tables[-1].own_list = own_lists.save(own, token=f"the list of {mark}", device=keeper.device)
                self.tables[-1].file = document.write(exporting.night(view.id, keeper.device))
                db.session.remove()
        self.put_roles_right()

    def _played(self, rules: Rules) -> list[Command]:
        first = ScoreHand(1, 0, {1: 45, 2: 10, 3: 20}, True)
        if rules is GREBBER:
            return self.random.choice([[], [], [DiscardGame()]])
        if rules is not KATE:
            return self.random.choice([[], [first], [first, CloseGame()], [first, DiscardGame()]])
        sets = tuple(read_meld(f"set {cards}") for cards in ("7S 7H 7D", "9S 9C 2H"))
        middle: list[Command] = [Buy(1, 1), Buy(1, 2), GoDown(1, 1, sets)]
        hands: list[Command] = [ScoreHand(n, 0, {1: 45, 2: 10, 3: 20}) for n in range(1, 10)]
        return self.random.choice(
            [[], middle, [*middle, first], hands, [*hands[:3], CloseGame()], [*middle, DiscardGame()]]
        )

    def put_roles_right(self) -> None:
        """A keeper may have thrown the others out, or a watcher started something: as it was; and an hour has passed."""
        with self.app.app_context():
            with writing() as session:
                session.execute(delete(Guess))
            for group, table in enumerate(self.tables):
                table.links = {link.role: (link.token, link.short) for link in phones.game_links(table.id)}
                table.people = list(db.session.execute(_people(table)).scalars())
                table.recap = finished.recap_code(table.code) or ""
                keeper, watch = self._actor("keeper", group), self._actor("watch", group)
                phones.enter(table.links["keeper"][0], keeper.device, None)
                phones.enter(table.links["watch"][0], watch.device, None)
                db.session.execute(_member(table, watch).values(role="watch"))
                db.session.commit()
            db.session.remove()

    def _actor(self, role: str, group: int) -> Actor:
        return next(actor for actor in self.actors if (actor.role, actor.group) == (role, group))

    def table_of(self, actor: Actor) -> Table | None:
        """The game of an actor's group."""
        return None if actor.group is None else self.tables[actor.group]

    def file(self, actor: Actor) -> bytes:
        """A file of nights to bring in: that of the group's own game, now and then as it went on elsewhere, or another's."""
        table, dice = self.table_of(actor), self.random.random()
        if table is None or dice < 0.3:
            nights = self.random.choice(self.tables).file
            for mark in GROUPS:
                nights = nights.replace(mark.encode(), b"Wvut")
            file = json.loads(nights)
            file["houses"][0]["games"][0]["uid"] = f"{self.random.getrandbits(64):x}"
            return json.dumps(file).encode()
        file = json.loads(table.file)
        entries = file["houses"][0]["games"][0]["entries"]
        if dice < 0.8:
            entries.append({**entries[-1], "kind": "game_closed", "data": {"v": 1}})
        return json.dumps(file).encode()

    def revision(self, actor: Actor) -> int:
        """Where the game of an actor's group is."""
        with self.app.app_context():
            game = (self.table_of(actor) or self.tables[0]).id
            at = db.session.execute(select(Game.revision).where(Game.id == game)).scalar_one()
            db.session.remove()
            return int(at)

    # --- what must not change ---------------------------------------------------------------------------------------

    def database_version(self) -> Any:
        """Something that differs once anything at all has been written."""
        with self.app.app_context():
            if db.engine.dialect.name == "sqlite":
                # A connection of its own sees by this number whether any other has written.
                if not hasattr(self, "_watching"):
                    self._watching = db.engine.raw_connection()
                return self._watching.cursor().execute("PRAGMA data_version").fetchone()
            if self._notified is None:
                self._notified = 0
                event.listen(db.engine, "before_cursor_execute", self._count_notify)
            last = db.session.execute(text("SELECT pg_snapshot_xmax(pg_current_snapshot())::text")).scalar_one()
            db.session.remove()
            return int(last) - self._notified

    def _count_notify(self, *told: Any) -> None:
        """NOTIFY tells other workers that somebody is typing (a hint in memory): a transaction, yet nothing is written."""
        self._notified = (self._notified or 0) + told[2].count("pg_notify(")

    def fingerprints(self, actor: Actor) -> list[Any]:
        """Everything about the games that an actor may not change."""
        with self.app.app_context():
            states = [
                self._fingerprint(table, actor, actor.group == group)
                for group, table in enumerate(self.tables)
                if not (actor.group == group and actor.role == "keeper")
            ]
            db.session.remove()
            return states

    def _fingerprint(self, table: Table, actor: Actor, is_own: bool) -> Any:
        game = db.session.execute(select(*Game.__table__.columns).where(Game.id == table.id)).all()
        seats = db.session.execute(
            select(*Seat.__table__.columns).where(Seat.game_id == table.id).order_by(Seat.number)
        ).all()
        people = db.session.execute(select(*Person.__table__.columns).where(Person.id.in_(_people(table)))).all()
        others = (Membership.game_id == table.id, Membership.device_id != actor.device)
        columns = (*(c for c in Membership.__table__.columns), Device.name)
        joined = (
            select(*columns).join(Device, Device.id == Membership.device_id).where(*others).order_by(Membership.number)
        )
        role = record.role(table.id, actor.device)
        # Whom a keeper has removed may come back by the link to watch: no more than that.
        own = select(*OwnList.__table__.columns).where(OwnList.code == table.own_list)
        kept = () if is_own else db.session.execute(own).all()  # everybody of the house may change its lists
        return (
            game,
            seats,
            sorted(people),
            kept,
            db.session.execute(joined).all(),
            role == "keeper" if is_own else role,
        )

    # --- what must not be told --------------------------------------------------------------------------------------

    def leaked(self, actor: Actor, answer: str, request: Request) -> list[str]:
        """What an answer tells an actor that they may not know, and did not say themselves."""
        said = html.unescape(request.said)
        answered = html.unescape(answer)
        return [secret for secret in self._secrets(actor) if secret in answered and secret not in said]

    def all_secrets(self, page: str) -> list[str]:
        """What only one of the groups knows, and the codes and links of every game that a page names: of next games too."""
        named = set(_CODES.findall(page)) | {table.code for table in self.tables}
        codes = (Game.code, Game.recap_code, Game.keeper_code, Game.watch_code, Game.keeper_short, Game.watch_short)
        with self.app.app_context():
            games = db.session.execute(select(*codes).where(Game.code.in_(named))).all()
            db.session.remove()
        return [*GROUPS, *(table.own_list for table in self.tables), *(code for row in games for code in row if code)]

    def _secrets(self, actor: Actor) -> list[str]:
        secrets: list[str] = []
        for group, table in enumerate(self.tables):
            keeper, watch = (table.links[role] for role in ("keeper", "watch"))
            if actor.group != group:
                secrets += [GROUPS[group], table.code, table.recap, table.own_list, *keeper, *watch]
            elif actor.role == "watch":
                secrets += keeper
        return [secret for secret in secrets if secret]


def _people(table: Table) -> Any:
    return select(Seat.person_id).where(Seat.game_id == table.id)


def _member(table: Table, actor: Actor) -> Any:
    from sqlalchemy import update

    return update(Membership).where(Membership.game_id == table.id, Membership.device_id == actor.device)
