"""The line protocol: one JSON object a line in, one a line out (DESIGN, the referee).

A request is ``{"id"?, "type", "in": {…}, "rules"?: {…}, "sheet"?: "kate"}``; the answer carries the id and either
``out`` or ``error``. Nothing is kept from one line to the next.
"""

import dataclasses
import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.referee.cards import Card, MalformedCard, Rank, Suit, parse_card
from companion.referee.contracts import fills
from companion.referee.games import GAMES
from companion.referee.lists import BadContract, format_contract, read_contract, with_list
from companion.referee.melds import RUNS, Meld, is_wild_card, shape_problems
from companion.referee.packs import with_packs
from companion.referee.readings import readings, readings_in_order
from companion.referee.rules import BadRules, Contract, Kind, Rules
from companion.referee.search.best_turn import best_turn, knows_turns
from companion.referee.search.can_go_down import can_go_down
from companion.referee.state import TableMeld
from companion.referee.table import Play, cards_of, copies_problems, discard_problems, plays
from companion.referee.wild_limits import limits_of

#: The most cards in a list, and melds on a table.
LIST_LIMIT = 200


class MalformedRequest(ValueError):
    """The request cannot be read; the text names the key that is wrong."""


def answer_line(line: str | bytes) -> str:
    """The answer to one line, as one line of strict JSON without the newline; never raises for a bad line.

    >>> answer_line('{"id": 1, "type": "godown", "in": {"hand": [], "contract": 1}}')
    '{"id": 1, "out": {"can": false, "witness": null}}'
    >>> answer_line(b'?'), answer_line('{"id": NaN}')
    ('{"error": "not JSON"}', '{"error": "no number: NaN"}')
    """
    try:
        text = line.decode() if isinstance(line, bytes) else line
        request = json.loads(text, parse_int=_whole, parse_float=_finite, parse_constant=_finite)
        return json.dumps(answer(request), allow_nan=False)
    except RecursionError:
        error = "nested too deeply"
    except MalformedRequest as malformed:
        error = str(malformed)
    except (json.JSONDecodeError, UnicodeDecodeError):
        error = "not JSON"
    return json.dumps({"error": error})


def _whole(text: str) -> int:
    _check(len(text) <= 1000, f"no number: {text[:20]}")
    return int(text)


def _finite(text: str) -> float:
    """A number that JSON has: no NaN and nothing infinite, not even 1e999."""
    number = float(text)
    _check(math.isfinite(number), f"no number: {text[:20]}")
    return number


def answer(request: object) -> dict[str, Any]:
    """The answer to one request: ``out``, or ``error`` for a malformed one; the id comes back as it was.

    >>> answer({"type": "laydown", "in": {"contract": 1, "groups": [["7D", "7S", "2H"], ["9S", "9C", "2D"]]}})
    {'out': {'ok': True}}
    """
    if not isinstance(request, Mapping):
        return {"error": "a request is an object"}
    head = {"id": request["id"]} if "id" in request else {}
    try:
        kind, given = request.get("type"), request.get("in")
        _check(isinstance(kind, str) and kind in _ANSWERS, "type: one of " + ", ".join(_ANSWERS))
        if kind == "rules" and given is None:
            given = {}
        return head | {"out": _ANSWERS[str(kind)](_object(given, "in"), _rules(request))}
    except MalformedCard as error:
        return head | {"error": f"no card: {str(error)[:20]}"}
    except (MalformedRequest, BadRules) as error:
        return head | {"error": str(error)[:200]}


# --- reading a request ---


#: Those that ask for contracts: the questions are about them (Grebber's deck and melds are others).
_SHEETS = {sheet.sheet: sheet for game in GAMES.values() if game.has_contracts for sheet in game.sheets}

