"""A phone without a browser: it keeps cookies, reads pages, and fills in their forms as a person (or a monkey) would."""

from __future__ import annotations

import http.client
import re
import ssl
from dataclasses import dataclass, field
from html.parser import HTMLParser
from random import Random
from urllib.parse import urlencode, urljoin, urlsplit

Fields = list[tuple[str, str]]


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    text: str
    path: str

    @property
    def forms(self) -> list[Form]:
        """The forms of the page."""
        return _Reader.of(self.text).forms

    @property
    def links(self) -> list[str]:
        """Addresses on this server that the page leads to."""
        addresses = (urljoin(self.path, link) for link in _Reader.of(self.text).links)
        return [link for link in addresses if link.startswith("/") and not link.startswith("//")]

    @property
    def words(self) -> str:
        """What a person reads in the main part, in one line."""
        return " ".join(_Reader.of(self.text).words)


@dataclass
class Form:
    """A form: where it goes, what is in it, what may be chosen, and the buttons that send it."""

    action: str
    method: str
    fields: Fields = field(default_factory=list)
    choices: dict[str, list[str]] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    buttons: Fields = field(default_factory=list)

    def as_shown(self, button: int = 0) -> Fields:
        """With what is in it, the first of each choice, and one of its buttons; Enter presses the first."""
        chosen = [(name, values[0]) for name, values in self.choices.items() if values]
        return [*self.fields, *chosen, *self.buttons[button : button + 1]]

    def filled(self, random: Random, texts: list[str]) -> Fields:
        """Filled in at random: choices from those there are, texts from ``texts`` or left as they are."""
        fields = list(self.fields)
        for name, values in self.choices.items():
            fields += [(name, value) for value in random.sample(values, random.randrange(2) if len(values) < 2 else 1)]
        for index, (name, _) in enumerate(fields):
            if name in self.texts and random.random() < 0.7:
                fields[index] = (name, random.choice(texts))
        return fields + ([random.choice(self.buttons)] if self.buttons else [])


