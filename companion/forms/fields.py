"""The fields that forms are made of. Each keeps what was typed, reads it, and says what is wrong with it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import wtforms
from werkzeug.datastructures import MultiDict
from wtforms.validators import StopValidation

from companion.forms.numbers import ENTRY, summed, whole
from companion.names import NameProblem, NameReason, name_problems
from companion.referee.rules import Rules
from companion.wording import contract_words, form_error

KEPT = 200  # characters kept of what was typed
ROWS_KEPT = 40  # answers kept of a field that comes several times

_Row = TypeVar("_Row")
_OFF = {"autocomplete": "off", "spellcheck": "false"}


def wrong(code: str, **facts: object) -> StopValidation:
    """What a field raises that cannot be taken: the sentence beside it, in the language of the request."""
    return StopValidation(form_error(code, **facts))


class Field(wtforms.Field):
    """A text: ``text`` as it was typed, at most ``kept`` characters of it, and ``data`` as ``read`` understands it.

    A field that was not sent has its default. ``hint`` stands beside it always, ``error`` where it was not taken;
    ``attributes`` are those of its kind in HTML.
    """

    kind = "text"
    attributes: Mapping[str, str] = _OFF
    data: Any
    parts: "Sequence[Field]" = ()  # of a field that is several
    strips = False  # white space around the text

    def __init__(self, label: Any = "", *, hint: Any = "", kept: int = KEPT, **options: Any) -> None:
        options["render_kw"] = {**self.attributes, **options.get("render_kw", {})}
        super().__init__(label, description=hint, **options)
        self.kept = kept

    @property
    def pairs(self) -> Iterable[tuple[str, str]]:
        """The names and values of the field, to be sent again as they are."""
        yield from (pair for part in self.parts for pair in part.pairs) if self.parts else [(self.name, self.text)]

    @property
    def error(self) -> str:
        """The first thing that is wrong with it."""
        return self.errors[0] if self.errors else ""

    @error.setter
    def error(self, sentence: str) -> None:
        self.errors = [sentence]

    def process_data(self, value: Any) -> None:
        self.data, self.text = value, "" if value is None else str(value)

    def process_formdata(self, sent: Sequence[str]) -> None:
        if sent:
            self.text = sent[0][: self.kept].strip() if self.strips else sent[0][: self.kept]

    def pre_validate(self, form: "Form") -> None:
        self.data, text = None, self.text
        self.data = self.read(text)

    def read(self, text: str) -> Any:
        """What the text says; raises ``wrong`` where it says nothing that can be taken."""
        return text


class Form(wtforms.Form):
    """Fields declared on the class, and ``more`` of them by name where they depend on the game.

    ``sent`` is a request's form or address, None for a form that nobody sent, with ``values`` by field.
    """

    def __init__(
        self,
        sent: MultiDict[str, str] | None = None,
        more: Mapping[str, Any] | None = None,
        *,
        prefix: str = "",
        **values: Any,
    ) -> None:
        fields = [*self._unbound_fields, *(more or {}).items()]
        wtforms.form.BaseForm.__init__(self, fields, prefix=prefix, meta=self._wtforms_meta())
        for name, field in self._fields.items():
            setattr(self, name, field)
        self.error = ""  # about the form as a whole
        self.process(sent, data=values)

    @property
    def errors(self) -> dict[str, str]:
        """A sentence for each field that cannot be taken, by its id on the page; "form" is about the whole."""
        errors = {part.id: part.error for field in self for part in (field, *field.parts) if part.error}
        return {**errors, "form": self.error} if self.error else errors

    @property
    def pairs(self) -> Iterable[tuple[str, str]]:
        """The names and values of the form, to be sent again as they are."""
        return (pair for field in self for pair in field.pairs)

    def clear_errors(self) -> None:
        """Show what was typed as if nothing were wrong with it."""
        for field in self:
            for part in (field, *field.parts):
                part.errors = ()

    def validate(self, extra_validators: Any = None) -> bool:
        """Read every field; whether nothing is wrong."""
        super().validate(extra_validators)
        return not self.errors


class Name(Field):
    """The name of a person or a phone."""

    attributes = {**_OFF, "dir": "auto", "autocapitalize": "words"}

    def read(self, text: str) -> str:
        for problem in name_problems([text]):
            raise StopValidation(name_error(problem))
        return text


class Whole(Field):
    """A whole number in ASCII figures from ``least`` to ``most``; ``otherwise`` is said of any other text."""

    attributes = {"autocomplete": "off", "inputmode": "numeric"}

    def __init__(self, label: Any = "", *, least: int = 0, most: int, **options: Any) -> None:
        super().__init__(label, **options)
        self.least, self.most = least, most

    def read(self, text: str) -> int:
        number = whole(text, ENTRY)
        if number is None or not self.least <= number <= self.most:
            raise self.wrong()
        return number

    def wrong(self) -> StopValidation:
        """What is said of any other text."""
        return wrong("unknown_choice")


class Number(Field):
    """A number that no person types, such as that of an entry: 0 for anything else."""

    def read(self, text: str) -> int:
        return whole(text, ENTRY) or 0


class Sum(Field):
    """Points as a number or a sum such as 15+20+5; nothing typed is None. ``most`` and ``least`` depend on the form."""

    attributes = {**_OFF, "inputmode": "tel"}
    strips = True

    def __init__(
        self, label: Any = "", *, most: Callable[[Any], int], least: Callable[[Any], int] = lambda _: 0, **options: Any
    ) -> None:
        super().__init__(label, kept=5 * KEPT, **options)
        self.most, self.least = most, least

    def read(self, text: str) -> int | None:
        if not text:
            return None
        points, problem = summed(text, self.most(self._form), self.least(self._form))
        if problem:
            raise StopValidation(problem)
        return points


class Choice(Field):
    """One of ``options`` (value and words), as a list to choose from or as keys to tap; ``data`` is the value itself.

    ``of_people``: the words of a number are somebody's name.
    """

    attributes: Mapping[str, str] = {}

    def __init__(
        self,
        label: Any = "",
        *,
        options: Iterable[tuple[object, object]] = (),
        otherwise: str = "unknown_choice",
        may_be_blank: bool = False,
        of_people: bool = False,
        **more: Any,
    ) -> None:
        super().__init__(label, **more)
        self.of_people = of_people
        self.options: Sequence[tuple[object, object]] = tuple(options)
        self.otherwise, self.may_be_blank = otherwise, may_be_blank

    def read(self, text: str) -> Any:
        for value, _words in self.options:
            if str(value) == text:
                return value
        if text or not self.may_be_blank:
            raise wrong(self.otherwise)
        return text


class Several(Field):
    """Answers that come several times under one name, as they came in ``texts``."""

    def process_data(self, value: Iterable[str] | None) -> None:
        self.data = list(value or ())
        self.texts = list(map(str, self.data))

    def process_formdata(self, sent: Sequence[str]) -> None:
        self.data = self.texts = [text[: self.kept] for text in sent[:ROWS_KEPT]]

    def read(self, text: Any) -> Any:
        """What the texts say."""
        return text

    @property
    def pairs(self) -> Iterable[tuple[str, str]]:
        return ((self.name, str(value)) for value in self.data)

    def pre_validate(self, form: Form) -> None:
        self.data = []
        self.data = self.read(self.texts)


class Rows(Field):
    """Fields of one kind that come under one name: ``parts``, whose ids end in their row."""

    def __init__(self, part: Any, **options: Any) -> None:
        super().__init__(**options)
        self.part = part

    @property
    def texts(self) -> list[str]:
        """What was typed in each row."""
        return [part.text for part in self.parts]

    @texts.setter
    def texts(self, texts: Iterable[str]) -> None:
        self.parts = [self._bound(row, text) for row, text in enumerate(texts)]

    def _bound(self, row: int, text: str) -> Field:
        part = self.part.bind(form=self._form, name=self.name, id=f"{self.name}-{row}")
        part.process(None, text)
        return part

    def process_data(self, value: Iterable[str] | None) -> None:
        self.texts = list(value or ())

    def process_formdata(self, sent: Sequence[str]) -> None:
        self.texts = [text[: self.kept] for text in sent[:ROWS_KEPT]]

    def pre_validate(self, form: Form) -> None:
        """The form knows which rows count."""


class BySeat(Field):
    """A field for each player, ``points-3`` say: those of ``seats``, and any other that is asked for."""

    def __init__(self, part: Any, **options: Any) -> None:
        super().__init__(**options)
        self.part = part

    def process(self, formdata: Any, data: Any = None, extra_filters: Any = None) -> None:
        self.formdata, self.data, self.by_seat = formdata, data or {}, dict[int, Any]()

    @property
    def pairs(self) -> Iterable[tuple[str, str]]:
        """Those of the fields there are; there may be none."""
        return (pair for part in self.parts for pair in part.pairs)

    def of(self, seat: int) -> Any:
        """The field of a player."""
        if seat not in self.by_seat:
            part = self.by_seat[seat] = self.part.bind(form=self._form, name=f"{self.name}-{seat}")
            part.process(self.formdata, self.data.get(seat, part.default))
            self.parts = (*self.parts, part)
        return self.by_seat[seat]

    def pre_validate(self, form: Form) -> None:
        for part in self.parts:
            part.validate(form)


def hand_options(rules: Rules) -> list[tuple[int, str]]:
    """The hands of a game, with their contracts."""
    return [(number, f"{number}: {contract_words(contract)}") for number, contract in enumerate(rules.contracts, 1)]


def moved(rows: Sequence[_Row], verb: str, row: int) -> list[_Row]:
    """The rows after a button beside one of them: it changes places with the one above ("up") or below ("down"), where
    there is one, or goes ("drop").
    """
    other = {"up": row - 1, "down": row + 1}.get(verb, -1)
    order = list(range(len(rows)))
    if verb == "drop":
        del order[row]
    elif 0 <= other < len(rows):
        order[row], order[other] = other, row
    return [rows[at] for at in order]


def name_error(problem: NameProblem) -> str:
    """The sentence beside a name that cannot be taken."""
    if problem.reason is NameReason.BLANK:
        return form_error("blank_name")
    if problem.reason is NameReason.TOO_LONG:
        return form_error("long_name", limit=problem.facts["limit"])
    if problem.reason is NameReason.LOOKS_THE_SAME:
        return form_error("same_name", name=problem.facts["other_name"])
    return form_error("bad_name")
