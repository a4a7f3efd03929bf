"""Home: the games of this phone, and the language."""

from __future__ import annotations

from flask import Blueprint

bp = Blueprint("home", __name__)
