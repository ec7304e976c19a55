"""Assertions on the answer: is it grounded, and how confident may one be in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_grounding.assertions.case import Case, examine, share

if TYPE_CHECKING:
    from pytest_grounding.assertions.case import Given, GivenSettings
    from pytest_grounding.model.verdict import ClaimVerdict, Verdict


def assert_grounded(
    t: Given, max_hallucination_rate: float = 0.0, *, settings: GivenSettings = None
) -> Verdict:
    """Assert that the retrieved chunks back what the answer claims.

    Args:
        t: a Transcript, a mapping, a path to a file with one transcript, or a Verdict.
        max_hallucination_rate: share of hallucinated claims that is tolerated, in [0, 1].
        settings: values that win over all other sources.

    Returns:
        The verdict.

    Raises:
        AssertionError: more claims are unsupported or contradicted; the answer is empty; a claim could
            not be scored or none could be checked, where the policies ``abstained`` and
            ``nothing_checked`` say "fail".
        ValueError: the rate is no number from 0 to 1.
    """
    __tracebackhide__ = True
    limit = share(max_hallucination_rate, "max_hallucination_rate")
    case = examine(t, settings, needs="hallucination detection")
    verdict, rate = case.verdict, case.verdict.hallucination_rate
    if case.findings("empty_answer"):
        case.fail("not grounded: the answer is empty", case.blocks(case.findings("empty_answer")))
    if rate is not None and not rate <= limit:
        wrong = verdict.hallucinated
        counting = [claim for claim in verdict.claims if claim.waived is None]
        from pytest_grounding.reports.terminal import claim_in_short

        scored = sum(claim.status not in {"unchecked", "abstained"} for claim in counting)
        case.fail(
            f"not grounded: {len(wrong)} of {scored} checked claims hallucinated "
            f"(rate {rate:.2f}, allowed {limit:.2f})",
            _claim_blocks(case),
            next(map(claim_in_short, _worst_first(case)), ""),
        )
    _follow_abstained(case)
    waived = any(claim.waived is not None for claim in verdict.claims)
    if rate is None and verdict.scored and not verdict.declined and not waived:
        left_out = ", ".join(f"{number} {name}" for name, number in verdict.not_checked.items())
        case.follow(
            case.settings.nothing_checked,
            f"nothing was checked, so nothing shows that it is grounded ({left_out or 'no claim'}; "
            f"policy nothing_checked = {case.settings.nothing_checked})",
        )
    return case.passed()


def _follow_abstained(case: Case) -> None:
    """A claim that no scorer could score is neither supported nor hallucinated: the policy decides."""
    __tracebackhide__ = True
    from pytest_grounding.reports.terminal import claim_lines

    claims = [claim for claim in case.verdict.claims if claim.waived is None]
    abstained = [claim for claim in claims if claim.status == "abstained"]
    if abstained:
        case.follow(
            case.settings.abstained,
            f"{len(abstained)} claims could not be scored (policy abstained = {case.settings.abstained})",
            [claim_lines(claim, case.transcript) for claim in abstained],
        )


def _worst_first(case: Case) -> list[ClaimVerdict]:
    return sorted(case.verdict.hallucinated, key=lambda claim: claim.status != "contradicted")


def _claim_blocks(case: Case) -> list[list[str]]:
    """Each hallucinated claim with its evidence and what to do about it, contradictions first."""
    from pytest_grounding.reports.terminal import short_claim_lines

    blocks = []
    for claim in _worst_first(case):
        rules = case.findings("contradicted", "unsupported_claim", "possible_conflict")
        todo = [item.suggestion for item in rules if item.claim == claim.index]
        advice = next(
            (text for text in todo if text), "correct the claim to what a source says, or remove it"
        )
        blocks.append(short_claim_lines(claim, case.verdict, advice))
    return blocks


def assert_confidence_at_least(
    t: Given, threshold: float = 0.7, *, model: str | None = None, settings: GivenSettings = None
) -> Verdict:
    """Assert that the confidence in the answer reaches a threshold.

    Args:
        t: a Transcript, a mapping, a path to a file with one transcript, or a Verdict.
        threshold: the least confidence, in [0, 1].
        model: ``learned``, ``self_rag``, ``tiered`` or ``calibrated``; None takes
            the setting ``confidence_model``.
        settings: values that win over all other sources.

    Returns:
        The verdict.

    Raises:
        AssertionError: the confidence is lower, none, or not a number.
        ValueError: the threshold is no number from 0 to 1, or there is no such model.
    """
    __tracebackhide__ = True
    limit = share(threshold, "threshold")
    case = examine(t, settings, needs="hallucination detection")
    verdict = case.verdict
    name = model or verdict.confidence_model
    if verdict.confidence is None and name not in verdict.confidences:
        case.fail(f"there is no confidence, and at least {limit:.2f} was asked for: {_why_none(case)}")
    if name not in verdict.confidences:
        known = ", ".join(sorted(verdict.confidences))
        more = ", or set calibration = FILE for it" if name == "calibrated" else ""
        raise ValueError(f"model = {name!r} gave no confidence; write one of: {known}{more}")
    value = verdict.confidences[name]
    # "not at least" instead of "below": a NaN must never pass.
    if not value >= limit:
        lines = [f"confidence {name}: {value:.2f}"]
        breakdown = verdict.breakdowns.get(name) or verdict.confidence_breakdown
        if breakdown.model == name:
            for term in breakdown.terms:
                lines.append(f"  {term.name}: {breakdown.shown(term)}  {term.reason}".rstrip())
            if breakdown.ceiling is not None:
                lines.append(f"  held at {breakdown.ceiling:g}: {breakdown.ceiling_reason}")
            lines += [f"  {note}" for note in breakdown.notes]
        serious = [item for item in verdict.findings if item.severity != "info"]
        case.fail(f"confidence {value:.2f} ({name}) is below {limit:.2f}", [lines, *case.blocks(serious)])
    return case.passed()


def _why_none(case: Case) -> str:
    return "; ".join(case.verdict.confidence_breakdown.notes) or case.verdict.reason
