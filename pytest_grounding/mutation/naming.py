"""Does the verdict on a mutant name its fault?"""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Literal

from pytest_grounding.model.finding import Cause, Span
from pytest_grounding.model.verdict import ClaimVerdict, Verdict
from pytest_grounding.mutation.site import Mutant

#: What named a fault: the status of the claim that bears it, a finding on its citation, another finding.
Means = Literal["contradicted", "unsupported", "abstained", "citation", "finding"]

_BAD = ("contradicted", "unsupported", "abstained")
_WORSE = {"pass": 0, "review": 1, "reject": 2}


def named_by(before: Verdict, after: Verdict, mutant: Mutant) -> Means | None:
    """What in the verdict on a mutant names the fault, or None: the mutant survives."""
    claims = touched_claims(after, mutant)
    marks = [
        citation
        for citation in after.citations
        if _meet(
            (citation.start, citation.end), mutant.span if mutant.aim == "citation" else mutant.claim_span
        )
    ]
    old = _known_findings(before, mutant)
    is_cited_wrongly = _has_new(old, (item for citation in marks for item in citation.findings))
    if mutant.aim == "citation" and is_cited_wrongly:
        return "citation"
    statuses = {claim.status for claim in claims}
    for status in _BAD:
        if status in statuses:
            return status  # type: ignore[return-value]  # _BAD holds three of the values of Means
    if is_cited_wrongly:
        return "citation"
    indexes = {claim.index for claim in claims}
    if _has_new(old, (item for item in after.causes if item.claim in indexes)):
        return "finding"
    return None


def touched_claims(after: Verdict, mutant: Mutant) -> list[ClaimVerdict]:
    """The claims of a mutant's verdict that hold what was changed."""
    span = mutant.span if mutant.aim in ("claim", "order") else mutant.claim_span
    return [claim for claim in after.claims if _meet((claim.start, claim.end), span)]


def is_worse(before: Verdict, after: Verdict) -> bool:
    """Whether the gate's status got worse."""
    return _WORSE[after.status] > _WORSE[before.status]


def _has_new(old: Set[tuple[str, str]], findings: Iterable[Cause]) -> bool:
    """Whether a finding that matters is of a rule that had none before the fault."""
    return any(
        item.severity in {"error", "warning"} and (item.rule, item.severity) not in old for item in findings
    )


def _known_findings(before: Verdict, mutant: Mutant) -> Set[tuple[str, str]]:
    """Rule and severity of what was found on the claim and its citations before the fault."""
    start = mutant.claim_span[0]
    claims = {claim.index for claim in before.claims if claim.start == start}
    marks = {index for claim in before.claims if claim.index in claims for index in claim.citations}
    findings = [item for item in before.causes if item.claim in claims or item.citation in marks]
    findings += [
        item for citation in before.citations if citation.index in marks for item in citation.findings
    ]
    return {(item.rule, item.severity) for item in findings}


def _meet(first: Span, second: Span) -> bool:
    """Whether two spans share a character; an empty one counts as the characters on both of its sides."""
    start, end = second if second[0] < second[1] else (max(0, second[0] - 1), second[1] + 1)
    return first[0] < end and start < first[1]