_TRUE_OR_FALSE = {"true": True, "false": False}
#: By key of a request's rules the switch, and its values by how JSON writes what may stand there.
_SWITCHES: dict[str, tuple[str, dict[str, Any]]] = {
    "decks": ("decks", {str(number): number for number in range(1, 10)}),
    "max_wilds": ("max_wilds", {"null": None, **{str(number): number for number in range(100)}}),
    "nat_outnumber": ("naturals_outnumber", _TRUE_OR_FALSE),
    "no_adjacent_wilds": ("adjacent_wilds", {"true": "forbidden", "false": "allowed"}),
    "swap": ("wild_swap", {"true": "runs", "false": "off"}),
    "freed_wild": ("freed_wild", {'"end"': "end", '"hand"': "hand"}),
    "own_melds_count": ("own_melds_count", _TRUE_OR_FALSE),
}


def _rules(request: Mapping[str, Any]) -> Rules:
    name, changes = request.get("sheet") or "kate", request.get("rules")
    _check(isinstance(name, str) and name in _SHEETS, "sheet: one of " + ", ".join(_SHEETS))
    sheet, switches = _SHEETS[str(name)], {}
    given = dict({} if changes is None else _object(changes, "rules"))
    players = given.pop("players", sheet.min_players)
    if type(players) is not int or not sheet.min_players <= players <= sheet.max_players:
        raise MalformedRequest(f"players: {sheet.min_players} to {sheet.max_players}")
    if sheet.packs:
        sheet = with_packs(sheet, players)
    own = given.pop("contracts", None)
    if own is not None:
        sheet = with_list(sheet, _own_list(own))
    for key, value in given.items():
        _check(key in _SWITCHES, f"rules: no key {str(key)[:30]}")
        switch, values = _SWITCHES[key]
        written = json.dumps(value)
        _check(written in values, f"{key}: cannot be {written[:30]}")
        switches[switch] = values[written]
    if switches.get("wild_swap") == "runs" and sheet.wild_swap != "off":
        del switches["wild_swap"]  # wilds are replaced the way the sheet does
    return sheet.replace(**switches)


def _own_list(value: Any) -> list[Contract]:
    """A list of one's own, as texts."""
    texts = _list(value, "contracts", "contracts")
    _check(all(isinstance(text, str) and len(text) <= 100 for text in texts), "contracts: a list of texts")
    try:
        return [read_contract(text) for text in texts]
    except BadContract as error:
        raise MalformedRequest(f"contracts: {error}") from error


def _check(holds: bool, message: str) -> None:
    if not holds:
        raise MalformedRequest(message)


