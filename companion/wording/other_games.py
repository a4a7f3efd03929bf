"""The cousins of Gripe in short: the nine-deal rummy from Peru with its own refusals, and a note for games of the wider family."""

from collections.abc import Mapping

from flask_babel import gettext as _
from flask_babel import ngettext

from companion.referee.games import GAMES, game_of
from companion.referee.reasons import Firmness, Reason
from companion.referee.rules import Rules
from companion.wording.cards import cards_short
from companion.wording.facts import Sentence
from companion.wording.rules_of_play import lay_off_words
from companion.wording.text import N_, by_switch

TEXT = Firmness.TEXT


def only_wilds_words(rules: Rules) -> str:
    """What a player does who holds nothing but wilds, where none may be thrown: the text does not say (P7)."""
    return _(
        "Nothing but wilds in the hand? The text is silent. At this table they are laid off where they play; "
        "who can lay off none keeps them and throws nothing (%(rule)s).",
        rule=game_of(rules).rule("wild_discards")[0],
    )


def _packs(r: Rules) -> str:
    packs, jokers = (
        ngettext("%(num)s pack", "%(num)s packs", r.decks),
        ngettext("%(num)s joker", "%(num)s jokers", r.jokers),
    )
    return _("Two to five play with two packs and their jokers; more use three packs. Here it is %(packs)s with %(jokers)s in "
             "each; if more of a card are entered, something was typed wrong.", packs=packs, jokers=jokers)  # fmt: skip


def _chips(r: Rules) -> str:
    return ngettext("Everybody has %(num)s chip for the whole game.", "Everybody has %(num)s chips for the whole game.",
                    r.buys_per_game or 0)  # fmt: skip


PERU = (
    ("P1", N_("Players and packs"), TEXT, ("decks", "jokers"), _packs),
    ("P2", N_("Wilds"), TEXT, (),
        N_("Jokers and 2s are wild: they stand for any card of any suit. A 2 may be laid as a plain 2 and costs as much as a "
           "joker in hand. What is left in hand counts as the list of card values says.")),
    ("P3", N_("Runs, round the corner"), TEXT, (),
        N_("A run is three or more cards of one suit in sequence, without a gap. It may pass from the king over the ace to the "
           "2.")),
    ("P4", N_("The contracts, and after them"), TEXT, (),
        N_("A set is three or more cards of one rank, in any suits. Every deal asks for other melds, as the list of hands says: "
           "all of them go down in one turn, and nothing before that. A meld may be longer than the contract asks. With the "
           "contract down you may lay further sets and runs of three or more, swap, and lay off: on a set a card of its rank, "
           "on a run the next card at either end, and a wild wherever there is room.")),
    ("P5", N_("Limits on wilds"), TEXT, (),
        N_("Every meld has more natural cards than wilds, and in a run no two wilds are neighbours.")),
    ("P6", N_("Rebuilding"), TEXT, (),
        N_("Wilds may be freed from sets and runs by the card they stand for, and from the end of a run by a card at its other "
           "end; they must be laid again in the same turn. In a set a natural card may be exchanged for another of the rank.")),
    ("P7", N_("Keep your wilds"), TEXT, ("wild_discards",),
        N_("A wild may never be discarded. Other cards may, even if they would play.")),
    ("P8", N_("Chips"), TEXT, ("buys_per_game",), (
        _chips,
        N_("Whoever calls first, the next player too, gets the discard with two cards from the stock for a chip. Nobody has "
           "it for less, and a discard is bought once."))),
    ("P9", N_("The end of a deal"), TEXT, (),
        N_("A turn ends with a discard, and the deal with somebody's last one. Who went out scores 0; the others count what "
           "they hold. The lowest total after nine deals wins.")),
)  # fmt: skip

#: Rules of Gripe that do not stand in the rulebook of the game from Peru: its own text says them, or says otherwise.
NOT_IN_PERU = frozenset(GAMES["peru"].numbers) - {"G3.2", "G7.1"} | frozenset(
    ["G6.1a", "G6.3", "G6.4", "G6.5", "G6.6", "G6.7", "G7.4"]
)
#: Rules that the game from Peru has under the same numbers, with its own text.
IN_PERU = (
    ("G3.2", N_("How long a run is"), Firmness.SILENT, (),
        N_("A run round the corner has each rank once, so it has thirteen cards at most.")),
    ("G4.6", N_("Enough cards"), Firmness.LOGIC, (),
        N_("Every buy brings three cards. Where the contract takes all you hold, no card is left to discard; where it "
           "takes more, you must buy first.")),
    ("G5.1", N_("Drawing"), Firmness.SILENT, (),
        N_("A turn starts with drawing one card from the stock. The discard comes only with a chip.")),
    ("G5.5", N_("Who may buy"), Firmness.SILENT, ("buy_own_discard",), (
        N_("A call stands."),
        by_switch("buy_own_discard", {
            True: N_("You may buy back your own discard."),
            False: N_("You may not buy the card you discarded yourself."),
        }),
    )),
    ("G5.6", N_("Buying when down"), Firmness.SILENT, ("buy_when_down",), by_switch("buy_when_down", {
        True: N_("Who is down may still buy."),
        False: N_("Who is down buys no more."),
    })),
    ("G5.7", N_("The card turned up"), TEXT, (),
        N_("The card turned up at the start counts as a discard. A wild turned up is buried in the stock.")),
    ("G7.1", N_("Laying off"), Firmness.SILENT, ("lay_off_own", "lay_off_same_turn"), lay_off_words),
    ("G7.3", N_("No floating"), Firmness.SILENT, (), N_("Who cannot discard keeps the last card; the hand goes on.")),
    ("G9.2", N_("Possible scores"), Firmness.LOGIC, (),
        N_("Scores are multiples of 5. Who goes out scores 0, and nobody else does. If nobody went out, the hand has no "
           "winner. More points than the cards of the game hold are refused.")),
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
