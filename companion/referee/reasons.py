"""Why something is refused or doubtful: a code, its facts and the rule number. No sentence is here (law)."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any


class Firmness(enum.Enum):
    """How firm a rule is (RULES, head)."""

    KATE = "kate"  #: written in the primary text of Gripe
    HOWTO = "howto"  #: written in the derived how-to text only
    LOGIC = "logic"  #: follows from the primary text
    SILENT = "silent"  #: no text says; rests on a switch
    TEXT = "text"  #: written in the text of the game from Peru, or of Grebber


class Reason(enum.Enum):
    """Every reason the referee can give. One comment each; ``companion.wording`` has the sentences."""

    # entry errors
    TOO_MANY_COPIES = "too_many_copies"  # more copies of a card than the decks hold
    UNKNOWN_SUIT = "unknown_suit"  # a card without a suit where the suit matters
    # melds
    NOT_A_SET = "not_a_set"  # cards of different ranks
    NOT_A_RUN = "not_a_run"  # a card out of its place, or of another suit
    NOT_ONE_SUIT = "not_one_suit"  # a card of another suit
    RUN_OUT_OF_RANGE = "run_out_of_range"  # the run would pass the lowest or highest card
    TOO_SHORT = "too_short"  # fewer cards than the contract's slot asks
    TOO_LONG = "too_long"  # more cards than the slot asks where the size is exact
    NO_NATURAL = "no_natural"  # fewer naturals than min_naturals
    TOO_MANY_WILDS = "too_many_wilds"  # more wilds than max_wilds
    WILDS_NOT_OUTNUMBERED = "wilds_not_outnumbered"  # naturals do not outnumber the wilds
    TOO_LARGE_SHARE = "too_large_share"  # more wilds beside the naturals than wild_share allows
    WILDS_ADJACENT = "wilds_adjacent"  # two wilds of a run side by side, or nearer than wilds_apart
    TOO_MANY_WILDS_LAID = "too_many_wilds_laid"  # more wilds in the lay-down than max_wilds_laid
    SAME_SUIT_IN_SET = "same_suit_in_set"  # a suit twice in a set of different suits
    RUNS_TOO_NEAR = "runs_too_near"  # two runs of one suit that touch, or have too few ranks between
    NOT_ALL_DEALT = "not_all_dealt"  # another number of cards lies than was dealt, where all have to lie
    # contract
    MISSING_MELD = "missing_meld"  # a slot of the contract is not filled, or nothing was entered
    EXTRA_MELD = "extra_meld"  # a meld beyond the contract
    SAME_RANK_SETS = "same_rank_sets"  # two sets of one rank where forbidden
    SAME_SUIT_RUNS = "same_suit_runs"  # two runs of one suit where forbidden
    ALREADY_DOWN = "already_down"
    NOT_DOWN = "not_down"
    # laying off, replacing
    DOES_NOT_PLAY = "does_not_play"  # the card cannot be added to that meld
    NOTHING_TO_REPLACE = "nothing_to_replace"  # no wild there stands for the card
    NO_FREE_END = "no_free_end"  # the freed wild has nowhere to go
    SWAP_OFF = "swap_off"  # this table replaces no wilds
    LAY_OFF_OFF = "lay_off_off"  # nothing is laid off in this game
    SWAP_NOT_YOURS = "swap_not_yours"  # the player may not replace a wild: swap_by
    LAY_OFF_OWN_OFF = "lay_off_own_off"  # own melds may not be laid off on
    AMBIGUOUS = "ambiguous"  # several readings; facts carry them
    NO_SUCH_MELD = "no_such_meld"
    # rearranging (P6)
    CARD_FROM_NOWHERE = "card_from_nowhere"  # lies there afterwards, but was neither on the table nor in hand
    CARD_LEFT_OVER = "card_left_over"  # a freed wild or exchanged natural that is in no meld afterwards
    NATURAL_TAKEN = "natural_taken"  # a natural taken without exchange
    WILD_TAKEN = "wild_taken"  # a wild taken without the card it stands for
    MELD_BROKEN = "meld_broken"  # the meld is gone or became another
    WILD_WAITING = "wild_waiting"  # the hand is scored, and a freed wild lies in no meld
    NO_STEPS = "no_steps"  # no order of single legal steps makes this meld
    NOTHING_REARRANGED = "nothing_rearranged"  # every meld lies as before
    REARRANGING_OFF = "rearranging_off"  # this game rearranges nothing
    # discards
    DISCARD_EXTENDS = "discard_extends"
    DISCARD_JOINS_SET = "discard_joins_set"
    DISCARD_REPLACES = "discard_replaces"
    DISCARD_WILD = "discard_wild"  # a wild may never be discarded (P7)
    # buys
    NO_BUYS_LEFT = "no_buys_left"
    NO_BUY_TO_RETURN = "no_buy_to_return"
    BUY_ALREADY_NOTED = "buy_already_noted"  # another phone, or a second tap, noted this very buy
    BUYER_FLOATS = "buyer_floats"
    BUYER_DOWN = "buyer_down"
    DRAWER_DOWN = "drawer_down"
    BUYS_OWN_DISCARD = "buys_own_discard"
    # Grebber (K)
    OTHER_GAME = "other_game"  # the command belongs to a game of another kind
    KRUTH_TWICE = "kruth_twice"  # a card entered twice; every card of the deck exists once
    KRUTH_SHORT = "kruth_short"  # fewer than three cards
    KRUTH_MIXED = "kruth_mixed"  # neither one suit nor one rank
    KRUTH_GAP = "kruth_gap"  # a rank is missing in the run
    KRUTH_FOUR = "kruth_four"  # all four of a rank where the table lays three
    KRUTH_POINTS = "kruth_points"  # cards that do not count what was entered as their points
    KRUTH_LEFT_OVER = "kruth_left_over"  # laid cards that are in no run and no triplet
    KRUTH_SUM = "kruth_sum"  # more than the sixty points of the deck
    KRUTH_UNDRAWN = "kruth_undrawn"  # with the undrawn cards it is not sixty
    KRUTH_NOTHING_LAID = "kruth_nothing_laid"  # a number that no melds make
    KRUTH_WILD_ALONE = "kruth_wild_alone"  # a wild was used, but too little is laid for a meld to hold it
    REQUEST_BOTH = "request_both"  # a request names a suit and a rank
    REQUEST_NOTHING = "request_nothing"  # a request names neither
    GAMBLING_OFF = "gambling_off"  # this table plays without chips
    TOO_FEW_CHIPS = "too_few_chips"
    PURSE_FULL = "purse_full"  # as many chips as everybody began with
    ANTE_PAID = "ante_paid"  # the antes of this hand are in the pot
    CHIPS_NOTED = "chips_noted"  # this very payment is in the pot
    NO_WILD = "no_wild"  # no wild is turned up
    OWN_WILD = "own_wild"  # one's own wild costs nothing
    # hands and scores
    MISSING_POINTS = "missing_points"
    NOT_MULTIPLE_OF_FIVE = "not_multiple_of_five"
    NEGATIVE_POINTS = "negative_points"
    POINTS_ABOVE_PACK = "points_above_pack"
    POINTS_UNLIKELY = "points_unlikely"  # asked once
    ZERO_NOT_OUT = "zero_not_out"  # only who goes out or floats scores 0
    OUT_WITH_POINTS = "out_with_points"  # who goes out scores 0
    FLOATER_WITH_POINTS = "floater_with_points"  # who floats scores 0
    OTHER_HAND = "other_hand"  # the command was meant for a hand that is over
    HAND_NOT_SCORED = "hand_not_scored"  # that hand has no scores to correct
    # the game and its seats
    TOO_FEW_PLAYERS = "too_few_players"
    TOO_MANY_PLAYERS = "too_many_players"
    NO_SUCH_SEAT = "no_such_seat"
    SEAT_AWAY = "seat_away"  # the player left or sits this hand out
    SEATS_DIFFER = "seats_differ"  # the new order is not the same seats
    SEAT_HERE = "seat_here"  # the player is at the table already
    ALREADY_FLOATING = "already_floating"
    NOT_FLOATING = "not_floating"
    FLOATING_OFF = "floating_off"  # nobody floats at this table
    NOT_STARTED = "not_started"
    ALREADY_STARTED = "already_started"
    NO_SUCH_HAND = "no_such_hand"  # the list of contracts has no such hand
    GAME_OVER = "game_over"
    GAME_NOT_OVER = "game_not_over"
    UNKNOWN_SWITCH = "unknown_switch"
    BAD_SWITCH_VALUE = "bad_switch_value"
    NOTHING_TO_UNDO = "nothing_to_undo"
    NOTHING_TO_REDO = "nothing_to_redo"


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason against a command, a meld or a discard.

    ``facts`` holds only plain values (ints, strings, cards, melds, tuples of them); ``rule`` is the number in
    the rulebook such as ``G6.2``; ``switch`` names the switch the verdict rests on when the rule is silent.
    """

    reason: Reason
    rule: str
    facts: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    firmness: Firmness = Firmness.KATE
    switch: str | None = None

    def with_facts(self, **facts: object) -> "Problem":
        """The same problem with more facts, or other ones."""
        return replace(self, facts=MappingProxyType({**self.facts, **facts}))


def refuse(
    reason: Reason, rule: str, firmness: Firmness = Firmness.LOGIC, *, rests_on: str | None = None, **facts: object
) -> tuple[Problem, ...]:
    """One Problem with its facts written as keywords; ``rests_on`` names the switch it rests on."""
    return (Problem(reason, rule, MappingProxyType(facts), firmness, rests_on),)
