"""Train the verifier of conflicts: write ``verifier.json``.

Run: python -m training.verifier [DATA]

Weights are fitted on cases of the role *train* alone. The thresholds by kind come from scores of cases that
did not fit their weights: *train* cases by folds over groups, *tune* cases of all sets. Locked cases are not
read. The same data and engine give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.roles import rule
from pytest_grounding._io.jsonio import write_atomic
from pytest_grounding.scorers.builtin.conflicts import conflict_search as find
from pytest_grounding.scorers.builtin.conflicts.conflict_search import FEATURES, GROUPS, Line, Verifier
from training.cases import Case, foreign, labelled, may_train, planted, told_apart, turned, written
from training.rows import data_of

TARGET = Path(find.__file__).with_name("verifier.json")
#: Our own answers of made-up services, and their files.
WRITTEN = ("handbook", "hr_policy", "api_reference")
ANSWERS = Path(__file__).parents[1] / "benchmarks" / "answers"
#: Our own sets of one kind of mistake.
APART = ("negation", "restrictions", "role_order", "tense_and_hearsay", "wrong_subject", "wrong_fact")
#: The sets whose wrong answers each group of kinds learns from, besides the labelled ones. All learn from the
#: right ones.
_TAUGHT_BY = {
    "others": ("wrong_fact",),
    "denials": ("negation", "restrictions", "wrong_fact"),
}
MEASURED = ("attribution_dev", "qags_cnndm", "faithbench", "cliff_goyal", "sick", "factscore")
_WRONG = frozenset({"contradicted", "planted", "turned"})
FOLDS = 5
#: How often groups are dealt to folds. From one deal to the next a threshold moved by up to 2; over all deals
#: together it moves little.
DEALS = 5
#: Weight of a case by its label. Planted faults are more frequent and simpler than real ones; a sentence of
#: the sources may contradict the others.
WEIGHTS = {"contradicted": 1.0, "supported": 1.0, "planted": 0.3, "turned": 0.1, "foreign": 0.3}
#: Weight of a right answer of `APART`: they are many, and half look wrong on purpose.
_RIGHT_BESIDE = {
    "others": 1.0,
    "denials": 0.4,
}
#: Ridge penalty, in standard deviations of the features.
RIDGE = 20.0
#: Precision that a kind must reach to be an error, on out-of-fold scores of sets with three labels.
PRECISION = 0.9


class Allowed(NamedTuple):
    """Shares of right claims that kinds may flag.

    Attributes:
        supported: of the supported claims of the labelled sets, and of our answers of services.
        own: of the right claims of `APART`, half of which were written to look wrong.
    """

    supported: float
    own: float


_FALSE: dict[tuple[str, ...], Allowed] = {
    ("others",): Allowed(0.0015, 0.004),
    ("denials",): Allowed(0.0028, 0.0075),
}
_POSSIBLE = 0.0
#: Log odds below which no kind of a group is an error: rare kinds need a margin.
_LEAST_ODDS = {"others": 0.5}
#: The gain of a hit, and the cost of a wrong one at the price of 1: a supported claim is worse than an
#: unsupported one.
_WORTH = {"right": 1.0, "planted": 0.2, "turned": 0.02}
_COST = {"false": 1.0, "false_three": 1.0, "wrong": 0.5, "own": 0.3}
_NOTHING = 1e-6
#: A kind with fewer candidates is never an error.
_LEAST_SEEN = 30
_DIGITS = 4
_STEPS = 100
_CLOSE = 1e-10
_NEVER = -99.0

Vector = NDArray[np.float64]
#: Candidates of a case: kind and log odds of each.
Scores = Sequence[tuple[str, float]]


def collect(data: Path) -> list[Case]:
    """All cases of the roles train and tune."""
    tasks: list[tuple[str, str]] = [("labelled", name) for name in (*rule()["trainable"], *MEASURED)]
    tasks += [(kind, name) for kind in ("planted", "turned", "foreign") for name in rule()["trainable"]]
    folders = [data] * len(tasks) + [ANSWERS] * len(WRITTEN)
    tasks += [("written", name) for name in WRITTEN]
    folders += [ANSWERS.parent] * len(APART)
    tasks += [("told_apart", name) for name in APART]
    with ProcessPoolExecutor(max_workers=2) as pool:
        found = pool.map(_collect, tasks, folders)
        return [case for cases in found for case in cases]


def _collect(task: tuple[str, str], data: Path) -> list[Case]:
    make = {
        "labelled": labelled,
        "planted": planted,
        "turned": turned,
        "foreign": foreign,
        "told_apart": told_apart,
        "written": written,
    }[task[0]]
    return list(make(task[1], data, ("train", "tune")))


def fold_of(group: str, deal: int = 0) -> int:
    """Fold of a group in a deal, from its name alone."""
    return hashlib.sha256(f"verifier{deal}:{group}".encode("utf-8", "surrogatepass")).digest()[0] % FOLDS


def rows_of(cases: Sequence[Case], beside: float) -> tuple[Vector, Vector, Vector]:
    """Features, labels and weights: of a contradiction the best bound candidate, of all others every one.

    Args:
        cases: the cases of a group of kinds.
        beside: how much a right answer of `APART` counts for it.
    """
    features: list[tuple[float, ...]] = []
    labels: list[float] = []
    weights: list[float] = []
    for case in cases:
        weight = WEIGHTS.get(case.label)
        if weight is None or not case.candidates:
            continue
        is_one = case.label in _WRONG
        if case.dataset in APART and not is_one:
            weight *= beside
        chosen = case.candidates
        if is_one:
            # Strength and cover come first.
            chosen = (max(case.candidates, key=lambda c: (c.features[0] + c.features[1], c.features)),)
        for candidate in chosen:
            features.append(candidate.features)
            labels.append(float(is_one))
            weights.append(weight)
    return np.array(features), np.array(labels), np.array(weights)


def fit(features: Vector, labels: Vector, weights: Vector, ridge: float = RIDGE) -> tuple[float, Vector]:
    """Intercept and weights of a ridge logistic regression, by Newton's method."""
    mean, spread = features.mean(axis=0), features.std(axis=0)
    spread[spread < 1e-9] = 1.0
    design = np.column_stack([np.ones(len(labels)), (features - mean) / spread])
    pull = np.full(design.shape[1], ridge)
    pull[0] = 0.0
    found = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        chance = 1.0 / (1.0 + np.exp(-np.clip(design @ found, -40, 40)))
        slope = design.T @ (weights * (chance - labels)) + pull * found
        bend = (design * (weights * chance * (1 - chance))[:, None]).T @ design + np.diag(pull + 1e-9)
        step = np.linalg.solve(bend, slope)
        found = found - step
        if np.abs(step).max() < _CLOSE:
            break
    raw = found[1:] / spread
    return float(found[0] - raw @ mean), raw


