"""The phones of the live load, all in one process: told what to do as JSON on standard input, they say what they saw.

Each opens its table, follows its stream, and fetches the table again whenever it is told of a change, as live.js
does; where there is no place for its stream it asks every 1.5 seconds. One phone of a table after another buys a card
or gives it back.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import resource
import secrets
import sys
import time
from contextlib import suppress
from itertools import count
from random import Random
from typing import Any
from urllib.parse import urlencode

POLL = 1.5
PATIENCE = 30
_NUMBERS = count()


class Line:
    """A kept connection of one phone, as plain as it gets: two thousand of them share one process."""

    def __init__(self, port: int, cookies: dict[str, str]) -> None:
        self.port, self.cookies = port, cookies
        self.address = f"10.{'.'.join(map(str, (next(_NUMBERS) + 2**16).to_bytes(3, 'big')))}"
        self._ends: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._free = asyncio.Lock()

    async def ask(self, method: str, path: str, body: str = "", **headers: str) -> tuple[int, dict[str, str], str]:
        """One request; a kept connection that the server has closed meanwhile is opened anew."""
        async with self._free:
            return await self._ask(method, path, body, **headers)

    async def _ask(self, method: str, path: str, body: str, **headers: str) -> tuple[int, dict[str, str], str]:
        for attempt in (1, 2):
            kept = self._ends is not None
            try:
                reader, status, said = await self.begin(method, path, body, **headers)
                text = await asyncio.wait_for(_body(reader, said), PATIENCE)
                if said.get("connection", "") == "close":
                    self.close()
                return status, said, text
            except (OSError, asyncio.IncompleteReadError, IndexError):
                self.close()
                if attempt == 2 or not kept:
                    raise
        raise AssertionError("not reached")

    async def begin(
        self, method: str, path: str, body: str = "", **headers: str
    ) -> tuple[asyncio.StreamReader, int, dict[str, str]]:
        """Send a request and read the head of its answer."""
        if self._ends is None:
            self._ends = await asyncio.wait_for(asyncio.open_connection("127.0.0.1", self.port), PATIENCE)
        reader, writer = self._ends
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        lines = [
            f"{method} {path} HTTP/1.1",
            "Host: 127.0.0.1",
            f"Cookie: {cookies}",
            f"X-Forwarded-For: {self.address}",  # as a proxy says it: all from one address have few places for streams
            "Accept-Encoding: gzip",
            "Accept-Language: en",
        ]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        if method == "POST":
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        writer.write(("\r\n".join(lines) + "\r\n\r\n" + body).encode())
        head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)).decode("latin-1").split("\r\n")
        said = {}
        for line in head[1:]:
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                cookie, _, rest = value.partition("=")
                self.cookies[cookie] = rest.partition(";")[0]
            said[name.lower()] = value.lower()
        return reader, int(head[0].split()[1]), said

    def close(self) -> None:
        """Hang up."""
        if self._ends is not None:
            self._ends[1].close()
            self._ends = None


async def _body(reader: asyncio.StreamReader, said: dict[str, str]) -> str:
    if said.get("transfer-encoding") == "chunked":
        content = b""
        while size := int(await reader.readline(), 16):
            content += await reader.readexactly(size)
            await reader.readline()
        await reader.readline()
    else:
        content = await reader.readexactly(int(said.get("content-length", "0")))
    return (gzip.decompress(content) if said.get("content-encoding") == "gzip" else content).decode()


class Phone:
    """One phone; ``seen`` is which revision it showed, when it had been told of it, and when that was there."""

    def __init__(self, port: int, code: str, cookie: str) -> None:
        self.code, self.shown = code, 0
        self.page, self.stream = Line(port, {"device": cookie}), Line(port, {"device": cookie})
        self.streams, self.csrf = False, ""
        self.seen: list[tuple[int, float, float]] = []
        self.wrong: list[str] = []

    async def open(self) -> None:
        """The first look."""
        text = await self._fetch()
        token = re.search(r'name="csrf_token" value="([^"]+)"', text)
        self.csrf = token.group(1) if token else ""

    async def _fetch(self) -> str:
        told = time.time()
        status, _said, text = await self.page.ask("GET", f"/g/{self.code}/", X_Seen=str(self.shown))
        revision = re.search(r'data-revision="(\d+)"', text)
        if status != 200 or not revision:
            self.wrong.append(f"the table was answered with {status}")
        else:
            self.shown = int(revision.group(1))
            self.seen.append((self.shown, told, time.time()))
        return text

    async def follow(self) -> None:
        """Follow the game until cancelled."""
        while True:
            try:
                reader, status, _said = await self.stream.begin("GET", f"/g/{self.code}/live")
                self.streams = status == 200
                while self.streams and (line := await reader.readline()):
                    if line.startswith(b"data: ") and int(line[6:]) > self.shown:
                        await self._fetch()
                self.stream.close()
                if not self.streams:
                    await self._poll()
            except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
                self.wrong.append(repr(error))
                self.stream.close()
                await asyncio.sleep(0.5)

    async def _poll(self) -> None:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            await asyncio.sleep(POLL)
            status, _said, text = await self.page.ask("GET", f"/g/{self.code}/revision?seen={self.shown}")
            if status == 200 and json.loads(text)["revision"] > self.shown:
                await self._fetch()

    async def tap(self, do: str) -> float:
        """A tap; when it was sent."""
        fields = {"csrf_token": self.csrf, "token": secrets.token_urlsafe(16), "seen": self.shown, "hand": 1, "do": do}
        sent = time.time()
        status, _said, _text = await self.page.ask("POST", f"/g/{self.code}/do", urlencode(fields))
        if status != 303:
            self.wrong.append(f"{do} was answered with {status}")
        await self._fetch()
        return sent


async def _play(phones: list[Phone], every: float, seconds: float, random: Random) -> list[tuple[int, float]]:
    """One table: a change every so often, by one phone after another. Gives who tapped, and when."""
    await asyncio.sleep(random.uniform(0, every))
    end, nth, taps = time.monotonic() + seconds, 0, []
    while time.monotonic() < end:
        next_at = time.monotonic() + every
        at = nth % len(phones)
        try:
            taps.append((at, await phones[at].tap(("buy.0.1", "unbuy.0.1")[nth % 2])))
        except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
            phones[at].wrong.append(repr(error))
        nth += 1
        await asyncio.sleep(max(0.0, next_at - time.monotonic()))
    return taps


async def run(asked: dict[str, Any]) -> dict[str, Any]:
    """Everything that ``asked`` says."""
    tables = [[Phone(asked["port"], code, cookie) for cookie in cookies] for code, cookies in asked["tables"]]
    phones = [phone for table in tables for phone in table]
    following = []
    for phone in phones:
        await phone.open()
        following.append(asyncio.create_task(phone.follow()))
    await asyncio.sleep(asked["settle"])
    for phone in phones:
        phone.seen.clear()
    print(json.dumps({"ready": len(phones)}), flush=True)
    cpu, random = time.process_time(), Random(1)
    playing = [_play(table, asked["every"], asked["seconds"], random) for table in tables]
    taps = await asyncio.gather(*playing)
    await asyncio.sleep(asked["rest"])
    cpu = time.process_time() - cpu
    for task in following:
        task.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*following, return_exceptions=True)
    return {
        "cpu": cpu,
        "streams": sum(phone.streams for phone in phones),
        "tables": [
            {
                "code": table[0].code, "taps": made,
                "phones": [{"seen": phone.seen, "streams": phone.streams, "wrong": phone.wrong} for phone in table],
            }
            for table, made in zip(tables, taps, strict=True)
        ],
    }  # fmt: skip


def main() -> None:
    """Read, run, write."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print(json.dumps(asyncio.run(run(json.loads(sys.stdin.readline())))), flush=True)


if __name__ == "__main__":
    main()
