"""The decision on one transcript: accept, retry or reject."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pytest_grounding._io.wording import counted
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.verdict import Rejection, Status
from pytest_grounding.settings import Settings

#: Reason for a transcript of which no claim was checked.
HALLUCINATION_OFF = "hallucination detection is switched off"
VALIDATION_OFF = "validation is switched off"

Recommendation = Literal["accept", "regenerate", "reject"]

_ADVICE: Mapping[Status, Recommendation] = {"pass": "accept", "review": "regenerate", "reject": "reject"}
_GRAVITY: tuple[Recommendation, ...] = ("accept", "regenerate", "reject")


def decide(
    *,
    confidence: float | None,
    hallucination_rate: float | None,
    support: str,
    findings: Sequence[Finding],
    settings: Settings,
    unread: str = "",
) -> tuple[Status, str]:
    """Decide on one transcript; ``unread`` is the reason why it could not be read and cannot pass."""
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        return "reject", f"{counted(len(errors), 'error')}: {errors[0].message}"
    # "not at least" instead of "below": a NaN must never pass.
    if confidence is not None and not confidence >= settings.reject_confidence:
        return "reject", f"confidence {confidence:.2f} is below {settings.reject_confidence}"
    if hallucination_rate is not None and not hallucination_rate <= settings.max_hallucination_rate:
        limit = settings.max_hallucination_rate
        return "reject", f"hallucination rate {hallucination_rate:.2f} is above {limit}"
    warnings = [finding for finding in findings if finding.severity == "warning"]
    if warnings:
        return "review", f"{counted(len(warnings), 'warning')}: {warnings[0].message}"
    if not settings.hallucination_detection:
        return "review", f"{HALLUCINATION_OFF}: no claim was checked"
    if confidence is None:
        return "pass", "no claim could be scored, which the settings or a waiver let pass: no confidence"
    if not confidence >= settings.accept_confidence:
        return "review", f"confidence {confidence:.2f} is below {settings.accept_confidence}"
    if support in {"partial", "none"}:
        return "review", "not every checked claim is supported"
    if unread:
        return "review", unread
    return "pass", f"confidence {confidence:.2f}, no error, no warning"


def advice(status: Status, detector: Recommendation | None) -> Recommendation | None:
    """The detector's recommendation, or the decision if that is stricter."""
    if detector is None:
        return None
    decided = _ADVICE[status]
    return max(decided, detector, key=_GRAVITY.index)


def rejection(
    *, status: Status, reason: str, findings: Sequence[Finding], partial_response: str, audit_id: str
) -> Rejection | None:
    """The answer that a service sends instead, or None if it was accepted."""
    if status == "pass":
        return None
    word: Literal["REVIEW", "REJECT"] = "REJECT" if status == "reject" else "REVIEW"
    suggestion = next((item.suggestion for item in findings if item.suggestion), "")
    return Rejection(
        status=word,
        reason=reason,
        suggestion=suggestion,
        partial_response=partial_response,
        audit_id=audit_id,
    )
