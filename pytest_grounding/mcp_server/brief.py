"""A verdict that a model can afford to read: the same decision, without what repeats or is in order."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding.model.finding import Cause, Evidence, Finding
from pytest_grounding.model.verdict import ClaimVerdict, Verdict

_MOST = 2
#: Sentences of evidence that are kept for a claim of a status.
_KEPT = {"unchecked": 0, "supported": 0, "borderline": 1}


def brief(verdict: Verdict) -> Verdict:
    """The verdict without repetitions and without the evidence of what is in order."""
    retrieval = verdict.retrieval
    changes: dict[str, object] = {
        "breakdowns": {},
        "rejection": None,
        "claims": tuple(_claim(claim) for claim in verdict.claims),
        "citations": tuple(item.model_copy(update={"findings": ()}) for item in verdict.citations),
        "findings": tuple(
            item.model_copy(update={"evidence": (), "causes": _causes(item)})
            for item in verdict.findings
            if item.severity != "info"
        ),
        "retrieval": retrieval.model_copy(
            update={"evidence": _few(retrieval.evidence, _MOST), "conflicts": retrieval.conflicts[:_MOST]}
        ),
    }
    return verdict.model_copy(update=changes)


def _causes(finding: Finding) -> tuple[Cause, ...]:
    kept = (cause for cause in finding.causes if cause.severity != "info")
    return tuple(cause.model_copy(update={"evidence": ()}) for cause in kept)


def _claim(claim: ClaimVerdict) -> ClaimVerdict:
    kept = _KEPT.get(claim.status, _MOST)
    conflicts = tuple(item.model_copy(update={"evidence": _alone(item.evidence)}) for item in claim.conflicts)
    changes: dict[str, object] = {
        "evidence": _few(claim.evidence, kept),
        "sources": (),
        "conflicts": conflicts,
    }
    return claim.model_copy(update=changes)


def _few(evidence: Sequence[Evidence], most: int) -> tuple[Evidence, ...]:
    return tuple(_alone(item) for item in evidence[:most])


def _alone(evidence: Evidence) -> Evidence:
    return evidence.model_copy(update={"before": "", "after": ""})
