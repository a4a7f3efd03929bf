"""The check of every page: each thing it should see is seen, or it proves nothing."""

from __future__ import annotations

import pytest

from tests.lint_html import faults

GOOD = "<!doctype html><html><head><title>A</title></head><body><h1>A</h1>{}</body></html>"


@pytest.mark.parametrize(
    "html",
    [
        "<p id='a'>x</p><input aria-label='x' aria-describedby='a'>",
        "<label>x <input></label>",
        "<label for='a'>x</label><input id='a'>",
        "<input type='hidden'>",
        "<a href='/' aria-label='x'></a>",
        "<h2>x</h2><h3>x</h3><h2>x</h2>",
    ],
)
def test_what_is_well_made_passes(html: str) -> None:
    assert faults(GOOD.format(html)) == []


@pytest.mark.parametrize(
    "html",
    [
        "<p id='a'></p><p id='a'></p>",
        "<input>",
        "<input aria-label='x' aria-describedby='nothing'>",
        "<label for='nothing'>x</label>",
        "<button></button>",
        "<a href='/'> </a>",
        "<h1>two</h1>",
        "<h3>skips</h3>",
        "<p style='color: red'>x</p>",
        "<p onclick='x()'>x</p>",
        "<script>x()</script>",
        "<img src='x'>",
        "<div>",
        "</div>",
        "<p class='a' class='b'>x</p>",
    ],
)
def test_what_is_not_is_seen(html: str) -> None:
    assert faults(GOOD.format(html)) != []


def test_a_page_needs_a_title_and_a_heading() -> None:
    assert faults("<!doctype html><html><head><title> · Gripe Companion</title></head><body></body></html>") == [
        "no title",
        "0 h1",
    ]
