"""Compare two answers of the line protocol, and check a witness without believing anybody."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from typing import Any

from tests.referee import oracle, oracle_peru


def in_any_order(items: list[Any]) -> list[str]:
    """A list as a set that keeps doubles: sorted by its JSON."""
    return sorted(json.dumps(item, sort_keys=True) for item in items)


def comparable(kind: str, out: dict[str, Any]) -> Any:
    """An answer in a form where equal means equal: the sets of the protocol in one order, a godown without witness."""
    if kind == "meld":
        return {**out, **{key: in_any_order(out[key]) for key in ("readings", "ordered_run")}}
    if kind == "table":
        plays = {
            card: {number: in_any_order(results) for number, results in melds.items()}
            for card, melds in out["plays"].items()
        }
        return {"illegal_discards": sorted(out["illegal_discards"]), "plays": plays}
    return {"can": out["can"]} if kind == "godown" else out


def witness_fault(request: dict[str, Any], out: dict[str, Any]) -> str | None:
    """What is wrong with a godown answer's witness, None if nothing: checked from the hand and the rules only."""
    if not out["can"]:
        return None if out["witness"] is None else "a witness for what cannot be"
    peru = request.get("sheet") == "peru"
    rules = oracle.DEFAULT_RULES | request.get("rules", {})
    slots = (oracle_peru if peru else oracle).CONTRACTS[request["in"]["contract"]]
    melds = out["witness"]
    used = Counter(card for meld in melds for card in meld["cards"])
    hand = Counter(request["in"]["hand"])
    any_twos = used.pop("2*", 0)
    if used - hand or any_twos > sum(count for card, count in (hand - used).items() if card[0] == "2"):
        return "cards that are not in the hand"
    if len(melds) != len(slots):
        return "not one meld for each slot"
    if not any(all(itertools.starmap(fits, zip(slots, order, strict=True))) for order in itertools.permutations(melds)):
        return "the melds do not fit the slots"
    wrong = [meld for meld in melds if not (peru_meld(meld) if peru else kate_meld(meld, rules))]
    return f"no meld: {wrong[0]}" if wrong else None


def fits(slot: tuple[str, int], meld: dict[str, Any]) -> bool:
    return slot[0] == meld["kind"] and slot[1] <= len(meld["cards"])


def kate_meld(meld: dict[str, Any], rules: dict[str, Any]) -> bool:
    if meld["kind"] == "set":
        return bool(oracle.set_ranks(meld["cards"], rules))
    return (meld.get("suit"), meld.get("low")) in oracle.ordered_runs(meld["cards"], rules)


def peru_meld(meld: dict[str, Any]) -> bool:
    if meld["kind"] == "set":
        return bool(oracle_peru.set_ranks(meld["cards"]))
    return (meld.get("suit"), meld.get("low")) in oracle_peru.ordered_runs(meld["cards"])
