"""How far a change of people reaches: into the nights that a phone keeps, or into all of them for whoever runs the server."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, func, not_, select, true

from companion.db import db
from companion.models import Seat
from companion.record import lists


@dataclass(frozen=True, slots=True)
class Reach:
    """Who changes people: a device, in the nights that it keeps; in all where the house is open, or for the ``owner``,
    who runs the server.
    """

    device: int | None
    owner: bool = False

    def keeps(self, game_id: Any) -> ColumnElement[bool]:
        """The condition on a column of games that this one may change who sat there."""
        return true() if self.owner else lists.keeps(self.device, game_id)

    def some(self, people: Collection[int]) -> frozenset[int]:
        """Those of some people who sat at a night within reach."""
        query = select(Seat.person_id).where(Seat.person_id.in_(people), Seat.seated, self.keeps(Seat.game_id))
        return frozenset(db.session.execute(query).scalars())

    def beyond(self, person: int) -> int:
        """How many nights of a person are out of reach, those where their arrival was undone too."""
        query = select(func.count(Seat.game_id)).where(Seat.person_id == person, not_(self.keeps(Seat.game_id)))
        return int(db.session.execute(query).scalar_one())
