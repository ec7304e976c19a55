"""How often answer presence is right by question type, *tune* and *locked* rows side by side.

Three shares per type, each with its count and 95 % Wilson interval: *full when absent* (at most 5 %), *absent
when full* (at most 10 %) and *full when partial*: the result when the label is something else. Abstentions
are counted separately. Locked rows are scored and never printed.

    python -m benchmarks.presence [--show] [--unrelated]

``--show`` prints the wrong tune rows; ``--unrelated`` also asks each question of the chunks of other groups.
Exit status 1: a share of all tune rows is above its bound.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

from benchmarks.roles import role_of
from pytest_grounding._io.wording import wilson
from pytest_grounding.checks.retrieval import retrieval_verdict
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import RetrievalVerdict
from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer
from pytest_grounding.settings import Settings

#: The first set; one with other wording and near misses, committed before the rules that it led to; and one
#: without rules of its own. The bounds are for the first.
FILES = {name: Path(__file__).with_name(f"{name}.jsonl") for name in ("questions", "harder", "fresh")}
#: Column -> the label that it is a share of, what presence says, and the largest share that is good.
BOUNDS = {
    "full when absent": ("none", "full", 0.05),
    "absent when full": ("full", "none", 0.10),
    "full when partial": ("partial", "full", 1.0),
}
SIDES = ("tune", "locked")


@dataclass(frozen=True)
class Row:
    """One question with its chunks, its labels and its side."""

    group: str
    question: str
    chunks: tuple[str, ...]
    type: str
    presence: str
    kind: str

    @property
    def side(self) -> str:
        return "locked" if role_of("presence", self.group) == "locked" else "tune"


@dataclass(frozen=True)
class Judged:
    """A row and its predicted presence."""

    row: Row
    said: str
    reason: str


def load(name: str = "questions") -> list[Row]:
    """All rows of a set, in file order."""
    rows = [json.loads(line) for line in FILES[name].read_text(encoding="utf-8").splitlines()]
    return [
        Row(r["group"], r["question"], tuple(r["chunks"]), r["type"], r["presence"], r["kind"]) for r in rows
    ]


def run(question: str, chunks: Sequence[str]) -> RetrievalVerdict:
    """Retrieval validation with the built-in scorer and the defaults."""
    given = [Chunk(id=str(number), text=text) for number, text in enumerate(chunks, start=1)]
    return retrieval_verdict(question, given, scorers=[LexicalScorer()], settings=Settings())


@cache
def judged(name: str = "questions") -> tuple[Judged, ...]:
    """Each row of a set with its predicted presence."""
    found = []
    for row in load(name):
        verdict = run(row.question, row.chunks)
        found.append(Judged(row, str(verdict.answer_present), verdict.presence_reason))
    return tuple(found)


def count(items: Sequence[Judged], column: str) -> tuple[int, int]:
    """Rows with a column's label: how many get its result, and how many there are."""
    label, said, _ = BOUNDS[column]
    members = [item for item in items if item.row.presence == label]
    return sum(item.said == said for item in members), len(members)


def cell(wrong: int, total: int) -> str:
    """A share with its count and interval."""
    interval = wilson(wrong, total)
    if interval is None:
        return f"{'-':>24}"
    return f"{wrong / total:6.1%} {wrong:>3}/{total:<3} {interval[0]:3.0%}-{interval[1]:3.0%}".rjust(24)


def table(title: str, groups: dict[str, Callable[[Judged], bool]]) -> str:
    """One line per group, with both sides of each column."""
    lines = [f"{title:12}" + "".join(f"{f'{c} ({s})':>27}" for c in BOUNDS for s in SIDES) + "  abstained"]
    for name, belongs in groups.items():
        sides = [[i for i in judged() if i.row.side == side and belongs(i)] for side in SIDES]
        cells = "".join(f"{cell(*count(items, column)):>27}" for column in BOUNDS for items in sides)
        abstained = ", ".join(str(sum(i.said == "abstain" for i in items)) for items in sides)
        lines.append(f"{name:12}{cells}  {abstained}")
    return "\n".join(lines)


def page_table() -> str:
    """The table of ``docs/retrieval.md``."""
    lines = [
        "| set | rows | questions | full when absent | absent when full | abstained |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for name, side in product(FILES, SIDES):
        items = [item for item in judged(name) if item.row.side == side]
        shares = [count(items, column) for column in list(BOUNDS)[:2]]
        cells = [_page_cell(wrong, total) for wrong, total in shares]
        abstained = sum(item.said == "abstain" for item in items)
        lines.append(f"| {name} | {side} | {len(items)} | {' | '.join(cells)} | {abstained} |")
    return "\n".join(lines)


def _page_cell(wrong: int, total: int) -> str:
    low, high = wilson(wrong, total) or (0.0, 1.0)
    return f"{wrong / total:.1%} of {total} ({low:.0%}–{high:.0%})"


def unrelated() -> str:
    """Share of full presence for questions asked of chunks of three other groups, which cannot answer."""
    rows = load()
    groups = sorted({row.group: row.chunks for row in rows}.items())
    wrong = total = 0
    for number, row in enumerate(rows):
        for step in (1, 5, 11):
            group, chunks = groups[(7 * number + step) % len(groups)]
            if group != row.group:
                total += 1
                wrong += run(row.question, chunks).answer_present == "full"
    return f"full in chunks of another group: {cell(wrong, total).strip()}"


def main() -> int:
    """Print the tables; return 0 if the shares of all tune rows are within bounds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--show", action="store_true", help="print the tune rows that are wrong")
    parser.add_argument("--unrelated", action="store_true", help="ask the chunks of other groups too")
    options = parser.parse_args()
    types = sorted({row.type for row in load()})
    kinds = sorted({row.kind for row in load()})
    print(table("type", {name: lambda i, name=name: i.row.type == name for name in types}))
    print()
    print(table("kind", {name: lambda i, name=name: i.row.kind == name for name in kinds}))
    print()
    print(table("all", {"all": lambda i: True}))
    print()
    print(page_table())
    if options.unrelated:
        print(unrelated())
    if options.show:
        for item in (*judged(), *judged("harder"), *judged("fresh")):
            if item.row.side == "tune" and item.said != item.row.presence:
                chunks = " // ".join(item.row.chunks)
                print(f"{item.row.presence} -> {item.said} | {item.row.question} | {chunks}")
    tune = [item for item in judged() if item.row.side == "tune"]
    shares = [(count(tune, column), bound) for column, (_, _, bound) in BOUNDS.items()]
    return int(any(wrong > bound * total for (wrong, total), bound in shares))


if __name__ == "__main__":
    sys.exit(main())
