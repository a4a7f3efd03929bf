"""What the fuzz sends: to every route of the app's map, in every form its pages show, and what nobody should."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote_plus, urlencode, urljoin, urlsplit

from flask import Flask, url_for
from werkzeug.routing import Rule

import companion
from proofs.phones import Answer, Fields, Form

if TYPE_CHECKING:
    from proofs.fuzz_games import Actor, Table, World

FORM = "application/x-www-form-urlencoded"
WEIRD = [
    "", " ", "0", "1", "2", "3", "4", "7", "10", "11", "-1", "+1", "1e5", "1.5", "005", "999", "1000", "2147483648",
    "9" * 30, "９", "٣", "²", "\x00", "a\x00b", "\ud800", "%00", "%", "'\";--", "<script>alert(1)</script>", "=1+1", "🂡 Zoë",
    "é" * 300, "x" * 5000, "\u202eabc", "\u200b", "a\nb\r\nc", "..", "../../etc/passwd", "//example.net/", "/referee", "null",
    "true", "[]", "{}", "{{7*7}}", "%s%n", "nobody", "keeper", "watch", "on", "make", "withdraw", "start", "join", "highest", "en",
    "pt", "xx", "4S 2H 6S", "4s5s6s7s", "10S", "9? 9? 2S", "7S 7H 2D", "2 2 2", "JK", "*", "15+20+5", "15+", "+", "5" * 100,
    "buy.1.1", "buy.9.1", "buy..", "unbuy.1.1", "undo.1", "undo.2", "redo.3", "float.1", "anew.0", "me", "wake", "renew.keeper",
    "renew.watch", "renew.", "remove.2", "remove.1", "sit-1", "leave-2", "move-1", "dealer-2", "close", "reopen", "kate", "ehow",
    "peru", "grebber", "max_wilds:1", "discard_ban=off", "1=45", "0=0", "set", "run", "S", "H", "A", "K",
]  # fmt: skip
#: Old nights as people keep them: whole, and with what must be asked about.
SHEETS = [
    "date,name,1,2,3\n2019-05-04,Ana,0,45,20\n2019-05-04,Bea,30,0,10\n2019-05-04,Carl,15,5,0\n",
    "date,name,1,2,3\n2019-05-04,Ana,x,45,20\n2019-05-04,Bea,30,-,10\n2019-05-04,Carl,15,5,abs\n",
    "date;name;1;2;3\n05/06/2019;Ana;0;45;65\n05/06/2019;Bea;30;30;40\n05/06/2019;Carl;15;20;20\n",
    "01/02/2024,0,45,10\n13/02/2024,-,abs,10", "\x00,;\t\"",
]  # fmt: skip
HEADERS = [
    {}, {}, {}, {}, {"HX-Request": "true"}, {"X-Seen": "1"}, {"X-Seen": "x"}, {"X-Seen": "9" * 40}, {"Accept-Language": "pt"},
    {"Accept-Language": ",;q=x"}, {"If-None-Match": '"1-1-en"'}, {"X-Forwarded-Host": "example.net"}, {"Range": "bytes=0-0"},
    {"Accept-Encoding": "br, gzip"}, {"Last-Event-ID": "7"}, {"Authorization": "Bearer fuzz"}, {"Referer": "https://example.net/"},
]  # fmt: skip


@dataclass(frozen=True)
class Request:
    """One request; ``route`` is where it was meant to go."""

    route: str
    method: str
    path: str
    body: bytes | None = None
    content_type: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    said: str = ""

    def __str__(self) -> str:
        body = f" with {self.body[:1500]!r} as {self.content_type}" if self.body is not None else ""
        headers = f" and {self.headers}" if self.headers else ""
        return f"{self.method} {self.path[:1500]}{body}{headers}"


class Requests:
    """Makes them; learns forms and addresses from the pages that come back."""

    def __init__(self, app: Flask, random: Random) -> None:
        self.random = random
        self.routes: list[tuple[str, Rule]] = [
            (f"{method} {rule.rule}", rule)
            for rule in sorted(app.url_map.iter_rules(), key=str)
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
        ]
        with app.test_request_context():
            self.asset = url_for("static", filename="css/data.css").split("/", 3)
        self.adapter = app.url_map.bind("localhost")
        self.keys = _keys_asked_for()
        self.forms: dict[str, list[tuple[str, Form]]] = defaultdict(list)
        self.addresses: dict[str, list[str]] = defaultdict(list)
        self.values: list[str] = [*WEIRD, *SHEETS]

    def make(self, number: int, actor: Actor, world: World) -> Request:
        """The next request: every route in turn gets its share, so that a new one is never left out."""
        dice = self.random.random()
        if dice < 0.12 and self.addresses[str(actor)]:
            return self._followed(actor)
        route, rule = self.routes[number % len(self.routes)]
        method = route.split()[0]
        if dice > 0.97:
            method = self.random.choice(["HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "GET", "POST"])
        path = self._path(rule, actor, world)
        if method in ("GET", "HEAD", "OPTIONS", "DELETE"):
            path += self._query(rule, world.table_of(actor))
            return Request(route, method, path, headers=self._headers(), said=_plain(path))
        return self._posted(route, method, path, actor, world)

    def learn(self, path: str, text: str, actor: Actor, secrets: list[str]) -> None:
        """Remember the forms of a page for everybody, what is secret in them left out, and for this actor its links."""
        self.addresses[str(actor)] = [
            *self.addresses[str(actor)],
            *Answer(200, {}, text, path.partition("?")[0]).links,
        ][-80:]
        for secret in secrets:
            text, path = text.replace(secret, "secret"), path.replace(secret, "secret")
        page = Answer(200, {}, text, path.partition("?")[0])
        for form in page.forms:
            if "file" in dict(form.fields):  # packed nights, which nobody else may send
                continue
            where = urljoin(page.path, form.action) if form.action else page.path
            kept = self.forms[_shape(where)]
            kept.append((where, form))
            del kept[:-8]
            self.values += [value for _, value in [*form.buttons, *form.fields] if value and len(value) < 60]
        always = len(WEIRD) + len(SHEETS)
        self.values = self.values[:always] + self.values[always:][-300:]

    def _followed(self, actor: Actor) -> Request:
        address = self.random.choice(self.addresses[str(actor)])
        return Request(self._route(address), "GET", address, headers=self._headers(), said=_plain(address))

    def _route(self, address: str) -> str:
        try:
            rule, _ = self.adapter.match(urlsplit(address).path, method="GET", return_rule=True)
        except Exception:
            return ""  # a place on the answer to a form, which only a form is answered with
        return f"GET {rule.rule}"

    def _path(self, rule: Rule, actor: Actor, world: World) -> str:
        values = {name: self._part(name, actor, world) for name in rule.arguments}
        path = re.sub(
            r"<(?:[^:<>]+(?:\([^)]*\))?:)?(\w+)>",
            lambda m: quote(values[m[1]].encode("utf-8", "replace"), safe=""),
            rule.rule,
        )
        return (
            path
            if self.random.random() < 0.97
            else path.rstrip("/") + self.random.choice(["/", "/%2e", "//", "%0a", "?"])
        )

    def _part(self, name: str, actor: Actor, world: World) -> str:
        """A part of an address: mostly one that leads somewhere."""
        own, dice = world.table_of(actor), self.random.random()
        if name == "code" and dice < 0.93:
            other = self.random.choice(world.tables)
            return (own if own is not None and dice < 0.8 else other).code
        if name == "token" and own is not None and dice < 0.6:
            return own.links["keeper" if actor.role == "keeper" else "watch"][0]
        if name in ("version", "filename") and dice < 0.5:
            return self.asset[2 if name == "version" else 3]
        if name == "recap" and own is not None and dice < 0.6:
            return own.recap or "x"
        if name == "own" and dice < 0.9:
            return (own if own is not None and dice < 0.7 else self.random.choice(world.tables)).own_list
        if name == "kind" and dice < 0.9:
            return self.random.choice(["json", "csv"])
        if name == "person" and dice < 0.9:
            table = own if own is not None and dice < 0.8 else self.random.choice(world.tables)
            return str(self.random.choice(table.people))
        if name == "role" and dice < 0.9:
            return self.random.choice(["keeper", "watch"])
        if name == "number" and dice < 0.8:
            return str(self.random.randrange(1, 5))
        return self.random.choice(WEIRD) or "x"

    def _query(self, rule: Rule, own: Table | None) -> str:
        if rule.rule == "/new" and own is not None and self.random.random() < 0.5:
            return f"?again={own.code}"
        if self.random.random() < 0.5:
            return ""
        return "?" + urlencode(self._pairs(self.random.randrange(1, 6)), errors="surrogatepass")

    def _pairs(self, count: int) -> Fields:
        return [(self.random.choice(self.keys), self._value()) for _ in range(count)]

    def _value(self) -> str:
        return self.random.choice(self.values)

    def _headers(self) -> dict[str, str]:
        return dict(self.random.choice(HEADERS))

    def _posted(self, route: str, method: str, path: str, actor: Actor, world: World) -> Request:
        own = world.table_of(actor)
        is_paper = route == "POST /data/paper" and self.random.random() < 0.6
        fields = self._old_nights() if is_paper else self._fields(path)
        if path.startswith("/g/") and self.random.random() < 0.7:  # as if the page had just been loaded
            fields = [(name, str(world.revision(actor)) if name == "seen" else value) for name, value in fields]
        if own is not None:  # what was secret is the code of a game, or a name with it
            fields = [
                (name.replace("secret", own.code), own.code if value == "secret" else value) for name, value in fields
            ]
        fields = [(name, value) for name, value in fields if name != "csrf_token"]
        if self.random.random() < 0.96:
            fields.append(("csrf_token", actor.csrf))
        said = _plain(path) + " ".join(text for pair in fields for text in pair)
        if route in ("POST /data", "POST /data/further") and self.random.random() < 0.7:
            file = world.file(actor)
            body, kind = self._with_nights(fields, file, route)
            return Request(route, method, path, body, kind, self._headers(), said + file.decode())
        body, kind = self._encoded(fields)
        return Request(route, method, path, body, kind, self._headers(), said)

    def _fields(self, path: str) -> Fields:
        """A form as a page had it, filled in at random and then spoiled; or made up."""
        known = self.forms.get(_shape(path.partition("?")[0]))
        if not known or self.random.random() < 0.1:
            return self._pairs(self.random.randrange(8))
        form = self.random.choice(known)[1]
        if self.random.random() < 0.3:  # as it was shown, mostly with the button that Enter presses
            return form.as_shown(self.random.choice([0, 0, self.random.randrange(len(form.buttons) or 1)]))
        fields = form.filled(self.random, self.values)
        spoil = self.random.random()
        if spoil < 0.5:
            return fields
        if spoil < 0.6 and fields:
            fields.pop(self.random.randrange(len(fields)))
        elif spoil < 0.9:
            fields = [(name, self._value() if self.random.random() < 0.3 else value) for name, value in fields]
        return fields + self._pairs(self.random.randrange(3))

    def _old_nights(self) -> Fields:
        """A sheet of old nights, with any answers to whatever was asked lately about such sheets."""
        forms = [form for _, form in self.forms["/data/paper"]]
        asked = {name: values for form in forms for name, values in form.choices.items() if name.startswith("q-")}
        answers = [(name, self.random.choice(values)) for name, values in asked.items()]
        return [("text", self.random.choice(SHEETS)), ("do", self.random.choice(["look", "import"])), *answers]

    def _with_nights(self, fields: Fields, file: bytes, route: str) -> tuple[bytes, str]:
        """A file of nights as the form of its page sends it, sometimes spoiled; or packed, with its night ticked."""
        nights = json.loads(file)["houses"][0]["games"]
        if self.random.random() < 0.3:
            at = self.random.randrange(len(file))
            file = file[:at] + self._value().encode("utf-8", "replace") + file[at + self.random.randrange(9) :]
        if route == "POST /data/further":
            packed = base64.b64encode(zlib.compress(file)).decode()
            ticked = [("night", night["uid"]) for night in nights]
            return urlencode([*fields, ("file", packed), *ticked], errors="surrogatepass").encode(), FORM
        parts = [*(f'name="{name}"\r\n\r\n{value}' for name, value in fields if name == "csrf_token")]
        parts.append('name="file"; filename="nights.json"\r\n\r\n' + file.decode("utf-8", "replace"))
        body = "".join(f"--B\r\nContent-Disposition: form-data; {part}\r\n" for part in parts) + "--B--\r\n"
        return body.encode(), "multipart/form-data; boundary=B"

    def _encoded(self, fields: Fields) -> tuple[bytes, str]:
        dice = self.random.random()
        if dice < 0.96:
            return urlencode(fields, errors="surrogatepass").encode(), FORM
        if dice < 0.97:
            return json.dumps(dict(fields)).encode(), "application/json"
        if dice < 0.98:
            return b"\xff\xfe" * 50 + urlencode(fields, errors="surrogatepass").encode(), FORM
        if dice < 0.99:
            return b"a=" + b"x" * (300 * 1024), FORM
        part = b'--B\r\nContent-Disposition: form-data; name="name"; filename="a.txt"\r\n\r\nx\r\n--B--\r\n'
        return part, "multipart/form-data; boundary=B"


def _plain(path: str) -> str:
    return path + unquote_plus(path, errors="replace")


def _shape(path: str) -> str:
    """The same for addresses of the same form: codes and numbers left out."""
    return re.sub(r"/[0-9]+(?=/|$)", "/9", re.sub(r"^/(g|j|r)/[^/]+", r"/\1/…", path))


def _keys_asked_for() -> list[str]:
    """Every name that the app's own code asks a form or a query for."""
    keys: set[str] = set()
    for file in Path(companion.__file__).parent.rglob("*.py"):
        keys.update(re.findall(r"""(?:\.get|\.getlist|args|form)[(\[]["']([\w.-]+)["']""", file.read_text("utf-8")))
    return sorted(keys)
