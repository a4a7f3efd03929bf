"""What a table may play differently, in words: every field of ``Rules`` that a table can change, and its values."""

from flask_babel import gettext as _
from flask_babel import ngettext

from companion.wording.switches_of_family import FAMILY_SWITCHES, FAMILY_VALUES
from companion.wording.text import N_

#: switch -> (label, one plain line of help)
_SWITCHES = {
    "decks": (N_("Decks"), N_("Seven or eight players need a third deck.")),
    "jokers": (N_("Jokers in each deck"), N_("How many jokers stay in each deck; Gripe is played without.")),
    "hand_size": (N_("Cards dealt to each"), N_("How many cards everybody gets in every hand.")),
    "natural_twos": (N_("A 2 may stand for itself"), N_("A 2 may also be an ordinary 2 in a set or a run.")),
    "ace": (N_("Place of the ace in runs"), N_("Where an ace may lie in a run.")),
    "min_naturals": (N_("Natural cards in a meld"), N_("The fewest cards of a meld that are not wild.")),
    "max_wilds": (N_("Most wilds in a meld"), N_("The most wild cards one meld may hold.")),
    "naturals_outnumber": (N_("More naturals than wilds"), N_("Every meld needs more natural cards than wild ones.")),
    "wild_limit_scope": (
        N_("When the limits on wilds hold"),
        N_("At all times, or only for the melds you go down with."),
    ),
    "adjacent_wilds": (N_("Wilds side by side in a run"), N_("May two wilds be neighbours in a run?")),
    "lay_down_size": (N_("Length of the melds you go down with"), N_("May a meld be longer than the contract asks?")),
    "extra_melds": (
        N_("Melds beyond the contract"),
        N_("Once the contract lies, further sets and runs of three or more."),
    ),
    "same_rank_sets": (N_("Two sets of one rank"), N_("May a contract hold two sets of the same rank?")),
    "same_suit_runs": (N_("Two runs of one suit"), N_("May a contract hold two runs of the same suit?")),
    "buy_priority": (N_("Several want the same card"), N_("Who buys when more than one player calls.")),
    "buy_own_discard": (N_("Buying your own discard"), N_("May you buy the card you have just discarded?")),
    "buy_when_down": (N_("Buying when you are down"), N_("May a player who is down still buy?")),
    "buys_per_game": (
        N_("Buying chips for the whole game"),
        N_("Each buy costs one; there are no more when they are gone."),
    ),
    "discard_ban": (N_("No discards that play"), N_("You may not discard a card that would play on the table.")),
    "own_melds_count": (
        N_("Your own melds count"),
        N_("A card that plays only on your own melds may not be discarded either."),
    ),
    "dead_hand": (
        N_("When every card you hold plays"),
        N_("What you discard when you may not lay off and every card plays."),
    ),
    "bad_discard": (N_("A card that plays was discarded"), N_("What happens to whoever did it.")),
    "wild_discards": (N_("Discarding wilds"), N_("May a wild card be discarded at all?")),
    "lay_off_own": (N_("Laying off on your own melds"), N_("May you add cards to melds you laid yourself?")),
    "lay_off_same_turn": (
        N_("Laying off in the turn you go down"),
        N_("May you lay off in the same turn, or only from the next one?"),
    ),
    "must_discard_to_go_out": (
        N_("A discard to go out"),
        N_("The hand ends only with a last card discarded; without one you float."),
    ),
    "floating": (N_("Floating"), N_("A player without a card plays on from the stock until a card stays.")),
    "stock_out": (N_("The stock runs out"), N_("What happens when nobody can draw any more.")),
    "wild_swap": (N_("Replacing a wild"), N_("May the card a wild stands for take its place?")),
    "freed_wild": (N_("Where a replaced wild goes"), N_("To an end of the same run, or somewhere else.")),
    "min_players": (N_("Fewest players"), N_("The game needs at least so many.")),
    "max_players": (N_("Most players"), N_("The game takes at most so many.")),
    "players_per_two_decks": (N_("Players with two decks"), N_("More than these need a third deck.")),
    "late_joiner": (N_("Points of a late joiner"), N_("What somebody who joins during the night starts with.")),
    "target": (N_("Played to"), N_("Who has this many points or more at the end of a hand wins.")),
    "four_of_a_rank": (N_("All four of a rank"), N_("May all four of a rank be laid together?")),
    "gambling": (N_("The gambling version"), N_("Antes, Grebs and wilds are paid in chips into a pot.")),
    "ante": (N_("The ante"), N_("How many chips everybody pays for a hand.")),
    "purse": (N_("Chips at the start"), N_("How many chips everybody begins with.")),
    "wild_price": (N_("The price of another’s wild"), N_("Into the pot like every price, or to the wild’s owner.")),
    "request_gives": (N_("What a request brings"), N_("How many of the cards asked for are given.")),
    "greb_draws": (N_("Greb without a meld in hand"), N_("How many cards are drawn by who can lay nothing yet.")),
    "lowest_wins": (N_("The lowest total wins"), N_("Points count against you.")),
    **FAMILY_SWITCHES,
}

