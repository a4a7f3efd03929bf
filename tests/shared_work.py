"""What the many apps of one run need not do again each: compiling the same templates and the same routes."""

from __future__ import annotations

from typing import Any

from flask import Flask
from jinja2.bccache import Bucket, BytecodeCache
from werkzeug.routing import Rule


class _CompiledTemplates(BytecodeCache):
    """Keeps the code of each template in memory, for as long as its source stays the same."""

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], Any] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._code.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key, bucket.checksum] = bucket.code


_templates = _CompiledTemplates()


def share_templates(app: Flask) -> None:
    """Let an app take compiled templates from the apps before it."""
    app.jinja_env.bytecode_cache = _templates


def share_routes() -> None:
    """Compile what builds an address once for each route, and not for each app: that is most of an app's start."""
    compile_builder = Rule._compile_builder
    compiled: dict[tuple[Any, ...], Any] = {}

    def shared(rule: Rule, append_unknown: bool = True) -> Any:
        key = (tuple(rule._trace), repr(rule.defaults), append_unknown)
        if key not in compiled:
            compiled[key] = compile_builder(rule, append_unknown)
        return compiled[key]

    Rule._compile_builder = shared
