"""Run all measurements of speed and statistics, one after the other, with the bounds that each must keep.

Each part runs in its own process, so that no cache makes another one faster, and a part that is out of bounds
does not stop the others. Times depend on the machine; ratios can be compared across machines. Exit status 1:
a part is out of bounds.

    python -m benchmarks [PART...] [--full]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Part:
    """One measurement.

    Attributes:
        name: its module in this folder.
        asks: the question that it answers.
        good: the bounds.
        quick: arguments that keep it below half a minute on an idle machine.
    """

    name: str
    asks: str
    good: str
    quick: tuple[str, ...] = ()


PARTS = (
    Part(
        "startup",
        "what does the installed plugin cost a pytest run that does not use it?",
        "ratio at most 1.05",
        ("--runs", "15"),
    ),
    Part(
        "citations",
        "is citation checking linear on hostile input, and fast on a common one?",
        "no growth above 3.0 from an eighth of the length to all of it; together at most 5 ms",
        ("--limit", "100000", "--rounds", "100"),
    ),
    Part(
        "speed",
        "what does a whole validation cost, and does it grow with the claims alone?",
        "median 5 ms and p99 25 ms on an idle core; ten times the claims take at most 15 times as long",
        ("--rounds", "1", "--answers", "200"),
    ),
    Part(
        "growth",
        "does a validation stay linear, whatever a text is made of?",
        "four times the text takes at most 5 times as long, in the answer, in a chunk and in both",
    ),
    Part(
        "retrieval",
        "is validating a retrieval of 10 chunks fast, and right on the labelled questions?",
        "median of new chunks below 20 ms; about 5 x tokenizing, 1 x where the chunks were seen before",
    ),
    Part(
        "judges",
        "what does a remote judge cost, recorded and replayed?",
        "a replay takes at most 4 x the built-in scorer's time",
        ("--latency", "20"),
    ),
    Part(
        "importing",
        "is importing linear in time and flat in memory?",
        "time per row grows by at most 1.6 from the smallest file to the largest, memory by 600 bytes a row",
        ("--rows", "4000"),
    ),
    Part(
        "suite_statistics",
        "does a baseline raise false alarms, and does it find real drops?",
        "where nothing changed at most 0.05 of the builds fail; the interval holds the drop in 0.95",
        ("--histories", "100"),
    ),
    Part(
        "pages",
        "is the HTML report of 2,000 transcripts small and quick?",
        "at most 15 MB; to be used within 2 s, and each click answered within 0.5 s",
        ("--loads", "3"),
    ),
    Part(
        "scale",
        "does a check of many transcripts use every core, and stay flat in memory?",
        "at most 250 MB in any process; several workers reach 0.9 of as many times one, on idle cores",
        ("--rows", "1000"),
    ),
    Part(
        "service",
        "what does validation cost a service that answers?",
        "with a pool the loop is late by less; below a tenth of a request that waits for a model",
        ("--rounds", "60"),
    ),
)


def main() -> int:
    """Run the named parts, or all; return 0 if all are within their bounds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [part.name for part in PARTS]
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"one of {', '.join(names)}")
    parser.add_argument("--full", action="store_true", help="as long as each part takes by itself: minutes")
    options = parser.parse_args()
    unknown = [name for name in options.parts if name not in names]
    if unknown:
        parser.error(f"there is no part {unknown[0]!r}; write one of: {', '.join(names)}")
    outcomes = []
    for part in PARTS:
        if options.parts and part.name not in options.parts:
            continue
        print(f"== {part.name}: {part.asks}\n   good: {part.good}\n", flush=True)
        command = [sys.executable, "-m", f"benchmarks.{part.name}", *(() if options.full else part.quick)]
        start = time.monotonic()
        status = subprocess.run(command, cwd=ROOT, check=False).returncode
        outcomes.append((part.name, status, time.monotonic() - start))
        print(flush=True)
    for name, status, seconds in outcomes:
        print(f"{name:12} {'ok' if status == 0 else f'OUT OF BOUNDS (exit {status})':24} {seconds:6.0f} s")
    return int(any(status for _, status, _ in outcomes))


if __name__ == "__main__":
    sys.exit(main())
