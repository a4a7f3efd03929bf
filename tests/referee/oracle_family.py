"""A slow oracle for going down in every contract rummy: all choices of cards, from the rule book alone (FAMILY 0, 4).

It reads the switches of a table and tries every subset of the hand for every slot; nothing of the referee's melds,
limits or searches is imported.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from companion.referee.cards import Card, Rank, Suit
from companion.referee.rules import Contract, Kind, Rules


class Lies(NamedTuple):
    """One way for some cards of a hand to be a meld: what it is called, and its cards that stand for others."""

    kind: Kind
    of: object  # the rank of a set, the suit of a run or colour
    first: int  # the first place of a run; the ace below the 2 is 1
    size: int
    wilds: int


def can_lie(hand: Sequence[Card], contract: Contract, rules: Rules) -> bool:
    """Whether some cards of the hand fill the contract under every switch of the table; the hand is small."""
    if contract.is_everything:
        return any(_all_melded(hand[:at] + hand[at + 1 :], rules) for at in range(len(hand)))
    if rules.all_at_once:
        raise ValueError("a deal without a discard has another question")
    ways = {slot: _ways(hand, slot.kind, slot.size, rules) for slot in set(contract.slots)}
    return _fill(0, 0, [], [ways[slot] for slot in contract.slots], rules)


def _fill(at: int, taken: int, laid: list[Lies], ways: list[list[tuple[int, Lies]]], rules: Rules) -> bool:
    if at == len(ways):
        return rules.max_wilds_laid is None or sum(lies.wilds for lies in laid) <= rules.max_wilds_laid
    return any(
        _fill(at + 1, taken | cards, [*laid, lies], ways, rules)
        for cards, lies in ways[at]
        if not cards & taken and not any(_near(lies, other, rules) for other in laid)
    )


def _all_melded(cards: Sequence[Card], rules: Rules) -> bool:
    melds = [bits for kind in (Kind.SET, Kind.RUN) for bits, _ in _ways(cards, kind, 3, rules)]

    def split(left: int) -> bool:
        lowest = left & -left
        return not left or any(split(left & ~bits) for bits in melds if bits & lowest and not bits & ~left)

    return split((1 << len(cards)) - 1)


def _near(one: Lies, other: Lies, rules: Rules) -> bool:
    if one.kind is not other.kind or one.of is not other.of:
        return False
    if one.kind is Kind.SET:
        return rules.same_rank_sets == "forbidden"
    if one.kind is not Kind.RUN or rules.same_suit_runs == "allowed":
        return False
    if rules.same_suit_runs == "forbidden":
        return True
    low, high = sorted((one, other), key=lambda lies: lies.first)
    between = high.first - (low.first + low.size)
    return between == 0 if rules.same_suit_runs == "not_touching" else between < int(rules.same_suit_runs[-1])


def _ways(hand: Sequence[Card], kind: Kind, least: int, rules: Rules) -> list[tuple[int, Lies]]:
    most = least if rules.lay_down_size == "exact" else len(hand)
    found = {
        (sum(1 << at for at in chosen), lies)
        for size in range(least, most + 1)
        for chosen in combinations(range(len(hand)), size)
        for lies in _melds([hand[at] for at in chosen], kind, rules)
    }
    return sorted(found, key=lambda way: way[0].bit_count())


def _stands_for_any(card: Card, rules: Rules) -> bool:
    return not rules.jokers_skip if card.rank is Rank.JOKER else card.rank in rules.wild_ranks


def _lies_as_itself(card: Card, rules: Rules) -> bool:
    return card.rank is not Rank.JOKER and (rules.natural_twos or card.rank not in rules.wild_ranks)


def _melds(cards: Sequence[Card], kind: Kind, rules: Rules) -> Iterator[Lies]:
    if kind is Kind.SET:
        yield from _sets(cards, rules)
    elif kind is Kind.COLOUR:
        yield from _colours(cards, rules)
    else:
        fixed = [card for card in cards if not _stands_for_any(card, rules)]
        for suit in Suit if kind is Kind.RUN else (None,):
            if suit is not None and any(card.suit is not suit for card in fixed):
                continue
            for places in _places(len(cards), rules):
                if not {(card.rank - 1) % 13 for card in fixed} <= {(place - 1) % 13 for place in places}:
                    continue
                for wild in _lying(cards, places, suit, rules):
                    if _within(kind, wild, rules):
                        yield Lies(kind, suit, places[0], len(cards), sum(wild))


def _sets(cards: Sequence[Card], rules: Rules) -> Iterator[Lies]:
    for rank in Rank:
        if rank is Rank.JOKER or (rank in rules.wild_ranks and not rules.natural_twos):
            continue
        natural = [card for card in cards if card.rank is rank]
        others = [card for card in cards if card.rank is not rank]
        if not all(_stands_for_any(card, rules) for card in others):
            continue
        suits = [card.suit for card in natural]
        if rules.set_suits != "any" and len(set(suits)) < len(suits):
            continue
        if rank in rules.wild_ranks and any(card.rank is not Rank.JOKER for card in others):
            continue
        order = [False] * len(natural) + [True] * len(others)
        if len(others) > (len(cards) + 1) // 2 and rules.adjacent_wilds == "nowhere":
            continue
        if _within(Kind.SET, order, rules):
            yield Lies(Kind.SET, rank, 0, len(cards), len(others))


def _colours(cards: Sequence[Card], rules: Rules) -> Iterator[Lies]:
    for suit in Suit:
        wild = [_stands_for_any(card, rules) for card in cards]
        lie = all(is_wild or (card.suit is suit and card.rank) for card, is_wild in zip(cards, wild, strict=True))
        if lie and _within(Kind.COLOUR, sorted(wild), rules):
            yield Lies(Kind.COLOUR, suit, 0, len(cards), sum(wild))


def _places(size: int, rules: Rules) -> Iterator[list[int]]:
    """The places of every run that long: numbers with the ace as 1 below the 2 and as 14 above the king.

    A rank that is always wild has no place, unless the table keeps it: no run goes past it.
    """
    if rules.ace.startswith("corner"):
        least, most = 1, 13 + size - 1
    else:
        least, most = {"high": (2, 14), "low": (1, 13), "either": (1, 14), "both_ends": (1, 14)}[rules.ace]
    if size > 13 and rules.ace == "corner":
        return
    gone = set() if rules.natural_twos or rules.wild_places else {(rank - 1) % 13 for rank in rules.wild_ranks}
    if gone and rules.ace.startswith("corner"):
        return
    for low in range(least, most - size + 2):
        places = [low + at for at in range(size)]
        if rules.ace == "either" and {1, 14} <= set(places):
            continue
        if gone.isdisjoint((place - 1) % 13 for place in places):
            yield places


def _lying(cards: Sequence[Card], places: Sequence[int], suit: Suit | None, rules: Rules) -> Iterator[list[bool]]:
    """Every way to put all cards on the places, as which places hold a wild."""
    todo: list[tuple[int, list[bool]]] = [(0, [])]
    full = (1 << len(cards)) - 1
    while todo:
        used, wild = todo.pop()
        if used == full:
            yield wild
            continue
        place, seen = (places[len(wild)] - 1) % 13, set()
        for at, card in enumerate(cards):
            if used >> at & 1 or card in seen:
                continue
            seen.add(card)
            own = card.rank and (int(card.rank) - 1) % 13 == place and (suit is None or card.suit is suit)
            if own and _lies_as_itself(card, rules):
                todo.append((used | 1 << at, [*wild, False]))
            elif _stands_for_any(card, rules):
                todo.append((used | 1 << at, [*wild, True]))


def _within(kind: Kind, wild: Sequence[bool], rules: Rules) -> bool:
    """Whether a meld with wilds at these places keeps the limits (FAMILY W2, W4)."""
    size, wilds = len(wild), sum(wild)
    naturals = size - wilds
    by_size = [most for longest, most in rules.max_wilds_by_size if size <= longest] or [
        most for _, most in rules.max_wilds_by_size[-1:]
    ]
    at = [place for place, is_wild in enumerate(wild) if is_wild]
    apart = max(rules.wilds_apart, rules.adjacent_wilds != "allowed") if kind in (Kind.RUN, Kind.ANYRUN) else 0
    return (
        naturals >= rules.min_naturals
        and (kind is not Kind.SET or naturals >= (rules.set_naturals or 0))
        and (rules.max_wilds is None or wilds <= rules.max_wilds)
        and (not rules.naturals_outnumber or wilds < naturals)
        and (rules.wild_share != "half" or wilds <= naturals)
        and (rules.wild_share != "third" or 2 * wilds <= naturals)
        and all(wilds <= most for most in by_size[:1])
        and all(after - before > apart for before, after in pairwise(at))
    )
