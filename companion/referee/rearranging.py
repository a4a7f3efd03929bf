"""May these melds and these hand cards become these melds in one turn? The game from Peru asks it (P6)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.referee.cards import Card
from companion.referee.melds import Meld, is_wild_card, meld_problems
from companion.referee.reasons import Firmness, Problem, Reason
from companion.referee.rules import Kind, Rules
from companion.referee.search.table_steps import leads_alone, run_shift, steps_lead
from companion.referee.state import TableMeld


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
    a run for a card at its other end; a natural leaves only a set, for another of its rank; and legal steps of one card
    each must lead there (``search.table_steps``). Empty: it may be done.

    >>> from companion.referee.cards import Rank, Suit, parse_cards
    >>> from companion.referee.games import PERU
    >>> run = Meld.run_from(Suit.SPADES, Rank.SIX, parse_cards("6S 7S JK"))
    >>> longer = Meld.run_from(Suit.SPADES, Rank.FIVE, parse_cards("5S 6S 7S"))
    >>> nines = Meld.set_of(Rank.NINE, parse_cards("9S 9H JK"))
    >>> rearrange_problems([TableMeld(0, 1, run, run)], parse_cards("5S 9S 9H"), {0: longer}, [nines], PERU)
    ()
    """
    now = {on.number: after.get(on.number, on.meld) for on in before}
    problems = [problem for on in before for problem in _taken_problems(on, now[on.number], hand_cards, rules)]
    problems += [problem for meld in (*now.values(), *new) if meld.cards for problem in meld_problems(meld, rules)]
    problems += [_problem(Reason.EXTRA_MELD, meld=meld) for meld in new if not rules.extra_melds]
    table, lies = _cards_of(on.meld for on in before), _cards_of([*now.values(), *new])
    problems += _account_problems(table, hand_cards, lies)
    return tuple(problems) or _step_problems(before, hand_cards, now, rules)


def _problem(reason: Reason, **facts: object) -> Problem:
    return Problem(reason, "P6", facts, Firmness.TEXT)


def _cards_of(melds: Iterable[Meld]) -> list[Card]:
    return [card for meld in melds for card in meld.cards]


def _listed(cards: Counter[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards.elements(), key=str))


def _account_problems(table: Sequence[Card], hand: Sequence[Card], now: Sequence[Card]) -> list[Problem]:
    """Table and hand before are the table afterwards, card by card."""
    had, have = Counter(table) + Counter(hand), Counter(now)
    wrong = {Reason.CARD_FROM_NOWHERE: have - had, Reason.CARD_LEFT_OVER: had - have}
    return [_problem(reason, cards=_listed(cards)) for reason, cards in wrong.items() if cards]


def _facts(on: TableMeld) -> dict[str, object]:
    return {"meld": on.meld, "number": on.number, "owner": on.owner}


def _taken_problems(on: TableMeld, now: Meld, hand: Sequence[Card], rules: Rules) -> list[Problem]:
    """What left one meld that no step lets leave it."""
    was = on.meld
    if (was.kind, was.rank, was.suit) != (now.kind, now.rank, now.suit) or not now.cards:
        return [_problem(Reason.MELD_BROKEN, **_facts(on))]
    naturals, wilds = _left_set(was, now, hand, rules) if was.kind is Kind.SET else _left_run(was, now, hand)
    taken = {Reason.NATURAL_TAKEN: naturals, Reason.WILD_TAKEN: wilds}
    return [_problem(reason, cards=cards, **_facts(on)) for reason, cards in taken.items() if cards]


_Cards = tuple[Card, ...]


def _left_set(was: Meld, now: Meld, hand: Sequence[Card], rules: Rules) -> tuple[_Cards, _Cards]:
    """Naturals and wilds that left a set without a natural of its rank in their place.

    Without a card of the rank from hand no natural is exchanged; a 2 may be freed as well.
    """
    gone, came = _gone(was, now), _gone(now, was)
    naturals = [card for card in gone if card.rank is was.rank]
    wilds = [card for card in gone if card.rank is not was.rank]
    paid = sum(card.rank is was.rank for card in came)
    if was.rank not in rules.wild_ranks and all(card.rank is not was.rank for card in hand):
        return tuple(naturals), tuple(wilds)
    return tuple(naturals[paid:]), tuple(wilds[max(0, paid - len(naturals)) :])


def _gone(was: Meld, now: Meld) -> tuple[Card, ...]:
    return _listed(Counter(was.cards) - Counter(now.cards))


def _left_run(was: Meld, now: Meld, hand: Sequence[Card]) -> tuple[_Cards, _Cards]:
    """Naturals that left their place in a run, and wilds that left theirs without a card that frees them."""
    shift = run_shift(was, now)
    naturals: list[Card] = []
    wilds: list[Card] = []
    for at, card in _left_places(was, now):
        if not was.is_wild_at(at):
            naturals.append(card)
        elif not hand or not (_replaced(was, now, at) or _may_be_freed(was, now, at, shift)):
            wilds.append(card)
    return tuple(naturals), tuple(wilds)


def _left_places(was: Meld, now: Meld) -> Iterator[tuple[int, Card]]:
    """The places of a run that do not lie as before, with the cards that lay there."""
    return ((at, card) for at, card in enumerate(was.cards) if _lies_at(was, now, at) != card)


def _lies_at(was: Meld, now: Meld, at: int) -> Card | None:
    there = at - run_shift(was, now)
    return now.cards[there] if 0 <= there < len(now.cards) else None


def _replaced(was: Meld, now: Meld, at: int) -> bool:
    return _lies_at(was, now, at) == was.stands_for(at)


def _may_be_freed(was: Meld, now: Meld, at: int, shift: int) -> bool:
    """Whether it lay at an end, and another wild covers its place or the run grew at its other end.

    No step makes a run shorter, so what it loses at one end it has to grow at the other one.
    """
    if at not in (0, len(was.cards) - 1):
        return False
    grew = shift < 0 if at else shift + len(now.cards) > len(was.cards)
    return grew or _lies_at(was, now, at) is not None


def _step_problems(
    before: Sequence[TableMeld], hand: Sequence[Card], now: Mapping[int, Meld], rules: Rules
) -> tuple[Problem, ...]:
    """Whether one legal step after another leads there, and if none does, what stands in the way."""
    pairs = [(on.meld, now[on.number]) for on in before]
    if steps_lead(pairs, hand, rules):
        return ()
    wilds = {card for card in (*hand, *_cards_of(was for was, _ in pairs)) if is_wild_card(card, rules)}
    changed = [on for on in before if on.meld != now[on.number]]
    alone = [on for on in changed if not leads_alone(on.meld, now[on.number], wilds, rules)]
    return tuple(_stuck(on, now[on.number]) for on in alone or changed)


def _stuck(on: TableMeld, now: Meld) -> Problem:
    """A wild that left with nothing to free it; else a meld that no order of legal steps makes."""
    was = on.meld
    if was.kind is Kind.RUN:
        left = [(at, card) for at, card in _left_places(was, now) if not _replaced(was, now, at)]
        if left:
            return _problem(Reason.WILD_TAKEN, cards=tuple(card for _, card in left), **_facts(on))
    return _problem(Reason.NO_STEPS, now=now, **_facts(on))
