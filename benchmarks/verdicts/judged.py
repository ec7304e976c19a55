"""A judge or a local detector on the labelled sets, from a cassette: one row of figures.

    python -m benchmarks.verdicts.judged --judge openai --cassette judged.jsonl [--set NAME=VALUE]
    python -m benchmarks.verdicts.judged --local-model models/hhem --cassette judged.jsonl

``--set record=new`` records where there is a key, or the weights. Rows of the role *locked* are counted and
never printed. Claims without a ruling are counted, and then the exit status is 1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.roles import role_of
from benchmarks.verdicts.outcomes import label_told, rows_of, side_of
from pytest_grounding import Verdict, validate
from pytest_grounding.calibration.labels import Estimate, JudgedPair, agreement
from pytest_grounding.engine.registry import finish_recording
from pytest_grounding.settings import Settings
from training.cases import transcript_of
from training.rows import DATA

#: Answers from retrieved passages, the purpose of the product.
SETS = ("ragtruth_qa", "mtrag", "lfqa")
JUDGES = ("anthropic", "cohere", "ollama", "openai")
HEAD = (
    "judge or detector", "claims: tune", "locked", "kappa: tune", "locked", "of the bad, caught: tune",
    "locked", "of the good, rejected: tune", "locked",
)  # fmt: skip
_BACKED = frozenset({"supported", "borderline"})


def pairs_of(
    name: str, row: dict[str, Any], verdict: Verdict, *, is_judge: bool
) -> Iterator[JudgedPair | None]:
    """The label and the ruling for each labelled stretch; None without a ruling."""
    for span in row["claims"]:
        told = label_told(name, row, span)
        own = [
            claim
            for claim in verdict.claims
            if claim.start < span["end"] and claim.end > span["start"] and claim.checked
        ]
        if told is None or not own:
            continue
        if is_judge:
            said = [claim.opinions.judge.value if claim.opinions else None for claim in own]
            rejects = None if None in said else any(value != "full" for value in said)
        else:
            is_out = any(claim.status == "abstained" for claim in own)
            rejects = None if is_out else any(claim.status not in _BACKED for claim in own)
        yield None if rejects is None else JudgedPair(str(row["group"]), told != "supported", rejects)


def measured(
    data: Path, sets: list[str], settings: Settings, limit: int
) -> tuple[dict[str, list[JudgedPair]], int]:
    """The pairs of tune and of locked rows, and the number of claims without a ruling."""
    found: dict[str, list[JudgedPair]] = {"tune": [], "locked": []}
    missing = 0
    for name in sets:
        for number, row in rows_of(data / f"{name}.jsonl"):
            if limit and number >= limit:
                break
            verdict = validate(transcript_of(row, f"{name}-{number}"), settings)
            side = side_of(role_of(name, row["group"], number))
            for pair in pairs_of(name, row, verdict, is_judge=bool(settings.judge)):
                if pair is None:
                    missing += 1
                else:
                    found[side].append(pair)
    return found, missing


def cells(found: dict[str, list[JudgedPair]]) -> list[str]:
    """The figures of a row, tune beside locked."""
    sides = [agreement(found[side]) for side in ("tune", "locked")]
    counted = ["–" if side is None else f"{side.number}" for side in sides]
    rows = [[_shown(getattr(side, name)) if side else "–" for side in sides] for name in _FIGURES]
    return [*counted, *(cell for row in rows for cell in row)]


_FIGURES = ("kappa", "catch", "false_rejection")


def _shown(estimate: Estimate) -> str:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "–"
    value, low, high = (round(item, 4) + 0.0 for item in (estimate.value, estimate.low, estimate.high))
    return f"{value:.2f} ({low:.2f}–{high:.2f})"


def section(rows: list[list[str]]) -> str:
    """The table."""
    lines = [HEAD, ["---"] * len(HEAD), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.verdicts.judged", description=__doc__)
    who = parser.add_mutually_exclusive_group(required=True)
    who.add_argument("--judge", metavar="NAME", help="NAME or NAME:MODEL")
    who.add_argument("--local-model", metavar="FOLDER")
    parser.add_argument("--cassette", metavar="FILE", required=True)
    parser.add_argument("--set", dest="values", metavar="NAME=VALUE", action="append", default=[])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument(
        "--sets", nargs="*", default=list(SETS), help=f"labelled sets (default: {' '.join(SETS)})"
    )
    parser.add_argument("--limit", type=int, default=0, metavar="N", help="rows of each set; 0: all")
    parser.add_argument("--name", help="first cell of the row (default: the judge, or the folder's name)")
    options = parser.parse_args(arguments)
    chosen: dict[str, Any] = {"cassette": options.cassette}
    if options.judge:
        chosen |= {"judge": options.judge, "judge_scope": "all"}
        name = options.name or f"judge {options.judge}"
    else:
        chosen |= {"scorer": "local", "local_model": options.local_model}
        name = options.name or f"`{Path(options.local_model).name}`"
    for value in options.values:
        key, _, given = value.partition("=")
        chosen[key] = given
    found, missing = measured(options.data, options.sets, Settings.of(chosen), options.limit)
    finish_recording()
    print(section([[name, *cells(found)]]))
    if missing:
        print(
            f"{missing} claims without a ruling: record with --set record=new",
            file=sys.stderr,
        )
        return 1
    if not any(found.values()):
        print(f"no labelled claim in {options.data}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
