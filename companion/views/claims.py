"""Who gets the discard that several want (G5)."""

from __future__ import annotations

from flask import Blueprint

bp = Blueprint("claims", __name__, url_prefix="/g/<code>")
