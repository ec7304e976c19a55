"""Which answers the suite's figures on confidence are about, and how many of them have what is asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pytest_grounding._wording import measured
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings


@dataclass(frozen=True, slots=True)
class Confident:
    """Answers by their confidence.

    Attributes:
        asked: answers that must have a confidence: all but those of which a check is switched off, and those
            that no scorer could score, where the policy ``abstained`` lets that pass.
        confident: those that reach the limit, or whose low confidence a person accepted.
        without: those that have none.
    """

    asked: int
    confident: int
    without: int

    @classmethod
    def of(cls, verdicts: Iterable[Verdict], settings: Settings) -> Confident:
        """Count the verdicts of a suite."""
        asked = [verdict for verdict in verdicts if _is_asked(verdict, settings)]
        known = [(measured(verdict.confidence), verdict.waived is not None) for verdict in asked]
        limit = settings.suite_confidence
        return cls(
            asked=len(asked),
            confident=sum(is_waived or (value is not None and value >= limit) for value, is_waived in known),
            without=sum(value is None for value, _ in known),
        )


def _is_asked(verdict: Verdict, settings: Settings) -> bool:
    if verdict.switched_off:
        return False
    is_let_pass = settings.abstained != "fail" and not verdict.scored and verdict.status != "reject"
    return not (verdict.confidence is None and is_let_pass)
