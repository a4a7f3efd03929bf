"""What the table page says before and during a hand: the first steps, the warnings of a contract, what a card does."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask_babel import gettext as _
from flask_babel import ngettext

from companion.referee.cards import Card
from companion.referee.contracts import floats, least_buys
from companion.referee.games import game_of
from companion.referee.melds import Meld
from companion.referee.rules import Contract, Rules
from companion.referee.table import Play
from companion.wording.cards import card_short, contract_words, meld_phrase, points_words, stands_for
from companion.wording.text import N_, and_list, isolate


def what_now(rules: Rules, dealer: str, starter: str) -> str:
    """The one line for a first night: how many cards, how many decks, who deals and who starts."""
    decks = ngettext("%(num)s deck", "%(num)s decks", rules.decks)
    if game_of(rules).count == "kruth":
        return _("Shuffle the 24 cards of the Kruth deck. %(dealer)s deals %(cards)s to everybody. %(starter)s starts.",
                 dealer=isolate(dealer), cards=rules.hand_size, starter=isolate(starter))  # fmt: skip
    return _("Shuffle %(decks)s together. %(dealer)s deals %(cards)s cards to everybody and turns one up. "
             "%(starter)s starts.",
             decks=decks, dealer=isolate(dealer), cards=rules.hand_size, starter=isolate(starter))  # fmt: skip


def hand_words(number: int, of: int) -> str:
    """``Hand 3 of 10``; ``Hand 3`` where nobody knows how many there will be."""
    return _("Hand %(n)s of %(all)s", n=number, all=of) if of else _("Hand %(n)s", n=number)


def after_words(number: int, of: int) -> str:
    """``After hand 3 of 10``; ``After hand 3``."""
    return _("After hand %(n)s of %(all)s", n=number, all=of) if of else _("After hand %(n)s", n=number)


def needed_words(needed: int) -> str:
    """``12 cards needed``."""
    return ngettext("%(num)s card needed", "%(num)s cards needed", needed)


def contract_warnings(contract: Contract, rules: Rules) -> tuple[str, ...]:
    """What to know before the hand starts: the fewest buys it takes, and when going down leaves no discard (G4.6)."""
    buys = least_buys(contract, rules)
    least = ngettext(
        "Nobody can go down without at least %(num)s buy.", "Nobody can go down without at least %(num)s buys.", buys
    )
    floating = rules.can_float and floats(contract, rules, buys)
    said = (*((least,) if buys else ()), *((_floating_warning(buys),) if floating else ()))
    return (*said, *deal_warnings(rules))


def deal_warnings(rules: Rules) -> tuple[str, ...]:
    """What to know before a hand starts, whatever it asks for."""
    return tuple(_(text) for switch, text in _OF_THE_DEAL.items() if getattr(rules, switch))


def own_hand_words(number: int, contract: Contract) -> str:
    """``hand 4 of the list: a run of seven in any suits``, of the player who is on it."""
    return _("hand %(n)s of the list: %(contract)s", n=number, contract=contract_words(contract))


_OF_THE_DEAL = {
    "all_at_once": N_("Who goes down lays every card in hand, and that ends the hand: nothing is discarded."),
    "ends_at_first_lay_down": N_("Whoever goes down first ends the hand at once."),
    "whole_turn": N_("Going down takes the whole turn: no card is drawn, and none discarded."),
    "last_card_stays": N_("The last card may not be discarded: it has to be laid."),
    "jokers_skip": N_("A joker is laid nowhere: who throws it names a player, who misses a turn."),
}


def unnoted_words(name: str, missing: int) -> str:
    """That somebody went down with more cards than they had without a buy (G4.6)."""
    return ngettext(
        "%(name)s cannot have gone down without a buy that is not noted (G4.6).",
        "%(name)s cannot have gone down without %(num)s buys that are not noted (G4.6).",
        missing, name=isolate(name),
    )  # fmt: skip


def _floating_warning(buys: int) -> str:
    if buys == 0:
        return _("Going down without a buy leaves no card to discard: you then float.")
    return ngettext(
        "Going down with only %(num)s buy leaves no card to discard: you then float.",
        "Going down with only %(num)s buys leaves no card to discard: you then float.",
        buys,
    )


def buys_left_words(left: int | None, rules: Rules | None = None) -> str:
    """``2 buys left``, in a game with chips (P8) ``2 chips left``."""
    if left is None:
        return _("no limit on buys")
    if rules is not None and rules.buy_unit == "chip":
        return ngettext("%(num)s chip left", "%(num)s chips left", left) if left else _("no chips left")
    return ngettext("%(num)s buy left", "%(num)s buys left", left) if left else _("no buys left")


def play_words(card: Card, before: Meld, play: Play, owner: str) -> str:
    """What a card does on a meld."""
    facts = {"card": card_short(card), "meld": meld_phrase(before, isolate(owner))}
    if play.action in _LAID_OFF:
        return _(_LAID_OFF[play.action], **facts)
    if play.wild_to not in ("low", "high"):
        return _("The %(card)s replaces the wild in %(meld)s, and the player takes the wild.", **facts)
    end = stands_for(play.result, 0 if play.wild_to == "low" else len(play.result.cards) - 1)
    return _("The %(card)s replaces the wild in %(meld)s, and the wild becomes %(end)s.", end=card_short(end), **facts)


_LAID_OFF = {
    "add": N_("The %(card)s joins %(meld)s."),
    "low": N_("The %(card)s goes to the low end of %(meld)s."),
    "high": N_("The %(card)s goes to the high end of %(meld)s."),
}


def melds_not_entered(names: Sequence[str]) -> str:
    """The reservation of every verdict while somebody is down without cards (clarifications)."""
    return ngettext(
        "The melds of %(names)s are not entered: they are left out of this answer.",
        "The melds of %(names)s are not entered: they are left out of this answer.",
        len(names), names=and_list(map(isolate, names)),
    )  # fmt: skip


def buyer_words(buyer: str | None, free: bool = False, stock_cards: int = 1) -> str:
    """Who gets a discard that several want (G5.2, G5.5, P8); ``free`` where it is the next player's own draw."""
    if buyer is None:
        return _("Nobody can buy it.")
    if free:
        return _("%(name)s is next and takes the card for nothing, instead of drawing.", name=isolate(buyer))
    if stock_cards == 1:
        return _("%(name)s gets the card, and the top card of the stock with it.", name=isolate(buyer))
    return ngettext(
        "%(name)s gets the card, and %(num)s card from the stock with it.",
        "%(name)s gets the card, and %(num)s cards from the stock with it.",
        stock_cards,
        name=isolate(buyer),
    )


