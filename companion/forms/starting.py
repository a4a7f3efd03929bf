"""The form of a new game: names on chairs, who deals, the rule sheet and every switch; with what is wrong beside each."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from markupsafe import Markup
from werkzeug.datastructures import MultiDict

from companion import wording
from companion.forms.fields import (
    ROWS_KEPT,
    Choice,
    Field,
    Form,
    Name,
    Rows,
    Several,
    Whole,
    hand_options,
    moved,
    name_error,
    wrong,
)
from companion.forms.numbers import whole
from companion.names import NameProblem, clean_name, look_alike_key, name_problems
from companion.record import GameView
from companion.record.own_lists import Content
from companion.referee.commands import StartGame
from companion.referee.games import GAMES, KATE, game_of
from companion.referee.kruth import DECK
from companion.referee.own_lists import (
    LONGEST_TEXT,
    checks,
    format_hands,
    hands_of,
    plays_own_progress,
    read_hands,
    undealable,
    with_hands,
)
from companion.referee.reasons import Problem, Reason
from companion.referee.rules import MOST_TARGET, BadRules, Rules
from companion.referee.switches import SWITCHES, Switch
from companion.wording import form_error
from companion.wording.grebber import kruth_players
from companion.wording.lists import check_words

SHEETS: Mapping[str, Rules] = {
    rules.sheet: rules for game in GAMES.values() if game.is_offered for rules in game.sheets
}
DRAW = "draw"  # the dealer by lot
CODE_KEPT = 32  # characters of the code of a list
CHAIRS_SHOWN = 4  # four is best (G1.2)
MOST_HANDS = 500  # the hand that a game to a target can begin with at the latest


def turnable(rules: Rules) -> tuple[Switch, ...]:
    """The switches of the game, in the rulebook's order."""
    return tuple(switch for switch in SWITCHES.values() if game_of(rules).family in switch.families)


class Points(Field):
    """Points so far; below 0 they can be only where the highest total wins (K3). Blank is not 0."""

    def read(self, text: str) -> int:
        text = text.strip()
        minus = text[:1] in ("-", "−") and not self._form.base.lowest_wins
        points = whole(text[1:] if minus else text, 5)
        if points is None:
            raise wrong("bad_number" if text else "blank_number")
        return -points if minus else points


class Target(Whole):
    """The total that a game is played to (K5); blank as on the sheet."""

    strips = True

    def process_formdata(self, sent: Sequence[str]) -> None:
        super().process_formdata([text for text in sent if text.strip()])

    def wrong(self) -> Any:
        return wrong("bad_target", most=self.most)


def switch_field(switch: Switch, base: Rules) -> Any:
    """The choice among the values of a switch; blank leaves it to the sheet."""
    usual = {getattr(rules, switch.name) for rules in game_of(base).sheets}
    first = _("as on the rule sheet")
    if len(usual) == 1:
        first = _("%(value)s (default)", value=wording.switch_value(switch.name, *usual))
    values = [value for value in switch.values if len(usual) > 1 or value not in usual]
    return Choice(
        wording.switch_label(switch.name),
        hint=Markup('{} <span class="rule-of">{}</span>').format(wording.switch_help(switch.name), switch.rule),
        options=[("", first), *((value, wording.switch_value(switch.name, value)) for value in values)],
    )


