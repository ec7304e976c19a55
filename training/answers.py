"""Train the answer model: write ``gate/answer_model.json``.

Run: python -m training.answers [DATA]

It trains on labelled whole answers: the sets whose licence allows it, and our own answers by role; locked
rows never train. In each set the right answers weigh three quarters, so that one threshold means the same for
every share of right answers. All answers train the line for several claims; those with one claim train the
line for a single claim, where rows from people decide. The same data and engine give the same bytes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.roles import Role, role_of, rule
from pytest_grounding import Transcript, Verdict, validate
from pytest_grounding._io.jsonio import write_atomic
from pytest_grounding.gate.confidence import FEATURES, SINGLE, answer_features, single_features_of
from pytest_grounding.scorers.builtin.features import coverage_of
from training.rows import data_of

Vector = NDArray[np.float64]
ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "pytest_grounding" / "gate" / "answer_model.json"
OWN = ROOT / "benchmarks" / "own"
SERVICES = ROOT / "benchmarks" / "answers"
#: Weight of each set. Sets of whole answers to real questions decide; single statements, summaries and our
#: own rows keep the line sensible for short answers.
SHARES = {
    "ragtruth_qa": 3.0,
    "mtrag": 2.0,
    "factcheckgpt": 2.0,
    "wice_dev": 0.5,
    "begin_dev": 0.3,
    "summedits": 0.3,
    "dialfact": 0.1,
    "api_reference": 1.0,
    "handbook": 1.0,
    "hr_policy": 1.0,
}
OWN_SHARE = 0.1
#: The same for answers with a single claim.
SINGLE_SHARES = {
    "ragtruth_qa": 1.0,
    "mtrag": 1.0,
    "factcheckgpt": 2.0,
    "wice_dev": 1.0,
    "begin_dev": 1.0,
    "summedits": 0.3,
    "dialfact": 0.3,
    "api_reference": 0.3,
    "handbook": 0.3,
    "hr_policy": 0.3,
}
SINGLE_OWN_SHARE = 0.1
#: Share of right answers that the probability assumes. It is higher for single claims: of four shares tried
#: on tune rows this one costs one point of J and lets two to four percent more right answers pass.
RIGHT_SHARE, SINGLE_RIGHT_SHARE = 0.77, 0.79
#: Ridge penalty, and the number of standard deviations at which a feature is clipped.
RIDGE = 10.0
CUT = 5.0
_STEPS, _SWEEPS, _CLOSE = 60, 2000, 1e-9
_DIGITS = 5


@dataclass(frozen=True, slots=True)
class Answer:
    """A labelled answer as the model sees it."""

    dataset: str
    role: Role
    is_right: bool
    features: tuple[float, ...]
    single: tuple[float, ...] | None


def labelled(data: Path) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """All labelled whole answers: set, number, row."""
    files = [data / f"{name}.jsonl" for name in SHARES]
    files += [SERVICES / f"{name}.jsonl" for name in SHARES]
    files += [OWN / f"{name}.jsonl" for name in rule()["trainable_own"]]
    for file in files:
        if file.exists():
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines()):
                row = json.loads(line)
                if "label" in row:
                    row["response_supported"] = row["label"] == "supported"
                if row.get("response_supported") is not None and row["answer"].strip() and row["chunks"]:
                    yield file.stem, number, row


def verdict_on(row: dict[str, Any]) -> Verdict:
    """The verdict on a row under the default settings."""
    chunks = [{"id": f"c{n}", "text": text} for n, text in enumerate(row["chunks"])]
    question = (row.get("question") or "What is known about this?")[:2000]
    given = {"id": "row", "question": question, "chunks": chunks, "answer": row["answer"]}
    return validate(Transcript.model_validate(given))


def seen(task: tuple[str, int, dict[str, Any]]) -> Answer | None:
    """One row; None for an answer that declines or has no scored claim."""
    name, number, row = task
    verdict = verdict_on(row)
    claims = [claim for claim in verdict.claims if claim.checked and claim.support is not None]
    if verdict.declined or not claims:
        return None
    supports = [claim.support or 0.0 for claim in claims]
    doubts = [conflict.log_odds or 0.0 for claim in claims for conflict in claim.conflicts]
    contradicted = sum(claim.status == "contradicted" for claim in claims)
    features = answer_features(
        supports,
        doubts,
        contradicted,
        coverage_of(
            row["answer"],
            row.get("question") or "",
            row["chunks"],
            left_out=[(c.start, c.end) for c in verdict.citations if c.start >= 0],
        ),
    )
    group = str(row["group"])
    role: Role = role_of(name, group, number)
    if name in SHARES and (SERVICES / f"{name}.jsonl").exists():
        role = "locked" if role == "locked" else "train"
    single = tuple(single_features_of(supports[0], doubts, contradicted)) if len(claims) == 1 else None
    return Answer(name, role, bool(row["response_supported"]), tuple(features), single)


def weights_of(
    answers: list[Answer], shares: Mapping[str, float], own_share: float, right_share: float
) -> Vector:
    """The weights: each set gets its share, and its right answers theirs."""
    counts = Counter((answer.dataset, answer.is_right) for answer in answers)
    own = len([name for name, _ in counts if name not in shares]) or 1
    found = []
    for answer in answers:
        share = shares.get(answer.dataset, 2 * own_share * 8 / own)
        part = right_share if answer.is_right else 1 - right_share
        found.append(share * part / counts[answer.dataset, answer.is_right])
    weights = np.array(found)
    result: Vector = weights * len(weights) / weights.sum()
    return result


def sign_of(name: str) -> int:
    """The only plausible sign of a weight, whatever one set suggests; 0 if both are plausible."""
    if any(word in name for word in ("below", "is_low", "low_", "lost", "doubt", "contradict")):
        return -1
    if any(word in name for word in ("weakest", "second", "mean")):
        return 1
    return 0


def fit(names: Iterable[str], features: Vector, labels: Vector, weights: Vector) -> Vector:
    """Weights and intercept (last) of a ridge logistic regression whose weights keep their signs.

    Newton steps, each solved by coordinate descent within the signs.
    """
    rows = np.asfortranarray(np.hstack([features, np.ones((len(features), 1))]))
    signs = np.array([*map(sign_of, names), 0])
    low, high = np.where(signs > 0, 0.0, -np.inf), np.where(signs < 0, 0.0, np.inf)
    pull = np.full(rows.shape[1], RIDGE)
    pull[-1] = 0.0
    found = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        before = found.copy()
        chance = 1 / (1 + np.exp(-np.clip(rows @ found, -30, 30)))
        curve = np.maximum(weights * chance * (1 - chance), 1e-9)
        gram = (rows * curve[:, None]).T @ rows
        target = gram @ found + rows.T @ (weights * (labels - chance))
        for _ in range(_SWEEPS):
            largest = 0.0
            for n in range(len(found)):
                rest = target[n] - gram[n] @ found + gram[n, n] * found[n]
                value = min(max(rest / (gram[n, n] + pull[n]), low[n]), high[n])
                largest = max(largest, abs(value - found[n]))
                found[n] = value
            if largest < _CLOSE:
                break
        if np.abs(found - before).max() < _CLOSE:
            break
    return found


def line_of(
    answers: list[Answer], names: Mapping[str, str], matrix: Vector, weights: Vector
) -> dict[str, Any]:
    """One line of the model file, from the answers and their features, one row each."""
    labels = np.array([float(answer.is_right) for answer in answers])
    mean, spread = matrix.mean(axis=0), matrix.std(axis=0)
    spread[spread < 1e-9] = 1.0
    found = fit(names, np.clip((matrix - mean) / spread, -CUT, CUT), labels, weights)
    slopes = found[:-1] / spread
    counts = Counter((answer.dataset, answer.is_right) for answer in answers)
    return {
        "trained_on": {
            name: {"right": counts[name, True], "wrong": counts[name, False]}
            for name in dict.fromkeys(answer.dataset for answer in answers)
        },
        "intercept": round(found[-1] - float(slopes @ mean), _DIGITS),
        "features": {
            name: {
                "weight": round(float(slopes[n]), _DIGITS),
                "low": round(float(mean[n] - CUT * spread[n]), _DIGITS),
                "high": round(float(mean[n] + CUT * spread[n]), _DIGITS),
            }
            for n, name in enumerate(names)
        },
    }


def document(answers: list[Answer]) -> dict[str, Any]:
    """The model file, from the answers that may train."""
    every = np.array([answer.features for answer in answers])
    ones = [answer for answer in answers if answer.single is not None]
    single = np.array([answer.single for answer in ones])
    return {
        "about": "Answer model; written by training/answers.py, measured in docs/accuracy.md",
        "several": line_of(answers, FEATURES, every, weights_of(answers, SHARES, OWN_SHARE, RIGHT_SHARE)),
        "single": line_of(
            ones,
            SINGLE,
            single,
            weights_of(ones, SINGLE_SHARES, SINGLE_OWN_SHARE, SINGLE_RIGHT_SHARE),
        ),
    }


def main() -> None:
    data = data_of("answers", ["ragtruth_qa", "mtrag"])
    with ProcessPoolExecutor(max_workers=2) as pool:
        found = [answer for answer in pool.map(seen, labelled(data), chunksize=20) if answer is not None]
    content = document([answer for answer in found if answer.role != "locked"])
    write_atomic(TARGET, json.dumps(content, indent=1) + "\n")
    print(f"wrote {TARGET} from {sum(answer.role != 'locked' for answer in found)} answers")


if __name__ == "__main__":
    main()
