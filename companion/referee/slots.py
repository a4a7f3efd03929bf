"""What a hand asks for: its contract, and the slots that this is made of (G4.1)."""

import enum
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

from companion.referee.typed import between


class Kind(enum.Enum):
    """The kinds of meld: Gripe's two (G3.1, G3.2), a run of any suits, and so many cards of one suit.

    ALL is no meld: it stands in a contract that asks for every card in sets and runs.
    """

    SET = "set"
    RUN = "run"
    ANYRUN = "anyrun"
    COLOUR = "colour"
    ALL = "all"

    __hash__ = object.__hash__  # members are single; slots are looked up a lot


@dataclass(frozen=True, slots=True)
class Slot:
    """One meld a contract asks for: its kind and least number of cards."""

    kind: Kind
    size: Annotated[int, between(1, 30)]


@dataclass(frozen=True)  # no slots: what is worked out from it is kept with it
class Contract:
    """What one hand asks for, in the order the sheet lists it (G4.1)."""

    slots: Annotated[tuple[Slot, ...], bool]  # at least one

    @property
    def is_everything(self) -> bool:
        """Whether no melds are named, but every card has to lie in a set or run of three or more."""
        return any(slot.kind is Kind.ALL for slot in self.slots)

    @cached_property
    def cards_needed(self) -> int:
        """The fewest cards that fill it (G4.6)."""
        return sum(slot.size for slot in self.slots)

    @cached_property
    def runs_first(self) -> tuple[int, ...]:
        """The places of its slots in the order a search fills them: runs before sets, the longest first (G4.1)."""
        hardest = sorted(enumerate(self.slots), key=lambda placed: (placed[1].kind is Kind.SET, -placed[1].size))
        return tuple(place for place, _ in hardest)
