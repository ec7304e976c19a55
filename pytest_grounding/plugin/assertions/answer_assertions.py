"""Assertions on the answer: grounded, confident, valid citations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pytest_grounding._io.wording import counted, listed
from pytest_grounding.gate import failing_statuses
from pytest_grounding.plugin.assertions.case import Case, choice, examine_case, exchange, share_setting
from pytest_grounding.rules import having, of_group
from pytest_grounding.settings import POLICIES

if TYPE_CHECKING:
    from pytest_grounding.model.finding import Cause
    from pytest_grounding.model.verdict import CitationVerdict, ClaimVerdict, Verdict
    from pytest_grounding.plugin.assertions.case import Given, GivenSettings

_LIST = "list"  # syntax of a citation list entry that the text never mentions
RULES = of_group("citations")
#: Rules for missing citations: the policy ``require_citations`` decides on them.
_ON_MISSING = frozenset(having("missing"))
#: Rules on whether a source supports its claim. An unsupported claim is itself at fault.
_ON_BACKING = frozenset(having("backing"))


def assert_grounded(
    t: Given,
    chunks: Sequence[Any] | float | None = None,
    *,
    question: str = "",
    max_hallucination_rate: float = 0.0,
    settings: GivenSettings = None,
) -> Verdict:
    """Assert that the retrieved chunks support the claims of the answer.

    Args:
        t: a Transcript, a mapping, a path to a file with one transcript, or a Verdict; with ``chunks`` the
            text of an answer.
        chunks: the retrieved chunks in any shape: texts, mappings, documents of a library. A
            number is read as ``max_hallucination_rate``.
        question: the question, with ``chunks``.
        max_hallucination_rate: tolerated share of hallucinated claims, in [0, 1].
        settings: values that take precedence over all other sources.

    Raises:
        AssertionError: more claims are unsupported or contradicted; the answer is empty; a claim could
            not be scored or none could be checked, if the policies ``abstained`` and
            ``nothing_checked`` say "fail".
        ValueError: the rate is not a number from 0 to 1.
        TypeError: chunks are given without an answer or its question.
    """
    __tracebackhide__ = True
    if isinstance(chunks, (int, float)):
        max_hallucination_rate, chunks = chunks, None
    limit = share_setting(max_hallucination_rate, "max_hallucination_rate")
    if chunks is not None or question:
        t = exchange(t, chunks, question)
    case = examine_case(t, settings, needs="hallucination detection")
    verdict, rate = case.verdict, case.verdict.hallucination_rate
    if case.findings("empty_answer"):
        case.fail("not grounded: the answer is empty", case.blocks(case.findings("empty_answer")))
    if rate is not None and not rate <= limit:
        from pytest_grounding.reports.terminal import claim_in_short

        counting = [claim for claim in verdict.claims if claim.waived is None]
        scored = sum(claim.status not in {"unchecked", "abstained"} for claim in counting)
        case.fail(
            f"not grounded: {len(verdict.hallucinated)} of {scored} checked claims hallucinated "
            f"(rate {rate:.2f}, allowed {limit:.2f})",
            [*_claim_blocks(case), *_citation_blocks(case)],
            next(map(claim_in_short, _worst_first(case)), ""),
        )
    _follow_abstained(case)
    waived = any(claim.waived is not None for claim in verdict.claims)
    if rate is None and verdict.scored and not verdict.declined and not waived:
        left_out = ", ".join(f"{number} {name}" for name, number in verdict.not_checked.items())
        policy = case.settings.nothing_checked
        why = f"{left_out or 'no claim'}; policy nothing_checked = {policy}"
        case.follow(policy, f"nothing was checked, so nothing shows that it is grounded ({why})")
    return case.passed()


def _follow_abstained(case: Case) -> None:
    __tracebackhide__ = True
    from pytest_grounding.reports.terminal import lines_of_claim

    claims = [claim for claim in case.verdict.claims if claim.waived is None]
    if abstained := [claim for claim in claims if claim.status == "abstained"]:
        policy = case.settings.abstained
        blocks = [lines_of_claim(claim, case.transcript) for claim in abstained]
        text = f"{len(abstained)} claims could not be scored (policy abstained = {policy})"
        case.follow(policy, text, blocks)


def _worst_first(case: Case) -> list[ClaimVerdict]:
    return sorted(case.verdict.hallucinated, key=lambda claim: claim.status != "contradicted")


def _claim_blocks(case: Case) -> list[list[str]]:
    from pytest_grounding.reports.terminal import short_claim_lines

    usual = "correct the claim to what a source says, or remove it"
    found = case.findings("contradicted", "unsupported_claim", "possible_conflict")
    advice = {item.claim: item.suggestion for item in reversed(found) if item.suggestion}
    worst = _worst_first(case)
    return [short_claim_lines(claim, case.verdict, advice.get(claim.index, usual)) for claim in worst]


def _citation_blocks(case: Case) -> list[list[str]]:
    from pytest_grounding.reports.terminal import safe

    broken = [item for one in case.verdict.citations if not one.valid for item in one.findings]
    found = [item.message for item in broken if item.severity == "error"]
    found += [item.message for item in _held_back(case, figured=False)]
    lines = [f"assert_citations_valid would add: {safe(text)}" for text in dict.fromkeys(found)]
    return [lines] if lines else []


def assert_confidence_at_least(
    t: Given, threshold: float = 0.7, *, model: str | None = None, settings: GivenSettings = None
) -> Verdict:
    """Assert that the confidence in the answer reaches a threshold.

    Args:
        t: a Transcript, a mapping, a path to a file with one transcript, or a Verdict.
        threshold: the lowest accepted confidence, in [0, 1].
        model: ``learned``, ``self_rag``, ``tiered`` or ``calibrated``; None uses
            the setting ``confidence_model``.
        settings: values that take precedence over all other sources.

    Raises:
        AssertionError: the confidence is lower, missing, or not a number.
        ValueError: the threshold is not a number from 0 to 1, or the model is unknown.
    """
    __tracebackhide__ = True
    limit = share_setting(threshold, "threshold")
    case = examine_case(t, settings, needs="hallucination detection")
    verdict = case.verdict
    name = model or verdict.confidence_model
    if verdict.confidence is None and name not in verdict.confidences:
        why = "; ".join(verdict.confidence_breakdown.notes) or verdict.reason
        case.fail(f"there is no confidence, and at least {limit:.2f} was asked for: {why}")
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
                lines.append(f"  capped at {breakdown.ceiling:g}: {breakdown.ceiling_reason}")
            lines += [f"  {note}" for note in breakdown.notes]
        serious = [item for item in verdict.findings if item.severity != "info"]
        case.fail(f"confidence {value:.2f} ({name}) is below {limit:.2f}", [lines, *case.blocks(serious)])
    return case.passed()


def assert_citations_valid(
    t: Given,
    *,
    require_citations: str | None = None,
    rules: Iterable[str] | None = None,
    min_accuracy: float | None = None,
    min_precision: float | None = None,
    min_recall: float | None = None,
    settings: GivenSettings = None,
) -> Verdict:
    """Assert that the answer has citations and that they are valid.

    An answer without any citation fails as "missing citations": it is not "all valid". Only
    ``require_citations="off"``, given here, by a mark or in the configuration, lets it pass; an answer
    that declines needs none. A citation of the wrong chunk fails if the gate holds its answer back:
    a rule on citations warns, and the setting ``fail_on`` is ``review``. A claim without support is
    reported by `assert_grounded`, not as a fault of its citation.

    Args:
        t: a Transcript, a mapping, a path to a file with one transcript, or a Verdict.
        require_citations: ``error`` requires a citation for each checked claim, ``warn`` warns if one is
            missing, ``off`` requires none; None requires at least one in the answer.
        rules: names of rules that must report nothing, whatever their severity; None means those that
            make a citation invalid or hold the answer back.
        min_accuracy: accepted share of valid citations, in [0, 1]; None requires all to be valid.
        min_precision: lowest citation precision (ALCE, Gao et al. 2023), in [0, 1], instead of a source
            for each claim.
        min_recall: lowest citation recall (ALCE), in [0, 1].
        settings: values that take precedence over all other sources.

    Raises:
        AssertionError: a citation is invalid, citations are missing, or a figure is too low.
        ValueError: an argument is out of range or unknown.
    """
    __tracebackhide__ = True
    policy = None if require_citations is None else choice(require_citations, "require_citations", POLICIES)
    chosen = None if rules is None else _rules(rules)
    figures = []
    # A loop, not a comprehension: until Python 3.12 its frame would be in the traceback of a wrong limit.
    for name, value in (("accuracy", min_accuracy), ("precision", min_precision), ("recall", min_recall)):
        if value is not None:
            figures.append((name, share_setting(value, f"min_{name}")))
    case = examine_case(t, settings)
    if policy is None and "require_citations" in case.explicit:
        policy = case.settings.require_citations
    invalid = [item for item in case.verdict.citations if not item.valid]
    if chosen is None and min_accuracy is None:
        # First, because an invalid list entry may be why the answer seems to cite nothing.
        _fail_on_invalid(case, invalid)
    _require(case, policy, invalid)
    if chosen is not None:
        _fail_on(case, [item for item in _all_findings(case) if item.rule in chosen])
    elif min_accuracy is None:
        _fail_on(case, _held_back(case, figured=min_precision is not None))
    for name, limit in figures:
        _compare_figure(case, name, limit)
    return case.passed()


def _rules(rules: Iterable[str]) -> frozenset[str]:
    __tracebackhide__ = True
    names = (rules,) if isinstance(rules, str) else tuple(rules)
    if not names:
        raise ValueError(f"rules is empty, so nothing would be asserted; write some of: {', '.join(RULES)}")
    # A loop, not a generator, whose frame would be in the traceback of a misspelled name.
    for name in names:
        choice(name, "rules", RULES)
    return frozenset(names)


def _require(case: Case, policy: str | None, invalid: Sequence[CitationVerdict]) -> None:
    __tracebackhide__ = True
    from pytest_grounding.reports.terminal import citation_lines, lines_of_claim

    if policy == "off" or case.verdict.declined:
        return
    outcome = "warn" if policy == "warn" else "fail"
    advice = 'have the model cite its sources, or say require_citations="off"'
    if not any(item.start >= 0 or item.syntax != _LIST for item in case.verdict.citations):
        entries = [citation_lines(item, case.transcript) for item in invalid]
        case.follow(outcome, f"missing citations: the answer cites nothing; {advice}", entries)
        return
    bare = [claim for claim in case.verdict.claims if claim.checked and not claim.citations]
    if policy is not None and bare:
        blocks = []
        for claim in bare:
            hint = ", ".join(claim.suggested_chunk_ids)
            todo = f"cite chunk {hint}" if hint else "cite the source of this claim, or remove it"
            blocks.append([*lines_of_claim(claim, case.transcript), f"  do:       {todo}"])
        case.follow(outcome, f"missing citations: {len(bare)} checked claims bear none", blocks)


def _all_findings(case: Case) -> list[Cause]:
    of_citations = (item for citation in case.verdict.citations for item in citation.findings)
    every = (item for item in (*case.verdict.causes, *of_citations) if item.waived is None)
    return list({(item.rule, item.citation, item.claim, item.message): item for item in every}.values())


def _held_back(case: Case, *, figured: bool) -> list[Cause]:
    """The findings on citations that hold the answer back; none if a review passes."""
    if "review" not in failing_statuses(case.settings):
        return []
    claims = case.verdict.claims
    at_fault = {claim.index for claim in claims if claim.status in ("unsupported", "contradicted")}
    found = []
    for item in _all_findings(case):
        if item.rule not in RULES or item.rule in _ON_MISSING or item.severity != "warning":
            continue
        if item.rule not in _ON_BACKING or not (figured or item.claim in at_fault):
            found.append(item)
    return found


def _fail_on(case: Case, findings: Sequence[Cause]) -> None:
    __tracebackhide__ = True
    if findings:
        names = ", ".join(sorted({item.rule for item in findings}))
        blocks = [*_counted_otherwise(case, findings), *case.blocks(findings)]
        case.fail(f"citations not valid: {counted(len(findings), 'finding')} of {names}", blocks)


def _counted_otherwise(case: Case, told: Sequence[Cause] = ()) -> list[list[str]]:
    """The finding that the answer numbers its sources from another start, which explains many others."""
    return case.blocks(item for item in case.findings("index_base") if item not in told)


def _fail_on_invalid(case: Case, invalid: Sequence[CitationVerdict]) -> None:
    __tracebackhide__ = True
    from pytest_grounding.reports.terminal import citation_lines, safe

    if invalid:
        total = len(case.verdict.citations)
        blocks = _counted_otherwise(case)
        blocks += [citation_lines(item, case.transcript) for item in invalid]
        if case.transcript is not None:
            names = [f"[{number}] {safe(chunk.id)}" for number, chunk in enumerate(case.transcript.chunks, 1)]
            blocks.append([f"retrieved: {listed(names, 20) or 'no chunk at all'}"])
        case.fail(f"{len(invalid)} of {total} citations not valid", blocks)


def _compare_figure(case: Case, name: str, limit: float) -> None:
    __tracebackhide__ = True
    from pytest_grounding.reports.terminal import citation_lines

    value: float | None = getattr(case.verdict, f"citation_{name}")
    if value is None:
        policy = case.settings.nothing_checked
        why = f"nothing was there to measure (policy nothing_checked = {policy})"
        case.follow(policy, f"there is no citation {name}: {why}")
    elif not value >= limit:
        weak = []
        for item in case.verdict.citations:
            if not item.valid or (name == "precision" and item.supports is False):
                weak.append(item)
        blocks = _counted_otherwise(case)
        blocks += [citation_lines(item, case.transcript) for item in weak]
        case.fail(f"citation {name} {value:.2f} is below {limit:.2f}", blocks)