class StartForm(Form):
    """What was typed. ``name`` and ``points`` (from paper) have a row for each chair, clockwise, blank ones included;
    ``dealer`` is a row or DRAW, ``first`` the hand that is dealt next, ``known`` people ticked who want a chair. A field
    ``rule-ace`` is blank where the switch is as on the sheet. A list of one's own comes as its name and its hands, and
    with the code ``own`` where it is kept: what was seen is what is played.
    """

    name = Rows(Name(), id="chairs")
    points = Rows(Points(_l("Points so far")))
    dealer = Choice(_l("Who deals first?"), default=DRAW, otherwise="choose_dealer", of_people=True)
    known = Several()
    own = Field(kept=CODE_KEPT)
    own_name = Field()
    own_hands = Field(kept=LONGEST_TEXT)
    own_progress = Field()

    def __init__(self, sent: MultiDict[str, str] | None = None, **values: Any) -> None:
        given = values if sent is None else sent
        self.base = _with_list(SHEETS.get(given.get("sheet", KATE.sheet), KATE), given)
        self.game = game_of(self.base)
        self.turnable = turnable(self.base)
        super().__init__(sent, {**self._of_the_game(), **self._switches()}, **values)
        self._place(self.name.texts, self.points.texts)
        self._seat(self.known.data)

    def _of_the_game(self) -> dict[str, Any]:
        sheets = [(rules.sheet, wording.sheet_name(rules.sheet)) for rules in game_of(self.base).sheets]
        fields = {"first": self._first(), "sheet": Choice(_l("Rule sheet"), options=sheets, default=self.base.sheet)}
        if self.game.has_target:
            hint = _l("100, 500, 1000 or any other number of points.")
            fields["target"] = Target(
                _l("Played to"), hint=hint, least=1, most=MOST_TARGET, default=self.base.target,
                render_kw={"list": "targets"},
            )  # fmt: skip
        return fields

    def _first(self) -> Any:
        label = _l("Which hand comes next?")
        if not game_of(self.base).has_contracts:
            return Whole(label, least=1, most=MOST_HANDS, default=1)
        return Choice(label, options=hand_options(self.base), default="1")

    def _switches(self) -> dict[str, Any]:
        return {f"rule-{switch.name}": switch_field(switch, self.base) for switch in self.turnable}

    def switch(self, switch: Switch) -> Choice:
        """The field of a switch."""
        return self[f"rule-{switch.name}"]

    # --- who sits where ----------------------------------------------------------------------------------------------

    @property
    def seated(self) -> list[str]:
        """The names that play: the rows without the blank ones at the end."""
        names = self.name.texts
        last = max((row for row, name in enumerate(names) if clean_name(name)), default=-1)
        return names[: last + 1]

    @property
    def is_from_paper(self) -> bool:
        """Whether the night was begun on paper."""
        return self.first.text != "1" or any(text.strip() for text in self.points.texts)

    def _place(self, names: list[str], points: list[str]) -> None:
        """Give the chairs these names: at least as many as are shown of a game."""
        rows = max(len(names), min(CHAIRS_SHOWN, self.base.max_players))
        self.name.texts = [*names, *[""] * (rows - len(names))]
        self.points.texts = (points + [""] * rows)[:rows]
        self._list_dealers(rows)

    def _list_dealers(self, rows: int) -> None:
        words = [
            f"{row}: {wording.isolate(clean_name(name))}" if clean_name(name) else _("Chair %(n)s", n=row)
            for row, name in enumerate(self.name.texts[:rows], 1)
        ]
        self.dealer.options = ((DRAW, _("Draw by lot")), *enumerate(words))

    def _seat(self, ticked: Sequence[str]) -> None:
        """People ticked who sit on no chair get the next one."""
        sitting = {look_alike_key(clean_name(name)) for name in self.name.texts}
        new = [name for name in ticked if look_alike_key(clean_name(name)) not in sitting]
        if new:
            seated = self.seated
            self._place([*seated, *dict.fromkeys(new)][:ROWS_KEPT], self.points.texts[: len(seated)])

    def changed(self, wanted: str) -> "StartForm":
        """What a button asks that does not start: "add", "up-2", "down-2", "drop-2", "game-peru"; else it only reads on."""
        verb, _dash, which = wanted.partition("-")
        names, points = self.name.texts, self.points.texts
        row = whole(which, 5)
        if verb == "game" and which in SHEETS:
            seated = self.seated
            return StartForm(name=seated, points=points[: len(seated)], sheet=which, dealer=self.dealer.text)
        if verb == "add" and len(names) < self.base.max_players:
            self._place([*names, ""], points)
        elif row is not None and row < len(names):
            self._move(verb, row)
        return self

    def _move(self, verb: str, row: int) -> None:
        """Points and the deal go with the person."""
        chairs = moved(list(map(str, range(len(self.name.texts)))), verb, row)
        if self.dealer.text != DRAW:
            self.dealer.text = str(chairs.index(self.dealer.text)) if self.dealer.text in chairs else DRAW
        self._place(moved(self.name.texts, verb, row), moved(self.points.texts, verb, row))

    # --- what it comes to --------------------------------------------------------------------------------------------

    def command(self) -> StartGame | None:
        """The game to start; None where something is wrong, with a sentence by field. A dealer by lot is still 0."""
        players = len(self.seated)
        self._list_dealers(players)
        self.validate()
        self.refuse_names(name_problems(self.seated))
        self._count(sum(bool(clean_name(name)) for name in self.seated))
        self._check_list(players)
        carried = self._carried(players)
        rules = self._rules()
        self._list_dealers(len(self.name.texts))
        if self.errors:
            return None
        dealer = 0 if self.dealer.data == DRAW else self.dealer.data
        return StartGame(rules, tuple(range(players)), dealer, self.first.data, carried)

    def _check_list(self, players: int) -> None:
        """A list may hold what nobody can play, or what cannot be dealt to so many."""
        if not self.base.list_name or self.name.error:
            return
        for number in range(1, len(self.base.contracts) + 1):
            stops = next((check for check in checks(self.base, number) if check.stops), None)
            if stops:
                self.error = _("Hand %(n)s: %(words)s", n=number, words=check_words(stops))
                return
        if short := undealable(self.base, players):
            self.name.error = form_error("undealable", players=players, hand=short, dealt=self.base.dealt(short))

    def refuse_names(self, problems: Sequence[NameProblem]) -> None:
        """A sentence at every name that cannot be taken."""
        for problem in problems:
            self.name.parts[problem.index].error = name_error(problem)

    def refuse(self, problems: Sequence[Problem], sentence: Callable[[Problem], str]) -> None:
        """What the referee says against the game, at the points it speaks of or at the names."""
        for problem in problems:
            seat: Any = problem.facts.get("seat")
            too_big = problem.reason is Reason.POINTS_ABOVE_PACK and "least" not in problem.facts
            words = form_error("too_big", most=problem.facts["limit"]) if too_big else sentence(problem)
            (self.name if seat is None else self.points.parts[seat]).error = words

    def _count(self, players: int) -> None:
        least, most = self.base.min_players, self.base.max_players
        if players < least:
            self.name.error = form_error("too_few_names", least=least)
        elif players > most and game_of(self.base).deck is not None:
            self.name.error = kruth_players(players, len(DECK), self.base.hand_size, most)
        elif players > most:
            self.name.error = form_error("too_many_names", most=most)

    def _carried(self, players: int) -> tuple[int, ...]:
        """Everybody's points so far."""
        if not self.is_from_paper:
            return ()
        for part in self.points.parts[:players]:
            part.validate(self)
        return tuple(part.data for part in self.points.parts[:players])

    def _rules(self) -> Rules:
        rules = self.base
        if "target" in self and self.target.data is not None:
            rules = rules.replace(target=self.target.data)
        for switch in self.turnable:
            field = self.switch(switch)
            if field.error or field.data == "":
                continue
            try:
                rules = rules.replace(**{switch.name: field.data})
            except BadRules:  # does not go with the others
                field.error = form_error("unknown_choice")
        return rules


