"""Does a check of many transcripts use every core, and stay constant in memory?

Short generated rows are checked by one process and by one worker per core. Rows per second of wall-clock time
include the start of Python; those per second of processor time, over all processes, show on a busy machine
too what working in parts costs. Memory is the highest resident size of any process. A plain loop over the
same rows, and deepeval if ``--deepeval PYTHON`` names a Python that has it, only count the words of each
answer that its chunks contain.

    python -m benchmarks.scale [--rows 1000,10000] [--full] [--jobs 1,2] [--deepeval PYTHON] [--folder DIR]

``--full`` adds 100,000 and 1,000,000 rows. Exit status 1: a process needs more than `MOST_MB`, or several
workers are slower than `LEAST_LINEAR` times as many single ones, which is not judged on a busy machine.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
SEED = 21
MOST_MB = 250
LEAST_LINEAR = 0.9
QUICK, FULL = (1_000, 10_000), (1_000, 10_000, 100_000, 1_000_000)
#: With this many rows the start of Python and the last part no longer matter.
JUDGED = 10_000
#: Load, as a share of the cores, at which a machine is too busy for a judgement.
BUSY = 0.5
_KINDS = ("books", "shoes", "lamps", "chairs", "phones", "tickets", "plants")
_DEEPEVAL_ROWS = 1_000


class Run(NamedTuple):
    """One run.

    Attributes:
        name: the program.
        rows: rows that it read.
        seconds: wall-clock time.
        processor: seconds of processor time over all its processes.
        megabytes: memory of its largest process.
        busy: load of the machine before the run, as a share of its cores.
    """

    name: str
    rows: int
    seconds: float
    processor: float
    megabytes: float
    busy: float

    @property
    def speed(self) -> float:
        """Rows per second."""
        return self.rows / self.seconds


def write_rows(path: Path, number: int) -> None:
    """Short transcripts; about one in eight has a wrong number."""
    chance = random.Random(SEED)
    with open(path, "w", encoding="utf-8") as stream:
        for index in range(number):
            kind, days = chance.choice(_KINDS), chance.randrange(5, 60)
            said = days if chance.random() < 0.875 else days + 7
            row = {
                "id": f"row-{index:07d}",
                "question": f"How long do refunds of {kind} take?",
                "chunks": [
                    {
                        "id": "handbook-12",
                        "text": f"Refunds of {kind} are paid within {days} days of the return. "
                        f"The shop accepts {kind} without a receipt.",
                        "score": 0.9,
                    }
                ],
                "answer": f"Refunds of {kind} are paid within {said} days of the return [1].",
            }
            stream.write(json.dumps(row) + "\n")


def timed(name: str, rows: int, command: list[str], folder: Path) -> Run:
    """Run a command; only a crash is an error."""
    import psutil

    busy = os.getloadavg()[0] / CORES
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    highest = [0]

    def watch() -> None:
        while process.poll() is None:
            try:
                parent = psutil.Process(process.pid)
                for one in (parent, *parent.children(recursive=True)):
                    highest[0] = max(highest[0], one.memory_info().rss)
            except psutil.Error:
                pass
            time.sleep(0.05)

    watcher = threading.Thread(target=watch)
    watcher.start()
    _, said = process.communicate()
    seconds = time.perf_counter() - started
    watcher.join()
    if process.returncode not in (0, 1):
        raise SystemExit(f"{name} failed ({process.returncode}): {said.decode()[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(name, rows, seconds, spent, highest[0] / 2**20, busy)


def check(path: Path, rows: int, jobs: int, folder: Path) -> Run:
    """``check`` by one process (jobs 1), or by workers."""
    command = [sys.executable, "-m", "pytest_grounding", "check", path.name, "--quiet"]
    command += ["--jobs", str(jobs)] if jobs > 1 else []
    return timed(f"check, jobs {jobs}", rows, command, folder)


_LOOP = """
import json, re, sys
words = re.compile(r"\\w+")
total = 0.0
for line in open(sys.argv[1], encoding="utf-8"):
    row = json.loads(line)
    said = set(words.findall(row["answer"].lower()))
    held = set(words.findall(" ".join(chunk["text"] for chunk in row["chunks"]).lower()))
    total += len(said & held) / len(said)
"""

_DEEPEVAL = """
import itertools, json, re, sys
from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

