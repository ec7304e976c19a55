"""What a check found: evidence and findings.

All offsets are code points, 0-based, half-open.
"""

# No postponed annotations here: pydantic would compile each of them once more, at every import.
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from pytest_grounding.model._base import Model, Sparse
from pytest_grounding.rules import ORDER, RULES

Severity = Literal["error", "warning", "info"]
Span = tuple[int, int]


class Evidence(Model):
    """A verbatim sentence of a chunk.

    Attributes:
        sentence_index: 0-based number of the sentence in the chunk.
        text: the sentence, verbatim: ``chunk.text[start:end]``.
        start: offset in the chunk's text.
        end: one past its last character.
        before: the sentence before it, or "".
        after: the sentence after it, or "".
        score: how well this sentence alone backs what was asked, or None.
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
    """Evidence about the same thing that says otherwise.

    Attributes:
        kind: number, date, unit, entity, negation, antonym, quantifier, comparison, role, order, ...
        severity: error where the trained verifier is sure, else warning: a possible conflict.
        claim_text: the words of the claim that differ, verbatim.
        evidence_text: the words of the evidence that stand against them, verbatim.
        claim_start: offset of ``claim_text`` in the text of the claim that was scored.
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


class Waived(Model):
    """That a person overruled a finding: it is shown, and decides nothing.

    Attributes:
        day: when, as an ISO date, or "" where that is not known.
        severity: what the finding would be without; a waived one is of severity info.
    """

    reason: str
    by: str = ""
    day: str = ""
    severity: Severity = "info"


class Cause(Model):
    """What one rule found.

    Attributes:
        span: where in the answer, or None for the whole of it.
        claim: index of the claim that it is about, or None.
        citation: index of the citation that it is about, or None.
        waived: who overruled it and why, which makes it a note; None for a finding that counts.
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
    """One thing that is wrong, whatever number of rules found it.

    The rule that found the gravest leads: its fields are the finding's own. ``causes`` holds what further
    rules found on the same claim or the same words of the answer, the gravest first; none of them is
    graver than the finding.
    """

    causes: tuple[Cause, ...] = ()

    @property
    def parts(self) -> tuple[Cause, ...]:
        """What each rule found: the leading one first, then the causes."""
        held = self.__dict__
        return (Cause.built(**{name: held[name] for name in _OF_CAUSE}), *self.causes)

    def holds(self, rule: str) -> bool:
        """Whether a rule found something here that nobody waived."""
        return any(item.rule == rule and item.waived is None for item in (self, *self.causes))

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of all rules that found something, each once, the leading one first."""
        return tuple(dict.fromkeys((self.rule, *(cause.rule for cause in self.causes))))


#: Which rule leads among equally grave ones: what is said before what is cited for it.
_RANK = {rule: rank for rank, rule in enumerate(RULES)}


def as_one(parts: Sequence[Cause]) -> Finding:
    """The gravest part as a finding with the others as its causes.

    A part that was waived decides nothing, so it leads only where no error or warning is left: neither a
    waiver nor a policy that makes a rule mild can hide what is graver.

    Args:
        parts: what each rule found, at least one.
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


PartStatus = Literal["answered", "declined", "missing", "unsourced"]
Abstention = Literal[
    "answered", "over_refusal", "rightly_declined", "answered_absent", "half_declined", "untold"
]

#: The cells that can be told, in the order of reports.
CELLS: tuple[str, ...] = ("answered", "over_refusal", "rightly_declined", "answered_absent", "half_declined")


class AnswerPart(Model):
    """One of the things that a question asks for, and what the answer does with it.

    Attributes:
        status: *answered*; *declined*, said openly not to be in the sources; *missing*, left out;
            *unsourced*, left out without a word, and the sources do not hold it.
    """

    text: str
    status: PartStatus


class Completeness(Model):
    """Whether an answer to a question of several parts holds something on each.

    Attributes:
        parts: the parts of the question, at least two, in their order.
    """

    parts: tuple[AnswerPart, ...]
    complete: bool

    @property
    def left_out(self) -> tuple[AnswerPart, ...]:
        """The parts that the answer leaves out without a word."""
        return tuple(part for part in self.parts if part.status in ("missing", "unsourced"))


ClaimStatus = Literal["supported", "borderline", "unsupported", "contradicted", "abstained", "unchecked"]
Method = Literal["exact_match", "lexical", "semantic_similarity", "rerank", "llm_judge"]

_BACKED = frozenset({"supported", "borderline"})
_HELD_BACK = frozenset({"unsupported", "contradicted"})


class EngineOpinion(Model):
    """What a claim would be without a judge."""

    status: ClaimStatus
    support: float | None = None
    method: Method | None = None
    reason: str = ""


class JudgeOpinion(Model):
    """What a judge says of a claim.

    Attributes:
        value: full, partial or none; None where it could not tell.
        model: its model, or "" where it does not say.
    """

    value: str | None
    reason: str = ""
    judge: str = ""
    model: str = ""


class Opinions(Sparse):
    """Both opinions on one claim; its status follows the judge wherever that one could tell.

    Attributes:
        judge_warns: the judge's agreement with people is too low or not measured: it decides nothing, and the
            status is the engine's.
    """

    left_out: ClassVar[tuple[str, ...]] = ("judge_warns",)

    judge_warns: bool = False
    engine: EngineOpinion
    judge: JudgeOpinion

    @property
    def has_ruled(self) -> bool:
        """Whether the judge could tell."""
        return self.judge.value in {"full", "partial", "none"}

    @property
    def differ(self) -> bool:
        """Whether the judge overrules the engine; an engine that abstained has no opinion."""
        if not self.has_ruled or self.judge_warns:
            return False
        return self.engine.status in (_HELD_BACK if self.judge.value == "full" else _BACKED)

    def __str__(self) -> str:
        """Both in one line, for people."""
        engine = self.engine
        support = "" if engine.support is None else f" (support {engine.support:.2f})"
        note = " (only warns)" if self.judge_warns else ""
        return f"engine: {engine.status}{support}; {said_by(self.judge)}{note}"


def said_by(judge: JudgeOpinion) -> str:
    """The judge's opinion in words: who, what and why."""
    named = " ".join(part for part in (judge.judge, judge.model) if part)
    who = f"judge {named}" if named else "judge"
    reason = f" ({judge.reason})" if judge.reason else ""
    return f"{who}: {judge.value or 'could not tell'}{reason}"
