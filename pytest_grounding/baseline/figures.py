"""The suite's figures before and after, each with its test and what a policy makes of it."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal, TypeAlias

from pytest_grounding.baseline.resampling import Change, Part, Question, ratio_change
from pytest_grounding.baseline.stats import POWER, detectable_drop, holm, mcnemar
from pytest_grounding.model.baseline import Entry
from pytest_grounding.model.comparison import FigureChange, FigureOutcome
from pytest_grounding.settings import Settings, parse_baseline_policy

#: Questions that are resampled; more of them make no interval narrower that anyone would see.
SAMPLE = 100_000
SEED = b"20240601"

#: One recording: for each figure what is counted, and what it is counted in, one after the other.
Row: TypeAlias = "array[float]"


class Sides:
    """Collects the recordings of both sides by question."""

    def __init__(self, parts: Sequence[Callable[[Entry], Part]], most: int = SAMPLE) -> None:
        self._parts = parts
        self._most = most
        self._rows: dict[str, tuple[list[Row], list[Row]]] = {}
        self._highest = b""
        #: For each side and figure whether there is anything to measure.
        self.measured = ([False] * len(parts), [False] * len(parts))

    def add(self, side: Literal[0, 1], entry: Entry) -> None:
        """Take one recording of the baseline (0) or of the run (1)."""
        row = array("d", [number for part in self._parts for number in part(entry)])
        measured = self.measured[side]
        for index in range(len(measured)):
            measured[index] = measured[index] or bool(row[2 * index + 1])
        question = entry.question
        if self._highest and question not in self._rows and _hash(question) > self._highest:
            return
        self._rows.setdefault(question, ([], []))[side].append(row)
        if len(self._rows) > 2 * self._most:
            self._keep(self._rows)

    @property
    def is_sample(self) -> bool:
        """Whether questions were left out."""
        return bool(self._highest)

    def questions(self) -> list[tuple[list[Row], list[Row]]]:
        """The recordings of each question that both sides hold, in the order of the questions."""
        both = [question for question, (old, new) in self._rows.items() if old and new]
        if len(both) > self._most:
            self._keep(both)
            both = list(self._rows)
        return [self._rows[question] for question in sorted(both)]

    def _keep(self, questions: Sequence[str] | dict[str, tuple[list[Row], list[Row]]]) -> None:
        kept = sorted((_hash(question), question) for question in questions)[: self._most]
        self._highest = kept[-1][0]
        self._rows = {question: self._rows[question] for _, question in kept}


def part_of(row: Row, figure: int) -> Part:
    """What a recording adds to one figure."""
    return row[2 * figure], row[2 * figure + 1]


def _hash(question: str) -> bytes:
    return hashlib.blake2b(question.encode("utf-8", "surrogatepass"), key=SEED, digest_size=16).digest()


#: Level of the detectable drop where the policy names none.
ALPHA = 0.05

_DIGITS = 6
# Figures are made of rounded numbers; less than this is no change.
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure as a ratio of sums."""

    name: str
    label: str
    good: Literal["high", "low"]
    part: Callable[[Entry], Part]
    per_answer: bool


def figures(settings: Settings) -> list[Figure]:
    """The figures that a baseline is held to under these settings."""
    limit = settings.suite_confidence
    found = [
        Figure("pass_share", "answers that pass", "high", lambda e: (float(e.status == "pass"), 1.0), True),
        Figure(
            "citation_accuracy",
            "citation accuracy",
            "high",
            lambda e: (float(e.citations_valid), float(e.citations)),
            False,
        ),
        Figure(
            "ungrounded_answers",
            "answers with an ungrounded citation",
            "low",
            lambda e: (float(e.is_ungrounded), 1.0),
            True,
        ),
        Figure(
            "hallucination_rate",
            "hallucination rate of the claims",
            "low",
            lambda e: (float(e.hallucinated), float(e.claims)),
            False,
        ),
        Figure(
            "confident_share",
            f"answers with confidence >= {limit:g}",
            "high",
            lambda e: (float(e.confidence is not None and e.confidence >= limit), 1.0),
            True,
        ),
        Figure("mean_confidence", "mean confidence", "high", _confidence, False),
        Figure(
            "completeness",
            "complete answers to questions of several parts",
            "high",
            lambda e: (float(e.complete), float(e.in_parts)),
            False,
        ),
        Figure(
            "over_refusal",
            "declined though the sources hold the answer",
            "low",
            lambda e: _cell(e, "over_refusal", "answered"),
            False,
        ),
        Figure(
            "answered_absent",
            "answered though the sources do not hold the answer",
            "low",
            lambda e: _cell(e, "answered_absent", "rightly_declined"),
            False,
        ),
    ]
    if not settings.hallucination_detection:
        found = [item for item in found if item.name in ("citation_accuracy", "ungrounded_answers")]
    return found


