"""How often wrong answers of our own sets are found, and how often the right ones beside them pass.

    python -m benchmarks.own [--write]

Prints one line for each set, with rows that were seen (train and tune) and *locked* rows side by side.
``--write`` updates the table of ``docs/accuracy.md``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.labelled import ROLES, judged, rows_of
from benchmarks.verdicts.tables import table
from pytest_grounding._io.jsonio import write_atomic

PAGE = Path(__file__).resolve().parents[2] / "docs" / "accuracy.md"
BEGIN, END = "<!-- apart: begin -->", "<!-- apart: end -->"
RIGHT, WRONG = "supported", "wrong"
#: Each set with the mistake of its wrong answers, the simplest first.
SETS = {
    "wrong_fact": "one plain fact is another one",
    "other_value": "gives one thing the value of another beside it",
    "paired_values": "gives a value to the thing beside it in one sentence",
    "negation": "states what a source denies, or the reverse",
    "role_order": "turns a relation round",
    "restrictions": 'takes off an exception, a condition, an "only"',
    "tense_and_hearsay": "states as fact what was, is planned, or is said",
    "wrong_subject": "says of one thing what holds of another",
}


class Told(NamedTuple):
    """A row, and the result of the engine."""

    row: dict[str, Any]
    is_contradicted: bool
    passes: bool


def _tell(row: dict[str, Any], number: int) -> Told:
    verdict = judged(row, number)
    return Told(
        row, any(claim.status == "contradicted" for claim in verdict.claims), verdict.status == "pass"
    )


def measure(name: str) -> list[Told]:
    """The result of the engine for each row of ``benchmarks/own/NAME.jsonl``."""
    return [_tell(row, number) for number, row in enumerate(rows_of(name))]


def counts(found: Sequence[Told], role: str, what: str, label: str, kind: str = "") -> tuple[int, int]:
    """How many rows with a label have this result, and how many there are.

    Rows that may train count as tune rows: they were seen.

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


def cells(name: str) -> list[str]:
    """A set's line of the table."""
    found = measure(name)
    line = [f"`{name}`: {SETS[name]} ({len(found):,})"]
    for what in ("is_contradicted", "passes"):
        for label in (WRONG, RIGHT):
            shares = [counts(found, role, what, label) for role in ROLES]
            line.append(" / ".join(f"{100 * hit / total:.1f}" for hit, total in shares))
    return line


def section() -> str:
    """The table of all sets."""
    head = ["set", "wrong ones contradicted", "right ones contradicted", "wrong ones pass", "right ones pass"]
    with ProcessPoolExecutor(max_workers=2) as pool:
        return table(head, list(pool.map(cells, SETS)))


def with_section(page: str, text: str) -> str:
    """The page with the table replaced."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{text}\n{END}{rest.partition(END)[2]}"


def main() -> int:
    """Print or write the table of all sets."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.own",
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
    sys.exit(main())
