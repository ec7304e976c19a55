"""Error findings for a transcript that is too large, or on which the pipeline fails."""

from __future__ import annotations

import os
from collections.abc import Callable
from traceback import walk_tb
from typing import TypeVar

from pytest_grounding._io.jsonio import content_hash
from pytest_grounding._io.wording import one_line
from pytest_grounding.engine import registry
from pytest_grounding.engine.pipeline import ENGINE_VERSION
from pytest_grounding.engine.transcript_input import excess
from pytest_grounding.errors import GroundingError, TooLargeError, UncheckedError
from pytest_grounding.gate import VALIDATION_OFF, rejection
from pytest_grounding.gate.confidence import none_of
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.transcript import Transcript
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
#: Rules of the verdicts made here.
UNCHECKED = having("unchecked")
_SHOWN = 200
_PACKAGE = __name__.partition(".")[0]
Result = TypeVar("Result")
Pipeline = Callable[[Transcript, Settings], Verdict]


def guarded(transcript: Transcript, settings: Settings, pipeline: Pipeline) -> Verdict:
    """Run the pipeline; return a rejecting verdict if it fails or the transcript is too large."""
    if not settings.enabled:
        # Nothing was checked, nothing is approved.
        reason = f"{VALIDATION_OFF}: nothing was checked"
        finding = Finding(rule="switched_off", severity="info", message=reason)
        verdict = _unmeasured(transcript, settings, finding, "review", reason)
        return verdict.model_copy(update={"switched_off": ("validation",)})
    too_large = excess(transcript)
    if too_large:
        return _refused(transcript, settings, _too_large(too_large))
    try:
        return pipeline(transcript, settings)
    except TooLargeError as error:
        return _refused(transcript, settings, _too_large(str(error)))
    except GroundingError:
        raise
    except Exception as error:
        if is_raising():
            raise
        return _refused(transcript, settings, _broken(error))


def otherwise(call: Callable[[], Result], fallback: Callable[[str], Result]) -> Result:
    """The result of a call; if it fails, the result for the reason in words."""
    try:
        return call()
    except TooLargeError as error:
        return fallback(f"too large to finish: {error}")
    except GroundingError:
        raise
    except Exception as error:
        if is_raising():
            raise
        return fallback(f"internal error: {_named(error)}")


def is_unchecked(verdict: Verdict) -> bool:
    """Whether a verdict is about a transcript that was not checked at all."""
    return any(finding.rule in UNCHECKED for finding in verdict.causes)


def is_raising() -> bool:
    """Whether errors of this package propagate, as in its own tests."""
    return os.environ.get(VARIABLE) == RAISE


def _too_large(reason: str) -> Finding:
    advice = "give the passages that the answer was made from, and validate a long answer in parts"
    said = f"too large to finish: {reason}"
    return Finding(rule="too_large", severity="error", message=said, suggestion=advice)


def _broken(error: Exception) -> Finding:
    return Finding(
        rule="internal_error",
        severity="error",
        message=f"a defect of {_PACKAGE} kept this answer from being checked: {_named(error)}",
        suggestion="report it with this transcript; nothing of this answer was checked",
        details={"error": type(error).__name__, "where": _place(error)},
    )


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
    """A verdict with one finding and no figures."""
    recorded_hash = content_hash(transcript.model_dump(mode="json"))
    note = none_of(settings.confidence_model, finding.message)
    unknown = Judgement(value="unknown", reason=finding.message)
    return Verdict(
        id=transcript.id,
        transcript_hash=recorded_hash,
        settings_hash=settings.fingerprint,
        engine_version=ENGINE_VERSION,
        status=status,
        reason=reason,
        confidence=None,
        confidence_model=note.model,
        confidences={},
        confidence_breakdown=note,
        breakdowns={note.model: note},
        hallucination_rate=None,
        citation_accuracy=None,
        citation_precision=None,
        citation_recall=None,
        recommendation=None,
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
