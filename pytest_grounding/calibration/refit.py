"""Fit the engine's small models to a team's own labels, pulled towards the weights that ship.

The result is kept only where it gains on answers that it was not fitted on: the 95 % interval of the gain in
log loss (bootstrap by group, seeded) lies above 0, out of fold more answers than before are decided as people
decided, and planted faults are named hardly less often. Folds come from a hash of the group: equal labels
give equal bytes.
"""

from __future__ import annotations

import hashlib
import math
import random
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pytest_grounding._jsonio import write_json
from pytest_grounding._wording import counted
from pytest_grounding.calibration.examples import Example, examples_of
from pytest_grounding.calibration.labels import Label
from pytest_grounding.calibration.models import (
    ConflictFit,
    Fit,
    SupportFit,
    conflict_rows,
    document_of,
)
from pytest_grounding.calibration.tuning import Planted
from pytest_grounding.engine import validate
from pytest_grounding.errors import InputError
from pytest_grounding.gate.outcome import fails
from pytest_grounding.settings import Settings

#: Fewer labelled claims, or fewer of the rarer kind, teach chance.
LEAST_CLAIMS, LEAST_OF_EACH = 200, 20
#: Fewer candidates than these teach the verifier of conflicts nothing.
_LEAST_CANDIDATES, _LEAST_REAL = 30, 10
FOLDS = 5
#: Strengths of the pull towards the shipped weights, the strongest first: of equals it is taken.
RIDGES = (10.0, 3.0, 1.0, 0.3, 0.1)
#: How far the share of planted faults that are named may fall.
_FAULT_DROP = 0.05
_DRAWS = 2000
_DIGITS = 6

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Gain:
    """What a fitted model gains on rows that did not fit it.

    Attributes:
        model: support or conflicts.
        rows: how many rows it was fitted on.
        ridge: the strength of the pull that was chosen.
        before: log loss of the shipped weights.
        after: log loss out of fold.
        low: lower end of the 95 % interval of before minus after.
        high: its upper end.
    """

    model: str
    rows: int
    ridge: float
    before: float
    after: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Refit:
    """What was fitted, and whether it is kept.

    Attributes:
        document: the content of the file, or None where nothing is kept.
        claims: labelled claims.
        supported: supported ones among them.
        gains: what each model gains.
        right_before: answers that the gate decides as people did, with the shipped weights.
        right_after: the same with weights that the answer did not fit.
        answers: labelled answers.
        named_before: planted faults that are named, with the shipped weights.
        named_after: the same with weights that the answer did not fit.
        planted: planted faults.
        reason: why nothing is kept, or "".
    """

    document: dict[str, Any] | None
    claims: int
    supported: int
    gains: tuple[Gain, ...]
    right_before: int
    right_after: int
    answers: int
    named_before: int = 0
    named_after: int = 0
    planted: int = 0
    reason: str = ""


