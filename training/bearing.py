"""Train what tells whether an answer bears on its question: write ``bearing.json``.

Run: python -m training.bearing [DATA]

It learns from answers beside their own questions and beside those of other answers, of the sets that may
train and of our own. ``least`` is drawn by what it costs, out of fold. Locked rows never train; ``python -m
benchmarks.off_topic`` measures the result on them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.off_topic import Pair, answers, is_backed, pairs
from benchmarks.roles import rule
from pytest_grounding import Verdict
from pytest_grounding._jsonio import write_atomic
from pytest_grounding.checks.selfrag import bearing
from pytest_grounding.checks.selfrag.bearing import FEATURES, Line
from pytest_grounding.scorers.lexical.tokens import tokenize
from training.fit import Vector
from training.rows import data_of
from training.train import FOLDS, fold_of
from training.verifier import fit

TARGET = Path(bearing.__file__).with_name("bearing.json")
#: Sets with questions that may train.
LEARNED = ("ragtruth_qa", "mtrag", "factcheckgpt")
RIDGE = 5.0
#: Another's question counts half: there are two for each answer.
_OTHER = 0.5
#: What each set counts as, in answers; a smaller one than the second figure is not counted up further.
_EACH, _FEWEST = 1000, 50
#: So many answers are taken to be about what was asked for one that is not. A higher line holds back more of
#: both; it is drawn where the sum of what is wrong is least.
_ASKED = 20.0
_DIGITS = 4
#: Lines that let nothing and everything bear on a question.
NEVER, ALWAYS = (Line(0.0, (0.0,) * len(FEATURES), least) for least in (1.0, -1.0))


class Seen(NamedTuple):
    """An answer beside a question: its features, and whether the line decides that it is held back."""

    dataset: str
    group: str
    is_own: bool
    is_decided: bool
    features: tuple[float, ...]


def see(pair: Pair) -> Seen | None:
    """One pair, or None where a claim is not backed: other rules hold such answers back."""
    with _deciding(NEVER):
        verdict = pair.judged()
    if not is_backed(verdict):
        return None
    with _deciding(ALWAYS):
        is_decided = _is_held(verdict) and not _is_held(pair.judged())
    asked = [token.stem for token in tokenize(pair.question, "en") if not token.is_stop]
    return Seen(
        pair.answer.dataset,
        f"{pair.answer.dataset} {pair.answer.group}",
        pair.is_own,
        is_decided,
        bearing.features_of(
            frozenset(asked),
            bearing.names_of(pair.question),
            [claim.text for claim in verdict.claims],
            [claim.evidence[0] for claim in verdict.claims if claim.evidence],
            {f"c{n}": text for n, text in enumerate(pair.answer.chunks, start=1)},
        ),
    )


def collect(data: Path) -> list[Seen]:
    """All pairs that may train, judged by the rules alone."""
    may = {*LEARNED, *rule()["trainable_own"]}
    rows = [row for row in answers(data) if row.role == "train" and row.dataset in may]
    with ProcessPoolExecutor() as pool:
        return [seen for seen in pool.map(see, pairs(rows), chunksize=40) if seen is not None]


@contextmanager
def _deciding(line: Line) -> Iterator[None]:
    """Let another line decide."""
    shipped = bearing.line
    bearing.line = lambda: line  # type: ignore[assignment]
    try:
        yield
    finally:
        bearing.line = shipped


def _is_held(verdict: Verdict) -> bool:
    found = verdict.self_rag
    return found.relevance.value == "irrelevant" or found.usefulness.value == "not useful"


def _matrix(rows: Iterable[Seen]) -> Vector:
    return np.array([row.features for row in rows])


def fit_rows(rows: list[Seen]) -> tuple[float, Vector]:
    """Intercept and weights, every set counting the same."""
    sizes = Counter(row.dataset for row in rows)
    weights = [(1.0 if row.is_own else _OTHER) * _EACH / max(_FEWEST, sizes[row.dataset]) for row in rows]
    return fit(_matrix(rows), np.array([float(row.is_own) for row in rows]), np.array(weights), RIDGE)


def least_of(rows: list[Seen]) -> float:
    """The line that costs least, as scores out of fold say: see `_ASKED`."""
    odds: list[tuple[float, bool]] = []
    sizes = Counter(row.is_own for row in rows)
    for fold in range(FOLDS):
        out = [row for row in rows if fold_of(row.group) == fold and row.is_decided]
        if out:
            intercept, weights = fit_rows([row for row in rows if fold_of(row.group) != fold])
            found = (intercept + _matrix(out) @ weights).tolist()
            odds.extend((value, row.is_own) for value, row in zip(found, out, strict=True))
    odds.sort()
    # With no line at all, every answer passes that is beside another's question.
    best, cheapest, cost = 0.0, 0.0, 0.0
    for (value, is_own), (above, _) in pairwise([*odds, (odds[-1][0] + 1.0, True)] if odds else []):
        cost += _ASKED / sizes[True] if is_own else -1.0 / sizes[False]
        if cost < cheapest and above > value:
            best, cheapest = (value + above) / 2, cost
    return best


def document(rows: list[Seen]) -> dict[str, Any]:
    """The content of ``bearing.json``."""
    intercept, weights = fit_rows(rows)
    return {
        "about": "Does an answer bear on its question; written by training/bearing.py, "
        "measured by benchmarks/off_topic.py",
        "trained_on": {
            "own": sum(row.is_own for row in rows),
            "others": sum(not row.is_own for row in rows),
        },
        "intercept": round(intercept, _DIGITS),
        "weights": {
            name: round(float(value), _DIGITS) for name, value in zip(FEATURES, weights, strict=True)
        },
        "least": round(least_of(rows), _DIGITS),
    }


def main() -> None:
    content = document(collect(data_of("bearing", LEARNED)))
    write_atomic(TARGET, json.dumps(content, ensure_ascii=False, indent=2) + "\n")
    print(json.dumps(content, indent=2))


if __name__ == "__main__":
    main()
