"""What the page of the players sends: one command a button, and the form of a late joiner."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from companion.forms.numbers import whole
from companion.forms.starting import LETTERS_KEPT, name_error
from companion.names import NameProblem, name_problems
from companion.referee import commands
from companion.referee.commands import Command
from companion.wording import form_error, isolate

SEATS_READ = 40  # a table has eight; more is a form that is none of ours

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
    verb, _dash, which = sent.get("do", "")[:LETTERS_KEPT].partition("-")
    hand, number = whole(sent.get("hand", ""), 3), whole(which, 3)
    if verb in ("up", "down", "save"):
        return _move(verb, number, [whole(seat, 3) for seat in sent.getlist("order")[:SEATS_READ]])
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
    if verb != "save" and row is not None:
        other = row - 1 if verb == "up" else row + 1
        if 0 <= other < len(seats):
            seats[row], seats[other] = seats[other], seats[row]
    return commands.MoveSeats(tuple(seats))


@dataclass(slots=True)
class JoinForm:
    """A late joiner: the name as typed, the chair (clockwise from 0; None: last), and what is wrong with each."""

    name: str = ""
    place: int | None = None
    name_error: str = ""
    place_error: str = ""

    @property
    def complete(self) -> bool:
        """Nothing is wrong with it."""
        return not (self.name_error or self.place_error)

    def take(self, problems: Sequence[NameProblem], names: Mapping[int, str], away: Collection[int]) -> None:
        """A sentence at the name; ``names`` by seat are those it may not look like, ``away`` who only comes back."""
        for problem in problems:
            other = problem.facts.get("other")
            if isinstance(other, int) and other in names:
                taken = names[other]
                self.name_error = came_back(taken) if other in away else form_error("same_name", name=taken)
            else:
                self.name_error = name_error(problem)


def joiner(sent: MultiDict[str, str], chairs: int) -> JoinForm:
    """The form as it was sent to a table of so many chairs."""
    form = JoinForm(sent.get("name", "")[:LETTERS_KEPT])
    form.take(name_problems([form.name]), {}, ())
    if place := sent.get("place", ""):
        form.place = whole(place, 3)
        if form.place is None or form.place > chairs:
            form.place, form.place_error = None, form_error("unknown_choice")
    return form


def came_back(name: str) -> str:
    """The sentence for a name that left and is typed anew."""
    return _("%(name)s was here and left. Use “is back” below.", name=isolate(name))
