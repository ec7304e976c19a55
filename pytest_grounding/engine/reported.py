"""What a pipeline says of its own answer, against what was found."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pytest_grounding._visible import one_line
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.transcript import REPORTED_CONFIDENCE, Transcript
from pytest_grounding.model.verdict import RetrievalVerdict
from pytest_grounding.rules import graded
from pytest_grounding.settings import Settings

_DIGITS = 9
#: How far a reported confidence may be from the computed one.
MOST_DIFFERENCE = 0.3
_SHOWN = 200


def self_report_findings(
    transcript: Transcript,
    settings: Settings,
    retrieval: RetrievalVerdict,
    confidence: float | None,
    *,
    declined: bool,
) -> list[Finding]:
    """Where the pipeline is wrong about itself."""
    if not settings.enabled:
        return []
    found = _unreadable(transcript)
    if declined or not transcript.answer.strip():
        return found
    reported = transcript.reported_confidence
    if reported is not None and confidence is not None and math.isfinite(confidence):
        difference = round(reported - confidence, _DIGITS)
        if abs(difference) > MOST_DIFFERENCE:
            word = "more" if difference > 0 else "less"
            found.append(
                Finding(
                    rule="confidence_differs",
                    severity=graded("confidence_differs", settings),
                    message=f"the pipeline reports a confidence of {reported:.2f}, "
                    f"{abs(difference):.2f} {word} than the {confidence:.2f} that was computed",
                    suggestion="do not show it to users as it is, or calibrate the pipeline's own figure",
                    details={"reported": reported, "computed": confidence, "difference": difference},
                )
            )
    if transcript.reported_missing == () and retrieval.answer_present == "none":
        found.append(
            Finding(
                rule="missing_unsaid",
                severity=graded("missing_unsaid", settings),
                message="the pipeline says that nothing is missing, but no chunk states what was asked",
                suggestion="let the prompt name what the sources do not say",
            )
        )
    return found


def _unreadable(transcript: Transcript) -> list[Finding]:
    """That the metadata holds a confidence that is no number from 0 to 1, where there is no other."""
    if transcript.reported_confidence is not None:
        return []
    given = [(name, transcript.metadata.get(name)) for name in REPORTED_CONFIDENCE]
    name, value = next(((name, value) for name, value in given if value is not None), ("", None))
    if value is None:
        return []
    return [
        Finding(
            rule="confidence_unreadable",
            severity="info",
            message=f"metadata.{name} is {one_line(repr(value), 40)}, which is no number from 0 to 1",
            suggestion="record it as a number from 0 to 1, best in the field confidence",
        )
    ]


def explained(
    diagnosis: str, missing: Sequence[str] | None, *, declined: bool, answer_present: str, status: str
) -> str:
    """The diagnosis with what the pipeline itself says is missing, where something is."""
    if not missing or (not declined and answer_present == "full" and status == "pass"):
        return diagnosis
    return f"{diagnosis} The pipeline says what is missing: “{one_line('; '.join(missing), _SHOWN)}”."
