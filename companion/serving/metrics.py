"""Numbers for whoever runs the server, in the text format of Prometheus; never a name, a code or a card.

Off unless the setting METRICS_TOKEN is given. Several processes of one server add theirs up through files in the folder
that PROMETHEUS_MULTIPROC_DIR names, which `companion hosted` makes.
"""

import os
import time

from flask import Flask, Response, g, request
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

from companion.record.writing import after_commit

FOLDER = "PROMETHEUS_MULTIPROC_DIR"

REQUESTS = Counter(
    "companion_requests", "Requests answered, by pattern of the address and status.", ["method", "route", "status"]
)
SECONDS = Histogram(
    "companion_request_seconds", "Time until an answer began.", buckets=(0.005, 0.02, 0.05, 0.1, 0.25, 1, 5, 15)
)
CHANGES = Counter("companion_changes", "Changes of games that were committed by this server.")
STREAMS = Gauge("companion_streams", "Phones that are told of changes as they happen.", multiprocess_mode="livesum")


def init_app(app: Flask) -> None:
    """Count from now on, where a token is set."""
    if not app.config["METRICS_TOKEN"]:
        return
    app.before_request(_begin)
    app.after_request(_count)
    after_commit.add(_count_change)


def exposed() -> tuple[bytes, str]:
    """All numbers as they are now, with their content type."""
    registry = REGISTRY
    if FOLDER in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)
    return generate_latest(registry), CONTENT_TYPE_LATEST


def route() -> str:
    """The pattern of this request's address, which holds no code and no name; "none" where no page has it."""
    return request.url_rule.rule if request.url_rule else "none"


def _begin() -> None:
    g.begun = time.perf_counter()


def _count(response: Response) -> Response:
    REQUESTS.labels(request.method, route(), response.status_code).inc()
    SECONDS.observe(time.perf_counter() - g.begun)
    if response.mimetype == "text/event-stream":
        STREAMS.inc()
        response.call_on_close(STREAMS.dec)
    return response


def _count_change(_game: int) -> None:
    CHANGES.inc()
