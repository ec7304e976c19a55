"""The lines of the audit log, and how a verdict becomes one."""

from __future__ import annotations

import math
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import Field

from pytest_grounding._io.wording import measured
from pytest_grounding.model.base import Canonical, Model
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import CitationVerdict, Verdict
from pytest_grounding.rules import ORDER

AuditStatus = Literal["PASS", "REVIEW", "REJECT"]
#: PASS was written by earlier versions.
CitationStatus = Literal["VALID", "REVIEW", "REJECT", "PASS"]
NoteKind = Literal["repaired", "missed", "pruned"]
_STATUS: Mapping[str, AuditStatus] = {"pass": "PASS", "review": "REVIEW", "reject": "REJECT"}


class ValidationResult(Model):
    """The figures of one validation.

    Attributes:
        citations_validated: number of valid citations.
        citations_failed: number of invalid ones; both together are the citations of the answer. An entry
            of the response's list that the answer never mentions counts only if it is invalid.
        hallucinations_detected: number of unsupported or contradicted claims.
        confidence_score: the deciding confidence, in [0, 1]; None if it is not a number.
    """

    status: AuditStatus
    citations_validated: int
    citations_failed: int
    hallucinations_detected: int
    confidence_score: float | None


class AuditCitation(Model):
    """One citation of the answer, or a hallucinated claim without a citation.

    Attributes:
        claim: the claim it belongs to, verbatim, or None.
        source: path of the cited file, of code or of a chunk with a path; otherwise the id of the chunk
            it resolved to, otherwise its target. None for a claim without a citation.
        line_range: the cited lines, such as ``3-9``, or those of the chunk; None if unknown.
        validation_status: REJECT if an error rule failed on it, REVIEW for a warning, otherwise VALID; for a
            claim without a citation REJECT if a source contradicts it, otherwise REVIEW.
        semantic_score: support of the claim by what it cites, or by all chunks if it cites nothing, in
            [0, 1]; None if it was not scored.
    """

    claim: str | None
    source: str | None
    line_range: str | None
    validation_status: CitationStatus
    semantic_score: float | None


class FiredRule(Model):
    """A rule, and the number of its findings."""

    rule: str
    severity: Literal["error", "warning", "info"]
    count: int


class LogEntry(Canonical):
    """The common fields of every line of the log.

    Attributes:
        sequence: number of the line in the whole log, from 1; repeated validations differ in it.
        timestamp: time of writing, ISO 8601 in UTC.
        previous: ``hash`` of the previous line, or 64 zeros.
        hash: SHA-256 of the canonical JSON of all other fields.
    """

    schema_version: Literal[1] = 1
    sequence: int = Field(ge=1)
    timestamp: str
    previous: str = Field(pattern="^[0-9a-f]{64}$")
    hash: str = Field(pattern="^[0-9a-f]{64}$")


class AuditRecord(LogEntry):
    """One validation, in addition to the fields of every `LogEntry`.

    Attributes:
        audit_id: of this record alone.
        verdict_id: ``audit_id`` of the verdict and of its rejection: equal for equal input and settings; ""
            in records of earlier versions, which have it as ``audit_id``.
        session_id: name of the session, from the log or the transcript, or None.
        query: the question; None if only the verdict was available, as for the two ids below.
        response_id: id of the response, from the transcript's metadata.
        citations: the citations, and the hallucinated claims without a citation.
        processing_time_ms: duration of the validation in milliseconds, or None.
        model_version: the model that answered, from the transcript's metadata, or None.
        engine_version: version of the rules and weights used.
        settings_hash: hash of the settings that can change a verdict.
    """

    kind: Literal["validation"] = "validation"
    audit_id: str
    verdict_id: str = ""
    session_id: str | None
    query: str | None
    response_id: str | None
    transcript_id: str
    transcript_hash: str
    validation_result: ValidationResult
    citations: tuple[AuditCitation, ...]
    rules: tuple[FiredRule, ...]
    reason: str
    processing_time_ms: float | None
    model_version: str | None
    engine_version: str
    settings_hash: str

    @property
    def status(self) -> AuditStatus:
        """PASS, REVIEW or REJECT."""
        return self.validation_result.status

    @property
    def names(self) -> tuple[str | None, ...]:
        """The ids by which it is found."""
        return self.transcript_id, self.audit_id, self.verdict_id, self.response_id


