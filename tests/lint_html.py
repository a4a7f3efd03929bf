"""What every page a test loads is held to: a title, one h1, unique ids, a name for every control, nothing inline."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
#: Elements whose end tag may be left out, closed by what follows.
NAMED = {"button", "a", "summary", "h1", "h2", "h3", "label", "legend", "th"}


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.faults: list[str] = []
        self.ids: list[str] = []
        self.open: list[tuple[str, dict[str, str], list[str]]] = []
        self.headings: list[int] = []
        self.title = ""
        self.labelled: set[str] = set()
        self.controls: list[tuple[str, dict[str, str], bool]] = []
        self.targets: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if len(given) != len(attrs):
            self.faults.append(f"<{tag}> has an attribute twice: {attrs}")
        self._attributes(tag, given)
        if tag in ("input", "select", "textarea") and given.get("type") not in ("hidden", "submit"):
            self.controls.append((tag, given, any(name == "label" for name, _, _ in self.open)))
        if tag in ("h1", "h2", "h3", "h4"):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.open.append((tag, given, [given["aria-label"]] if given.get("aria-label") else []))

    def _attributes(self, tag: str, given: dict[str, str]) -> None:
        if "id" in given:
            self.ids.append(given["id"])
        if "for" in given:
            self.labelled.add(given["for"])
        for name in given:
            if name == "style" or name.startswith("on"):
                self.faults.append(f"<{tag} {name}> is inline")
        if tag == "img" and "alt" not in given:
            self.faults.append(f"<img src={given.get('src')}> has no alt")
        if tag == "script" and "src" not in given:
            self.faults.append("an inline <script>")
        self.targets += [(name, each) for name in ("aria-describedby", "aria-labelledby", "for", "form", "aria-controls")
                         for each in given.get(name, "").split()]  # fmt: skip

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self.open or self.open[-1][0] != tag:
            self.faults.append(f"</{tag}> closes {self.open[-1][0] if self.open else 'nothing'}")
            return
        _, given, text = self.open.pop()
        words = "".join(text).strip()
        if tag in NAMED and not words and not given.get("aria-labelledby") and "hidden" not in given:
            self.faults.append(f"<{tag} {given}> says nothing")
        if tag == "title":
            self.title = words

    def handle_data(self, data: str) -> None:
        for _, _, text in self.open:
            text.append(data)


def faults(html: str) -> list[str]:
    """What is wrong with a page; empty: nothing."""
    page = _Page()
    page.feed(html)
    page.close()
    found = page.faults + [f"<{tag}> is never closed" for tag, _, _ in page.open]
    if not page.title.replace("· Gripe Companion", "").strip():
        found.append("no title")
    if page.headings.count(1) != 1:
        found.append(f"{page.headings.count(1)} h1")
    found += [f"the id {name!r} is there {count} times" for name, count in Counter(page.ids).items() if count > 1]
    found += [f"{name} names {each!r}, which is not there" for name, each in page.targets if each not in page.ids]
    found += [
        f"no label: <{tag} {given}>"
        for tag, given, inside in page.controls
        if not inside and given.get("id") not in page.labelled and not {"aria-label", "aria-labelledby"} & given.keys()
    ]
    found += [f"h{b} follows h{a}" for a, b in zip(page.headings, page.headings[1:], strict=False) if b > a + 1]
    return found
