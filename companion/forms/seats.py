"""What the page of the players sends: one command a button, and the form of a late joiner."""

from collections.abc import Callable, Collection, Mapping, Sequence

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from werkzeug.datastructures import MultiDict

from companion.forms.fields import KEPT, ROWS_KEPT, Choice, Form, Name, moved, name_error, wrong
from companion.forms.numbers import whole
from companion.names import NameProblem
from companion.referee import commands
from companion.referee.commands import Command
from companion.wording import form_error, isolate

#: Button -> the command about a seat, in the hand that the page showed.
_ABOUT_A_SEAT: Mapping[str, Callable[[int, int], Command]] = {
    "dealer": commands.SetDealer,
    "out": commands.SitOut,
    "in": commands.SitBackIn,
    "leave": lambda _hand, seat: commands.LeaveSeat(seat),
    "return": lambda _hand, seat: commands.ReturnToSeat(seat),
}


def command_of(sent: MultiDict[str, str]) -> Command | None:
    """What a button asks: ``do`` is "leave-3", "up-0", "save" or "anew"; None where it is none of the page's."""
    verb, _dash, which = sent.get("do", "")[:KEPT].partition("-")
    hand, number = whole(sent.get("hand", ""), 3), whole(which, 3)
    if verb in ("up", "down", "save"):
        return _move(verb, number, [whole(seat, 3) for seat in sent.getlist("order")[:ROWS_KEPT]])
    if verb == "anew" and hand is not None:
        return commands.DealAnew(hand)
    if verb in _ABOUT_A_SEAT and hand is not None and number is not None:
        return _ABOUT_A_SEAT[verb](hand, number)
    return None


def _move(verb: str, row: int | None, order: list[int | None]) -> commands.MoveSeats | None:
    """The order on the page, with one row changed for its neighbour."""
    seats = [seat for seat in order if seat is not None]
    if len(seats) < len(order) or (verb != "save" and (row is None or row >= len(seats))):
        return None
    return commands.MoveSeats(tuple(moved(seats, verb, row or 0)))


class Place(Choice):
    """The chair of a joiner, clockwise from 0; None is the last."""

    def read(self, text: str) -> int | None:
        place = whole(text, 3)
        if text and (place is None or place > len(self.options)):
            raise wrong("unknown_choice")
        return place


class JoinForm(Form):
    """A late joiner at a table where ``names`` sit, clockwise."""

    name = Name(_l("Name"), render_kw={"list": "known"})
    place = Place(_l("Sits"))

    def __init__(self, names: Sequence[str], sent: MultiDict[str, str] | None = None) -> None:
        super().__init__(sent)
        self.place.options = [(at, _("after %(name)s", name=isolate(name))) for at, name in enumerate(names, 1)]

    def refuse(self, problem: NameProblem, names: Mapping[int, str], away: Collection[int]) -> None:
        """A sentence at the name; ``names`` by seat are those it may not look like, ``away`` who only comes back."""
        other = problem.facts.get("other")
        if not isinstance(other, int) or other not in names:
            self.name.error = name_error(problem)
        elif other in away:
            name = isolate(names[other])
            self.name.error = _("%(name)s was here and left. Use “is back” below.", name=name)
        else:
            self.name.error = form_error("same_name", name=names[other])
