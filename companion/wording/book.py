"""The rules of a game as one table plays them, rule by rule, in our own words; every number a verdict names is here."""

from dataclasses import dataclass
from itertools import groupby

from flask_babel import gettext as _
from flask_babel import ngettext

from companion.referee.cards import Rank
from companion.referee.games import GAMES, SHEETS, game_of
from companion.referee.kruth import KruthRank
from companion.referee.reasons import Firmness
from companion.referee.rules import Rules
from companion.wording.cards import contract_words, rank_plural
from companion.wording.games import rules_name, sheet_name, words_of
from companion.wording.kruth import kruth_rank
from companion.wording.reasons import firmness_name
from companion.wording.switches import switch_choice
from companion.wording.table import contract_warnings, needed_words
from companion.wording.text import N_, and_list, text_for

#: The chapters in order, by the head of their numbers.
_CHAPTERS = {
    "G1": N_("Players, decks and the deal"),
    "G2": N_("The cards"),
    "G3": N_("Melds: sets and runs"),
    "G4": N_("The contract and going down"),
    "G5": N_("Drawing and buying"),
    "G6": N_("Discards that play"),
    "G7": N_("Laying off, going out, floating"),
    "G8": N_("Replacing a wild"),
    "G9": N_("Scoring"),
    "F": N_("A cousin of Gripe"),
}


@dataclass(frozen=True, slots=True)
class RuleText:
    """One rule. ``number`` is also the anchor on the rules page; ``choices`` are what the table chose, in words."""

    number: str
    title: str
    text: str
    firmness: Firmness
    switches: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()

    @property
    def firmness_words(self) -> str:
        """How firm the rule is, in words."""
        return firmness_name(self.firmness)

    @property
    def chapter(self) -> str:
        """The head of the number: ``G6`` of ``G6.2``, ``P`` of ``P6``."""
        return self.number.partition(".")[0] if "." in self.number else self.number[0]


@dataclass(frozen=True, slots=True)
class HandText:
    """One hand of the game: its contract in words, the fewest cards it takes, the buys allowed and the warnings."""

    number: int
    contract: str
    needed: int
    buys: int | None
    warnings: tuple[str, ...]

    @property
    def needed_words(self) -> str:
        """``12 cards needed``."""
        return needed_words(self.needed)

    dealt: int = 0  # 0: as many in every hand

    @property
    def buys_words(self) -> str:
        """``3 buys``."""
        return ngettext("%(num)s buy", "%(num)s buys", self.buys or 0)

    @property
    def dealt_words(self) -> str:
        """``7 dealt``; "" where as many are dealt in every hand."""
        return ngettext("%(num)s card dealt", "%(num)s cards dealt", self.dealt) if self.dealt else ""


@dataclass(frozen=True, slots=True)
class RulesPage:
    """Everything the rules page shows."""

    code: str
    sheet: str
    sheets: tuple[tuple[str, str], ...]  # those to choose from on the general page, by code and name
    hands: tuple[HandText, ...]
    values: tuple[tuple[str, str], ...]
    chapters: tuple[tuple[str, str, tuple[RuleText, ...]], ...]  # with anchor and heading


def rules_page(rules: Rules) -> RulesPage:
    """The page of the rules as a table with these rules plays them."""
    return RulesPage(
        code=rules.sheet,
        sheet=rules_name(rules),
        sheets=tuple((code, sheet_name(code)) for code in SHEETS),
        hands=hands(rules),
        values=card_values(rules),
        chapters=tuple(
            (code, chapter_title(code), tuple(rules_of_it))
            for code, rules_of_it in groupby(rulebook(rules), key=lambda rule: rule.chapter)
        ),
    )


def rulebook(rules: Rules) -> tuple[RuleText, ...]:
    """Every rule as this table plays it, in the order of its numbers."""
    return tuple(
        RuleText(
            number,
            _(title),
            text_for(text, rules),
            firmness,
            switches,
            tuple(switch_choice(name, getattr(rules, name)) for name in switches),
        )
        for number, title, firmness, switches, text in words_of(game_of(rules).key).rulebook
    )


def chapter_title(chapter: str) -> str:
    """The heading of a chapter such as ``G6``."""
    if chapter in _CHAPTERS:
        return _(_CHAPTERS[chapter])
    return next(_(words_of(key).name) for key, game in GAMES.items() if game.prefix == chapter)


def hands(rules: Rules) -> tuple[HandText, ...]:
    """The hands with their contracts and what to know before each (G4.1, G4.6, G5.3)."""
    return tuple(
        HandText(
            number,
            contract_words(contract),
            contract.cards_needed,
            None if rules.limits_whole_game else rules.buy_limit(number),
            contract_warnings(contract, rules.in_deal(number)),
            rules.dealt(number) if any(deal.hand_size for deal in rules.deals) else 0,
        )
        for number, contract in enumerate(rules.contracts, 1)
    )


def card_values(rules: Rules) -> tuple[tuple[str, str], ...]:
    """What cards left in hand count, cheapest first: ``threes, fours … and eights``, ``5 points`` (G2.3)."""
    if game_of(rules).count == "kruth":
        return tuple((kruth_rank(rank), ngettext("%(num)s point", "%(num)s points", rank.value)) for rank in KruthRank)
    by_points: dict[int, list[Rank]] = {}
    for rank, points in sorted(rules.rank_values.items(), key=lambda pair: (pair[1], pair[0])):
        by_points.setdefault(points, []).append(rank)
    said = [
        (and_list(map(rank_plural, ranks)), ngettext("%(num)s point", "%(num)s points", points))
        for points, ranks in by_points.items()
    ]
    if rules.red_ace is not None:
        said.append((_("red aces"), ngettext("%(num)s point", "%(num)s points", rules.red_ace)))
    return tuple(said)
