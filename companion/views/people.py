"""Who sits at the table: joining late, leaving, seats, dealer."""

from __future__ import annotations

from flask import Blueprint

bp = Blueprint("people", __name__, url_prefix="/g/<code>")
