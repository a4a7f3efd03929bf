"""Cards, melds and contracts in words."""

from collections.abc import Iterable
from itertools import groupby

from flask_babel import gettext as _
from flask_babel import ngettext, pgettext

from companion.referee.cards import Card, Rank, Suit
from companion.referee.melds import Meld
from companion.referee.rules import Contract, Kind, Rules, Slot
from companion.wording.text import and_list, count_word, per_language, size_word

SUIT_SIGNS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}


@per_language
def suit_name(suit: Suit) -> str:
    """``spades``."""
    names = {
        Suit.SPADES: _("spades"), Suit.HEARTS: _("hearts"), Suit.DIAMONDS: _("diamonds"), Suit.CLUBS: _("clubs"),
    }  # fmt: skip
    return names[suit]


@per_language
def rank_name(rank: Rank) -> str:
    """``five``, ``queen``, ``joker``."""
    names = {
        Rank.JOKER: _("joker"), Rank.TWO: pgettext("rank", "two"), Rank.THREE: pgettext("rank", "three"),
        Rank.FOUR: pgettext("rank", "four"), Rank.FIVE: pgettext("rank", "five"), Rank.SIX: pgettext("rank", "six"),
        Rank.SEVEN: pgettext("rank", "seven"), Rank.EIGHT: pgettext("rank", "eight"),
        Rank.NINE: pgettext("rank", "nine"), Rank.TEN: pgettext("rank", "ten"), Rank.JACK: _("jack"),
        Rank.QUEEN: _("queen"), Rank.KING: _("king"), Rank.ACE: _("ace"),
    }  # fmt: skip
    return names[rank]


@per_language
def rank_plural(rank: Rank) -> str:
    """``fives``, ``queens``: what a set is of."""
    names = {
        Rank.JOKER: _("jokers"), Rank.TWO: _("twos"), Rank.THREE: _("threes"), Rank.FOUR: _("fours"),
        Rank.FIVE: _("fives"), Rank.SIX: _("sixes"), Rank.SEVEN: _("sevens"), Rank.EIGHT: _("eights"),
        Rank.NINE: _("nines"), Rank.TEN: _("tens"), Rank.JACK: _("jacks"), Rank.QUEEN: _("queens"),
        Rank.KING: _("kings"), Rank.ACE: _("aces"),
    }  # fmt: skip
    return names[rank]


@per_language
def card_name(card: Card) -> str:
    """The whole name, for screen readers: ``five of spades``; a card without a suit is its rank."""
    if card.suit is None:
        return rank_name(card.rank)
    return _("%(rank)s of %(suit)s", rank=rank_name(card.rank), suit=suit_name(card.suit))


def card_short(card: Card) -> str:
    """As printed on the card: ``5♠``, ``10♥``, ``Q♦`` in every language (Brazilian packs print J Q K A too)."""
    if card.rank is Rank.JOKER:
        return _("joker")
    return card.rank.symbol + (SUIT_SIGNS[card.suit] if card.suit else "")


def cards_short(cards: Iterable[Card]) -> str:
    """``4♠ 2♥ 6♠``."""
    return " ".join(map(card_short, cards))


def wild_word(card: Card) -> str:
    """What a wild is called in a sentence: ``2`` or ``joker``."""
    return _("joker") if card.rank is Rank.JOKER else card.rank.symbol


def stands_for(meld: Meld, position: int) -> Card:
    """The card a place of the meld is for (G3.6), one past either end of a run too; no suit in a set."""
    if meld.low is None:
        return Card(meld.rank or Rank.JOKER, meld.suit)
    return Card(Rank((int(meld.low) - 2 + position) % 13 + 2), meld.suit)


def wild_label(meld: Meld, position: int) -> str:
    """``2 as 5♠``; the plain card where no wild lies."""
    card, place = meld.cards[position], stands_for(meld, position)
    if not meld.is_wild_at(position):
        return card_short(card)
    return _("%(wild)s as %(card)s", wild=wild_word(card), card=card_short(place))


