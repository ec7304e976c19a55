"""The result of a validation: findings, claims, citations, retrieval, confidence, decision.

All offsets are code points, 0-based, half-open. All shares and probabilities are in [0, 1]; None means
that there was nothing to measure. A verdict has no clock time and no local path: the same input
gives the same bytes.
"""

# No postponed annotations here: pydantic would compile each of them again at every import.
import uuid
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, GetCoreSchemaHandler
from pydantic_core import core_schema

from pytest_grounding.errors import ScorerError
from pytest_grounding.model.base import Canonical, Model, Sparse, without_surrogates
from pytest_grounding.model.claim_fact import ClaimFact
from pytest_grounding.model.finding import HALLUCINATED as HALLUCINATED
from pytest_grounding.model.finding import Abstention, Completeness, Evidence, Finding, Opinions, Waived
from pytest_grounding.model.finding import Cause as Cause
from pytest_grounding.model.finding import ClaimStatus as ClaimStatus
from pytest_grounding.model.finding import Conflict as Conflict
from pytest_grounding.model.finding import Method as Method
from pytest_grounding.rules import ORDER, having

Presence = Literal["full", "partial", "none", "abstain"]
Rating = Literal["good", "partial", "poor"]
Status = Literal["pass", "review", "reject"]
STATUS_RANK: dict[str, int] = {"reject": 0, "review": 1, "pass": 2}  # the worst status first
ClaimKind = Literal["fact", "opinion", "inference"]
_NAMESPACE = uuid.UUID("8f7a3c1e-58b1-5d0a-9d53-7e2f6b1c4a90")
FALLBACK_RULES = frozenset(having("fallback"))  # a scorer or judge failed, another one was used


class PresenceWord(str):
    """One of "full", "partial", "none", "abstain": a string with its own truth value.

    It equals, hashes, sorts, pickles and prints as the plain string, with the same JSON. ``bool`` is
    true for "full" alone, so that ``if verdict.answer_present:`` means what it says.
    """

    __slots__ = ()

    def __bool__(self) -> bool:
        return str(self) == "full"


class _Worded:
    """Convert the plain string to a `PresenceWord`, after pydantic has checked it."""

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_after_validator_function(PresenceWord, handler(source))


#: The type of the field: a `Presence` for type checkers and in JSON Schema, a `PresenceWord` at run time.
AnswerPresent = Annotated[Presence, _Worded]


class ChunkRelevance(Model):
    """Relevance of one chunk to the question, and its quality as a source.

    Attributes:
        score: its relevance, in [0, 1], or None if no scorer could score it.
        relevant: it reaches the setting ``relevance_threshold``.
        quality: quality of its text as a source, in [0, 1], or None.
        quality_reasons: what lowers its quality, such as a truncated text.
    """

    chunk_id: str
    score: float | None
    relevant: bool
    reason: str = ""
    quality: float | None = None
    quality_reasons: tuple[str, ...] = ()


class ScorerFailure(Model):
    """Why a configured scorer or judge was not used.

    Attributes:
        error: class of the error, such as ``CassetteError`` or ``ConnectError``.
    """

    scorer: str
    error: str = ""
    message: str

    @classmethod
    def of(cls, scorer: str, error: Exception, message: str = "") -> "ScorerFailure":
        """The failure for an error; a `ScorerError` is named after its cause."""
        cause = (error.__cause__ or error.__context__) if type(error) is ScorerError else None
        name = type(cause if isinstance(cause, Exception) else error).__name__
        text: str = without_surrogates(message or str(error))[0]
        return cls(scorer=scorer, error=name, message=text)

    def __str__(self) -> str:
        return f"{self.scorer}: {self.message}" if self.scorer else self.message


class RetrievalVerdict(Model):
    """Whether the retrieval brought what the question needs (``docs/retrieval.md``).

    Attributes:
        rating_confidence: certainty of the rating, in [0, 1]: how far the relevance scores are from changing
            it, and how certain the presence of the answer is if that decides; None if nothing was rated.
        question_type: the kind of question, such as when, who, how or yes_no.
        expected_answer: kind of value that answers it, such as date, or "".
        relevance: each chunk with its relevance, in the order of the transcript.
        mean_relevance: over the relevant chunks, in [0, 1]; 0 without any.
        mean_all: over all chunks, in [0, 1].
        answer_present: full, partial, none or abstain; a string with its own truth value: "none" and
            "abstain" are false.
        scorer_failures: scorers that were tried before and failed.
        conflicts: chunks that contradict each other about the question.
        stage_ms: milliseconds by stage; omitted from canonical JSON, because times always differ.
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
    """One of the three Self-RAG checks (Asai et al. 2023)."""

    value: str
    reason: str


class SelfRag(Model):
    """The three Self-RAG checks.

    Attributes:
        relevance: whether the chunks are relevant to the question (ISREL).
        support: whether they support the answer (ISSUP).
        usefulness: whether the answer addresses the question (ISUSE).
    """

    relevance: Judgement
    support: Judgement
    usefulness: Judgement
    query_type: Literal["factual", "conversational", "default"] = "default"


class ConfidenceTerm(Model):
    """One addend of a confidence: ``value * weight``; for a learned model, of its log odds.

    Attributes:
        value: in [0, 1] except for a learned model; None, and omitted, if there was nothing to measure.
        weight: its share in the sum, in [0, 1]; for a learned model its weight.
    """

    name: str
    value: float | None
    weight: float
    reason: str = ""


class ConfidenceBreakdown(Model):
    """How a confidence was computed: terms, their weighted sum, and its cap, if any.

    Attributes:
        value: the confidence, in [0, 1]; None if nothing could be scored, or checking is off.
        raw: the sum before the cap, or None as above.
        ceiling: the highest value that the findings allow, in [0, 1], or None.
    """

    model: str
    value: float | None
    terms: tuple[ConfidenceTerm, ...] = ()
    raw: float | None
    ceiling: float | None = None
    ceiling_reason: str = ""
    notes: tuple[str, ...] = ()

    def shown(self, term: ConfidenceTerm) -> str:
        """A term's number for display: value and weight, or signed log odds of the learned model."""
        if term.value is None:
            return f"- x {term.weight:g}"
        return f"{term.value:+.1f}" if self.model == "learned" else f"{term.value:.2f} x {term.weight:g}"


