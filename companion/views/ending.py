"""The end of the night: who won, closing early, playing on, once more."""

from __future__ import annotations

from flask import Blueprint

bp = Blueprint("ending", __name__, url_prefix="/g/<code>")