def refit(labels: Sequence[Label], settings: Settings, planted: Sequence[Planted] = ()) -> Refit:
    """Fit both models, and keep what gains.

    Args:
        labels: answers with their transcripts and, for wrong ones, what is wrong in them (``claims``).
        settings: the settings in force; weights that they name are left out of it.
        planted: right answers with planted faults.

    Raises:
        InputError: the labelled claims are too few or too one-sided; says how many are missing.
    """
    shipped = settings.with_values({"weights": ""})
    examples = examples_of(labels, shipped)
    supported = sum(example.is_supported for example in examples)
    _refuse_thin(len(examples), supported)
    fits: list[Fit[Any]] = [SupportFit()]
    rows: dict[str, list[Any]] = {"support": [item for item in examples if item.features]}
    candidates = conflict_rows(examples)
    # Who has seen false alarms alone learns that there are no conflicts.
    if len(candidates) >= _LEAST_CANDIDATES and sum(row.is_real for row in candidates) >= _LEAST_REAL:
        fits.append(ConflictFit())
        rows["conflicts"] = candidates
    gains = [_gain(fit, rows[fit.name]) for fit in fits]
    sure = [(fit, gain) for fit, gain in zip(fits, gains, strict=True) if gain.low > 0.0]
    bench = _Bench(labels, planted)
    before = after = bench.counts(lambda _: shipped)
    reason, document = "", None
    if not sure:
        reason = "no gain on claims that were not fitted is sure"
    # Both models together first; where that costs too much, each by itself.
    for chosen in [sure, *([pair] for pair in sure)] if len(sure) > 1 else [sure] * len(sure):
        after = bench.out_of_fold([fit for fit, _ in chosen], rows, shipped)
        reason = _against(before, after, len(planted))
        if not reason:
            kept = {fit.name: fit.fitted(rows[fit.name], gain.ridge) for fit, gain in chosen}
            document = document_of(kept, _told(examples, [gain for _, gain in chosen]))
            break
    return Refit(
        document=document,
        claims=len(examples),
        supported=supported,
        gains=tuple(gains),
        right_before=before[0],
        right_after=after[0],
        answers=bench.answers,
        named_before=before[1],
        named_after=after[1],
        planted=len(planted),
        reason=reason,
    )


def _against(before: tuple[int, int], after: tuple[int, int], planted: int) -> str:
    """Why weights are not kept, or ""."""
    if after[0] <= before[0]:
        return "out of fold no more answers are decided as people decided"
    if before[1] - after[1] > _FAULT_DROP * planted:
        return "out of fold fewer planted faults are named"
    return ""


def _refuse_thin(count: int, supported: int) -> None:
    if count < LEAST_CLAIMS:
        raise InputError(
            f"{counted(count, 'labelled claim')} {'is' if count == 1 else 'are'} too few to fit weights",
            hint=f"label at least {LEAST_CLAIMS - count} more; a right answer labels all of its claims",
        )
    rarer = min(supported, count - supported)
    if rarer < LEAST_OF_EACH:
        kind = "supported" if supported < count - supported else "not supported"
        raise InputError(
            f"only {rarer} of {count} labelled claims are {kind}: too one-sided to fit weights",
            hint=f"label at least {LEAST_OF_EACH - rarer} more, as "
            '"claims": [{"text": "...", "supported": false}]',
        )


def _told(examples: Sequence[Example], gains: Sequence[Gain]) -> dict[str, Any]:
    """What the file says of how it was made."""
    return {
        "labels": {
            "claims": len(examples),
            "supported": sum(example.is_supported for example in examples),
            "answers": len({example.answer for example in examples}),
        },
        "gains": {
            gain.model: {
                name: getattr(gain, name) for name in ("rows", "ridge", "before", "after", "low", "high")
            }
            for gain in gains
        },
    }


def fold_of(group: str) -> int:
    """Fold of a group: from its name alone."""
    return hashlib.sha256(f"weights:{group}".encode("utf-8", "replace")).digest()[0] % FOLDS


def _split(rows: Sequence[Row], fold: int, group: Callable[[Row], str]) -> tuple[list[Row], list[Row]]:
    """The rows outside of a fold, and those in it."""
    return (
        [row for row in rows if fold_of(group(row)) != fold],
        [row for row in rows if fold_of(group(row)) == fold],
    )


def _best_ridge(fit: Fit[Row], rows: Sequence[Row]) -> float:
    """The pull whose weights predict rows best that they were not fitted on; of equals the strongest."""
    losses = dict.fromkeys(RIDGES, 0.0)
    for fold in range(FOLDS):
        rest, out = _split(rows, fold, fit.group)
        if not rest or not out:
            continue
        for ridge in RIDGES:
            losses[ridge] += math.fsum(fit.losses(out, fit.fitted(rest, ridge)))
    return min(RIDGES, key=lambda ridge: (round(losses[ridge], _DIGITS), -ridge))


