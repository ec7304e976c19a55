"""Does pytest validate transcripts faster with more workers of pytest-xdist, and what stands in the way?

Made rows, seeded (those of `benchmarks.scale`), are the tests of one file. Runs with ``-n 0``, ``-n 1`` and
``-n 2`` take turns, and of each the fastest counts, so that what else a machine does weighs little. Tests a
second are of the whole run: the start of Python, the collection, which each worker does anew, the tests, and
the report of the run.

Wall-clock time says little on a busy machine, or on one with fewer cores than processes. So the longest way
through a run is given too, in processor time: all that the slowest worker does, and what the controller does
when the last worker has ended. That is what a quiet machine needs that has a core for each process. While the
workers are at it, the controller takes their reports: where that takes longer than their tests, it is in the
way.

As many empty tests, with nothing of this project in use, say what pytest and pytest-xdist take by themselves.

    python -m benchmarks.scale_pytest [--rows 2000] [--workers 0,1,2] [--rounds 3]

Exit status 1: the longest way with two workers is not `LEAST` of half as long as with one.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.scale import CORES, write_rows

#: Of as many times one worker as there are workers.
LEAST = 0.8

#: Each process writes what it took: seconds of processor time until the tests were known, and in all.
_CONFTEST = """
import json, os, time
import pytest

known = []

def pytest_collection_finish(session):
    known.append(time.process_time())

@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session):
    # A worker that is not gone soon after this is killed by its controller.
    known.append(time.process_time())
    try:
        return (yield)
    finally:
        write()

def write():
    # A controller collects nothing.
    if len(known) == 1:
        known.insert(0, 0.0)
    name = os.environ.get("PYTEST_XDIST_WORKER", "controller")
    took = {"known": known[0] if known else 0.0, "last": known[-1], "all": time.process_time()}
    with open(os.path.join(os.environ["TOOK"], name + ".json"), "w") as stream:
        json.dump(took, stream)
"""

_EMPTY = """
import pytest

@pytest.mark.parametrize("number", range({rows}))
def test_nothing(number):
    pass
"""


class Run(NamedTuple):
    """One run.

    Attributes:
        seconds: of wall-clock time.
        collection: seconds of processor time of the slowest worker until its tests were known; without
            workers of the one process, here and below.
        tests: those of the slowest worker after that.
        reports: those of the controller until the last worker had ended.
        end: those of the controller after that.
    """

    seconds: float
    collection: float
    tests: float
    reports: float
    end: float

    @property
    def way(self) -> float:
        """The longest way in seconds of processor time."""
        return max(self.collection + self.tests, self.reports) + self.end


def timed(folder: Path, workers: int) -> Run:
    """Run pytest in a folder; its exit status says what it found, and only a crash is an error."""
    took = folder / "took"
    took.mkdir(exist_ok=True)
    for file in took.iterdir():
        file.unlink()
    spread = ["-p", "xdist", "-n", str(workers)] if workers else []
    own = ["-p", "pytest_grounding.plugin", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", "-q", "--tb=no", *own, *spread, "."]
    started = time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, env=_environment(took), capture_output=True, text=True, check=False
    )
    seconds = time.perf_counter() - started
    if done.returncode not in (0, 1):
        raise SystemExit(f"pytest failed ({done.returncode}): {done.stdout[-2000:]}{done.stderr[-2000:]}")
    found = {path.stem: json.loads(path.read_text()) for path in took.iterdir()}
    main = found.pop("controller")
    others = list(found.values())
    if len(others) != workers:
        raise SystemExit(f"{len(others)} of {workers} workers said what they took")
    end = main["all"] - main["last"]
    if not others:
        return Run(seconds, main["known"], main["last"] - main["known"], 0.0, end)
    slowest = max(others, key=lambda item: item["all"])
    return Run(seconds, slowest["known"], slowest["all"] - slowest["known"], main["last"], end)


def _environment(took: Path) -> dict[str, str]:
    """That of a user who has run pytest before: byte code is kept, and no other plugin is at hand."""
    known = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**known, "TOOK": str(took), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def measured(folder: Path, numbers: list[int], rounds: int) -> dict[int, Run]:
    """The best of each number of workers in each respect; they take turns."""
    runs: dict[int, list[Run]] = {number: [] for number in numbers}
    for _ in range(rounds):
        for number in numbers:
            runs[number].append(timed(folder, number))
    return {number: Run(*map(min, zip(*found, strict=True))) for number, found in runs.items()}


def show(name: str, rows: int, runs: dict[int, Run]) -> float | None:
    """Print a table; how much of twice one worker two are by the longest way, None where one was not run."""
    print(f"\n{name}: {rows:,} tests")
    print(f"{'':<6} {'wall clock':>21}   {'longest way':>21}   processor ms a test")
    print(
        f"{'':<6} {'tests/s':>11} {'of linear':>9}   {'tests/s':>11} {'of linear':>9}   "
        "collection, tests; controller: reports, end"
    )
    for number, run in runs.items():
        told = ""
        for which in ("seconds", "way"):
            took = getattr(run, which)
            share = f"{getattr(runs[1], which) / took / number:9.2f}" if number and 1 in runs else " " * 9
            told += f" {rows / took:11.0f} {share}  "
        parts = [1000 * took / rows for took in (run.collection, run.tests, run.reports, run.end)]
        print(f"-n {number:<3}{told} {'  '.join(f'{part:5.2f}' for part in parts)}", flush=True)
    return runs[1].way / runs[2].way / 2 if {1, 2} <= runs.keys() else None


def main() -> int:
    """Measure, print, and say what is out of bounds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--workers", default="0,1,2", help="numbers of workers, separated by commas")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    numbers = [int(text) for text in args.workers.split(",")]
    print(f"{CORES} cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as name:
        for kind in ("empty", "transcripts"):
            folder = Path(name, kind)
            folder.mkdir()
            (folder / "pytest.ini").write_text("[pytest]\n")
            (folder / "conftest.py").write_text(_CONFTEST)
            if kind == "empty":
                (folder / "test_empty.py").write_text(_EMPTY.format(rows=args.rows))
            else:
                write_rows(folder / "made.transcripts.jsonl", args.rows)
            runs = measured(folder, numbers, args.rounds)
            share = show(kind, args.rows, runs)
    if share is None or share >= LEAST:
        return 0
    print(f"OUT OF BOUNDS: two workers are {share:.2f} of twice one, should be {LEAST}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
