"""How the other contract rummies differ from Gripe, game by game, and what only they play (FAMILY)."""

from flask_babel import gettext as _
from flask_babel import ngettext

from companion.referee.games import game_of
from companion.referee.reasons import Firmness
from companion.referee.rules import Rules
from companion.wording.text import N_

#: By game: its list of hands and what is special about it, in a few sentences.
_DIFFERS = {
    "contract": N_(
        "Seven hands instead of ten, and only jokers are wild. In the first four hands ten cards are dealt, then twelve. Cards "
        "count their number. In the last hand all thirteen cards go down at once, without a discard. Every card may be thrown."
    ),
    "liverpool": N_(
        "Seven hands, and only jokers are wild; a meld may be of jokers alone. Who is down takes nothing from the discards. "
        "Who lifts exactly the cards to be dealt scores 50 less. The last hand goes down whole, without a discard."
    ),
    "zioncheck": N_(
        "Seven hands of eleven cards, jokers wild. The player whose turn it is may refuse a buy. The original six hands "
        "are not known from any source: this is the form that houses play."
    ),
    "progressive": N_(
        "Six cards in the first hand and one more in each. Nobody buys, melds have exactly the length that is asked, and "
        "going down is going out: the one card left is thrown."
    ),
    "may_i": N_(
        "Six hands of eleven cards; 2s and jokers are wild. Two runs of one suit need two ranks between them. Who is down "
        "draws from the stock only; the joker of a run is taken by who is not down yet."
    ),
    "shanghai7": N_(
        "Seven hands, jokers wild, five buys in each. The last card may never be thrown: it has to be laid."
    ),
    "shanghai": N_(
        "Gripe's ten hands with one changed: two runs of four in the third. Only jokers are wild, never more of them in a meld "
        "than natural cards, and a joker freed from a run comes to the hand. It is also called California."
    ),
    "hawaiian": N_(
        "Two to four players with three decks. 2s and jokers are wild. A wild that is replaced moves to an end of its run. "
        "The last card may be thrown, but need not be."
    ),
    "carioca": N_(
        "Nine hands of twelve cards; the last is a run of thirteen. Jokers are wild: one in a meld and two in all when you go "
        "down, and never thrown. Runs go round the corner. Deal and play go anticlockwise."
    ),
    "loba": N_(
        "Six hands of eleven cards; who goes down in the last one ends it. Melds have exactly the length that is asked. The "
        "order of its hands is not known from any source: this is the form that houses play."
    ),
    "continental": N_(
        "Seven hands of seven to thirteen cards. Runs go round the corner as long as you like, and no two jokers lie side by "
        "side in a run. A freed joker is laid at once in a run of the same owner. Down and out in one turn scores 10 less."
    ),
    "telefunken": N_(
        "Sets grow from three to six cards, and a run of seven ends the night. 2s and jokers are wild, fewer than the natural "
        "cards, and never thrown. A discard costs a chip and brings two more cards."
    ),
    "kalooki": N_(
        "Nine hands of nine to sixteen cards. Jokers are wild, a set needs two natural cards, runs are of different suits and "
        "sets of different ranks. A black ace counts 15, a red one 1."
    ),
    "frustration": N_(
        "Runs may be of any suits. 2s are wild. Each player has an own hand of the list and keeps it until going down; going "
        "down takes the whole turn."
    ),
    "ten_phases": N_(
        "Ten hands with runs of any suits; kings are wild, and a joker makes a player miss a turn. Each player has an own hand "
        "of the list, and who finishes the tenth first ends the game."
    ),
    "three_thirteen": N_(
        "Eleven hands of three to thirteen cards, and as many cards as are dealt, that rank is wild. No melds are named: all "
        "cards but the one thrown lie in sets and runs. Then everybody else has one more turn, and nothing is laid off."
    ),
}  # fmt: skip


def how_it_differs(r: Rules) -> str:
    """What a player of Gripe has to know first."""
    text = _DIFFERS.get(game_of(r).key)
    return _(text) if text else _(
        "This is a well-known relative of Gripe. The numbers below are those of Gripe; the texts say what this table plays."
    )  # fmt: skip


#: By switch and value a sentence; what is as in Gripe says nothing.
_OWN_WAYS = {
    ("draw_discards_down", False): N_("Who is down draws from the stock only."),
    ("swap_by", "down_earlier"): N_("A wild is replaced by who went down in an earlier turn."),
    ("swap_by", "down_or_going_down"): N_("A wild may also be replaced by who goes down in that very turn."),
    ("swap_by", "not_down"): N_("A wild is replaced only by who is not down yet."),
    ("buy_veto", "turn_player"): N_("The player whose turn it is may refuse a buy."),
    ("buy_veto", "all_before"): N_("Everybody who comes before the buyer may refuse a buy."),
    ("buy_window", "whole_turn"): N_("A discard can be bought during the whole turn of the next player."),
    ("last_card_stays", True): N_("The last card may not be thrown: it has to be laid."),
    ("whole_turn", True): N_("Going down takes the whole turn: no card is drawn, and none thrown."),
    ("lay_off", False): N_("Nothing is laid off on melds that lie there."),
    ("not_just_taken", True): N_("The card just taken may not be thrown in that turn."),
    ("direction", "anticlockwise"): N_("Deal and play go anticlockwise."),
    ("announce_one_card", True): N_("Who has one card left says so."),
    ("after_out", "one_turn_each"): N_("When somebody is out, everybody else has one more turn."),
    ("start", "starter_one_card_more"): N_("Who starts is dealt one card more and begins by throwing one."),
    ("start", "first_player_two_turns"): N_("Who starts has two turns at once."),
    ("progress", "own"): N_("Who did not go down has the same hand of the list again."),
    ("ties", "most_deals_won"): N_("Of equal totals the one with more hands won is ahead."),
    ("set_suits", "different"): N_("No suit is in a set twice."),
}