def _with_list(sheet: Rules, given: Mapping[str, Any]) -> Rules:
    """The rules of the sheet, with the list of one's own that a form carries; one that cannot be read is none."""
    hands, bad = read_hands(str(given.get("own_hands") or ""))
    name = clean_name(str(given.get("own_name") or ""))
    if not hands or bad or name_problems([name]) or not game_of(sheet).has_contracts:
        return sheet
    own = given.get("own_progress") == "own" and plays_own_progress()
    return with_hands(sheet, hands, name, own_progress=own)


def of_list(code: str, content: Content, **values: Any) -> StartForm:
    """The form of a game with a list that is kept."""
    hands = format_hands(read_hands(content.hands)[0][: content.first_hands])
    own = "own" if content.own_progress else ""
    return StartForm(sheet=content.sheet, own=code, own_name=content.name, own_hands=hands, own_progress=own, **values)


def once_more(view: GameView) -> StartForm:
    """Last week's table again: its people in their order, the next dealer, and the rules as it last played them."""
    state = view.state
    table: dict[str, Any] = {"name": [view.names[seat] for seat in state.order], "dealer": _next_dealer(view)}
    if state.rules.sheet not in SHEETS:
        return StartForm(**table)
    changed: dict[str, Any] = dict(state.rules.differences(SHEETS[state.rules.sheet]))
    if len(state.seats) > state.rules.players_per_two_decks:
        changed.pop("decks", None)  # brought by the seventh player, who brings it again
    if state.rules.list_name:
        hands = format_hands(hands_of(state.rules, SHEETS[state.rules.sheet]))
        table |= {"own_name": state.rules.list_name, "own_hands": hands, "own_progress": state.rules.progress}
    table |= {name if name == "target" else f"rule-{name}": value for name, value in changed.items()}
    return StartForm(sheet=state.rules.sheet, **table)


def _next_dealer(view: GameView) -> str:
    """Whose turn to deal it is: of the hand that nobody had begun, else after who dealt last (G1.3)."""
    state = view.state
    if state.hand is not None and state.hand.untouched and state.hand.dealer in state.order:
        return str(state.order.index(state.hand.dealer))
    last = state.hand.dealer if state.hand else state.scores[-1].dealer if state.scores else None
    heir = None if last is None else state.next_here(last)
    return DRAW if heir is None else str(state.order.index(heir))