class Rejection(Model):
    """What a service sends instead of an answer that was not accepted.

    Attributes:
        partial_response: the supported part of the answer, or "".
        audit_id: finds the records of this verdict in the audit log.
    """

    status: Literal["REVIEW", "REJECT"]
    reason: str
    suggestion: str
    partial_response: str
    audit_id: str


class Attempt(Model):
    """One round of self-correction: the answer and its validation.

    Attributes:
        number: 0 for the first answer, then 1, 2, ...
    """

    number: int
    answer: str
    status: Status
    confidence: float | None
    hallucination_rate: float | None
    rules: tuple[str, ...]


def audit_id_of(transcript_hash: str, settings_hash: str) -> str:
    """The id of a verdict, which finds its records in the audit log: equal for equal input and settings."""
    return str(uuid.uuid5(_NAMESPACE, transcript_hash + settings_hash))


class SupportingSource(Model):
    """Provenance of a claim: one chunk that supports it.

    Attributes:
        retrieval_score: the retriever's score, in [0, 1], or None.
        support: support of the claim by this chunk alone, in [0, 1], or None.
    """

    chunk_id: str
    metadata: Mapping[str, Any] = Field(default_factory=dict)
    retrieval_score: float | None = None
    support: float | None = None


class ClaimVerdict(Sparse):
    """One claim of the answer and its support by the chunks.

    Attributes:
        index: its index in the verdict's claims, from 0.
        text: its words: ``answer[start:end]``.
        start: start offset in the answer.
        kind_confidence: certainty of the kind, in [0, 1].
        skip_reason: why it is not checked, or "".
        status: supported, borderline, unsupported, contradicted, abstained or unchecked.
        support: probability in [0, 1] that the chunks support it; None if it could not be scored.
        missing_words: its words that are not in any source, verbatim: also for a claim that passes, where
            they are the first to read.
        evidence: the nearest sentences of the chunks, best first.
        facts: its typed facts, each with what the sources have for it, in the order of the answer.
        citations: indices of its citations in the verdict's citations.
        suggested_chunk_ids: chunks that support it, if it cites none.
        opinions: the engine's and the judge's opinion if a judge was asked, else None.
        waived: by whom; such a claim keeps its status and counts in no rate.
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
    facts: tuple[ClaimFact, ...] = ()
    citations: tuple[int, ...] = ()
    sources: tuple[SupportingSource, ...] = ()
    suggested_chunk_ids: tuple[str, ...] = ()
    waived: Waived | None = None
    opinions: Opinions | None = None


class CitationVerdict(Model):
    """One citation of the answer.

    Attributes:
        index: its index in the verdict's citations, from 0.
        text: the marker, verbatim: ``answer[start:end]`` ("" for a list entry without one).
        start: offset of the marker in the answer.
        syntax: the syntax that found it: index, section, code, url, id, provider, list, or a custom one.
        target: its target, normalised, for people ("3", "ch 3, sec 2", "src/a.py:3-9").
        valid: no error rule failed on it.
        chunk_id: the chunk it resolved to (the first of several), or None.
        path: the file under the source root it resolved to, or None.
        support: support of its claim by the cited sources, or None if not scored.
        supports: whether it counts as precise (ALCE citation precision), or None.
        source_hash: hash of the text it resolved to, independent of layout; "" without one.
        waived: by whom; such a citation is valid, and counts in no rate.
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

    @property
    def counts(self) -> bool:
        """Whether it counts for the citation accuracy; a list entry never mentioned does if invalid."""
        return self.waived is None and (self.start >= 0 or self.syntax != "list" or not self.valid)