class AuditNote(LogEntry):
    """A line that the log writes about itself.

    Attributes:
        kind: ``repaired`` (half a line of a killed writer was removed), ``missed``
            (validations could not be written), ``pruned`` (old records were removed).
    """

    kind: NoteKind
    message: str
    details: Mapping[str, Any] = Field(default_factory=dict)


def draft(
    verdict: Verdict,
    transcript: Transcript | None = None,
    *,
    processing_time_ms: float | None = None,
    session_id: str | None = None,
) -> dict[str, Any]:
    """The record of a verdict, without its place in the log."""
    if transcript is not None and transcript.id != verdict.id:
        raise ValueError(f"the verdict is on {verdict.id!r}, but the transcript is {transcript.id!r}")
    if processing_time_ms is not None and not 0 <= processing_time_ms < math.inf:
        raise ValueError(f"processing_time_ms = {processing_time_ms!r}; write milliseconds from 0")
    metadata = dict(transcript.metadata) if transcript is not None else {}
    known = {key: str(value) for key, value in metadata.items() if value is not None}
    cited = [item.valid for item in verdict.citations if item.counts]
    fired = Counter((ORDER[item.severity], item.rule, item.severity) for item in verdict.causes)
    rules = [{"rule": key[1], "severity": key[2], "count": number} for key, number in sorted(fired.items())]
    return {
        "schema_version": 1,
        "kind": "validation",
        "audit_id": str(uuid.uuid4()),
        "verdict_id": verdict.audit_id,
        "session_id": known.get("session_id") or session_id,
        "query": transcript.question if transcript is not None else None,
        "response_id": known.get("response_id"),
        "transcript_id": verdict.id,
        "transcript_hash": verdict.transcript_hash,
        "validation_result": {
            "status": _STATUS[verdict.status],
            "citations_validated": sum(cited),
            "citations_failed": len(cited) - sum(cited),
            "hallucinations_detected": len(verdict.hallucinated),
            "confidence_score": measured(verdict.confidence),
        },
        "citations": [
            *(_cited_ids(item, verdict, transcript) for item in verdict.citations),
            *_uncited(verdict),
        ],
        "rules": rules,
        "reason": verdict.reason,
        "processing_time_ms": None if processing_time_ms is None else round(float(processing_time_ms), 3),
        "model_version": known.get("model_version"),
        "engine_version": verdict.engine_version,
        "settings_hash": verdict.settings_hash,
    }


def _uncited(verdict: Verdict) -> Iterator[dict[str, Any]]:
    cited = {item.claim for item in verdict.citations}
    for claim in verdict.hallucinated:
        if not claim.citations and claim.index not in cited:
            yield {
                "claim": claim.text,
                "source": None,
                "line_range": None,
                "validation_status": "REJECT" if claim.status == "contradicted" else "REVIEW",
                "semantic_score": measured(claim.support),
            }


def _cited_ids(item: CitationVerdict, verdict: Verdict, transcript: Transcript | None) -> dict[str, Any]:
    file, lines = _cited_place(item, transcript)
    status: CitationStatus = "VALID"
    if not item.valid:
        status = "REJECT"
    elif any(finding.severity == "warning" for finding in item.findings):
        status = "REVIEW"
    return {
        "claim": verdict.claims[item.claim].text if item.claim is not None else None,
        "source": file or item.chunk_id or item.path or item.target,
        "line_range": lines,
        "validation_status": status,
        "semantic_score": measured(item.support),
    }


def _cited_place(item: CitationVerdict, transcript: Transcript | None) -> tuple[str | None, str | None]:
    chunks = transcript.chunks if transcript is not None and item.chunk_id is not None else ()
    known = next((chunk.metadata for chunk in chunks if chunk.id == item.chunk_id), None)
    file, lines = (known.path, None) if known is not None else (None, None)
    if known is not None and known.line_start is not None:
        lines = str(known.line_start) + (f"-{known.line_end}" if known.line_end is not None else "")
    if item.syntax == "code":
        path, colon, cited = item.target.rpartition(":")
        has_lines = bool(colon) and cited[:1].isdigit()
        file = item.path or file or (path if has_lines else item.target)
        lines = cited if has_lines else lines
    return file, lines
