"""Line charts as numbers a small SVG template draws: the better a line stands, the higher it lies.

No colour is needed to read one: every line has a mark and a dash pattern of its own, and its name at its end. The
same values give the same bytes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from companion.pages.text_width import fitted, told_apart

WIDTH = 300
LEFT, RIGHT, TOP, BOTTOM = 34, 94, 12, 22
LINE_GAP = 14.5  # between the names at the ends
LEAST_HEIGHT = 180
TEXT = 12  # size of the names
_NAME_ROOM = (RIGHT - 24) / TEXT

#: Marks round (0, 0) as paths of relative steps, and whether they are filled.
MARKS: tuple[tuple[str, bool], ...] = (
    ("m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z", True),  # disc
    ("m-2.9-2.9h5.8v5.8h-5.8z", False),  # square
    ("m0-4l3.8 6.8h-7.6z", True),  # triangle
    ("m0-4.2l4.2 4.2l-4.2 4.2l-4.2-4.2z", False),  # diamond
    ("m-2.9-2.9h5.8v5.8h-5.8z", True),  # filled square
    ("m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z", False),  # ring
    ("m0 4l3.8-6.8h-7.6z", True),  # triangle upside down
    ("m-3.2-3.2l6.4 6.4m0-6.4l-6.4 6.4", False),  # cross
)
#: One fewer than marks, so that a ninth line shares its mark with the first but not its dashes.
DASHES = ("", "7 3", "2 3", "9 3 2 3", "5 2", "1.5 4", "10 2 2 2 2 2")


#: What a line shows: its name, and its value at some of the chart's ``xs``.
Line = tuple[str, Mapping[int, int]]


@dataclass(frozen=True, slots=True)
class Sample:
    """How a line looks, for its legend: ``tone`` counts the colours from 0."""

    tone: int
    dash: str
    mark: str
    filled: bool


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A line as paths; ``lead`` goes from its last point to its name."""

    sample: Sample
    path: str
    marks: str
    lead: str
    name: str
    name_x: str
    name_y: str
    end_mark: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing of ``width`` × ``height``; ticks are a position and its number."""

    width: int
    height: int
    left: str
    right: str
    bottom: str
    across: tuple[tuple[str, str], ...]
    down: tuple[tuple[str, str], ...]
    lines: tuple[DrawnLine, ...]


def sample(index: int) -> Sample:
    """How the line with that index is drawn."""
    mark, filled = MARKS[index % len(MARKS)]
    return Sample(index % len(MARKS), DASHES[index % len(DASHES)], mark, filled)


def line_chart(lines: Sequence[Line], xs: Sequence[int], *, best_low: bool = True) -> Chart:
    """The chart of some lines over ``xs``, evenly spaced: their names, and their values at one or more ``x``. The first
    ``x`` has no number: it is where the lines begin.
    """
    height = max(LEAST_HEIGHT, round(LINE_GAP * len(lines)))
    frame = _Frame(xs, _scale([value for _name, values in lines for value in values.values()]), height, best_low)
    wanted = [frame.y(values[max(values)]) for _name, values in lines]
    at = spread(wanted, LINE_GAP, TOP, TOP + height)
    names = told_apart([name for name, _values in lines], lambda name: fitted(name, _NAME_ROOM))
    drawn = [_drawn(index, (names[index], line[1]), frame, at[index]) for index, line in enumerate(lines)]
    return Chart(
        WIDTH,
        TOP + height + BOTTOM,
        _text(LEFT),
        _text(WIDTH - RIGHT),
        _text(TOP + height + 16),
        tuple((_text(frame.x(x)), str(x)) for x in xs[1:]),
        tuple((_text(frame.y(value)), str(value)) for value in frame.ticks),
        tuple(drawn),
    )


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where values lie on the paper."""

    xs: Sequence[int]
    ticks: tuple[int, ...]
    height: int
    best_low: bool

    def x(self, value: int) -> float:
        """From the left edge."""
        return LEFT + self.xs.index(value) * (WIDTH - LEFT - RIGHT) / max(1, len(self.xs) - 1)

    def y(self, value: int) -> float:
        """From the top; the best is on top."""
        low, high = self.ticks[0], self.ticks[-1]
        share = (value - low) / (high - low)
        return TOP + self.height * (share if self.best_low else 1 - share)


def _scale(values: Sequence[int]) -> tuple[int, ...]:
    """Round numbers from below the least value (or 0) to above the greatest, five steps at most."""
    low, high = min(0, *values), max(0, *values)
    sizes = (size * 10**power for power in range(1, 9) for size in (1, 2, 5))
    step = next(size for size in sizes if _ticks(low, high, size) <= 5)
    first = low // step * step
    return tuple(first + step * nth for nth in range(_ticks(low, high, step) + 1))


def _ticks(low: int, high: int, step: int) -> int:
    return max(1, -(-high // step) - low // step)


def spread(wanted: Sequence[float], gap: float, top: float, bottom: float) -> tuple[float, ...]:
    """Places as near to the wanted ones as this simple way finds, ``gap`` apart and in their order, from ``top`` to
    ``bottom`` where they fit; equals keep the order given.

    >>> spread((50, 50, 10), 10, 0, 100)
    (45.0, 55.0, 10.0)
    """
    clumps: list[list[int]] = []  # members, from top to bottom
    centre = partial(_centre, wanted, gap, top, bottom)
    for index in sorted(range(len(wanted)), key=lambda index: (wanted[index], index)):
        clumps.append([index])
        while len(clumps) > 1 and centre(clumps[-1]) - centre(clumps[-2]) < _apart(clumps, gap) - 1e-9:
            clumps[-2:] = [clumps[-2] + clumps[-1]]
    places: dict[int, float] = {}
    for clump in clumps:
        first = centre(clump) - gap * (len(clump) - 1) / 2
        places |= {member: first + gap * nth for nth, member in enumerate(clump)}
    return tuple(places[index] for index in range(len(wanted)))


def _apart(clumps: Sequence[Sequence[int]], gap: float) -> float:
    """How far apart the centres of the last two clumps must be."""
    return gap * (len(clumps[-2]) + len(clumps[-1])) / 2


def _centre(wanted: Sequence[float], gap: float, top: float, bottom: float, clump: Sequence[int]) -> float:
    """The middle of a clump: where its members are wanted on average, if there is room."""
    half = gap * (len(clump) - 1) / 2
    return max(top + half, min(bottom - half, sum(wanted[index] for index in clump) / len(clump)))


def _drawn(index: int, line: Line, frame: _Frame, name_y: float) -> DrawnLine:
    look, (name, values) = sample(index), line
    points = [(frame.x(x), frame.y(values[x])) for x in frame.xs if x in values]
    end_x, end_y = points[-1]
    mark_x = WIDTH - RIGHT + 14
    return DrawnLine(
        sample=look,
        path="M" + "L".join(_point(*point) for point in points),
        # where all lines begin, a heap of marks would tell nothing
        marks="".join(f"M{_point(*point)}{look.mark}" for point in points if point[0] > LEFT or len(points) == 1),
        lead=f"M{_point(end_x, end_y)}L{_point(mark_x - 6, name_y)}",
        name=name,
        name_x=_text(mark_x + 7),
        name_y=_text(name_y + TEXT / 3),
        end_mark=f"M{_point(mark_x, name_y)}{look.mark}",
    )


def _point(x: float, y: float) -> str:
    return f"{_text(x)} {_text(y)}"


def _text(number: float) -> str:
    """One digit after the point at most, and none where there is none to say."""
    return f"{round(number, 1) + 0:g}"
