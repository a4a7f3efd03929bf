"""The picture of a night to send: where everything lies on it. The phone draws it, since its fonts know every name."""

from dataclasses import dataclass

from companion.pages.charts import WIDTH as CHART_WIDTH
from companion.pages.charts import Chart
from companion.pages.recap import RecapPage
from companion.pages.standings import PlayerLine
from companion.pages.text_width import fitted, told_apart, wrapped

WIDTH = 1080
EDGE = 60
_INSIDE = WIDTH - 2 * EDGE
_DETAIL, _TITLE, _MARGIN, _NAME = 34, 68, 40, 44  # sizes of letters
_NAME_ROOM = _INSIDE - 210 - 150
_BOLD = 1.08  # bold letters are so much wider


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text and where its foot is; ``room`` is how wide it may be at most."""

    text: str
    y: int
    size: int
    room: int
    bold: bool = False
    soft: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A player: the middle of the line, and the name as there is room for it."""

    y: int
    name: str
    player: PlayerLine


@dataclass(frozen=True, slots=True)
class Picture:
    """The whole, ``width`` × ``height``, with the chart ``scale`` times as large from ``chart_y`` down."""

    width: int
    height: int
    texts: tuple[Text, ...]
    rows: tuple[Row, ...]
    name_room: int
    chart: Chart
    chart_y: int
    scale: str


def picture(page: RecapPage) -> Picture | None:
    """The picture of a recap; None while there is nothing to show."""
    if page.chart is None:
        return None
    texts = _texts(page)
    y = texts[-1].y + 50
    names = told_apart([player.name for player in page.players], lambda name: fitted(name, _NAME_ROOM / _NAME))
    placed = enumerate(zip(names, page.players, strict=True))
    rows = tuple(_row(name, player, y + 76 * nth + 38) for nth, (name, player) in placed)
    chart_y = y + 76 * len(rows) + 40
    scale = _INSIDE / CHART_WIDTH
    height = chart_y + round(page.chart.height * scale) + 90
    return Picture(WIDTH, height, texts, rows, _NAME_ROOM, page.chart, chart_y, f"{scale:g}")


def _texts(page: RecapPage) -> tuple[Text, ...]:
    """The day, who won, by how much; from the top."""
    texts = [
        Text(line, 90 + 44 * nth, _DETAIL, _INSIDE, soft=True)
        for nth, line in enumerate(wrapped(page.detail, _INSIDE / _DETAIL, 2))
    ]
    for line in wrapped(page.title, _INSIDE / _TITLE / _BOLD, 3):
        texts.append(Text(line, texts[-1].y + 84, _TITLE, _INSIDE, bold=True))
    for nth, line in enumerate(wrapped(page.margin, _INSIDE / _MARGIN, 2)):
        texts.append(Text(line, texts[-1].y + (52 if nth else 66), _MARGIN, _INSIDE))
    return tuple(texts)


def _row(name: str, player: PlayerLine, y: int) -> Row:
    return Row(y, fitted(name, _NAME_ROOM / _NAME / (_BOLD if player.place == 1 else 1)), player)