_VALUES: dict[tuple[str, object], str] = {
    ("ace", "high"): N_("high only, above the king"),
    ("ace", "low"): N_("low only, below the 2"),
    ("ace", "either"): N_("high or low"),
    ("ace", "both_ends"): N_("high or low, or both in one run"),
    ("ace", "corner"): N_("round the corner"),
    ("max_wilds", None): N_("no limit"),
    ("wild_limit_scope", "always"): N_("always"),
    ("wild_limit_scope", "going_down"): N_("only when going down"),
    ("lay_down_size", "minimum"): N_("longer is fine"),
    ("lay_down_size", "exact"): N_("exactly as long"),
    ("buy_priority", "closest"): N_("the closest clockwise after the discarder"),
    ("buy_priority", "first_call"): N_("whoever calls first"),
    ("buys_per_game", None): N_("no chips: buys per hand"),
    ("dead_hand", "discard_any"): N_("any card"),
    ("dead_hand", "discard_lowest"): N_("the card with the fewest points"),
    ("bad_discard", "take_back"): N_("take it back"),
    ("bad_discard", "take_back_plus_two"): N_("take it back and two more cards"),
    ("stock_out", "reshuffle"): N_("shuffle the discards"),
    ("stock_out", "end_hand"): N_("the hand ends"),
    ("wild_swap", "runs"): N_("in runs"),
    ("wild_swap", "off"): N_("never"),
    ("wild_swap", "all"): N_("in sets and runs"),
    ("freed_wild", "end"): N_("to an end of the same run"),
    ("freed_wild", "hand"): N_("to the player's hand"),
    ("freed_wild", "table"): N_("anywhere on the table, this turn"),
    ("late_joiner", "highest"): N_("the highest total so far"),
    ("late_joiner", "average"): N_("the average, rounded to 5"),
    ("late_joiner", "zero"): N_("0 points"),
    ("target", None): N_("no target"),
    ("wild_price", "pot"): N_("into the pot"),
    ("wild_price", "owner"): N_("to its owner"),
    ("request_gives", "one"): N_("one of them"),
    ("request_gives", "all"): N_("all of them"),
    ("greb_draws", "until_meld"): N_("until something can be laid"),
    ("greb_draws", "one"): N_("one card"),
    **FAMILY_VALUES,
}
_COMMON = {"allowed": N_("allowed"), "forbidden": N_("forbidden")}


def switch_names() -> tuple[str, ...]:
    """Every switch that has words here, in the rulebook's order."""
    return tuple(_SWITCHES)


def switch_label(name: str) -> str:
    """The switch's name on a form; raises KeyError for what is no switch."""
    return _(_SWITCHES[name][0])


def switch_help(name: str) -> str:
    """One plain line about the switch; raises KeyError for what is no switch."""
    return _(_SWITCHES[name][1])


def switch_value(name: str, value: object) -> str:
    """A value in words: ``yes``, ``no limit``, ``in runs``, ``2``; raises KeyError for a word no switch has."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if name == "max_wilds" and isinstance(value, int):
        return ngettext("at most %(num)s wild", "at most %(num)s wilds", value)
    if isinstance(value, int):
        return str(value)
    return _(_VALUES.get((name, value)) or _COMMON[str(value)])


def switch_choice(name: str, value: object) -> str:
    """What a table chose: ``Decks: 3``."""
    return f"{switch_label(name)}: {switch_value(name, value)}"
