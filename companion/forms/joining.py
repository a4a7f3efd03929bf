"""What is typed to join a table, and what a phone says of itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from companion.forms.starting import name_error
from companion.names import clean_name, name_problems
from companion.phones import links
from companion.wording import form_error

TYPED_LIMIT = 200  # characters kept of what was typed


@dataclass(slots=True)
class CodeForm:
    """A short code as typed; ``short`` is what it says, or None with a sentence in ``error``."""

    typed: str = ""
    short: str | None = None
    error: str = ""


def read_code(sent: Mapping[str, str]) -> CodeForm:
    """The code; a text that can be none is no try, and is told what a code looks like."""
    typed = sent.get("code", "")
    short = links.read_short(typed)
    return CodeForm(typed[:TYPED_LIMIT], short, "" if short else form_error("code_shape"))


@dataclass(slots=True)
class PhoneForm:
    """Whose phone it is (``seat`` as sent, "" for nobody's), and its name; ``errors`` has a sentence by field."""

    seat: str = ""
    name: str = ""
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def chosen(self) -> int | None:
        """The seat as a number, None for nobody's; only of a form without errors."""
        return int(self.seat) if self.seat else None


def read_seat(sent: Mapping[str, str], seats: Collection[int]) -> PhoneForm:
    """Whose phone it is, one of ``seats`` or nobody's."""
    form = PhoneForm(sent.get("seat", "")[:TYPED_LIMIT])
    if form.seat not in ("", *map(str, seats)):
        form.errors["seat"] = form_error("unknown_choice")
    return form


def read_phone(sent: Mapping[str, str], seats: Collection[int]) -> PhoneForm:
    """Whose phone it is, and its name, which may be left out."""
    form = read_seat(sent, seats)
    form.name = sent.get("name", "")[:TYPED_LIMIT]
    named = clean_name(form.name)
    for problem in name_problems([form.name]) if named else ():
        form.errors["name"] = name_error(problem)
    if not form.errors:
        form.name = named
    return form
