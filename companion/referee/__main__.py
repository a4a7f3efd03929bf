"""``python -m companion.referee``: one request a line in, one answer a line out, in order and in constant memory."""

import os
import sys
from typing import BinaryIO

from companion.referee.protocol import answer_line

#: Longer lines are answered with an error and skipped without being kept.
LINE_LIMIT = 1 << 20


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Answer every line of ``source`` until it ends; blank lines are answered too (with an error)."""
    while line := source.readline(LINE_LIMIT + 1):
        if len(line) > LINE_LIMIT:
            _skip_rest(source, line)
            reply = '{"error": "line too long"}'
        else:
            reply = answer_line(line)
        sink.write(reply.encode() + b"\n")
        sink.flush()


def _skip_rest(source: BinaryIO, line: bytes) -> None:
    while line and not line.endswith(b"\n"):
        line = source.readline(LINE_LIMIT)


def main() -> int:
    """Serve standard input; a reader that goes away ends it quietly."""
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
