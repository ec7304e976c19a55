"""Which answers the suite's figures on confidence are about."""

from __future__ import annotations

from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings


def is_asked(verdict: Verdict, settings: Settings) -> bool:
    """Whether an answer must have a confidence."""
    if verdict.switched_off:
        return False
    is_let_pass = settings.abstained != "fail" and not verdict.scored and verdict.status != "reject"
    return not (verdict.confidence is None and is_let_pass)
