"""Error findings for a transcript that is too large, or on which the pipeline fails."""

from __future__ import annotations

import os
from collections.abc import Callable
from traceback import walk_tb
from typing import Any, TypeVar

from pytest_grounding._io.wording import one_line
from pytest_grounding.engine import registry
from pytest_grounding.engine.pipeline import ENGINE_VERSION
from pytest_grounding.engine.transcript_input import excess
from pytest_grounding.errors import GroundingError, TooLargeError, UncheckedError
from pytest_grounding.gate import VALIDATION_OFF, rejection
from pytest_grounding.gate.confidence import none_of
from pytest_grounding.model.finding import Finding, finding_of
from pytest_grounding.model.transcript import Transcript, recorded_hash
from pytest_grounding.model.verdict import (
    Judgement,
    RetrievalVerdict,
    ScorerFailure,
    SelfRag,
    Status,
    Verdict,
)
from pytest_grounding.rules import having
from pytest_grounding.settings import Settings

#: Environment variable, and its value, that makes errors of this package propagate.
VARIABLE, RAISE = "GROUNDING_INTERNAL_ERRORS", "raise"
UNCHECKED = having("unchecked")  # rules of the verdicts made here
_SHOWN = 200
_PACKAGE = __name__.partition(".")[0]
Result = TypeVar("Result")
Pipeline = Callable[[Transcript, Settings], Verdict]


def guarded(transcript: Transcript, settings: Settings, pipeline: Pipeline) -> Verdict:
    """Run the pipeline; return a rejecting verdict if it fails or the transcript is too large."""
    if not settings.enabled:
        # Nothing was checked, nothing is approved.
        reason = f"{VALIDATION_OFF}: nothing was checked"
        finding = finding_of("switched_off", settings, reason)
        verdict = _unmeasured(transcript, settings, finding, "review", reason)
        return verdict.model_copy(update={"switched_off": ("validation",)})

    def checked() -> Verdict:
        if too_large := excess(transcript):
            raise TooLargeError(too_large)
        return pipeline(transcript, settings)

    return _caught(checked, lambda error: _refused(transcript, settings, _fault(error, settings)))


def _caught(call: Callable[[], Result], fallback: Callable[[Exception], Result]) -> Result:
    try:
        return call()
    except Exception as error:
        is_ours = isinstance(error, GroundingError) and not isinstance(error, TooLargeError)
        if is_ours or (is_raising() and not isinstance(error, TooLargeError)):
            raise
        return fallback(error)


def with_fallback(call: Callable[[], Result], fallback: Callable[[str], Result]) -> Result:
    """The result of a call; if it fails, the result for the reason in words."""

    def reason(error: Exception) -> str:
        is_large = isinstance(error, TooLargeError)
        return f"too large to finish: {error}" if is_large else f"internal error: {_named(error)}"

    return _caught(call, lambda error: fallback(reason(error)))


def is_unchecked(verdict: Verdict) -> bool:
    """Whether a verdict is about a transcript that was not checked at all."""
    return any(finding.rule in UNCHECKED for finding in verdict.causes)


def is_raising() -> bool:
    """Whether errors of this package propagate, as in its own tests."""
    return os.environ.get(VARIABLE) == RAISE


def _fault(error: Exception, settings: Settings) -> Finding:
    if isinstance(error, TooLargeError):
        advice = "give the passages that the answer was made from, and validate a long answer in parts"
        return finding_of("too_large", settings, f"too large to finish: {error}", advice)
    said = f"a defect of {_PACKAGE} kept this answer from being checked: {_named(error)}"
    advice = "report it with this transcript; nothing of this answer was checked"
    details = {"error": type(error).__name__, "where": _place(error)}
    return finding_of("internal_error", settings, said, advice, details=details)


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {one_line(str(error)[: 2 * _SHOWN], _SHOWN)} (in {_place(error)})"


def _place(error: Exception) -> str:
    """The innermost function of this package in a traceback; its line would change with releases."""
    for frame, _ in reversed(list(walk_tb(error.__traceback__))):
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith(_PACKAGE):
            return f"{module}.{frame.f_code.co_qualname}"
    return _PACKAGE


def _refused(transcript: Transcript, settings: Settings, finding: Finding) -> Verdict:
    """A verdict without any check: rejected, without figures and confidence."""
    verdict = _unmeasured(transcript, settings, finding, "reject", f"1 error: {finding.message}")
    payload = rejection(
        status=verdict.status,
        reason=verdict.reason,
        findings=verdict.findings,
        partial_response="",
        audit_id=verdict.audit_id,
    )
    return verdict.model_copy(update={"rejection": payload, "recommendation": "reject"})


def _unmeasured(
    transcript: Transcript, settings: Settings, finding: Finding, status: Status, reason: str
) -> Verdict:
    note = none_of(settings.confidence_model, finding.message)
    unknown = Judgement(value="unknown", reason=finding.message)
    shares = ("hallucination_rate", "citation_accuracy", "citation_precision", "citation_recall")
    unmeasured: dict[str, Any] = dict.fromkeys(("confidence", "recommendation", *shares))
    return Verdict(
        id=transcript.id,
        transcript_hash=recorded_hash(transcript),
        settings_hash=settings.fingerprint,
        engine_version=ENGINE_VERSION,
        status=status,
        reason=reason,
        confidence_model=note.model,
        confidences={},
        confidence_breakdown=note,
        breakdowns={note.model: note},
        declined=False,
        uncertain=False,
        scored=False,
        claims=(),
        citations=(),
        findings=(finding,),
        retrieval=unread_retrieval(finding.message),
        self_rag=SelfRag(relevance=unknown, support=unknown, usefulness=unknown),
        diagnosis=f"Not checked: {finding.message}.",
        counts={},
        recorded_on=transcript.recorded_on,
        reported_confidence=transcript.reported_confidence,
        reported_missing=transcript.reported_missing,
        **unmeasured,
    )


def unread_retrieval(reason: str) -> RetrievalVerdict:
    """The retrieval verdict of a retrieval that could not be judged."""
    return RetrievalVerdict(
        rating="poor",
        reason=reason,
        question_type="other",
        answer_present="abstain",
        presence_reason=reason,
        scorer=registry.builtin_scorer().name,
        scorer_failures=(ScorerFailure(scorer="", error=UncheckedError.__name__, message=reason),),
    )