def verifier_of(cases: Sequence[Case]) -> Verifier:
    """A verifier fitted on cases, without thresholds: denials separately, the other kinds together."""
    lines = {}
    for name, kinds in GROUPS.items():
        own = [
            replace(case, candidates=tuple(c for c in case.candidates if c.kind in kinds))
            for case in cases
            if _teaches(case, name)
        ]
        features, labels, counts = rows_of(own, _RIGHT_BESIDE[name])
        if not len(labels):
            # Nothing was learned for these kinds: they are never found.
            lines[name] = Line(_NEVER, (0.0,) * len(FEATURES))
            continue
        intercept, weights = fit(features, labels, counts, RIDGE)
        rounded = tuple(round(float(value), _DIGITS) + 0.0 for value in weights)
        lines[name] = Line(round(intercept, _DIGITS), rounded)
    return Verifier(lines, {}, _POSSIBLE)


def _teaches(case: Case, group: str) -> bool:
    """Whether a case counts for a group of kinds.

    Each learns from the sets that were written for it. Planted denials are simpler than real ones: with them,
    fewer real ones are found.
    """
    if _is_foreign_to(case, group):
        return False
    return not case.fault.startswith("restrictions")


def _is_foreign_to(case: Case, group: str) -> bool:
    """Whether a case is a wrong answer of a set for other kinds.

    Any candidate for a right answer is wrong. Which candidate for a wrong answer is right is known for the
    kinds of its own set only.
    """
    return case.dataset in APART and case.label in _WRONG and case.dataset not in _TAUGHT_BY[group]


def out_of_fold(cases: Sequence[Case], deal: int = 0) -> list[Scores]:
    """For each case its candidates' kinds and log odds, from weights that no case of its group fitted."""
    folds = [
        verifier_of([case for case in cases if may_train(case) and fold_of(case.group, deal) != fold])
        for fold in range(FOLDS)
    ]
    return [
        [(c.kind, folds[fold_of(case.group, deal)].log_odds(c.kind, c.features)) for c in case.candidates]
        for case in cases
    ]


def thresholds(cases: Sequence[Case], deals: Sequence[Sequence[Scores]]) -> dict[str, float]:
    """The log odds from which each kind is an error, by the scores of all deals together.

    Each group uses the labelled cases and the sets that were written for it, with its own share of supported
    claims that it may flag.
    """
    pairs = [pair for scored in deals for pair in zip(cases, scored, strict=True)]
    limits: dict[str, float] = {}
    for groups, allowed in _FALSE.items():
        kinds = frozenset(kind for group in groups for kind in GROUPS[group])
        seen = [pair for pair in pairs if not any(_is_foreign_to(pair[0], group) for group in groups)]
        own = [(case, [pair for pair in found if pair[0] in kinds]) for case, found in seen]
        least = max(_LEAST_ODDS.get(group, 0.0) for group in groups)
        lowered = _lowered(own, allowed, _LEAST_SEEN * len(deals))
        limits.update({kind: max(least, odds) for kind, odds in lowered.items()})
    return limits


