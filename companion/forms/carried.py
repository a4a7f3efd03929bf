"""Points at the start, corrected: the form for everybody's, and what late joiners are given with another correction."""

import re
from collections.abc import Mapping

from flask_babel import lazy_gettext as _l
from werkzeug.datastructures import MultiDict

from companion.forms.fields import BySeat, Field, Form, wrong
from companion.forms.numbers import whole
from companion.referee.commands import CorrectCarried
from companion.referee.state import GameState

_OFFER = re.compile(r"[0-9]{1,3}=-?[0-9]{1,5}(,[0-9]{1,3}=-?[0-9]{1,5}){0,39}", re.ASCII)
#: The field with which a correction gives late joiners other points too.
JOINERS = "joiners"


class StartPoints(Field):
    """Points that a player came with; below 0 they can be only where the highest total wins (K3)."""

    def read(self, text: str) -> int:
        text = text.strip()
        minus = text[:1] in ("-", "−") and not self._form.state.rules.lowest_wins
        points = whole(text[1:] if minus else text, 5)
        if points is None:
            raise wrong("bad_number" if text else "blank_number")
        return -points if minus else points


class FirstHand(Field):
    """The hand of the list that a player began with."""

    def read(self, text: str) -> int:
        number, most = whole(text.strip(), 3), len(self._form.state.rules.contracts)
        if number is None or not 1 <= number <= most:
            raise wrong("hand_of_list", most=most)
        return number


class CarriedForm(Form):
    """What everybody came with, as it is, or as somebody typed it; ``first`` only where each is on an own hand of the list."""

    start = BySeat(StartPoints(_l("Points at the start")))
    first = BySeat(FirstHand(_l("Began with hand")))

    def __init__(self, state: GameState, sent: MultiDict[str, str] | None = None) -> None:
        self.state = state
        carried = {seat: state.carried.get(seat, 0) for seat in state.chairs}
        super().__init__(sent, start=carried, first={seat: state.begins_with(seat) for seat in state.chairs})
        for seat in state.chairs:
            self.start.of(seat)
            if state.rules.own_progress:
                self.first.of(seat)
        if sent is not None:
            self.validate()

    @property
    def changed(self) -> dict[int, int]:
        """Those that are other than they are written, as far as they could be read."""
        read = {seat: field.data for seat, field in self.start.by_seat.items() if isinstance(field.data, int)}
        return {seat: points for seat, points in read.items() if points != self.state.carried.get(seat, 0)}

    @property
    def begins(self) -> dict[int, int]:
        """The first hands that are other than they are written, as far as they could be read."""
        read = {seat: field.data for seat, field in self.first.by_seat.items() if isinstance(field.data, int)}
        return {seat: number for seat, number in read.items() if number != self.state.begins_with(seat)}

    def command(self) -> CorrectCarried | None:
        """What the form asks for; None where nothing is other than it is written."""
        return CorrectCarried(self.changed, self.begins) if self.changed or self.begins else None


def offer_value(points: Mapping[int, int]) -> str:
    """What the tick sends that gives late joiners these points.

    >>> offer_value({3: 90, 4: 130})
    '3=90,4=130'
    """
    return ",".join(f"{seat}={given}" for seat, given in points.items())


def accepted_offer(sent: MultiDict[str, str]) -> CorrectCarried | None:
    """The points that late joiners are given with a correction; None where nobody is, or nothing that was offered is sent."""
    text = sent.get(JOINERS, "")[:400]
    if not _OFFER.fullmatch(text):
        return None
    pairs = (pair.split("=") for pair in text.split(","))
    return CorrectCarried({int(seat): int(points) for seat, points in pairs})
