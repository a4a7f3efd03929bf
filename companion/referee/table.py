"""Where a card plays on the table, what may not be thrown, and replacing a wild (G6, G8, P6, P7)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from companion.referee.cards import FIFTY_TWO, JOKER, Card, Rank, Suit
from companion.referee.games import cited, game_of
from companion.referee.melds import Meld, is_natural_card, is_wild_card, rank_at, run_lows
from companion.referee.reasons import Firmness, Problem, Reason
from companion.referee.rules import Rules
from companion.referee.state import TableMeld
from companion.referee.wild_limits import lay_off_limits, limits_of, silent_limit

End = Literal["low", "high"]
_ENDS: tuple[End, ...] = ("low", "high")


@dataclass(frozen=True, slots=True)
class Play:
    """One thing a card can do on a meld.

    ``action`` is "add" (to a set), "low" or "high" (a run's end), or "replace"; then ``position`` is where the wild
    lay, ``freed`` the wild and ``wild_to`` where it goes ("low", "high", "hand" or "table"). ``result`` is the meld
    after.
    """

    action: Literal["add", "low", "high", "replace"]
    result: Meld
    position: int | None = None
    wild_to: Literal["low", "high", "hand", "table"] | None = None
    freed: Card | None = None

    @property
    def in_hand(self) -> Card | None:
        """The wild that the play takes off the meld, to be laid again (G8.5, P6)."""
        return self.freed if self.wild_to in ("hand", "table") else None


def plays(card: Card, meld: Meld, rules: Rules, *, limits: bool | None = None) -> tuple[Play, ...]:
    """Everything the card can do on the meld now, one step only (G6.2, G6.3, G8).

    Results keep the wild limits where their scope is "always"; ``limits`` true or false overrides that.

    >>> from companion.referee.cards import parse_card, parse_cards
    >>> from companion.referee.games import KATE
    >>> run = Meld.run_from(Suit.SPADES, Rank.FOUR, parse_cards("4S 2H 6S"))
    >>> [(play.action, play.wild_to, str(play.result)) for play in plays(parse_card("5S"), run, KATE)]
    [('replace', 'low', '2H 4S 5S 6S'), ('replace', 'high', '4S 5S 6S 2H')]
    """
    options = _on_run(card, meld, rules) if meld.low is not None else _on_set(card, meld, rules)
    if limits is False:
        return tuple(options)
    hold = limits_of(rules) if limits else lay_off_limits(rules)
    if hold.lenient and not meld.is_wild_at(0):
        return tuple(options)
    return tuple([play for play in options if hold.allow_meld(play.result)])


def _on_set(card: Card, meld: Meld, rules: Rules) -> list[Play]:
    """A card on a set, or on cards of one suit."""
    options = []
    alike = card.suit is meld.suit if meld.rank is None else card.rank is meld.rank
    natural = alike and is_natural_card(card, rules)
    if natural or is_wild_card(card, rules):
        options.append(Play("add", Meld(meld.kind, (*meld.cards, card), meld.rank, meld.suit)))
    if natural and rules.wild_swap == "all":
        for position in meld.wild_positions():
            options.append(_freed(card, meld, position, rules.freed_wild))
    return options


def _on_run(card: Card, meld: Meld, rules: Rules) -> list[Play]:
    wild, options = is_wild_card(card, rules), []
    for end in _ENDS:
        place = rank_at(meld.low, -1 if end == "low" else len(meld.cards)) if meld.low else None
        if wild or (card.rank is place and meld.suit in (card.suit, None)):
            longer = extended(meld, card, end, rules)
            if longer is not None:
                options.append(Play(end, longer))
    return options + _replacements(card, meld, rules)


def extended(meld: Meld, card: Card, end: End, rules: Rules) -> Meld | None:
    """The run with the card at that end, or None where the end is closed (G2.1, G8.3); the card is not checked.

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> run = Meld.run_from(Suit.SPADES, Rank.THREE, parse_cards("3S 4S 5S"))
    >>> str(extended(run, JOKER, "high", KATE)), extended(run, JOKER, "low", KATE)
    ('3S 4S 5S JK', None)
    """
    low = meld.low if end == "high" or meld.low is None else rank_at(meld.low, -1)
    if low not in run_lows(len(meld.cards) + 1, rules):
        return None
    cards = (card, *meld.cards) if end == "low" else (*meld.cards, card)
    return Meld(meld.kind, cards, None, meld.suit, low)


def _replacements(card: Card, meld: Meld, rules: Rules) -> list[Play]:
    if rules.wild_swap == "off" or not is_natural_card(card, rules):
        return []
    at = [position for position in meld.places_of(card) if meld.is_wild_at(position)]
    return [play for position in at for play in _replacing(card, meld, position, rules)]


def _replacing(card: Card, meld: Meld, position: int, rules: Rules) -> list[Play]:
    if rules.freed_wild != "end":
        return [_freed(card, meld, position, rules.freed_wild)]
    freed = _freed(card, meld, position, "table")
    wild, options = meld.cards[position], []
    for end in _ENDS:
        longer = extended(freed.result, wild, end, rules)
        if longer is not None:
            options.append(Play("replace", longer, position, end, wild))
    return options


def _freed(card: Card, meld: Meld, position: int, freed_wild: str) -> Play:
    """The card in the place of the wild, which comes to the hand, or waits to be laid on the table."""
    to: Literal["hand", "table"] = "hand" if freed_wild == "hand" else "table"
    cards = (*meld.cards[:position], card, *meld.cards[position + 1 :])
    result = Meld(meld.kind, cards, meld.rank, meld.suit, meld.low)
    return Play("replace", result, position, to, meld.cards[position])


_DISCARD_REASONS = {
    "add": Reason.DISCARD_JOINS_SET,
    "low": Reason.DISCARD_EXTENDS,
    "high": Reason.DISCARD_EXTENDS,
    "replace": Reason.DISCARD_REPLACES,
}


def discard_problems(card: Card, melds: Sequence[TableMeld], player: int | None, rules: Rules) -> tuple[Problem, ...]:
    """Why the card may not be thrown, one Problem per meld that would take it (G6.1–G6.5, P7); empty: throw it.

    ``player`` None asks for the table as a whole: somebody who owns none of the melds.

    >>> from companion.referee.cards import parse_card, parse_cards
    >>> from companion.referee.games import KATE
    >>> eights = Meld.set_of(Rank.EIGHT, parse_cards("8S 8H 8D"))
    >>> [p.reason.name for p in discard_problems(parse_card("8C"), [TableMeld(0, 1, eights, eights)], None, KATE)]
    ['DISCARD_JOINS_SET']
    """
    if not rules.wild_discards and is_wild_card(card, rules):
        rule, firmness = game_of(rules).rule("wild_discards")
        switch = "wild_discards" if firmness is Firmness.SILENT else None
        return (Problem(Reason.DISCARD_WILD, rule, {"card": card}, firmness, switch),)
    if not rules.discard_ban:
        return ()
    problems = (_takes(card, meld, player, rules) for meld in melds if counts_for(meld, player, rules))
    return tuple(problem for problem in problems if problem)


def counts_for(meld: TableMeld, player: int | None, rules: Rules) -> bool:
    """Whether a meld forbids this player's discards (G6.4).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> eights = Meld.set_of(Rank.EIGHT, parse_cards("8S 8H 8D"))
    >>> own = TableMeld(0, 1, eights, eights)
    >>> counts_for(own, 1, KATE), counts_for(own, 1, KATE.replace(own_melds_count=False))
    (True, False)
    """
    return rules.own_melds_count or meld.owner != player


def _takes(card: Card, on: TableMeld, player: int | None, rules: Rules) -> Problem | None:
    options = plays(card, on.meld, rules)
    if not options:
        return None
    first = options[0]
    ends = tuple([play.action for play in options if play.action in ("low", "high")])
    to = tuple([play.wild_to for play in options if play.action == "replace"])
    reason = _DISCARD_REASONS[first.action]
    wild = is_wild_card(card, rules)
    rule = {"replace": "G8.1", "add": "G6.5" if wild else "G6.2"}.get(first.action, "G6.2")
    facts = {
        "card": card, "meld": on.meld, "number": on.number, "owner": on.owner, "wild": wild,
        "ends": ends, "wild_to": to, "position": first.position,
    }  # fmt: skip
    if on.owner == player:
        return Problem(reason, "G6.4", facts, Firmness.SILENT, "own_melds_count")
    switch = silent_limit([play.result for play in options], rules)
    return Problem(reason, rule, facts, Firmness.SILENT if switch else Firmness.LOGIC, switch)


def cards_of(rules: Rules) -> tuple[Card, ...]:
    """Every different card of the decks: 52, and the joker where the game has it (G1.1, P1).

    >>> from companion.referee.games import KATE, PERU
    >>> len(cards_of(KATE)), len(cards_of(PERU))
    (52, 53)
    """
    return (*FIFTY_TWO, JOKER) if rules.joker_count else FIFTY_TWO


def dead_cards(melds: Sequence[TableMeld], player: int | None, rules: Rules) -> Mapping[Card, tuple[Problem, ...]]:
    """For each card of the decks why it may not be thrown; an empty tuple: it may (G6). In deck order.

    The same as ``discard_problems`` card by card, asked only of the few cards that each meld could take.

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> royal = Meld.run_from(Suit.SPADES, Rank.TEN, parse_cards("10S JS QS KS AS"))
    >>> [str(card) for card, why in dead_cards([TableMeld(0, 1, royal, royal)], None, KATE).items() if why]
    ['2S', '9S', '2H', '2D', '2C']
    """
    cards = cards_of(rules)
    if not rules.wild_discards or not rules.discard_ban:
        return {card: discard_problems(card, melds, player, rules) for card in cards}
    found: dict[Card, list[Problem]] = {card: [] for card in cards}
    wilds: dict[object, list[Card]] = {}  # those of one rank share their answer, unless they may be natural too (P2)
    for card in cards:
        if is_wild_card(card, rules):
            wilds.setdefault(card if rules.natural_twos else card.rank, []).append(card)
    for on in melds:
        if counts_for(on, player, rules):
            for card in _could_take(on.meld, rules):
                found[card] += filter(None, [_takes(card, on, player, rules)])
            for alike in wilds.values():
                if problem := _takes(alike[0], on, player, rules):
                    found[alike[0]].append(problem)
                    for card in alike[1:]:
                        found[card].append(problem.with_facts(card=card))
    return {card: tuple(problems) for card, problems in found.items()}


def _could_take(meld: Meld, rules: Rules) -> set[Card]:
    """The cards, none of them wild, that could play on the meld at all."""
    if meld.rank is not None:
        cards = {Card(meld.rank, suit) for suit in Suit}
    elif meld.low is None:
        cards = {card for card in FIFTY_TWO if card.suit is meld.suit}
    else:
        ranks = {rank_at(meld.low, place) for place in (-1, len(meld.cards), *meld.wild_positions())}
        cards = {Card(rank, suit) for rank in ranks for suit in ((meld.suit,) if meld.suit else Suit)}
    return {card for card in cards if not is_wild_card(card, rules)}


def copies_problems(cards: Iterable[Card], rules: Rules) -> tuple[Problem, ...]:
    """A Problem for each exact card there are more of than the decks hold, in deck order (G1.1, P1).

    Cards without a suit count against their rank: nine nines are too many for two decks.

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> [(str(p.facts["card"]), p.facts["count"]) for p in copies_problems(parse_cards("7S 7S 7S 8S 8S"), KATE)]
    [('7S', 3)]
    """
    counts, problems = Counter(cards), []
    for card in sorted(counts, key=lambda card: (_is_untyped(card), str(card))):
        alike = [other for other in counts if other.rank is card.rank] if _is_untyped(card) else [card]
        count = sum(counts[other] for other in alike)
        decks = rules.decks * (len(Suit) if _is_untyped(card) else 1)
        limit = rules.joker_count if card.rank is Rank.JOKER else decks
        if count > limit:
            facts = {"card": card, "count": count, "decks": rules.decks, "limit": limit}
            problems.append(Problem(Reason.TOO_MANY_COPIES, "G1.1", facts))
    return cited(tuple(problems), rules)


def _is_untyped(card: Card) -> bool:
    return card.suit is None and card.rank is not Rank.JOKER
