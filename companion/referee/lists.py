"""A list of hands of one's own: read from text, written as text, put in the place of a sheet's list (FAMILY 8)."""

import re
from collections.abc import Sequence
from itertools import groupby

from companion.referee.rules import Contract, Kind, Rules, Slot

#: What a list may hold: melds in a contract, cards in a meld, hands in a list.
MOST_SLOTS, MOST_HANDS = 6, 40
#: How many cards a meld of a contract may ask for, by its kind.
SIZES = {Kind.SET: range(2, 13), Kind.RUN: range(3, 15), Kind.ANYRUN: range(3, 14), Kind.COLOUR: range(3, 15)}
#: Every card in sets and runs, but the one that is thrown.
EVERYTHING = Contract((Slot(Kind.ALL, 3),))
_SLOT = re.compile(r"(?:([1-9])\s*x\s*)?(set|run|anyrun|colour)([0-9]{1,2})")


class BadContract(ValueError):
    """A text that is no contract; it says which part is wrong.

    ``code`` is "unknown" (with ``part``), "size" (``part``, ``least``, ``most``) or "melds" (``most``), with these
    ``facts``; those of a whole hand of a list are in ``own_lists``.
    """

    def __init__(self, message: str, code: str, **facts: object) -> None:
        super().__init__(message)
        self.code, self.facts = code, facts


def read_contract(text: str) -> Contract:
    """Read ``2xset3 run5``, in small or capital letters; raises BadContract.

    >>> read_contract("2xset3 RUN5").cards_needed
    11
    """
    if text.strip().lower() == "all":
        return EVERYTHING
    slots: list[Slot] = []
    for part in re.sub(r"\s*x\s*", "x", text.lower()).split():
        match = _SLOT.fullmatch(part)
        if match is None:
            raise BadContract(f"{part[:20]!r} is no meld", "unknown", part=part[:20])
        times, kind, size = int(match[1] or 1), Kind(match[2]), int(match[3])
        if size not in SIZES[kind]:
            least, most = SIZES[kind].start, SIZES[kind].stop - 1
            raise BadContract(f"{part[:20]!r}: {least} to {most} cards", "size", part=part[:20], least=least, most=most)
        slots += [Slot(kind, size)] * times
    if not 1 <= len(slots) <= MOST_SLOTS:
        raise BadContract(f"1 to {MOST_SLOTS} melds", "melds", most=MOST_SLOTS)
    return Contract(tuple(slots))


def format_contract(contract: Contract) -> str:
    """``2xset3 run5``, as ``read_contract`` reads it.

    >>> format_contract(read_contract("set3 set3 run5")), format_contract(read_contract("ALL"))
    ('2xset3 run5', 'all')
    """
    if contract.is_everything:
        return "all"
    runs = ((slot, len(list(alike))) for slot, alike in groupby(contract.slots))
    return " ".join(f"{'' if count == 1 else f'{count}x'}{slot.kind.value}{slot.size}" for slot, count in runs)


def with_list(rules: Rules, contracts: Sequence[Contract]) -> Rules:
    """The rules with a list of one's own; every hand is dealt and bought in as in the first of the sheet.

    Raises BadRules for an empty list.

    >>> from companion.referee.games import KATE
    >>> len(with_list(KATE, [read_contract("2xset3"), read_contract("set3 run4")]).buys)
    2
    """
    buys = rules.buys[:1] * len(contracts)
    return rules.replace(contracts=tuple(contracts), buys=buys, deals=rules.deals[:1] * len(contracts))