class _Reader(HTMLParser):
    """Forms, links and words of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self._by_id: dict[str, Form] = {}
        self._form: Form | None = None
        self._select = ""
        self._area: Form | None = None
        self._main = self._hidden = False

    @classmethod
    def of(cls, text: str) -> _Reader:
        reader = cls()
        reader.feed(text)
        return reader

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        a = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = Form(a.get("action", ""), a.get("method", "get").lower())
            self.forms.append(self._form)
            self._by_id[a.get("id", "")] = self._form
        elif tag == "a" and "href" in a:
            self.links.append(a["href"])
        elif tag == "main":
            self._main = True
        elif tag in ("script", "style"):
            self._hidden = True
        form = self._by_id.get(a["form"]) if a.get("form") else self._form
        if form is not None and "disabled" not in a:
            self._control(tag, a, form)

    def _control(self, tag: str, a: dict[str, str], form: Form) -> None:
        name = a.get("name", "")
        if tag == "button" and a.get("type", "submit") == "submit":
            form.buttons.append((name, a.get("value", "")))
        elif tag == "select":
            self._select = name
            form.choices[name] = []
        elif tag == "option" and self._select:
            form.choices[self._select].append(a.get("value", ""))
        elif tag == "textarea":
            self._area = form
            form.fields.append((name, ""))
            form.texts.append(name)
        elif tag == "input" and name:
            kind = a.get("type", "text")
            if kind in ("radio", "checkbox"):
                form.choices.setdefault(name, []).append(a.get("value", "on"))
            else:
                form.fields.append((name, a.get("value", "")))
                if kind != "hidden":
                    form.texts.append(name)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = ""
        elif tag == "textarea":
            self._area = None
        elif tag == "main":
            self._main = False
        elif tag in ("script", "style"):
            self._hidden = False

    def handle_data(self, data: str) -> None:
        if self._area is not None:
            name, before = self._area.fields[-1]
            self._area.fields[-1] = (name, before + data)
        if self._main and not self._hidden:
            self.words += data.split()


class Phone:
    """One phone at a server's address; ``name`` is its user agent."""

    def __init__(self, address: str, name: str = "a phone", timeout: float = 30) -> None:
        parts = urlsplit(address)
        self.is_secure = parts.scheme == "https"
        self.host, self.port = parts.hostname or "127.0.0.1", parts.port or (443 if self.is_secure else 80)
        self.address, self.name, self.timeout = address, name, timeout
        self.cookies: dict[str, str] = {}
        self._line: http.client.HTTPConnection | None = None

    def get(self, path: str, **headers: str) -> Answer:
        """Look at a page."""
        return self.send("GET", path, **headers)

    def post(self, path: str, fields: Fields | dict[str, str], **headers: str) -> Answer:
        """Send a form."""
        return self.send("POST", path, fields, **headers)

    def upload(self, path: str, fields: dict[str, str], file: bytes) -> Answer:
        """Send a form with a file, named "file"."""
        mark = "the-end-of-a-part"
        parts = [
            f'--{mark}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
            for name, value in fields.items()
        ]
        head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="nights.json"\r\n\r\n'
        body = "".join(parts).encode() + head.encode() + file + f"\r\n--{mark}--\r\n".encode()
        return self.send("POST", path, body, Content_Type=f"multipart/form-data; boundary={mark}")

    def submit(self, page: Answer, form: Form, fields: Fields | None = None) -> Answer:
        """Send a form of a page, with what is in it or with other content."""
        fields = form.fields + form.buttons[:1] if fields is None else fields
        path = urljoin(page.path, form.action) if form.action else page.path
        if form.method == "post":
            return self.post(path, fields)
        return self.get(path.partition("?")[0] + "?" + urlencode(fields))

    def csrf(self, path: str = "/") -> str:
        """A CSRF token of this phone's session."""
        token = re.search(r'name="csrf_token" value="([^"]+)"', self.get(path).text)
        assert token, path
        return token.group(1)

    def hang_up(self) -> None:
        """Close the line; the next request opens another."""
        if self._line is not None:
            self._line.close()
            self._line = None

    def _connection(self) -> http.client.HTTPConnection:
        if not self.is_secure:
            return http.client.HTTPConnection(self.host, self.port, timeout=self.timeout)
        # The certificate is one that the proof made itself.
        return http.client.HTTPSConnection(
            self.host, self.port, timeout=self.timeout, context=ssl._create_unverified_context()
        )

    def send(
        self, method: str, path: str, fields: Fields | dict[str, str] | bytes | None = None, **headers: str
    ) -> Answer:
        """One request, with a form's fields or a body as it is; redirects are not followed.

        Raises OSError or http.client.HTTPException where no answer comes back.
        """
        given = {
            "User-Agent": self.name,
            "Accept-Language": "en",
            **{k.replace("_", "-"): v for k, v in headers.items()},
        }
        if self.cookies:
            given["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        body = fields if isinstance(fields, bytes) else None
        if fields is not None and not isinstance(fields, bytes):
            body = urlencode(
                list(fields.items()) if isinstance(fields, dict) else fields, errors="surrogatepass"
            ).encode()
            given.setdefault("Content-Type", "application/x-www-form-urlencoded")
        if self.is_secure:
            given["Referer"] = self.address + "/"  # as a browser says where a form comes from
        if self._line is None:
            self._line = self._connection()
        try:
            self._line.request(method, path, body, given)
            response = self._line.getresponse()
            text = response.read().decode("utf-8", "replace")
        except (OSError, http.client.HTTPException):
            self.hang_up()
            raise
        for line in response.headers.get_all("Set-Cookie") or []:
            name, _, rest = line.partition("=")
            self.cookies[name] = rest.partition(";")[0]
        if response.will_close:
            self.hang_up()
        return Answer(response.status, {k.lower(): v for k, v in response.headers.items()}, text, path)