#: Figures that many suites have nothing to measure for; they are compared where both sides have something.
_RARE = frozenset({"completeness", "over_refusal", "answered_absent"})


def _cell(entry: Entry, cell: str, other: str) -> Part:
    """What an answer adds to the share of one cell among two."""
    return (float(entry.abstention == cell), float(entry.abstention in (cell, other)))


def _confidence(entry: Entry) -> Part:
    # An answer without a confidence is missed by the share of confident ones; a mean cannot hold it.
    return (entry.confidence, 1.0) if entry.confidence is not None else (0.0, 0.0)


def sides_of(settings: Settings) -> Sides:
    """What collects the recordings of both sides for these figures."""
    return Sides([item.part for item in figures(settings)])


def changes(
    before: Mapping[str, Entry], after: Mapping[str, Entry], settings: Settings
) -> tuple[FigureChange, ...]:
    """Compare all figures over the questions that both sides hold, where both are in memory."""
    sides = sides_of(settings)
    for identifier in sorted(before):
        sides.add(0, before[identifier])
    for identifier in sorted(after):
        sides.add(1, after[identifier])
    return changes_over(sides, settings)


def changes_over(sides: Sides, settings: Settings) -> tuple[FigureChange, ...]:
    """Compare all figures over the questions that both sides hold."""
    policy, number = parse_baseline_policy(settings.baseline_policy)
    wanted = [
        (place, item)
        for place, item in enumerate(figures(settings))
        if item.name not in _RARE or all(side[place] for side in sides.measured)
    ]
    alpha = number if policy == "significant" else ALPHA
    questions = sides.questions()
    found = [_change(item, place, questions, alpha / len(wanted)) for place, item in wanted]
    tested = [item for item in found if item.p_value is not None]
    significant = dict(
        zip(
            [item.name for item in tested],
            holm([item.p_value for item in tested if item.p_value is not None], alpha),
            strict=True,
        )
    )
    return tuple(
        item.model_copy(update={"outcome": _outcome(item, policy, number, significant.get(item.name, False))})
        for item in found
    )


def _change(
    figure: Figure, place: int, sides: Sequence[tuple[list[Row], list[Row]]], alpha: float
) -> FigureChange:
    questions = [
        Question(tuple(part_of(row, place) for row in old), tuple(part_of(row, place) for row in new))
        for old, new in sides
    ]
    change = ratio_change(questions)
    base = FigureChange(
        name=figure.name,
        label=figure.label,
        before=_rounded(change.before),
        after=_rounded(change.after),
        pairs=len(questions),
    )
    if change.rise is None or change.low is None or change.high is None:
        return base
    sign = -1.0 if figure.good == "high" else 1.0
    moves = [sign * (_value(item.after) - _value(item.before)) for item in questions if _measured(item)]
    worse, better = sum(move > _EQUAL for move in moves), sum(move < -_EQUAL for move in moves)
    p_value = change.p_higher if sign > 0 else change.p_lower
    single = all(len(item.before) == len(item.after) == 1 for item in questions)
    exact = figure.per_answer and single
    low, high = sorted((sign * change.low, sign * change.high))
    return base.model_copy(
        update={
            "drop": _rounded(sign * change.rise),
            "low": _rounded(low),
            "high": _rounded(high),
            "p_value": _rounded(mcnemar(worse, better) if exact else p_value),
            "test": "mcnemar" if exact else "bootstrap",
            "worse": worse,
            "better": better,
            "detectable": _rounded(_detectable(change, questions, min(worse, better), alpha)),
        }
    )


def _measured(item: Question) -> bool:
    return sum(part[1] for part in item.before) > 0 and sum(part[1] for part in item.after) > 0


def _value(parts: Sequence[Part]) -> float:
    return sum(part[0] for part in parts) / sum(part[1] for part in parts)


def _detectable(change: Change, questions: Sequence[Question], noise: int, alpha: float) -> float | None:
    """The smallest drop found in 4 of 5 cases."""
    counted = detectable_drop(len(questions), noise / len(questions), alpha=alpha)
    if counted is None or change.error is None:
        return None
    normal = NormalDist()
    spread = (normal.inv_cdf(1 - alpha) + normal.inv_cdf(POWER)) * change.error
    found = max(counted, spread)
    return found if found <= 1 else None


def _outcome(item: FigureChange, policy: str, number: float, is_significant: bool) -> FigureOutcome:
    if item.before is None:
        return "nothing"
    if item.after is None or item.drop is None:
        return "lost"
    if not item.drop > _EQUAL:
        # "not above" also holds for a NaN, which the model cannot carry.
        return "better" if item.drop < -_EQUAL else "same"
    if policy == "significant":
        return "worse" if is_significant else "inconclusive"
    return "worse" if item.drop > number + _EQUAL else "same"


def _rounded(value: float | None) -> float | None:
    # Adding 0.0 turns -0.0 into 0.0.
    return None if value is None else round(value, _DIGITS) + 0.0
