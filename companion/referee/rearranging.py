"""May these melds and these hand cards become these melds in one turn? The game from Peru asks it (P6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from companion.referee.cards import Card
from companion.referee.melds import Meld, meld_problems
from companion.referee.reasons import Firmness, Problem, Reason
from companion.referee.rules import Kind, Rules
from companion.referee.state import TableMeld

__all__ = ["rearrange_problems"]


def rearrange_problems(
    before: Sequence[TableMeld],
    hand_cards: Sequence[Card],
    after: Mapping[int, Meld],
    new: Sequence[Meld],
    rules: Rules,
) -> tuple[Problem, ...]:
    """Every fault of turning the table ``before`` and the cards played from hand into the table afterwards (P6).

    ``after`` gives each meld on the table by its number as it lies now (left out: as before), ``new`` the melds laid
    besides. Every card must be accounted for; a wild leaves a meld only for the card it stands for, or from the end of
    a run that grows at its other end; a natural leaves only a set, for another of its rank. Empty: it may be done.

    >>> from companion.referee.cards import Rank, Suit, parse_cards
    >>> from companion.referee.games import PERU
    >>> run = Meld.run_from(Suit.SPADES, Rank.SIX, parse_cards("6S 7S JK"))
    >>> longer = Meld.run_from(Suit.SPADES, Rank.FIVE, parse_cards("5S 6S 7S"))
    >>> nines = Meld.set_of(Rank.NINE, parse_cards("9S 9H JK"))
    >>> rearrange_problems([TableMeld(0, 1, run, run)], parse_cards("5S 9S 9H"), {0: longer}, [nines], PERU)
    ()
    """
    now = {on.number: after.get(on.number, on.meld) for on in before}
    found = [problem for on in before for problem in _taken_problems(on, now[on.number])]
    found += [problem for meld in (*now.values(), *new) if meld.cards for problem in meld_problems(meld, rules)]
    found += [_problem(Reason.EXTRA_MELD, meld=meld) for meld in new if not rules.extra_melds]
    table, lies = _cards_of(on.meld for on in before), _cards_of([*now.values(), *new])
    return (*found, *_account_problems(table, hand_cards, lies))


def _problem(reason: Reason, **facts: object) -> Problem:
    return Problem(reason, "P6", facts, Firmness.TEXT)


def _cards_of(melds: Iterable[Meld]) -> list[Card]:
    return [card for meld in melds for card in meld.cards]


def _listed(cards: Counter[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards.elements(), key=str))


def _account_problems(table: Sequence[Card], hand: Sequence[Card], now: Sequence[Card]) -> list[Problem]:
    """Table and hand before are the table afterwards, card by card."""
    had, have = Counter(table) + Counter(hand), Counter(now)
    found = []
    if have - had:
        found.append(_problem(Reason.CARD_FROM_NOWHERE, cards=_listed(have - had)))
    if had - have:
        found.append(_problem(Reason.CARD_LEFT_OVER, cards=_listed(had - have)))
    return found


def _taken_problems(on: TableMeld, now: Meld) -> list[Problem]:
    """What left one meld that may not leave it."""
    was = on.meld
    facts: dict[str, object] = {"meld": was, "number": on.number, "owner": on.owner}
    if (was.kind, was.rank, was.suit) != (now.kind, now.rank, now.suit) or not now.cards:
        return [_problem(Reason.MELD_BROKEN, **facts)]
    naturals, wilds = _left_set(was, now) if was.kind is Kind.SET else _left_run(was, now)
    found = []
    if naturals:
        found.append(_problem(Reason.NATURAL_TAKEN, cards=naturals, **facts))
    if wilds:
        found.append(_problem(Reason.WILD_TAKEN, cards=wilds, **facts))
    return found


_Cards = tuple[Card, ...]


def _left_set(was: Meld, now: Meld) -> tuple[_Cards, _Cards]:
    """Naturals and wilds that left a set without a natural of its rank in their place."""
    before, later = Counter(was.cards), Counter(now.cards)
    gone = _listed(before - later)
    came = sum(card.rank is was.rank for card in (later - before).elements())
    unpaid = len(gone) - came
    if unpaid <= 0:
        return (), ()
    naturals = tuple(card for card in gone if card.rank is was.rank)
    wilds = tuple(card for card in gone if card.rank is not was.rank)
    return naturals[came:], wilds[max(0, came - len(naturals)) :]


def _left_run(was: Meld, now: Meld) -> tuple[_Cards, _Cards]:
    """Naturals that left their place in a run, and wilds that left theirs without the card they stand for."""
    lies = {now.stands_for(i): card for i, card in enumerate(now.cards)}
    wild_at = set(was.wild_positions())
    freed = _freed_at_an_end(was, now)
    naturals: list[Card] = []
    wilds: list[Card] = []
    for i, card in enumerate(was.cards):
        stands = was.stands_for(i)
        if lies.get(stands) == card or (i in wild_at and (lies.get(stands) == stands or i in freed)):
            continue
        (wilds if i in wild_at else naturals).append(card)
    return tuple(naturals), tuple(wilds)


def _freed_at_an_end(was: Meld, now: Meld) -> frozenset[int]:
    """The places at one end of a run that were given up for as many cards at its other end.

    A wild that merely moved to the other end of its own run was not freed by a card: nothing was added.
    """
    places = [was.stands_for(i) for i in range(len(was.cards))]
    lies = [now.stands_for(i) for i in range(len(now.cards))]
    kept = [i for i, place in enumerate(places) if place in lies]
    if not kept or kept != list(range(kept[0], kept[-1] + 1)):
        return frozenset()
    below = lies.index(places[kept[0]])
    above = len(lies) - below - len(kept)
    low, high = range(kept[0]), range(kept[-1] + 1, len(places))
    freed = {*(low if _paid(was, low, now.cards[len(lies) - above :]) else ())}
    return frozenset(freed | {*(high if _paid(was, high, now.cards[:below]) else ())})


def _paid(was: Meld, left: range, added: Sequence[Card]) -> bool:
    """Whether the cards added at the other end pay for the places left, without the cards that left."""
    given = Counter(added) - Counter(was.cards[i] for i in left)
    return len(left) > 0 and given.total() >= len(left)