def _object(value: Any, key: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise MalformedRequest(f"{key}: an object")
    return value


def _list(value: Any, key: str, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise MalformedRequest(f"{key}: a list of {what}")
    _check(len(value) <= LIST_LIMIT, f"{key}: at most {LIST_LIMIT} {what}")
    return value


def _cards(given: Mapping[str, Any], key: str, rules: Rules) -> list[Card]:
    return _card_list(given.get(key), key, rules)


def _card_list(value: Any, key: str, rules: Rules) -> list[Card]:
    texts = _list(value, key, "cards")
    _check(all(isinstance(text, str) for text in texts), f"{key}: a list of cards")
    cards = [parse_card(text) for text in texts]
    for card in cards:
        known = card.suit is not None or (card.rank is Rank.JOKER and rules.joker_count > 0)
        _check(known, f"{key}: {card} is no card of this deck")
    return cards


def _contract(given: Mapping[str, Any], rules: Rules) -> Contract:
    number, most = given.get("contract"), len(rules.contracts)
    if type(number) is not int or not 1 <= number <= most:
        raise MalformedRequest(f"contract: 1 to {most}")
    return rules.contracts[number - 1]


def _in_deal(given: Mapping[str, Any], rules: Rules) -> Rules:
    """The rules of the deal that is asked about, the first where none is named."""
    if given.get("contract") is not None:
        _contract(given, rules)
    return rules.in_deal(given.get("contract") or 1)


def _table(given: Mapping[str, Any], rules: Rules) -> tuple[list[TableMeld], int | None]:
    """The melds, and the player's seat: None for somebody who owns none of them."""
    seats: dict[str, int] = {}
    melds = []
    for number, entry in enumerate(_list(given.get("table"), "table", "melds")):
        owner = seats.setdefault(json.dumps(_object(entry, "table").get("owner")), len(seats))
        meld = _meld(entry, rules)
        melds.append(TableMeld(number, owner, meld, meld))
    return melds, seats.get(json.dumps(given.get("player")))


def _meld(entry: Mapping[str, Any], rules: Rules) -> Meld:
    cards, kind = _cards(entry, "cards", rules), entry.get("kind")
    _check(kind in _KINDS and bool(cards), "table: a meld is a set or a run of cards")
    if kind == "set":
        return Meld.set_of(_set_rank(entry, cards, rules), cards)
    suit = _suit(entry) if kind in ("run", "colour") else None
    low = _low(entry) if kind in ("run", "anyrun") else None
    meld = Meld(Kind(kind), tuple(cards), None, suit, low)
    _check(not shape_problems(meld, rules), f"table: these cards are no such {'run' if low else 'meld'}")
    return meld


_KINDS = [kind.value for kind in Kind if kind is not Kind.ALL]


def _suit(entry: Mapping[str, Any]) -> Suit:
    try:
        return Suit(entry.get("suit"))
    except ValueError as error:
        raise MalformedRequest("table: a run has a suit and a low") from error


def _low(entry: Mapping[str, Any]) -> Rank:
    try:
        return parse_card(f"{entry.get('low')}S").rank
    except ValueError as error:
        raise MalformedRequest("table: a run has a suit and a low") from error


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


def _any_wild(meld: Meld, rules: Rules) -> list[str]:
    """The cards, a wild of a wild rank as its rank and a star."""
    wilds = set(limits_of(rules).wilds_of(meld))
    return [
        f"{card.rank.symbol}*" if at in wilds and card.rank is not Rank.JOKER else str(card)
        for at, card in enumerate(meld.cards)
    ]


def _reading(meld: Meld, rules: Rules) -> dict[str, Any]:
    if meld.rank is not None:
        return {"kind": "set", "rank": meld.rank.symbol}
    if meld.low is None:
        return {"kind": "colour", **_place(meld)}
    return {"kind": meld.kind.value, **_place(meld), "cards": _any_wild(meld, rules)}


def _place(meld: Meld) -> dict[str, str]:
    """Where a run lies, the suit of cards of one suit; nothing for a set."""
    suit = {"suit": meld.suit.value} if meld.suit else {}
    return {**suit, "low": meld.low.symbol} if meld.low else suit


def _answer_meld(given: Mapping[str, Any], table: Rules) -> dict[str, Any]:
    rules = _in_deal(given, table)
    cards = _cards(given, "cards", rules)
    ordered = _cards(given, "ordered", rules) if given.get("ordered") is not None else cards
    possible = () if copies_problems(cards, rules) else readings(cards, rules)
    in_order = () if copies_problems(ordered, rules) else readings_in_order(ordered, rules)
    unique = {json.dumps(_reading(meld, rules)): _reading(meld, rules) for meld in possible}
    return {
        "readings": list(unique.values()),
        "ordered_run": [_place(meld) for meld in in_order],
        "set3": any(meld.kind is Kind.SET for meld in possible),
        "run4": len(cards) >= 4 and any(meld.kind in RUNS for meld in possible),
    }


def _answer_table(given: Mapping[str, Any], on_table: Rules) -> dict[str, Any]:
    rules = _in_deal(given, on_table)
    melds, player = _table(given, rules)
    taken: dict[str, dict[str, list[Any]]] = {}
    for card in cards_of(rules):
        if is_wild_card(card, rules) and not rules.natural_twos and card.suit not in (Suit.SPADES, None):
            continue  # the four 2s are alike: one stands for all
        on = {str(m.number): [_result(p) for p in plays(card, m.meld, rules)] for m in melds}
        if any(on.values()):
            taken[str(card)] = {number: results for number, results in on.items() if results}
    dead = [card for card in cards_of(rules) if discard_problems(card, melds, player, rules)]
    by_rank = sorted(dead, key=lambda card: card.rank)  # within a rank the suits keep their order
    return {"illegal_discards": [str(card) for card in by_rank], "plays": taken}


def _result(play: Play) -> dict[str, Any]:
    meld = play.result
    freed = str(play.in_hand) if play.in_hand else None
    low = {"low": meld.low.symbol} if meld.low is not None else {}
    return {"cards": [str(card) for card in meld.cards], "freed": freed, **low}


def _answer_laydown(given: Mapping[str, Any], on_table: Rules) -> dict[str, Any]:
    contract, rules = _contract(given, on_table), _in_deal(given, on_table)
    groups = [_card_list(group, "groups", rules) for group in _list(given.get("groups"), "groups", "lists of cards")]
    laid = [card for group in groups for card in group]
    impossible = copies_problems(laid, rules)
    stays = _stays(given, laid, rules) if given.get("hand") is not None else False
    return {"ok": not impossible and not stays and fills(groups, contract, rules)}


def _stays(given: Mapping[str, Any], laid: Sequence[Card], rules: Rules) -> bool:
    """Whether the hand lacks a laid card, or keeps one that going down has to take."""
    hand = Counter(_cards(given, "hand", rules))
    left = hand - Counter(laid)
    return bool(Counter(laid) - hand) or (rules.all_at_once and bool(left))


def _answer_godown(given: Mapping[str, Any], on_table: Rules) -> dict[str, Any]:
    contract, rules = _contract(given, on_table), _in_deal(given, on_table)
    melds = can_go_down(_cards(given, "hand", rules), contract, rules)
    witness = [{"kind": m.kind.value, **_place(m), "cards": _any_wild(m, rules)} for m in melds or ()]
    return {"can": melds is not None, "witness": None if melds is None else witness}


def _answer_best(given: Mapping[str, Any], on_table: Rules) -> dict[str, Any]:
    contract, rules = _contract(given, on_table), _in_deal(given, on_table)
    _check(knows_turns(contract, rules), "best: the best turn of this game is not known")
    hand = _cards(given, "hand", rules)
    melds, player = _table(given, rules)
    turn = best_turn(hand, contract, melds, -1 if player is None else player, rules)
    answer = {"points": turn and turn.points, "end": turn and turn.end}
    return answer if turn is None or turn.at_least is None else {**answer, "exact": False, "at_least": turn.at_least}


def _answer_rules(_: Mapping[str, Any], rules: Rules) -> dict[str, Any]:
    """Every field by name, the contracts as text, the cards dealt by deal, what the ranks count."""
    values: dict[str, int] = {_RANK_NAMES.get(rank, rank.symbol): value for rank, value in rules.rank_values.items()}
    red = {} if rules.red_ace is None else {"red_A": rules.red_ace}
    numbers = range(1, len(rules.contracts) + 1)
    return {
        "rules": {field.name: _plain(getattr(rules, field.name)) for field in dataclasses.fields(rules)},
        "contracts": [format_contract(contract) for contract in rules.contracts],
        "dealt": [rules.dealt(number) for number in numbers],
        "values": values | red,
    }


_RANK_NAMES = {Rank.JOKER: "joker"}


def _plain(value: object) -> Any:
    """A value of a switch as JSON says it."""
    if isinstance(value, Rank):
        return _RANK_NAMES.get(value, value.symbol)
    if isinstance(value, Contract):
        return format_contract(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if dataclasses.is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return value


_ANSWERS: dict[str, Callable[[Mapping[str, Any], Rules], dict[str, Any]]] = {
    "meld": _answer_meld,
    "table": _answer_table,
    "laydown": _answer_laydown,
    "godown": _answer_godown,
    "best": _answer_best,
    "rules": _answer_rules,
}
