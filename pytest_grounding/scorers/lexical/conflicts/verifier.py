"""The trained verifier: from what is known of a candidate to the chance that it is a real conflict."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import mul
from pathlib import Path
from typing import Any, get_args

from pytest_grounding.scorers.lexical.conflicts.frames import FEATURES
from pytest_grounding.scorers.lexical.conflicts.kinds import KINDS, Group

#: Which weights judge which kinds.
GROUPS: dict[str, frozenset[str]] = {
    group: frozenset(kind.name for kind in KINDS if kind.group == group) for group in get_args(Group)
}
_GROUP_OF = {kind: group for group, kinds in GROUPS.items() for kind in kinds}


@dataclass(frozen=True, slots=True)
class Line:
    """One logistic regression.

    Attributes:
        intercept: what the log odds start from.
        weights: one for each of `FEATURES`, in their order.
    """

    intercept: float
    weights: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Verifier:
    """Weights and thresholds.

    Attributes:
        lines: the regression of each of `GROUPS`.
        contradicted: for each kind the log odds from which a candidate is a contradiction.
        possible: log odds from which a candidate is worth a look.
    """

    lines: Mapping[str, Line]
    contradicted: Mapping[str, float]
    possible: float

    def log_odds(self, kind: str, features: Sequence[float]) -> float:
        """Log odds that a candidate is a real conflict."""
        line = self.lines[_GROUP_OF.get(kind, "others")]
        total: float = sum(map(mul, line.weights, features))
        return line.intercept + total

    def is_sure(self, kind: str, odds: float) -> bool:
        """Whether these log odds make a candidate of a kind a contradiction."""
        threshold = self.contradicted.get(kind)
        return threshold is not None and odds >= threshold

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Verifier:
        """Read the content of ``verifier.json``."""
        lines = {}
        for name in GROUPS:
            line = data["lines"][name]
            if list(line["weights"]) != list(FEATURES):
                raise ValueError(
                    "the verifier was trained for other features; run python -m training.verifier"
                )
            weights = tuple(float(value) for value in line["weights"].values())
            lines[name] = Line(float(line["intercept"]), weights)
        contradicted = {kind: float(value) for kind, value in data["contradicted"].items()}
        return cls(lines, contradicted, float(data["possible"]))


@lru_cache(maxsize=1)
def shipped_verifier() -> Verifier:
    """The verifier that ships beside this module."""
    file = Path(__file__).with_name("verifier.json")
    return Verifier.from_json(json.loads(file.read_text(encoding="utf-8")))
