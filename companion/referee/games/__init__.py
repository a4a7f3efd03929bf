"""The games as data: a file each with its rule sheets and its ``Game``. A further contract rummy is a further file."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from types import MappingProxyType

from companion.referee.games import classic_seven, grebber, gripe, peru, phases, southern, ten_deals
from companion.referee.games.classic_seven import CONTRACT, LIVERPOOL
from companion.referee.games.game import Game
from companion.referee.games.grebber import GREBBER
from companion.referee.games.gripe import EHOW, KATE
from companion.referee.games.peru import PERU
from companion.referee.reasons import Problem
from companion.referee.rules import Rules

__all__ = ["CONTRACT", "EHOW", "GAMES", "GREBBER", "KATE", "LIVERPOOL", "PERU", "SHEETS", "Game", "cited", "game_of"]

_families = (module.GAMES for module in (classic_seven, ten_deals, southern, phases))
_games = {game.key: game for game in (gripe.GAME, peru.GAME, grebber.GAME, *chain.from_iterable(_families))}
_sheets = {rules.sheet: rules for game in _games.values() for rules in game.sheets}

#: The game of each sheet that has another name.
_KEYS = {rules.sheet: game.key for game in _games.values() for rules in game.sheets if rules.sheet != game.key}
#: Every game by its key, Gripe first.
GAMES: Mapping[str, Game] = MappingProxyType(_games)
#: Every rule sheet by its name.
SHEETS: Mapping[str, Rules] = MappingProxyType(_sheets)


def cited(problems: tuple[Problem, ...], rules: Rules) -> tuple[Problem, ...]:
    """The problems with the numbers of the rules as the game's own rulebook has them; asked twice it changes nothing."""
    if not problems or (game := game_of(rules)).prefix == "G":
        return problems
    numbers = (game.cited(problem.rule, problem.firmness) for problem in problems)
    return tuple(
        replace(problem, rule=rule, firmness=firmness)
        for problem, (rule, firmness) in zip(problems, numbers, strict=True)
    )


def game_of(rules: Rules) -> Game:
    """The game that is played by these rules; a stored sheet that no game has any more is a cousin with its own name.

    >>> game_of(KATE).key, game_of(PERU).key, game_of(KATE.replace(sheet="canasta")).key
    ('gripe', 'peru', 'canasta')
    """
    game = GAMES.get(_KEYS.get(rules.sheet, rules.sheet))
    if game is not None and game.has_target is (rules.target is not None):
        return game
    cousin = grebber.GAME if rules.target is not None else gripe.GAME
    name = rules.sheet.replace("_", " ").capitalize()
    return replace(cousin, key=rules.sheet, sheets=(rules,), boardgame=name, is_offered=False)
