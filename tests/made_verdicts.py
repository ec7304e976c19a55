"""Verdicts made by hand: real objects with just the facts that a test is about."""

from typing import Any

from pytest_grounding.model.finding import Evidence, Finding
from pytest_grounding.model.verdict import (
    CitationVerdict,
    ClaimVerdict,
    ConfidenceBreakdown,
    Conflict,
    Judgement,
    RetrievalVerdict,
    SelfRag,
    Verdict,
)


def evidence(text: str = "Employees get 25 days.", chunk: str = "hr-1", score: float = 0.4) -> Evidence:
    return Evidence(chunk_id=chunk, sentence_index=0, text=text, start=0, end=len(text), score=score)


def claim(status: str = "supported", *, index: int = 0, text: str = "A claim.", **more: Any) -> ClaimVerdict:
    support = {"supported": 0.95, "borderline": 0.75, "unsupported": 0.1, "contradicted": 0.1}.get(status)
    facts = {"start": 0, "end": len(text), "support": support, "checked": status != "unchecked"}
    return ClaimVerdict(index=index, text=text, status=status, **{**facts, **more})


def citation(valid: bool = True, *, index: int = 0, **more: Any) -> CitationVerdict:
    findings = () if valid else (Finding(rule="source_exists", severity="error", message="no such chunk"),)
    facts = {"text": "[1]", "start": 0, "end": 3, "syntax": "index", "target": "1", "findings": findings}
    return CitationVerdict(index=index, valid=valid, **{**facts, **more})


def conflict() -> Conflict:
    return Conflict(
        kind="number",
        claim_text="30 days",
        evidence_text="25 days",
        evidence=evidence(),
        message="30 against 25",
    )


def verdict(identifier: str = "a", **more: Any) -> Verdict:
    """A verdict that passes, but for what ``more`` says; figures follow from claims and citations."""
    claims = tuple(more.pop("claims", (claim(),)))
    citations = tuple(more.pop("citations", (citation(),)))
    confidence = more.pop("confidence", 0.95)
    scored = [item for item in claims if item.status not in {"unchecked", "abstained"}]
    wrong = [item for item in scored if item.status in {"unsupported", "contradicted"}]
    facts: dict[str, Any] = {
        "id": identifier,
        "transcript_hash": f"hash of {identifier}",
        "settings_hash": "0",
        "engine_version": "1",
        "status": "pass",
        "reason": "",
        "confidence": confidence,
        "confidence_model": "self_rag",
        "confidences": {"self_rag": confidence, "tiered": 0.5},
        "confidence_breakdown": ConfidenceBreakdown(model="self_rag", value=confidence, raw=confidence),
        "hallucination_rate": len(wrong) / len(scored) if scored else None,
        "citation_accuracy": sum(c.valid for c in citations) / len(citations) if citations else None,
        "citation_precision": 1.0 if citations else None,
        "citation_recall": 1.0 if claims else None,
        "recommendation": None,
        "declined": False,
        "uncertain": False,
        "scored": all(item.status != "abstained" for item in claims),
        "claims": claims,
        "citations": citations,
        "findings": (),
        "retrieval": RetrievalVerdict(
            rating="good", reason="all there", question_type="what", answer_present="full"
        ),
        "self_rag": SelfRag(
            relevance=Judgement(value="relevant", reason=""),
            support=Judgement(value="full", reason=""),
            usefulness=Judgement(value="useful", reason=""),
        ),
        "diagnosis": "Nothing broke.",
        "counts": {},
    }
    return Verdict(**{**facts, **more})
