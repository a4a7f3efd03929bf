"""The form of a new game: names on chairs, who deals, the rule sheet and every switch; with what is wrong beside each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from werkzeug.datastructures import MultiDict

from companion.forms.numbers import whole
from companion.names import NameProblem, NameReason, clean_name, look_alike_key, name_problems
from companion.record import GameView
from companion.referee.commands import StartGame
from companion.referee.games import EHOW, GREBBER, KATE, PERU
from companion.referee.kruth import DECK
from companion.referee.reasons import Problem, Reason
from companion.referee.rules import MOST_TARGET, BadRules, Rules
from companion.referee.switches import SWITCHES, Switch
from companion.wording import form_error
from companion.wording.grebber import kruth_players

SHEETS: Mapping[str, Rules] = {rules.sheet: rules for rules in (KATE, EHOW, PERU, GREBBER)}


def turnable(game: str) -> tuple[Switch, ...]:
    """The switches of a game, in the rulebook's order."""
    return tuple(switch for switch in SWITCHES.values() if game in switch.games)


TURNABLE = turnable("gripe")

DRAW = "draw"  # the dealer by lot
CHAIRS_SHOWN = 4  # four is best (G1.2)
ROWS_KEPT = 40  # of what was typed; a table takes eight
LETTERS_KEPT = 200
MOST_HANDS = 500  # the hand that a game to a target can begin with at the latest


@dataclass(slots=True)
class StartForm:
    """What was typed. ``names`` are rows, clockwise, blank ones included; ``points`` from paper go with them;
    ``dealer`` is a row's index or DRAW; ``switches`` holds the values chosen otherwise than the sheet; ``errors`` a
    sentence by field.
    """

    names: list[str] = field(default_factory=list)
    points: list[str] = field(default_factory=list)
    first: str = "1"  # the hand that is dealt next
    dealer: str = DRAW
    sheet: str = KATE.sheet
    target: str = ""  # of a game that is played to a total (K5); blank as on the sheet
    switches: dict[str, str] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def base(self) -> Rules:
        """The rule sheet chosen, untouched."""
        return SHEETS.get(self.sheet, KATE)

    @property
    def rows(self) -> list[str]:
        """The chairs to show: those named, and blank ones up to four."""
        return self.names + [""] * (min(CHAIRS_SHOWN, self.base.max_players) - len(self.names))

    @property
    def row_points(self) -> list[str]:
        """The points typed, one for each of the rows."""
        return (self.points + [""] * len(self.rows))[: len(self.rows)]

    @property
    def is_from_paper(self) -> bool:
        """Whether the night was begun on paper."""
        return self.first != "1" or any(text.strip() for text in self.points)

    def change(self, wanted: str) -> None:
        """Do what a button asks that does not start: "add", "up-2", "down-2", "drop-2", "game-peru"; anything else only reads on."""
        verb, _dash, index = wanted.partition("-")
        found = whole(index, 5)
        row = len(self.rows) if found is None else found
        self.names, self.points = self.rows, self.row_points
        if verb == "game" and index in SHEETS:
            self.sheet, self.switches, self.first, self.target = index, {}, "1", ""
            self.names = self.seated()
            self.points = self.points[: len(self.names)]
        if verb == "add" and len(self.names) < self.base.max_players:
            self.names.append("")
        elif verb == "drop" and row < len(self.names):
            self._drop(row)
        elif verb in ("up", "down") and row < len(self.names):
            self._swap(row, row - 1 if verb == "up" else row + 1)

    def _swap(self, row: int, other: int) -> None:
        """Points and the deal go with the person."""
        if not 0 <= other < len(self.names):
            return
        for column in (self.names, self.points):
            column[row], column[other] = column[other], column[row]
        self.dealer = {str(row): str(other), str(other): str(row)}.get(self.dealer, self.dealer)

    def _drop(self, row: int) -> None:
        del self.names[row], self.points[row]
        if self.dealer == str(row):
            self.dealer = DRAW
        elif self.dealer.isdecimal() and int(self.dealer) > row:
            self.dealer = str(int(self.dealer) - 1)

    def seated(self) -> list[str]:
        """The names that play: the rows without the blank ones at the end."""
        last = max((row for row, name in enumerate(self.names) if clean_name(name)), default=-1)
        return self.names[: last + 1]

    def command(self) -> StartGame | None:
        """The game to start; None where something is wrong, with a sentence by field. A dealer by lot is still 0."""
        names, rules = self.seated(), self._rules()
        self.take(name_problems(names))
        self._count(sum(bool(clean_name(name)) for name in names))
        dealer = 0 if self.dealer == DRAW else self._dealer(len(names))
        first, carried = self._paper(len(names), len(rules.contracts) or MOST_HANDS)
        if self.errors or dealer is None:
            return None
        return StartGame(rules, tuple(range(len(names))), dealer, first, carried)

    def refuse(self, problems: Sequence[Problem], sentence: Callable[[Problem], str]) -> None:
        """What the referee says against the game, at the points it speaks of or at the names."""
        for problem in problems:
            seat = problem.facts.get("seat")
            too_big = problem.reason is Reason.POINTS_ABOVE_PACK and "least" not in problem.facts
            words = form_error("too_big", most=problem.facts["limit"]) if too_big else sentence(problem)
            self.errors["names" if seat is None else f"points-{seat}"] = words

    def _paper(self, players: int, hands: int) -> tuple[int, tuple[int, ...]]:
        """The hand that comes next and everybody's points so far; blank is not 0."""
        first = whole(self.first, 5)
        if first is None or not 1 <= first <= hands:
            self.errors["first"] = form_error("unknown_choice")
        if not self.is_from_paper:
            return 1, ()
        typed = [text.strip() for text in (self.points + [""] * players)[:players]]
        for row, text in enumerate(typed):
            if self._points(text) is None:
                self.errors[f"points-{row}"] = form_error("bad_number" if text else "blank_number")
        return first or 1, tuple(self._points(text) or 0 for text in typed)

    def _points(self, text: str) -> int | None:
        """Points so far; below 0 they can be only where the highest total wins (K3)."""
        minus = text[:1] in ("-", "−") and not self.base.lowest_wins
        found = whole(text[1:] if minus else text, 5)
        return -found if minus and found is not None else found

    def take(self, problems: Sequence[NameProblem]) -> None:
        """A sentence at every name that cannot be taken."""
        for problem in problems:
            self.errors[f"name-{problem.index}"] = name_error(problem)

    def _count(self, players: int) -> None:
        if players < self.base.min_players:
            self.errors["names"] = form_error("too_few_names", least=self.base.min_players)
        elif players > self.base.max_players and self.base.game == "grebber":
            self.errors["names"] = kruth_players(players, len(DECK), self.base.hand_size, self.base.max_players)
        elif players > self.base.max_players:
            self.errors["names"] = form_error("too_many_names", most=self.base.max_players)

    def _dealer(self, players: int) -> int | None:
        dealer = whole(self.dealer, 5)
        if dealer is not None and dealer < players:
            return dealer
        self.errors["dealer"] = form_error("choose_dealer")
        return None

    def _rules(self) -> Rules:
        if self.sheet not in SHEETS:
            self.errors["sheet"] = form_error("unknown_choice")
        rules = self._with_target(self.base)
        for switch in turnable(rules.game):
            if chosen := self.switches.get(switch.name):
                rules = self._turned(rules, switch, chosen)
        return rules

    def _with_target(self, rules: Rules) -> Rules:
        if rules.target is None or not self.target.strip():
            return rules
        target = whole(self.target.strip(), 5)
        if target is None or not 1 <= target <= MOST_TARGET:
            self.errors["target"] = form_error("bad_target", most=MOST_TARGET)
            return rules
        return rules.replace(target=target)

    def _turned(self, rules: Rules, switch: Switch, chosen: str) -> Rules:
        try:
            return rules.replace(**{switch.name: _VALUES[switch.name][chosen]})
        except (KeyError, BadRules):  # no value of it, or none that goes with the others
            self.errors[switch.name] = form_error("unknown_choice")
            return rules