def _gain(fit: Fit[Row], rows: Sequence[Row]) -> Gain:
    """What a model gains out of fold; the pull of each fold is chosen without it, too."""
    by_group: dict[str, list[float]] = {}
    before = after = 0.0
    for fold in range(FOLDS):
        rest, out = _split(rows, fold, fit.group)
        if not rest or not out:
            continue
        fitted = fit.fitted(rest, _best_ridge(fit, rest))
        old, new = fit.losses(out, None), fit.losses(out, fitted)
        before, after = before + math.fsum(old), after + math.fsum(new)
        for row, one, other in zip(out, old, new, strict=True):
            entry = by_group.setdefault(fit.group(row), [0.0, 0.0])
            entry[0] += one - other
            entry[1] += 1.0
    low, high = _interval([by_group[group] for group in sorted(by_group)])
    count = max(1, len(rows))
    return Gain(
        model=fit.name,
        rows=len(rows),
        ridge=_best_ridge(fit, rows),
        before=round(before / count, _DIGITS),
        after=round(after / count, _DIGITS),
        low=low,
        high=high,
    )


def _interval(groups: Sequence[Sequence[float]]) -> tuple[float, float]:
    """The 95 % interval of a mean over rows, by drawing groups (Efron 1979), with dice of a fixed seed."""
    if not groups:
        return 0.0, 0.0
    dice = random.Random(0)  # noqa: S311 - dice, no secret
    means = []
    for _ in range(_DRAWS):
        drawn = dice.choices(groups, k=len(groups))
        means.append(sum(item[0] for item in drawn) / sum(item[1] for item in drawn))
    means.sort()
    edge = _DRAWS // 40
    return round(means[edge], _DIGITS), round(means[_DRAWS - 1 - edge], _DIGITS)


class _Bench:
    """The labelled answers and the planted faults, decided with weights by group."""

    def __init__(self, labels: Sequence[Label], planted: Sequence[Planted]) -> None:
        self._labels = labels
        self._whole = [(label, label.transcript) for label in labels if label.transcript is not None]
        self._planted = planted

    @property
    def answers(self) -> int:
        """How many answers there are."""
        return len(self._whole)

    def counts(self, settings_of: Callable[[str], Settings]) -> tuple[int, int]:
        """How many answers are decided as people did, and how many planted faults are named.

        Args:
            settings_of: from the group of an answer to the settings that it is validated with.
        """
        right = 0
        for label, transcript in self._whole:
            settings = settings_of(label.group)
            right += fails(validate(transcript, settings), settings) != label.correct
        named = 0
        for item in self._planted:
            label = self._labels[item.origin]
            assert label.transcript is not None
            settings = settings_of(label.group)
            named += item.is_named(validate(label.transcript, settings), validate(item.transcript, settings))
        return right, named

    def out_of_fold(
        self, fits: Sequence[Fit[Any]], rows: Mapping[str, list[Any]], settings: Settings
    ) -> tuple[int, int]:
        """The counts where each answer is validated with weights that its fold did not fit."""
        with tempfile.TemporaryDirectory() as folder:
            chosen = _by_fold(fits, rows, settings, Path(folder))
            return self.counts(lambda group: chosen[fold_of(group)])


def _by_fold(
    fits: Sequence[Fit[Any]], rows: Mapping[str, list[Any]], settings: Settings, folder: Path
) -> list[Settings]:
    """For each fold settings with weights that it did not fit."""
    chosen = []
    for fold in range(FOLDS):
        kept = {}
        for fit in fits:
            rest, _ = _split(rows[fit.name], fold, fit.group)
            kept[fit.name] = fit.fitted(rest, _best_ridge(fit, rest))
        path = folder / f"{fold}.json"
        write_json(path, document_of(kept, {}))
        chosen.append(settings.with_values({"weights": str(path)}))
        # Read before the folder goes.
        assert chosen[-1].weights_text
    return chosen
