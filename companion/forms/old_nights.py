"""The form of old nights: a text of lines, typed, pasted or from a file."""

from contextlib import closing

from flask_babel import lazy_gettext as _l
from werkzeug.datastructures import FileStorage, MultiDict

from companion.forms.fields import Field, Form, wrong

MOST_LETTERS = 150_000


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

    ``sure``: unlikely numbers were said to be right. ``imports``: the nights were looked at and should come in; neither
    holds for the lines of a file just chosen.
    """

    text = Lines(_l("Type or paste the lines"), kept=2 * MOST_LETTERS)

    def __init__(self, sent: MultiDict[str, str] | None = None, file: FileStorage | None = None) -> None:
        super().__init__(sent)
        self.sure = sent is not None and "sure" in sent
        self.imports = sent is not None and sent.get("do") == "import"
        if file is not None and file.filename:
            with closing(file.stream):
                self.text.text, self.imports, self.sure = decoded(file.read()), False, False


def decoded(data: bytes) -> str:
    """The text of a file as a spreadsheet saves it: UTF-8, what Excel calls Unicode, or Windows-1252."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
