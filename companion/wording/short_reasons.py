"""Every reason in a few words without facts: for a label beside a card, for a phone that is offline."""

from __future__ import annotations

from flask_babel import gettext as _

from companion.referee.reasons import Reason
from companion.wording.grebber import SHORT
from companion.wording.text import N_

_SHORT = {
    **SHORT,
    Reason.TOO_MANY_COPIES: N_("More copies than the decks hold"),
    Reason.UNKNOWN_SUIT: N_("The suit is missing"),
    Reason.NOT_A_SET: N_("Not a set"),
    Reason.NOT_A_RUN: N_("Not a run"),
    Reason.RUN_OUT_OF_RANGE: N_("Runs past the end"),
    Reason.TOO_SHORT: N_("Too short"),
    Reason.TOO_LONG: N_("Too long"),
    Reason.NO_NATURAL: N_("Too few natural cards"),
    Reason.TOO_MANY_WILDS: N_("Too many wilds"),
    Reason.WILDS_NOT_OUTNUMBERED: N_("Not more naturals than wilds"),
    Reason.WILDS_ADJACENT: N_("Wilds side by side"),
    Reason.MISSING_MELD: N_("A meld is missing"),
    Reason.EXTRA_MELD: N_("A meld too many"),
    Reason.SAME_RANK_SETS: N_("Two sets of one rank"),
    Reason.SAME_SUIT_RUNS: N_("Two runs of one suit"),
    Reason.ALREADY_DOWN: N_("Down already"),
    Reason.NOT_DOWN: N_("Not down yet"),
    Reason.DOES_NOT_PLAY: N_("Does not play there"),
    Reason.NOTHING_TO_REPLACE: N_("No wild to replace"),
    Reason.NO_FREE_END: N_("No free end for the wild"),
    Reason.SWAP_OFF: N_("Wilds are not replaced"),
    Reason.LAY_OFF_OWN_OFF: N_("Not on your own melds"),
    Reason.AMBIGUOUS: N_("Several ways to read it"),
    Reason.NO_SUCH_MELD: N_("No such meld"),
    Reason.DISCARD_EXTENDS: N_("Extends a run"),
    Reason.DISCARD_JOINS_SET: N_("Joins a set"),
    Reason.DISCARD_REPLACES: N_("Replaces a wild"),
    Reason.DISCARD_WILD: N_("Wilds are never discarded"),
    Reason.CARD_FROM_NOWHERE: N_("A card from nowhere"),
    Reason.CARD_LEFT_OVER: N_("A card is left over"),
    Reason.NATURAL_TAKEN: N_("A natural card was taken"),
    Reason.WILD_TAKEN: N_("A wild was taken"),
    Reason.MELD_BROKEN: N_("A meld was broken up"),
    Reason.WILD_WAITING: N_("A freed wild lies nowhere"),
    Reason.NO_STEPS: N_("Not card by card"),
    Reason.NOTHING_REARRANGED: N_("Nothing would change"),
    Reason.REARRANGING_OFF: N_("Not in this game"),
    Reason.NO_BUYS_LEFT: N_("No buys left"),
    Reason.NO_BUY_TO_RETURN: N_("No buy to give back"),
    Reason.BUY_ALREADY_NOTED: N_("Noted already"),
    Reason.BUYER_FLOATS: N_("Floats: no buying"),
    Reason.BUYER_DOWN: N_("Down: no buying"),
    Reason.BUYS_OWN_DISCARD: N_("Own discard"),
    Reason.MISSING_POINTS: N_("Points are missing"),
    Reason.NOT_MULTIPLE_OF_FIVE: N_("Not a multiple of 5"),
    Reason.NEGATIVE_POINTS: N_("Below 0"),
    Reason.POINTS_ABOVE_PACK: N_("More points than the cards have"),
    Reason.POINTS_UNLIKELY: N_("Unlikely many points"),
    Reason.ZERO_NOT_OUT: N_("0 without going out"),
    Reason.OUT_WITH_POINTS: N_("Out, but with points"),
    Reason.FLOATER_WITH_POINTS: N_("Floats, but with points"),
    Reason.OTHER_HAND: N_("Another hand"),
    Reason.HAND_NOT_SCORED: N_("Not scored yet"),
    Reason.TOO_FEW_PLAYERS: N_("Too few players"),
    Reason.TOO_MANY_PLAYERS: N_("Too many players"),
    Reason.NO_SUCH_SEAT: N_("No such player"),
    Reason.SEAT_AWAY: N_("Not playing this hand"),
    Reason.SEATS_DIFFER: N_("Not the same players"),
    Reason.ALREADY_FLOATING: N_("Floats already"),
    Reason.SEAT_HERE: N_("At the table already"),
    Reason.NOT_FLOATING: N_("Does not float"),
    Reason.FLOATING_OFF: N_("No floating here"),
    Reason.NOT_STARTED: N_("Not started yet"),
    Reason.ALREADY_STARTED: N_("Started already"),
    Reason.NO_SUCH_HAND: N_("No such hand"),
    Reason.GAME_OVER: N_("The game is over"),
    Reason.GAME_NOT_OVER: N_("The game is not over"),
    Reason.UNKNOWN_SWITCH: N_("No such rule"),
    Reason.BAD_SWITCH_VALUE: N_("No such value"),
    Reason.NOTHING_TO_UNDO: N_("Nothing to undo"),
    Reason.NOTHING_TO_REDO: N_("Nothing to redo"),
}


def short_reason(reason: Reason) -> str:
    """The reason in two to six words."""
    return _(_SHORT[reason])
