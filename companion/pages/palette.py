"""The colours of the style sheets, for what they do not reach: pictures that are sent, the browser's bar, the manifest."""

import re
from collections.abc import Mapping
from pathlib import Path

_CSS = Path(__file__).parents[1] / "static" / "css"
_COLOUR = re.compile(r"--([a-z0-9-]+): (#[0-9a-f]{6});")


def _colours() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """The plain colours by name, by day and by night."""
    light: dict[str, str] = {}
    dark: dict[str, str] = {}
    for name in ("base.css", "tones.css"):
        by_day, *by_night = (_CSS / name).read_text(encoding="utf-8").split("@media")
        light |= _COLOUR.findall(by_day)
        dark |= _COLOUR.findall("".join(by_night))
    return light, light | dark


LIGHT, DARK = _colours()
