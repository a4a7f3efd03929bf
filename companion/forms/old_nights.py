"""The form of old nights: a text of lines, typed, pasted or from a file."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

from werkzeug.datastructures import FileStorage, MultiDict

from companion.wording import form_error

MOST_LETTERS = 150_000


@dataclass(slots=True)
class PaperForm:
    """The lines as they came, whether unlikely numbers were said to be right, and what is wrong with the whole.

    ``imports``: the nights were looked at and should come in; not yet where the lines come from a file just chosen.
    """

    text: str = ""
    sure: bool = False
    error: str = ""
    imports: bool = False


def read(sent: MultiDict[str, str], file: FileStorage | None) -> PaperForm:
    """What was sent; a file that was chosen takes the place of the text."""
    form = PaperForm(sent.get("text", ""), "sure" in sent, imports=sent.get("do") == "import")
    if file is not None and file.filename:
        with closing(file.stream):
            form.text, form.imports, form.sure = decoded(file.read()), False, False
    form.text = form.text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    if len(form.text) > MOST_LETTERS:
        form.text, form.error = form.text[:MOST_LETTERS], form_error("too_long", limit=MOST_LETTERS)
    return form


def decoded(data: bytes) -> str:
    """The text of a file as a spreadsheet saves it: UTF-8, what Excel calls Unicode, or the letters of old Windows."""
    for mark, letters in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(letters, "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
