"""Evidence and findings of the checks.

All offsets are code points, 0-based, half-open.
"""

# No postponed annotations here: pydantic would compile each of them again at every import.
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from pytest_grounding._io.wording import if_known
from pytest_grounding.model.base import Model, Sparse
from pytest_grounding.rules import ORDER, RULES, graded

Severity = Literal["error", "warning", "info"]
Span = tuple[int, int]
_RANK = {rule: rank for rank, rule in enumerate(RULES)}  # among equally severe ones: claims first
PartStatus = Literal["answered", "missing"]
Abstention = Literal[
    "answered", "over_refusal", "rightly_declined", "answered_absent", "half_declined", "unknown"
]
#: The distinguishable cells, in the order of reports.
CELLS: tuple[str, ...] = ("answered", "over_refusal", "rightly_declined", "answered_absent", "half_declined")
ClaimStatus = Literal["supported", "borderline", "unsupported", "contradicted", "abstained", "unchecked"]
Method = Literal["exact_match", "lexical", "semantic_similarity", "rerank", "llm_judge"]
BACKED = frozenset({"supported", "borderline"})  # statuses that count as supported
HALLUCINATED = frozenset({"unsupported", "contradicted"})
SCORED = BACKED | HALLUCINATED


class Evidence(Model):
    """A verbatim sentence of a chunk.

    Attributes:
        sentence_index: 0-based number of the sentence in the chunk.
        text: the sentence, verbatim: ``chunk.text[start:end]``.
        start: offset in the chunk's text.
        end: one past its last character.
        before: the sentence before it, or "".
        after: the sentence after it, or "".
        score: how well this sentence alone supports the claim or question, or None.
    """

    chunk_id: str
    sentence_index: int
    text: str
    start: int
    end: int
    before: str = ""
    after: str = ""
    score: float | None = None


class Conflict(Model):
    """Evidence about the same thing that contradicts the claim.

    Attributes:
        kind: number, date, unit, entity, negation, antonym, quantifier, comparison, role, order, ...
        severity: error if the trained verifier is sure, else warning: a possible conflict.
        claim_text: the words of the claim that differ, verbatim.
        evidence_text: the words of the evidence that oppose them, verbatim.
        claim_start: offset of ``claim_text`` in the text of the scored claim.
        log_odds: log odds of a real conflict, from the trained verifier; None if something else found it.
    """

    kind: str
    severity: Severity = "error"
    claim_text: str
    evidence_text: str
    evidence: Evidence
    claim_start: int | None = None
    message: str = ""
    log_odds: float | None = None


class Waived(Model):
    """A person's decision that a finding does not count; it is still shown.

    Attributes:
        day: when, as an ISO date, or "" if unknown.
        severity: the finding's severity without the waiver; a waived one has severity info.
    """

    reason: str
    by: str = ""
    day: str = ""
    severity: Severity = "info"


class Cause(Model):
    """A finding of one rule.

    Attributes:
        span: position in the answer, or None for the whole of it.
        claim: index of its claim, or None.
        citation: index of its citation, or None.
        waived: by whom and why, which makes it a note; None for a finding that counts.
    """

    rule: str
    severity: Severity
    message: str
    span: Span | None = None
    suggestion: str = ""
    claim: int | None = None
    citation: int | None = None
    evidence: tuple[Evidence, ...] = ()
    details: Mapping[str, Any] = Field(default_factory=dict)
    waived: Waived | None = None


_OF_CAUSE = tuple(Cause.model_fields)


