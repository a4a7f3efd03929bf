"""A server as people run it, a program of its own, which a test can kill and start again while phones are at it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from proofs.servers import Server


class Program(Server):
    """`companion run`; ``app`` looks into its database from outside."""

    @property
    def url(self) -> str:
        """Its address, without a slash at the end."""
        return self.address

    def restart(self) -> None:
        """Kill it, and start it again on the same port and the same file."""
        self.kill()
        self.start()


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Program]:
    """A server in place of the one inside the test's own process: a module that imports this has it."""
    program = Program(tmp_path, "run", {"COMPANION_THREADS": "24"})
    program.start()
    yield program
    program.close()
