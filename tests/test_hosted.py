"""How gunicorn is started: with room for every stream and for the pages beside them."""

from __future__ import annotations

import pytest

from companion.command import hosted
from companion.config import SetupError


def after(command, name):
    return command[command.index(name) + 1]


def test_there_are_more_lines_than_streams(make_app):
    command = hosted.arguments(make_app())
    assert after(command, "--worker-class") == "gevent"
    assert int(after(command, "--worker-connections")) > 2 * hosted.STREAMS


def test_threads_where_gevent_is_not_wanted(make_app):
    command = hosted.arguments(make_app(WORKER_CLASS="gthread", THREADS=7, HOST="::1", PORT=8001))
    assert after(command, "--threads") == "7"
    assert after(command, "--bind") == "[::1]:8001"


def test_other_kinds_are_refused_with_a_sentence(make_app):
    with pytest.raises(SetupError, match="neither gevent nor gthread"):
        hosted.arguments(make_app(WORKER_CLASS="sync"))


@pytest.mark.parametrize(
    ("limits", "wanted"), [((1024, 20_000), 4600), ((1024, 2000), 2000), ((9000, 20_000), None), ((-1, -1), None)]
)
def test_as_many_files_are_asked_for_as_there_are_lines(make_app, monkeypatch, limits, wanted):
    import resource

    asked = []
    monkeypatch.setattr(resource, "getrlimit", lambda _what: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _what, both: asked.append(both[0]))
    lines = hosted._allow_lines()
    assert asked == ([wanted] if wanted else [])
    assert lines == (1900 if limits[1] == 2000 else hosted.LINES), "never more than there are files for"
    assert after(hosted.arguments(make_app(), lines), "--worker-connections") == str(lines)