def _lowered(
    pairs: Sequence[tuple[Case, Scores]], allowed: Allowed, least_seen: int = _LEAST_SEEN
) -> dict[str, float]:
    """The log odds from which each kind with enough candidates is an error.

    Each threshold is lowered in steps, in the order of their gain per cost over all kinds. A step is taken
    while all kinds together keep to `PRECISION` and to the shares of right claims that may be flagged; a kind
    whose step does not fit is not lowered further.
    """
    events = {kind: rows for kind, rows in _events(pairs).items() if len(rows) >= least_seen}
    right = [case for case, _ in pairs if case.label == "supported"]
    own = sum(case.dataset in APART for case in right)
    most = Allowed(allowed.supported * (len(right) - own), allowed.own * own)
    steps = sorted((-ratio, kind, end) for kind, rows in events.items() for ratio, end in _steps(rows))
    hits: Counter[str] = Counter()
    ends: dict[str, int] = {}
    full: set[str] = set()
    for _, kind, end in steps:
        start = ends.get(kind, 0)
        while kind not in full and end > start:
            more = Counter(what for _, what in events[kind][start:end])
            if _fits(hits + more, most):
                hits, ends[kind] = hits + more, end
                break
            # Not the whole step: as much of it as fits.
            full.add(kind)
            end = next(
                (n for n in range(end - 1, start, -1) if _fits_to(hits, events[kind], start, n, most)), start
            )
            if end > start:
                hits += Counter(what for _, what in events[kind][start:end])
                ends[kind] = end
    # What the verifier itself finds improbable is not an error.
    return {kind: max(0.0, round(events[kind][end - 1][0], _DIGITS)) for kind, end in sorted(ends.items())}


def _fits(hits: Counter[str], most: Allowed) -> bool:
    """Whether the flagged cases keep to the limits."""
    false, wrong = hits["false"] + hits["false_three"], hits["false_three"] + hits["wrong"]
    is_precise = hits["right"] >= PRECISION * (hits["right"] + wrong)
    return is_precise and false <= most.supported and hits["own"] <= most.own


def _fits_to(
    hits: Counter[str], rows: Sequence[tuple[float, str]], start: int, end: int, most: Allowed
) -> bool:
    more = Counter(what for _, what in rows[start:end])
    return rows[end - 1][1] in _WORTH and _fits(hits + more, most)


def _steps(rows: Sequence[tuple[float, str]]) -> list[tuple[float, int]]:
    """The steps that lower the threshold of a kind best: the gain per cost of each, and where it ends.

    They are the edges of the concave hull of gain over cost, so that each is worth less than the one before.
    """
    blocks: list[tuple[float, float, int]] = []
    for end, (_, what) in enumerate(rows, start=1):
        worth, cost = _WORTH.get(what, 0.0), _COST.get(what, 0.0) + _NOTHING
        while blocks and blocks[-1][0] * cost < worth * blocks[-1][1]:
            last = blocks.pop()
            worth, cost = worth + last[0], cost + last[1]
        blocks.append((worth, cost, end))
    return [(worth / cost, end) for worth, cost, end in blocks if worth]


def _events(pairs: Sequence[tuple[Case, Scores]]) -> dict[str, list[tuple[float, str]]]:
    """For each kind its candidates' log odds, highest first, each with its right result."""
    events: dict[str, list[tuple[float, str]]] = {}
    for case, found in pairs:
        what = {
            "contradicted": "right",
            "planted": "planted",
            "turned": "turned",
            "supported": "own" if case.dataset in APART else "false_three" if case.three_way else "false",
            # Two different captions are mostly of two pictures: neither contradicts the other.
            "unsupported": "wrong" if case.three_way and case.dataset != "sick" else "",
        }.get(case.label, "")
        best: dict[str, float] = {}
        for kind, odds in found:
            best[kind] = max(odds, best.get(kind, _NEVER))
        for kind, odds in best.items() if what else ():
            events.setdefault(kind, []).append((odds, what))
    return {kind: sorted(rows, key=lambda row: (-row[0], row[1])) for kind, rows in sorted(events.items())}


def document(cases: Sequence[Case], verifier: Verifier, limits: dict[str, float]) -> dict[str, Any]:
    """The content of ``verifier.json``."""
    counts: dict[str, int] = {}
    for case in cases:
        if may_train(case) and case.candidates and case.label in WEIGHTS:
            counts[case.label] = counts.get(case.label, 0) + 1
    return {
        "about": "Verifier of conflicts; written by training/verifier.py, measured in docs/conflicts.md",
        "trained_on": dict(sorted(counts.items())),
        "lines": {
            name: {"intercept": line.intercept, "weights": dict(zip(FEATURES, line.weights, strict=True))}
            for name, line in verifier.lines.items()
        },
        "contradicted": {kind: limits[kind] for kind in sorted(limits)},
        "possible": _POSSIBLE,
    }


def main() -> None:
    data = data_of("verifier", rule()["trainable"])
    cases = collect(data)
    limits = thresholds(cases, [out_of_fold(cases, deal) for deal in range(DEALS)])
    content = document(cases, verifier_of([case for case in cases if may_train(case)]), limits)
    write_atomic(TARGET, json.dumps(content, ensure_ascii=False, indent=2) + "\n")
    print(json.dumps(content, indent=2))


if __name__ == "__main__":
    main()
