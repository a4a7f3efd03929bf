"""The history and the statistics over years: 300 nights of 8 people, 1,000 and 3,000. Budget at 300: 60 ms, 40 KB a page.

Time is the processor's, so that what else the machine does is not in it; SQLite runs in the same process.
"""

from __future__ import annotations

import random
import tempfile
from datetime import UTC, datetime, timedelta
from statistics import median
from time import process_time

from flask import Flask, g
from sqlalchemy import insert

from companion import create_app, record
from companion.db import db, writing
from companion.migrations.upgrading import migrate_database
from companion.models import Game, Membership, Score, Seat
from companion.phones import devices
from companion.referee.commands import StartGame
from companion.referee.games import KATE
from companion.referee.standings import places

NAMES = ("Ana", "Beatriz", "Carl", "Dora", "Emil", "Flora", "Gil", "Zoë")
HANDS = 10
SIZES, BUDGET_AT = (300, 1000, 3000), 300
MS, BYTES, ROUNDS = 60, 40_000, 15
PAGES = {
    "nights": "/nights",
    "search": "/nights?q=zoe+may",
    "a number": "/nights?of=won-1&sheet=kate",
    "statistics": "/statistics",
    "a year": "/statistics?from=2014-01-01&until=2014-12-31",
    "people": "/people",
    "person": "/people/1",
}


def main() -> bool:
    """Measure; False where a budget is missed."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"INSTANCE_PATH": folder, "ENVIRON": {}})
        migrate_database(app)
        client, device = app.test_client(), _phone(app)
        client.set_cookie(devices.COOKIE, device[1])
        kept, made, luck = True, 0, random.Random(7)
        for size in SIZES:
            _fill(app, device[0], made, size, luck)
            made = size
            kept = _measure(client, size) and kept
        with app.app_context():
            db.engine.dispose()
    print(f"budget at {BUDGET_AT} nights: ≤ {MS} ms, ≤ {BYTES:,} bytes a page: {'kept' if kept else 'MISSED'}")
    return kept


def _phone(app: Flask) -> tuple[int, str]:
    with app.test_request_context():
        return devices.ensure(), devices._signer().dumps(g.device_token)


def _fill(app: Flask, device: int, made: int, size: int, luck: random.Random) -> None:
    """Nights as the record would have left them: rows are written straight, the record of all but the first is empty."""
    with app.app_context():
        if not made:
            record.start_game(StartGame(KATE, tuple(range(len(NAMES))), 0), NAMES, token="first", device=device)
        with writing() as session:
            for table, rows in _rows(device, made + 10, size + 10, luck).items():
                session.execute(insert(table), rows)


def _rows(device: int, first: int, end: int, luck: random.Random) -> dict[type, list[dict[str, object]]]:
    rows: dict[type, list[dict[str, object]]] = {Game: [], Membership: [], Seat: [], Score: []}
    for game in range(first, end):
        at = datetime(2014, 1, 3, 20, tzinfo=UTC) + timedelta(days=1.5 * game)
        points = {(hand, seat): 5 * luck.randrange(25) for hand in range(1, HANDS + 1) for seat in range(len(NAMES))}
        totals = {seat: sum(points[hand, seat] for hand in range(1, HANDS + 1)) for seat in range(len(NAMES))}
        placed = places(totals)
        rows[Game].append({
            "id": game, "house_id": 1, "code": f"code{game}", "token": f"token{game}", "digest": "", "created_at": at,
            "changed_at": at, "revision": 0, "phase": "finished", "hand": None, "sheet": "kate",
        })  # fmt: skip
        rows[Membership].append({"game_id": game, "device_id": device, "role": "keeper", "number": 1})
        rows[Seat] += [
            {"game_id": game, "number": seat, "person_id": seat + 1, "total": totals[seat], "place": placed[seat]}
            for seat in range(len(NAMES))
        ]
        rows[Score] += [
            {"game_id": game, "hand": hand, "seat": seat, "points": value, "out": value == 0, "buys": luck.randrange(3)}
            for (hand, seat), value in points.items()
        ]
    return rows


def _measure(client, size: int) -> bool:
    kept = True
    for name, path in PAGES.items():
        taken = []
        for _ in range(ROUNDS):
            began = process_time()
            answer = client.get(path)
            taken.append(1000 * (process_time() - began))
        assert answer.status_code == 200, (path, answer.status_code)
        sent = len(client.get(path, headers={"Accept-Encoding": "gzip, br"}).data)
        fine = size != BUDGET_AT or (median(taken) <= MS and len(answer.data) <= BYTES)
        kept = kept and fine
        weight = f"{len(answer.data):>6,} bytes, {sent:>6,} sent"
        print(f"{size:>5,} nights  {name:<10} {median(taken):6.1f} ms  {weight}{'' if fine else '  MISSED'}")
    return kept


if __name__ == "__main__":
    main()
