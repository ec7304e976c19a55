"""The trained model: a weighted sum of the features, and the map from it to a probability.

``model.json`` is written by ``python -m training.train``; the same data gives the same bytes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import mul
from pathlib import Path
from typing import Any

from pytest_grounding.scorers.lexical.features import FEATURES


@dataclass(frozen=True, slots=True)
class Model:
    """A linear model with a logistic map.

    Attributes:
        intercept: what the sum starts from.
        weights: one for each of `FEATURES`, in their order.
        slope: of the map from the sum to log odds.
        offset: of the same map.
        conflict: how much of the log odds of the worst conflict, where they are above 0, a claim loses.
        number_ceiling: highest probability of a claim with a number that stands nowhere.
        nothing_ceiling: highest probability of a claim with telling words of which no sentence holds one.
        part_ceiling: highest probability of a claim with a noun, part, phrase or end that is strange.
    """

    intercept: float
    weights: tuple[float, ...]
    slope: float = 1.0
    offset: float = 0.0
    conflict: float = 0.0
    number_ceiling: float = 1.0
    nothing_ceiling: float = 1.0
    part_ceiling: float = 1.0

    def score(self, features: Sequence[float]) -> float:
        """The weighted sum: higher is better supported."""
        if len(features) != len(self.weights):
            raise ValueError(f"{len(features)} features, and weights for {len(self.weights)}")
        total: float = sum(map(mul, self.weights, features))
        return self.intercept + total

    def probability(self, features: Sequence[float], *, conflict: float = 0.0) -> float:
        """Probability that the claim is supported, in (0, 1).

        Args:
            features: as `features_of` gives them.
            conflict: log odds, as the verifier gives them, of the worst conflict; 0 where there is none.
        """
        odds = self.slope * self.score(features) + self.offset
        odds -= self.conflict * max(0.0, conflict)
        probability = logistic(odds)
        if features[_MISSING_NUMBER]:
            probability = min(probability, self.number_ceiling)
        if any(features[part] for part in _PARTS):
            # Scaled, not cut: which of two such claims is the better one stays to be seen.
            probability *= self.part_ceiling
        if not features[_WINDOW] and features[_MISSING_RUN] >= _TELLING_RUN:
            probability = min(probability, self.nothing_ceiling)
        return probability

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Model:
        """Read a model from the content of ``model.json``.

        Raises:
            ValueError: it was trained for other features than this version computes.
        """
        if list(data["weights"]) != list(FEATURES):
            raise ValueError("the model was trained for other features; run python -m training.train")
        rules = data["rules"]
        return cls(
            intercept=float(data["intercept"]),
            weights=tuple(float(value) for value in data["weights"].values()),
            slope=float(data["calibration"]["slope"]),
            offset=float(data["calibration"]["offset"]),
            conflict=float(rules["conflict"]),
            number_ceiling=float(rules["number_ceiling"]),
            nothing_ceiling=float(rules["nothing_ceiling"]),
            part_ceiling=float(rules["part_ceiling"]),
        )


_MISSING_NUMBER = list(FEATURES).index("missing_number")
_PARTS = tuple(
    list(FEATURES).index(name) for name in ("lacks_noun", "strange_part", "strange_phrase", "strange_end")
)
_WINDOW = list(FEATURES).index("window")
_MISSING_RUN = list(FEATURES).index("missing_run")
#: Feature `missing_run` of two words that are rare enough to tell; "this helps" has less.
_TELLING_RUN = math.log1p(10.0)


def logistic(value: float) -> float:
    """One over one plus e to the minus value, without overflow."""
    if value >= 0:
        return 1.0 / (1.0 + math.exp(-value))
    power = math.exp(value)
    return power / (1.0 + power)


@lru_cache(maxsize=1)
def shipped_model() -> Model:
    """The model that ships beside this module."""
    return Model.from_json(json.loads(Path(__file__).with_name("model.json").read_text(encoding="utf-8")))