class Expectations(Model):
    """The expectations of an answer and its retrieval, and which were met.

    Attributes:
        facts: for each expected fact whether the answer states it.
        ranks: for each expected source the rank of its first retrieved chunk, from 1, or None.
    """

    facts: tuple[bool, ...] = ()
    ranks: tuple[int | None, ...] = ()

    @property
    def reciprocal_rank(self) -> float:
        """1 / best rank of an expected source, 0.0 if none was retrieved."""
        return 1.0 / min((rank for rank in self.ranks if rank is not None), default=float("inf"))


class Verdict(Canonical):
    """The complete result of validating one transcript.

    Attributes:
        settings_hash: hash of the settings that can change a verdict.
        confidence: the deciding one, in [0, 1]; None if nothing could be scored or checking is off.
        confidences: the value of each model that has one.
        confidence_breakdown: terms, weights and cap of the deciding confidence.
        citation_precision: share of the citations that support their claim, or None.
        citation_recall: share of the claims that their citations support, or None.
        recommendation: accept, regenerate or reject, from the hallucination rate alone, or None.
        uncertain: the answer's citations are not all grounded.
        scored: false if every scorer abstained on all claims.
        rejection: what a service sends instead of the answer, or None if it passes.
        confidence_gain: confidence of the last attempt minus that of the first, in [-1, 1], or None.
        waived: who accepted a low confidence; the suite counts it as high enough.
        completeness: whether all parts of the question are answered; None if it has one part.
        abstention: whether the answer declines or answers, rightly or wrongly: one of the cells.
        reported_confidence: the pipeline's own, in [0, 1], or None.
        reported_missing: what is missing according to the pipeline, or None.
        source: file of the transcript, from the root of the project, or None.
        recorded_on: day of the recording, ``YYYY-MM-DD``, or None.
    """

    # A NaN confidence is written as NaN: read back, it must not be taken for a missing one.
    model_config: ClassVar[ConfigDict] = ConfigDict(ser_json_inf_nan="constants")

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
    abstention: Abstention = "unknown"
    reported_confidence: float | None = None
    reported_missing: tuple[str, ...] | None = None
    source: str | None = None
    line: int | None = None
    answer_line: int | None = None
    recorded_on: str | None = None
    expectations: Expectations | None = None

    @property
    def audit_id(self) -> str:
        """The id in its rejection, which finds its records in the audit log; equal for equal input."""
        return audit_id_of(self.transcript_hash, self.settings_hash)

    @property
    def skipped(self) -> bool:
        """Whether a check is switched off and the others found nothing: neither passed nor held back."""
        is_off = bool(self.switched_off) and self.confidence is None and self.status == "review"
        return is_off and all(finding.severity == "info" for finding in self.findings)

    @property
    def shown_status(self) -> str:
        """The status for display: pass, review, reject, or skipped."""
        return "skipped" if self.skipped else self.status

    @property
    def fallbacks(self) -> tuple[ScorerFailure, ...]:
        """Why configured scorers and judges were replaced by others; usually empty."""
        rules = (item.rule for finding in self.findings for item in (finding, *finding.causes))
        if FALLBACK_RULES.isdisjoint(rules):
            return ()
        found = (cause for cause in self.causes if cause.rule in FALLBACK_RULES)
        values = (cause.details.get("failure") or cause.message for cause in found)
        return tuple(map(ScorerFailure.model_validate, values))

    @property
    def is_over_confident(self) -> bool:
        """Whether the reported confidence exceeds the computed one by more than the limit."""
        found = (cause for cause in self.causes if cause.rule == "self_report" and cause.waived is None)
        return any(cause.details.get("difference", 0.0) > 0 for cause in found)

    @property
    def causes(self) -> tuple[Cause, ...]:
        """The findings of each rule, one by one: the parts of all findings, in order."""
        return tuple(part for finding in self.findings for part in finding.parts)

    @property
    def faults(self) -> list[Finding]:
        """The errors, then the warnings, without the waived ones."""
        counting = (item for item in self.findings if item.severity != "info" and item.waived is None)
        return sorted(counting, key=lambda item: ORDER[item.severity])

    @property
    def waived_number(self) -> int:
        """The number of waived findings, including a waived low confidence."""
        number = sum(item.waived is not None for item in self.causes)
        return number if self.waived is None else number + 1

    @property
    def hallucinated(self) -> tuple[ClaimVerdict, ...]:
        """The hallucinated claims: unsupported or contradicted, and not waived."""
        return tuple(claim for claim in self.claims if claim.status in HALLUCINATED and claim.waived is None)


class CitationReport(Canonical):
    """The citations of one answer, and the findings of the rules on citations.

    Its truth value, as in ``assert check_citations(answer, chunks)``, is that there are citations and all are
    valid.

    Attributes:
        status: ``valid``: there are citations, and no error rule failed on one; ``invalid``: an error rule
            failed; ``missing``: the answer cites nothing; ``off``: validation is switched off.
        citation_accuracy: valid citations ÷ citations, in [0, 1]; None without any.
    """

    status: Literal["valid", "invalid", "missing", "off"]
    citations: tuple[CitationVerdict, ...] = ()
    findings: tuple[Finding, ...] = ()
    citation_accuracy: float | None = None
    cleaned: str

    def __bool__(self) -> bool:
        return self.status == "valid"
