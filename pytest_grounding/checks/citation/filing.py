"""Collects the findings on the citations of one answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pytest_grounding.checks.base import CheckContext
from pytest_grounding.model.finding import Finding, Severity


@dataclass(slots=True)
class Findings:
    """Collects findings, and knows which citation each is about."""

    context: CheckContext
    found: list[Finding] = field(default_factory=list)
    by_citation: dict[int, list[Finding]] = field(default_factory=dict)
    numbers: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        base = self.context.settings.index_base
        self.numbers = {
            chunk.id: number for number, chunk in enumerate(self.context.transcript.chunks, start=base)
        }

    def on_citation(
        self,
        index: int,
        rule: str,
        severity: Severity,
        message: str,
        *,
        suggestion: str = "",
        claim: int | None = None,
        details: dict[str, Any] | None = None,
    ) -> None:
        """File a finding on one citation; its claim is the citation's own unless one is named."""
        citation = self.context.citations[index]
        finding = Finding(
            rule=rule,
            severity=severity,
            message=f"{citation.text}: {message}" if citation.text else message,
            span=(citation.start, citation.end) if citation.start >= 0 else None,
            suggestion=suggestion,
            claim=claim if claim is not None else self.context.owners[index],
            citation=index,
            details=details or {},
        )
        self.found.append(finding)
        self.by_citation.setdefault(index, []).append(finding)
