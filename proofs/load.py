"""Every phone is told of every change, soon: two hundred at home, two thousand hosted.

    python -m proofs.load [sqlite|postgresql] [TABLES] [SECONDS]
        (sqlite: 25 tables of 8 phones; postgresql: 250; for 60 seconds)

Each table changes every ten seconds. Measured is, for every phone but the one that was tapped, from the moment that
the entry bears (just before its commit) to the new table having arrived. Clients, server and database share one
machine. Where a phone misses a change it is an AssertionError; in full also where 95 of 100 take longer than promised.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import select, update

from companion import record
from companion.db import db, writing
from companion.models import Entry, Game, Membership
from companion.referee.commands import GoDown
from companion.referee.notation import read_meld
from proofs.servers import Server, serving

EVERY, PHONES = 10.0, 8
STREAMED, POLLED = 0.25, 2.0
TABLES = {"sqlite": 25, "postgresql": 250}
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Figures:
    """What came of it; times in seconds."""

    tables: int
    phones: int
    streams: int
    seconds: float
    entries: int = 0
    told: list[float] = field(default_factory=list)
    streamed: list[float] = field(default_factory=list)
    polled: list[float] = field(default_factory=list)
    use: dict[str, tuple[float, float]] = field(default_factory=dict)

    def __str__(self) -> str:
        lines = [
            f"{self.tables} tables, {self.phones} phones, {self.streams} of them by stream; {self.entries} entries in "
            f"{self.seconds:.0f} s, every one on every phone"
        ]
        spreads = (
            ("by stream, told", self.told),
            ("and the table there", self.streamed),
            ("by asking, there", self.polled),
        )
        lines += [_spread(name, taken) for name, taken in spreads if taken]
        lines += [
            f"{name}: {cores:.2f} cores" + f", {mib:.0f} MiB" * bool(mib) for name, (cores, mib) in self.use.items()
        ]
        return "\n    ".join(lines)

    @property
    def is_soon(self) -> bool:
        """Whether 95 of 100 are told in the time promised."""
        return percentile(self.streamed, 95) < STREAMED and percentile(self.polled, 95) < POLLED


def percentile(taken: Iterable[float], of_100: int) -> float:
    """The time that so many of 100 do not exceed; 0 of none."""
    times = sorted(taken)
    return times[min(len(times) - 1, len(times) * of_100 // 100)] if times else 0.0


def _spread(name: str, taken: list[float]) -> str:
    shown = ", ".join(f"p{of} {1000 * percentile(taken, of):.0f}" for of in (50, 95, 99))
    return f"{name}: {len(taken)} times, {shown}, at most {1000 * max(taken):.0f} ms"


def prove(
    server: Server, tables: int, seconds: float, every: float = EVERY, phones: int = PHONES, settle: float = 2
) -> Figures:
    """Let them play. Raises AssertionError where a phone was not told of a change, or was answered with an error."""
    games = [_table(server, phones) for _ in range(tables)]
    asked = {"port": server.port, "tables": games, "every": every, "seconds": seconds, "settle": settle, "rest": 3}
    with subprocess.Popen(
        [sys.executable, "-m", "proofs.load_phones"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as client:
        assert client.stdin is not None
        assert client.stdout is not None
        client.stdin.write(json.dumps(asked).encode() + b"\n")
        client.stdin.close()
        ready = json.loads(client.stdout.readline() or "null")
        assert ready == {"ready": tables * phones}, ready
        gauge = _Gauge(server)
        came = json.loads(client.stdout.readline() or "null")
        assert came, "the phones broke off"
    took = gauge.stop()
    figures = Figures(
        tables, tables * phones, came["streams"], took, use=gauge.use | {"clients": (came["cpu"] / took, 0.0)}
    )
    with server.app.app_context():
        for table in came["tables"]:
            _judge(table, figures)
        db.session.remove()
    return figures


def _table(server: Server, phones: int) -> tuple[str, list[str]]:
    """A table in the middle of a hand: two players are down, and the phones of players are known for theirs."""
    code, made = server.game(keepers=phones)
    with server.app.app_context():
        for seat, ranks in ((1, "79"), (2, "48")):
            melds = tuple(read_meld(f"set {rank}S {rank}H {rank}D") for rank in ranks)
            view = record.load(code)
            assert view is not None
            record.append(code, GoDown(1, seat, melds), token=record.new_token(), seen=view.revision)
        assert view is not None
        with writing() as session:
            of_players = (Membership.game_id == view.id, Membership.number <= len(view.names))
            session.execute(update(Membership).where(*of_players).values(seat=Membership.number - 1))
        db.session.remove()
    return code, [phone.cookies["device"] for phone in made]


def _judge(table: dict[str, Any], figures: Figures) -> None:
    wrong = [fault for phone in table["phones"] for fault in phone["wrong"]]
    assert not wrong, f"{len(wrong)} faults: {wrong[:5]}"
    here = (Game.code == table["code"], Entry.kind.in_(("bought", "buy_taken_back")))
    entered = select(Entry.seq, Entry.at).join(Game, Game.id == Entry.game_id).where(*here).order_by(Entry.seq)
    rows = db.session.execute(entered).all()
    assert len(rows) == len(table["taps"]), (len(rows), len(table["taps"]))
    figures.entries += len(rows)
    for (tapped, _sent), row in zip(table["taps"], rows, strict=True):
        for number, phone in enumerate(table["phones"]):
            if number == tapped:
                continue
            when = next((when for revision, *when in phone["seen"] if revision >= row.seq), None)
            assert when is not None, f"phone {number} of table {table['code']} missed entry {row.seq}"
            told, there = (moment - row.at.timestamp() for moment in when)
            if phone["streams"]:
                figures.told.append(told)
                figures.streamed.append(there)
            else:
                figures.polled.append(there)


# --- what it costs --------------------------------------------------------------------------------------------------


class _Gauge:
    """What the server, its database and everything else on the machine use meanwhile."""

    def __init__(self, server: Server) -> None:
        self._whose = {"server": server.processes}
        if server.postgres is not None:
            self._whose["PostgreSQL"] = server.postgres.processes
        self.use: dict[str, tuple[float, float]] = {}
        self._before = {name: {pid: _ticks(pid) for pid in processes()} for name, processes in self._whose.items()}
        self._after: dict[str, dict[int, float]] = {name: {} for name in self._whose}
        self._most = dict.fromkeys(self._whose, 0.0)
        self._busy, self._start = _busy(), time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._over.wait(2):
            self._look()

    def _look(self) -> None:
        for name, processes in self._whose.items():
            pids = processes()
            self._most[name] = max(self._most[name], sum(map(_mib, pids)))
            self._after[name] |= {pid: ticks for pid in pids if (ticks := _ticks(pid))}

    def stop(self) -> float:
        """How many seconds it was."""
        self._over.set()
        self._thread.join()
        self._look()
        took = time.monotonic() - self._start
        for name, before in self._before.items():
            ticks = sum(after - before.get(pid, 0.0) for pid, after in self._after[name].items())
            self.use[name] = (ticks / took / TICKS, self._most[name])
        self.use[f"whole machine ({os.cpu_count()} cores)"] = ((_busy() - self._busy) / took / TICKS, 0.0)
        return took


def _ticks(pid: int) -> float:
    """Processor time of a process; 0 once it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return int(fields[11]) + int(fields[12])


def _mib(pid: int) -> float:
    """Memory of a process, what is shared counted in parts; 0 once it is gone or where it may not be seen."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)


def _busy() -> float:
    """Processor time that anybody has used."""
    fields = [int(text) for text in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
    return sum(fields) - fields[3] - fields[4]


def main(arguments: list[str]) -> None:
    """Run it in full, on both databases or the one named."""
    kinds = [arguments[0]] if arguments else ["sqlite", "postgresql"]
    is_late = False
    for kind in kinds:
        tables, seconds = (int(text) for text in [*arguments[1:], *[str(TABLES[kind]), "60"][len(arguments[1:]) :]])
        with serving(kind, COMPANION_TRUSTED_PROXIES="1") as server:
            figures = prove(server, tables, seconds, settle=5)
            print(f"{kind}: {figures}" + "\n    LATER THAN PROMISED" * (not figures.is_soon), flush=True)
            is_late = is_late or not figures.is_soon
    if is_late:
        raise SystemExit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