_PLACES = (N_("1st"), N_("2nd"), N_("3rd"), N_("4th"), N_("5th"), N_("6th"), N_("7th"), N_("8th"), N_("9th"))


def place_words(place: int | None) -> str:
    """``2nd``; shared places are the same place; "" for none."""
    if place is None:
        return ""
    return _(_PLACES[place - 1]) if place <= len(_PLACES) else f"{place}."


@dataclass(frozen=True, slots=True)
class RowFacts:
    """What the table page says of a player; ``buys`` and ``place`` are words, ``place`` "" before the first score."""

    name: str
    dealer: bool
    starter: bool
    buys: str
    is_down: bool
    floating: bool
    sitting_out: bool
    total: int
    place: str
    own_hand: str = ""


def row_sentence(row: RowFacts) -> str:
    """A player's row as one sentence: ``Ana deals; 2 buys left; down; 45 points; 2nd``."""
    said = [_("%(name)s deals", name=isolate(row.name)) if row.dealer else isolate(row.name)]
    if row.starter:
        said.append(_("starts"))
    if row.own_hand:
        said.append(row.own_hand)
    if row.sitting_out:
        said.append(_("sits this hand out"))
    elif row.buys:
        said.append(row.buys)
    if row.floating:
        said.append(_("floats"))
    elif row.is_down:
        said.append(_("down"))
    return "; ".join((*said, points_words(row.total), *((row.place,) if row.place else ()))) + "."
