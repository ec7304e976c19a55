"""What a user gets, on rows that people labelled: one page, tune and locked rows side by side.

    python -m benchmarks.people [--data ../shared/data] [--only ragtruth_qa,mtrag]

For each set: right answers that pass and wrong ones stopped by the gate as shipped, J (their sum minus 100),
the AUROC and the expected calibration error of the confidence, the share of supported claims called
contradicted, and milliseconds per answer. Locked rows are scored and never printed. Rows that we wrote
ourselves are printed by `python -m benchmarks.own` and decide nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.roles import role_of
from pytest_grounding import Transcript, validate

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SETS = (
    "ragtruth_qa",
    "mtrag",
    "lfqa",
    "factcheckgpt",
    "attribution_dev",
    "begin_dev",
    "wice_dev",
    "summedits",
)
SIDES = ("tune", "locked")
BINS = 10


@dataclass
class Side:
    """The counts of one side of a set."""

    right: list[float] = field(default_factory=list)
    wrong: list[float] = field(default_factory=list)
    right_passed: int = 0
    wrong_passed: int = 0
    supported: int = 0
    contradicted: int = 0
    seconds: float = 0.0

    @property
    def line(self) -> str:
        """Its figures."""
        if not self.right or not self.wrong:
            return "-"
        passed = 100 * self.right_passed / len(self.right)
        stopped = 100 - 100 * self.wrong_passed / len(self.wrong)
        false = 100 * self.contradicted / self.supported if self.supported else float("nan")
        ms = 1000 * self.seconds / (len(self.right) + len(self.wrong))
        error = calibration_error(self.right, self.wrong)
        return (
            f"right pass {passed:5.1f} of {len(self.right):4}, "
            f"wrong stopped {stopped:5.1f} of {len(self.wrong):4}, J {passed + stopped - 100:5.1f}, "
            f"AUROC {auroc(self.right, self.wrong):.3f}, ECE {error:.3f}, "
            f"false contradictions {false:4.1f} %, {ms:5.1f} ms"
        )


def auroc(right: Sequence[float], wrong: Sequence[float]) -> float:
    """Share of pairs of a right and a wrong answer in which the right one ranks higher; ties count half."""
    ranked = sorted([(value, 1) for value in right] + [(value, 0) for value in wrong])
    total, at = 0.0, 0
    while at < len(ranked):
        end = at
        while end < len(ranked) and ranked[end][0] == ranked[at][0]:
            end += 1
        total += (at + end + 1) / 2 * sum(label for _, label in ranked[at:end])
        at = end
    return (total - len(right) * (len(right) + 1) / 2) / (len(right) * len(wrong))


def calibration_error(right: Sequence[float], wrong: Sequence[float]) -> float:
    """Expected calibration error over ten bins of equal width."""
    bins: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for values, label in ((right, 1), (wrong, 0)):
        for value in values:
            bins[min(int(value * BINS), BINS - 1)].append((value, label))
    count = len(right) + len(wrong)
    return sum(abs(sum(v - label for v, label in found)) for found in bins.values()) / count


def rows_of(name: str, data: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The labelled answers of a set, each with its side."""
    with (data / f"{name}.jsonl").open(encoding="utf-8") as stream:
        for number, line in enumerate(stream):
            row = json.loads(line)
            if row.get("response_supported") is not None and row["answer"].strip() and row["chunks"]:
                role = role_of(name, str(row["group"]), number)
                yield "locked" if role == "locked" else "tune", row


def measure(name: str, data: Path) -> dict[str, Side]:
    """Both sides of a set."""
    sides = {side: Side() for side in SIDES}
    for number, (side, row) in enumerate(rows_of(name, data)):
        transcript = Transcript.model_validate(
            {
                "id": f"{name}-{number}",
                "question": (row["question"] or "What is known about this?")[:2000],
                "answer": row["answer"],
                "chunks": [{"id": f"c{place}", "text": text} for place, text in enumerate(row["chunks"])],
            }
        )
        start = time.process_time()
        verdict = validate(transcript)
        found = sides[side]
        found.seconds += time.process_time() - start
        confidence = 0.5 if verdict.confidence is None else verdict.confidence
        if row["response_supported"]:
            found.right.append(confidence)
            found.right_passed += verdict.status == "pass"
        else:
            found.wrong.append(confidence)
            found.wrong_passed += verdict.status == "pass"
        for claim in row["claims"]:
            if claim["supported"] or claim.get("label") == "entailment":
                found.supported += 1
                found.contradicted += any(
                    other.status == "contradicted"
                    for other in verdict.claims
                    if other.start < claim["end"] and other.end > claim["start"]
                )
    return sides


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the labelled sets")
    parser.add_argument("--only", default=",".join(SETS), help="sets, with commas")
    options = parser.parse_args()
    names = [name for name in options.only.split(",") if (options.data / f"{name}.jsonl").exists()]
    if not names:
        print(f"nothing measured: none of the sets lies in {options.data}")
        return 2
    for name in names:
        for side, found in measure(name, options.data).items():
            if found.right:
                print(f"{name:16} {side:6} {found.line}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
