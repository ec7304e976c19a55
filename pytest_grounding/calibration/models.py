"""The two small models of the engine as they are fitted to labels, and the file that holds them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from pytest_grounding.calibration.examples import Example
from pytest_grounding.calibration.ridge import fit_towards
from pytest_grounding.scorers.lexical.conflicts import frames
from pytest_grounding.scorers.lexical.conflicts.verifier import GROUPS, Line, shipped_verifier
from pytest_grounding.scorers.lexical.features import FEATURES
from pytest_grounding.scorers.lexical.model import Model, logistic, shipped_model
from pytest_grounding.scorers.lexical.weights import KIND, VERSION

#: Ceilings of claims with a part that no source backs, above the one that ships: labels may choose them.
_CEILINGS = (0.8, 0.9, 1.0)
_DIGITS = 4
_SMALL = 1e-6
#: Fewer candidates of a group leave its regression as it ships.
_LEAST_OF_GROUP = 20

Row = TypeVar("Row", contravariant=True)


class Fit(Protocol[Row]):
    """A model that can be fitted to rows."""

    @property
    def name(self) -> str:
        """The member of the file that holds it."""
        ...

    def group(self, row: Row) -> str:
        """The group of a row."""
        ...

    def fitted(self, rows: Sequence[Row], ridge: float) -> Any:
        """The model fitted to rows."""
        ...

    def losses(self, rows: Sequence[Row], model: Any) -> list[float]:
        """Log loss of each row; None is the model that ships."""
        ...


class SupportFit:
    """The model of support: rows are labelled claims."""

    name = "support"

    def group(self, row: Example) -> str:
        """The group of the answer."""
        return row.group

    def fitted(self, rows: Sequence[Example], ridge: float) -> Model:
        """Weights in log odds, pulled towards those that ship; then the ceiling that serves the rows best."""
        model = shipped_model()
        held = [
            model.slope * model.score(row.features) + model.offset - model.conflict * row.conflict
            for row in rows
        ]
        known = [model.slope * weight for weight in model.weights]
        bias, weights = fit_towards(
            [row.features for row in rows],
            [row.is_supported for row in rows],
            known,
            held,
            ridge=ridge,
            # Coverage never speaks against a claim, whatever a few hundred labels make it look like.
            signs=[-1 if weight < 0 else 1 for weight in known],
        )
        found = replace(
            model,
            intercept=round(model.intercept + bias / model.slope, _DIGITS),
            weights=tuple(round(weight / model.slope, _DIGITS) + 0.0 for weight in weights),
        )
        best, least = found, math.fsum(self.losses(rows, found))
        for ceiling in _CEILINGS:
            other = replace(found, part_ceiling=ceiling)
            loss = math.fsum(self.losses(rows, other))
            # A higher ceiling lets claims pass that the shipped one holds back: it must be worth it.
            if loss < least - 1.0:
                best, least = other, loss
        return best

    def losses(self, rows: Sequence[Example], model: Model | None) -> list[float]:
        """Log loss of the probability that a verdict shows."""
        judge = model or shipped_model()
        return [
            _loss(judge.probability(row.features, conflict=row.conflict), row.is_supported) for row in rows
        ]


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """A candidate for a conflict of a labelled claim.

    Attributes:
        group: group of the answer.
        kind: kind of the candidate.
        features: what the verifier sees.
        is_real: whether it is what people mean by the claim's contradiction.
    """

    group: str
    kind: str
    features: tuple[float, ...]
    is_real: bool


def conflict_rows(examples: Sequence[Example]) -> list[CandidateRow]:
    """Every candidate of a supported claim is none; of a contradicted claim the best bound one is real."""
    found = []
    for example in examples:
        if example.status == "supported":
            found += [CandidateRow(example.group, *item, is_real=False) for item in example.candidates]
        elif example.status == "contradicted" and example.candidates:
            # Strength and cover stand first.
            best = max(example.candidates, key=lambda item: (item[1][0] + item[1][1], item))
            found.append(CandidateRow(example.group, *best, is_real=True))
    return found


class ConflictFit:
    """The verifier of conflicts: rows are candidates."""

    name = "conflicts"

    def group(self, row: CandidateRow) -> str:
        """The group of the answer."""
        return row.group

    def fitted(self, rows: Sequence[CandidateRow], ridge: float) -> dict[str, Line]:
        """Both regressions in log odds, pulled towards those that ship; the thresholds stay."""
        verifier = shipped_verifier()
        lines = dict(verifier.lines)
        for name, kinds in GROUPS.items():
            own = [row for row in rows if row.kind in kinds]
            if len(own) < _LEAST_OF_GROUP:
                continue
            line = lines[name]
            bias, weights = fit_towards(
                [row.features for row in own],
                [row.is_real for row in own],
                line.weights,
                [verifier.log_odds(row.kind, row.features) for row in own],
                ridge=ridge,
                signs=[0] * len(line.weights),
            )
            rounded = tuple(round(weight, _DIGITS) + 0.0 for weight in weights)
            lines[name] = Line(round(line.intercept + bias, _DIGITS), rounded)
        return lines

    def losses(self, rows: Sequence[CandidateRow], model: Mapping[str, Line] | None) -> list[float]:
        """Log loss of the verifier's probability."""
        verifier = shipped_verifier()
        judge = verifier if model is None else replace(verifier, lines=model)
        return [_loss(logistic(judge.log_odds(row.kind, row.features)), row.is_real) for row in rows]


def _loss(probability: float, truth: bool) -> float:
    held = min(max(probability, _SMALL), 1.0 - _SMALL)
    return -math.log(held if truth else 1.0 - held)


def document_of(kept: Mapping[str, Any], told: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a file of weights.

    Args:
        kept: the fitted models by the member that holds them; what is not there stays as it ships.
        told: how they were made, for people.
    """
    document: dict[str, Any] = {
        "kind": KIND,
        "schema_version": VERSION,
        "about": "Weights fitted on labelled answers by pytest-grounding calibrate --weights",
        **told,
    }
    if "support" in kept:
        document["support"] = _support(kept["support"])
    if "conflicts" in kept:
        verifier = shipped_verifier()
        document["conflicts"] = {
            "lines": {
                name: {
                    "intercept": line.intercept,
                    "weights": dict(zip(frames.FEATURES, line.weights, strict=True)),
                }
                for name, line in kept["conflicts"].items()
            },
            "contradicted": dict(verifier.contradicted),
            "possible": verifier.possible,
        }
    return document


def _support(model: Model) -> dict[str, Any]:
    rules = ("conflict", "number_ceiling", "nothing_ceiling", "part_ceiling")
    return {
        "intercept": model.intercept,
        "weights": dict(zip(FEATURES, model.weights, strict=True)),
        "calibration": {"slope": model.slope, "offset": model.offset},
        "rules": {name: getattr(model, name) for name in rules},
    }
