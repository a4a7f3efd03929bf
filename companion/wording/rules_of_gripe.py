"""Rules G1 to G5 in words: the deal, the cards, melds, contracts, drawing and buying."""

from flask_babel import gettext as _
from flask_babel import ngettext

from companion.referee.reasons import Firmness
from companion.referee.rules import Rules
from companion.wording.text import N_

KATE, HOWTO, LOGIC, SILENT = Firmness.KATE, Firmness.HOWTO, Firmness.LOGIC, Firmness.SILENT


def _equipment(r: Rules) -> str:
    decks = ngettext("%(num)s deck", "%(num)s decks", r.decks)
    if r.jokers:
        return _("You play with %(decks)s shuffled together, jokers included.", decks=decks)
    return _(
        "You play with %(decks)s of 52 shuffled together, without jokers. Each exact card is there %(copies)s "
        "times; if "
        "more are entered, something was typed wrong.",
        decks=decks, copies=r.decks,
    )  # fmt: skip


def _players(r: Rules) -> str:
    return _(
        "From %(least)s to %(most)s people play. With more than %(two)s another deck is added.",
        least=r.min_players, most=r.max_players, two=r.players_per_two_decks,
    )  # fmt: skip


def _deal(r: Rules) -> str:
    return _(
        "Everybody is dealt %(cards)s cards in every hand, and one card is turned up. The player to the dealer's left "
        "starts; play goes clockwise, and so does the deal from hand to hand.",
        cards=r.hand_size,
    )  # fmt: skip


def _ace(r: Rules) -> str:
    texts = {
        "high": _("In a run the 3 is lowest and the ace comes after the king. Nothing is below the 3, nothing "
                  "above the ace."),
        "low": _("In a run the ace comes before the 2, and the king is highest."),
        "either": _("In a run the ace may come before the 2 or after the king, but not both in one run."),
        "both_ends": _("In a run the ace may come before the 2 or after the king, or both; but never between the two."),
        "corner": _("Runs go round the corner: after the king comes the ace, then the 2."),
    }  # fmt: skip
    return texts[r.ace]


def _wild(r: Rules) -> str:
    if not r.wild_ranks and not r.jokers:
        return _("No card is wild.")
    if r.natural_twos:
        return _("A wild card stands for any card of any suit. A 2 may also be a plain 2.")
    if not r.wild_ranks:
        return _("A joker is wild: it stands for any card of any suit.")
    return _("Every 2 is wild: it stands for any card of any suit, and never for itself.")


def _naturals(r: Rules) -> str:
    return ngettext(
        "A meld holds at least %(num)s card that is not wild.",
        "A meld holds at least %(num)s cards that are not wild.",
        r.min_naturals,
    )


def _wild_limits(r: Rules) -> str:
    if r.max_wilds is None and not r.naturals_outnumber:
        return _("Otherwise a meld may hold as many wilds as you like.")
    said = []
    if r.max_wilds is not None:
        said.append(ngettext("A meld holds at most %(num)s wild.", "A meld holds at most %(num)s wilds.", r.max_wilds))
    if r.naturals_outnumber:
        said.append(_("A meld holds more natural cards than wilds."))
    if r.wild_limit_scope == "going_down":
        said.append(_("This counts for the melds you go down with, not for what is added later."))
    return " ".join(said)


def _adjacent(r: Rules) -> str:
    if r.adjacent_wilds == "allowed":
        return _("Wilds may lie side by side in a run.")
    return _("Two wilds may not lie side by side in a run.")


def _size(r: Rules) -> str:
    if r.lay_down_size == "minimum":
        return _("A meld you go down with may be longer than the contract asks.")
    return _("A meld you go down with is exactly as long as the contract asks.")


def _extra(r: Rules) -> str:
    if r.extra_melds:
        return _("Once the contract lies you may lay further sets and runs of three or more.")
    return _("Beyond the contract you lay no melds of your own; the rest is laid off.")


def _alike(r: Rules) -> str:
    sets = _("Two sets of one rank are fine.") if r.same_rank_sets == "allowed" else _("Two sets need different ranks.")
    runs = (
        _("Two runs of one suit are fine, even where they overlap.")
        if r.same_suit_runs == "allowed"
        else _("Two runs need different suits.")
    )
    return f"{sets} {runs}"


