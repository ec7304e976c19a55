"""All that the page shows of one transcript, as plain data."""

from __future__ import annotations

import re
import shlex
from itertools import pairwise
from typing import Any

from pytest_grounding._io.wording import measured
from pytest_grounding.citations.naming import place_in, title_of
from pytest_grounding.citations.syntax import source_url
from pytest_grounding.gate.waivers import NEVER_WAIVED
from pytest_grounding.model.finding import Cause, Evidence, Finding, Waived
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.model.verdict import CitationVerdict, ClaimVerdict, ConfidenceBreakdown, Verdict
from pytest_grounding.reports import figure_lines as figures
from pytest_grounding.reports.escaping import visible
from pytest_grounding.reports.explanation import fact_lines
from pytest_grounding.rules import RULES
from pytest_grounding.settings import Settings

# A quoted word reaches the shell as it is; it must not contain what a terminal hides or acts upon.
_UNFIT = re.compile(r"[^ -~\u00a1-\uffff]")
_LONGEST_CHUNK = 20_000  # most characters of one chunk that are embedded; the rest is counted
_EVIDENCE = 3


def waive_command(finding: Cause, verdict: Verdict) -> str:
    """The command line that waives a finding, or "" if it cannot be waived."""
    if finding.severity == "info" or finding.waived is not None or finding.rule in NEVER_WAIVED:
        return ""
    if finding.claim is not None:
        return _command(verdict, f"--claim={finding.claim + 1}")
    return _command(verdict, f"--rule={finding.rule}")


def waive_confidence(verdict: Verdict) -> str:
    """The command line that accepts a confidence if nothing else keeps an answer from passing, else ""."""
    grave = any(finding.severity != "info" for finding in verdict.findings)
    is_held = verdict.status != "pass" and not verdict.skipped and not grave
    return _command(verdict, "--rule=low_confidence") if is_held else ""


def _command(verdict: Verdict, which: str) -> str:
    words = [verdict.source or "", f"--id={verdict.id}", which]
    if not verdict.source or any(_UNFIT.search(word) or visible(word) != word for word in words):
        return ""
    return f"pytest-grounding waive {shlex.join(words)} --reason 'WHY'"


def detail(
    verdict: Verdict, transcript: Transcript | None, settings: Settings | None = None
) -> dict[str, Any]:
    """All data shown of a transcript."""
    chunks = transcript.chunks if transcript is not None else ()
    number = {chunk.id: index for index, chunk in enumerate(chunks)}
    checks = [(name, getattr(verdict.self_rag, name)) for name in ("relevance", "support", "usefulness")]
    return {
        **_exchange_data(verdict, transcript),
        "place": f"{verdict.source}:{verdict.line or 1}" if verdict.source else "",
        "reason": verdict.reason,
        "diagnosis": verdict.diagnosis,
        "claims": [_claim_data(item, number) for item in verdict.claims],
        "citations": [_citation_data(item, number) for item in verdict.citations],
        "chunks": [_chunk_data(chunk, verdict, settings or Settings()) for chunk in chunks],
        "findings": [_finding_data(item, verdict) for item in verdict.findings],
        "waive": waive_confidence(verdict),
        "waived": _waiver_data(verdict.waived),
        "confidence": _confidence_data(verdict.confidence_breakdown),
        "retrieval": [verdict.retrieval.rating, verdict.retrieval.reason],
        "presence": [verdict.retrieval.answer_present, verdict.retrieval.presence_reason],
        "checks": [[name, item.value, item.reason] for name, item in checks],
        "off": verdict.switched_off,
    }


def _exchange_data(verdict: Verdict, transcript: Transcript | None) -> dict[str, Any]:
    if transcript is None:
        return {"question": None, "answer": None}
    return {"question": transcript.question, "answer": _answer_marks(verdict, transcript.answer)}


def _finding_data(finding: Finding, verdict: Verdict) -> dict[str, Any]:
    # One command waives all findings on a claim; it is shown with the first of them.
    own = finding.claim is None
    return {
        **_part_data(finding, waive_command(finding, verdict)),
        "suggestion": finding.suggestion,
        "causes": [
            _part_data(cause, waive_command(cause, verdict) if own else "") for cause in finding.causes
        ],
    }


def _part_data(part: Cause, command: str) -> dict[str, Any]:
    rule = RULES.get(part.rule)
    return {
        "severity": part.severity if part.waived is None else part.waived.severity,
        "rule": part.rule,
        "about": "" if rule is None else f"{rule.title}. {rule.advice}",
        "message": part.message,
        "waived": _waiver_data(part.waived),
        "waive": command,
    }


def _waiver_data(waived: Waived | None) -> list[str] | None:
    return None if waived is None else [waived.reason, waived.by, waived.day]


