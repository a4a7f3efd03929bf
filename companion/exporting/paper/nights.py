"""The nights of a table, as the lines of their players."""

from collections.abc import Iterable, Iterator, Sequence

from companion.exporting.paper.cells import HANDS, points
from companion.exporting.paper.grid import Row
from companion.exporting.paper.lines import UNREAD, Line, Reader, Rough
from companion.exporting.paper.tables import ACROSS, DOWN, LONG, Table, is_word
from companion.exporting.spreadsheet import FORMULA
from companion.names import look_alike_key
from companion.referee.games import SHEETS

_FEWEST = 3  # players of a night
_MOST = 8
#: What our own sheet has besides what everybody's has: where all of it is there, nothing in it is doubtful.
_OURS = {"night", "date", "name", "hand", "points", "out", "floated", "buys", "brought along", "total"}


def nights_of(reader: Reader, table: Table) -> list[Rough]:
    """The nights of a table, in their order."""
    made = {DOWN: _down, ACROSS: _across, LONG: _long}[table.kind](reader, table)
    nights = list(made)
    if table.kind == DOWN:
        nights = _joined(reader, nights)
    for night in nights:
        night.unclear = table.open
        asked = any(UNREAD in line.marks.values() for line in night.lines)
        night.open = night.open or table.open or asked
        if night.day is None and not night.undated and not night.unclear:
            night.day = reader.asking.ask_day(night.number, night.cells)
        night.open = night.open or night.day is None
    return nights


def name_in(cell: str) -> str:
    """The name in a cell: only the apostrophe that keeps spreadsheets from taking it for a formula is no part of it.

    >>> name_in("'=1+1"), name_in("'t Hart")
    ('=1+1', "'t Hart")
    """
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA) else cell


def _other_columns(reader: Reader, table: Table, unknown: Iterable[int]) -> None:
    """What the columns hold whose titles say nothing: asked where they look like points, else left out, and said so."""
    untold: list[int] = []
    for place in unknown:
        cells = [row[place] for row in table.rows if row[place]]
        title = table.titles[place]
        scored = [cell for cell in cells if points(cell) is not None]
        if not cells:
            continue
        if 2 * len(scored) < len(cells) or reader.words.of(title) in ("skip", "number"):
            reader.paper.note(table.titles.number, "column", text=title or cells[0])
        else:
            untold.append(place)
    if len(untold) > 1 and not any(what.isdigit() for what in table.columns.values()):
        _all_hands(reader, table, untold[:HANDS])
        untold = untold[HANDS:]
    for place in untold:
        _one_column(reader, table, place)


def _all_hands(reader: Reader, table: Table, places: Sequence[int]) -> None:
    titles = [table.titles[place] for place in places]
    given = reader.asking.ask(table.titles.number, "hands", titles, [("hands", {"last": len(places)})], texts=titles)
    table.open = table.open or not given
    table.columns |= {place: str(hand) for hand, place in enumerate(places, 1)}


def _one_column(reader: Reader, table: Table, place: int) -> None:
    title, held = table.titles[place], set(table.columns.values())
    hand = max((int(what) for at, what in table.columns.items() if at < place and what.isdigit()), default=0) + 1
    answers: list[tuple[str, dict[str, object]]] = [("skip", {})]
    if "total" not in held:
        answers.insert(0, ("total", {}))
    if hand <= HANDS and str(hand) not in held:
        answers.insert(0, ("hand", {"hand": hand}))
    cells = [row[place] for row in table.rows]
    number = table.titles.number or table.rows[0].number
    given = reader.asking.ask(number, "column", (title, place, cells), answers, text=title or cells[0])
    table.open = table.open or not given
    if given in ("hand", "total"):
        table.columns[place] = str(hand) if given == "hand" else "total"


# --- a line for every player ------------------------------------------------------------------------------------------


