"""A fuzz over every route and form: nobody gets a 500, a GET changes nothing, nobody sees or changes another game.

    python -m proofs.fuzz [sqlite|postgresql] [REQUESTS] [SEED]      (20,000)

Two groups play on one server; in each game there is a keeper and somebody who may only watch, and there is a
stranger. All of them send to every address of the app, taken from its own map, what its forms hold, what its code
asks for, and what nobody should send. After each request:

- the answer is no error of ours;
- a GET, HEAD or OPTIONS has written nothing into the database;
- nothing of a game (its players, code, links) is told to who may not see it, and no link to who may only watch;
- no game was changed by who may not enter things in it.
"""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from random import Random

import brotli
from flask import Flask
from werkzeug.test import TestResponse

from companion.db import db
from proofs.fuzz_games import Actor, World
from proofs.fuzz_requests import Request, Requests
from proofs.servers import prepared

RENEW_GAMES, RENEW_ROLES = 600, 40  # requests


@dataclass
class Figures:
    """What came of it."""

    requests: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    by_role: Counter[str] = field(default_factory=Counter)
    reached: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    routes: int = 0

    def __str__(self) -> str:
        statuses = ", ".join(f"{count} × {status}" for status, count in sorted(self.statuses.items()))
        roles = ", ".join(f"{count} by {role}" for role, count in sorted(self.by_role.items()))
        good = sum(1 for statuses in self.reached.values() if any(status < 400 for status in statuses))
        return (
            f"{self.requests} requests ({roles}) to {len(self.reached)} of {self.routes} routes, {good} of them answered "
            f"with what was asked for at least once; statuses: {statuses}. No error of ours; no GET changed anything; "
            f"nothing of a game was told to or changed by who had no right to it"
        )


def prove(app: Flask, requests: int, seed: int = 1) -> Figures:
    """Send so many requests. Raises AssertionError with the request that broke a promise."""
    random, figures = Random(seed), Figures()
    app.config.update(TESTING=False, PROPAGATE_EXCEPTIONS=False, METRICS_TOKEN="fuzz")
    world = World(app, random)
    maker = Requests(app, random)
    figures.routes = len(maker.routes)
    for number in range(requests):
        if number % RENEW_GAMES == 0:
            world.new_games()
        elif number % RENEW_ROLES == 0:
            world.put_roles_right()
        actor = random.choice(world.actors + world.keepers)
        request = maker.make(number, actor, world)
        _judged(world, maker, actor, request, figures)
    return figures


def _judged(world: World, maker: Requests, actor: Actor, request: Request, figures: Figures) -> None:
    before = world.fingerprints(actor)
    looks = request.method in ("GET", "HEAD", "OPTIONS")
    version = world.database_version() if looks else None
    answer, text = _send(actor, request)
    status = answer.status_code
    figures.requests += 1
    figures.statuses[status] += 1
    figures.by_role[actor.role] += 1
    if request.route:
        figures.reached[request.route][status] += 1
    told = f"{request} by {actor} was answered with {status}"
    assert status < 500, f"{told}\n{text[-500:]}"
    if looks:
        assert world.database_version() == version, f"{told}, and changed the database"
    assert world.fingerprints(actor) == before, f"{told}, and changed a game that is not theirs to change"
    leaked = world.leaked(actor, text + " ".join(answer.headers.values()), request)
    assert not leaked, f"{told}, and told them {leaked}"
    if status in (200, 409, 422) and answer.mimetype == "text/html":
        maker.learn(request.path, text, actor, world.all_secrets(request.path + text))


def _send(actor: Actor, request: Request) -> tuple[TestResponse, str]:
    answer = actor.client.open(
        request.path, method=request.method, data=request.body, content_type=request.content_type, headers=request.headers,
        buffered=False,
    )  # fmt: skip
    try:
        # A stream has no end; what comes first is enough.
        text = "" if answer.mimetype == "text/event-stream" else _unpacked(answer).decode("utf-8", "replace")
    finally:
        answer.close()
    with actor.client.application.app_context():
        db.session.remove()
    return answer, text


def _unpacked(answer: TestResponse) -> bytes:
    content = answer.get_data()
    return brotli.decompress(content) if answer.headers.get("Content-Encoding") == "br" and content else content


def main(arguments: list[str]) -> None:
    """Run it in full, on both databases or the one named."""
    kinds = [arguments[0]] if arguments else ["sqlite", "postgresql"]
    requests, seed = (int(text) for text in [*arguments[1:], *["20000", "1"][len(arguments[1:]) :]])
    for kind in kinds:
        start = time.monotonic()
        with prepared(kind, COMPANION_HOSTED="true") as server:
            server.app.config["HOSTED"] = True
            figures = prove(server.app, requests, seed)
            print(f"{kind}: {figures} ({time.monotonic() - start:.0f} s)", flush=True)
            for route, statuses in sorted(figures.reached.items()):
                print(f"    {route}: " + ", ".join(f"{count} × {status}" for status, count in sorted(statuses.items())))


if __name__ == "__main__":
    main(sys.argv[1:])
