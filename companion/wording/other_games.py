"""The cousins of Gripe in short: the nine-deal rummy from Peru with its own refusals, and a note for games of the wider family."""

from collections.abc import Mapping

from flask_babel import gettext as _

from companion.referee.reasons import Firmness, Reason
from companion.wording.cards import cards_short
from companion.wording.facts import Sentence
from companion.wording.text import N_

TEXT = Firmness.TEXT


def only_wilds_words() -> str:
    """What a player does who holds nothing but wilds, where none may be thrown: the text does not say (P7)."""
    return _(
        "Nothing but wilds in the hand? The text is silent. At this table they are laid off where they play; "
        "who can lay off none keeps them and throws nothing (P7)."
    )


PERU = (
    ("P1", N_("Players and packs"), TEXT, ("jokers",),
        N_("Two to five play with two packs and their jokers; more use three packs.")),
    ("P2", N_("Wilds"), TEXT, (),
        N_("Jokers and 2s are wild. A 2 may be laid as a plain 2 and costs as much as a joker in hand.")),
    ("P3", N_("Round the corner"), TEXT, (), N_("A run may pass from the king over the ace to the 2.")),
    ("P4", N_("After the contract"), TEXT, (),
        N_("With the contract down you may lay further sets and runs of three or more, lay off and swap.")),
    ("P5", N_("Limits on wilds"), TEXT, (),
        N_("Every meld has more natural cards than wilds, and in a run no two wilds are neighbours.")),
    ("P6", N_("Rebuilding"), TEXT, (),
        N_("Wilds may be freed from sets and runs by the card they stand for, and must be laid again in the same turn. In "
           "a set a natural card may be exchanged for another of the rank.")),
    ("P7", N_("Keep your wilds"), TEXT, ("wild_discards",),
        N_("A wild may never be discarded. Other cards may, even if they would play.")),
    ("P8", N_("Chips"), TEXT, ("buys_per_game",),
        N_("A buy costs a chip and brings the discard with two cards from the stock. Whoever calls first has it.")),
    ("P9", N_("The end of a deal"), TEXT, (),
        N_("A turn ends with a discard, and the deal with somebody's last one. The lowest total after nine deals wins.")),
)  # fmt: skip

FAMILY = (
    ("F1", N_("A cousin"), TEXT, (),
        N_("This is a well-known relative of Gripe. The numbers below are those of Gripe; the texts say what this table "
           "plays.")),
)  # fmt: skip


#: Rebuilding the table (P6).
SENTENCES: Mapping[Reason, Sentence] = {
    Reason.CARD_FROM_NOWHERE: N_("Where does this come from? Neither in the hand nor on the table before: %(cards)s."),
    Reason.CARD_LEFT_OVER: N_("Left over: %(cards)s. What is freed or exchanged must lie in a meld again this turn."),
    Reason.NATURAL_TAKEN: N_(
        "%(cards)s may not be taken from %(meld)s: a natural card leaves a set only in exchange for another of "
        "its rank, and the first exchange takes a card from the hand."
    ),
    Reason.WILD_TAKEN: N_(
        "%(cards)s may not leave %(meld)s: a wild is freed only by the card it stands for, or by a card at the "
        "other end."
    ),
    Reason.MELD_BROKEN: N_("This meld must stay on the table: %(meld)s."),
    Reason.NO_STEPS: lambda f: f.say(
        N_(
            "%(meld)s does not become %(now)s by laying one card after the other: each meld must be legal after every card."
        ),
        now=cards_short(f["now"].cards),
    ),
    Reason.WILD_WAITING: N_("Where did this freed wild go: %(cards)s? Lay it first, or say that it was not noted."),
    Reason.NOTHING_REARRANGED: N_("Nothing would change: every meld lies as it did before."),
    Reason.REARRANGING_OFF: N_("In this game the melds on the table are not rearranged."),
}
