"""How often answers that say otherwise in one way are found, and right ones beside them are not, by role."""

from __future__ import annotations

import argparse
from typing import Any

from benchmarks.labelled import ROLES, judged, rows_of, side_by_side

RIGHT = "supported"


def is_contradicted(row: dict[str, Any], number: int = 0) -> bool:
    """Whether a claim of an answer is called contradicted."""
    return any(claim.status == "contradicted" for claim in judged(row, number).claims)


def measure(folder: str) -> list[tuple[dict[str, Any], bool]]:
    """Each row of ``benchmarks/FOLDER`` with whether it is called contradicted."""
    return [(row, is_contradicted(row, number)) for number, row in enumerate(rows_of(folder))]


def main(folder: str, words: list[str] | None = None) -> int:
    """Print the shares, by kind of wrong answer too; with ``--faults`` the tune rows that are judged wrongly.

    Args:
        folder: the name of the set, which is the label of its wrong answers too.
        words: the command line.
    """
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{folder}", description=__doc__)
    parser.add_argument("--faults", action="store_true", help="show the tune rows that are judged wrongly")
    arguments = parser.parse_args(words)
    rows = measure(folder)
    print(f"{'':<44} " + "  ".join(f"{role:<30}" for role in ROLES))
    titles = [(f"{folder} answers", folder, ""), ("right answers", RIGHT, "")]
    titles += [
        (f"- {kind}", folder, kind) for kind in sorted({row.get("kind", "") for row, _ in rows} - {""})
    ]
    for title, label, kind in titles:

        def share(role: str, label: str = label, kind: str = kind) -> tuple[int, int]:
            # Rows of the groups that may train are told with the tune rows: they were seen.
            found = [
                hit
                for row, hit in rows
                if (row["role"] == "locked") == (role == "locked")
                and row["label"] == label
                and (not kind or row["kind"] == kind)
            ]
            return sum(found), len(found)

        print(side_by_side(f"{title} called contradicted", share))
    for row, hit in rows if arguments.faults else ():
        if row["role"] != "locked" and hit != (row["label"] == folder):
            print(f"{row['label']}: {row['answer']} // {' / '.join(row['chunks'])}")
    return 0
