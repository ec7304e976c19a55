"""What a validation says of itself in the log."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_grounding._records import DEBUG, INFO, WARNING, Channel, log
from pytest_grounding._visible import one_line, terminal
from pytest_grounding._wording import decimals
from pytest_grounding.checks.base import CheckContext
from pytest_grounding.model.verdict import RetrievalVerdict, ScorerFailure, Verdict

_log = Channel("pytest_grounding.validation")
_of_citations = Channel("pytest_grounding.citations")
_of_retrieval = Channel("pytest_grounding.retrieval")
_of_scorers = Channel("pytest_grounding.scorers")


def tell_extraction(context: CheckContext) -> None:
    """What was taken out of an answer, for debugging."""
    if not _log.is_heard(DEBUG):
        return
    transcript = context.transcript
    checked = sum(claim.checked for claim in context.claims)
    log(
        _log,
        DEBUG,
        "extraction",
        "transcript %s: %d sentences, %d claims (%d checked), %d citations in %d characters, language %s",
        terminal(one_line(transcript.id)),
        len(context.sentences),
        len(context.claims),
        checked,
        len(context.citations),
        len(transcript.answer),
        terminal(one_line(context.language)),
        transcript_id=transcript.id,
        sentences=len(context.sentences),
        claims=len(context.claims),
        claims_checked=checked,
        citations=len(context.citations),
        markers=[[citation.syntax, citation.start, citation.end] for citation in context.citations],
        characters=len(transcript.answer),
        language=context.language,
        chunks=len(transcript.chunks),
        scorer=context.scorer.name,
    )


def tell_retrieval(retrieval: RetrievalVerdict, transcript_id: str = "") -> None:
    """What was decided on a retrieval: its rating, and each chunk.

    Args:
        retrieval: the verdict on it.
        transcript_id: the transcript that it belongs to; "" where there is none.
    """
    if not _of_retrieval.is_heard(INFO):
        return
    relevant = sum(item.relevant for item in retrieval.relevance)
    log(
        _of_retrieval,
        INFO,
        "retrieval",
        "%s: retrieval %s, %d of %d chunks relevant, answer %s, scored by %s",
        _named(transcript_id) or "a retrieval",
        retrieval.rating,
        relevant,
        len(retrieval.relevance),
        retrieval.answer_present,
        terminal(one_line(retrieval.scorer)) or "nobody",
        transcript_id=transcript_id or None,
        rating=retrieval.rating,
        question_type=retrieval.question_type,
        answer_present=retrieval.answer_present,
        relevant=relevant,
        chunks=len(retrieval.relevance),
        mean_relevance=retrieval.mean_relevance,
        mean_all=retrieval.mean_all,
        decisions=[[item.chunk_id, item.score, item.relevant] for item in retrieval.relevance],
        scorer=retrieval.scorer,
    )


def tell_failures(failures: Iterable[ScorerFailure], transcript_id: str = "") -> None:
    """That scorers or judges did not serve: who, and the class of the error; its message may quote texts.

    Args:
        failures: why; equal ones are told once.
        transcript_id: the transcript on which they failed; "" where there is none.
    """
    for failure in dict.fromkeys(failures) if _of_scorers.is_heard(WARNING) else ():
        log(
            _of_scorers,
            WARNING,
            "scorer_fallback",
            "%s: %s did not serve (%s)",
            _named(transcript_id) or "a retrieval",
            terminal(one_line(failure.scorer)) or "the scorer",
            terminal(one_line(failure.error)) or "no reason known",
            transcript_id=transcript_id or None,
            scorer=failure.scorer,
            error=failure.error,
        )


def tell_verdict(verdict: Verdict) -> None:
    """What validation found and decided."""
    if verdict.switched_off != ("validation",):
        tell_failures(verdict.fallbacks, verdict.id)
        tell_retrieval(verdict.retrieval, verdict.id)
        _tell_missing(verdict)
    tell_summary(verdict)


def _tell_missing(verdict: Verdict) -> None:
    """That an answer with claims cites no source at all."""
    if not any(finding.holds("missing_citations") for finding in verdict.findings):
        return
    checked = sum(claim.checked for claim in verdict.claims)
    log(
        _of_citations,
        WARNING,
        "missing_citations",
        "%s: no citation; %d claim%s checked, %d chunk%s retrieved",
        _named(verdict.id),
        checked,
        " was" if checked == 1 else "s were",
        len(verdict.retrieval.relevance),
        " was" if len(verdict.retrieval.relevance) == 1 else "s were",
        transcript_id=verdict.id,
        claims=checked,
        chunks=len(verdict.retrieval.relevance),
    )


def _named(transcript_id: str) -> str:
    return f"transcript {terminal(one_line(transcript_id))}" if transcript_id else ""


def tell_summary(verdict: Verdict) -> None:
    """What validation decided."""
    if not _log.is_heard(INFO):
        return
    # Deferred for cost: most runs do not log.
    from pytest_grounding.model.baseline import counts

    cited = [citation.valid for citation in verdict.citations if counts(citation)]
    log(
        _log,
        INFO,
        "summary",
        "transcript %s: %s (%s), confidence %s, %d hallucinated claims, %d of %d citations valid",
        terminal(one_line(verdict.id)),
        verdict.status,
        terminal(one_line(verdict.reason)),
        decimals(verdict.confidence),
        len(verdict.hallucinated),
        sum(cited),
        len(cited),
        transcript_id=verdict.id,
        status=verdict.status,
        reason=verdict.reason,
        confidence=verdict.confidence,
        hallucination_rate=verdict.hallucination_rate,
        hallucinations=len(verdict.hallucinated),
        citation_accuracy=verdict.citation_accuracy,
        citations_valid=sum(cited),
        citations_invalid=len(cited) - sum(cited),
        rules=sorted({finding.rule for finding in verdict.causes if finding.severity != "info"}),
        switched_off=list(verdict.switched_off),
        transcript_hash=verdict.transcript_hash,
        settings_hash=verdict.settings_hash,
    )
