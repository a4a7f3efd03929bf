"""Filling a contract: melds laid, groups of cards, and whether a hand can go down at all (G4, P4)."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from companion.referee.cards import Card
from companion.referee.melds import Meld, meld_problems, run_readings, set_readings
from companion.referee.reasons import Firmness, Problem, Reason
from companion.referee.rules import Contract, Kind, Rules, Slot
from companion.referee.table import copies_problems

FURTHER = {Kind.SET: Slot(Kind.SET, 3), Kind.RUN: Slot(Kind.RUN, 3)}


def assign(melds: Sequence[Meld], contract: Contract) -> tuple[int | None, ...]:
    """For each slot the index of the meld that fills it, longest slots first; None where none of its kind is left (G4.2).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> three, four = (Meld.set_of(cards[0].rank, cards) for cards in map(parse_cards, ("9S 9H 9D", "8S 8H 8D 8C")))
    >>> assign([three, four], KATE.contracts[2]), assign([four], KATE.contracts[0])
    ((1, 0), (0, None))
    """
    taken: list[int | None] = [None] * len(contract.slots)
    free = list(range(len(melds)))
    for place in sorted(range(len(contract.slots)), key=lambda at: -contract.slots[at].size):
        slot = contract.slots[place]
        fitting = [i for i in free if melds[i].kind is slot.kind]
        long_enough = [i for i in fitting if len(melds[i].cards) >= slot.size]
        if fitting:
            taken[place] = (long_enough or fitting)[0]
            free.remove((long_enough or fitting)[0])
    return tuple(taken)


def lay_down_problems(melds: Sequence[Meld], contract: Contract, rules: Rules) -> tuple[Problem, ...]:
    """Every fault of every meld laid for the contract, and of the whole, at once (G4.2–G4.5, G1.1); empty: legal.

    Facts of a meld's fault carry ``index``, its place in ``melds``; of a missing one ``slot``, ``kind`` and ``size``.

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> nines = Meld.set_of(parse_cards("9S")[0].rank, parse_cards("9S 9H"))
    >>> [(p.reason.name, p.rule) for p in lay_down_problems([nines], KATE.contracts[0], KATE)]
    [('MISSING_MELD', 'G4.2'), ('TOO_SHORT', 'G4.1')]
    """
    slots = assign(melds, contract)
    problems: list[Problem] = []
    for place, index in enumerate(slots):
        if index is None:
            slot = contract.slots[place]
            facts: dict[str, object] = {"slot": place, "kind": slot.kind.value, "size": slot.size}
            problems.append(Problem(Reason.MISSING_MELD, "G4.2", facts))
    for index, meld in enumerate(melds):
        slot = contract.slots[slots.index(index)] if index in slots else FURTHER[meld.kind]
        problems += [_at(problem, index) for problem in meld_problems(meld, rules, slot)]
        if index not in slots and not rules.extra_melds:
            facts = {"meld": meld, "index": index}
            problems.append(Problem(Reason.EXTRA_MELD, "G4.4", facts, Firmness.SILENT, "extra_melds"))
    problems += pair_problems(melds, rules)
    return (*problems, *copies_problems([card for meld in melds for card in meld.cards], rules))


def _at(problem: Problem, index: int) -> Problem:
    return replace(problem, facts={**problem.facts, "index": index})


def pair_problems(melds: Sequence[Meld], rules: Rules) -> list[Problem]:
    """Two sets of one rank, two runs of one suit, where the table forbids them (G4.5).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> nines = Meld.set_of(parse_cards("9S")[0].rank, parse_cards("9S 9H 9D"))
    >>> pair_problems([nines, nines], KATE), len(pair_problems([nines, nines], KATE.replace(same_rank_sets="forbidden")))
    ([], 1)
    """
    problems = []
    for (i, first), (j, second) in combinations(enumerate(melds), 2):
        facts = {"meld": first, "other": second, "index": i, "other_index": j}
        if first.kind is not second.kind:
            continue
        if first.kind is Kind.SET and first.rank is second.rank and rules.same_rank_sets == "forbidden":
            problems.append(Problem(Reason.SAME_RANK_SETS, "G4.5", facts, Firmness.SILENT, "same_rank_sets"))
        if first.kind is Kind.RUN and first.suit is second.suit and rules.same_suit_runs == "forbidden":
            problems.append(Problem(Reason.SAME_SUIT_RUNS, "G4.5", facts, Firmness.SILENT, "same_suit_runs"))
    return problems


def slot_readings(cards: Sequence[Card], slot: Slot, rules: Rules) -> tuple[Meld, ...]:
    """Every way the cards fill one slot (G3.6, G4.1, G4.3); empty: they do not.

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> [str(meld) for meld in slot_readings(parse_cards("5H 2S 2D JH"), Slot(Kind.RUN, 4), KATE)]
    []
    >>> [str(meld) for meld in slot_readings(parse_cards("5H 2S 2D 8H"), Slot(Kind.RUN, 4), KATE)]
    ['5H 2D 2S 8H']
    """
    exact = rules.lay_down_size == "exact"
    if len(cards) < slot.size or (exact and len(cards) > slot.size):
        return ()
    return set_readings(cards, rules) if slot.kind is Kind.SET else run_readings(cards, rules)


def fills(groups: Sequence[Sequence[Card]], contract: Contract, rules: Rules) -> bool:
    """Whether the groups, in some order and some reading, are a legal lay-down for the contract (G4.2).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> fills([parse_cards("7D 7S 2H"), parse_cards("9S 9C 2D")], KATE.contracts[0], KATE)
    True
    """
    if len(groups) < len(contract.slots) or (len(groups) > len(contract.slots) and not rules.extra_melds):
        return False
    if sum(map(len, groups)) < contract.cards_needed:
        return False
    slots = (*contract.slots, *[None] * (len(groups) - len(contract.slots)))
    return _fills([list(group) for group in groups], slots, (), rules)


def _fills(groups: list[list[Card]], slots: Sequence[Slot | None], laid: tuple[Meld, ...], rules: Rules) -> bool:
    if not slots:
        return not pair_problems(laid, rules)
    for index, group in enumerate(groups):
        rest = groups[:index] + groups[index + 1 :]
        kinds = [slots[0]] if slots[0] else list(FURTHER.values())
        for meld in [meld for slot in kinds for meld in slot_readings(group, slot, rules)]:
            if _fills(rest, slots[1:], (*laid, meld), rules):
                return True
    return False


def least_buys(contract: Contract, rules: Rules) -> int:
    """The fewest buys with which enough cards are in hand after drawing: 12 + 2 a buy (G4.6).

    >>> from companion.referee.games import KATE
    >>> [least_buys(contract, KATE) for contract in KATE.contracts]
    [0, 0, 0, 0, 0, 0, 0, 1, 1, 2]
    """
    return max(0, -(-(contract.cards_needed - rules.hand_size - 1) // (1 + rules.stock_cards)))


def floats(contract: Contract, rules: Rules, buys: int) -> bool:
    """Whether going down with that many buys leaves no card to discard (G4.6, G7.3).

    >>> from companion.referee.games import KATE
    >>> floats(KATE.contracts[6], KATE, 0), floats(KATE.contracts[8], KATE, 1), floats(KATE.contracts[7], KATE, 1)
    (True, True, False)
    """
    return rules.hand_size + 1 + (1 + rules.stock_cards) * buys == contract.cards_needed
