"""What a validation found: findings, claims, citations, retrieval, confidence, decision.

All offsets are code points, 0-based, half-open. All shares and probabilities are in [0, 1]; None means
that there was nothing to measure. A verdict holds no clock and no path of this machine: the same input
gives the same bytes.
"""

# No postponed annotations here: pydantic would compile each of them once more, at every import.
import uuid
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from pytest_grounding._jsonio import canonical_json
from pytest_grounding.errors import ScorerError
from pytest_grounding.model._base import Model, Sparse
from pytest_grounding.model.answering import Abstention, Completeness
from pytest_grounding.model.finding import Cause as Cause
from pytest_grounding.model.finding import Evidence, Finding, Severity, Waived
from pytest_grounding.model.opinions import ClaimStatus as ClaimStatus
from pytest_grounding.model.opinions import Method as Method
from pytest_grounding.model.opinions import Opinions
from pytest_grounding.model.presence import AnswerPresent
from pytest_grounding.model.presence import Presence as Presence
from pytest_grounding.rules import having

Status = Literal["pass", "review", "reject"]
ClaimKind = Literal["fact", "opinion", "inference"]
Rating = Literal["good", "partial", "poor"]

_NAMESPACE = uuid.UUID("8f7a3c1e-58b1-5d0a-9d53-7e2f6b1c4a90")


def audit_id_of(transcript_hash: str, settings_hash: str) -> str:
    """The id under which a validation is found in the audit log: equal input and settings, equal id."""
    return str(uuid.uuid5(_NAMESPACE, transcript_hash + settings_hash))


class Conflict(Model):
    """Evidence about the same thing that says otherwise.

    Attributes:
        kind: number, date, unit, entity, negation, antonym, quantifier, comparison, role, order, ...
        severity: error where the trained verifier is sure, else warning: a possible conflict.
        claim_text: the words of the claim that differ, verbatim.
        evidence_text: the words of the evidence that stand against them, verbatim.
        evidence: the sentence that they stand in.
        claim_start: offset of ``claim_text`` in the text of the claim that was scored.
        message: the difference in words.
        log_odds: log odds, as the trained verifier gives them, that this is a real conflict; None where
            something else found it.
    """

    kind: str
    severity: Severity = "error"
    claim_text: str
    evidence_text: str
    evidence: Evidence
    claim_start: int | None = None
    message: str = ""
    log_odds: float | None = None


class SupportingSource(Model):
    """Provenance of a claim: one chunk that backs it, with what is known of it."""

    chunk_id: str
    metadata: Mapping[str, Any] = Field(default_factory=dict)
    retrieval_score: float | None = None
    support: float | None = None


class ClaimVerdict(Sparse):
    """One claim of the answer and how well the chunks back it.

    ``text`` is ``answer[start:end]``. ``citations`` are indexes into the verdict's citations; so are
    ``suggested_chunk_ids`` ids of chunks that support a claim which cites none. ``missing_words`` are the
    claim's words that stand in no source, as the claim writes them: also of a claim that passes, of which
    they are what to read first. A claim that is ``waived`` keeps its status and counts for no rate.
    ``opinions`` holds what the engine and the judge say of a claim that a judge was asked about, else None.
    """

    left_out: ClassVar[tuple[str, ...]] = ("opinions",)

    index: int
    text: str
    start: int
    end: int
    kind: ClaimKind = "fact"
    kind_confidence: float = 1.0
    checked: bool = True
    skip_reason: str = ""
    status: ClaimStatus
    support: float | None = None
    method: Method | None = None
    reason: str = ""
    missing_words: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    citations: tuple[int, ...] = ()
    sources: tuple[SupportingSource, ...] = ()
    suggested_chunk_ids: tuple[str, ...] = ()
    waived: Waived | None = None
    opinions: Opinions | None = None


class CitationVerdict(Model):
    """One citation of the answer.

    Attributes:
        text: the marker, verbatim: ``answer[start:end]`` ("" for a list entry without one).
        start: offset of the marker in the answer.
        end: one past its last character.
        syntax: the syntax that found it: index, section, code, url, id, provider, list, or a custom one.
        target: what it points to, normalised, for people ("3", "ch 3, sec 2", "src/a.py:3-9").
        valid: no error rule failed on it.
        findings: what the rules found on it.
        chunk_id: the chunk that it resolved to (the first of several), or None.
        chunk_ids: all chunks that it resolved to.
        path: the file under the source root that it resolved to, or None.
        claim: index of the claim that it belongs to, or None.
        support: support of that claim by what it cites, or None where it was not scored.
        supports: whether it counts as precise (ALCE citation precision), or None.
        source_hash: hash of the text that it resolved to, however that is set; "" where there is none.
        waived: who overruled what is wrong with it; such a citation is valid, and counts for no rate.
    """

    index: int
    text: str
    start: int
    end: int
    syntax: str
    target: str
    valid: bool
    findings: tuple[Finding, ...] = ()
    chunk_id: str | None = None
    chunk_ids: tuple[str, ...] = ()
    path: str | None = None
    claim: int | None = None
    support: float | None = None
    supports: bool | None = None
    source_hash: str = ""
    waived: Waived | None = None


