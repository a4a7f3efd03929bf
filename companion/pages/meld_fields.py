"""The fields of one meld as a page shows them: what can be chosen, what was entered, what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from flask_babel import gettext as _

from companion import wording
from companion.forms.melds import MOST_WILDS, MeldForm, reading_value, wild_field
from companion.pages.cards import DrawnMeld, drawn, face
from companion.pages.verdicts import Why
from companion.referee.cards import Card, Rank, Suit
from companion.referee.melds import Meld


@dataclass(frozen=True, slots=True)
class Choice:
    """One radio button: its value, what is printed on it, its words for a screen reader, the suit whose colour it has."""

    value: str
    printed: str
    words: str
    suit: str = ""


@dataclass(frozen=True, slots=True)
class Wilds:
    """One kind of wild: its field, its mark on a card, how many of a set are such, where in a run they lie."""

    field: str
    mark: str
    how_many: str
    where: str
    places: tuple[str, ...]


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
    def ranks(self) -> tuple[Choice, ...]:
        """What a set can be of, or where a run can start."""
        return tuple(Choice(rank.symbol, rank.symbol, wording.rank_name(rank)) for rank in self.form.ranks)

    @property
    def suits(self) -> tuple[Choice, ...]:
        """The four suits."""
        ace = [(suit, face(Card(Rank.ACE, suit))) for suit in Suit]
        return tuple(Choice(suit.value, drawn.printed[-1], wording.suit_name(suit), drawn.suit) for suit, drawn in ace)

    @property
    def counts(self) -> range:
        """How many wilds of a kind a set may have."""
        return range(min(max(self.form.sizes), MOST_WILDS) + 1)

    @property
    def wilds(self) -> tuple[Wilds, ...]:
        """The kinds of wild of this game."""
        return tuple(_wilds(kind, max(self.form.sizes, default=0)) for kind in self.form.wilds)

    @property
    def has_jokers(self) -> bool:
        """Whether jokers can be typed."""
        return self.form.rules.jokers > 0

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


def _wilds(kind: Card, size: int) -> Wilds:
    field, places = wild_field(kind), range(1, size + 1)
    if kind.rank is Rank.JOKER:
        lies = tuple(_("place %(n)s: a joker lies here", n=place) for place in places)
        return Wilds(field, "★", _("How many are jokers"), _("Tap where a joker lies"), lies)
    mark = kind.rank.symbol
    lies = tuple(_("place %(n)s: a %(wild)s lies here", n=place, wild=mark) for place in places)
    return Wilds(field, mark, _("How many are %(wild)ss", wild=mark), _("Tap where a %(wild)s lies", wild=mark), lies)
