"""Rules G6 to G9 in words: discards that play, laying off, going out, replacing wilds, scoring."""

from flask_babel import gettext as _

from companion.referee.reasons import Firmness
from companion.referee.rules import Rules
from companion.wording.text import N_, Text, by_switch

KATE, HOWTO, LOGIC, SILENT = Firmness.KATE, Firmness.HOWTO, Firmness.LOGIC, Firmness.SILENT


def _banned(text: Text) -> Text:
    """What holds where no card that plays is thrown (G6.1)."""
    off = N_("At your table every card may be discarded, whatever lies on the table.")
    return by_switch("discard_ban", {True: text, False: off})


def _replaced(text: Text) -> Text:
    """What holds where wilds are replaced (G8)."""
    off = N_("At your table a wild stays where it was laid.")
    return by_switch("wild_swap", {"runs": text, "all": text, "off": off})


def _plays(r: Rules) -> str:
    said = _(
        "A card plays on a set of its rank, and on a run if it is the next card at either end. A wild plays "
        "wherever there is room."
    )
    if r.wild_swap != "off":
        said += " " + _("A card also plays if it is the very card a wild stands for and the wild can be moved.")
    return said


def _from_a_dead_hand(r: Rules) -> str:
    any_card = r.dead_hand == "discard_any"
    return _("you may discard any of them") if any_card else _("you discard one with the fewest points")


def _dead_hand(r: Rules) -> str:
    choice = _from_a_dead_hand(r)
    return _("If you may not lay off this turn and every card you hold plays, %(choice)s.", choice=choice)


def dead_hand_words(rules: Rules) -> str:
    """The exception to "that card plays, so it is not thrown" (G6.6)."""
    choice = _from_a_dead_hand(rules)
    return _("Unless you may not lay off this turn and every card you hold plays: then %(choice)s.", choice=choice)


def lay_off_words(r: Rules) -> str:
    """Where and when cards are laid off (G7.1)."""
    where = _("on any meld on the table") if r.lay_off_own else _("on the melds of others")
    when = _("even in the turn you went down") if r.lay_off_same_turn else _("from your next turn on")
    return _("Once you are down you may add cards %(where)s, %(when)s.", where=where, when=when)


def _possible(r: Rules) -> str:
    if r.step == 5 and not r.least_points:
        return _("Scores are multiples of 5. Who floats when the hand ends scores 0 as well, and nobody else does. If nobody "
                 "went out, the hand has no winner. More points than the cards of the game hold are refused.")  # fmt: skip
    said = [_("Scores are sums of card values. If nobody went out, the hand has no winner. More points than the cards of the "
              "game hold are refused.")]  # fmt: skip
    if r.least_points:
        said.append(
            _("Below 0 a score is only where points are taken off: %(least)s at the least.", least=r.least_points)
        )
    return " ".join(said)


_NEEDS_NO_END = N_("The freed wild needs no free end of the run.")

