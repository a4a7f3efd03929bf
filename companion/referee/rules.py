"""Rules: one frozen, self-validating record of everything a table may play differently."""

import dataclasses
import math
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Annotated, Literal

from companion.referee.cards import RED, Card, Rank
from companion.referee.deals import Deal, Pack
from companion.referee.slots import Contract, Kind, Slot
from companion.referee.typed import CHECKS, Limit, between, field_types

__all__ = ["MOST_TARGET", "BadRules", "Contract", "Kind", "Rules", "Slot", "economy"]

#: The highest total a table can play to (K5): a form has room for it, and a night does not.
MOST_TARGET = 99_999


class BadRules(ValueError):
    """A value no table can play with; ``switch`` names it."""

    def __init__(self, switch: str, value: object) -> None:
        super().__init__(f"{switch}={value!r}")
        self.switch, self.value = switch, value


def _are_wild_ranks(ranks: tuple[Rank, ...]) -> bool:
    return Rank.JOKER not in ranks and len(set(ranks)) == len(ranks)


def _are_points(points: tuple[tuple[Rank, int], ...]) -> bool:
    """Every rank but the joker must have its value, none two; none at all where a deck of its own is played."""
    ranks = [rank for rank, _ in points]
    return not ranks or (set(Rank) - {Rank.JOKER} <= set(ranks) and len(set(ranks)) == len(ranks))


_Points = tuple[tuple[Rank, Annotated[int, between(0, 1000)]], ...]
_Most99 = Annotated[int, between(0, 99)]
_Players = Annotated[int, between(1, 99)]


