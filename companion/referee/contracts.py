"""Filling a contract: melds laid, groups of cards, and whether a hand can go down at all (G4, P4)."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from companion.referee.cards import Card
from companion.referee.games import cited
from companion.referee.likely import likely_melds
from companion.referee.melds import Meld, meld_problems, readings, run_readings, set_readings
from companion.referee.reasons import Firmness, Problem, Reason
from companion.referee.rules import Contract, Kind, Rules, Slot
from companion.referee.table import copies_problems


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
        if fitting:
            best = next((i for i in fitting if len(melds[i].cards) >= slot.size), fitting[0])
            taken[place] = best
            free.remove(best)
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
            missing = contract.slots[place]
            facts: dict[str, object] = {"slot": place, "kind": missing.kind.value, "size": missing.size}
            problems.append(Problem(Reason.MISSING_MELD, "G4.2", facts))
    for index, meld in enumerate(melds):
        slot = contract.slots[slots.index(index)] if index in slots else None
        problems += [problem.with_facts(index=index) for problem in meld_problems(meld, rules, slot)]
        if index not in slots and not rules.extra_melds:
            facts = {"meld": meld, "index": index}
            problems.append(Problem(Reason.EXTRA_MELD, "G4.4", facts, Firmness.SILENT, "extra_melds"))
    problems += pair_problems(melds, rules)
    return cited((*problems, *copies_problems([card for meld in melds for card in meld.cards], rules)), rules)


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
    if len(cards) < slot.size or (rules.lay_down_size == "exact" and len(cards) > slot.size):
        return ()
    return set_readings(cards, rules) if slot.kind is Kind.SET else run_readings(cards, rules)


def fills(groups: Sequence[Sequence[Card]], contract: Contract, rules: Rules) -> bool:
    """Whether the groups, in some order and some reading, are a legal lay-down for the contract (G4.2).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> fills([parse_cards("7D 7S 2H"), parse_cards("9S 9C 2D")], KATE.contracts[0], KATE)
    True
    """
    return filling(groups, contract, rules) is not None


def filling(groups: Sequence[Sequence[Card]], contract: Contract, rules: Rules) -> tuple[Meld, ...] | None:
    """Each group as the meld with which all of them fill the contract; None where they do not (G4.2).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> melds = filling([parse_cards("5H 2S 2D 2C"), parse_cards("9S 9H 9D")], KATE.contracts[1], KATE)
    >>> [meld.kind.value for meld in melds]
    ['run', 'set']
    """
    if len(groups) < len(contract.slots) or (len(groups) > len(contract.slots) and not rules.extra_melds):
        return None
    if sum(map(len, groups)) < contract.cards_needed:
        return None
    slots: tuple[Slot | None, ...] = (*contract.slots, *[None] * (len(groups) - len(contract.slots)))
    melds = _filling(dict(enumerate(groups)), slots, {}, rules)
    return tuple(melds[index] for index in range(len(groups))) if melds else None


def _filling(
    groups: Mapping[int, Sequence[Card]], slots: Sequence[Slot | None], laid: Mapping[int, Meld], rules: Rules
) -> Mapping[int, Meld] | None:
    if not slots:
        return None if pair_problems(list(laid.values()), rules) else laid
    for index, group in groups.items():
        rest = {other: cards for other, cards in groups.items() if other != index}
        for meld in slot_readings(group, slots[0], rules) if slots[0] else readings(group, rules):
            if melds := _filling(rest, slots[1:], {**laid, index: meld}, rules):
                return melds
    return None


def as_meant(groups: Sequence[Sequence[Card]], contract: Contract, rules: Rules) -> list[Meld]:
    """Each group as the meld it was probably meant as, where together they do not fill the contract (G4.2).

    A group that fills a slot does so, unless a group that fills none is probably meant for it; so one wrong group
    among right ones is the only one that is wrong.

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> melds = as_meant([parse_cards("5H 2S 2D 2C"), parse_cards("9S 9H 8D")], KATE.contracts[1], KATE)
    >>> [meld.kind.value for meld in melds]
    ['run', 'set']
    """
    melds = [(readings(cards, rules) or likely_melds(cards, rules))[0] for cards in groups]
    ways = [[slot_readings(cards, slot, rules) for slot in contract.slots] for cards in groups]
    wanted = _wanted([meld.kind for meld, way in zip(melds, ways, strict=True) if not any(way)], contract)
    order = sorted(range(len(contract.slots)), key=wanted.__contains__)
    holder: dict[int, int] = {}
    for index in range(len(groups)):
        _place(index, ways, order, holder, set())
    for slot, index in holder.items():
        melds[index] = ways[index][slot][0]
    return melds


def _wanted(kinds: Sequence[Kind], contract: Contract) -> set[int]:
    """A slot for each of these kinds, as long as there are any."""
    wanted: set[int] = set()
    for kind in kinds:
        wanted |= {*[at for at, slot in enumerate(contract.slots) if slot.kind is kind and at not in wanted][:1]}
    return wanted


def _place(
    index: int, ways: Sequence[Sequence[Sequence[Meld]]], order: Sequence[int], holder: dict[int, int], seen: set[int]
) -> bool:
    """Give the group a slot it fills, moving others to further slots where they fill those too."""
    for slot in order:
        if ways[index][slot] and slot not in seen:
            seen.add(slot)
            if slot not in holder or _place(holder[slot], ways, order, holder, seen):
                holder[slot] = index
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
