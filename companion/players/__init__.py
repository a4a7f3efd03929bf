"""Nights that play themselves: players who see what a person at the table sees, and a dealer who has the cards.

The engine judges every command, so that a simulated night is a record like any other. All chance comes from one
``random.Random`` that the caller hands in.
"""

from companion.players.four import PLAYERS
from companion.players.nights import HandFacts, Night, play_night

__all__ = ["PLAYERS", "HandFacts", "Night", "play_night"]