def _down(reader: Reader, table: Table) -> Iterator[Rough]:
    width = max((len(row.cells) for row in table.rows), default=0)
    if table.titles.number:
        titled = [place for place in range(len(table.titles.cells)) if place not in table.columns]
        beyond = range(len(table.titles.cells), width)
        all_wide = len(table.rows) > 1 and all(len(row.cells) == width for row in table.rows)
        table.width = width if all_wide else len(table.titles.cells)
        _other_columns(reader, table, [*titled, *(beyond if all_wide else ())])
    for place, block in enumerate(table.blocks):
        night: Rough | None = None
        day = table.days.get(place)
        for row in block:
            cell = row[table.place("date")]
            if not _is_player(reader, table, row):
                continue
            if cell or night is None:
                own = reader.day(row.number, cell) if cell else day
                if night is None or own != night.day:
                    if night:
                        yield night
                    night = Rough(row.number, own, undated=own is None and (bool(cell) or place in table.days))
            night.lines.append(_player(reader, table, row))
        if night:
            yield night


def _is_player(reader: Reader, table: Table, row: Row) -> bool:
    """Whether a row is a player's; sums, and remarks, are left out, and that is said."""
    name = row[table.place("name")]
    if name and reader.words.of(name) in ("total", "skip"):
        reader.paper.note(row.number, "row", text=name)
        return False
    if len(row.filled) == 1 and table.titles.number and not reader.has_day(row[row.filled[0]]):
        reader.paper.note(row.number, "remark", text=row[row.filled[0]])
        return False
    return True


def _player(reader: Reader, table: Table, row: Row) -> Line:
    line = Line(row.number, name_in(row[table.place("name")]))
    for place, what in table.columns.items():
        if what.isdigit() and row[place]:
            reader.mark(line, int(what), row[place], row.number)
    if cell := row[table.place("total")]:
        reader.total(line, cell, row.number)
    if any(place > max(table.columns) and place >= table.width for place in row.filled):
        reader.paper.fault(row.number, "too_wide")
    return line


def _joined(reader: Reader, nights: Sequence[Rough]) -> list[Rough]:
    """Lines of one day with a blank line between them may be one night: they are where either alone is too few for a
    table, and it is asked where both could be.
    """
    joined: list[Rough] = []
    for night in nights:
        before = joined[-1] if joined else None
        if before and night.day in (before.day, None) and not night.undated and _are_others(before, night):
            few = min(len(before.lines), len(night.lines)) < _FEWEST
            names = [line.name for line in (*before.lines, *night.lines)]
            answers = [("one", {"count": len(names)}), ("two", {})]
            given = "one" if few else reader.asking.ask(night.number, "one_night", (night.number, names), answers)
            before.open = night.open = before.open or not given
            night.day = before.day
            if given == "one":
                before.lines += night.lines
                continue
        joined.append(night)
    return joined


def _are_others(one: Rough, other: Rough) -> bool:
    keys = [{look_alike_key(line.name) for line in night.lines} for night in (one, other)]
    return not keys[0] & keys[1] and len(one.lines) + len(other.lines) <= _MOST


# --- a line for every hand --------------------------------------------------------------------------------------------


def _across(reader: Reader, table: Table) -> Iterator[Rough]:
    names = _names(reader, table)
    label, date_at = table.place("hand"), table.place("date")
    single = date_at >= 0 and label < 0 and len({row[date_at] for row in table.rows}) == len(table.rows) > 1
    if single:
        reader.paper.fault(table.titles.number, "only_totals")
        table.open = True
    for place, block in enumerate(table.blocks):
        night, hand = Rough(0, None), 0
        for row in block:
            if label >= 0 and reader.words.of(row[label]) == "total":
                for name_at, line in zip(names, night.lines, strict=False):
                    if row[name_at]:
                        reader.total(line, row[name_at], row.number)
                continue
            if label >= 0 and reader.words.of(row[label]) == "skip":
                reader.paper.note(row.number, "row", text=row[label])
                continue
            if not any(row[name_at] for name_at in names):
                reader.paper.note(row.number, "remark", text=" ".join(filter(None, row.cells)))
                continue
            number = reader.words.hand(row[label]) if label >= 0 else None
            number = number or hand + 1
            day = reader.day(row.number, row[date_at]) if row[date_at] else None
            is_other = bool(row[date_at]) and night.number and day != night.day
            if not night.number or number <= hand or is_other:
                if night.number:
                    yield night
                number = number if number <= HANDS else 1
                night = Rough(row.number, day or table.days.get(place))
                night.undated = night.day is None and (bool(row[date_at]) or place in table.days)
                night.lines = [Line(table.titles.number, name_in(name)) for name in names.values()]
            hand = number
            _hand(reader, night, hand, [row[name_at] for name_at in names], row.number)
        if night.number:
            yield night


