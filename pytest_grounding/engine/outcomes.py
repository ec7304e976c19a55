"""What the checks found on one transcript, and the confidences that follow from it."""

from __future__ import annotations

from typing import NamedTuple

from pytest_grounding.checks import citation, hallucination, off_question, selfrag
from pytest_grounding.checks.check_context import BY_CALLS, CheckContext
from pytest_grounding.citations.extract import marker_spans
from pytest_grounding.gate import HALLUCINATION_OFF
from pytest_grounding.gate.bands import Standing, band_of, banded, is_close
from pytest_grounding.gate.confidence import Signals, learned, measure
from pytest_grounding.model.finding import Completeness, Finding
from pytest_grounding.model.verdict import ConfidenceBreakdown, Expectations, RetrievalVerdict
from pytest_grounding.scorers.builtin.features import coverage_of


class Outcomes(NamedTuple):
    """The results of the checks on one transcript."""

    cited: citation.CitationOutcome
    claimed: hallucination.HallucinationOutcome
    retrieved: RetrievalVerdict
    judged: selfrag.SelfRagOutcome
    findings: tuple[Finding, ...]
    completeness: Completeness | None = None
    expectations: Expectations | None = None


def breakdowns_of(context: CheckContext, outcomes: Outcomes) -> dict[str, ConfidenceBreakdown]:
    """All confidences by model; the learned one inside its band."""
    value = _learned(context, outcomes)
    if value is not None:
        value = banded(value, band_of(standing_of(context, outcomes)))
    return measure(_signals(context, outcomes), context.settings, value)


def _signals(context: CheckContext, outcomes: Outcomes) -> Signals:
    judged, retrieved = outcomes.judged, outcomes.retrieved
    citations = [item for item in outcomes.cited.citations if item.waived is None]
    self_rag, present = judged.self_rag, retrieved.answer_present
    if context.declined and context.recorded.tool_calls:
        from pytest_grounding.checks.tool_use import reports_failure

        present = "none" if reports_failure(context) else present
    return Signals(
        empty=not context.transcript.answer.strip(),
        declined=context.declined,
        answer_present=present,
        relevant=judged.relevant,
        support=judged.support,
        support_share=judged.support_share,
        useful=judged.useful,
        query_type=self_rag.query_type,
        recorded_scores=[c.score for c in context.transcript.chunks if c.score is not None],
        relevance_scores=[item.score for item in retrieved.relevance if item.score is not None],
        citations=len(citations),
        citations_valid=sum(item.valid for item in citations),
        unscored=_unscored(outcomes),
        switched_off="" if context.settings.hallucination_detection else HALLUCINATION_OFF,
        reasons={name: getattr(self_rag, name).reason for name in ("relevance", "support", "usefulness")},
    )


def standing_of(context: CheckContext, outcomes: Outcomes) -> Standing:
    """What the bands of the confidence depend on."""
    counting = [claim for claim in outcomes.claimed.claims if claim.waived is None]
    citations = [item for item in outcomes.cited.citations if item.waived is None]
    is_off = any(finding.holds("off_question") for finding in outcomes.findings)
    return Standing(
        support=outcomes.judged.support,
        rate=outcomes.claimed.rate,
        max_rate=context.settings.max_hallucination_rate,
        # What tools returned was not retrieved for the question.
        is_irrelevant=bool(context.recorded.chunks)
        and outcomes.judged.relevant is False
        and not outcomes.judged.useful
        and off_question.shares_nothing(context, outcomes.claimed.claims),
        is_off_question=is_off,
        has_wrong_citation=not all(item.valid for item in citations),
        is_close=is_close(counting),
    )


def _learned(context: CheckContext, outcomes: Outcomes) -> ConfidenceBreakdown | None:
    """The answer model's confidence: for English answers scored by the built-in engine."""
    is_english = context.language.lower().split("-")[0] == "en"
    if not is_english or context.declined or not context.settings.hallucination_detection:
        return None
    transcript, claims = context.transcript, outcomes.claimed.claims
    texts = [chunk.text for chunk in transcript.chunks]
    # The model was trained on the engine's scores; it must not second-guess a judge's ruling.
    if context.scorer.name != "builtin" or any(claim.method == "llm_judge" for claim in claims):
        return None
    settled = [claim for claim in claims if claim.waived is not None or claim.reason.startswith(BY_CALLS)]
    left_out = [(claim.start, claim.end) for claim in settled]
    for start, end in marker_spans(context.citations):
        if not any(claim.start < end and start < claim.end for claim in settled):
            left_out.append((start, end))
    left_out.sort()
    coverage = coverage_of(transcript.answer, transcript.question, texts, context.language, left_out)
    return learned(claims, coverage)


def _unscored(outcomes: Outcomes) -> str:
    """Why no claim has a score although some were checked, or ""; a judge may have judged the whole."""
    statuses = [claim.status for claim in outcomes.claimed.claims if claim.checked]
    if outcomes.judged.support != "unknown" or not statuses or set(statuses) != {"abstained"}:
        return ""
    return f"no claim could be scored, of {len(statuses)} checked"
