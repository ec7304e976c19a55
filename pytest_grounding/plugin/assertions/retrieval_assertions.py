"""Assertions on the retrieval, and on corrected answers."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_grounding._io.wording import decimals, signed
from pytest_grounding.plugin.assertions.case import Case, choice, examine_case, leave_switched_off

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pytest_grounding.model.verdict import Attempt, Verdict
    from pytest_grounding.plugin.assertions.case import Given, GivenSettings

_RATINGS = ("poor", "partial", "good")
_PRESENCE = ("partial", "full")
_BLANKS = re.compile(r"\s+")
_MARKS = str.maketrans("\u2018\u2019\u201c\u201d\u2010\u2011\u2012\u2013\u2014\u2212", "''\"\"------")


def assert_retrieval_quality(
    t: Given, at_least: str = "partial", *, settings: GivenSettings = None
) -> Verdict:
    """Assert a minimum rating of the retrieval.

    Args:
        t: a Transcript, a mapping, a path to a file with one transcript, or a Verdict.
        at_least: ``good``, ``partial`` or ``poor``.
        settings: values that take precedence over all other sources.

    Raises:
        AssertionError: the rating is lower; the message shows the relevance of each chunk.
        ValueError: the rating is unknown.
    """
    __tracebackhide__ = True
    wanted = _RATINGS.index(choice(at_least, "at_least", _RATINGS))
    case = examine_case(t, settings)
    retrieval = case.verdict.retrieval
    if not _RATINGS.index(retrieval.rating) >= wanted:
        text = f"retrieval is {retrieval.rating}, at least {at_least} is wanted: {retrieval.reason}"
        case.fail(text, _retrieval_blocks(case))
    return case.passed()


def assert_answer_present(t: Given, *, at_least: str = "full", settings: GivenSettings = None) -> Verdict:
    """Assert that the retrieved chunks state the answer to the question.

    Args:
        t: a Transcript, a mapping, a path to a file with one transcript, or a Verdict.
        at_least: ``full`` (stated) or ``partial`` (a part of it, or somewhere on the topic).
        settings: values that take precedence over all other sources.

    Raises:
        AssertionError: it is missing; or it could not be decided and the policy ``abstained`` is
            "fail".
        ValueError: ``at_least`` is unknown.
    """
    __tracebackhide__ = True
    choice(at_least, "at_least", _PRESENCE)
    case = examine_case(t, settings)
    retrieval = case.verdict.retrieval
    present = retrieval.answer_present
    why = retrieval.presence_reason or retrieval.reason
    if present == "abstain":
        policy = case.settings.abstained
        text = "it is unknown whether the retrieval contains the answer"
        case.follow(policy, f"{text} (policy abstained = {policy}): {why}", _retrieval_blocks(case))
    elif present == "none" or (present == "partial" and at_least == "full"):
        text = f"the retrieval does not contain the answer ({present}, {at_least} is wanted): {why}"
        case.fail(text, _retrieval_blocks(case))
    return case.passed()


def assert_evidence_for(t: Given, phrase: str, *, settings: GivenSettings = None) -> Verdict:
    """Assert that a phrase is in the evidence for the question or for a claim.

    Case, white space, and the shapes of quotation marks and dashes are ignored; every other character
    must match.

    Args:
        t: a Transcript, a mapping, a path to a file with one transcript, or a Verdict.
        phrase: the words that the evidence must contain.
        settings: values that take precedence over all other sources.

    Raises:
        AssertionError: no sentence of the evidence contains it; the message shows the evidence.
        ValueError: the phrase is empty.
    """
    __tracebackhide__ = True
    wanted = _comparable_text(phrase)
    if not wanted:
        raise ValueError("phrase is empty; write what the evidence must say")
    case = examine_case(t, settings)
    # First the evidence for the question, then for the claims, each sentence once.
    of_claims = (one for claim in case.verdict.claims for one in claim.evidence)
    found = [*case.verdict.retrieval.evidence, *of_claims]
    evidence = list({(item.chunk_id, item.start, item.end): item for item in found}.values())
    if not any(wanted in _comparable_text(f"{item.before} {item.text} {item.after}") for item in evidence):
        from pytest_grounding.reports.terminal import evidence_text, quoted

        lines = [f"  {evidence_text(item, 2)}" for item in evidence[:10]] or ["  none at all"]
        blocks = [["evidence that was found:", *lines]]
        chunks = case.transcript.chunks if case.transcript else ()
        if elsewhere := [chunk.id for chunk in chunks if wanted in _comparable_text(chunk.text)]:
            blocks.append([f"the phrase is in chunk {', '.join(elsewhere)}, but not as evidence"])
        case.fail(f"no evidence says {quoted(phrase)}", blocks)
    return case.passed()


def _comparable_text(text: str) -> str:
    return _BLANKS.sub(" ", unicodedata.normalize("NFKC", text).translate(_MARKS)).strip().casefold()


def _retrieval_blocks(case: Case) -> list[list[str]]:
    from pytest_grounding.reports.terminal import evidence_text, safe

    retrieval = case.verdict.retrieval
    lines = []
    for item in retrieval.relevance:
        score = "-" if item.score is None else f"{item.score:.2f}"
        word = "relevant" if item.relevant else "not relevant"
        lines.append(f"  chunk {safe(item.chunk_id)}: {score} {word} {safe(item.reason)}".rstrip())
    blocks = [["retrieved chunks:", *(lines or ["  none at all"])]]
    if retrieval.evidence:
        nearest = [f"  {evidence_text(item, 2)}" for item in retrieval.evidence[:3]]
        blocks.append(["nearest evidence:", *nearest])
    blocks.append(["do: widen the retrieval, fix the index, or ask what the sources can answer"])
    return blocks


def assert_self_corrects(
    t: Given,
    generate: Callable[[str], str | Awaitable[str]],
    *,
    max_retries: int | None = None,
    settings: GivenSettings = None,
) -> Verdict:
    """Assert that the answer is accepted, after a few corrections at most.

    Args:
        t: a Transcript, a mapping, or a path to a file with one transcript.
        generate: takes the correction prompt, returns a new answer; may be a coroutine function.
        max_retries: most retries; None uses the setting ``self_correction_max_retries``.
        settings: values that take precedence over all other sources.

    Returns:
        The verdict on the last attempt; see its ``attempts`` and ``confidence_gain``.

    Raises:
        AssertionError: no attempt was accepted; the message has the reason for each.
        SettingsError: ``max_retries`` is out of range.
        TypeError: a Verdict was given, which has no sources, or ``generate`` is not a function.
    """
    __tracebackhide__ = True
    from pytest_grounding.engine.answer_tools import self_correct

    if not callable(generate):
        advice = "pass one that takes a prompt and returns an answer"
        raise TypeError(f"generate is {type(generate).__name__}, no function; {advice}")
    bound = {} if max_retries is None else {"self_correction_max_retries": max_retries}
    case = examine_case(t, settings, needs="hallucination detection", bound=bound)
    if case.transcript is None:
        raise TypeError("a Verdict cannot be corrected; pass the transcript")
    if not case.settings.self_correction:
        leave_switched_off(case.verdict, "self-correction is switched off, so nothing was asserted")
    verdict = self_correct(case.transcript, generate, case.settings)
    # Reports show the claims of the verdict in the answer of the last attempt.
    changes = {"answer": verdict.attempts[-1].answer, "citations": (), "cited_indices": None}
    last = case.transcript if len(verdict.attempts) == 1 else case.transcript.model_copy(update=changes)
    case = replace(case, verdict=verdict, transcript=last)
    if verdict.status != "pass":
        retries = len(verdict.attempts) - 1
        after = f"{retries} {'retry' if retries == 1 else 'retries'}"
        text = f"not corrected after {after} (confidence {signed(verdict.confidence_gain)})"
        case.fail(text, map(_attempt_lines, verdict.attempts))
    return case.passed()


def _attempt_lines(attempt: Attempt) -> list[str]:
    from pytest_grounding.reports.terminal import quoted

    name = "recorded answer" if attempt.number == 0 else f"retry {attempt.number}"
    return [
        f"{name}: {attempt.status} (confidence {decimals(attempt.confidence)})",
        f"  answer:   {quoted(attempt.answer, 12)}",
        f"  findings: {', '.join(attempt.rules) or 'none'}",
    ]
