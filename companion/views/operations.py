"""For whoever runs the server, and for the programs that watch over it: is it alive, is it ready, how much is it doing."""

import hmac

from flask import Blueprint, abort, current_app, request
from werkzeug.wrappers import Response

from companion.record import readiness
from companion.serving import metrics as numbers

bp = Blueprint("operations", __name__)


@bp.get("/healthz")
def alive() -> Response:
    """200 while the program answers at all; it asks nothing else."""
    return _text("alive\n")


@bp.get("/readyz")
def ready() -> Response:
    """200 where the database can be reached and has the form that this version needs, else 503."""
    is_up = readiness.is_ready()
    return _text("ready\n" if is_up else "the database is away or of another version\n", 200 if is_up else 503)


@bp.get("/metrics")
def metrics() -> Response:
    """Numbers in the text format of Prometheus, for who knows the setting METRICS_TOKEN; 404 where it is not set."""
    token = current_app.config["METRICS_TOKEN"]
    if not token:
        abort(404)
    said = request.headers.get("Authorization", "")
    if not hmac.compare_digest(said.encode("utf-8", "replace"), f"Bearer {token}".encode()):
        return _text("say the token: Authorization: Bearer …\n", 401, **{"WWW-Authenticate": "Bearer"})
    body, kind = numbers.exposed()
    return Response(body, content_type=kind)


def _text(words: str, status: int = 200, **headers: str) -> Response:
    return Response(words, status, {"Cache-Control": "no-store", **headers}, mimetype="text/plain")