def _hand(reader: Reader, night: Rough, hand: int, cells: Sequence[str], number: int) -> None:
    if hand > HANDS:
        reader.paper.fault(number, "no_hand", hand)
        return
    for line, cell in zip(night.lines, cells, strict=True):
        line.at[hand] = number
        if cell:
            reader.mark(line, hand, cell, number)


def _names(reader: Reader, table: Table) -> dict[int, str]:
    """The columns with points below a name; others are left out, and that is said."""
    names: dict[int, str] = {}
    for place in table.titles.filled:
        if place in table.columns or table.days and reader.has_day(table.titles[place]):
            continue
        cells = [row[place] for row in table.rows if row[place]]
        told = [cell for cell in cells if reader.words.mark(cell) is not None or not is_word(cell)]
        if reader.words.of(table.titles[place]) in ("total", "skip") or not told:
            reader.paper.note(table.titles.number, "column", text=table.titles[place])
        else:
            names[place] = table.titles[place]
    for place in range(max((len(row.cells) for row in table.rows), default=0)):
        under = next((row[place] for row in table.rows if row[place]), "")
        if under and not table.titles[place] and place not in table.columns:
            reader.paper.note(table.titles.number, "column", text=under)
    return names


# --- a line for every hand of every player ----------------------------------------------------------------------------


def _long(reader: Reader, table: Table) -> Iterator[Rough]:
    exact = set(table.columns.values()) >= _OURS
    keys = [table.place(what) for what in ("night", "date", "rules")]
    night: Rough | None = None
    lines: dict[str, Line] = {}
    key: list[str] = []
    for row in table.rows:
        cells = [row[place] for place in keys]
        if night is None or (cells != key and any(cells)):
            if night:
                yield night
            key, lines = cells, {}
            day = reader.day(row.number, cells[1]) if cells[1] else None
            night = Rough(row.number, day, undated=bool(cells[1]) and day is None, exact=exact)
            night.open = not _rules(reader, night, cells[2]) or night.open
        _row(reader, table, night, lines, row)
    if night:
        yield night


def _rules(reader: Reader, night: Rough, sheet: str) -> bool:
    """Take the rules of a night; False where they are of a game whose points alone say too little."""
    rules = SHEETS.get(reader.words.sheets.get(sheet, "")) if sheet else night.rules
    if rules is None or not rules.lowest_wins:
        reader.paper.fault(night.number, "rules", text=sheet)
        return False
    night.rules = rules
    return True


def _row(reader: Reader, table: Table, night: Rough, lines: dict[str, Line], row: Row) -> None:
    name, hand = name_in(row[table.place("name")]), reader.words.hand(row[table.place("hand")])
    if hand is None or hand > len(night.rules.contracts):
        reader.paper.fault(row.number, "no_hand", text=row[table.place("hand")])
        night.open = True
        return
    if name not in lines:
        lines[name] = Line(row.number, name)
        night.lines.append(lines[name])
    line = lines[name]
    if hand in line.at:
        reader.paper.fault(row.number, "hand_twice", hand, name=name)
    line.at[hand] = row.number
    line.here.add(hand)
    flags = {what for what in ("out", "floated") if points(row[table.place(what)]) == 1}
    if "floated" in flags:
        line.floated.add(hand)
    if "out" in flags:
        line.marks[hand] = "out"
    elif "floated" in flags:
        line.marks[hand] = "float"
    elif cell := row[table.place("points")]:
        reader.mark(line, hand, cell, row.number)
    elif night.exact:
        line.sat.add(hand)
    line.buys[hand] = points(row[table.place("buys")]) or 0
    line.carried = points(row[table.place("brought along")]) or line.carried
    if night.exact and (cell := row[table.place("total")]):
        reader.total(line, cell, row.number)
