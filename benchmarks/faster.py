"""Compare the speed of this copy of the project with another one.

Both copies validate the same rows in turn, each time in a fresh process. Processor time is counted, so that a
busy machine slows both alike; of several rounds the shortest time of each answer counts. Only ratios are
judged.

    python -m benchmarks.faster OLD_TREE [--data ../shared/data] [--answers 500] [--rounds 5]

Exit status 1: a median above `MOST` times the other one, a 99th percentile above `MOST_SPREAD` medians, or an
import of the engine above `MOST_IMPORT` times that of pydantic alone.
"""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path

from benchmarks.speed import ROOT, in_copy, starts

MOST = 0.67
MOST_SPREAD = 4.0
MOST_IMPORT = 1.5


def percentile(values: list[float], share: float) -> float:
    """The value below which this share of the values is."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def times_of(copies: dict[str, Path], options: argparse.Namespace) -> dict[str, list[float]]:
    """Milliseconds for each answer in each copy, the shortest of all rounds."""
    rounds: dict[str, list[list[float]]] = {name: [] for name in copies}
    for number in range(options.rounds):
        # Alternately, so that each copy is first equally often.
        for name in sorted(copies, reverse=bool(number % 2)):
            rounds[name].append(in_copy(copies[name], options, stages=False)["times"])
    return {
        name: [1000 * min(values) for values in zip(*found, strict=True)] for name, found in rounds.items()
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old", type=Path, metavar="OLD_TREE", help="another copy of the project")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--answers", type=int, default=500, help="answers at most")
    parser.add_argument("--rounds", type=int, default=5, help="runs of which the best counts")
    options = parser.parse_args()
    options.data = options.data.resolve()
    found = times_of({"this": ROOT, "the other": options.old.resolve()}, options)
    for name, times in found.items():
        middle, slow = statistics.median(times), percentile(times, 0.99)
        print(f"{name:10} median {middle:6.2f} ms, p99 {slow:6.2f} ms, {slow / middle:.2f} x the median")
    this, other = found["this"], found["the other"]
    ratio = statistics.median(this) / statistics.median(other)
    pairs = statistics.median(a / b for a, b in zip(this, other, strict=True))
    spread = percentile(this, 0.99) / statistics.median(this)
    [runs] = starts({"this": ROOT}, 2 * options.rounds).values()
    pydantic = min(run[0] for run in runs)
    engine = min(run[0] + run[1] for run in runs) / pydantic
    print(f"ratio of the medians {ratio:.3f} (at most {MOST}); median ratio of an answer {pairs:.3f}")
    print(f"p99 {spread:.2f} x the median (at most {MOST_SPREAD:g})")
    print(f"import of the engine {engine:.2f} x pydantic alone (at most {MOST_IMPORT:g})")
    return int(ratio > MOST or spread > MOST_SPREAD or engine > MOST_IMPORT)


if __name__ == "__main__":
    raise SystemExit(main())