PLAY = (
    ("G6.1", N_("Cards that play stay"), KATE, (), _banned(
        N_("You may not discard a card that would play on the table now, whether you are down or not."))),
    ("G6.1a", N_("The ban as a choice"), SILENT, ("discard_ban",),
        lambda r: _("A table may also play without rule %(number)s.", number="G6.1")),
    ("G6.2", N_("What plays"), LOGIC, (), _plays),
    ("G6.3", N_("Only directly"), SILENT, (),
        N_("A card plays only as the table lies now: with a run from the 5 to the 8, the 4 plays and the 3 does not.")),
    ("G6.4", N_("Your own melds"), SILENT, ("own_melds_count",), by_switch("own_melds_count", {
        True: N_("Your own melds count too: what plays only on them may not be discarded either."),
        False: N_("Only the melds of others count: what plays only on your own may be discarded."),
    })),
    ("G6.5", N_("No wilds away"), LOGIC, (), by_switch("wild_discards", {
        True: _banned(N_("A wild plays on every set it may be added to, so once one lies there you cannot discard a wild.")),
        False: N_("At your table a wild is never discarded."),
    })),
    ("G6.6", N_("Nothing to discard"), SILENT, ("dead_hand",), _dead_hand),
    ("G6.7", N_("A wrong discard"), SILENT, ("bad_discard",), by_switch("bad_discard", {
        "take_back": N_("Whoever discards a card that plays takes it back and discards another."),
        "take_back_plus_two": N_("Whoever discards a card that plays takes it back, takes two cards from the stock and "
                                 "discards another."),
    })),
    ("G7.1", N_("Laying off"), KATE, ("lay_off_own", "lay_off_same_turn"), lay_off_words),
    ("G7.2", N_("Going out"), KATE, (), by_switch("must_discard_to_go_out", {
        True: N_("A hand ends when somebody has played all cards but one and discards that one. The discard must be "
                 "allowed."),
        False: N_("A hand ends when somebody has no card left, with or without a last discard."),
    })),
    ("G7.3", N_("Floating"), KATE, (), by_switch("can_float", {
        True: N_("Who has no card left but made no discard floats, and the others play on. On each turn a floating player "
                 "draws from the stock: a card that plays is played, any other is discarded, and that ends the hand."),
        False: N_("Nobody floats at this table."),
    })),
    ("G7.4", N_("The last card"), HOWTO, ("must_discard_to_go_out",), by_switch("must_discard_to_go_out", {
        True: N_("Playing the very last card is not enough to go out. In the how-to version it is: there the hand ends "
                 "with it."),
        False: N_("At your table getting rid of the last card ends the hand at once; nobody needs a discard for it."),
    })),
    ("G7.5", N_("No stock left"), SILENT, ("stock_out",), by_switch("stock_out", {
        "reshuffle": N_("If the stock runs out, all discards but the top one are shuffled into a new stock. If there is "
                        "nothing to shuffle, the hand ends and everybody counts."),
        "end_hand": N_("If the stock runs out, the hand ends and everybody counts."),
    })),
    ("G8.1", N_("Replacing"), KATE, (), _replaced(by_switch("freed_wild", {
        "end": N_("In a run, who is down may put the very card a wild stands for in its place. The wild moves to the low "
                  "or the high end of that run, as the player likes, and nowhere else."),
        "hand": N_("Who is down may put the very card a wild stands for in its place, and takes the wild into the hand."),
        "table": N_("Who is down may put the very card a wild stands for in its place; the wild is used on the table in "
                    "the same turn."),
        "same_owner_run": N_("Who is down may put the very card a wild stands for in its place; the wild is laid at once in "
                             "a run of the same owner."),
    }))),
    ("G8.2", N_("And again"), LOGIC, (), _replaced(
        N_("A wild that moved stands for the card of its new place, and can be replaced again."))),
    ("G8.3", N_("Closed ends"), LOGIC, (), _replaced(by_switch("freed_wild", {
        "end": N_("An end is closed where no further card exists. If both ends are closed the wild cannot move, so its "
                  "card does not play and may be discarded."),
        "hand": _NEEDS_NO_END,
        "table": _NEEDS_NO_END,
        "same_owner_run": _NEEDS_NO_END,
    }))),
    ("G8.4", N_("In sets"), LOGIC, ("wild_swap",), by_switch("wild_swap", {
        "all": N_("Wilds are replaced in sets as in runs."),
        "runs": N_("In a set nothing is replaced: a card of the rank is simply added."),
        "off": N_("In a set nothing is replaced: a card of the rank is simply added."),
    })),
    ("G8.5", N_("Where the wild goes"), SILENT, ("freed_wild",), _replaced(by_switch("freed_wild", {
        "end": N_("A replaced wild stays in its run."),
        "hand": N_("A replaced wild comes to the player's hand, as some cousins of Gripe have it."),
        "table": N_("A replaced wild is used anywhere on the table in the same turn."),
        "same_owner_run": N_("A replaced wild is laid at once in a run of the same owner."),
    }))),
    ("G9.1", N_("Who wins"), KATE, (),
        N_("Who goes out scores 0; the others count what they hold. The lowest total after the last hand wins.")),
    ("G9.2", N_("Possible scores"), LOGIC, (), _possible),
    ("G9.3", N_("Ties"), SILENT, (), N_("Equal totals share a place, and the next place is left out.")),
    ("G9.4", N_("Joining and leaving"), SILENT, ("late_joiner",), (
        by_switch("late_joiner", {
            "highest": N_("Who joins late starts with the highest total so far."),
            "average": N_("Who joins late starts with the average of the totals, rounded to 5."),
            "zero": N_("Who joins late starts with 0 points."),
        }),
        N_("Who leaves keeps the scores made so far but wins no place. A player too many for the decks brings another one "
           "from the next hand on."),
    )),
)  # fmt: skip
