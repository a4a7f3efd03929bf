"""Grebber, with the Kruth deck (K1–K10): a game of another kind, without contracts, to a target."""

from __future__ import annotations

from companion.referee.rules import Rules

GREBBER = Rules(
    sheet="grebber",
    contracts=(),
    decks=1,
    hand_size=6,
    wild_ranks=(),
    discard_ban=False,
    floating=False,
    must_discard_to_go_out=False,
    wild_swap="off",
    min_players=2,
    max_players=3,
    players_per_two_decks=3,
    late_joiner="zero",
    lowest_wins=False,
    target=100,
)
