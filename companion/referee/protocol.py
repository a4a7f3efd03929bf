"""The line protocol: one JSON object a line in, one a line out (DESIGN, the referee).

A request is ``{"id"?, "type", "in": {…}, "rules"?: {…}, "sheet"?: "kate"}``; the answer carries the id and either
``out`` or ``error``. Nothing is kept from one line to the next.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.referee.cards import Card, MalformedCard, Rank, Suit, parse_card
from companion.referee.contracts import can_go_down, fills
from companion.referee.games import SHEETS
from companion.referee.melds import Meld, is_wild_card, readings, readings_in_order, shape_problems
from companion.referee.rules import BadRules, Kind, Rules
from companion.referee.search.best_turn import best_turn
from companion.referee.state import TableMeld
from companion.referee.table import Play, cards_of, copies_problems, discard_problems, plays

CARDS_LIMIT = 200


class MalformedRequest(ValueError):
    """The request cannot be read; the text names the key that is wrong."""


def answer_line(line: str | bytes) -> str:
    """The answer to one line, as one line of JSON without the newline; never raises for a bad line.

    >>> answer_line('{"id": 1, "type": "godown", "in": {"hand": [], "contract": 1}}')
    '{"id": 1, "out": {"can": false, "witness": null}}'
    >>> answer_line(b'?')
    '{"error": "not JSON"}'
    """
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        return json.dumps({"error": "not JSON"})
    try:
        return json.dumps(answer(request))
    except RecursionError:
        return json.dumps({"error": "nested too deeply"})


def answer(request: object) -> dict[str, Any]:
    """The answer to one request: ``out``, or ``error`` for a malformed one; the id comes back as it was.

    >>> answer({"type": "laydown", "in": {"contract": 1, "groups": [["7D", "7S", "2H"], ["9S", "9C", "2D"]]}})
    {'out': {'ok': True}}
    """
    if not isinstance(request, Mapping):
        return {"error": "a request is an object"}
    head = {"id": request["id"]} if "id" in request else {}
    try:
        return head | {"out": _out(request)}
    except MalformedCard as error:
        return head | {"error": f"no card: {error.text[:20]}"}
    except (MalformedRequest, BadRules) as error:
        return head | {"error": str(error)[:200]}


def _out(request: Mapping[str, Any]) -> dict[str, Any]:
    kind, given = request.get("type"), request.get("in")
    if not isinstance(kind, str) or kind not in _ANSWERS:
        raise MalformedRequest("type: one of " + ", ".join(_ANSWERS))
    if not isinstance(given, Mapping):
        raise MalformedRequest("in: an object")
    return _ANSWERS[kind](given, _rules(request))


# --- reading a request ---


#: Those that ask for contracts: the questions are about them (Grebber's deck and melds are others).
_SHEETS = {name: rules for name, rules in SHEETS.items() if rules.contracts}


def _rules(request: Mapping[str, Any]) -> Rules:
    sheet, changes = request.get("sheet") or "kate", request.get("rules")
    changes = {} if changes is None else changes
    if not isinstance(sheet, str) or sheet not in _SHEETS:
        raise MalformedRequest("sheet: one of " + ", ".join(_SHEETS))
    if not isinstance(changes, Mapping):
        raise MalformedRequest("rules: an object")
    switches = dict(_switch(key, value) for key, value in changes.items())
    if sheet == "peru" and switches.get("wild_swap") == "runs":
        del switches["wild_swap"]
    return _SHEETS[sheet].replace(**switches)


def _switch(key: str, value: Any) -> tuple[str, Any]:
    if key in ("nat_outnumber", "no_adjacent_wilds", "swap", "own_melds_count"):
        _check(isinstance(value, bool), f"{key}: true or false")
    if key in ("decks", "max_wilds"):
        whole = isinstance(value, int) and not isinstance(value, bool)
        _check((key == "max_wilds" and value is None) or (whole and 0 <= value <= 99), f"{key}: a whole number")
        _check(key != "decks" or 1 <= value <= 9, "decks: 1 to 9")
    if key == "freed_wild":
        _check(value in ("end", "hand"), 'freed_wild: "end" or "hand"')
    names: dict[str, tuple[str, Any]] = {
        "decks": ("decks", value),
        "max_wilds": ("max_wilds", value),
        "nat_outnumber": ("naturals_outnumber", value),
        "no_adjacent_wilds": ("adjacent_wilds", "forbidden" if value else "allowed"),
        "swap": ("wild_swap", "runs" if value else "off"),
        "freed_wild": ("freed_wild", value),
        "own_melds_count": ("own_melds_count", value),
    }
    _check(key in names, f"rules: no key {str(key)[:30]}")
    return names[key]


def _check(holds: bool, message: str) -> None:
    if not holds:
        raise MalformedRequest(message)


def _cards(given: Mapping[str, Any], key: str) -> list[Card]:
    return _card_list(given.get(key), key)


def _card_list(value: Any, key: str) -> list[Card]:
    _check(isinstance(value, list) and all(isinstance(text, str) for text in value), f"{key}: a list of cards")
    _check(len(value) <= CARDS_LIMIT, f"{key}: at most {CARDS_LIMIT} cards")
    return [parse_card(text) for text in value]


def _contract(given: Mapping[str, Any], rules: Rules) -> int:
    number = given.get("contract")
    whole = isinstance(number, int) and not isinstance(number, bool)
    _check(
        isinstance(number, int) and whole and 1 <= number <= len(rules.contracts),
        f"contract: 1 to {len(rules.contracts)}",
    )
    assert isinstance(number, int)
    return number


def _table(given: Mapping[str, Any], rules: Rules) -> tuple[list[TableMeld], int | None]:
    lies, player = given.get("table"), given.get("player")
    _check(isinstance(lies, list), "table: a list of melds")
    assert isinstance(lies, list)
    _check(len(lies) <= CARDS_LIMIT, f"table: at most {CARDS_LIMIT} melds")
    seats: dict[str, int] = {}
    melds = []
    for number, entry in enumerate(lies):
        _check(isinstance(entry, Mapping), "table: a list of melds")
        owner = seats.setdefault(json.dumps(entry.get("owner")), len(seats))
        meld = _meld(entry, rules)
        melds.append(TableMeld(number, owner, meld, meld))
    return melds, seats.get(json.dumps(player))


def _meld(entry: Mapping[str, Any], rules: Rules) -> Meld:
    cards, kind = tuple(_cards(entry, "cards")), entry.get("kind")
    _check(kind in ("set", "run") and bool(cards), "table: a meld is a set or a run of cards")
    if kind == "set":
        return Meld.set_of(_set_rank(entry, cards, rules), cards)
    try:
        suit, low = Suit(entry.get("suit")), parse_card(f"{entry.get('low')}S").rank
    except ValueError as error:
        raise MalformedRequest("table: a run has a suit and a low") from error
    run = Meld.run_from(suit, low, cards)
    _check(not shape_problems(run, rules), "table: these cards are no such run")
    return run


def _set_rank(entry: Mapping[str, Any], cards: Sequence[Card], rules: Rules) -> Rank:
    named = entry.get("rank")
    if isinstance(named, str):
        rank = parse_card(named + "S").rank
    else:
        fixed = [card.rank for card in cards if not is_wild_card(card, rules)]
        _check(bool(fixed) or rules.natural_twos, "table: a set has a natural card")
        rank = fixed[0] if fixed else Rank.TWO
    wrong = [card for card in cards if card.rank is not rank and not is_wild_card(card, rules)]
    _check(not wrong, "table: these cards are no set")
    return rank


# --- answering ---


def _any_wild(meld: Meld) -> list[str]:
    wilds = set(meld.wild_positions())
    return ["2*" if i in wilds and card.rank is Rank.TWO else str(card) for i, card in enumerate(meld.cards)]


def _reading(meld: Meld) -> dict[str, Any]:
    if meld.kind is Kind.SET:
        assert meld.rank is not None
        return {"kind": "set", "rank": meld.rank.symbol}
    return {"kind": "run", **_run_key(meld), "cards": _any_wild(meld)}


def _run_key(meld: Meld) -> dict[str, str]:
    assert meld.suit is not None
    assert meld.low is not None
    return {"suit": meld.suit.value, "low": meld.low.symbol}


def _answer_meld(given: Mapping[str, Any], rules: Rules) -> dict[str, Any]:
    cards = _cards(given, "cards")
    ordered = _cards(given, "ordered") if given.get("ordered") is not None else cards
    possible = () if copies_problems(cards, rules) else readings(cards, rules)
    in_order = () if copies_problems(ordered, rules) else readings_in_order(ordered, rules)
    unique = {json.dumps(_reading(meld)): _reading(meld) for meld in possible}
    return {
        "readings": list(unique.values()),
        "ordered_run": [_run_key(meld) for meld in in_order],
        "set3": any(meld.kind is Kind.SET for meld in possible),
        "run4": len(cards) >= 4 and any(meld.kind is Kind.RUN for meld in possible),
    }


def _answer_table(given: Mapping[str, Any], rules: Rules) -> dict[str, Any]:
    melds, player = _table(given, rules)
    taken: dict[str, dict[str, list[Any]]] = {}
    for card in cards_of(rules):
        if card.rank is Rank.TWO and not rules.natural_twos and card.suit is not Suit.SPADES:
            continue
        on = {str(m.number): [_result(p) for p in plays(card, m.meld, rules)] for m in melds}
        if any(on.values()):
            taken[str(card)] = {number: results for number, results in on.items() if results}
    dead = [card for card in cards_of(rules) if discard_problems(card, melds, player, rules)]
    by_rank = sorted(dead, key=lambda card: card.rank)  # within a rank the suits keep their order
    return {"illegal_discards": [str(card) for card in by_rank], "plays": taken}


def _result(play: Play) -> dict[str, Any]:
    meld = play.result
    freed = str(play.freed) if play.wild_to in ("hand", "table") else None
    low = {"low": meld.low.symbol} if meld.low is not None else {}
    return {"cards": [str(card) for card in meld.cards], "freed": freed, **low}


def _answer_laydown(given: Mapping[str, Any], rules: Rules) -> dict[str, Any]:
    number, groups = _contract(given, rules), given.get("groups")
    _check(isinstance(groups, list) and len(groups) <= CARDS_LIMIT, "groups: lists of cards")
    assert isinstance(groups, list)
    laid = [_card_list(group, "groups") for group in groups]
    impossible = copies_problems([card for group in laid for card in group], rules)
    return {"ok": not impossible and fills(laid, rules.contracts[number - 1], rules)}


def _answer_godown(given: Mapping[str, Any], rules: Rules) -> dict[str, Any]:
    number, hand = _contract(given, rules), _cards(given, "hand")
    found = can_go_down(hand, rules.contracts[number - 1], rules)
    return {"can": found is not None, "witness": None if found is None else [_witness(m, rules) for m in found]}


def _witness(meld: Meld, rules: Rules) -> dict[str, Any]:
    run = _run_key(meld) if meld.kind is Kind.RUN else {}
    return {"kind": meld.kind.value, **run, "cards": _any_wild(meld)}


def _answer_best(given: Mapping[str, Any], rules: Rules) -> dict[str, Any]:
    number, hand = _contract(given, rules), _cards(given, "hand")
    melds, player = _table(given, rules)
    found = best_turn(hand, rules.contracts[number - 1], melds, -1 if player is None else player, rules)
    if found is None:
        return {"points": None, "end": None}
    return {"points": found.points, "end": found.end}


_ANSWERS: dict[str, Callable[[Mapping[str, Any], Rules], dict[str, Any]]] = {
    "meld": _answer_meld,
    "table": _answer_table,
    "laydown": _answer_laydown,
    "godown": _answer_godown,
    "best": _answer_best,
}
