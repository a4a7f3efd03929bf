"""Rules G1 to G5 in words: the deal, the cards, melds, contracts, drawing and buying."""

from flask_babel import gettext as _
from flask_babel import ngettext

from companion.referee.cards import Rank
from companion.referee.reasons import Firmness
from companion.referee.rules import Rules
from companion.wording.cards import rank_plural
from companion.wording.text import N_, and_list, by_switch, size_word

KATE, HOWTO, LOGIC, SILENT = Firmness.KATE, Firmness.HOWTO, Firmness.LOGIC, Firmness.SILENT


def _equipment(r: Rules) -> str:
    decks = ngettext("%(num)s deck", "%(num)s decks", r.decks)
    if r.jokers_in_all is not None and r.joker_count:
        jokers = ngettext("%(num)s joker", "%(num)s jokers", r.joker_count)
        return _("You play with %(decks)s and %(jokers)s shuffled together.", decks=decks, jokers=jokers)
    if r.joker_count:
        return _("You play with %(decks)s shuffled together, jokers included.", decks=decks)
    return _("You play with %(decks)s of 52 shuffled together, without jokers. Each exact card is there %(copies)s times; if "
             "more are entered, something was typed wrong.", decks=decks, copies=r.decks)  # fmt: skip


def _wild(r: Rules) -> str:
    if any(deal.wild_ranks for deal in r.deals):
        return _("In every deal another rank is wild: the one whose number is the number of cards dealt.")
    jokers = r.joker_count > 0 and r.jokers_are_wild
    if not r.wild_ranks and not jokers:
        return _("No card is wild.")
    if r.wild_ranks and (jokers or r.wild_ranks != (Rank.TWO,)) and not r.natural_twos:
        ranks = and_list([*map(rank_plural, r.wild_ranks), *([_("jokers")] if jokers else [])])
        return _("Wild, for any card of any suit, are %(ranks)s; they never stand for themselves.", ranks=ranks)
    if r.natural_twos:
        return _("A wild card stands for any card of any suit. A 2 may also be a plain 2.")
    if not r.wild_ranks:
        return _("A joker is wild: it stands for any card of any suit.")
    return _("Every 2 is wild: it stands for any card of any suit, and never for itself.")


def _deal(r: Rules) -> str:
    dealt = [r.dealt(number) for number in range(1, len(r.contracts) + 1)]
    if r.direction == "clockwise" and len(set(dealt)) == 1:
        return _("Everybody is dealt %(cards)s cards in every hand, and one card is turned up. The player to the dealer's "
                 "left starts; play goes clockwise, and so does the deal from hand to hand.", cards=r.hand_size)  # fmt: skip
    said = [_("Cards dealt, hand by hand: %(cards)s. One card is turned up.", cards=", ".join(map(str, dealt)))]
    if r.direction == "clockwise":
        said.append(_("The player to the dealer's left starts; play and deal go clockwise."))
    else:
        said.append(_("The player to the dealer's right starts; play and deal go anticlockwise."))
    return " ".join(said)


def _naturals(r: Rules) -> str:
    return ngettext(
        "A meld holds at least %(num)s card that is not wild.",
        "A meld holds at least %(num)s cards that are not wild.",
        r.min_naturals,
    )


_SHARES = {"half": N_("A meld holds at most as many wilds as natural cards."),
           "third": N_("A meld holds at most one wild for every two natural cards.")}  # fmt: skip


def _wild_limits(r: Rules) -> str:
    if r.max_wilds is None and not r.naturals_outnumber and r.wild_share == "any" and r.max_wilds_laid is None:
        return _("Otherwise a meld may hold as many wilds as you like.")
    said = []
    if r.max_wilds is not None:
        said.append(ngettext("A meld holds at most %(num)s wild.", "A meld holds at most %(num)s wilds.", r.max_wilds))
    if r.naturals_outnumber:
        said.append(_("A meld holds more natural cards than wilds."))
    if r.wild_share != "any":
        said.append(_(_SHARES[r.wild_share]))
    if r.max_wilds_laid is not None:
        said.append(ngettext("All melds you go down with hold at most %(num)s wild together.",
                             "All melds you go down with hold at most %(num)s wilds together.", r.max_wilds_laid))  # fmt: skip
    if r.wild_limit_scope == "going_down":
        said.append(_("This counts for the melds you go down with, not for what is added later."))
    return " ".join(said)


