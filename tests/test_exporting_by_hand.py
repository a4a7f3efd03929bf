"""Files that somebody changed by hand: what is refused is refused whole, and every page shows what is let in."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from companion.command import maintenance
from companion.exporting import document
from companion.record import importing
from companion.record.exporting import ExportedHouse, Night
from companion.record.importing import InvalidImport
from companion.referee.games import KATE, PERU
from companion.referee.notation import parse_game
from tests.exported import bring, exported, night_to_import
from tests.referee.nights import random_night
from tests.referee.test_golden_games import GAMES

NUMBERS, TEXTS = (-1, 0, 1, 2, 3, 5, 7, 11, 99, 1000), ("low", "high", "2S", "9?", "JK", "hand", "AS")


def pages(app: Flask) -> list[str]:
    """Every address that a game alone has, its event stream left out."""
    rules = [rule for rule in app.url_map.iter_rules() if rule.arguments == {"code"} and "GET" in (rule.methods or ())]
    return [rule.rule for rule in rules if rule.rule.startswith("/g/") and rule.endpoint != "live.stream"]


def golden(path: Path) -> list[Any]:
    lines = (line.partition("#")[0].strip() for line in path.read_text("utf-8").splitlines())
    return list(parse_game("\n".join(line for line in lines if line and not line.startswith("="))))


def seats(events: list[Any]) -> set[int]:
    return {seat for event in events for seat in (getattr(event, "seat", 0), *getattr(event, "seats", ()))}


def some_night(rng: Random, number: int) -> Night:
    if rng.random() < 0.3:
        events = golden(rng.choice(GAMES))
    else:
        events = random_night(rng, rng.choice((15, 40, 80)), rng.choice((KATE, KATE, PERU))).entries
    return night_to_import(events, number, seats(events))


def spots(value: Any) -> list[tuple[Any, Any]]:
    """Every place of a number or text in some JSON, the rules left out."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = []
    for key, inner in pairs:
        if isinstance(inner, int | str) and not isinstance(inner, bool):
            found.append((value, key))
        elif key != "rules":
            found += spots(inner)
    return found


def change(rng: Random, entries: list[Any]) -> None:
    """Something that somebody might do to a file: leave out, double, exchange, write another number."""
    at, other = rng.randrange(len(entries)), rng.randrange(len(entries))
    match rng.choice(("drop", "cut", "swap", "double", "write", "write", "write")):
        case "drop" if len(entries) > 2:
            del entries[max(1, at)]
        case "cut":
            entries[1:] = entries[1 + at // 2 :]
        case "swap":
            entries[at], entries[other] = entries[other], entries[at]
        case "double":
            entries.insert(max(1, other), json.loads(json.dumps(entries[at])))
        case _:
            if places := spots(entries[at]["data"]):
                inside, key = rng.choice(places)
                inside[key] = rng.choice(NUMBERS if isinstance(inside[key], int) else TEXTS)


def test_a_file_changed_by_hand_is_refused_or_can_be_shown(make_app) -> None:
    app = make_app(OPEN_HOUSE=True)
    client, came = app.test_client(), Counter[str]()
    for seed in range(120):
        rng = Random(seed)
        found = json.loads(document.write((ExportedHouse((some_night(rng, seed),)),)))
        for _ in range(rng.randint(1, 3)):
            change(rng, found["houses"][0]["games"][0]["entries"])
        with app.app_context():
            try:
                (done,) = importing.bring_in(document.read(json.dumps(found).encode()))
            except InvalidImport as bad:
                came[bad.why] += 1
                continue
        came["in"] += 1
        for page in pages(app):
            status = client.get(page.replace("<code>", done.code)).status_code
            assert status in (200, 302, 303, 404, 409), (seed, page)
    with app.app_context():
        assert maintenance.check() == []
    assert came["in"] > 5 and came["no_sense"] > 5


def test_every_golden_game_goes_out_and_in_with_the_same_bytes(app: Flask, client: FlaskClient, make_app) -> None:
    nights = [night_to_import(events, number, seats(events)) for number, events in enumerate(map(golden, GAMES))]
    assert set(bring(app, *nights)) == {"added"} and len(nights) > 6
    there = make_app()
    with there.app_context():
        importing.bring_in(document.read(exported(app)), whole=True)
        assert maintenance.check() == []
    assert exported(there) == exported(app)
