"""How often answers of our own that say otherwise in one way are found, and right ones beside them pass.

    python -m benchmarks.apart [--write]

One line for each set; ``python -m benchmarks.SET`` prints one of them by kind of mistake. Figures of the
rows that were seen (tune, and those that train) and of *locked* rows stand side by side. ``--write`` puts
the table into ``docs/accuracy.md``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.labelled import ROLES, judged, rows_of, side_by_side
from benchmarks.verdicts.tables import table
from pytest_grounding._jsonio import write_atomic

PAGE = Path(__file__).resolve().parents[1] / "docs" / "accuracy.md"
BEGIN, END = "<!-- apart: begin -->", "<!-- apart: end -->"
RIGHT = "supported"
#: Each set with what its wrong answers do, the plainest first.
SETS = {
    "plain": "one plain fact is another one",
    "crossed": "gives one thing the value of another beside it",
    "paired": "gives a value to the thing beside it in one sentence",
    "denied": "says what a source denies, or the reverse",
    "exchanged": "turns a relation round",
    "limits": 'takes off an exception, a condition, an "only" …',
    "framed": "tells as a fact what was, is planned, or is said",
    "misplaced": "says of one thing what holds of another",
}


class Told(NamedTuple):
    """A row, and what the engine says of it."""

    row: dict[str, Any]
    is_contradicted: bool
    passes: bool


def _tell(row: dict[str, Any], number: int) -> Told:
    verdict = judged(row, number)
    return Told(
        row, any(claim.status == "contradicted" for claim in verdict.claims), verdict.status == "pass"
    )


def measure(folder: str) -> list[Told]:
    """What the engine says of each row of ``benchmarks/FOLDER``."""
    return [_tell(row, number) for number, row in enumerate(rows_of(folder))]


def counts(found: Sequence[Told], role: str, what: str, label: str, kind: str = "") -> tuple[int, int]:
    """How many of the rows with a label are found so, and how many there are.

    Rows of the groups that may train are told with the tune rows: they were seen.

    Args:
        found: all rows of a set.
        role: ``tune`` or ``locked``.
        what: the attribute of `Told` that is counted.
        label: the set's name for its wrong answers, or `RIGHT`.
        kind: one kind of mistake, or all.
    """
    hits = [
        getattr(told, what)
        for told in found
        if (told.row["role"] == "locked") == (role == "locked")
        and told.row["label"] == label
        and (not kind or told.row["kind"] == kind)
    ]
    return sum(hits), len(hits)


def cells(folder: str) -> list[str]:
    """A set's line in the table."""
    found = measure(folder)
    line = [f"`python -m benchmarks.{folder}`: {SETS[folder]} ({len(found):,})"]
    for what in ("is_contradicted", "passes"):
        for label in (folder, RIGHT):
            shares = [counts(found, role, what, label) for role in ROLES]
            line.append(" / ".join(f"{100 * hit / total:.1f}" for hit, total in shares))
    return line


def section() -> str:
    """The table of all sets."""
    head = ["set", "wrong ones contradicted", "right ones contradicted", "wrong ones pass", "right ones pass"]
    with ProcessPoolExecutor(max_workers=2) as pool:
        return table(head, list(pool.map(cells, SETS)))


def with_section(page: str, text: str) -> str:
    """The page with another table."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{text}\n{END}{rest.partition(END)[2]}"


def main(folder: str, words: list[str] | None = None) -> int:
    """Print the shares, by kind of wrong answer too; with ``--faults`` the tune rows that are judged wrongly.

    Args:
        folder: the name of the set, which is the label of its wrong answers too.
        words: the command line.
    """
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{folder}", description=__doc__)
    parser.add_argument("--faults", action="store_true", help="show the tune rows that are judged wrongly")
    arguments = parser.parse_args(words)
    found = measure(folder)

    def cell(what: str, label: str, kind: str = "") -> Callable[[str], tuple[int, int]]:
        return lambda role: counts(found, role, what, label, kind)

    print(f"{'':<44} " + "  ".join(f"{role:<30}" for role in ROLES))
    for title, label in ((f"{folder} answers", folder), ("right answers", RIGHT)):
        print(side_by_side(f"{title} called contradicted", cell("is_contradicted", label)))
        print(side_by_side(f"{title} that pass", cell("passes", label)))
    for kind in sorted({told.row.get("kind", "") for told in found} - {""}):
        print(side_by_side(f"- {kind} called contradicted", cell("is_contradicted", folder, kind)))
    for row, hit, _ in found if arguments.faults else ():
        if row["role"] != "locked" and hit != (row["label"] == folder):
            print(f"{row['label']}: {row['answer']} // {' / '.join(row['chunks'])}")
    return 0


def all_sets() -> int:
    """Print the table of all sets, or write it."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.apart",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--write", action="store_true", help="write docs/accuracy.md")
    options = parser.parse_args()
    text = section()
    print(text)
    if options.write:
        write_atomic(PAGE, with_section(PAGE.read_text(encoding="utf-8"), text))
    return 0


if __name__ == "__main__":
    sys.exit(all_sets())
