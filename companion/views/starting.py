"""A new game: names, seats, dealer, rules."""

from __future__ import annotations

from flask import Blueprint

bp = Blueprint("starting", __name__)
