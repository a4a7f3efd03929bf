"""The form of old nights: a text of lines, typed, pasted or from a file, and the answers to what was asked about them."""

from contextlib import closing

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from werkzeug.datastructures import FileStorage, MultiDict

from companion.exporting.paper import encodings
from companion.exporting.paper.asking import Question
from companion.exporting.paper.workbook import BadWorkbook, is_workbook, lines_of
from companion.forms.fields import Field, Form, wrong

MOST_LETTERS = 150_000
ANSWER = "q-"  # the names of the fields of answers begin so
_ENCODING = "encoding"


class Lines(Field):
    """The lines of a sheet, each ended in one way."""

    kind = "lines"
    attributes = {
        "class": "sheet-text", "spellcheck": "false", "autocapitalize": "off", "autocomplete": "off", "wrap": "off",
        "dir": "ltr",
    }  # fmt: skip

    def read(self, text: str) -> str:
        self.text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
        if len(self.text) > MOST_LETTERS:
            self.text = self.text[:MOST_LETTERS]
            raise wrong("too_long", limit=MOST_LETTERS)
        return self.text


class PaperForm(Form):
    """The lines as they came, or those of a file, which takes their place.

    ``answers`` are those given, by the key of their question. ``sure``: unlikely numbers were said to be right.
    ``imports``: the nights were looked at and should come in; neither holds for the lines of a file just chosen.
    ``encodings`` are the ways in which the letters of the file may be written, the first as they are read now.
    """

    text = Lines(_l("Type or paste the lines"), kept=2 * MOST_LETTERS)

    def __init__(self, sent: MultiDict[str, str] | None = None, file: FileStorage | None = None) -> None:
        super().__init__(sent)
        sent = MultiDict() if sent is None else sent
        self.sure, self.imports = "sure" in sent, sent.get("do") == "import"
        self.answers = {name.removeprefix(ANSWER): sent[name][:40] for name in sent if name.startswith(ANSWER)}
        told = sent.get("encodings", "").split()
        self.encodings = tuple(name for name in told if name in encodings.OLDER)
        if file is not None and file.filename:
            with closing(file.stream):
                self._take(file.read())
        elif (chosen := self.answers.get(_ENCODING, "")) in self.encodings:
            self.text.text = encodings.read_anew(self.text.text, self.encodings[0], chosen)
            self.encodings, self.imports = (), False

    def _take(self, data: bytes) -> None:
        self.imports = self.sure = False
        self.encodings, self.answers = (), {}
        try:
            found = encodings.Decoded(lines_of(data)) if is_workbook(data) else encodings.decoded(data)
        except BadWorkbook as bad:
            self.error = file_error(bad.code)
        else:
            self.text.text, self.encodings = found.text, found.encodings

    @property
    def questions(self) -> list[Question]:
        """What is asked about the file itself: how its letters are written, by the names that come of it."""
        if not self.encodings:
            return []
        now = self.encodings[0]
        answers = [(name, {"names": encodings.samples(self.text.text, now, name)}) for name in self.encodings]
        return [Question(_ENCODING, _ENCODING, [], answers, {})]


def file_error(code: str) -> str:
    """Why a file is not read."""
    if code == "old_workbook":
        return _("This is an older kind of spreadsheet, or it has a password. Save it as .xlsx, .ods or CSV.")
    if code == "too_big":
        return _("This spreadsheet is far too large for a score sheet. Save the sheet that is meant as CSV.")
    return _("This file cannot be read. Save the sheet as .xlsx, .ods or CSV.")


def decoded(data: bytes) -> str:
    """The text of a file as a spreadsheet saves it, in the likeliest reading of its letters."""
    return encodings.decoded(data).text
