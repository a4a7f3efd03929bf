"""What a game is: everything that depends on which game is played is asked of its ``Game``."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from companion.referee.reasons import Firmness
from companion.referee.rules import Rules

#: A rule's number in the rulebook, and how firm it is.
Cited = tuple[str, Firmness]

#: The rules that a game's own text may say under another number, as Gripe has them.
_GRIPES: Mapping[str, Cited] = MappingProxyType(
    {
        "contracts": ("G4.1", Firmness.LOGIC),
        "min_players": ("G1.2", Firmness.KATE),
        "max_players": ("G1.2", Firmness.KATE),
        "buys": ("G5.3", Firmness.KATE),
        "next_player_pays": ("G5.2", Firmness.KATE),
        "wild_discards": ("G6.5", Firmness.SILENT),
    }
)


@dataclass(frozen=True, slots=True)
class Game:
    """One game; what is not said here is as in Gripe, of which every contract rummy is a cousin.

    ``key`` is its name in records and exports; words for it are elsewhere, under this key.
    """

    key: str
    #: Its rule sheets, the usual one first.
    sheets: tuple[Rules, ...]
    #: What Board Game Stats calls it.
    boardgame: str
    #: Whose switches its tables may turn: "gripe", "peru" or "grebber".
    family: str = "gripe"
    #: The letter that the numbers of its own rules begin with.
    prefix: str = "G"
    #: Rules that its own text says: by what they are about, their number and firmness.
    own_rules: Mapping[str, Cited] = field(default_factory=lambda: MappingProxyType({}))
    #: The numbers that its own text has for rules of Gripe which are written there; what is silent keeps Gripe's number.
    numbers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    #: How a hand is scored: points left in hand, or counted with the Kruth deck.
    count: Literal["points", "kruth"] = "points"
    #: What may be asked of the referee: melds, going down and throwing; or requests and Grebs.
    asks: Literal["melds", "kruth"] = "melds"
    #: The cards of a deck that is its own and exists once; None: decks of 52.
    deck: int | None = None
    #: Whether a new game of it is offered.
    is_offered: bool = True

    @property
    def has_contracts(self) -> bool:
        """Whether it is a list of hands, each with its contract (G4.1)."""
        return bool(self.sheets[0].contracts)

    @property
    def has_target(self) -> bool:
        """Whether it ends when a total reaches a target (K5)."""
        return not self.has_contracts

    @property
    def parts(self) -> frozenset[str]:
        """What it is made of; a command that belongs to another part is none of this game."""
        return frozenset({"contracts" if self.has_contracts else "target", self.count})

    def rule(self, about: str) -> Cited:
        """The number and firmness of the rule about a switch, as this game's text has it.

        >>> from companion.referee.games import KATE, PERU, game_of
        >>> game_of(KATE).rule("buys")[0], game_of(PERU).rule("buys")[0]
        ('G5.3', 'P8')
        """
        return self.own_rules.get(about) or _GRIPES[about]

    def cited(self, rule: str, firmness: Firmness) -> Cited:
        """A rule of Gripe as this game's rulebook has it; no other game has a how-to version.

        >>> from companion.referee.games import KATE, PERU, game_of
        >>> [game_of(rules).cited("G7.1", Firmness.KATE)[0] for rules in (KATE, PERU)]
        ['G7.1', 'P4']
        """
        if self.prefix == "G" or not rule.startswith("G"):
            return rule, firmness
        if firmness in (Firmness.SILENT, Firmness.HOWTO):
            return rule, Firmness.SILENT
        return self.numbers.get(rule, rule), Firmness.TEXT if firmness is Firmness.KATE else firmness