_VALUES = {switch.name: {str(value): value for value in switch.values} for switch in SWITCHES.values()}


def read(sent: MultiDict[str, str]) -> StartForm:
    """The form as it was sent; people ticked without a chair of their own get the next one."""
    form = StartForm(
        names=[name[:LETTERS_KEPT] for name in sent.getlist("name")[:ROWS_KEPT]],
        points=[points[:LETTERS_KEPT] for points in sent.getlist("points")[:ROWS_KEPT]],
        first=sent.get("first", "1")[:LETTERS_KEPT],
        dealer=sent.get("dealer", DRAW)[:LETTERS_KEPT],
        sheet=sent.get("sheet", KATE.sheet)[:LETTERS_KEPT],
        target=sent.get("target", "")[:LETTERS_KEPT],
    )
    form.switches = {
        switch.name: chosen[:LETTERS_KEPT]
        for switch in turnable(form.base.game)
        if (chosen := sent.get(f"rule-{switch.name}", ""))
    }
    _seat_ticked(form, sent.getlist("known")[:ROWS_KEPT])
    return form


def _seat_ticked(form: StartForm, ticked: Sequence[str]) -> None:
    sitting = {look_alike_key(clean_name(name)) for name in form.names}
    new = [name[:LETTERS_KEPT] for name in ticked if look_alike_key(clean_name(name)) not in sitting]
    if new:
        form.points = form.points[: len(form.seated())]
        form.names = [*form.seated(), *dict.fromkeys(new)][:ROWS_KEPT]


def once_more(view: GameView) -> StartForm:
    """Last week's table again: its people in their order, the next dealer, and the rules as it last played them."""
    state = view.state
    names = [view.names[seat] for seat in state.order]
    form = StartForm(names, dealer=_next_dealer(view))
    if state.rules is None or state.rules.sheet not in SHEETS:
        return form
    form.sheet = state.rules.sheet
    changed = state.rules.differences(SHEETS[form.sheet])
    if "target" in changed:
        form.target = str(changed["target"])
    names_of = {switch.name for switch in turnable(form.base.game)}
    form.switches = {name: str(value) for name, value in changed.items() if name in names_of}
    if len(state.seats) > state.rules.players_per_two_decks:
        form.switches.pop("decks", None)  # brought by the seventh player, who brings it again
    return form


def _next_dealer(view: GameView) -> str:
    """Whose turn to deal it is: of the hand that nobody had begun, else after who dealt last (G1.3)."""
    state = view.state
    if state.hand is not None and state.hand.untouched and state.hand.dealer in state.order:
        return str(state.order.index(state.hand.dealer))
    last = state.hand.dealer if state.hand else state.scores[-1].dealer if state.scores else None
    heir = None if last is None else state.next_here(last)
    return DRAW if heir is None else str(state.order.index(heir))


def name_error(problem: NameProblem) -> str:
    """The sentence beside a name that cannot be taken."""
    if problem.reason is NameReason.BLANK:
        return form_error("blank_name")
    if problem.reason is NameReason.TOO_LONG:
        return form_error("long_name", limit=problem.facts["limit"])
    if problem.reason is NameReason.LOOKS_THE_SAME:
        return form_error("same_name", name=problem.facts["other_name"])
    return form_error("bad_name")
