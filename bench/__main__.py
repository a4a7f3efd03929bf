"""`python -m bench [NAME …]`: run every benchmark of this folder in turn, or those named.

A benchmark is a module with `main()`, which prints what it measured and returns nothing, or False where a
budget was missed; then the exit code is 1.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path


def names() -> list[str]:
    """The benchmarks there are, in the order of their names."""
    return sorted(module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]) if module.name[0] != "_")


def main(chosen: list[str]) -> int:
    """Run them; gives the exit code."""
    unknown = set(chosen) - set(names())
    if unknown:
        print(f"no such benchmark: {', '.join(sorted(unknown))}. There are: {', '.join(names())}", file=sys.stderr)
        return 2
    missed = []
    for name in chosen or names():
        print(f"== {name}", flush=True)
        if importlib.import_module(f"bench.{name}").main() is False:
            missed.append(name)
    if missed:
        print(f"budgets missed: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
