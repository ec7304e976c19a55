"""A judge or a local detector on the labelled sets, from a cassette: one row of ``docs/accuracy.md``.

    python -m benchmarks.verdicts.judged --judge openai --cassette judged.jsonl [--set NAME=VALUE] [--write]
    python -m benchmarks.verdicts.judged --local-model models/hhem --cassette judged.jsonl [--write]

``--set record=new`` records where there is a key, or the weights. Rows of the role *locked* are counted and
never printed. Claims without a ruling are counted, and then nothing is written.
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
from pytest_grounding._io.jsonio import write_atomic
from pytest_grounding.calibration.labels import Estimate, Pair, agreement
from pytest_grounding.engine.registry import finish_recording
from pytest_grounding.settings import Settings
from training.cases import transcript_of
from training.rows import DATA

PAGE = Path(__file__).resolve().parents[2] / "docs" / "accuracy.md"
BEGIN, END = "<!-- judges: begin -->", "<!-- judges: end -->"
#: Answers over retrieved passages: what the product is for.
SETS = ("ragtruth_qa", "mtrag", "lfqa")
JUDGES = ("anthropic", "cohere", "ollama", "openai")
HEAD = (
    "judge or detector", "claims: tune", "locked", "kappa: tune", "locked", "of the bad, caught: tune",
    "locked", "of the good, rejected: tune", "locked",
    "filled by `python -m benchmarks.verdicts.judged --write` and",
)  # fmt: skip
_BACKED = frozenset({"supported", "borderline"})


def pairs_of(name: str, row: dict[str, Any], verdict: Verdict, *, is_judge: bool) -> Iterator[Pair | None]:
    """What people and the judge say of each labelled stretch; None where there is no ruling."""
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
        yield None if rejects is None else Pair(str(row["group"]), told != "supported", rejects)


def measured(
    data: Path, sets: list[str], settings: Settings, limit: int
) -> tuple[dict[str, list[Pair]], int]:
    """The pairs of tune and of locked rows, and how many claims have no ruling."""
    found: dict[str, list[Pair]] = {"tune": [], "locked": []}
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


def cells(found: dict[str, list[Pair]]) -> list[str]:
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


def with_row(page: str, row: list[str]) -> str:
    """The page with a row in place of the one of the same name, or behind all of them."""
    before, _, rest = page.partition(BEGIN)
    inner, _, after = rest.partition(END)
    rows = [
        [cell.strip() for cell in line.strip("| ").split(" | ")] for line in inner.strip().splitlines()[2:]
    ]
    names = [item[0] for item in rows]
    if row[0] in names:
        rows[names.index(row[0])] = row
    else:
        rows.append(row)
    return f"{before}{BEGIN}\n{section(rows)}\n{END}{after}"


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
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--write", action="store_true", help="write the row into docs/accuracy.md")
    options = parser.parse_args(arguments)
    chosen: dict[str, Any] = {"cassette": options.cassette}
    if options.judge:
        chosen |= {"judge": options.judge, "judge_scope": "all"}
        name, command = options.name or f"judge {options.judge}", f"--judge {options.judge}"
    else:
        chosen |= {"scorer": "local", "local_model": options.local_model}
        folder = Path(options.local_model).name
        name, command = options.name or f"`{folder}`", f"--local-model models/{folder}"
    for value in options.values:
        key, _, given = value.partition("=")
        chosen[key] = given
    found, missing = measured(options.data, options.sets, Settings.of(chosen), options.limit)
    finish_recording()
    row = [name, *cells(found), f"`{command} --cassette FILE`"]
    print(section([row]))
    if missing:
        print(
            f"{missing} claims without a ruling: record with --set record=new; nothing is written",
            file=sys.stderr,
        )
        return 1
    if not any(found.values()):
        print(f"no labelled claim in {options.data}: nothing is written", file=sys.stderr)
        return 1
    if options.write:
        write_atomic(options.page, with_row(options.page.read_text(encoding="utf-8"), row))
    return 0


if __name__ == "__main__":
    sys.exit(main())
