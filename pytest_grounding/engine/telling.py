"""What a validation says of itself in the log."""

from __future__ import annotations

import logging

from pytest_grounding._records import log
from pytest_grounding._visible import one_line, terminal
from pytest_grounding._wording import decimals
from pytest_grounding.checks.base import CheckContext
from pytest_grounding.model.verdict import Verdict

_log = logging.getLogger("pytest_grounding.validation")


def tell_extraction(context: CheckContext) -> None:
    """What was taken out of an answer, for debugging."""
    if not _log.isEnabledFor(logging.DEBUG):
        return
    transcript = context.transcript
    checked = sum(claim.checked for claim in context.claims)
    log(
        _log,
        logging.DEBUG,
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


def tell_summary(verdict: Verdict) -> None:
    """What validation decided."""
    if not _log.isEnabledFor(logging.INFO):
        return
    # Deferred for cost: most runs do not log.
    from pytest_grounding.model.baseline import counts

    cited = [citation.valid for citation in verdict.citations if counts(citation)]
    log(
        _log,
        logging.INFO,
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