def meld_cards(meld: Meld) -> str:
    """A run as ``4♠–7♠``, a set as its rank's plural: what tells one meld from another."""
    if meld.kind is Kind.SET:
        return rank_plural(stands_for(meld, 0).rank)
    if meld.low is None and meld.suit:
        return suit_name(meld.suit)
    return f"{card_short(stands_for(meld, 0))}–{card_short(stands_for(meld, len(meld.cards) - 1))}"


def meld_phrase(meld: Meld, owner: str | None = None) -> str:
    """``Ana's run 4♠–7♠`` or, without an owner, ``the run 4♠–7♠``; in Portuguese with its article."""
    is_set, facts = meld.kind is Kind.SET, {"owner": owner, "cards": meld_cards(meld)}
    if meld.kind is Kind.COLOUR:
        return _("%(owner)s's cards of %(cards)s", **facts) if owner else _("the cards of %(cards)s", **facts)
    if owner:
        return _("%(owner)s's set of %(cards)s", **facts) if is_set else _("%(owner)s's run %(cards)s", **facts)
    return _("the set of %(cards)s", **facts) if is_set else _("the run %(cards)s", **facts)


@per_language
def meld_sentence(meld: Meld) -> str:
    """The whole meld, card by card: ``Run 4♠–6♠: 4♠, 2 as 5♠, 6♠``."""
    labels = ", ".join(wild_label(meld, position) for position in range(len(meld.cards)))
    if meld.kind is Kind.SET:
        return _("Set of %(ranks)s: %(cards)s", ranks=meld_cards(meld), cards=labels)
    if meld.kind is Kind.COLOUR:
        return _("Cards of %(suit)s: %(cards)s", suit=meld_cards(meld), cards=labels)
    return _("Run %(span)s: %(cards)s", span=meld_cards(meld), cards=labels)


def kind_name(kind: Kind) -> str:
    """``set`` or ``run``."""
    return {Kind.SET: _("set"), Kind.COLOUR: _("cards of one suit"), Kind.ANYRUN: _("run of any suits")}.get(kind) or _(
        "run"
    )


def slot_words(slot: Slot, count: int = 1) -> str:
    """``a set of three``, ``two runs of four``, ``seven cards of one suit``."""
    if slot.kind is Kind.COLOUR:
        return ngettext("%(size)s cards of one suit", "%(count)s times %(size)s cards of one suit", count,
                        size=size_word(slot.size), count=count_word(count, feminine=True))  # fmt: skip
    if slot.kind is Kind.ANYRUN:
        return ngettext("a run of %(size)s in any suits", "%(count)s runs of %(size)s in any suits", count,
                        size=size_word(slot.size), count=count_word(count, feminine=True))  # fmt: skip
    if slot.kind is Kind.ALL:
        return _("a set or a run")
    is_run, is_smallest = slot.kind is Kind.RUN, slot.size == 3
    facts = {"size": size_word(slot.size), "count": count_word(count, feminine=is_run or is_smallest)}
    if is_run:
        return ngettext("a run of %(size)s", "%(count)s runs of %(size)s", count, **facts)
    if is_smallest:
        return ngettext("a set of three", "%(count)s sets of three", count, **facts)
    return ngettext("a set of %(size)s", "%(count)s sets of %(size)s", count, **facts)


@per_language
def hand_contract(rules: Rules | None, hand: int) -> str:
    """What a hand asks for; "" where nothing is asked for, each player has an own one, or the rules are not known."""
    return contract_words(rules.contracts[hand - 1]) if rules and hand <= rules.hands_in_all else ""


def contract_words(contract: Contract) -> str:
    """``two sets of three and a run of five``."""
    if contract.is_everything:
        return _("every card in sets and runs")
    return and_list(slot_words(slot, len(list(alike))) for slot, alike in groupby(contract.slots))


def points_words(points: int) -> str:
    """``1 point``, ``45 points``."""
    return ngettext("%(num)s point", "%(num)s points", points)
