"""How good are the confidences: do they rank answers as people do, and does their number mean what it says.

The figures become a section of ``docs/accuracy.md``. The calibrated confidence is cross-validated by
group, so that no answer is judged by a map that it fitted.

    python -m benchmarks.confidence [DATA]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.retrieval import auroc
from pytest_grounding import Transcript, Verdict, validate
from pytest_grounding.calibration import Label, expected_calibration_error, isotonic, logistic
from pytest_grounding.calibration.fit import cross_validated, log_loss
from training.rows import DATA, Row, load, present

MODELS = ("self_rag", "tiered")
#: Sets whose answers answer a question; the first trains nothing, the weights have seen rows of the others.
SETS = ("attribution_dev", "ragtruth_qa", "mtrag")

_HEAD = """## Confidence

Whole answers. AUROC: does the confidence rank right answers above wrong ones (per cent; 50 is chance)? The
expected calibration error (ECE, ten bins) is for the confidence as it is, and after calibration on labels
(`pytest-grounding calibrate`), cross-validated by group; the better of the two maps is named.
AttributionBench trains nothing. The shipped weights have seen rows of the other two sets, so those figures
are too good. Most answers of AttributionBench are one claim, which gives `self_rag` few values to rank by. No
chunk of these sets has a retrieval score, so `tiered` uses the built-in relevance: all it knows of the answer
are its citations, and these answers have none.

| set | confidence | answers | right | AUROC | ECE before | ECE after |
| --- | --- | --- | --- | --- | --- | --- |"""


@dataclass(frozen=True, slots=True)
class Judged:
    """One answer: what people said of it, and what the engine did."""

    row: Row
    verdict: Verdict


def judge(rows: Sequence[Row]) -> list[Judged]:
    """Validate every labelled answer, as a user's transcript would be."""
    judged = []
    for row in rows:
        if row.supported is None:
            continue
        transcript = Transcript(
            id=f"{row.dataset}-{row.number}",
            question=row.question[:2000] or "(none)",
            chunks=row.chunks,
            answer=row.answer,
        )
        judged.append(Judged(row, validate(transcript)))
    return judged


def line(name: str, judged: Sequence[Judged], model: str) -> str:
    """AUROC, and expected calibration error as it is and after calibration."""
    labels = [
        Label(item.verdict.confidences[model], bool(item.row.supported), item.row.group) for item in judged
    ]
    truth = [label.correct for label in labels]
    raw = [label.confidence for label in labels]
    maps = {fitter.__name__: cross_validated(labels, fitter) for fitter in (isotonic, logistic)}
    best = min(sorted(maps), key=lambda kind: log_loss(maps[kind], truth))
    good = [value for value, right in zip(raw, truth, strict=True) if right]
    bad = [value for value, right in zip(raw, truth, strict=True) if not right]
    before, after = expected_calibration_error(raw, truth), expected_calibration_error(maps[best], truth)
    return (
        f"| {name} | {model} | {len(labels)} | {100 * sum(truth) / len(truth):.0f} % "
        f"| {100 * auroc(good, bad):.1f} | {before:.3f} | {after:.3f} ({best}) |"
    )


def section(data: Path = DATA) -> str:
    """The section of the page; empty where no set is present."""
    names = present(SETS, data)
    if not names:
        return ""
    lines = [_HEAD]
    for name in names:
        judged = judge(load(name, data))
        lines += [line(name, judged, model) for model in MODELS]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Print the section."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, nargs="?", default=DATA, help="folder of the labelled sets")
    data = parser.parse_args().data
    print(section(data) or f"nothing measured: no labelled set in {data}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
