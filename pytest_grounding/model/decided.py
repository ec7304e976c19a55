"""What a decision rests on: the Self-RAG checks, a confidence with its terms, rejections and attempts."""

# No postponed annotations here: pydantic would compile each of them once more, at every import.
from typing import Literal

from pytest_grounding.model._base import Model

Status = Literal["pass", "review", "reject"]


class Judgement(Model):
    """One of the three Self-RAG checks (Asai et al. 2023).

    Attributes:
        value: the word of that check, such as relevant or not useful.
        reason: why, for a person.
    """

    value: str
    reason: str


class SelfRag(Model):
    """The three Self-RAG checks.

    Attributes:
        relevance: do the chunks bear on the question (ISREL).
        support: do they back the answer (ISSUP).
        usefulness: does the answer address the question (ISUSE).
        query_type: kind of the question, which decides how they are weighed.
    """

    relevance: Judgement
    support: Judgement
    usefulness: Judgement
    query_type: Literal["factual", "conversational", "default"] = "default"


class ConfidenceTerm(Model):
    """One addend of a confidence: ``value * weight``.

    Attributes:
        name: what it is.
        value: in [0, 1], or None where there was nothing to measure, which leaves it out.
        weight: its share in the sum, in [0, 1].
        reason: how the value came about, for a person.
    """

    name: str
    value: float | None
    weight: float
    reason: str = ""


class ConfidenceBreakdown(Model):
    """How a confidence came about: terms, their weighted sum, and the ceiling that held it, if any.

    Attributes:
        model: self_rag, tiered or calibrated.
        value: the confidence, in [0, 1]; None where nothing could be scored, or where checking is off.
        terms: the addends.
        raw: their sum before the ceiling, or None as above.
        ceiling: the highest that the findings allow, in [0, 1], or None.
        ceiling_reason: what set it, for a person.
        notes: what else is to be known, such as why there is no value.
    """

    model: str
    value: float | None
    terms: tuple[ConfidenceTerm, ...] = ()
    raw: float | None
    ceiling: float | None = None
    ceiling_reason: str = ""
    notes: tuple[str, ...] = ()


class Rejection(Model):
    """What a service sends instead of an answer that was not accepted.

    Attributes:
        status: REVIEW or REJECT.
        reason: why, for a person.
        suggestion: what to do about it.
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
        answer: what was generated.
        status: pass, review or reject.
        confidence: the deciding one, in [0, 1], or None.
        hallucination_rate: share of hallucinated claims, in [0, 1], or None.
        rules: the rules that found something.
    """

    number: int
    answer: str
    status: Status
    confidence: float | None
    hallucination_rate: float | None
    rules: tuple[str, ...]
