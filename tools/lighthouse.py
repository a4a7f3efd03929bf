"""`make lighthouse`: the median of three mobile runs for each page, against the numbers we hold ourselves to.

Lighthouse comes from npm (npx fetches it once), the browser is the one of the tests.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.demo import demo_pages
from tools.served import served

LIGHTHOUSE = "lighthouse@12"
RUNS = 3
LEAST = {"performance": 98, "accessibility": 100, "best-practices": 100}
FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)


def main() -> int:
    """Measure every page; exit code 1 where one falls short, 2 where it cannot be measured."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not shutil.which("npx") or not chromium:
        print("Lighthouse needs node (npx) and Chromium: sudo apt install npm chromium", file=sys.stderr)
        return 2
    with served() as (app, url):
        pages, cookies = demo_pages(app)
        short = [line for name, path in pages.items() for line in judge(name, url + path, cookies, chromium)]
    print("\n".join(short) or "Every page has its numbers.")
    return 1 if short else 0


def judge(name: str, url: str, cookies: str, chromium: str) -> list[str]:
    """What falls short on one page, a line each; prints the medians."""
    runs = [measure(url, cookies, chromium) for _ in range(RUNS)]
    medians = {key: round(statistics.median(run[key] for run, _ in runs)) for key in LEAST}
    print(f"{name:<10}" + "  ".join(f"{key} {value}" for key, value in medians.items()), flush=True)
    remarks = sorted({remark for _, remarks_of_run in runs for remark in remarks_of_run})
    missed = [f"{name}: {key} {medians[key]}, wanted {least}" for key, least in LEAST.items() if medians[key] < least]
    return missed + [f"{name}:   {remark}" for remark in remarks] if missed else []


def measure(url: str, cookies: str, chromium: str) -> tuple[dict[str, float], list[str]]:
    """One run: the scores from 0 to 100, and the audits that did not pass in full."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        line = ["npx", "--yes", LIGHTHOUSE, url, "--quiet", "--output=json", f"--output-path={report}"]
        line += [f"--chrome-flags={FLAGS}", f"--only-categories={','.join(LEAST)}"]
        line += [f"--extra-headers={json.dumps({'Cookie': cookies})}"] if cookies else []
        subprocess.run(line, check=True, env={**os.environ, "CHROME_PATH": chromium}, timeout=300)
        measured = json.loads(report.read_text("utf-8"))
    scores = {key: 100 * (measured["categories"][key]["score"] or 0) for key in LEAST}
    audits = measured["audits"].values()
    return scores, [audit["title"] for audit in audits if audit.get("score") is not None and audit["score"] < 0.9]


if __name__ == "__main__":
    raise SystemExit(main())
