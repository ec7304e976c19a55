"""Provisional: the citation rules until the room's own file stands here. Overwrite me."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_grounding.checks.base import CheckContext
from pytest_grounding.model.verdict import CitationVerdict, Finding


@dataclass(frozen=True, slots=True)
class CitationOutcome:
    """What the rules found."""

    citations: tuple[CitationVerdict, ...]
    findings: tuple[Finding, ...]
    accuracy: float | None
    precision: float | None
    recall: float | None
    claim_citations: tuple[tuple[int, ...], ...]


def check(context: CheckContext, *, reader: object = None) -> CitationOutcome:
    """Provisional: does the source exist."""
    verdicts, findings = [], []
    by_claim: list[list[int]] = [[] for _ in context.claims]
    for i, (c, owner) in enumerate(zip(context.citations, context.owners, strict=True)):
        own = []
        if not c.target.chunk_ids:
            own.append(
                Finding(rule="source_exists", severity="error", message=f"{c.text} resolves to no chunk",
                        span=(c.start, c.end) if c.start >= 0 else None, citation=i, claim=owner)
            )
        if owner is not None:
            by_claim[owner].append(i)
        verdicts.append(
            CitationVerdict(index=i, text=c.text, start=c.start, end=c.end, syntax=c.syntax, target=c.target.label,
                            valid=not own, findings=tuple(own),
                            chunk_id=c.target.chunk_ids[0] if c.target.chunk_ids else None,
                            chunk_ids=c.target.chunk_ids, claim=owner)
        )
        findings += own
    if not verdicts and any(claim.checked for claim in context.claims):
        severity = {"off": "info", "warn": "warning", "error": "error"}[context.settings.require_citations]
        findings.append(Finding(rule="missing_citations", severity=severity, message="the answer cites nothing"))  # type: ignore[arg-type]
    accuracy = sum(v.valid for v in verdicts) / len(verdicts) if verdicts else None
    return CitationOutcome(tuple(verdicts), tuple(findings), accuracy, None, None, tuple(map(tuple, by_claim)))
