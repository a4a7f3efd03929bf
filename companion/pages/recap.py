"""A night as its recap shows it: the podium, the chart, the turning points, and the text to paste."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from flask import request
from flask_babel import format_date
from flask_babel import gettext as _

from companion import wording
from companion.analysis import results
from companion.i18n import evening_of
from companion.pages.charts import Chart, line_chart
from companion.pages.standings import HandWon, PlayerLine, hands_won, player_lines
from companion.record import GameView
from companion.referee.events import Event
from companion.referee.standings import Standings, standings
from companion.referee.state import GameState, Phase
from companion.serving.lan import base_address, is_home
from companion.wording import recap as words


@dataclass(frozen=True, slots=True)
class RecapPage:
    """Everything the page shows. ``podium`` are the places from the first to the third, each with all who share it;
    ``turns`` are the turning points, what kind, and who or what. ``chart`` is None while no hand is scored; ``table`` is
    the same in figures, its columns ``lines``: for each hand ("" before the first) the totals after it (None: had not
    sat down yet, or had left), and whether they were in first place.
    """

    game: str
    title: str
    detail: str
    margin: str
    over: bool
    players: tuple[PlayerLine, ...]
    podium: tuple[tuple[PlayerLine, ...], ...]
    turns: tuple[tuple[str, str], ...]
    hands: tuple[HandWon, ...]
    lines: tuple[PlayerLine, ...]
    table: Mapping[str, tuple[tuple[int | None, bool], ...]]
    chart: Chart | None
    chart_words: str


def recap_page(view: GameView, events: Sequence[Event]) -> RecapPage:
    """The recap of a game as it stands; ``events`` are those in force."""
    state = view.state
    now, stood = standings(state), results.after_each_hand(state, events)
    players = tuple(player_lines(view, now.ranked(state.chairs))) if state.scores else ()
    lines = tuple(sorted(players, key=lambda player: state.seats.index(player.seat)))
    drawn = [(player.name, _running(state, player.seat, stood)) for player in lines]
    over = state.phase in (Phase.FINISHED, Phase.CLOSED)
    return RecapPage(
        game=wording.game_name(state.rules),
        title=words.headline(now.winners, view.names, over=over),
        detail=_detail(view, over),
        margin=_margin(view, now),
        over=over,
        players=players,
        podium=tuple(filter(None, (tuple(line for line in players if line.place == place) for place in (1, 2, 3)))),
        turns=tuple(_turns(view, stood)) if state.scores else (),
        hands=tuple(hands_won(view)),
        lines=lines,
        table=_table(state, stood) if state.scores else {},
        chart=line_chart(drawn, [after.hand for after in stood], best_low=now.lowest_wins) if drawn else None,
        chart_words=words.chart_words(lowest_wins=now.lowest_wins),
    )


def _detail(view: GameView, over: bool) -> str:
    """The day, and how much was played."""
    state = view.state
    last = state.scores[-1].number if state.scores else 0
    early = state.phase is Phase.CLOSED
    length = words.length_words(len(state.scores), last, state.rules, over=over, early=early)
    return f"{format_date(evening_of(view.created_at), 'long')} · {length}"


def _margin(view: GameView, now: Standings) -> str:
    """The total in first place and how far ahead it is; only the total where there is no other."""
    if not now.winners:
        return ""
    total, second = now.totals[now.winners[0]], len(now.winners) + 1
    if now.margin is None:
        return _("with %(total)s", total=wording.points_words(total))
    nearest = [seat for seat in view.state.chairs if now.place(seat) == second]
    return words.margin_words(now.margin, total, nearest, view.names)


def _turns(view: GameView, stood: Sequence[Standings]) -> Iterable[tuple[str, str]]:
    """The turning points there are; what would only repeat the standings of a single hand is left out."""
    state, names = view.state, view.names
    several = len(state.scores) > 1
    periods, floats = results.lead_periods(stood), results.floats(state)
    most_won, winners = results.most_hands_won(state)
    buys, buyers = results.most_buys(state)
    turns = (
        (_("In front"), words.lead_words(periods, names) if several and periods else ""),
        (_("Biggest swing"), words.swings_words(results.biggest_swings(stood), names)),
        (_("Worst hand caught"), words.worst_words(results.worst_hands(state), names)),
        (_("Most hands won"), words.most_hands_words(most_won, winners, names) if several and most_won else ""),
        (_("Most buys"), words.most_buys_words(buys, buyers, names) if buys else ""),
        (_("Floated"), words.floats_words(floats, names) if floats else ""),
    )
    return ((label, text) for label, text in turns if text)


def _running(state: GameState, seat: int, stood: Sequence[Standings]) -> Mapping[int, int]:
    """A seat's totals by hand: a late joiner's begin with what they brought, a leaver's end with their last hand."""
    here = [standing for standing in stood if seat in standing.totals]
    if not here:  # sat down after the last scored hand
        return {stood[-1].hand: state.carried.get(seat, 0)}
    if seat in state.away:
        last = max((standing.hand for standing in here if seat in standing.places), default=here[0].hand)
        here = [standing for standing in here if standing.hand <= last]
    before = stood[max(0, stood.index(here[0]) - 1)].hand
    return {before: state.carried.get(seat, 0)} | {standing.hand: standing.totals[seat] for standing in here}


def _table(state: GameState, stood: Sequence[Standings]) -> Mapping[str, tuple[tuple[int | None, bool], ...]]:
    """The chart in figures; the row before the first hand only where somebody started with points."""
    begun = stood if any(stood[0].totals.values()) else stood[1:]
    first = stood[0].hand
    return {
        "" if after.hand == first else str(after.hand): tuple(_cell(after, seat) for seat in state.seats)
        for after in begun
    }


def _cell(standing: Standings, seat: int) -> tuple[int | None, bool]:
    """The total of somebody at the table, and whether it is in first place."""
    here = seat in standing.places
    return (standing.totals[seat] if here else None), standing.places.get(seat) == 1


@dataclass(frozen=True, slots=True)
class SharedLink:
    """An address to give away, and what is to be known of it, "" for nothing."""

    address: str
    note: str


def to_share(path: str) -> SharedLink:
    """The address of a page that others can use, wherever this phone asked from."""
    base = base_address()
    if base is None:
        return SharedLink(request.host_url.rstrip("/") + path, words.unreachable_words())
    return SharedLink(base + path, words.home_words() if is_home(base) else "")


def text_to_paste(page: RecapPage, link: SharedLink | None = None) -> str:
    """The night for a chat: who won, everybody's place and total, the turning points, and the link if there is one."""
    placed = [f"{player.place}. {player.name}: {player.total}" for player in page.players if player.place]
    left = [f"– {player.name}: {player.total} ({player.left})" for player in page.players if not player.place]
    paragraphs = [
        [f"{page.game} · {page.detail}", f"{page.title} {page.margin}".strip()],
        placed + left,
        [f"{label}: {text}" for label, text in page.turns],
        [link.address, *filter(None, [link.note])] if link else [],
    ]
    return "\n\n".join("\n".join(lines) for lines in paragraphs if lines)