@dataclass(frozen=True, slots=True)
class Rules:
    """How one table plays. Field order groups them by rule; the first value in each comment is the default."""

    sheet: Annotated[str, lambda name: 0 < len(name) <= 60]
    contracts: tuple[Contract, ...]
    # equipment
    decks: Annotated[int, between(1, 9)] = 2  # G1.1
    jokers: Annotated[int, between(0, 9)] = 0  # per deck, P1
    hand_size: Annotated[int, between(1, 30)] = 11  # G1.3
    # ranks
    wild_ranks: Annotated[tuple[Rank, ...], _are_wild_ranks] = (Rank.TWO,)  # G2.2
    natural_twos: bool = False  # P2: a 2 may also stand for itself
    ace: Literal["high", "low", "either", "both_ends", "corner", "corner_endless"] = "high"  # G2.1, P3
    points: Annotated[_Points, _are_points] = ()  # G2.3, every rank once
    # melds
    min_naturals: Annotated[int, between(0, 13)] = 1  # G3.3
    max_wilds: _Most99 | None = None  # G3.4
    naturals_outnumber: bool = False  # G3.4
    wild_limit_scope: Literal["always", "going_down"] = "always"  # G3.4
    adjacent_wilds: Literal["allowed", "forbidden", "nowhere"] = "allowed"  # G3.5
    # going down
    lay_down_size: Literal["minimum", "exact"] = "minimum"  # G4.3
    extra_melds: bool = False  # G4.4
    same_rank_sets: Literal["allowed", "forbidden"] = "allowed"  # G4.5
    same_suit_runs: Literal["allowed", "forbidden", "not_touching", "gap1", "gap2", "gap3"] = "allowed"  # G4.5
    # buying
    buys: tuple[_Most99 | None, ...] = ()  # G5.3; None: no limit, per hand of the contracts
    buy_priority: Literal["closest", "first_call"] = "closest"  # G5.5
    buy_own_discard: bool = False  # G5.5
    buy_when_down: bool = True  # G5.6
    buys_per_game: _Most99 | None = None  # P8: a limit for the whole game instead of one for each hand
    stock_cards: Annotated[int, between(0, 9)] = 1  # G5.3, P8: taken from the stock with a bought discard
    next_player_pays: bool = False  # P8: even the next player has the discard only by a buy
    buy_unit: Literal["buy", "chip"] = "buy"  # P8: what a buy is called
    # discarding
    discard_ban: bool = True  # G6.1a
    own_melds_count: bool = True  # G6.4
    dead_hand: Literal["discard_any", "discard_lowest"] = "discard_any"  # G6.6
    bad_discard: Literal["take_back", "take_back_plus_two"] = "take_back"  # G6.7
    wild_discards: bool = True  # P7
    # laying off and going out
    lay_off_own: bool = True  # G7.1
    lay_off_same_turn: bool = True  # G7.1
    must_discard_to_go_out: bool = True  # G7.4
    floating: bool = True  # G7.3; off in the game from Peru
    stock_out: Literal["reshuffle", "end_hand"] = "reshuffle"  # G7.5
    # replacing
    wild_swap: Literal["runs", "off", "all"] = "runs"  # G8.4, P6
    freed_wild: Literal["end", "hand", "table", "same_owner_run"] = "end"  # G8.5, P6
    # players and the end
    min_players: _Players = 3  # G1.2
    max_players: _Players = 8  # G1.2
    players_per_two_decks: _Players = 6  # G1.2: more than this need a third deck
    late_joiner: Literal["highest", "average", "zero"] = "highest"  # G9.4
    lowest_wins: bool = True  # G9.1
    # Grebber
    target: Annotated[int, between(1, MOST_TARGET)] | None = (
        None  # K5: the total that ends the game, which then has no contracts
    )
    four_of_a_rank: bool = True  # K3
    request_gives: Literal["one", "all"] = "one"  # K7
    greb_draws: Literal["until_meld", "one"] = "until_meld"  # K9
    gambling: bool = False  # K6
    ante: Annotated[int, between(1, 99)] = 1  # K6, in chips
    wild_price: Literal["pot", "owner"] = "pot"  # K6, who gets the price of another's wild
    purse: Annotated[int, between(0, 9999)] = 20  # K6, what everybody starts with
    # what other contract rummies play otherwise; the first value is Gripe's
    deals: tuple[Deal, ...] = ()  # by deal; none: all alike
    packs: tuple[Pack, ...] = ()  # by number of players, the fewest first; none: by ``players_per_two_decks``
    jokers_in_all: Annotated[int, between(0, 81)] | None = None  # instead of so many in each deck
    jokers_skip: bool = False  # a joker is no wild: it is thrown to make a player miss a turn
    wild_places: bool = False  # the place of a rank that is always wild stays in runs, and only a wild can fill it
    red_ace: Annotated[int, between(0, 1000)] | None = None  # points of a red ace where they differ
    wild_share: Literal["any", "half", "third"] = "any"  # the most wilds of a meld: half of it, a third of it
    max_wilds_by_size: tuple[tuple[int, int], ...] = ()  # the longest size, and the most wilds up to it
    max_wilds_laid: _Most99 | None = None  # the most wilds in a whole lay-down
    set_naturals: Annotated[int, between(0, 13)] | None = (
        None  # the fewest naturals of a set where a run asks for another number
    )
    wilds_apart: Annotated[int, between(0, 13)] = 0  # other cards between two wilds of a run, always
    set_suits: Literal["any", "different", "different_when_going_down"] = "any"
    further_kinds: Literal["any", "deal"] = "any"  # which kinds a meld beyond the contract may be
    further_when: Literal["same_turn", "later_turn"] = "same_turn"
    further_run: Annotated[int, between(3, 13)] = 3  # the least run of a meld beyond the contract
    all_at_once: bool = False
    last_card_stays: bool = False  # the last card may not be thrown: it must be laid
    ends_at_first_lay_down: bool = False
    whole_turn: bool = False  # going down takes the whole turn: no draw and no discard
    lay_off: bool = True  # whether anything may be laid off at all
    draw_discards_down: bool = True  # may who is down draw the discard in turn
    swap_by: Literal["down", "down_earlier", "down_or_going_down", "not_down"] = "down"
    buy_veto: Literal["none", "turn_player", "all_before"] = "none"
    buy_window: Literal["until_next_draws", "whole_turn"] = "until_next_draws"
    not_just_taken: bool = False  # the card just taken may not be thrown
    announce_one_card: bool = False
    after_out: Literal["at_once", "one_turn_each"] = "at_once"
    direction: Literal["clockwise", "anticlockwise"] = "clockwise"
    start: Literal["normal", "starter_one_card_more", "first_player_two_turns"] = "normal"
    exact_cut: Annotated[int, between(-1000, 0)] = 0  # points for lifting exactly the cards to be dealt
    exact_cut_chips: _Most99 = 0
    out_in_one_turn: Annotated[int, between(-1000, 0)] = 0  # points of who goes down and out in one turn
    progress: Literal["common", "own"] = "common"  # own: who did not go down keeps the contract
    ties: Literal["shared", "most_deals_won", "lowest_score"] = "shared"
    list_name: Annotated[str, lambda name: len(name) <= 160] = ""  # of a list of one's own in the place of the sheet's

    def __post_init__(self) -> None:
        """Refuse what no table can play with; raises BadRules for the first such switch, in field order."""
        self._check(_checks())

    def _check(self, names: Iterable[str]) -> None:
        """Refuse these switches by themselves, and all of them together."""
        for name in names:
            if not _checks()[name](getattr(self, name)):
                raise BadRules(name, getattr(self, name))
        if bool(self.contracts) is (self.target is not None):
            raise BadRules("contracts", ()) if self.target is None else BadRules("target", self.target)
        if self.contracts and not self.points:
            raise BadRules("points", self.points)
        if len(self.buys) != len(self.contracts):
            raise BadRules("buys", self.buys)
        if self.deals and len(self.deals) != len(self.contracts):
            raise BadRules("deals", self.deals)
        if self.min_players > self.max_players:
            raise BadRules("min_players", self.min_players)

    def replace(self, **changes: object) -> "Rules":
        """These rules with some switches changed; raises BadRules for a bad value, TypeError for an unknown switch."""
        if unknown := changes.keys() - _checks().keys():
            raise TypeError(f"no such switch: {', '.join(sorted(unknown))}")
        rules = copy(self)  # what is not changed was checked before
        for name, value in changes.items():
            object.__setattr__(rules, name, value)
        rules._check(name for name in _checks() if name in changes)
        return rules

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of meld that the contracts name, sets first; further melds of any kind are sets and runs.

        >>> from companion.referee.games import KATE
        >>> [kind.value for kind in KATE.kinds]
        ['set', 'run']
        """
        return _kinds(self.contracts, self.extra_melds and self.further_kinds == "any")

    def in_deal(self, number: int) -> "Rules":
        """The rules as one deal of the list plays them: its cards, its wilds, its last card (G1.3, G7.4).

        >>> from companion.referee.games import KATE
        >>> KATE.in_deal(3) is KATE
        True
        """
        return _in_deal(self, self.deals[number - 1]) if 1 <= number <= len(self.deals) else self

    @property
    def hands_in_all(self) -> int:
        """How many hands a night has; 0 where nobody knows: to a target, or each player on an own hand of the list.

        >>> from companion.referee.games import GREBBER, KATE, SHEETS
        >>> KATE.hands_in_all, SHEETS["ten_phases"].hands_in_all, GREBBER.hands_in_all
        (10, 0, 0)
        """
        return 0 if self.own_progress else len(self.contracts)

    @property
    def own_progress(self) -> bool:
        """Whether each player is on an own hand of the list: who did not go down plays the same contract again."""
        return self.progress == "own"

    def dealt(self, number: int) -> int:
        """The cards dealt to each in that deal (G1.3)."""
        return self.in_deal(number).hand_size

    @property
    def joker_count(self) -> int:
        """The jokers in all decks together (G1.1, P1)."""
        return self.decks * self.jokers if self.jokers_in_all is None else self.jokers_in_all

    @property
    def jokers_are_wild(self) -> bool:
        """Whether a joker stands for another card."""
        return not self.jokers_skip

    @property
    def can_float(self) -> bool:
        """Whether somebody floats who has no card left and made no discard (G7.3); without G7.4 that ends the hand."""
        return self.floating and self.must_discard_to_go_out

    def value(self, card: Card) -> int:
        """What a card costs in hand (G2.3, P2).

        >>> from companion.referee.cards import parse_card
        >>> from companion.referee.games import KATE, PERU
        >>> KATE.value(parse_card("2S")), PERU.value(parse_card("2S"))
        (20, 25)
        """
        if self.red_ace is not None and card.rank is Rank.ACE and card.suit in RED:
            return self.red_ace
        return _by_rank(self.points)[card.rank]

    @property
    def limits_whole_game(self) -> bool:
        """Whether buys are limited for the whole game, not for each hand (P8)."""
        return self.buys_per_game is not None

    def buy_limit(self, hand: int) -> int | None:
        """The buys a player may use in a hand (G5.3), or in the whole game (P8); None: no limit."""
        if self.buys_per_game is not None:
            return self.buys_per_game
        return self.buys[hand - 1] if 1 <= hand <= len(self.buys) else None

    @property
    def rank_values(self) -> Mapping[Rank, int]:
        """What a card of each rank that is played with costs in hand, in the order of the sheet (G2.3, P2)."""
        return {rank: value for rank, value in self.points if rank is not Rank.JOKER or self.joker_count}

    @property
    def counts_pips(self) -> bool:
        """Whether the cards from 2 to 9 count their number.

        >>> from companion.referee.games import KATE, LIVERPOOL
        >>> KATE.counts_pips, LIVERPOOL.counts_pips
        (False, True)
        """
        values = self.rank_values
        return bool(values) and all(values[Rank(number)] == number for number in range(2, 10))

    @property
    def card_values(self) -> tuple[int, ...]:
        """The different values of cards, the lowest first (G2.3).

        >>> from companion.referee.games import KATE, PERU
        >>> KATE.card_values, PERU.card_values
        ((5, 10, 15, 20), (5, 10, 15, 25))
        """
        red_ace = () if self.red_ace is None else (self.red_ace,)
        return tuple(sorted({*self.rank_values.values(), *red_ace}))

    @property
    def step(self) -> int:
        """The number that all points are multiples of (G9.2); 1 where cards have values of another deck."""
        return math.gcd(*self.card_values, self.out_in_one_turn, self.exact_cut) or 1

    @property
    def least_points(self) -> int:
        """The least that a hand can bring: below 0 where going out at once, or an exact cut, takes points off.

        >>> from companion.referee.games import KATE, LIVERPOOL
        >>> KATE.least_points, LIVERPOOL.least_points
        (0, -50)
        """
        return self.exact_cut + self.out_in_one_turn

    def differences(self, sheet: "Rules") -> Mapping[str, object]:
        """The switches whose value is not the sheet's, in field order, each with the value played here.

        >>> from companion.referee.games import KATE
        >>> KATE.replace(max_wilds=2, decks=3).differences(KATE)
        {'decks': 3, 'max_wilds': 2}
        """
        names = (field.name for field in dataclasses.fields(self) if field.name != "sheet")
        return {name: getattr(self, name) for name in names if getattr(self, name) != getattr(sheet, name)}


def economy(buys_per_game: int | None) -> dict[str, object]:
    """What a limit on the buys of a whole game says by itself of the rest of buying (P8).

    Records and the notation write the limit as ``chips``, and of the others only what differs from this; so it may
    never change.
    """
    has_chips = buys_per_game is not None
    return {
        "stock_cards": 2 if has_chips else 1,
        "next_player_pays": has_chips,
        "buy_unit": "chip" if has_chips else "buy",
    }


@lru_cache(maxsize=200)
def _kinds(contracts: tuple[Contract, ...], any_further: bool) -> tuple[Kind, ...]:
    named = {slot.kind for contract in contracts for slot in contract.slots}
    if any_further or Kind.ALL in named:
        named |= {Kind.SET, Kind.RUN}
    return tuple(kind for kind in Kind if kind in named - {Kind.ALL})


@lru_cache(maxsize=500)
def _in_deal(rules: Rules, deal: Deal) -> Rules:
    last_card = deal.last_card or ("must" if rules.must_discard_to_go_out else "may")
    changes: dict[str, object] = {
        "deals": (),
        "must_discard_to_go_out": last_card == "must",
        "last_card_stays": last_card == "must_not",
        "all_at_once": deal.all_at_once,
        "ends_at_first_lay_down": deal.ends_at_first_lay_down,
    }
    if deal.all_at_once:  # more cards are held than the contract asks for, and all of them must lie
        changes["lay_down_size"] = "minimum"
    if deal.hand_size is not None:
        changes["hand_size"] = deal.hand_size
    if deal.wild_ranks is not None:
        changes["wild_ranks"] = deal.wild_ranks
    return rules.replace(**changes)


@lru_cache(maxsize=32)
def _by_rank(points: tuple[tuple[Rank, int], ...]) -> Mapping[Rank, int]:
    return dict(points)


@cache
def _checks() -> dict[str, Limit]:
    """The check of every field, by its declared type."""
    return {name: CHECKS.of(hint) for name, hint in field_types(Rules).items()}
