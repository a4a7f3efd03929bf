"""The likely intent of typed cards that are no meld: as a set, or as a run."""

from collections import Counter
from collections.abc import Sequence

from companion.referee.cards import Card, Rank, Suit
from companion.referee.melds import Meld, is_natural_card, is_wild_card, rank_at
from companion.referee.readings import shapes
from companion.referee.rules import Rules
from companion.referee.wild_limits import wild_limit_problems


def likely_melds(cards: Sequence[Card], rules: Rules) -> list[Meld]:
    """What cards that somebody typed were probably meant as, the likelier first; they need not be a legal meld.

    Where only a limit on wilds forbids them they are that meld: nothing else is wrong with it.
    """
    shaped = sorted(shapes(cards, rules), key=lambda meld: len(wild_limit_problems(meld, rules)))
    kinds = {meld.kind: meld for meld in reversed(shaped)}
    if not kinds:
        return _guesses(cards, rules)
    others = [meld for meld in _guesses(cards, rules) if meld.kind not in kinds]
    return [*sorted(kinds.values(), key=shaped.index), *others]


def _guesses(cards: Sequence[Card], rules: Rules) -> list[Meld]:
    naturals = [card for card in cards if not is_wild_card(card, rules)]
    anything = next(rank for rank in Rank if is_natural_card(Card(rank, None), rules))  # wilds only may be any set
    rank = Counter(card.rank for card in naturals).most_common(1)[0][0] if naturals else anything
    as_set = Meld.set_of(rank, cards)
    suits = Counter(card.suit for card in naturals if card.suit)
    if not suits:
        return [as_set]
    suit = suits.most_common(1)[0][0]
    as_run = _likely_run(cards, suit, rules)
    alike = sum(card.rank is rank for card in naturals)
    run_first = suits[suit] > alike or (len(set(naturals)) > 1 and suits[suit] == alike)
    return [as_run, as_set] if run_first else [as_set, as_run]


def _likely_run(cards: Sequence[Card], suit: Suit, rules: Rules) -> Meld:
    at = next(i for i, card in enumerate(cards) if card.suit is suit and not is_wild_card(card, rules))
    return Meld.run_from(suit, rank_at(cards[at].rank, -at) if cards[at].rank - at >= 2 else Rank.TWO, cards)
