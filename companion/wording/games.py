"""Every game in words, under its key: its name, and the rules it is played by. A further game is a further line here."""

from dataclasses import dataclass

from flask_babel import gettext as _
from flask_babel import ngettext

from companion.referee.cards import Rank
from companion.referee.games import GAMES, SHEETS, game_of
from companion.referee.reasons import Firmness
from companion.referee.rules import Rules
from companion.wording.cards import rank_plural
from companion.wording.other_games import IN_PERU, NOT_IN_PERU, PERU
from companion.wording.rules_of_family import FAMILY
from companion.wording.rules_of_grebber import GREBBER
from companion.wording.rules_of_gripe import GRIPE
from companion.wording.rules_of_play import PLAY
from companion.wording.text import N_, Text, and_list, isolate

#: A rule: its number, its title, how firm it is, the switches it depends on, and its text for some rules.
Rule = tuple[str, str, Firmness, tuple[str, ...], Text]


@dataclass(frozen=True, slots=True)
class GameWords:
    """``name`` is also that of its rule sheet where there is one only; without a ``rulebook`` it is a cousin of Gripe."""

    name: str
    rulebook: tuple[Rule, ...] = (*FAMILY, *GRIPE, *PLAY)
    any_sheet: str = N_("%(game)s, by any rule sheet")


def _as_in_peru() -> tuple[Rule, ...]:
    """The rules of Gripe that hold in the game from Peru, with its own text where it has one."""
    own = {rule[0]: rule for rule in IN_PERU}
    return tuple(own.get(rule[0], rule) for rule in (*GRIPE, *PLAY) if rule[0] not in NOT_IN_PERU)


_GAMES = {
    "gripe": GameWords("Gripe", (*GRIPE, *PLAY), N_("Gripe, by any rule sheet")),
    "peru": GameWords(N_("The nine-deal game from Peru"), (*_as_in_peru(), *PERU)),
    "grebber": GameWords(N_("Grebber"), GREBBER),
    "contract": GameWords(N_("Contract rummy")),
    "liverpool": GameWords(N_("Liverpool rummy")),
    "zioncheck": GameWords(N_("Zioncheck, as houses play it")),
    "progressive": GameWords(N_("Progressive rummy")),
    "may_i": GameWords(N_("May I?")),
    "shanghai7": GameWords(N_("Shanghai rummy, seven deals")),
    "shanghai": GameWords(N_("Shanghai rummy, ten deals")),
    "hawaiian": GameWords(N_("Hawaiian rummy"), any_sheet=N_("Hawaiian rummy, ten or seven deals")),
    "carioca": GameWords(N_("Carioca")),
    "loba": GameWords(N_("Loba of Central America, as houses play it")),
    "continental": GameWords(N_("Continental")),
    "telefunken": GameWords(N_("Telefunken")),
    "kalooki": GameWords(N_("Kalooki, from Jamaica")),
    "frustration": GameWords(N_("Frustration")),
    "ten_phases": GameWords(N_("Ten phases")),
    "three_thirteen": GameWords(N_("Three thirteen")),
}

#: The sheets of games that have several.
_SHEETS = {
    "kate": N_("Kate's rules"),
    "ehow": N_("The how-to version"),
    "hawaiian": N_("Hawaiian rummy, ten deals"),
    "hawaiian7": N_("Hawaiian rummy, seven deals"),
}

#: How many names a new game takes, by the fewest and the most.
_NAMES = {(2, 3): N_("Two or three names."), (2, 8): N_("Two to eight names."), (3, 8): N_("Three to eight names.")}


def words_of(key: str) -> GameWords:
    """The words for a game; one that has none here is called as it is elsewhere."""
    return _GAMES.get(key) or GameWords(GAMES[key].boardgame if key in GAMES else sheet_name(key))


def game_name(rules: Rules) -> str:
    """The game's name at the head of a recap or a score sheet, with that of a list of one's own."""
    name = _(words_of(game_of(rules).key).name)
    return f"{name} · {isolate(rules.list_name)}" if rules.list_name else name


def rules_name(rules: Rules) -> str:
    """The rule sheet of a game, with the list of one's own that it is played with."""
    name = sheet_name(rules.sheet)
    return f"{name} · {isolate(rules.list_name)}" if rules.list_name else name


def sheet_name(sheet: str) -> str:
    """The name of a rule sheet; a sheet without words here keeps its own."""
    if sheet in _SHEETS:
        return _(_SHEETS[sheet])
    return game_name(SHEETS[sheet]) if sheet in SHEETS else sheet.replace("_", " ").capitalize()


def all_of_game(key: str) -> str:
    """All rule sheets of one game that ask for the same hands."""
    words = words_of(key)
    return _(words.any_sheet, game=_(words.name))


def game_line(rules: Rules) -> str:
    """A game in one line: ``10 hands · 2s and jokers wild · 3 to 8 players``."""
    if game_of(rules).count == "kruth":
        first = _("its own deck of 24 cards")
    else:
        hands = ngettext("%(num)s hand", "%(num)s hands", len(rules.contracts))
        first = _("%(hands)s · %(wilds)s", hands=hands, wilds=wild_words(rules))
    players = _("%(least)s to %(most)s players", least=rules.min_players, most=rules.max_players)
    return _("%(game)s · %(players)s", game=first, players=players)


def wild_words(rules: Rules) -> str:
    """``wild: twos and jokers``."""
    if any(deal.wild_ranks for deal in rules.deals):
        return _("another rank wild in every hand")
    jokers = [Rank.JOKER] if rules.joker_count and rules.jokers_are_wild else []
    ranks = and_list([rank_plural(rank) for rank in (*rules.wild_ranks, *jokers)])
    return _("wild: %(ranks)s", ranks=ranks) if ranks else _("nothing wild")


def names_hint(rules: Rules) -> str:
    """How many names a new game takes."""
    least, most = rules.min_players, rules.max_players
    if (least, most) in _NAMES:
        return _(_NAMES[least, most])
    return _("From %(least)s to %(most)s names.", least=least, most=most)