class ChunkRelevance(Model):
    """Relevance of one chunk to the question, and the quality of the chunk as a source."""

    chunk_id: str
    score: float | None
    relevant: bool
    reason: str = ""
    quality: float | None = None
    quality_reasons: tuple[str, ...] = ()


class ScorerFailure(Model):
    """Why a scorer or judge that was asked for did not serve.

    Attributes:
        scorer: its name.
        error: class of the error, such as ``CassetteError`` or ``ConnectError``; "" where a file of an
            older release does not say.
        message: what went wrong, for a person.
    """

    scorer: str
    error: str = ""
    message: str

    @model_validator(mode="before")
    @classmethod
    def _read_old(cls, value: Any) -> Any:
        """Older files hold ``scorer: message``."""
        if not isinstance(value, str):
            return value
        scorer, colon, message = value.partition(": ")
        return {"scorer": scorer, "message": message} if colon else {"scorer": "", "message": value}

    @classmethod
    def of(cls, scorer: str, error: Exception, message: str = "") -> "ScorerFailure":
        """The failure that an error stands for; a `ScorerError` is named by what it was raised for."""
        cause = (error.__cause__ or error.__context__) if type(error) is ScorerError else None
        name = type(cause if isinstance(cause, Exception) else error).__name__
        return cls(scorer=scorer, error=name, message=message or str(error))

    def __str__(self) -> str:
        """``scorer: message``."""
        return f"{self.scorer}: {self.message}" if self.scorer else self.message


