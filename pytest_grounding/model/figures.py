"""The figures over a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from pytest_grounding.model._base import Sparse
from pytest_grounding.model.answering import Rate


class Summary(Sparse):
    """The figures over all verdicts that count.

    Shares are in [0, 1]; None: there was nothing to measure. Rates are sums over the claims, citations or
    answers of the suite, not means of means.

    Attributes:
        transcripts: verdicts that count.
        passed: of these, how many pass.
        review: how many are to review.
        rejected: how many are rejected.
        declined: answers that say that they cannot answer.
        expected_failures: transcripts whose test expected them to fail; they count for no other figure.
        answers_without_confidence: answers of which no confidence could be computed.
        citation_accuracy: share of the citations that are valid.
        ungrounded_answers: share of the answers with an invalid citation.
        hallucination_rate: share of the scored claims that are hallucinated.
        confident_share: share of the answers whose confidence reaches ``suite_confidence``.
        with_confidence: share of the answers that have a confidence.
        citations: citations of all answers.
        citations_valid: of these, how many are valid.
        answers_without_citation: answers that cite nothing.
        claims_scored: claims that were scored.
        claims_hallucinated: of these, how many are unsupported or contradicted.
        claims_abstained: claims that no scorer could score.
        not_checked: claims that were not held against the chunks, by reason.
        switched_off: answers by check that the settings switch off.
        waived: findings that people overruled.
        skipped: transcripts of which a check is switched off and nothing else is wrong, which neither
            passed nor are to review.
        answers_asked_for_confidence: what the two shares of answers by confidence are counted in.
        corrected: answers that were generated again.
        corrected_gained: of these, how many have more confidence since.
        correction_gain: their mean gain, in [-1, 1].
        questions_in_parts: questions of several parts.
        answers_complete: of these, how many are answered whole.
        completeness: the same as a share.
        abstention: answers by cell, of those that decline and those that answer.
        abstention_rates: four of these as shares.
        answers_reporting: answers whose pipeline reports a confidence of its own.
        answers_with_both: of these, how many have a computed one too.
        answers_compared: of these, how many do not decline.
        confidence_difference: mean of the reported less the computed confidence over these, in [-1, 1].
        answers_over_confident: answers that report more than the limit allows.
        over_confident: the same as a share of ``answers_with_both``.
        missing_named: answers that say what their sources lack.
        claims_judged: claims on which a judge ruled.
        judge_overruled: of these, how many it decided against the engine.
    """

    left_out: ClassVar[tuple[str, ...]] = ("claims_judged", "judge_overruled")

    transcripts: int
    passed: int
    review: int
    rejected: int
    declined: int
    expected_failures: int
    answers_without_confidence: int
    citation_accuracy: float | None
    ungrounded_answers: float | None
    hallucination_rate: float | None
    confident_share: float | None
    with_confidence: float | None
    citations: int
    citations_valid: int
    answers_without_citation: int
    claims_scored: int
    claims_hallucinated: int
    claims_abstained: int
    not_checked: Mapping[str, int]
    switched_off: Mapping[str, int]
    waived: int = 0
    skipped: int = 0
    answers_asked_for_confidence: int = 0
    corrected: int = 0
    corrected_gained: int = 0
    correction_gain: float | None = None
    questions_in_parts: int = 0
    answers_complete: int = 0
    completeness: float | None = None
    abstention: Mapping[str, int] = Field(default_factory=dict)
    abstention_rates: tuple[Rate, ...] = ()
    answers_reporting: int = 0
    answers_with_both: int = 0
    answers_compared: int = 0
    confidence_difference: float | None = None
    answers_over_confident: int = 0
    over_confident: float | None = None
    missing_named: int = 0
    claims_judged: int = 0
    judge_overruled: int = 0
