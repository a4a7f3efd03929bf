"""The fields of one meld as a page shows them: what can be chosen, what was entered, what is wrong with it."""

from collections.abc import Iterable
from dataclasses import dataclass

from flask_babel import gettext as _

from companion import wording
from companion.forms.melds import MeldForm, reading_value
from companion.pages.cards import DrawnMeld, drawn
from companion.pages.verdicts import Why
from companion.referee.melds import Meld


@dataclass(frozen=True, slots=True)
class Reading:
    """One way in which typed cards lie: the value of its radio button, and the meld to draw."""

    value: str
    meld: DrawnMeld


@dataclass(frozen=True, slots=True)
class Entry:
    """The fields of one meld: what is asked for, what was entered, and what the referee has against it."""

    form: MeldForm
    title: str
    reasons: tuple[Why, ...] = ()

    @property
    def is_wrong(self) -> bool:
        """Whether somebody has to look at it again."""
        return bool(self.form.errors or self.reasons)

    @property
    def is_ring(self) -> bool:
        """Whether a run goes on past the ace (P3)."""
        return self.form.rules.ace == "corner"

    @property
    def readings(self) -> tuple[Reading, ...]:
        """What typed cards can be, where somebody has to choose."""
        return readings_of(self.form.readings)


def readings_of(melds: Iterable[Meld]) -> tuple[Reading, ...]:
    """Ways in which typed cards lie."""
    return tuple(Reading(reading_value(meld), drawn(meld)) for meld in melds)


def entry(form: MeldForm, reasons: tuple[Why, ...] = (), number: int | None = None) -> Entry:
    """A form as it is shown; ``number`` tells it from others like it."""
    title = wording.slot_words(form.slot) if form.slot else _("a further meld")
    title = title[:1].upper() + title[1:]
    return Entry(form, title if number is None else f"{number} · {title}", reasons)