class Finding(Cause):
    """One problem, whatever number of rules found it.

    The most severe rule leads: its fields are the finding's own. ``causes`` has the findings of other rules
    on the same claim or words, the most severe first; none of them is more severe than the finding.
    """

    causes: tuple[Cause, ...] = ()

    @property
    def parts(self) -> tuple[Cause, ...]:
        """The findings of each rule: the leading one first, then the causes."""
        held = self.__dict__
        return (Cause.built(**{name: held[name] for name in _OF_CAUSE}), *self.causes)

    def holds(self, rule: str) -> bool:
        """Whether a rule found something here that is not waived."""
        return any(item.rule == rule and item.waived is None for item in (self, *self.causes))

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of all rules involved, each once, the leading one first."""
        return tuple(dict.fromkeys((self.rule, *(cause.rule for cause in self.causes))))


def finding_of(rule: str, settings: object, message: str, suggestion: str = "", **fields: Any) -> Finding:
    """A finding with the severity of its rule under the settings, and by default with its suggestion."""
    severity = fields.pop("severity", None) or graded(rule, settings)
    advice = suggestion or RULES[rule].suggestion
    return Finding(rule=rule, severity=severity, message=message, suggestion=advice, **fields)


def as_one(parts: Sequence[Cause]) -> Finding:
    """The most severe part as a finding with the others as its causes.

    A waived part leads only if no error or warning is left: it hides no more severe one.
    """
    placed = sorted(
        parts,
        key=lambda part: (
            ORDER["info" if part.waived else part.severity],
            part.waived is None,
            _RANK.get(part.rule, len(_RANK)),
        ),
    )
    lead, *others = placed
    return Finding(**{name: getattr(lead, name) for name in Cause.model_fields}, causes=tuple(others))


class AnswerPart(Model):
    """One part of a question, and how the answer addresses it.

    Attributes:
        status: *answered*, also where the answer says openly that it has nothing on it; else *missing*.
    """

    text: str
    status: PartStatus


class Completeness(Model):
    """Whether an answer to a question of several parts addresses each.

    Attributes:
        parts: the parts of the question, at least two, in order.
    """

    parts: tuple[AnswerPart, ...]
    complete: bool

    @property
    def left_out(self) -> tuple[AnswerPart, ...]:
        """The parts that the answer silently leaves out."""
        return tuple(part for part in self.parts if part.status == "missing")


class EngineOpinion(Model):
    """The engine's opinion on a claim."""

    status: ClaimStatus
    support: float | None = None
    method: Method | None = None
    reason: str = ""


class JudgeOpinion(Sparse):
    """The judge's opinion on a claim.

    Attributes:
        value: full, partial or none; None if it could not decide.
        model: its model, or "" if unknown.
        scores: shares of supported, contradicted and not found, or None if the judge gives none.
    """

    left_out: ClassVar[tuple[str, ...]] = ("scores",)

    value: str | None
    reason: str = ""
    judge: str = ""
    model: str = ""
    scores: Mapping[str, float] | None = None


class Opinions(Sparse):
    """Both opinions on one claim; its status follows the judge if that could decide.

    Attributes:
        judge_warns: the judge's agreement with people is too low or not measured: it does not decide, and the
            status is the engine's.
    """

    left_out: ClassVar[tuple[str, ...]] = ("judge_warns",)

    judge_warns: bool = False
    engine: EngineOpinion
    judge: JudgeOpinion

    @property
    def has_ruled(self) -> bool:
        """Whether the judge could decide."""
        return self.judge.value in {"full", "partial", "none"}

    @property
    def differ(self) -> bool:
        """Whether the judge overrules the engine; an engine that abstained has no opinion."""
        if not self.has_ruled or self.judge_warns:
            return False
        return self.engine.status in (HALLUCINATED if self.judge.value == "full" else BACKED)

    def __str__(self) -> str:
        support = if_known(" (support {:.2f})", self.engine.support)
        note = " (only warns)" if self.judge_warns else ""
        return f"engine: {self.engine.status}{support}; {said_by(self.judge)}{note}"


def said_by(judge: JudgeOpinion) -> str:
    """The judge's opinion in words: who, what and why."""
    named = " ".join(part for part in (judge.judge, judge.model) if part)
    who = f"judge {named}" if named else "judge"
    shares = ", ".join(f"{name} {share:.2f}" for name, share in (judge.scores or {}).items())
    said = f"{judge.value or 'could not decide'}{if_known(' [{}]', shares)}"
    return f"{who}: {said}{if_known(' ({})', judge.reason)}"
