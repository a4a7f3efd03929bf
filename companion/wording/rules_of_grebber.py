"""The rules of Grebber as one table plays them, K1 to K10, and what holds at every table, in our own words."""

from flask_babel import gettext as _

from companion.referee.reasons import Firmness
from companion.referee.rules import Rules
from companion.wording.text import N_, by_switch

TEXT, SILENT, LOGIC = Firmness.TEXT, Firmness.SILENT, Firmness.LOGIC


def _gambling(r: Rules) -> str:
    if not r.gambling:
        return _("This table plays without chips. In the gambling version antes, Grebs and wilds are paid into a pot that the "
                 "winner takes.")  # fmt: skip
    written = _("Everybody begins with %(purse)s chips. The ante is %(ante)s a hand; a Greb costs one ante, turning up a wild "
                "two, using somebody else’s wild one. A new wild voids the one before. The pot goes to who wins at the target.",
                purse=r.purse, ante=r.ante)  # fmt: skip
    where = (
        _("Every price is paid into the pot, that of somebody else’s wild too.")
        if r.wild_price == "pot"
        else _("Every price is paid into the pot, but that of somebody else’s wild to its owner.")
    )
    silent = _("On what follows the text is silent. Who cannot pay a price whole pays nothing: the ante and the Greb go on, but "
               "no wild is turned up or used. A purse may be filled up to what it began with.")  # fmt: skip
    return f"{written} {silent} {where}"


GREBBER = (
    ("G1.1", N_("Changing a rule"), LOGIC, (),
        N_("What this table plays otherwise than usual is in the list of choices below the rule.")),
    ("G1.3", N_("The deal"), SILENT, (),
        N_("The player to the dealer’s left starts, and the deal moves on clockwise from hand to hand.")),
    ("G9.4", N_("Coming and going"), SILENT, (),
        N_("Who comes late starts with 0 points. Who leaves keeps the points but wins no place.")),
    ("K1", N_("The deck"), TEXT, (),
        N_("24 cards: the suits Stone, Water, Wind and Sun, each with Death 0, Deceit 1, Truth 2, Life 3, Fate 4 and King "
           "5. The numbers are points and the order in runs.")),
    ("K2", N_("Six cards each"), SILENT, (), N_("Two or three play. Four hands of six would take the whole deck.")),
    ("K3", N_("What is laid, and what it counts"), TEXT, ("four_of_a_rank",), (
        N_("Laid are runs of three to six neighbours in one suit, and three of one rank. A hand scores the points laid "
           "less the points held, which may be below 0."),
        by_switch("four_of_a_rank", {
            True: N_("All four of a rank may be laid together."),
            False: N_("Never more than three of a rank are laid."),
        }),
    )),
    ("K4", N_("Sixty"), TEXT, (), N_("Laid, held and undrawn cards together count 60. More is a mistake.")),
    ("K5", N_("The winner"), TEXT, (),
        lambda r: _("The highest total wins once somebody reaches %(target)s. Of two in one hand it is the higher; equal "
                    "totals share. Who emptied the hand need not be the winner. Once the game is over nothing is entered but corrections, "
                    "until it is undone or reopened.", target=r.target)),
    ("K6", N_("Chips"), TEXT, ("gambling", "ante", "purse", "wild_price"), _gambling),
    ("K7", N_("Requests"), TEXT, ("request_gives",), (
        N_("A request names a suit or a rank, never both."),
        by_switch("request_gives", {
            "one": N_("Who holds such a card must give it up; of several, one of their choice."),
            "all": N_("Who holds such cards must give them up, all of them."),
        }),
        N_("How many are given, the text does not say."),
        N_("What is given is not drawn again."),
    )),
    ("K8", N_("Drawing up"), TEXT, (), N_("Hands are drawn up to six again during the first laying only.")),
    ("K9", "Greb", TEXT, ("greb_draws",), (
        N_("Who says Greb holding a run or a triplet draws one card and lays."),
        by_switch("greb_draws", {
            "one": N_("Who holds none draws one card as well."),
            "until_meld": N_("Who holds none draws until one can be laid."),
        }),
    )),
    ("K10", N_("What a wild counts"), LOGIC, (),
        N_("The sixty are physical cards: a wild lies on a pile of its own, and what it stands for scores outside the "
           "check. Chips of the pot that cannot be shared stay in it.")),
)  # fmt: skip