def _answer_marks(verdict: Verdict, answer: str) -> list[list[Any]]:
    length = len(answer)
    claims = [item for item in verdict.claims if 0 <= item.start < item.end <= length]
    marks: dict[tuple[int, int], list[int]] = {}
    behind: dict[int, list[int]] = {}
    for item in verdict.citations:
        if not 0 <= item.start < item.end <= length:
            continue
        if item.syntax == "provider":
            behind.setdefault(item.end, []).append(item.index)
        else:
            marks.setdefault((item.start, item.end), []).append(item.index)
    edges = {0, length, *behind}
    edges.update(edge for item in claims for edge in (item.start, item.end))
    edges.update(edge for span in marks for edge in span)
    owner = [-1] * length
    for claim in sorted(claims, key=lambda claim: claim.start - claim.end):
        owner[claim.start : claim.end] = [claim.index] * (claim.end - claim.start)
    marked: dict[int, tuple[int, int]] = {}
    last = 0
    for span in sorted(marks):
        if span[0] >= last:
            marked.update(dict.fromkeys(range(*span), span))
            last = span[1]
    found: list[list[Any]] = []
    for start, end in pairwise(sorted(edges)):
        held = marked.get(start)
        if held is None or held[0] == start:
            first, last = held or (start, end)
            found.append([answer[first:last], owner[start], marks.get((first, last), [])])
        if end in behind:
            found.append(["", owner[end - 1], behind[end]])
    return found


def _claim_data(claim: ClaimVerdict, number: dict[str, int]) -> dict[str, Any]:
    opinions = figures.opinions_of(claim)
    return {
        "text": claim.text,
        "status": claim.status,
        "kind": claim.kind,
        "method": claim.method or "",
        "waived": _waiver_data(claim.waived),
        "support": claim.support,
        "reason": claim.reason or claim.skip_reason,
        "missing": claim.missing_words,
        "facts": fact_lines(claim),
        **({"opinions": opinions} if opinions else {}),
        "citations": claim.citations,
        "evidence": [_evidence_data(item, number) for item in claim.evidence[:_EVIDENCE]],
        "conflicts": [
            {
                "message": item.message or item.kind,
                "claim": item.claim_text,
                "source": item.evidence_text,
                "evidence": _evidence_data(item.evidence, number),
            }
            for item in claim.conflicts
        ],
    }


def _evidence_data(item: Evidence, number: dict[str, int]) -> dict[str, Any]:
    return {
        "text": item.text,
        "chunk": number.get(item.chunk_id, -1),
        "id": item.chunk_id,
        "sentence": item.sentence_index,
        "score": item.score,
    }


def _citation_data(citation: CitationVerdict, number: dict[str, int]) -> dict[str, Any]:
    found = citation.findings
    return {
        "text": citation.text,
        "target": citation.target,
        "syntax": citation.syntax,
        "path": citation.path or "",
        "valid": citation.valid,
        "chunk": number.get(citation.chunk_id or "", -1),
        "findings": [[item.severity, item.rule, item.message] for item in found],
    }


def _chunk_data(chunk: Chunk, verdict: Verdict, settings: Settings) -> dict[str, Any]:
    relevance = {item.chunk_id: item for item in reversed(verdict.retrieval.relevance)}.get(chunk.id)
    known = chunk.metadata.model_dump(exclude_none=True, mode="json")
    return {
        "id": chunk.id,
        "label": title_of(chunk, settings),
        "place": place_in(chunk.metadata),
        # Only http and https: following a link of another scheme could run a script.
        "url": source_url(chunk, settings) or "",
        "score": chunk.score,
        "relevance": getattr(relevance, "score", None),
        "relevant": getattr(relevance, "relevant", None),
        "text": _stretches(chunk, verdict),
        "left": max(len(chunk.text) - _LONGEST_CHUNK, 0),
        "metadata": [[name, str(value)] for name, value in known.items()],
    }


def _stretches(chunk: Chunk, verdict: Verdict) -> list[list[Any]]:
    length = min(len(chunk.text), _LONGEST_CHUNK)
    spans: dict[tuple[int, int], list[int]] = {}
    for claim in verdict.claims:
        for item in (*claim.evidence[:_EVIDENCE], *(item.evidence for item in claim.conflicts)):
            if item.chunk_id == chunk.id and 0 <= item.start < item.end <= length:
                claims = spans.setdefault((item.start, item.end), [])
                if claim.index not in claims:
                    claims.append(claim.index)
    edges = sorted({0, length, *(edge for span in spans for edge in span)})
    found = []
    for start, end in pairwise(edges):
        owners = {index for span, held in spans.items() if span[0] <= start < span[1] for index in held}
        found.append([chunk.text[start:end], sorted(owners)])
    return found


def _confidence_data(breakdown: ConfidenceBreakdown) -> dict[str, Any]:
    return {
        "model": breakdown.model,
        "value": measured(breakdown.value),
        "raw": measured(breakdown.raw),
        "terms": [
            [item.name, measured(item.value), measured(item.weight), item.reason] for item in breakdown.terms
        ],
        "ceiling": breakdown.ceiling,
        "why": breakdown.ceiling_reason,
        "notes": breakdown.notes,
    }
