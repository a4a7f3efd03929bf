"""One line of JSON for each request, hosted or where the setting REQUEST_LOG asks for it; and what goes wrong, without paths.

A path holds the code of a game, which lets a phone in, so only the pattern of an address is written down; no name and no
card either. The line's ``request`` is an id that the answer carries too, so that a report and its line find each other.
"""

import logging
import re
import secrets
import sys
import time
from types import TracebackType
from typing import Any

from flask import Flask, Response, current_app, g, request
from pythonjsonlogger.json import JsonFormatter

from companion.serving.metrics import route

HEADER = "X-Request-ID"
_AN_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
_log = logging.getLogger("companion.requests")
_Raised = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def init_app(app: Flask) -> None:
    """Give every request its id; write the lines where they are asked for."""
    app.before_request(_begin)
    app.log_exception = _log_exception(app)  # type: ignore[method-assign]
    asked = app.config["REQUEST_LOG"]
    if app.config["HOSTED"] if asked is None else asked:
        _write_to(sys.stderr)
        app.after_request(_write_line)


def request_id() -> str:
    """The id of this request: the proxy's, where one is trusted and gave one, else a random one."""
    given: str | None = g.get("request_id")
    return given or ""


def _begin() -> None:
    said = request.headers.get(HEADER, "")
    is_believed = current_app.config["TRUSTED_PROXIES"] and _AN_ID.fullmatch(said)
    g.request_id = said if is_believed else secrets.token_hex(8)
    g.request_begun = time.perf_counter()


def _write_line(response: Response) -> Response:
    response.headers[HEADER] = request_id()
    _log.info(
        "request",
        extra={
            "request": request_id(), "method": request.method, "route": route(), "status": response.status_code,
            "ms": round(1000 * (time.perf_counter() - g.request_begun), 1),
        },
    )  # fmt: skip
    return response


def _write_to(stream: Any) -> None:
    """Lines of JSON to a stream, once in a process."""
    if any(isinstance(handler.formatter, JsonFormatter) for handler in _log.handlers):
        return
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        JsonFormatter("%(asctime)s %(levelname)s %(message)s", rename_fields={"asctime": "time", "levelname": "level"})
    )
    _log.addHandler(handler)
    _log.setLevel(logging.INFO)
    _log.propagate = False


def _log_exception(app: Flask) -> Any:
    def log_exception(raised: _Raised) -> None:
        """As in Flask, with the pattern of the address in place of the path, in which a game's code stands."""
        app.logger.error("Exception on %s [%s], request %s", route(), request.method, request_id(), exc_info=raised)

    return log_exception
