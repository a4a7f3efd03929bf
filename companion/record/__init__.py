"""The record of every game: the only writer, and the way to read it.

A writer quotes the revision it saw and a token made with its form. A command lands when it is still legal and
still means what the person saw; the same token lands once. Nothing is changed or deleted: an undo is an entry.
"""

from companion.record.lists import GameSummary, games_for, house_for, is_open, known_people, role, standing
from companion.record.next_games import NextGame, NextGameBegun, next_game
from companion.record.reading import (
    TAKEN_BACK,
    DeviceLabel,
    EntryView,
    GameView,
    NoSuchGame,
    entries,
    load,
    revision,
    since,
    undone,
)
from companion.record.writing import (
    Accepted,
    Stale,
    TokenSpent,
    append,
    join,
    new_token,
    redo,
    start_game,
    started_with,
    undo,
)
