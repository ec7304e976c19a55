"""Print how well incomplete answers are recognised, tune and locked side by side.

python -m benchmarks.own.parts [--faults]
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from benchmarks.labelled import ROLES, confusion, judged, rows_of, side_by_side
from pytest_grounding import Verdict

LABELS = ("complete", "open", "incomplete", "silent", "single")
_CALLED = ("none", "complete", "incomplete")
#: The right result for each label.
_RIGHT = {
    "complete": {"complete"},
    "open": {"complete"},
    "incomplete": {"incomplete"},
    "silent": {"incomplete"},
    "single": {"none", "complete"},
}


def called(verdict: Verdict) -> str:
    """The result for an answer, in the words of the labels; ``none`` if the question has no parts."""
    found = verdict.completeness
    if found is None:
        return "none"
    return "complete" if found.complete else "incomplete"


def is_right(label: str, name: str) -> bool:
    """Whether an answer with a label is held back or passes as it should."""
    return name in _RIGHT[label] or (label in ("complete", "open") and name == "none")


def measure() -> list[tuple[dict[str, Any], str]]:
    """Each row with its result."""
    return [(row, called(judged(row, number))) for number, row in enumerate(rows_of("completeness"))]


def main(words: list[str] | None = None) -> int:
    """Print the rates; with ``--faults`` also the wrong tune rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", action="store_true", help="show the tune rows that are judged wrongly")
    arguments = parser.parse_args(words)
    rows = measure()
    print(f"{'':<44} " + "  ".join(f"{role:<30}" for role in ROLES))

    def share(role: str, labels: tuple[str, ...]) -> tuple[int, int]:
        mine = [(row["label"], name) for row, name in rows if row["role"] == role and row["label"] in labels]
        return sum(is_right(*pair) for pair in mine), len(mine)

    print(side_by_side("right, all rows", lambda role: share(role, LABELS)))
    for label in LABELS:
        print(side_by_side(f"right, {label}", lambda role, label=label: share(role, (label,))))
    whole = ("complete", "open", "single")
    print(side_by_side("complete answers left alone", lambda role: share(role, whole)))
    print(side_by_side("incomplete answers found", lambda role: share(role, ("incomplete", "silent"))))

    for role in ROLES:
        print(f"\n{role}: label (row), called (column)")
        pairs = [(row["label"], name) for row, name in rows if row["role"] == role]
        print("\n".join(confusion(pairs, LABELS, _CALLED)))
    if arguments.faults:
        for row, name in rows:
            if row["role"] != "locked" and not is_right(row["label"], name):
                print(
                    f"\n{row['label']} called {name}: {row['question']}\n  {row['answer']!r} {row['missing']}"
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
