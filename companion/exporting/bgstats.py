"""A finished night as a link that Board Game Stats opens: its public "push play" format, one play with its players.

https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/
Nothing is sent anywhere until somebody taps the link; the app asks before it keeps anything.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from urllib.parse import quote

from companion.names import look_alike_key
from companion.record import GameView
from companion.referee.events import Event, GameStarted
from companion.referee.games import game_of
from companion.referee.standings import standings
from companion.referee.state import Phase

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="


def link(view: GameView, events: Sequence[Event], uid: str, ended: datetime) -> str:
    """The link of a night that is over and has scores, else "" (``events`` are those in force)."""
    if view.state.phase not in (Phase.FINISHED, Phase.CLOSED) or not view.state.scores:
        return ""
    text = json.dumps(play(view, events, uid, ended), ensure_ascii=False, separators=(",", ":"))
    return ADDRESS + quote(text, safe="")


def play(view: GameView, events: Sequence[Event], uid: str, ended: datetime) -> Mapping[str, object]:
    """The play as the format has it; moments are in UTC."""
    state = view.state
    stood, starter = standings(state), _starter(events)
    players = []
    for seat in stood.ranked(state.chairs):
        player: dict[str, object] = {
            "name": view.names[seat], "sourcePlayerId": _player(view.names[seat]), "score": stood.totals[seat],
            "winner": stood.leads(seat), "startPlayer": seat == starter,
        }  # fmt: skip
        place = stood.place(seat)
        players.append(player if place is None else {**player, "rank": place})
    played = game_of(state.rules)
    game = {"name": played.boardgame, "sourceGameId": played.key, "highestWins": not state.rules.lowest_wins}
    return {
        "sourceName": "Gripe Companion",
        "sourcePlayId": uid,
        "playDate": ended.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "game": {**game, "noPoints": False},
        "players": players,
    }


def _player(name: str) -> str:
    """The same for one person every night, so that the app asks once who it is."""
    return hashlib.sha256(look_alike_key(name).encode()).hexdigest()[:16]


def _starter(events: Sequence[Event]) -> int | None:
    """Who began the first hand: the player to the first dealer's left (G1.3)."""
    starts = (event for event in events if isinstance(event, GameStarted))
    return next((event.seats[(event.seats.index(event.dealer) + 1) % len(event.seats)] for event in starts), None)
