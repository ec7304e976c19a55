"""What the tools answer where a verdict alone would say too much."""

from __future__ import annotations

from typing import Literal

from pytest_grounding.model._base import Model
from pytest_grounding.model.finding import Cause, Evidence, Finding
from pytest_grounding.model.verdict import CitationVerdict, ClaimVerdict


class Suggestion(Model):
    """A claim that is supported and cites nothing, with the chunks that it could cite, best first."""

    claim: int
    text: str
    chunk_ids: tuple[str, ...]


class CitationReport(Model):
    """The citations of one answer.

    Attributes:
        transcript_id: the transcript.
        status: valid, invalid (some citation points to nothing) or missing (the answer cites nothing).
        valid: citations that are valid.
        invalid: citations that point to nothing that was retrieved.
        citation_accuracy: valid citations ÷ citations, or None when there are none.
        citation_precision: citations that support their claim ÷ citations (ALCE), or None.
        citation_recall: claims that their citations support ÷ claims (ALCE), or None.
        citations: each citation with what the rules found on it.
        findings: what each rule found on citations, single citations and all of them.
        suggestions: chunks for supported claims that cite nothing.
        clean_answer: the answer without its invalid markers.
    """

    transcript_id: str
    status: Literal["valid", "invalid", "missing"]
    valid: int
    invalid: int
    citation_accuracy: float | None
    citation_precision: float | None
    citation_recall: float | None
    citations: tuple[CitationVerdict, ...]
    findings: tuple[Cause, ...]
    suggestions: tuple[Suggestion, ...]
    clean_answer: str


class NearMiss(Model):
    """The best sentence of a chunk that does not support the claim by itself.

    Attributes:
        chunk_id: the chunk.
        support: support of the claim by this chunk alone, in [0, 1].
        evidence: its best sentence, verbatim.
        missing: words of the claim that the chunk does not say.
    """

    chunk_id: str
    support: float
    evidence: Evidence
    missing: tuple[str, ...]


class ClaimExplanation(ClaimVerdict):
    """Why one claim got its status: the claim's verdict, and what stands around it.

    Attributes:
        transcript_id: the transcript.
        explanation: the same in one or two sentences.
        is_hallucination: whether it counts as one: unsupported or contradicted.
        needed_support: support from which it would not be unsupported, in [0, 1].
        missing: words of the claim that no chunk says.
        near_misses: the chunks that come closest without supporting the claim, best first.
        cited: the citations that cover the claim.
        findings: the findings on the claim and on its citations.
    """

    transcript_id: str
    explanation: str
    is_hallucination: bool
    needed_support: float
    missing: tuple[str, ...]
    near_misses: tuple[NearMiss, ...]
    cited: tuple[CitationVerdict, ...]
    findings: tuple[Finding, ...]
