"""Out and in: nights as files, and nights from files."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from io import BytesIO

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    send_file,
    url_for,
)
from werkzeug.wrappers import Response as Answer

from companion import i18n
from companion.exporting import document, files
from companion.exporting.document import BadDocument
from companion.exporting.files import File
from companion.exporting.old_nights import HANDS, Paper
from companion.exporting.old_nights import read as read_paper
from companion.forms.old_nights import PaperForm
from companion.pages.data import continued, may_go_on, nights_words, notices
from companion.pages.further import further_page
from companion.pages.old_nights import paper_page
from companion.phones import devices
from companion.phones.limits import TooManyTries
from companion.record import GameView, continuing, exporting, importing, own_lists
from companion.record.exporting import ExportedHouse
from companion.record.importing import Imported, InvalidImport
from companion.views import desk, drafts
from companion.wording.exporting import document_fault, lists_came, too_many_files
from companion.wording.old_nights import sheet_words, template_titles

bp = Blueprint("data", __name__)

MOST_NIGHTS = 1000  # that a form ticks
_KIND = "<any(json, csv):kind>"


@bp.get("/data")
def index() -> tuple[str, int]:
    """What can be taken out and brought in."""
    return _page()


@bp.get(f"/data/everything.{_KIND}")
def everything(kind: str) -> Response:
    """Every night that this phone may see."""
    return _saved(files.file_of(kind, exporting.visible(devices.current_id())))


@bp.get(f"/g/<code>/night.{_KIND}")
@desk.for_game("watch")
def night(view: GameView, kind: str) -> Response:
    """One night, for everybody who may see it."""
    houses = exporting.night(view.id, devices.current_id())
    return _saved(files.file_of(kind, houses, files.date_of(houses)))


@bp.get(f"/people/<int:person>/data.{_KIND}")
def person(person: int, kind: str) -> Response:
    """The nights of one person that this phone may see; the sheet has that person's lines alone."""
    name, houses = exporting.nights_of(person, devices.current_id()) or abort(404)
    return _saved(files.file_of(kind, houses, name, only=name))


@bp.post("/data")
def bring_in() -> Answer | tuple[str, int]:
    """Bring in the nights of a file; this phone becomes their keeper."""
    try:
        sent = _sent_file()
        importing.spend(devices.current_id(), len(sent))
        before = len(own_lists.kept(devices.current_id()))
        done = importing.bring_in(document.read(sent), device=devices.ensure())
    except TooManyTries as spent:
        return make_response(*_page(too_many_files(spent.minutes), 429), {"Retry-After": str(spent.wait)})
    except InvalidImport as bad:
        came = sum(one.outcome is importing.Outcome.ADDED for one in bad.done)
        return _page(document_fault(bad.why, bad.night, bad.entry, str(bad.facts.get("name", "")), came), 422)
    if lists := len(own_lists.kept(devices.ensure())) - before:
        flash(lists_came(lists), "good")
        if not done:
            return redirect(url_for(".index"), code=303)
    return _came(done)


@bp.post("/data/further")
def further() -> Answer | tuple[str, int]:
    """Let the nights go on that were ticked on the look at them."""
    wanted, text = request.form.getlist("night")[:MOST_NIGHTS], request.form.get("file", "")
    done = []
    try:
        importing.spend(devices.current_id(), len(text))
        for house in files.unpacked(text):
            ticked = (night for night in house.nights if night.uid in wanted)
            done += [continuing.continue_night(night, devices.ensure()) for night in ticked]
    except TooManyTries as spent:
        return make_response(*_page(too_many_files(spent.minutes), 429), {"Retry-After": str(spent.wait)})
    except InvalidImport as bad:
        return _page(document_fault(bad.why, bad.night, bad.entry, str(bad.facts.get("name", "")), len(done)), 422)
    return _brought_in(continued(done))


@bp.get("/data/paper")
def paper() -> tuple[str, int]:
    """The form for nights that were kept on paper."""
    return _paper_page(PaperForm(), None)


@bp.get("/data/paper.csv")
def template() -> Response:
    """An empty sheet with the titles of its columns."""
    return _saved(files.sheet_file("paper", template_titles(HANDS)))


@bp.post("/data/paper")
def old_nights() -> Answer | tuple[str, int]:
    """Look at the lines, or bring the nights in once nothing is wrong with them."""
    form = PaperForm(request.form, request.files.get("file"))
    form.validate()
    if drafts.only_shown():
        return _paper_page(form, _read(form) if form.answers or form.encodings else None)
    read = _read(form)
    missing = form.imports and (read.unanswered or (read.doubts and not form.sure))
    wrong = bool(read.faults or form.errors or missing)
    if wrong or not form.imports:
        return _paper_page(form, read, 422 if wrong else 200)
    try:
        importing.spend(devices.current_id(), len(form.text.text))
    except TooManyTries as spent:
        form.text.error = too_many_files(spent.minutes)
        return make_response(*_paper_page(form, read, 429), {"Retry-After": str(spent.wait)})
    return _came(importing.bring_in((ExportedHouse(tuple(read.nights)),), device=devices.ensure()))


def _came(done: Sequence[Imported]) -> Answer | tuple[str, int]:
    """What became of the nights of a file; a look at those that this phone can let go on."""
    longer = [one for one in done if may_go_on(one)]
    said = notices([one for one in done if one not in longer])
    if not longer:
        return _brought_in(said or [(document_fault("empty"), "silent")])
    for words, look in said:
        flash(words, look)
    return render_template("data/further.html", page=further_page(longer)), 200


def _read(form: PaperForm) -> Paper:
    """What is read of the lines, with what is asked about their file, and about nights of which one alike is here."""
    meanings = sheet_words(current_app.config["LANGUAGES"])
    zone, day_first = i18n.time_zone(), i18n.day_comes_first()
    today, answers = i18n.today(), form.answers
    read = read_paper(form.text.text, meanings, today=today, zone=zone, day_first=day_first, answers=answers)
    alike = importing.alike(read.nights, devices.current_id()) if read.nights else ()
    there = _outcomes(read)
    doubtful = [same and outcome is importing.Outcome.ADDED for same, outcome in zip(alike, there, strict=True)]
    read.ask_again(doubtful, answers)
    read.questions[:0] = form.questions
    return read


def _outcomes(read: Paper) -> tuple[importing.Outcome, ...]:
    return importing.outcomes((ExportedHouse(tuple(read.nights)),), devices.current_id())


def _brought_in(notices: Iterable[tuple[str, str]]) -> Answer:
    for words, look in notices:
        flash(words, look)
    return redirect(url_for(".index"), code=303)


def _paper_page(form: PaperForm, read: Paper | None, status: int = 200) -> tuple[str, int]:
    page = paper_page(form, read, _outcomes(read) if read else ())
    return render_template("data/paper.html", form=form, page=page, asked=read is not None), status


def _sent_file() -> bytes:
    sent = request.files.get("file")
    if sent is None or not sent.filename:
        raise BadDocument("no_file")
    with closing(sent.stream):
        return sent.read()


def _page(error: str = "", status: int = 200) -> tuple[str, int]:
    nights = nights_words(exporting.how_many(devices.current_id()))
    lists = len(own_lists.kept(devices.current_id()))
    return render_template("data/data.html", nights=nights, lists=lists, error=error), status


def _saved(file: File) -> Response:
    """A file to be saved, never kept by anything in between: it has everybody's names."""
    answer = send_file(BytesIO(file.data), file.kind, as_attachment=True, download_name=file.name, etag=False)
    answer.headers["Cache-Control"] = "no-store"
    return answer