def own_ways(r: Rules) -> str:
    """What else is played here and not in Gripe; who knows the record of turns is the table, not the app."""
    said = [_(text) for (switch, value), text in _OWN_WAYS.items() if getattr(r, switch) == value]
    deals = [number for number in range(1, len(r.contracts) + 1) if r.in_deal(number).all_at_once]
    if deals:
        said.append(_("In hand %(number)s going down takes every card and ends the hand.", number=deals[0]))
    first = [number for number in range(1, len(r.contracts) + 1) if r.in_deal(number).ends_at_first_lay_down]
    if first:
        said.append(_("Hand %(number)s ends when somebody goes down.", number=first[0]))
    if r.out_in_one_turn:
        said.append(_("Who goes down and out in one turn scores %(points)s.", points=r.out_in_one_turn))
    if r.exact_cut:
        said.append(_("Who lifts exactly the cards to be dealt scores %(points)s.", points=r.exact_cut))
    if r.exact_cut_chips:
        chips = ngettext("%(num)s chip", "%(num)s chips", r.exact_cut_chips)
        said.append(_("Who lifts exactly the cards to be dealt gets %(chips)s.", chips=chips))
    return " ".join(said) or _("Nothing else.")


#: By game: what other sources of it say, where no house rule of the table can.
_ELSEWHERE = {
    "shanghai": N_(
        "2s are wild too, and a 2 or a joker counts 20. The fourth buy comes in the last hand only, or buying has no limit. Who goes "
        "out scores 25 less in any case. Teams of two play, or the hands come in any order (California)."
    ),
    "hawaiian": N_("In the form of seven hands three buys a hand, and four in the last."),
    "contract": N_(
        "Two or three buys a hand, or two cards from the stock with each. Eleven cards in every hand, or twelve from the fourth on. "
        "2s are wild, a 2 or an ace counts 20 and a joker 50. Laying off begins a whole round after going down."
    ),
    "liverpool": N_(
        "Who sees a playable card thrown may call it and use it. 2 to 9 count five, a joker 25. Eleven or twelve cards in every "
        "hand, or seven to thirteen."
    ),
    "zioncheck": N_("The night stops after the fourth hand. A joker counts 20."),
    "progressive": N_("Discards can be bought, with one card from the stock. Eleven cards in every hand."),
    "may_i": N_(
        "Melded jokers stay where they lie. The last hand is like any other. Two cards from the stock come with a bought one, or two, "
        "three, four and so on. There are no jokers at all. A joker counts 25."
    ),
    "shanghai7": N_(
        "Two buys a hand, five for the whole game, or no limit. An ace counts 20 and a joker 50. Eleven cards in every hand, and "
        "thirteen in the last. Who goes down first scores 10 less."
    ),
    "carioca": N_(
        "Seven buys for the whole game. A joker counts 30, 2 to 7 five. Red 2s are wild. Seven, eight or ten hands, some with runs of "
        "thirteen in mixed suits, of one colour or without jokers."
    ),
    "loba": N_("The Loba of Argentina has no list of hands and is another game."),
    "continental": N_(
        "Down and out in one turn takes off ten times the number of the hand. Who lays nothing in the last hand scores 250. 8 to king "
        "count ten, 2 to 7 five. Five and more players add a deck after hands two and four."
    ),
    "telefunken": N_(
        "Sets without wilds, some of all four suits (Ecuador). Who goes down first chooses which hand of the list it is (Bolivia). "
        "10 to king count ten, 2 to 9 five. One card from the stock comes with a bought one."
    ),
    "kalooki": N_(
        "A run of a whole suit stands for three runs of four. Three or four players take six jokers. Where somebody goes down and out in "
        "one turn the others count double."
    ),
    "frustration": N_(
        "2s and jokers are wild, ten cards and other contracts. Twenty-one hands without jokers, where nobody goes down in the first "
        "round. Runs are of one suit."
    ),
    "ten_phases": N_(
        "Only the even hands are played, or five or seven of them. Everybody chooses the order of the own hands."
    ),
    "three_thirteen": N_(
        "A jack counts 11, a queen 12 and a king 13, an ace 15. Two or four jokers are in the pack, and a joker counts 50, a card of "
        "the wild rank 20."
    ),
}  # fmt: skip


def elsewhere(r: Rules) -> str:
    """What other sources say that no switch says; a list of one's own can play some of it."""
    text = _ELSEWHERE.get(game_of(r).key)
    said = [_(text)] if text else []
    said.append(_("A list of one’s own can deal other cards, ask for other hands and allow other buys."))
    return " ".join(said)


FAMILY = (
    ("F1", N_("How it differs from Gripe"), Firmness.TEXT, (), how_it_differs),
    ("F2", N_("What else is played"), Firmness.TEXT, (), own_ways),
    ("F3", N_("What others play"), Firmness.TEXT, (), elsewhere),
)
