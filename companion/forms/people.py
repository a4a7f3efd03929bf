"""What the page of a person sends: another name, whom to merge them into, and what a button asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.forms.numbers import ENTRY, whole
from companion.forms.starting import LETTERS_KEPT, name_error
from companion.names import BadNames

__all__ = ["PersonForm", "read"]


@dataclass(slots=True)
class PersonForm:
    """A form as it was sent: what to do, the name typed, whom to merge into, the change to take back, and the last
    change that its page showed. ``errors`` are sentences by what was to be done.
    """

    do: str = ""
    name: str | None = None
    into: int = 0
    change: int = 0
    seen: int = 0
    errors: dict[str, str] = field(default_factory=dict)

    def take(self, bad: BadNames) -> None:
        """A sentence at the name."""
        self.errors["rename"] = name_error(bad.problems[0])


def read(sent: Mapping[str, str]) -> PersonForm:
    """The form as it was sent; numbers that are none are 0."""
    return PersonForm(
        do=sent.get("do", "")[:20],
        name=sent.get("name", "")[:LETTERS_KEPT],
        into=whole(sent.get("into", ""), ENTRY) or 0,
        change=whole(sent.get("change", ""), ENTRY) or 0,
        seen=whole(sent.get("seen", ""), ENTRY) or 0,
    )
