"""What a line of the audit log holds, and how a verdict becomes one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from pytest_grounding._io.wording import measured
from pytest_grounding.model._base import Canonical, Model
from pytest_grounding.model.baseline_values import counts
from pytest_grounding.model.finding import Cause
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import CitationVerdict, Verdict
from pytest_grounding.rules import ORDER

AuditStatus = Literal["PASS", "REVIEW", "REJECT"]
NoteKind = Literal["repaired", "missed", "pruned"]

_STATUS: Mapping[str, AuditStatus] = {"pass": "PASS", "review": "REVIEW", "reject": "REJECT"}


class ValidationResult(Model):
    """The figures of one validation.

    Attributes:
        status: PASS, REVIEW or REJECT.
        citations_validated: citations that were found valid.
        citations_failed: citations that were not; both together are the citations of the answer. An entry
            of the response's list that the answer never mentions counts only where it is not valid.
        hallucinations_detected: claims that are unsupported or contradicted.
        confidence_score: the deciding confidence, in [0, 1]; None when it is not a number.
    """

    status: AuditStatus
    citations_validated: int
    citations_failed: int
    hallucinations_detected: int
    confidence_score: float | None


class AuditCitation(Model):
    """One citation of the answer, or a hallucinated claim that cites nothing.

    Attributes:
        claim: the claim that it belongs to, verbatim, or None.
        source: path of the file that is cited, of code or of a chunk with a path; else the id of the chunk
            that it resolved to, else what it points to. None for a claim that cites nothing.
        line_range: the lines that it cites, such as ``3-9``, or those of the chunk; None where unknown.
        validation_status: REJECT when an error rule failed on it, REVIEW for a warning, else PASS; of a
            claim that cites nothing REJECT where a source contradicts it, else REVIEW.
        semantic_score: support of the claim by what it cites, or by all chunks where it cites nothing, in
            [0, 1]; None where it was not scored.
    """

    claim: str | None
    source: str | None
    line_range: str | None
    validation_status: AuditStatus
    semantic_score: float | None


class FiredRule(Model):
    """A rule that found something.

    Attributes:
        rule: its name.
        severity: error, warning or info.
        count: how often it found something.
    """

    rule: str
    severity: Literal["error", "warning", "info"]
    count: int


class Entry(Canonical):
    """What every line of the log holds.

    Attributes:
        schema_version: version of the form of a line.
        sequence: number of the line in the whole log, from 1; it tells repeated validations apart.
        timestamp: when it was written, ISO 8601 in UTC.
        previous: ``hash`` of the line before it, or 64 zeros.
        hash: SHA-256 of the canonical JSON of all other fields.
    """

    schema_version: Literal[1] = 1
    sequence: int = Field(ge=1)
    timestamp: str
    previous: str = Field(pattern="^[0-9a-f]{64}$")
    hash: str = Field(pattern="^[0-9a-f]{64}$")


class AuditRecord(Entry):
    """One validation, besides what every `Entry` holds.

    Attributes:
        kind: validation.
        audit_id: equal for equal input and settings; ``sequence`` never is.
        session_id: name of the session, from the log or the transcript, or None.
        query: the question; None where only the verdict was at hand, as are the two ids below.
        response_id: name of the response, from the transcript's metadata.
        transcript_id: id of the transcript.
        transcript_hash: hash of its content.
        validation_result: the figures.
        citations: the citations, and the hallucinated claims that cite nothing.
        rules: the rules that found something.
        reason: why the verdict is what it is.
        processing_time_ms: how long validation took, in milliseconds, or None.
        model_version: the model that answered, from the transcript's metadata, or None.
        engine_version: version of the rules and weights that judged.
        settings_hash: hash of the settings that can change a verdict.
    """

    kind: Literal["validation"] = "validation"
    audit_id: str
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


class AuditNote(Entry):
    """A line that the log writes on itself.

    Attributes:
        kind: ``repaired`` (half a line of a writer that was killed was taken out), ``missed``
            (validations could not be written), ``pruned`` (old records were removed).
        message: what happened, for a person.
        details: the same as plain data.
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
    """The record of a verdict but for its place in the log."""
    if transcript is not None and transcript.id != verdict.id:
        raise ValueError(f"the verdict is on {verdict.id!r}, but the transcript is {transcript.id!r}")
    if processing_time_ms is not None and not 0 <= processing_time_ms < math.inf:
        raise ValueError(f"processing_time_ms = {processing_time_ms!r}; write milliseconds from 0")
    known = dict(transcript.metadata) if transcript is not None else {}
    cited = [item.valid for item in verdict.citations if counts(item)]
    return {
        "schema_version": 1,
        "kind": "validation",
        "audit_id": verdict.audit_id,
        "session_id": _text(known.get("session_id")) or session_id,
        "query": transcript.question if transcript is not None else None,
        "response_id": _text(known.get("response_id")),
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
            *(_citation(item, verdict, transcript) for item in verdict.citations),
            *_uncited(verdict),
        ],
        "rules": _fired(verdict.causes),
        "reason": verdict.reason,
        "processing_time_ms": None if processing_time_ms is None else round(float(processing_time_ms), 3),
        "model_version": _text(known.get("model_version")),
        "engine_version": verdict.engine_version,
        "settings_hash": verdict.settings_hash,
    }


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _fired(findings: Sequence[Cause]) -> list[dict[str, Any]]:
    counted = Counter((finding.rule, finding.severity) for finding in findings)
    order = sorted(counted, key=lambda key: (ORDER[key[1]], key[0]))
    return [{"rule": rule, "severity": level, "count": counted[rule, level]} for rule, level in order]


def _uncited(verdict: Verdict) -> Iterator[dict[str, Any]]:
    """The hallucinated claims that cite nothing: the list would not tell of them otherwise."""
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


def _citation(item: CitationVerdict, verdict: Verdict, transcript: Transcript | None) -> dict[str, Any]:
    claim = verdict.claims[item.claim].text if item.claim is not None else None
    doubtful = any(finding.severity == "warning" for finding in item.findings)
    return {
        "claim": claim,
        "source": _file(item, transcript) or item.chunk_id or item.path or item.target,
        "line_range": _line_range(item, transcript),
        "validation_status": "REJECT" if not item.valid else "REVIEW" if doubtful else "PASS",
        "semantic_score": measured(item.support),
    }


def _file(item: CitationVerdict, transcript: Transcript | None) -> str | None:
    """The file that is cited: as the source root or the chunk spells it, else as a citation of code does."""
    chunks = transcript.chunks if transcript is not None else ()
    known = next((chunk.metadata.path for chunk in chunks if chunk.id == item.chunk_id), None)
    if item.syntax != "code":
        return known
    path, colon, lines = item.target.rpartition(":")
    return item.path or known or (path if colon and lines[:1].isdigit() else item.target)


def _line_range(item: CitationVerdict, transcript: Transcript | None) -> str | None:
    """The lines that a citation of code names; else those of the chunk, where it knows them."""
    if item.syntax == "code":
        _, colon, lines = item.target.rpartition(":")
        if colon and lines[:1].isdigit():
            return lines
    chunks = transcript.chunks if transcript is not None and item.chunk_id is not None else ()
    for chunk in chunks:
        if chunk.id == item.chunk_id and chunk.metadata.line_start is not None:
            first, last = chunk.metadata.line_start, chunk.metadata.line_end
            return str(first) if last is None else f"{first}-{last}"
    return None
