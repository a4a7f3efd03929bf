"""The record of every game: the only writer, and the way to read it.

A writer quotes the revision it saw and a token made with its form. A command lands when it is still legal and
still means what the person saw; the same token lands once. Nothing is changed or deleted: an undo is an entry.
"""

from companion.record.lists import (
    GameSummary,
    KnownPerson,
    SeatSummary,
    games_for,
    house_for,
    is_open,
    known_people,
    latest_games,
    role,
    role_and_seat,
    standing,
)
from companion.record.outcomes import Accepted, NoSuchGame, Stale, TokenSpent
from companion.record.reading import DeviceLabel, EntryView, GameView, entries, load, revision, since
from companion.record.writing import after_commit, append, join, new_token, redo, start_game, undo

__all__ = [
    "Accepted", "DeviceLabel", "EntryView", "GameSummary", "GameView", "KnownPerson", "NoSuchGame", "SeatSummary",
    "Stale", "TokenSpent", "after_commit", "append", "entries", "games_for", "house_for", "is_open", "join", "known_people", "latest_games",
    "load", "new_token", "redo", "revision", "role", "role_and_seat", "since", "standing", "start_game", "undo",
]  # fmt: skip
