"""Filling a contract: melds laid, groups of cards, and whether a hand can go down at all (G4, P4)."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from companion.referee.cards import Card
from companion.referee.games import cited
from companion.referee.likely import likely_melds
from companion.referee.melds import Meld, meld_problems
from companion.referee.nearness import clash
from companion.referee.readings import readings, readings_as, shapes
from companion.referee.reasons import Firmness, Problem, Reason
from companion.referee.rules import Contract, Kind, Rules, Slot
from companion.referee.table import copies_problems
from companion.referee.wild_limits import limits_of, unlimited

#: The kinds that are melds in every game.
PLAIN = (Kind.SET, Kind.RUN)


def further_slot(kind: Kind, rules: Rules) -> Slot:
    """The slot of a meld beyond the contract (G4.4).

    >>> from companion.referee.games import KATE
    >>> further_slot(Kind.RUN, KATE).size
    3
    """
    return Slot(kind, 3 if kind is Kind.SET else rules.further_run)


def further_kinds(contract: Contract, rules: Rules, *, later: bool = False) -> tuple[Kind, ...]:
    """The kinds that a meld beyond the contract may be, in the lay-down itself or ``later``; none where there is none (G4.4).

    >>> from companion.referee.games import KATE, PERU
    >>> len(further_kinds(KATE.contracts[0], KATE)), len(further_kinds(PERU.contracts[0], PERU))
    (0, 2)
    """
    if contract.is_everything:
        return () if later else rules.kinds
    if not rules.extra_melds or (rules.further_when == "later_turn" and not later):
        return ()
    return rules.kinds if rules.further_kinds == "any" else tuple({slot.kind: None for slot in contract.slots})


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


def lay_down_problems(
    melds: Sequence[Meld], contract: Contract | None, rules: Rules, further: Sequence[Kind] | None = None
) -> tuple[Problem, ...]:
    """Every fault of every meld laid for the contract, and of the whole, at once (G4.2–G4.5, G1.1); empty: legal.

    Without a contract all of them are further ones; ``further`` are the kinds these may be, those of the lay-down if
    it is left out.

    Facts of a meld's fault carry ``index``, its place in ``melds``; of a missing one ``slot``, ``kind`` and ``size``.

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> nines = Meld.set_of(parse_cards("9S")[0].rank, parse_cards("9S 9H"))
    >>> [(p.reason.name, p.rule) for p in lay_down_problems([nines], KATE.contracts[0], KATE)]
    [('MISSING_MELD', 'G4.2'), ('TOO_SHORT', 'G4.1')]
    """
    whole = contract is None or contract.is_everything
    slots = () if contract is None or whole else assign(melds, contract)
    kinds = further if further is not None else further_kinds(contract, rules) if contract else ()
    problems: list[Problem] = []
    for place, index in enumerate(slots):
        if index is None and contract is not None:
            missing = contract.slots[place]
            facts: dict[str, object] = {"slot": place, "kind": missing.kind.value, "size": missing.size}
            problems.append(Problem(Reason.MISSING_MELD, "G4.2", facts))
    for index, meld in enumerate(melds):
        slot = contract.slots[slots.index(index)] if contract and index in slots else None
        least = further_slot(meld.kind, rules).size
        problems += [problem.with_facts(index=index) for problem in meld_problems(meld, rules, slot, least=least)]
        if index not in slots and meld.kind not in kinds and (meld.kind in rules.kinds or meld.kind in PLAIN):
            facts = {"meld": meld, "index": index}
            switch = _allows_further(meld.kind, contract, rules)
            problems.append(Problem(Reason.EXTRA_MELD, "G4.4", facts, Firmness.SILENT, switch))
    laid = sum(meld.size for meld in melds)
    if contract is not None and contract.is_everything and laid != rules.hand_size:
        problems.append(Problem(Reason.NOT_ALL_DEALT, "G4.2", {"laid": laid, "dealt": rules.hand_size}))
    problems += [*pair_problems(melds, rules), *_laid_wilds(melds, rules)]
    return cited((*problems, *copies_problems([card for meld in melds for card in meld.cards], rules)), rules)


def _allows_further(kind: Kind, contract: Contract | None, rules: Rules) -> str | None:
    """The switch that alone would let a meld of that kind lie beyond the contract; None where several would have to turn."""
    if contract is None:
        return "further_kinds"
    for switch, value in (("extra_melds", True), ("further_when", "same_turn"), ("further_kinds", "any")):
        if kind in further_kinds(contract, rules.replace(**{switch: value})):
            return switch
    return None


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
        if clash(first, second, rules):
            facts = {"meld": first, "other": second, "index": i, "other_index": j}
            switch = "same_rank_sets" if first.kind is Kind.SET else "same_suit_runs"
            problems.append(Problem(_clash_reason(switch, rules), "G4.5", facts, Firmness.SILENT, switch))
    return problems


def _clash_reason(switch: str, rules: Rules) -> Reason:
    if switch == "same_rank_sets":
        return Reason.SAME_RANK_SETS
    return Reason.SAME_SUIT_RUNS if rules.same_suit_runs == "forbidden" else Reason.RUNS_TOO_NEAR


def _laid_wilds(melds: Sequence[Meld], rules: Rules) -> list[Problem]:
    """More wilds in the whole lay-down than the table allows."""
    wilds = sum(len(limits_of(rules).wilds_of(meld)) for meld in melds)
    if rules.max_wilds_laid is None or wilds <= rules.max_wilds_laid:
        return []
    facts = {"wilds": wilds, "limit": rules.max_wilds_laid}
    return [Problem(Reason.TOO_MANY_WILDS_LAID, "G3.4", facts, Firmness.SILENT, "max_wilds_laid")]


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
    return readings_as(cards, slot.kind, rules)


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
    if contract.is_everything:
        return _everything(groups, rules)
    further = further_kinds(contract, rules)
    if len(groups) < len(contract.slots) or (len(groups) > len(contract.slots) and not further):
        return None
    if sum(map(len, groups)) < contract.cards_needed:
        return None
    slots: tuple[Slot | None, ...] = (*contract.slots, *[None] * (len(groups) - len(contract.slots)))
    beyond = [further_slot(kind, rules) for kind in further]
    ways = [
        {slot: slot_readings(cards, slot, rules) if slot else _as_further(cards, beyond, rules) for slot in set(slots)}
        for cards in groups
    ]
    if not all(any(way.values()) for way in ways):
        return None
    filled = _filling(tuple(range(len(groups))), slots, {}, ways, rules)
    return tuple(filled[index] for index in range(len(groups))) if filled else None


def _everything(groups: Sequence[Sequence[Card]], rules: Rules) -> tuple[Meld, ...] | None:
    """Each group as a meld, where all the cards dealt have to lie."""
    melds = [readings(cards, rules)[:1] for cards in groups]
    if sum(map(len, groups)) != rules.hand_size or not all(melds):
        return None
    return tuple(meld for (meld,) in melds)


def _filling(
    groups: tuple[int, ...],
    slots: Sequence[Slot | None],
    laid: Mapping[int, Meld],
    ways: Sequence[Mapping[Slot | None, Sequence[Meld]]],
    rules: Rules,
) -> Mapping[int, Meld] | None:
    """The groups in the slots; of those left for no slot the first is as good as any, for each of them has to lie."""
    melds = list(laid.values())
    if pair_problems(melds, rules) or _laid_wilds(melds, rules):
        return None
    if not slots:
        return laid
    for at, index in enumerate(groups if slots[0] else groups[:1]):
        for meld in ways[index][slots[0]]:
            if filled := _filling((*groups[:at], *groups[at + 1 :]), slots[1:], {**laid, index: meld}, ways, rules):
                return filled
    return None


def _as_further(cards: Sequence[Card], further: Sequence[Slot], rules: Rules) -> list[Meld]:
    """Every way the cards are a meld beyond the contract, which may be longer even where its own are exact (G4.4)."""
    return [meld for slot in further if len(cards) >= slot.size for meld in readings_as(cards, slot.kind, rules)]


def as_meant(groups: Sequence[Sequence[Card]], contract: Contract, rules: Rules) -> list[Meld]:
    """Each group as the meld it was probably meant as, where together they do not fill the contract (G4.2).

    Where only the limits on wilds stand against them, they are meant as what fills it without those. Else a group that
    fills a slot does so, unless a group that fills none is probably meant for it; so one wrong group
    among right ones is the only one that is wrong.

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> melds = as_meant([parse_cards("5H 2S 2D 2C"), parse_cards("9S 9H 8D")], KATE.contracts[1], KATE)
    >>> [meld.kind.value for meld in melds]
    ['run', 'set']
    """
    if meant := filling(groups, contract, unlimited(rules)):
        return list(meant)
    melds = [(readings(cards, rules) or likely_melds(cards, rules))[0] for cards in groups]
    ways = [[slot_readings(cards, slot, rules) for slot in contract.slots] for cards in groups]
    wanted = _wanted([meld.kind for meld, way in zip(melds, ways, strict=True) if not any(way)], contract)
    order = sorted(range(len(contract.slots)), key=wanted.__contains__)
    holder: dict[int, int] = {}
    for index in range(len(groups)):
        _place(index, ways, order, holder, set())
    for slot, index in holder.items():
        melds[index] = ways[index][slot][0]
    left = [slot for place, slot in enumerate(contract.slots) if place not in holder]
    for index in sorted(set(range(len(groups))) - set(holder.values())):
        melds[index] = _for_an_open_slot(groups[index], melds[index], left, rules)
    return melds


def _for_an_open_slot(cards: Sequence[Card], meld: Meld, left: list[Slot], rules: Rules) -> Meld:
    """The meld, or the other kind of it where the contract still wants that one and nothing but wilds is in its way."""
    kinds = [slot.kind for slot in left]
    meant = [meld, *[other for other in shapes(cards, rules) if other.kind is not meld.kind]]
    chosen = next((each for each in meant if each.kind in kinds), meld)
    if chosen.kind in kinds:
        left.pop(kinds.index(chosen.kind))
    return chosen


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
