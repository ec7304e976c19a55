"""The decision on one transcript: accept, retry or reject; what failed; whether it counts in the figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pytest_grounding._io.wording import counted
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.transcript import EXPECTED_STATUS, Transcript
from pytest_grounding.model.verdict import (
    CitationVerdict,
    ClaimVerdict,
    Rejection,
    RetrievalVerdict,
    Status,
    Verdict,
)
from pytest_grounding.rules import having
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from pytest_grounding.suite.known_findings import KnownFindings

_MISSING = frozenset(having("missing"))
_BACKING = frozenset(having("backing"))
#: Cause found in the corpus -> what to fix.
_STAGES = {
    "retrieval_miss": "Retrieval",
    "ranked_too_low": "Ranking",
    "cut_by_chunking": "Chunking",
    "overreach": "Generation",
    "not_in_corpus": "Generation",
}
#: Reason for a transcript of which no claim was checked.
HALLUCINATION_OFF = "hallucination detection is switched off"
VALIDATION_OFF = "validation is switched off"
Recommendation = Literal["accept", "regenerate", "reject"]
_ADVICE: Mapping[Status, Recommendation] = {"pass": "accept", "review": "regenerate", "reject": "reject"}
_GRAVITY: tuple[Recommendation, ...] = ("accept", "regenerate", "reject")


def diagnose(
    *,
    status: Status,
    declined: bool,
    empty: bool,
    claims: Sequence[ClaimVerdict],
    citations: Sequence[CitationVerdict],
    retrieval: RetrievalVerdict,
    findings: Sequence[Finding] = (),
) -> str:
    """Name the step at which the transcript failed, or that none did."""
    if empty:
        return "Generation: the answer is empty."
    if declined:
        return _declined(retrieval)
    counting = [claim for claim in claims if claim.waived is None]
    if wrong := [claim for claim in counting if claim.status in {"unsupported", "contradicted"}]:
        return _rooted(wrong, findings) or _hallucinated(wrong, retrieval)
    if bad := [citation for citation in citations if not citation.valid]:
        return f"Citation: {counted(len(bad), 'citation')} of {len(citations)} cannot be right."
    if misplaced := _misplaced(claims, citations):
        return misplaced
    if any(claim.status == "abstained" for claim in counting):
        return "Scoring: some claims could not be scored."
    if status == "pass":
        if any(part.waived is not None for finding in findings for part in finding.parts):
            return "Nothing broke but what people waived."
        return "Nothing failed: the answer was retrieved and every checked claim is supported."
    serious = {part.rule for finding in findings for part in finding.parts if part.severity != "info"}
    if serious & _MISSING:
        return "Citation: the answer does not cite its sources."
    if "contradicted" in serious:
        return "Generation: a value differs from what was retrieved, in a claim that the judge supports."
    if "possible_conflict" in serious:
        return "Generation: a claim may contradict what was retrieved; compare the quotes."
    if serious & {"unknown_entity", "identifier_not_in_sources"}:
        return "Generation: the answer has a name that no source mentions."
    if "internal_contradiction" in serious:
        return "Generation: the answer contradicts itself."
    if _has_missed(retrieval):
        return "Retrieval missed the answer: no chunk is about the question."
    return "Nothing is unsupported, but the gate wants more: see the findings and the confidence."


def _has_missed(retrieval: RetrievalVerdict) -> bool:
    """Whether it is certain that no chunk states the answer: presence by words alone is often wrong."""
    return retrieval.answer_present == "none" and retrieval.rating == "poor"


def _declined(retrieval: RetrievalVerdict) -> str:
    if retrieval.answer_present == "full":
        return "Generation: declined although the answer was there."
    if _has_missed(retrieval):
        return "Retrieval missed the answer, and the answer rightly says so."
    return "Declined; it cannot be decided whether the answer was retrieved."


def _rooted(wrong: Sequence[ClaimVerdict], findings: Sequence[Finding]) -> str:
    causes = [part.details["cause"] for item in findings for part in item.parts if "cause" in part.details]
    if not causes:
        return ""
    kinds = [cause["kind"] for cause in causes]
    most = max(kinds, key=kinds.count)
    cause = causes[kinds.index(most)]
    return f"{_STAGES[most]}: {cause['message']} ({counted(kinds.count(most), 'claim')} of {len(wrong)})."


def _hallucinated(wrong: Sequence[ClaimVerdict], retrieval: RetrievalVerdict) -> str:
    if contradicted := [claim for claim in wrong if claim.status == "contradicted"]:
        chunk = contradicted[0].conflicts[0].evidence.chunk_id if contradicted[0].conflicts else "?"
        claims = counted(len(contradicted), "claim")
        return f"Generation: the answer contradicts what was retrieved ({claims}, see chunk {chunk})."
    claims = counted(len(wrong), "claim")
    if _has_missed(retrieval):
        return f"Retrieval missed the answer, and it was answered although it was not there ({claims})."
    return f"Generation: the answer ignored what was retrieved ({claims} without a source)."


def _misplaced(claims: Sequence[ClaimVerdict], citations: Sequence[CitationVerdict]) -> str:
    for citation in citations:
        name = citation.text or citation.target
        for finding in citation.findings:
            if finding.waived is not None or "judge" in finding.details:
                continue  # overruled by a person or a judge
            if finding.rule in _BACKING:
                own = [c.sources[0].chunk_id for c in claims if c.index == citation.claim and c.sources]
                is_said = own and own[0] not in ("", citation.chunk_id)
                other = f"; chunk {own[0]} backs the claim" if is_said else ""
                return f"Citation: {name} cites the wrong chunk{other}."
            if finding.rule == "content_match":
                return f"Citation: {name} quotes words that are not in the source."
    return ""


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
    if errors := [finding for finding in findings if finding.severity == "error"]:
        return "reject", f"{counted(len(errors), 'error')}: {errors[0].message}"
    # "not at least" instead of "below": a NaN must never pass.
    if confidence is not None and not confidence >= settings.reject_confidence:
        return "reject", f"confidence {confidence:.2f} is below {settings.reject_confidence}"
    if hallucination_rate is not None and not hallucination_rate <= settings.max_hallucination_rate:
        limit = settings.max_hallucination_rate
        return "reject", f"hallucination rate {hallucination_rate:.2f} is above {limit}"
    if warnings := [finding for finding in findings if finding.severity == "warning"]:
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
    return None if detector is None else max(_ADVICE[status], detector, key=_GRAVITY.index)


def rejection(
    *, status: Status, reason: str, findings: Sequence[Finding], partial_response: str, audit_id: str
) -> Rejection | None:
    """The answer that a service sends instead, or None if it was accepted."""
    if status == "pass":
        return None
    word: Literal["REVIEW", "REJECT"] = "REJECT" if status == "reject" else "REVIEW"
    suggestion = next((item.suggestion for item in findings if item.suggestion), "")
    return Rejection.built(
        status=word,
        reason=reason,
        suggestion=suggestion,
        partial_response=partial_response,
        audit_id=audit_id,
    )


@dataclass(frozen=True, slots=True)
class GateOutcome:
    """The outcome of one transcript."""

    verdict: Verdict
    transcript: Transcript | None = None
    wanted: Status | None = None
    failure: Literal["", "known", "failed"] = ""
    elapsed_ms: float | None = None

    @property
    def is_failed(self) -> bool:
        """It fails, for other reasons than known findings of the baseline."""
        return self.failure == "failed"

    @property
    def is_expected(self) -> bool:
        """It is bad as its author expects, so it counts in no figure."""
        return self.wanted == self.verdict.status != "pass" and not self.verdict.skipped


def failing_statuses(settings: Settings) -> frozenset[Status]:
    """The statuses that fail on their own, per ``fail_on``."""
    return frozenset({"reject"}) if settings.fail_on == "reject" else frozenset({"reject", "review"})


def fails(verdict: Verdict, settings: Settings) -> bool:
    """Whether a transcript fails on its own, whatever its author expects."""
    return not verdict.skipped and verdict.status in failing_statuses(settings)


def wanted_status(transcript: Transcript) -> Status | None:
    """The status expected by the author of a transcript: its metadata's ``expected_status``, or None."""
    wanted = transcript.metadata.get(EXPECTED_STATUS)
    return wanted if wanted in ("pass", "review", "reject") else None


def outcome_of(
    verdict: Verdict,
    settings: Settings,
    *,
    transcript: Transcript | None = None,
    wanted: Status | None = None,
    known: KnownFindings | None = None,
    elapsed_ms: float | None = None,
) -> GateOutcome:
    """The outcome of a transcript with this verdict."""
    wanted = wanted if transcript is None else wanted_status(transcript)
    failure: Literal["", "known", "failed"] = ""
    is_wrong = fails(verdict, settings) if wanted is None else verdict.status != wanted
    if is_wrong and not verdict.skipped:
        # If another verdict was expected, no known finding of the baseline excuses this one.
        is_known = wanted in (None, "pass") and known is not None and known.excuses(verdict)
        failure = "known" if is_known else "failed"
    return GateOutcome(verdict, transcript, wanted, failure, elapsed_ms)
