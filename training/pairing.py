"""Train what tells whether a claim crosses two parts of a sentence: write ``pairing.json``.

Run: python -m training.pairing [DATA]

It learns from wrong answers of ``benchmarks/paired`` beside the right ones of all our own sets, and beside
the supported claims of the labelled sets that may train. ``least`` is drawn by the right claims that may be
hit: of these sets out of fold, and of the *tune* rows of all sets. Locked rows are not read; ``python -m
benchmarks.paired`` measures the result on them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pytest_grounding.scorers.lexical.conflicts.pairing import crossings, may_pair
from pytest_grounding.scorers.lexical.conflicts.pairing_line import MEASURES, measures_of

from benchmarks.roles import rule
from pytest_grounding._jsonio import write_atomic
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.scorers.lexical.conflicts import pairing_line
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.sources import Sources
from pytest_grounding.scorers.lexical.conflicts.view import view_of_claim
from pytest_grounding.scorers.lexical.index import index_of
from pytest_grounding.scorers.lexical.subjects import carried_into
from pytest_grounding.scorers.lexical.tokens import tokenize
from training.cases import label_of, records
from training.fit import Vector
from training.rows import claims_of, data_of
from training.train import FOLDS, fold_of
from training.verifier import APART, MEASURED, fit

TARGET = Path(pairing_line.__file__).with_name("pairing.json")
OWN = Path(__file__).parents[1] / "benchmarks"
WRONG = "paired"
RIDGE = 3.0
#: Shares of right claims that may be hit, out of fold: of the labelled sets, and of our own.
_LABELLED, _OWN = 0.0005, 0.002
_DIGITS = 4


class Seen(NamedTuple):
    """A claim with the measures of all its crossings."""

    group: str
    is_own: bool
    may_train: bool
    is_wrong: bool
    found: tuple[tuple[float, ...], ...]


def see(task: tuple[str, Path]) -> list[Seen]:
    """The claims of a set that may train."""
    name, data = task
    is_own = data == OWN
    return [
        Seen(f"{name} {row['group']}", is_own, may_train, is_wrong, _measured(row, claim))
        for row, may_train in _rows(name, data)
        for claim, is_wrong in _claims(name, row, is_own=is_own)
    ]


def _rows(name: str, data: Path) -> Iterator[tuple[dict[str, Any], bool]]:
    """The rows that are not locked, and whether each may train."""
    file, folder = ("answers", data / name) if data == OWN else (name, data)
    for row, role in records(file, folder, name):
        if role != "locked":
            yield row, data == OWN or role == "train"


def _claims(name: str, row: dict[str, Any], *, is_own: bool) -> Iterator[tuple[Any, bool]]:
    """The claims that are known to be right, and those of wrong answers of the set that is learned."""
    is_wrong = is_own and row["label"] == WRONG
    if is_own and not is_wrong and row["label"] != "supported":
        return
    chunks = [Chunk(id=str(n), text=text) for n, text in enumerate(row["chunks"])]
    for claim in claims_of(row["answer"], row["question"], chunks):
        told = None if is_own else label_of(name, row, claim.start, claim.end)
        if claim.checked and (is_own or (told is not None and told[0] == "supported")):
            yield claim, is_wrong


def _measured(row: dict[str, Any], claim: Any) -> tuple[tuple[float, ...], ...]:
    given = frozenset(token.stem for token in tokenize(row["question"]) if not token.is_stop)
    tokens = tokenize(claim.bare)
    if not tokens:
        return ()
    sources = Sources([index_of(text) for text in row["chunks"]])
    contest = Contest(view_of_claim(claim.bare, tokens), sources, given, carried_into(tokens, claim.context))
    if not may_pair(contest.claim):
        return ()
    return tuple(tuple(measures_of(contest, found)) for found in crossings(contest))


def collect(data: Path) -> list[Seen]:
    """All claims of rows that are not locked."""
    tasks = [(name, data) for name in (*rule()["trainable"], *MEASURED)]
    tasks += [(name, OWN) for name in (WRONG, "crossed", *APART)]
    with ProcessPoolExecutor(max_workers=2) as pool:
        return [seen for found in pool.map(see, tasks) for seen in found]


def fit_rows(rows: Sequence[Seen]) -> tuple[float, Vector]:
    """Intercept and weights; the crossings of a wrong claim count as one together."""
    features, labels, weights = [], [], []
    for row in [row for row in rows if row.may_train]:
        for measures in row.found:
            features.append(measures)
            labels.append(float(row.is_wrong))
            weights.append(1.0 / len(row.found) if row.is_wrong else 1.0)
    return fit(np.array(features), np.array(labels), np.array(weights), RIDGE)


def least_of(rows: Sequence[Seen]) -> float:
    """The log odds above which no more right claims are hit than may be, on scores that are out of fold."""
    hits: dict[bool, list[float]] = {True: [], False: []}
    for fold in range(FOLDS):
        intercept, weights = fit_rows([row for row in rows if fold_of(row.group) != fold])
        for row in rows:
            if row.found and not row.is_wrong and fold_of(row.group) == fold:
                hits[row.is_own].append(float((intercept + np.array(row.found) @ weights).max()))
    least = 0.0
    for is_own, share in ((True, _OWN), (False, _LABELLED)):
        total = sum(row.is_own == is_own and not row.is_wrong for row in rows)
        highest = sorted(hits[is_own], reverse=True)[int(share * total) :]
        least = max(least, *highest[:1])
    return least


def document(rows: Sequence[Seen]) -> dict[str, Any]:
    """The content of ``pairing.json``."""
    intercept, weights = fit_rows(rows)
    return {
        "about": "Does a claim cross two parts of a sentence; written by training/pairing.py, "
        "measured by benchmarks/paired",
        "trained_on": {
            "wrong": sum(row.may_train and row.is_wrong for row in rows),
            "right": sum(row.may_train and not row.is_wrong for row in rows),
        },
        "intercept": round(intercept, _DIGITS),
        "weights": {
            name: round(float(value), _DIGITS) for name, value in zip(MEASURES, weights, strict=True)
        },
        "least": round(least_of(rows), _DIGITS) + 0.0001,
    }


def main() -> None:
    content = document(collect(data_of("pairing", rule()["trainable"])))
    write_atomic(TARGET, json.dumps(content, ensure_ascii=False, indent=2) + "\n")
    print(json.dumps(content, indent=2))


if __name__ == "__main__":
    main()
