"""Print how well the cells of abstention are recognised, tune and locked side by side.

    python -m benchmarks.own.declining [--faults] [--data ../shared/data]

With mtRAG in the data folder, its rows are printed too: people labelled which of its questions the chunks can
answer.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.labelled import ROLES, confusion, judged, rows_of, shown, side_by_side
from benchmarks.roles import role_of

LABELS = ("answered", "over_refusal", "rightly_declined", "answered_absent", "half_declined")
_CALLED = (*LABELS, "unknown")
_DATA = Path("../shared/data")


def measure() -> list[tuple[dict[str, Any], str]]:
    """Each row with its predicted cell."""
    return [(row, judged(row, number).abstention) for number, row in enumerate(rows_of("abstention"))]


def mtrag(data: Path) -> list[tuple[dict[str, Any], str, bool]]:
    """The rows of mtRAG with their cell, and whether they count as declined; none without the file."""
    file = data / "mtrag.jsonl"
    if not file.exists():
        return []
    found = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines()):
        row = json.loads(line)
        row["role"] = "locked" if role_of("mtrag", row["group"], number) == "locked" else "tune"
        row["question"] = row["question"][:2000] or "(none)"
        verdict = judged(row, number)
        found.append((row, verdict.abstention, verdict.declined))
    return found


def main(words: list[str] | None = None) -> int:
    """Print the rates; with ``--faults`` also the wrong tune rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", action="store_true", help="show the tune rows that are judged wrongly")
    parser.add_argument("--data", type=Path, default=_DATA, help="folder with mtRAG's questions")
    arguments = parser.parse_args(words)
    rows = measure()
    print(f"{'':<44} " + "  ".join(f"{role:<30}" for role in ROLES))

    def share(role: str, labels: tuple[str, ...]) -> tuple[int, int]:
        mine = [(row["label"], name) for row, name in rows if row["role"] == role and row["label"] in labels]
        return sum(label == name for label, name in mine), len(mine)

    def declining(role: str) -> tuple[int, int]:
        kinds = {"over_refusal": 1, "rightly_declined": 1, "half_declined": 2}
        mine = [(row, name) for row, name in rows if row["role"] == role]
        # Rows without a label decline if the engine finds a refusal; only their cell is unknown.
        return sum(kinds.get(row["label"], 0) == kinds.get(name, 0) for row, name in mine), len(mine)

    print(side_by_side("right, all rows", lambda role: share(role, LABELS)))
    for label in LABELS:
        print(side_by_side(f"right, {label}", lambda role, label=label: share(role, (label,))))
    print(side_by_side("declines, half or not: told rightly", declining))
    for role in ROLES:
        print(f"\n{role}: label (row), called (column)")
        pairs = [(row["label"], name) for row, name in rows if row["role"] == role]
        print("\n".join(confusion(pairs, LABELS, _CALLED)))
    others = mtrag(arguments.data)
    for role in ROLES if others else ():
        print(f"\nmtRAG, {role}: answerability (row), called (column)")
        pairs = [(str(row["answerability"]), name) for row, name, _ in others if row["role"] == role]
        print("\n".join(confusion(pairs, sorted({label for label, _ in pairs}), _CALLED)))
        absent = [name for label, name in pairs if "UNANSWERABLE" in label]
        right = sum(name in ("rightly_declined", "answered_absent", "half_declined") for name in absent)
        print(f"unanswerable, not taken for answerable: {shown(right, len(absent))}")
    if arguments.faults:
        for row, name in rows:
            if row["role"] != "locked" and row["label"] != name:
                print(f"\n{row['label']} called {name}: {row['question']}\n  {row['answer']!r}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
