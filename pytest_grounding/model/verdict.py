"""What a validation found: findings, claims, citations, retrieval, confidence, decision.

All offsets are code points, 0-based, half-open. All shares and probabilities are in [0, 1]; None means
that there was nothing to measure. A verdict holds no clock and no path of this machine: the same input
gives the same bytes.
"""

# No postponed annotations here: pydantic would compile each of them once more, at every import.
import uuid
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, GetCoreSchemaHandler, model_validator
from pydantic_core import core_schema

from pytest_grounding.errors import ScorerError
from pytest_grounding.model._base import Canonical, Model, Sparse, without_surrogates
from pytest_grounding.model.finding import Abstention, Completeness, Evidence, Finding, Opinions, Waived
from pytest_grounding.model.finding import Cause as Cause
from pytest_grounding.model.finding import ClaimStatus as ClaimStatus
from pytest_grounding.model.finding import Conflict as Conflict
from pytest_grounding.model.finding import Method as Method
from pytest_grounding.rules import having

Presence = Literal["full", "partial", "none", "abstain"]

_ABSENT = frozenset({"none", "abstain"})


class PresenceWord(str):
    """One of "full", "partial", "none", "abstain": a string like any other but for its truth.

    It equals, hashes, sorts, pickles and prints as the plain string, and JSON holds the same bytes. ``bool``
    is true for "full" and "partial" and false for "none" and "abstain", so that ``if
    verdict.answer_present:`` means what it says.
    """

    __slots__ = ()

    def __bool__(self) -> bool:
        return str(self) not in _ABSENT


class _Worded:
    """Makes a `PresenceWord` of the plain string, after pydantic has checked that it is one of the four."""

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_after_validator_function(PresenceWord, handler(source))


#: The type of the field: a `Presence` for type checkers and in JSON Schema, a `PresenceWord` at run time.
AnswerPresent = Annotated[Presence, _Worded]


Rating = Literal["good", "partial", "poor"]


class ChunkRelevance(Model):
    """Relevance of one chunk to the question, and the quality of the chunk as a source.

    Attributes:
        score: its relevance, in [0, 1], or None where no scorer could say.
        relevant: it reaches the setting ``relevance_threshold``.
        quality: how good a source its text is, in [0, 1], or None.
        quality_reasons: what lowers its quality, such as a text that is cut off.
    """

    chunk_id: str
    score: float | None
    relevant: bool
    reason: str = ""
    quality: float | None = None
    quality_reasons: tuple[str, ...] = ()


class ScorerFailure(Model):
    """Why a scorer or judge that was asked for did not serve.

    Attributes:
        error: class of the error, such as ``CassetteError`` or ``ConnectError``; "" where a file of an
            older release does not say.
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
        text: str = without_surrogates(message or str(error))[0]
        return cls(scorer=scorer, error=name, message=text)

    def __str__(self) -> str:
        """``scorer: message``."""
        return f"{self.scorer}: {self.message}" if self.scorer else self.message


class RetrievalVerdict(Model):
    """Did the retrieval bring what the question needs (``docs/retrieval.md``).

    Attributes:
        rating_confidence: how sure the rating is, in [0, 1]: how far the relevance scores are from tipping
            it, and how sure the presence of the answer is where that decides; None where nothing was rated.
        question_type: what is asked for, such as when, who, how or yes_no.
        expected_answer: kind of value that answers it, such as date, or "".
        relevance: each chunk with its relevance, in the order of the transcript.
        mean_relevance: over the relevant chunks, in [0, 1]; 0 when there is none.
        mean_all: over all chunks, in [0, 1].
        answer_present: full, partial, none or abstain; a plain string but for its truth: "none" and
            "abstain" are false.
        scorer_failures: who was asked before and did not serve.
        conflicts: chunks that contradict each other about what is asked.
        stage_ms: milliseconds by stage; left out of canonical JSON, because a clock is never equal twice.
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


Status = Literal["pass", "review", "reject"]


