"""What is typed to join a table, and what a phone says of itself."""

from collections.abc import Iterable
from typing import Any

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from werkzeug.datastructures import MultiDict

from companion.forms.fields import Choice, Field, Form, Name, wrong
from companion.names import clean_name
from companion.phones import links


class Code(Field):
    """A short code; a text that can be none is no try, and is told what a code looks like."""

    def read(self, text: str) -> str:
        short = links.read_short(text)
        if short is None:
            raise wrong("code_shape")
        return short


class CodeForm(Form):
    """A short code as typed."""

    code = Code(
        _l("Code"),
        render_kw={
            "class": "code-field", "maxlength": "80", "autocapitalize": "characters", "autocorrect": "off",
            "enterkeyhint": "go", "placeholder": "····\u2009\u2009····", "required": True,
        },
    )  # fmt: skip


class PhoneName(Name):
    """The name of a phone, which may be left out."""

    def read(self, text: str) -> str:
        name = clean_name(text)
        return super().read(name) if name else ""


class SeatForm(Form):
    """Whose phone it is: one of ``players`` (seat and name), or nobody's (None)."""

    seat = Choice(_l("Whose phone is this?"), default="", of_people=True)

    def __init__(
        self, players: Iterable[tuple[int, str]], sent: MultiDict[str, str] | None = None, **values: Any
    ) -> None:
        super().__init__(sent, **values)
        self.seat.options = (*players, ("", _("Everybody's")))

    @property
    def chosen(self) -> int | None:
        """The seat, of a form without errors."""
        return None if self.seat.data == "" else self.seat.data


class PhoneForm(SeatForm):
    """Whose phone it is, and its name."""

    name = PhoneName(
        _l("Name of this phone"),
        hint=_l("Shown in the history beside what was entered on it; may stay empty."),
    )