def _further(r: Rules) -> str:
    if r.further_kinds == "deal":
        return _("From the turn after going down you may lay further melds of the kinds that the contract asks for.")
    return _("Once the contract lies you may lay further sets and runs of three or more.")


def _buys(r: Rules) -> str:
    if r.limits_whole_game:
        return ngettext(
            "Everybody has %(num)s chip for the whole game.",
            "Everybody has %(num)s chips for the whole game.",
            r.buys_per_game or 0,
        )
    if not r.buys or r.buys[0] is None:
        return _("Buying is not limited.")
    if not any(r.buys):
        return _("Nobody buys.")
    usual, last = r.buys[0], r.buys[-1] or 0
    said = ngettext("Everybody may buy %(num)s time in a hand.", "Everybody may buy %(num)s times in a hand.", usual)
    if last != usual:
        said += " " + ngettext("In the last hand it is %(num)s time.", "In the last hand it is %(num)s times.", last)
    return said + " " + _("Unused buys are not carried over.")


def _buying(r: Rules) -> str:
    with_it = ngettext(
        "that player takes it together with the top card of the stock.",
        "that player takes it together with the top %(num)s cards of the stock.",
        r.stock_cards,
    )
    if not r.stock_cards:
        with_it = _("that player takes it alone.")
    if r.next_player_pays:
        return _(
            "Nobody has the top discard for nothing; whoever wants it buys it, the next player too: %(taken)s",
            taken=with_it,
        )
    return _("The player whose turn it is may have the top discard for nothing. If they do not want it, and before they "
             "draw, somebody else may buy it: %(taken)s", taken=with_it)  # fmt: skip