class Judgement(Model):
    """One of the three Self-RAG checks (Asai et al. 2023)."""

    value: str
    reason: str


class SelfRag(Model):
    """The three Self-RAG checks.

    Attributes:
        relevance: do the chunks bear on the question (ISREL).
        support: do they back the answer (ISSUP).
        usefulness: does the answer address the question (ISUSE).
    """

    relevance: Judgement
    support: Judgement
    usefulness: Judgement
    query_type: Literal["factual", "conversational", "default"] = "default"


class ConfidenceTerm(Model):
    """One addend of a confidence: ``value * weight``; of a learned model, of its log odds.

    Attributes:
        value: in [0, 1] but for a learned model; None, and left out, where there was nothing to measure.
        weight: its share in the sum, in [0, 1]; of a learned model its weight.
    """

    name: str
    value: float | None
    weight: float
    reason: str = ""


class ConfidenceBreakdown(Model):
    """How a confidence came about: terms, their weighted sum, and the ceiling that held it, if any.

    Attributes:
        value: the confidence, in [0, 1]; None where nothing could be scored, or where checking is off.
        raw: their sum before the ceiling, or None as above.
        ceiling: the highest that the findings allow, in [0, 1], or None.
    """

    model: str
    value: float | None
    terms: tuple[ConfidenceTerm, ...] = ()
    raw: float | None
    ceiling: float | None = None
    ceiling_reason: str = ""
    notes: tuple[str, ...] = ()

    def shown(self, term: ConfidenceTerm) -> str:
        """A term's number as people read it: value and weight, or of the learned model signed log odds."""
        if term.value is None:
            return f"- x {term.weight:g}"
        return f"{term.value:+.1f}" if self.model == "learned" else f"{term.value:.2f} x {term.weight:g}"


class Rejection(Model):
    """What a service sends instead of an answer that was not accepted.

    Attributes:
        partial_response: what of the answer holds, or "".
        audit_id: the id under which the audit log holds the validation.
    """

    status: Literal["REVIEW", "REJECT"]
    reason: str
    suggestion: str
    partial_response: str
    audit_id: str


class Attempt(Model):
    """One round of self-correction: the answer and what validation said of it.

    Attributes:
        number: 0 for the first answer, then 1, 2, ...
    """

    number: int
    answer: str
    status: Status
    confidence: float | None
    hallucination_rate: float | None
    rules: tuple[str, ...]


ClaimKind = Literal["fact", "opinion", "inference"]

_NAMESPACE = uuid.UUID("8f7a3c1e-58b1-5d0a-9d53-7e2f6b1c4a90")


def audit_id_of(transcript_hash: str, settings_hash: str) -> str:
    """The id under which a validation is found in the audit log: equal input and settings, equal id."""
    return str(uuid.uuid5(_NAMESPACE, transcript_hash + settings_hash))


class SupportingSource(Model):
    """Provenance of a claim: one chunk that backs it.

    Attributes:
        retrieval_score: what the retriever gave it, in [0, 1], or None.
        support: how well this chunk alone backs the claim, in [0, 1], or None.
    """

    chunk_id: str
    metadata: Mapping[str, Any] = Field(default_factory=dict)
    retrieval_score: float | None = None
    support: float | None = None


