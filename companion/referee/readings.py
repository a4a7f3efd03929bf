"""Every way that cards can be a meld: runs in any order or as they lie, cards of one suit (G3.6, P2, P3)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, product
from operator import attrgetter

from companion.referee.cards import JOKER, Card, Rank, Suit
from companion.referee.melds import (
    RUN_MINIMUM,
    SET_MINIMUM,
    Meld,
    is_natural_card,
    is_valid,
    is_wild_card,
    rank_at,
    run_lows,
    set_readings,
)
from companion.referee.rules import Kind, Rules
from companion.referee.wild_limits import limits_of, unlimited


def _suits(cards: Sequence[Card], rules: Rules) -> list[Suit]:
    """The suits a run of these cards may have if none is fixed by a card that cannot be wild."""
    if limits_of(rules).only_wilds(Kind.RUN):
        return list(Suit)
    return sorted({card.suit for card in cards if card.suit and is_natural_card(card, rules)}, key=attrgetter("value"))


def run_readings(cards: Sequence[Card], rules: Rules, kind: Kind = Kind.RUN) -> tuple[Meld, ...]:
    """Every run these cards can be in any order, lowest start first (G3.6); as ANYRUN whatever their suits.

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> [str(meld) for meld in run_readings(parse_cards("QS 2H AS KS"), KATE)]
    ['2H QS KS AS']
    """
    fixed = [card for card in cards if not is_wild_card(card, rules)]
    suits = {card.suit for card in fixed} if kind is Kind.RUN else {None}
    if len(suits) > 1 or (kind is Kind.RUN and None in suits) or not _could_be_run(fixed, len(cards), kind, rules):
        return ()
    runs: dict[Meld, None] = {}
    for suit in suits or _suits(cards, rules):
        for low in run_lows(len(cards), rules):
            runs.update(dict.fromkeys(_runs_at(cards, fixed, suit, low, rules)))
    return tuple(meld for meld in runs if is_valid(meld, rules))


def _could_be_run(fixed: Sequence[Card], length: int, kind: Kind, rules: Rules) -> bool:
    """Whether no natural is there twice that has one place only."""
    if length > 13:
        return True
    return len({card if kind is Kind.RUN else card.rank for card in fixed}) == len(fixed)


def _runs_at(cards: Sequence[Card], fixed: list[Card], suit: Suit | None, low: Rank, rules: Rules) -> Iterator[Meld]:
    places = [Card(rank_at(low, i), suit) for i in range(len(cards))]
    lies = {Card(card.rank, suit): card for card in fixed}
    if not lies.keys() <= set(places):
        return
    wilds = [card for card in cards if is_wild_card(card, rules)]
    jokers = [card for card in wilds if card.rank is Rank.JOKER]
    twos = sorted((card for card in wilds if card.rank is not Rank.JOKER), key=str)
    for open_places in _open_places(places, [Card(card.rank, suit) for card in fixed]):
        if len(open_places) != len(wilds):
            continue  # a card twice that has one place
        for at in combinations(open_places, len(jokers)):
            for order in _orders(twos, [places[i] for i in open_places if i not in at], rules):
                rest = iter(order)
                open_cards = {i: JOKER if i in at else next(rest) for i in open_places}
                lie = [open_cards[i] if i in open_cards else lies[place] for i, place in enumerate(places)]
                yield Meld(Kind.RUN if suit else Kind.ANYRUN, tuple(lie), None, suit, low)


def _open_places(places: list[Card], fixed: list[Card]) -> Iterator[list[int]]:
    """The places left for wilds; several choices where a card has two places, as in a run of fourteen (G2.1, P3)."""
    if len(places) <= 13:
        yield [i for i, place in enumerate(places) if place not in fixed]
        return
    ways = []
    for card, count in Counter(fixed).items():
        at = [i for i, place in enumerate(places) if place == card]
        ways.append(list(combinations(at, count))[::-1])
    for filled in product(*ways):
        taken = set(chain(*filled))
        yield [i for i in range(len(places)) if i not in taken]


def colour_readings(cards: Sequence[Card], rules: Rules) -> tuple[Meld, ...]:
    """The suits of which these cards can be a meld of one suit, each as a meld.

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import SHEETS
    >>> [meld.suit.value for meld in colour_readings(parse_cards("9S 4S KD"), SHEETS["ten_phases"])]
    ['S']
    """
    fixed = {card.suit for card in cards if not is_wild_card(card, rules)}
    suits = fixed or set(_suits(cards, rules))
    melds = (Meld.colour_of(suit, cards) for suit in Suit if suit in suits)
    return () if len(fixed) > 1 else tuple(meld for meld in melds if is_valid(meld, rules))


def _orders(twos: list[Card], places: list[Card], rules: Rules) -> Iterator[list[Card]]:
    """The 2s in these places: where one could lie as itself it does, and in a second way another 2 lies there (P2)."""
    at = next((i for i, place in enumerate(places) if place in twos), None)
    if at is None or not rules.natural_twos:
        yield twos
        return
    for first in (places[at], *[two for two in twos if two != places[at]][:1]):
        rest = list((Counter(twos) - Counter([first])).elements())
        yield [*rest[:at], first, *rest[at:]]


def readings(cards: Sequence[Card], rules: Rules) -> tuple[Meld, ...]:
    """Every way the cards are one meld of three or more, sets first (G3.6).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> [str(meld) for meld in readings(parse_cards("4S 6S 2H"), KATE)]
    ['4S 2H 6S']
    """
    if len(cards) < SET_MINIMUM:
        return ()
    kinds = rules.kinds
    return tuple(chain.from_iterable(readings_as(cards, kind, rules) for kind in kinds))


def shapes(cards: Sequence[Card], rules: Rules) -> tuple[Meld, ...]:
    """Every way the cards would be one meld of three or more if nothing limited wilds, sets first.

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> [str(meld) for meld in shapes(parse_cards("KH 2D AH 2S"), KATE.replace(max_wilds=1))]
    ['2D 2S KH AH']
    """
    return readings(cards, unlimited(rules))


def readings_as(cards: Sequence[Card], kind: Kind, rules: Rules) -> tuple[Meld, ...]:
    """Every way the cards are one meld of that kind (G3.6)."""
    if kind is Kind.SET:
        return set_readings(cards, rules)
    return colour_readings(cards, rules) if kind is Kind.COLOUR else run_readings(cards, rules, kind)


def readings_in_order(cards: Sequence[Card], rules: Rules) -> tuple[Meld, ...]:
    """The runs the cards are in the very order they lie, low end first (G3.6).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> [meld.low.symbol for meld in readings_in_order(parse_cards("4S 2H 6S"), KATE)]
    ['4']
    >>> readings_in_order(parse_cards("QS KS AS 2H"), KATE)
    ()
    """
    if len(cards) < RUN_MINIMUM:
        return ()
    kinds, lows = rules.kinds, run_lows(len(cards), rules)
    runs = [Meld.run_from(suit, low, cards) for suit in _suits(cards, rules) for low in lows if Kind.RUN in kinds]
    runs += [Meld.any_run_from(low, cards) for low in lows if Kind.ANYRUN in kinds]
    return tuple(run for run in runs if is_valid(run, rules))