class RetrievalVerdict(Model):
    """Did the retrieval bring what the question needs (section 4 of the specification).

    ``rating_confidence`` in [0, 1] is how sure the rating is: how far the relevance scores are from tipping
    it, and how sure the presence of the answer is where that decides; None where nothing was rated.
    ``mean_relevance`` is over the relevant chunks (0 when there is none), ``mean_all`` over all.
    ``answer_present`` is a plain string but for its truth: "none" and "abstain" are false.
    ``stage_ms`` holds timings; it is left out of canonical JSON, because a clock is never equal twice.
    """

    rating: Rating
    reason: str
    rating_confidence: float | None = None
    rating_confidence_reason: str = ""
    question_type: str
    expected_answer: str = ""
    relevance: tuple[ChunkRelevance, ...] = ()
    mean_relevance: float = 0.0
    mean_all: float = 0.0
    answer_present: AnswerPresent
    presence_reason: str = ""
    evidence: tuple[Evidence, ...] = ()
    scorer: str = "builtin"
    scorer_failures: tuple[ScorerFailure, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    stage_ms: Mapping[str, float] = Field(default_factory=dict, exclude=True)


class Judgement(Model):
    """One of the three Self-RAG checks (Asai et al. 2023): its value and the reason for it."""

    value: str
    reason: str


class SelfRag(Model):
    """relevance (ISREL), support (ISSUP) and usefulness (ISUSE), with the query type."""

    relevance: Judgement
    support: Judgement
    usefulness: Judgement
    query_type: Literal["factual", "conversational", "default"] = "default"


class ConfidenceTerm(Model):
    """One addend of a confidence: ``value * weight``."""

    name: str
    value: float | None
    weight: float
    reason: str = ""


class ConfidenceBreakdown(Model):
    """How a confidence came about: terms, their weighted sum, and the ceiling that held it, if any.

    ``value`` and ``raw`` are None where nothing could be scored, or where checking is off; a note says why.
    """

    model: str
    value: float | None
    terms: tuple[ConfidenceTerm, ...] = ()
    raw: float | None
    ceiling: float | None = None
    ceiling_reason: str = ""
    notes: tuple[str, ...] = ()


class Rejection(Model):
    """What a service sends instead of an answer that was not accepted."""

    status: Literal["REVIEW", "REJECT"]
    reason: str
    suggestion: str
    partial_response: str
    audit_id: str


class Attempt(Model):
    """One round of self-correction: the answer and what validation said of it."""

    number: int
    answer: str
    status: Status
    confidence: float | None
    hallucination_rate: float | None
    rules: tuple[str, ...]


#: Rules whose findings say that a scorer or judge that was asked for did not serve, and another one did.
FALLBACK_RULES = frozenset(having("fallback"))


class Verdict(Model):
    """Everything that validation found on one transcript.

    ``waived`` says who accepted its confidence, where that is low; the suite counts it as confident enough.
    ``confidence`` is None where nothing could be scored or checking is off; ``confidences`` holds the models
    that have one.
    ``completeness`` is None where the question asks for one thing; ``abstention`` is the cell that the answer
    stands in, of those that decline and those that answer.
    ``reported_confidence`` and ``reported_missing`` are what the pipeline said of itself; the setting
    ``self_report`` says what that decides.
    """

    schema_version: Literal[1] = 1
    id: str
    transcript_hash: str
    settings_hash: str
    engine_version: str
    status: Status
    reason: str
    confidence: float | None
    confidence_model: str
    confidences: Mapping[str, float]
    confidence_breakdown: ConfidenceBreakdown
    breakdowns: Mapping[str, ConfidenceBreakdown] = Field(default_factory=dict)
    hallucination_rate: float | None
    citation_accuracy: float | None
    citation_precision: float | None
    citation_recall: float | None
    recommendation: Literal["accept", "regenerate", "reject"] | None
    declined: bool
    uncertain: bool
    scored: bool
    claims: tuple[ClaimVerdict, ...]
    citations: tuple[CitationVerdict, ...]
    findings: tuple[Finding, ...]
    retrieval: RetrievalVerdict
    self_rag: SelfRag
    diagnosis: str
    counts: Mapping[str, int]
    not_checked: Mapping[str, int] = Field(default_factory=dict)
    switched_off: tuple[str, ...] = ()
    rejection: Rejection | None = None
    attempts: tuple[Attempt, ...] = ()
    confidence_gain: float | None = None
    waived: Waived | None = None
    completeness: Completeness | None = None
    abstention: Abstention = "untold"
    reported_confidence: float | None = None
    reported_missing: tuple[str, ...] | None = None
    source: str | None = None
    line: int | None = None
    answer_line: int | None = None
    recorded_on: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The verdict as plain JSON data."""
        return self.model_dump(mode="json")

    def to_json(self) -> str:
        """The verdict as canonical JSON on one line: equal input gives equal bytes."""
        return canonical_json(self.as_dict())

    @property
    def audit_id(self) -> str:
        """The id under which the audit log holds this validation, and which a rejection carries."""
        return audit_id_of(self.transcript_hash, self.settings_hash)

    @property
    def skipped(self) -> bool:
        """Whether a check is switched off and what was checked is in order: neither passed nor held back."""
        is_off = bool(self.switched_off) and self.confidence is None and self.status == "review"
        return is_off and all(finding.severity == "info" for finding in self.findings)

    @property
    def shown_status(self) -> str:
        """The status as people read it: pass, review, reject, or skipped."""
        return "skipped" if self.skipped else self.status

    @property
    def fallbacks(self) -> tuple[ScorerFailure, ...]:
        """Why scorers and judges that were asked for did not serve, so that others did; mostly empty."""
        if FALLBACK_RULES.isdisjoint(
            [item.rule for finding in self.findings for item in (finding, *finding.causes)]
        ):
            return ()
        found = (cause for cause in self.causes if cause.rule in FALLBACK_RULES)
        values = (cause.details.get("failure") or cause.message for cause in found)
        return tuple(ScorerFailure.model_validate(value) for value in values)

    @property
    def is_over_confident(self) -> bool:
        """Whether the pipeline reports a confidence above the computed one by more than the limit."""
        return any(
            cause.rule == "confidence_differs"
            and cause.waived is None
            and cause.details.get("difference", 0.0) > 0
            for cause in self.causes
        )

    @property
    def causes(self) -> tuple[Cause, ...]:
        """What each rule found, one by one: the parts of all findings, in their order."""
        return tuple(part for finding in self.findings for part in finding.parts)

    @property
    def waived_number(self) -> int:
        """How many findings people overruled; a low confidence that was accepted is one of them."""
        return (self.waived is not None) + sum(item.waived is not None for item in self.causes)

    @property
    def hallucinated(self) -> tuple[ClaimVerdict, ...]:
        """The claims that count as hallucinations: unsupported or contradicted, and not waived."""
        wrong = {"unsupported", "contradicted"}
        return tuple(claim for claim in self.claims if claim.status in wrong and claim.waived is None)
