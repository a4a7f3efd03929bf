"""A problem's facts, read in words."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from flask_babel import gettext as _

from companion.referee.kruth import KruthCard
from companion.referee.melds import Meld
from companion.referee.reasons import Problem, Reason
from companion.referee.rules import Kind, Slot
from companion.wording.cards import card_short, cards_short, meld_phrase, slot_words, stands_for, wild_word
from companion.wording.kruth import kruth_list
from companion.wording.text import isolate, or_list


class MissingFact(LookupError):
    """A problem came without a fact its sentence needs: a defect of whoever made the problem."""

    def __init__(self, reason: Reason, fact: str) -> None:
        super().__init__(f"{reason.name} lacks {fact}")
        self.reason, self.fact = reason, fact


class Facts:
    """The facts of one problem; asking for one that is not there raises MissingFact."""

    def __init__(self, problem: Problem, names: Mapping[int, str]) -> None:
        self._problem, self._names = problem, names

    def __getitem__(self, fact: str) -> Any:
        try:
            return self._problem.facts[fact]
        except KeyError:
            raise MissingFact(self._problem.reason, fact) from None

    @property
    def rule(self) -> str:
        """The number of the rule that refuses."""
        return self._problem.rule

    def has(self, fact: str) -> bool:
        """Whether the fact is there and not None."""
        return self._problem.facts.get(fact) is not None

    def say(self, text: str, **words: object) -> str:
        """The text in the reader's language: what it names is one of ``words``, or a fact, in words where it has some."""
        names = {name for name in re.findall(r"%\((\w+)\)s", text) if name not in words}
        return _(text, **words, **{name: _IN_WORDS[name](self) if name in _IN_WORDS else self[name] for name in names})

    def card(self) -> str:
        """``card`` as it is printed."""
        return card_short(self["card"])

    def cards(self) -> str:
        """``cards`` as they are printed, or all cards of ``meld``."""
        cards = self["cards"] if self.has("cards") else self["meld"].cards
        of_kruth = any(isinstance(card, KruthCard) for card in cards)
        return kruth_list(cards) if of_kruth else cards_short(cards)

    def whole(self) -> str:
        """All cards of ``meld`` in their order."""
        return cards_short(self["meld"].cards)

    def name(self) -> str:
        """The name of ``seat``, or "this player" where the seat has none (nobody's game)."""
        return self.name_of(self["seat"])

    def name_of(self, seat: int) -> str:
        """As ``name``, of any seat."""
        return isolate(self._names[seat]) if seat in self._names else _("this player")

    def meld(self) -> str:
        """The meld with its owner where it has one: ``Ana's run 4♠–6♠``."""
        owner = self._problem.facts.get("owner")
        name = self._names.get(owner) if isinstance(owner, int) else None
        return meld_phrase(self["meld"], None if name is None else isolate(name))

    def slot(self) -> str:
        """``kind`` and ``size`` as what the contract asks: ``a run of four``."""
        kind = self["kind"] if self.has("kind") else self["meld"].kind
        return slot_words(Slot(Kind(kind), self["size"]))

    def replaced(self) -> str:
        """The wild that ``card`` would replace: ``2`` or ``joker``."""
        meld: Meld = self["meld"]
        return wild_word(meld.cards[self["position"]])

    def free_ends(self) -> str:
        """What the freed wild would stand for at each end it may go to (``wild_to``): ``3♠ or 7♠``; may be empty."""
        meld: Meld = self["meld"]
        places = {"low": -1, "high": len(meld.cards)}
        return or_list(card_short(stands_for(meld, places[end])) for end in self["wild_to"] if end in places)


#: What is said for a reason: a text that names its facts, or what makes one of them.
Sentence = str | Callable[[Facts], str]

#: The facts that a sentence does not say as they are, by the name that a text has for them.
_IN_WORDS: Mapping[str, Callable[[Facts], str]] = {
    "card": Facts.card,
    "cards": Facts.cards,
    "wrong": Facts.cards,
    "meld": Facts.meld,
    "name": Facts.name,
    "kind": Facts.slot,
    "missing": lambda facts: kruth_list(facts["missing"]),
}
