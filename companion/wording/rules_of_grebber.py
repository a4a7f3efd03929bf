"""The rules of Grebber as one table plays them, K1 to K10, and what holds at every table, in our own words."""

from flask_babel import gettext as _

from companion.referee.reasons import Firmness
from companion.referee.rules import Rules
from companion.wording.text import N_

TEXT, SILENT, LOGIC = Firmness.TEXT, Firmness.SILENT, Firmness.LOGIC


def _four(r: Rules) -> str:
    said = _("Laid are runs of three to six neighbours in one suit, and three of one rank. A hand scores the points laid "
             "less the points held, which may be below 0.")  # fmt: skip
    alike = (
        _("All four of a rank may be laid together.")
        if r.four_of_a_rank
        else _("Never more than three of a rank are laid.")
    )
    return f"{said} {alike}"


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


def _request(r: Rules) -> str:
    one = _("Who holds such a card must give it up; of several, one of their choice.")
    every = _("Who holds such cards must give them up, all of them.")
    return " ".join((
        _("A request names a suit or a rank, never both."), one if r.request_gives == "one" else every,
        _("How many are given, the text does not say."), _("What is given is not drawn again."),
    ))  # fmt: skip


def _greb(r: Rules) -> str:
    first = _("Who says Greb holding a run or a triplet draws one card and lays.")
    if r.greb_draws == "one":
        return first + " " + _("Who holds none draws one card as well.")
    return first + " " + _("Who holds none draws until one can be laid.")


GREBBER = (
    ("G1.1", N_("Changing a rule"), LOGIC, (), lambda r: _("What this table plays otherwise than usual is in the list of choices "
        "below the rule.")),
    ("G1.3", N_("The deal"), SILENT, (), lambda r: _("The player to the dealer’s left starts, and the deal moves on clockwise "
        "from hand to hand.")),
    ("G9.1", N_("The end of the game"), LOGIC, (), lambda r: _("Once the game is over nothing is entered but corrections, until "
        "it is undone or reopened.")),
    ("G9.4", N_("Coming and going"), SILENT, (), lambda r: _("Who comes late starts with 0 points. Who leaves keeps the points "
        "but wins no place.")),
    ("K1", N_("The deck"), TEXT, (), lambda r: _("24 cards: the suits Stone, Water, Wind and Sun, each with Death 0, Deceit 1, "
        "Truth 2, Life 3, Fate 4 and King 5. The numbers are points and the order in runs.")),
    ("K2", N_("Six cards each"), SILENT, (), lambda r: _("Two or three play. Four hands of six would take the whole deck.")),
    ("K3", N_("What is laid, and what it counts"), TEXT, ("four_of_a_rank",), _four),
    ("K4", N_("Sixty"), TEXT, (), lambda r: _("Laid, held and undrawn cards together count 60. More is a mistake.")),
    ("K5", N_("The winner"), TEXT, (), lambda r: _("The highest total wins once somebody reaches %(target)s. Of two in one hand "
        "it is the higher; equal totals share. Who emptied the hand need not be the winner.", target=r.target)),
    ("K6", N_("Chips"), TEXT, ("gambling", "ante", "purse", "wild_price"), _gambling),
    ("K7", N_("Requests"), TEXT, ("request_gives",), _request),
    ("K8", N_("Drawing up"), TEXT, (), lambda r: _("Hands are drawn up to six again during the first laying only.")),
    ("K9", "Greb", TEXT, ("greb_draws",), _greb),
    ("K10", N_("What a wild counts"), LOGIC, (), lambda r: _("The sixty are physical cards: a wild lies on a pile of its own, and "
        "what it stands for scores outside the check. Chips of the pot that cannot be shared stay in it.")),
)  # fmt: skip