def _buys(r: Rules) -> str:
    if r.limits_whole_game:
        return ngettext(
            "Everybody has %(num)s chip for the whole game.",
            "Everybody has %(num)s chips for the whole game.",
            r.buys_per_game or 0,
        )
    if not r.buys:
        return _("Buying is not limited.")
    usual, last = r.buys[0], r.buys[-1]
    said = ngettext("Everybody may buy %(num)s time in a hand.", "Everybody may buy %(num)s times in a hand.", usual)
    if last != usual:
        said += " " + ngettext("In the last hand it is %(num)s time.", "In the last hand it is %(num)s times.", last)
    return said + " " + _("Unused buys are not carried over.")


def _priority(r: Rules) -> str:
    who = (
        _("If several want the card, it goes to whoever sits closest clockwise after the discarder.")
        if r.buy_priority == "closest"
        else _("If several want the card, it goes to whoever called first.")
    )
    own = (
        _("You may buy back your own discard.")
        if r.buy_own_discard
        else _("You may not buy the card you discarded yourself.")
    )
    return f"{who} {own}"


def _when_down(r: Rules) -> str:
    down = _("Who is down may still buy.") if r.buy_when_down else _("Who is down buys no more.")
    return f"{down} " + _("Who floats never buys.")


GRIPE = (
    ("G1.1", N_("Decks"), KATE, ("decks",), _equipment),
    ("G1.2", N_("How many play"), KATE, (), _players),
    ("G1.3", N_("The deal"), KATE, ("hand_size",), _deal),
    ("G2.1", N_("Order in a run"), KATE, (), _ace),
    ("G2.2", N_("Wilds"), KATE, (), _wild),
    (
        "G2.3", N_("Points"), KATE, (),
        lambda r: _("Cards still in your hand when a hand ends count against you, as the list of card values says."),
    ),
    (
        "G3.1", N_("Set"), KATE, (),
        lambda r: _("A set is cards of one rank. Suits do not matter: the very same card may be in it twice."),
    ),
    (
        "G3.2", N_("Run"), KATE, (),
        lambda r: _("A run is cards of one suit in sequence, without a gap, and at least as long as the "
                    "contract asks."),
    ),
    ("G3.3", N_("Natural cards"), SILENT, ("min_naturals",), _naturals),
    ("G3.4", N_("How many wilds"), SILENT, ("max_wilds", "naturals_outnumber", "wild_limit_scope"), _wild_limits),
    ("G3.5", N_("Wilds side by side"), SILENT, ("adjacent_wilds",), _adjacent),
    (
        "G3.6", N_("What a wild stands for"), LOGIC, (),
        lambda r: _(
            "Whether cards are a set or a run is decided by the place they fill in the contract. In a run every wild "
            "stands for one card. If several would do, you say which: the order in which the cards lie tells it."
        ),
    ),
    (
        "G4.1", N_("The contracts"), KATE, (),
        lambda r: _("Every hand asks for other melds, as the list of hands says."),
    ),
    (
        "G4.2", N_("All at once"), KATE, (),
        lambda r: _("You go down with the whole contract in one turn, and lay nothing before that."),
    ),
    ("G4.3", N_("Longer melds"), SILENT, ("lay_down_size",), _size),
    ("G4.4", N_("More melds"), SILENT, ("extra_melds",), _extra),
    ("G4.5", N_("Melds alike"), SILENT, ("same_rank_sets", "same_suit_runs"), _alike),
    (
        "G4.6", N_("Enough cards"), LOGIC, (),
        lambda r: _(
            "After drawing you hold %(cards)s cards, and two more for every buy. Where the contract takes all "
            "of them, no "
            "card is left to discard; where it takes more, you must buy first.",
            cards=r.hand_size + 1,
        ),
    ),
    (
        "G5.1", N_("Drawing"), KATE, (),
        lambda r: _("A turn starts with drawing one card: from the stock, or the card on top of the discards."),
    ),
    (
        "G5.2", N_("Buying"), KATE, (),
        lambda r: _(
            "The player whose turn it is may have the top discard for nothing. If they do not want it, and before they "
            "draw, somebody else may buy it: that player takes it together with the top card of the stock."
        ),
    ),
    ("G5.3", N_("How many buys"), KATE, (), _buys),
    (
        "G5.4", N_("One buy for a discard"), LOGIC, (),
        lambda r: _("A discard is bought once. The card under it stays out of reach: the player whose turn it "
                    "is draws from the stock."),
    ),
    ("G5.5", N_("Who may buy"), SILENT, ("buy_priority", "buy_own_discard"), _priority),
    ("G5.6", N_("Buying when down"), SILENT, ("buy_when_down",), _when_down),
    (
        "G5.7", N_("The card turned up"), SILENT, (),
        lambda r: _("The card turned up at the start counts as a discard. A 2 turned up stays there."),
    ),
)  # fmt: skip
