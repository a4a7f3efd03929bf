"""What people at a table do, as the forms they send: chosen at random among what is legal on the table they see."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from random import Random

from sqlalchemy import select

from companion import record
from companion.db import db
from companion.models import Entry
from companion.record import GameView
from companion.referee.state import Phase


@dataclass(frozen=True)
class Tap:
    """A form on its way: where to, and what is in it, the token among it."""

    path: str
    fields: dict[str, str] = field(default_factory=dict)

    @property
    def token(self) -> str:
        """As the record keeps it."""
        button = self.fields.get("do") if self.path.endswith("/do") else None
        return hashlib.sha256((self.fields["token"] + (f"-{button}" if button else "")).encode()).hexdigest()


def tap(view: GameView, random: Random, csrf: str) -> Tap:
    """Something legal on this table: mostly buys, given back now and then; undo and redo; sometimes somebody goes
    down or floats, and sometimes a hand is over, the points at the start are corrected, or the game is thrown away.
    """
    slip = {"csrf_token": csrf, "token": record.new_token(), "seen": str(view.revision)}
    if view.state.phase is Phase.DISCARDED:  # its only way on is back
        return Tap(f"/g/{view.code}/end", slip | {"do": "undo", "entry": str(view.undo.seq if view.undo else 0)})
    chosen = random.choice(_taps(view) or ["undo"])
    if chosen == "discard":
        return Tap(f"/g/{view.code}/end", slip | {"do": "discard"})
    if chosen == "start":
        points = {f"start-{seat}": str(5 * random.randrange(10)) for seat in view.state.chairs}
        return Tap(f"/g/{view.code}/scores/start", slip | points)
    if chosen == "over":
        return Tap(f"/g/{view.code}/over", slip | _scores(view, random))
    if chosen.startswith("down"):
        seat = chosen.rpartition(".")[2]
        return Tap(f"/g/{view.code}/down?seat={seat}", slip | _melds(view, random))
    hand = {"hand": str(view.state.hand.number)} if view.state.hand else {}
    return Tap(f"/g/{view.code}/do", slip | hand | {"do": chosen})


def landed(code: str) -> dict[str, int]:
    """The tokens that landed in a game, with the number of their entry."""
    view = record.load(code)
    assert view is not None
    tokens = select(Entry.token, Entry.seq).where(Entry.game_id == view.id, Entry.token.is_not(None))
    return {row.token: row.seq for row in db.session.execute(tokens)}


def _taps(view: GameView) -> list[str]:
    actions = [f"undo.{view.undo.seq}"] if view.undo else []
    actions += [f"redo.{view.redo.seq}"] * 2 if view.redo else []
    state = view.state
    if state.phase is not Phase.PLAYING or state.hand is None:
        return actions
    for seat in state.dealt_in:
        if seat in state.hand.floating:  # who floats buys nothing
            actions.append(f"unfloat.{seat}")
            continue
        used, limit = state.buys_used(seat), state.buy_limit(seat)
        actions += [f"buy.{seat}.{used + 1}"] * 3 if limit is None or used < limit else []
        actions += [f"unbuy.{seat}.{used}"] * 2 if used else []
        actions.append(f"float.{seat}" if state.hand.is_down(seat) else f"down.{seat}")
    return [*actions, "over", "over", "start", "discard"]


def _melds(view: GameView, random: Random) -> dict[str, str]:
    """Hand 1 with its cards, the others without."""
    assert view.state.hand is not None
    if view.state.hand.number != 1:
        return {"blind": "1"}
    low, high = random.sample("3456789", 2)
    return {"m0-typed": f"{low}S {low}H {low}D", "m1-typed": f"{high}S 2C {high}H"}


def _scores(view: GameView, random: Random) -> dict[str, str]:
    hand = view.state.hand
    assert hand is not None
    out = random.choice(view.state.dealt_in)
    points = {f"points-{seat}": str(5 * random.randrange(1, 25)) for seat in view.state.dealt_in if seat != out}
    return {"hand": str(hand.number), "out": str(out), **points}
