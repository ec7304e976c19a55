"""What a check found: evidence and findings.

All offsets are code points, 0-based, half-open.
"""

# No postponed annotations here: pydantic would compile each of them once more, at every import.
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from pytest_grounding.model._base import Model

Severity = Literal["error", "warning", "info"]
Span = tuple[int, int]


class Evidence(Model):
    """A verbatim sentence of a chunk.

    Attributes:
        chunk_id: the chunk that it stands in.
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


class Waived(Model):
    """That a person overruled a finding: it is shown, and decides nothing.

    Attributes:
        reason: why, in words.
        by: who said so.
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
        rule: name of the rule, such as ``source_exists``.
        severity: error, warning or info.
        message: what is wrong, for a person.
        span: where in the answer, or None for the whole of it.
        suggestion: what to do about it, or "".
        claim: index of the claim that it is about, or None.
        citation: index of the citation that it is about, or None.
        evidence: the sentences that show it.
        details: further facts, as plain data.
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

    Attributes:
        causes: what further rules found.
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
