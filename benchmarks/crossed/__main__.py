"""Print how often crossed answers are found, and how often right ones beside them are not, by role.

python -m benchmarks.crossed [--faults]
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from benchmarks.labelled import ROLES, judged, rows_of, side_by_side


def is_contradicted(row: dict[str, Any], number: int = 0) -> bool:
    """Whether a claim of an answer is called contradicted."""
    return any(claim.status == "contradicted" for claim in judged(row, number).claims)


def measure() -> list[tuple[dict[str, Any], bool]]:
    """Each row with whether it is called contradicted."""
    return [(row, is_contradicted(row, number)) for number, row in enumerate(rows_of("crossed"))]


def main(words: list[str] | None = None) -> int:
    """Print the shares; with ``--faults`` the tune rows that are judged wrongly."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", action="store_true", help="show the tune rows that are judged wrongly")
    arguments = parser.parse_args(words)
    rows = measure()
    print(f"{'':<44} " + "  ".join(f"{role:<30}" for role in ROLES))
    for title, label in (("crossed answers", "crossed"), ("right answers", "supported")):

        def share(role: str, label: str = label) -> tuple[int, int]:
            found = [hit for row, hit in rows if row["role"] == role and row["label"] == label]
            return sum(found), len(found)

        print(side_by_side(f"{title} called contradicted", share))
    for row, hit in rows if arguments.faults else ():
        if row["role"] == "tune" and hit != (row["label"] == "crossed"):
            print(f"{row['label']}: {row['answer']} // {' / '.join(row['chunks'])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
