"""What each kind of conflict adds: recall with and without it, at an equal rate of false alarms.

    python -m benchmarks.finders [--data ../shared/data]

Cases of the roles train and tune (`training.cases`); no case is scored by weights that its group has
fitted. A kind stays in the product if it adds catches, of labelled contradictions or of planted faults, at
the rate of false alarms of all kinds together. Intervals are by bootstrap over groups.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.cases import Case
from training.rows import DATA
from training.verifier import collect, out_of_fold, thresholds

_RATE = 0.003
_DRAWS = 300
_SEED = 7
_NEVER = -99.0
_LABELS = ("contradicted", "planted")

Vector = NDArray[np.float64]


def margins(
    scored: Sequence[Sequence[tuple[str, float]]], limits: dict[str, float], without: str = ""
) -> Vector:
    """For each case by how much its surest candidate passes the threshold of its kind, one kind left out."""
    return np.array(
        [
            max(
                (odds - limits[kind] for kind, odds in found if kind in limits and kind != without),
                default=_NEVER,
            )
            for found in scored
        ]
    )


def recall_at(margin: Vector, rows: Vector, labels: NDArray[np.str_], label: str) -> float:
    """Share of the cases of a label above the cut that hits `_RATE` of the supported ones."""
    chosen, names = margin[rows], labels[rows]
    supported = np.sort(chosen[names == "supported"])[::-1]
    cut = supported[int(_RATE * len(supported))] if len(supported) else 0.0
    caught = chosen[names == label]
    return float((caught > cut).mean()) if len(caught) else 0.0


def draws(cases: Sequence[Case]) -> list[NDArray[np.int64]]:
    """Rows of the cases as drawn group by group."""
    groups: dict[str, list[int]] = {}
    for number, case in enumerate(cases):
        groups.setdefault(case.group, []).append(number)
    members = [np.array(rows) for rows in groups.values()]
    dice = np.random.default_rng(_SEED)
    return [
        np.concatenate([members[i] for i in dice.integers(0, len(members), len(members))])
        for _ in range(_DRAWS)
    ]


def lines_of(cases: Sequence[Case]) -> list[str]:
    """The table: a line a kind, with what it adds in points of recall."""
    scored = out_of_fold(cases)
    limits = thresholds(cases, [scored])
    labels = np.array([case.label for case in cases])
    every = np.arange(len(cases))
    samples = draws(cases)
    full = margins(scored, limits)
    lines = ["| kind | adds to labelled contradictions | adds to planted faults |", "|---|---|---|"]
    for kind in sorted(limits):
        less = margins(scored, limits, kind)
        cells = []
        for label in _LABELS:
            gain = recall_at(full, every, labels, label) - recall_at(less, every, labels, label)
            spread = [
                recall_at(full, rows, labels, label) - recall_at(less, rows, labels, label)
                for rows in samples
            ]
            low, high = np.percentile(spread, [2.5, 97.5])
            cells.append(f"{100 * gain:+.1f} ({100 * low:+.1f} to {100 * high:+.1f})")
        lines.append(f"| `{kind}` | {cells[0]} | {cells[1]} |")
    whole = [f"{100 * recall_at(full, every, labels, label):.1f} %" for label in _LABELS]
    lines.append(f"| all together catch | {whole[0]} | {whole[1]} |")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.finders", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    cases = collect(parser.parse_args().data)
    if not any(case.label == "supported" for case in cases):
        print("nothing measured: no labelled set is there")
        return 0
    print("\n".join(lines_of(cases)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
