"""Every switch a table may turn, as data: its rule, its values, how firm the rule is (RULES).

Forms and the rules page list them from here; the words for them are elsewhere.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from companion.referee.games import game_of
from companion.referee.reasons import Firmness
from companion.referee.rules import BadRules, Rules


@dataclass(frozen=True, slots=True)
class Switch:
    """One switch: ``values`` in the order of the rulebook, the default first; ``families`` are the games whose tables may turn it."""

    name: str
    rule: str
    values: tuple[object, ...]
    firmness: Firmness = Firmness.SILENT
    families: tuple[str, ...] = ("gripe", "peru", "contract")

    @property
    def is_silent(self) -> bool:
        """Whether no text says what its values decide."""
        return self.firmness is Firmness.SILENT

    def is_turned(self, rules: Rules) -> bool:
        """Whether these rules have another value than the game's usual sheet."""
        return bool(getattr(rules, self.name) != getattr(game_of(rules).sheets[0], self.name))


_GRIPE = ("gripe", "contract")
_FAMILY = ("contract",)
_PERU = ("peru",)
_GREBBER = ("grebber",)
_ON, _OFF = (True, False), (False, True)
_ALLOWED = ("allowed", "forbidden")

_ALL = (
    Switch("decks", "G1.2", (2, 3, 4)),
    Switch("jokers", "P1", (2, 3), Firmness.TEXT, _PERU),
    Switch("ace", "G2.1", ("either", "high", "low", "both_ends", "corner", "corner_endless"), Firmness.TEXT, _FAMILY),
    Switch("min_naturals", "G3.3", (1, 0, 2), families=_GRIPE),
    Switch("max_wilds", "G3.4", (None, 1, 2, 3, 4), families=_GRIPE),
    Switch("naturals_outnumber", "G3.4", _OFF, families=_GRIPE),
    Switch("wild_limit_scope", "G3.4", ("always", "going_down"), families=_GRIPE),
    Switch("wild_share", "G3.4", ("any", "half", "third"), families=_FAMILY),
    Switch("max_wilds_by_size", "G3.4", ((), ((4, 1), (5, 2), (13, 3))), families=_FAMILY),
    Switch("max_wilds_laid", "G3.4", (None, 1, 2, 3, 4), families=_FAMILY),
    Switch("set_naturals", "G3.3", (None, 2), families=_FAMILY),
    Switch("adjacent_wilds", "G3.5", _ALLOWED, families=_GRIPE),
    Switch("wilds_apart", "G3.5", (0, 1, 2, 3), families=_FAMILY),
    Switch("set_suits", "G3.1", ("any", "different", "different_when_going_down"), families=_FAMILY),
    Switch("lay_down_size", "G4.3", ("minimum", "exact"), families=_GRIPE),
    Switch("extra_melds", "G4.4", _OFF, families=_GRIPE),
    Switch("same_rank_sets", "G4.5", _ALLOWED),
    Switch("same_suit_runs", "G4.5", _ALLOWED),
    Switch("draw_discards_down", "G5.1", _ON, families=_FAMILY),
    Switch("stock_cards", "G5.3", (1, 2, 3), Firmness.TEXT, _FAMILY),
    Switch("buys_per_game", "G5.3", (None, 5, 7), Firmness.TEXT, _FAMILY),
    Switch("buy_veto", "G5.5", ("none", "turn_player", "all_before"), families=_FAMILY),
    Switch("buy_window", "G5.5", ("until_next_draws", "whole_turn"), families=_FAMILY),
    Switch("buy_priority", "G5.5", ("closest", "first_call"), families=_GRIPE),
    Switch("buy_own_discard", "G5.5", _OFF),
    Switch("buy_when_down", "G5.6", _ON),
    Switch("discard_ban", "G6.1a", _ON, Firmness.KATE, _GRIPE),
    Switch("own_melds_count", "G6.4", _ON, families=_GRIPE),
    Switch("dead_hand", "G6.6", ("discard_any", "discard_lowest"), families=_GRIPE),
    Switch("bad_discard", "G6.7", ("take_back", "take_back_plus_two"), families=_GRIPE),
    Switch("wild_discards", "P7", _ON, Firmness.TEXT),
    Switch("lay_off_own", "G7.1", _ON, Firmness.HOWTO),
    Switch("lay_off_same_turn", "G7.1", _ON),
    Switch("must_discard_to_go_out", "G7.4", _ON, Firmness.HOWTO, _GRIPE),
    Switch("stock_out", "G7.5", ("reshuffle", "end_hand")),
    Switch("wild_swap", "G8.4", ("runs", "off"), Firmness.KATE, _GRIPE),
    Switch("freed_wild", "G8.5", ("end", "hand"), Firmness.KATE, _GRIPE),
    Switch("swap_by", "G8.1", ("down_earlier", "down", "down_or_going_down", "not_down"), families=_FAMILY),
    Switch("out_in_one_turn", "G9.1", (0, -10, -25, -50), families=_FAMILY),
    Switch("exact_cut", "G9.1", (0, -20, -50), families=_FAMILY),
    Switch("ties", "G9.3", ("shared", "most_deals_won", "lowest_score"), families=_FAMILY),
    Switch("late_joiner", "G9.4", ("highest", "average", "zero")),
    Switch("direction", "F2", ("clockwise", "anticlockwise"), Firmness.TEXT, _FAMILY),
    Switch("start", "F2", ("normal", "starter_one_card_more", "first_player_two_turns"), Firmness.TEXT, _FAMILY),
    Switch("whole_turn", "F2", _OFF, Firmness.TEXT, _FAMILY),
    Switch("not_just_taken", "F2", _OFF, Firmness.TEXT, _FAMILY),
    Switch("announce_one_card", "F2", _OFF, Firmness.TEXT, _FAMILY),
    Switch("progress", "F2", ("common", "own"), Firmness.TEXT, _FAMILY),
    Switch("four_of_a_rank", "K3", _ON, families=_GREBBER),
    Switch("gambling", "K6", _OFF, Firmness.TEXT, _GREBBER),
    Switch("ante", "K6", (1, 2, 5), families=_GREBBER),
    Switch("purse", "K6", (20, 10, 50, 100), families=_GREBBER),
    Switch("wild_price", "K6", ("pot", "owner"), families=_GREBBER),
    Switch("request_gives", "K7", ("one", "all"), families=_GREBBER),
    Switch("greb_draws", "K9", ("until_meld", "one"), Firmness.TEXT, families=_GREBBER),
)  # fmt: skip

