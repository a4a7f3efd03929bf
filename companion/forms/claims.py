"""Who discarded a card, and who wants it."""

from typing import Any

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from werkzeug.datastructures import MultiDict
from wtforms.validators import StopValidation

from companion.forms.fields import Field, Form, Several, wrong
from companion.forms.numbers import whole


class Player(Field):
    """One of the players dealt in."""

    def read(self, text: str) -> int:
        seat = whole(text, 3)
        if seat is None or seat not in self._form.seats:
            raise wrong("choose")
        return seat


class Callers(Several):
    """Those who want the card, at least one, in the order of the table."""

    def read(self, texts: Any) -> list[int]:
        calls = [seat for seat in self._form.seats if str(seat) in texts]
        if not calls:
            raise StopValidation(_("Mark at least one player who wants the card."))
        return calls


class ClaimForm(Form):
    """The question; nothing is wrong with one that nobody asked yet. ``first`` is who called first, if that counts."""

    discarder = Player(_l("Who discarded it?"), hint=_l("For the first card turned up, the dealer."))
    call = Callers(_l("Who wants it?"))
    first = Field(_l("Who called first?"))

    def __init__(self, seats: tuple[int, ...], sent: MultiDict[str, str]) -> None:
        self.seats = seats
        super().__init__(sent)
        if sent:
            self.validate()