class ClaimVerdict(Sparse):
    """One claim of the answer and how well the chunks back it.

    Attributes:
        index: its number in the verdict's claims, from 0.
        text: its words: ``answer[start:end]``.
        start: offset of its first character in the answer.
        kind_confidence: how sure the kind is, in [0, 1].
        skip_reason: why not, or "".
        status: supported, borderline, unsupported, contradicted, abstained or unchecked.
        support: probability in [0, 1] that the chunks back it; None where nobody could score it.
        missing_words: its words that stand in no source, as it writes them: also of a claim that passes, of
            which they are what to read first.
        evidence: the nearest sentences of the chunks, the best first.
        citations: indexes of its citations in the verdict's citations.
        suggested_chunk_ids: chunks that support it, where it cites none.
        opinions: what the engine and the judge say of a claim that a judge was asked about, else None.
        waived: who overruled it; such a claim keeps its status and counts for no rate.
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
        index: its number in the verdict's citations, from 0.
        text: the marker, verbatim: ``answer[start:end]`` ("" for a list entry without one).
        start: offset of the marker in the answer.
        syntax: the syntax that found it: index, section, code, url, id, provider, list, or a custom one.
        target: what it points to, normalised, for people ("3", "ch 3, sec 2", "src/a.py:3-9").
        valid: no error rule failed on it.
        chunk_id: the chunk that it resolved to (the first of several), or None.
        path: the file under the source root that it resolved to, or None.
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


#: Rules whose findings say that a scorer or judge that was asked for did not serve, and another one did.
FALLBACK_RULES = frozenset(having("fallback"))


class Expectations(Model):
    """What was expected of an answer and its retrieval, and what of it came.

    Attributes:
        facts: for each expected fact whether the answer states it.
        ranks: for each expected source the place of its first chunk among those retrieved, from 1, or None.
    """

    facts: tuple[bool, ...] = ()
    ranks: tuple[int | None, ...] = ()

    @property
    def reciprocal_rank(self) -> float:
        """One by the best rank of an expected source, 0.0 where none was retrieved."""
        return 1.0 / min((rank for rank in self.ranks if rank is not None), default=float("inf"))


class Verdict(Canonical):
    """Everything that validation found on one transcript.

    Attributes:
        settings_hash: hash of the settings that can change a verdict.
        confidence: the deciding one, in [0, 1]; None where nothing could be scored or checking is off.
        confidences: each model that has a value, with it.
        confidence_breakdown: terms, weights and ceiling of the deciding confidence.
        citation_precision: share of the citations that support their claim, or None.
        citation_recall: share of the claims that their citations support, or None.
        recommendation: accept, regenerate or reject, from the hallucination rate alone, or None.
        uncertain: the answer says that it is not sure.
        scored: no claim was left without a score because every scorer abstained.
        rejection: what a service sends instead of the answer, or None for one that passes.
        confidence_gain: confidence of the last attempt less that of the first, in [-1, 1], or None.
        waived: who accepted its confidence, where that is low; the suite counts it as confident enough.
        completeness: whether all parts of the question are answered; None where it asks for one thing.
        abstention: the cell that the answer stands in, of those that decline and those that answer.
        reported_confidence: what the pipeline said of itself, in [0, 1], or None.
        reported_missing: what the pipeline said is missing, or None.
        source: file of the transcript, from the root of the project, or None.
        recorded_on: day of the recording, ``YYYY-MM-DD``, or None.
    """

    # A confidence that is none (NaN) is written as it is: whoever reads it back must not take it for nothing.
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
    abstention: Abstention = "untold"
    reported_confidence: float | None = None
    reported_missing: tuple[str, ...] | None = None
    source: str | None = None
    line: int | None = None
    answer_line: int | None = None
    recorded_on: str | None = None
    expectations: Expectations | None = None

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
            cause.rule == "self_report" and cause.waived is None and cause.details.get("difference", 0.0) > 0
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


class CitationReport(Canonical):
    """The citations of one answer, and what the rules on citations found.

    It is true, as in ``assert check_citations(answer, chunks)``, where the answer cites and all of it is
    valid.

    Attributes:
        status: ``valid``: there are citations, and no error rule failed on one; ``invalid``: an error rule
            failed; ``missing``: the answer cites nothing; ``off``: validation is switched off.
        citation_accuracy: valid citations ÷ citations, in [0, 1]; None when there are none.
    """

    status: Literal["valid", "invalid", "missing", "off"]
    citations: tuple[CitationVerdict, ...] = ()
    findings: tuple[Finding, ...] = ()
    citation_accuracy: float | None = None
    cleaned: str

    def __bool__(self) -> bool:
        return self.status == "valid"