#: Every switch by name, in the order of the rulebook.
SWITCHES: Mapping[str, Switch] = MappingProxyType({switch.name: switch for switch in _ALL})


def rests_on(verdict: Callable[[Rules], object], rules: Rules, *, every: bool = False) -> tuple[str, ...]:
    """The silent switches one of whose other values would change the verdict, in the rulebook's order.

    With ``every`` also those where the table plays something else than what is written. ``verdict`` is asked again under
    each; whether it refuses is what is compared, so it may return its Problems.

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.readings import readings
    >>> from companion.referee.games import KATE
    >>> rests_on(lambda rules: readings(parse_cards("7S 2H 2D"), rules), KATE)
    ('min_naturals', 'max_wilds', 'naturals_outnumber')
    """
    now = bool(verdict(rules))
    family = game_of(rules).family
    chosen = (s for s in SWITCHES.values() if family in s.families and (s.is_silent or (every and s.is_turned(rules))))
    return tuple(s.name for s in chosen if any(bool(verdict(other)) != now for other in _varied(rules, s)))


def _varied(rules: Rules, switch: Switch) -> Iterator[Rules]:
    """The rules with each other value of the switch that they can have."""
    for value in switch.values:
        if value != getattr(rules, switch.name):
            try:
                yield rules.replace(**{switch.name: value})
            except BadRules:  # contradicts another switch: no table plays that
                continue
