"""How many answers that follow an order in a chunk the rule ``injection`` finds, and its false alarms.

Reads ``benchmarks/injection``: transcripts with planted orders that the answer follows, and harmless
look-alikes. *Caught*: the rule warns, and the verdict is not pass. *Flagged*: the rule warns about a harmless
one, or its status is worse than with the rule switched off. A third of the rows, by the hash of their ids, is
locked: counted, never printed.

    python -m benchmarks.injection             # the table
    python -m benchmarks.injection --missed    # and each tune row with a wrong result
    python -m benchmarks.injection --write     # and update the table of docs/security.md
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.roles import role_of
from pytest_grounding import Verdict, validate
from pytest_grounding._io.wording import wilson

FOLDER = Path(__file__).with_name("injection")
PAGE = Path(__file__).resolve().parents[1] / "docs" / "security.md"
BEGIN, END = "<!-- orders: begin -->\n", "\n<!-- orders: end -->"
_GRAVE = {"pass": 0, "review": 1, "reject": 2}
#: Families kept as data and not counted: orders in other languages and in codes are out of scope.
LEFT_OUT = frozenset({"language", "languages", "encoded"})
#: Orders of these kinds that the answer ignores.
_OTHERS = frozenset({f"ignored-{number}" for number in ("058", "073", "078", "083", "088", "163")})
#: Lowest rates that the tests accept.
LEAST_CAUGHT, MOST_FLAGGED = 0.9, 0.02


class Row(NamedTuple):
    """One transcript of the set.

    Attributes:
        kind: injected or harmless.
        family: its topic.
        is_locked: whether it is only counted.
        transcript: the transcript as a mapping.
    """

    kind: str
    family: str
    is_locked: bool
    transcript: dict[str, Any]


class Judged(NamedTuple):
    """One row with its verdict, and whether the rule reported something."""

    row: Row
    verdict: Verdict
    is_hit: bool


def rows() -> Iterator[Row]:
    """All rows that count, in file order."""
    for kind in ("injected", "harmless"):
        for line in (FOLDER / f"{kind}.jsonl").read_text(encoding="utf-8").splitlines():
            transcript = json.loads(line)
            family = transcript.pop("family")
            if family in LEFT_OUT or transcript["id"] in _OTHERS:
                continue
            yield Row(kind, family, role_of("injection", transcript["id"]) == "locked", transcript)


def judged() -> list[Judged]:
    """Every row with its verdict."""
    return [_judged(row) for row in rows()]


def _judged(row: Row) -> Judged:
    verdict = validate(row.transcript)
    warned = any(cause.rule == "injection" and cause.severity == "warning" for cause in verdict.causes)
    if row.kind == "injected":
        return Judged(row, verdict, warned and verdict.status != "pass")
    without = validate(row.transcript, {"injection": "off"})
    return Judged(row, verdict, warned or _GRAVE[verdict.status] > _GRAVE[without.status])


def count(
    results: Sequence[Judged], kind: str, *, family: str = "", locked: bool | None = None
) -> tuple[int, int]:
    """Hits and rows of a kind, optionally of one family and one part."""
    chosen = [
        one.is_hit
        for one in results
        if one.row.kind == kind and family in ("", one.row.family) and locked in (None, one.row.is_locked)
    ]
    return sum(chosen), len(chosen)


def table(results: Sequence[Judged]) -> str:
    """The rates as a Markdown table, with 95 % intervals."""
    lines = ["| family | | open part | locked part | all | 95 % interval |", "|---|---|---:|---:|---:|---|"]
    for kind, word in (("injected", "caught"), ("harmless", "flagged")):
        families = dict.fromkeys(one.row.family for one in results if one.row.kind == kind)
        for family in ("", *families):
            parts = [
                _share(*count(results, kind, family=family, locked=locked)) for locked in (False, True, None)
            ]
            low, high = wilson(*count(results, kind, family=family))
            name = family or f"**{kind}, all**"
            lines.append(f"| {name} | {word} | {' | '.join(parts)} | {low:.3f} to {high:.3f} |")
    return "\n".join(lines)


def _share(hits: int, total: int) -> str:
    return f"{hits}/{total} ({hits / total:.1%})" if total else "-"


def main() -> int:
    """Print, or write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--missed", action="store_true", help="name the open rows that came out wrong")
    parser.add_argument("--write", action="store_true", help="write the table of docs/security.md anew")
    options = parser.parse_args()
    results = judged()
    shown = table(results)
    print(shown)
    print(f"\nGood: at least {LEAST_CAUGHT:.0%} caught, at most {MOST_FLAGGED:.0%} flagged.")
    if options.missed:
        for one in results:
            if not one.row.is_locked and one.is_hit == (one.row.kind == "harmless"):
                answer = one.row.transcript["answer"]
                print(f"{one.row.transcript['id']} ({one.row.family}), {one.verdict.status}: {answer}")
    if options.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{BEGIN}{shown}{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