class Words(BaseMetric):
    threshold = 0.7
    async_mode = False
    def measure(self, case, *arguments, **named):
        said = set(re.findall(r"\\w+", case.actual_output.lower()))
        held = set(re.findall(r"\\w+", " ".join(case.retrieval_context).lower()))
        self.score = len(said & held) / len(said)
        self.success = self.score >= self.threshold
        return self.score
    async def a_measure(self, case, *arguments, **named):
        return self.measure(case)
    def is_successful(self):
        return self.success
    @property
    def __name__(self):
        return "words"

cases = []
with open(sys.argv[1], encoding="utf-8") as stream:
    for line in itertools.islice(stream, int(sys.argv[2])):
        row = json.loads(line)
        cases.append(LLMTestCase(input=row["question"], actual_output=row["answer"],
            retrieval_context=[chunk["text"] for chunk in row["chunks"]]))
evaluate(cases, [Words()], async_config=AsyncConfig(run_async=False),
    display_config=DisplayConfig(show_indicator=False, print_results=False),
    cache_config=CacheConfig(write_cache=False, use_cache=False))
"""


def others(path: Path, rows: int, folder: Path, deepeval: str) -> list[Run]:
    """A plain loop over all rows, and deepeval over the first ones."""
    found = [timed("a plain loop", rows, [sys.executable, "-c", _LOOP, path.name], folder)]
    if deepeval:
        number = min(rows, _DEEPEVAL_ROWS)
        command = [deepeval, "-c", _DEEPEVAL, path.name, str(number)]
        os.environ.update({"DEEPEVAL_TELEMETRY_OPT_OUT": "YES", "DEEPEVAL_RESULTS_FOLDER": ""})
        found.append(timed("deepeval, a metric of words", number, command, folder))
    return found


def problems(runs: list[Run]) -> list[str]:
    """What is out of bounds."""
    checks = [run for run in runs if run.name.startswith("check")]
    found = [
        f"{run.name}, {run.rows} rows: {run.megabytes:.0f} MB in one process, may be {MOST_MB}"
        for run in checks
        if run.megabytes > MOST_MB
    ]
    single = {run.rows: run for run in checks if run.name.endswith(" 1")}
    for run in checks:
        number = int(run.name.rpartition(" ")[2])
        if number == 1 or run.rows < JUDGED or run.rows not in single:
            continue
        share = run.speed / single[run.rows].speed / number
        if max(run.busy, single[run.rows].busy) > BUSY:
            print(f"{run.name}, {run.rows} rows: not judged, the machine was busy before it began")
        elif share < LEAST_LINEAR:
            found.append(f"{run.name}, {run.rows} rows: {share:.2f} of {number} times one")
    return found


def main() -> int:
    """Measure, print a table, and return 1 if something is out of bounds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", default="", help="numbers of rows, separated by commas")
    parser.add_argument("--full", action="store_true", help="also 100,000 and 1,000,000 rows")
    parser.add_argument("--jobs", default="", help="numbers of workers (default: 1 and one a core)")
    parser.add_argument("--deepeval", default="", metavar="PYTHON", help="a Python that has deepeval")
    parser.add_argument("--folder", default="", help="where rows and parts lie (default: a temporary folder)")
    args = parser.parse_args()
    sizes = [int(text) for text in args.rows.split(",") if text] or list(FULL if args.full else QUICK)
    jobs = [int(text) for text in args.jobs.split(",") if text] or sorted({1, CORES})
    runs: list[Run] = []
    print(f"{CORES} cores, load {os.getloadavg()[0]:.1f}")
    print(
        f"{'':<28} {'rows':>9} {'seconds':>9} {'rows/s':>9} {'rows/CPU s':>10} {'MB/process':>10}", flush=True
    )
    with tempfile.TemporaryDirectory(dir=args.folder or None) as name:
        folder = Path(name)
        for rows in sizes:
            path = folder / f"made-{rows}.transcripts.jsonl"
            write_rows(path, rows)
            for number in jobs:
                _show(runs, check(path, rows, number, folder))
            if rows == max(size for size in sizes if size <= JUDGED or size == min(sizes)):
                for run in others(path, rows, folder, args.deepeval):
                    _show(runs, run)
            path.unlink()
    found = problems(runs)
    print("\n".join(f"OUT OF BOUNDS: {text}" for text in found) or "all in bounds")
    return 1 if found else 0


def _show(runs: list[Run], run: Run) -> None:
    runs.append(run)
    print(
        f"{run.name:<28} {run.rows:>9,} {run.seconds:>9.1f} {run.speed:>9.0f} "
        f"{run.rows / run.processor:>10.0f} {run.megabytes:>10.0f}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
