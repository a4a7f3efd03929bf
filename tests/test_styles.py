"""Colours stand in one place, and every style sheet is one layer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import companion
from companion.pages.marks import TONES
from companion.pages.palette import DARK, LIGHT

HOUSE = Path(companion.__file__).parent
SHEETS = sorted((HOUSE / "static/css").glob("*.css"))
#: The only files that write colours out, as properties of the root.
TOKENS = {"base.css", "tones.css"}
DRAWN = [*(HOUSE / "static/js").glob("*.js"), *HOUSE.glob("templates/**/*.html"), *HOUSE.rglob("*.py")]
_COLOUR = re.compile(r"#[0-9a-fA-F]{3}\b(?!;)|#[0-9a-fA-F]{6}\b|\b(?:rgba?|hsla?|oklch)\(|: (?:white|black|red);")
_TOKENS = re.compile(r":root \{[^}]*\}")


def colours(path: Path) -> list[str]:
    """The lines of a file that write a colour out; the tokens' own do not count."""
    text = path.read_text(encoding="utf-8")
    text = _TOKENS.sub("", text) if path.name in TOKENS else text
    return [line.strip() for line in text.splitlines() if _COLOUR.search(line)]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_a_style_sheet_is_one_layer_and_takes_its_colours_from_the_tokens(sheet):
    text = sheet.read_text(encoding="utf-8")
    assert len(re.findall(r"@layer [a-z]+ \{", text)) == 1
    assert colours(sheet) == []


def test_nothing_else_writes_colours_out():
    assert {path.name: found for path in DRAWN if (found := colours(path))} == {}


def test_every_colour_a_style_sheet_names_is_there():
    texts = {sheet.name: sheet.read_text(encoding="utf-8") for sheet in SHEETS}
    known = {name for text in texts.values() for name in re.findall(r"(--[a-z0-9-]+):", text)}
    used = {name for text in texts.values() for name in re.findall(r"var\((--[a-z0-9-]+)\)", text)}
    assert used - known == set()


def test_every_player_has_a_tone_by_day_and_by_night():
    names = [f"tone-{number}" for number in range(TONES)]
    assert len({LIGHT[name] for name in names}) == len({DARK[name] for name in names}) == TONES
    assert all(LIGHT[name] != DARK[name] for name in names)


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_letters_have_a_size_of_the_scale(sheet):
    """What is printed (pt) and the television (em, vmin) measure otherwise; a min() only holds a token back."""
    sizes = re.findall(r"font(?:-size)?: (?:\d+ )?([^;/]+)", sheet.read_text(encoding="utf-8"))
    assert [size for size in sizes if re.match(r"(?:min\()?[\d.]+rem", size)] == []