GRIPE = (
    ("G1.1", N_("Decks"), KATE, ("decks",), _equipment),
    ("G1.2", N_("How many play"), KATE, (),
        lambda r: _("From %(least)s to %(most)s people play. With more than %(two)s another deck is added.",
                    least=r.min_players, most=r.max_players, two=r.players_per_two_decks)),
    ("G1.3", N_("The deal"), KATE, ("hand_size",),
        _deal),
    ("G2.1", N_("Order in a run"), KATE, (), by_switch("ace", {
        "high": N_("In a run the 3 is lowest and the ace comes after the king. Nothing is below the 3, nothing above the "
                   "ace."),
        "low": N_("In a run the ace comes before the 2, and the king is highest."),
        "either": N_("In a run the ace may come before the 2 or after the king, but not both in one run."),
        "both_ends": N_("In a run the ace may come before the 2 or after the king, or both; but never between the two."),
        "corner": N_("Runs go round the corner: after the king comes the ace, then the 2."),
        "corner_endless": N_("Runs go round the corner, as long as you like: after the king comes the ace, then the 2."),
    })),
    ("G2.2", N_("Wilds"), KATE, (), _wild),
    ("G2.3", N_("Points"), KATE, (),
        N_("Cards still in your hand when a hand ends count against you, as the list of card values says.")),
    ("G3.1", N_("Set"), KATE, (),
        N_("A set is cards of one rank. Suits do not matter: the very same card may be in it twice.")),
    ("G3.2", N_("Run"), KATE, (),
        N_("A run is cards of one suit in sequence, without a gap, and at least as long as the contract asks.")),
    ("G3.3", N_("Natural cards"), SILENT, ("min_naturals",), _naturals),
    ("G3.4", N_("How many wilds"), SILENT, ("max_wilds", "naturals_outnumber", "wild_limit_scope"), _wild_limits),
    ("G3.5", N_("Wilds side by side"), SILENT, ("adjacent_wilds",), by_switch("adjacent_wilds", {
        "allowed": N_("Wilds may lie side by side in a run."),
        "forbidden": N_("Two wilds may not lie side by side in a run."),
        "nowhere": N_("Two wilds may not lie side by side, not in a set either."),
    })),
    ("G3.6", N_("What a wild stands for"), LOGIC, (),
        N_("Whether cards are a set or a run is decided by the place they fill in the contract. In a run every wild "
           "stands for one card. If several would do, you say which: the order in which the cards lie tells it.")),
    ("G4.1", N_("The contracts"), KATE, (), N_("Every hand asks for other melds, as the list of hands says.")),
    ("G4.2", N_("All at once"), KATE, (),
        N_("You go down with the whole contract in one turn, and lay nothing before that.")),
    ("G4.3", N_("Longer melds"), SILENT, ("lay_down_size",), by_switch("lay_down_size", {
        "minimum": N_("A meld you go down with may be longer than the contract asks."),
        "exact": N_("A meld you go down with is exactly as long as the contract asks."),
    })),
    ("G4.4", N_("More melds"), SILENT, ("extra_melds",), by_switch("extra_melds", {
        True: _further,
        False: N_("Beyond the contract you lay no melds of your own; the rest is laid off."),
    })),
    ("G4.5", N_("Melds alike"), SILENT, ("same_rank_sets", "same_suit_runs"), (
        by_switch("same_rank_sets", {
            "allowed": N_("Two sets of one rank are fine."),
            "forbidden": N_("Two sets need different ranks."),
        }),
        by_switch("same_suit_runs", {
            "allowed": N_("Two runs of one suit are fine, even where they overlap."),
            "forbidden": N_("Two runs need different suits."),
            "not_touching": N_("Two runs of one suit may not touch, so that they would be one run."),
            "gap1": N_("Between two runs of one suit lies a rank at least."),
            "gap2": N_("Between two runs of one suit lie two ranks at least."),
            "gap3": N_("Between two runs of one suit lie three ranks at least."),
        }),
    )),
    ("G4.6", N_("Enough cards"), LOGIC, (),
        lambda r: _("After drawing you hold %(cards)s cards, and %(more)s more for every buy. Where the contract takes all of "
                    "them, no card is left to discard; where it takes more, you must buy first.",
                    cards=r.hand_size + 1, more=size_word(1 + r.stock_cards))),
    ("G5.1", N_("Drawing"), KATE, (),
        by_switch("next_player_pays", {
            False: N_("A turn starts with drawing one card: from the stock, or the card on top of the discards."),
            True: N_("A turn starts with drawing one card from the stock. The discard comes only by a buy."),
        })),
    ("G5.2", N_("Buying"), KATE, (),
        _buying),
    ("G5.3", N_("How many buys"), KATE, (), _buys),
    ("G5.4", N_("One buy for a discard"), LOGIC, (),
        N_("A discard is bought once. The card under it stays out of reach: the player whose turn it is draws from the "
           "stock.")),
    ("G5.5", N_("Who may buy"), SILENT, ("buy_priority", "buy_own_discard"), (
        by_switch("buy_priority", {
            "closest": N_("If several want the card, it goes to whoever sits closest clockwise after the discarder."),
            "first_call": N_("If several want the card, it goes to whoever called first."),
        }),
        by_switch("buy_own_discard", {
            True: N_("You may buy back your own discard."),
            False: N_("You may not buy the card you discarded yourself."),
        }),
    )),
    ("G5.6", N_("Buying when down"), SILENT, ("buy_when_down",), (
        by_switch("buy_when_down", {
            True: N_("Who is down may still buy."),
            False: N_("Who is down buys no more."),
        }),
        N_("Who floats never buys."),
    )),
    ("G5.7", N_("The card turned up"), SILENT, (),
        N_("The card turned up at the start counts as a discard. A 2 turned up stays there.")),
)  # fmt: skip
