"""Does pytest validate transcripts faster with more workers of pytest-xdist, and what stands in the way?

Made rows, seeded (those of `benchmarks.scale`), are the tests of one file. Runs with ``-n 0``, ``-n 1`` and
``-n 2`` take turns, and of each the fastest counts, so that what else a machine does weighs little. Tests a
second are of the whole run: the start of Python, the collection, which each worker does anew, the tests, and
the report of the run. Beside them stands the processor time of the controller and of its workers a test:
where the controller has more to do a test than a worker divided by their number, it is in the way.

A file of as many empty tests says what pytest and pytest-xdist take by themselves.

    python -m benchmarks.scale_pytest [--rows 2000] [--workers 0,1,2] [--rounds 3]

Exit status 1: two workers are below `LEAST` of twice one, which is not asked of a busy machine.
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

from benchmarks.scale import BUSY, CORES, write_rows

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
    try:
        return (yield)
    finally:
        write()

def write():
    name = os.environ.get("PYTEST_XDIST_WORKER", "controller")
    took = {"name": name, "known": known[0] if known else 0.0, "all": time.process_time()}
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
        controller: seconds of processor time of the process that was started.
        collection: those of one worker until its tests were known (of that process where there is none).
        worker: those of one worker after that; the most of any.
        busy: load of the machine before it began, as a share of its cores.
    """

    seconds: float
    controller: float
    collection: float
    worker: float
    busy: float


def timed(folder: Path, workers: int) -> Run:
    """Run pytest in a folder; its exit status says what it found, and only a crash is an error."""
    took = folder / "took"
    took.mkdir(exist_ok=True)
    for file in took.iterdir():
        file.unlink()
    spread = ["-p", "xdist", "-n", str(workers)] if workers else []
    own = ["-p", "pytest_grounding.plugin", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", "-q", "--tb=no", *own, *spread, "."]
    busy = os.getloadavg()[0] / CORES
    started = time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, env=_environment(took), capture_output=True, text=True, check=False
    )
    seconds = time.perf_counter() - started
    if done.returncode not in (0, 1):
        raise SystemExit(f"pytest failed ({done.returncode}): {done.stdout[-2000:]}{done.stderr[-2000:]}")
    found = {path.stem: json.loads(path.read_text()) for path in took.iterdir()}
    main = found.pop("controller")
    others = found.values() or [main]
    return Run(
        seconds,
        main["all"],
        max(item["known"] for item in others),
        max(item["all"] - item["known"] for item in others),
        busy,
    )


def _environment(took: Path) -> dict[str, str]:
    """That of a user who has run pytest before: byte code is kept, and no other plugin is at hand."""
    known = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**known, "TOOK": str(took), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def measured(folder: Path, numbers: list[int], rounds: int) -> dict[int, Run]:
    """The fastest run of each number of workers; they take turns."""
    runs: dict[int, list[Run]] = {number: [] for number in numbers}
    for _ in range(rounds):
        for number in numbers:
            runs[number].append(timed(folder, number))
    return {number: min(found, key=lambda run: run.seconds) for number, found in runs.items()}


def show(name: str, rows: int, runs: dict[int, Run]) -> float | None:
    """Print a table; two workers as a share of twice one, or None where they were not both run."""
    print(f"\n{name}: {rows:,} tests")
    print(
        f"{'':<6} {'seconds':>8} {'tests/s':>8} {'of linear':>9}   "
        "ms a test: controller, a worker's collection, its tests"
    )
    for number, run in runs.items():
        share = f"{runs[1].seconds / run.seconds / number:9.2f}" if number and 1 in runs else " " * 9
        parts = [1000 * seconds / rows for seconds in (run.controller, run.collection, run.worker)]
        print(
            f"-n {number:<3} {run.seconds:8.1f} {rows / run.seconds:8.0f} {share}   "
            f"{parts[0]:5.2f} {parts[1]:5.2f} {parts[2]:5.2f}",
            flush=True,
        )
    return runs[1].seconds / runs[2].seconds / 2 if {1, 2} <= runs.keys() else None


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
    if max(run.busy for run in runs.values()) > BUSY:
        print("not judged, the machine was busy")
        return 0
    print(f"OUT OF BOUNDS: two workers are {share:.2f} of twice one, should be {LEAST}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
