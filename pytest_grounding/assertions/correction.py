"""Assertion on self-correction: does the generator mend its answer when it is told what is wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_grounding._wording import decimals, signed
from pytest_grounding.assertions.case import examine, leave_switched_off

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pytest_grounding.assertions.case import Given, GivenSettings
    from pytest_grounding.model.transcript import Transcript
    from pytest_grounding.model.verdict import Attempt, Verdict


def assert_self_corrects(
    t: Given,
    generate: Callable[[str], str | Awaitable[str]],
    *,
    max_retries: int | None = None,
    settings: GivenSettings = None,
) -> Verdict:
    """Assert that the answer is accepted, at the latest after a few corrections.

    Args:
        t: a Transcript, a mapping, or a path to a file with one transcript.
        generate: takes the correction prompt, returns a new answer; may be a coroutine function.
        max_retries: how often it may be asked; None takes the setting ``self_correction_max_retries``.
        settings: values that win over all other sources.

    Returns:
        The verdict on the last attempt; ``attempts`` and ``confidence_gain`` tell how it went.

    Raises:
        AssertionError: no attempt was accepted; the message says what each was refused for.
        SettingsError: ``max_retries`` is out of range.
        TypeError: a Verdict was given, which holds no sources to answer from, or ``generate`` is no function.
    """
    __tracebackhide__ = True
    from pytest_grounding.engine import self_correct

    if not callable(generate):
        kind = type(generate).__name__
        raise TypeError(
            f"generate is {kind}, no function; pass one that takes a prompt and returns an answer"
        )
    bound = {} if max_retries is None else {"self_correction_max_retries": max_retries}
    case = examine(t, settings, needs="hallucination detection", bound=bound)
    if case.transcript is None:
        raise TypeError("a Verdict cannot be corrected; pass the transcript")
    if not case.settings.self_correction:
        leave_switched_off(case.verdict, "self-correction is switched off, so nothing was asserted")
    verdict = self_correct(case.transcript, generate, case.settings)
    case = replace(case, verdict=verdict, transcript=_of_last(case.transcript, verdict))
    if verdict.status != "pass":
        retries = len(verdict.attempts) - 1
        case.fail(
            f"not corrected after {retries} {'retry' if retries == 1 else 'retries'} "
            f"(confidence {signed(verdict.confidence_gain)})",
            [_attempt_lines(attempt) for attempt in verdict.attempts],
        )
    return case.passed()


def _of_last(recorded: Transcript, verdict: Verdict) -> Transcript:
    """The transcript that the verdict is on: reports show its claims in the answer of the last attempt."""
    if len(verdict.attempts) == 1:
        return recorded
    changes = {"answer": verdict.attempts[-1].answer, "citations": (), "cited_indices": None}
    return recorded.model_copy(update=changes)


def _attempt_lines(attempt: Attempt) -> list[str]:
    from pytest_grounding.reports.terminal import quoted

    name = "recorded answer" if attempt.number == 0 else f"retry {attempt.number}"
    return [
        f"{name}: {attempt.status} (confidence {decimals(attempt.confidence)})",
        f"  answer:   {quoted(attempt.answer, ' ' * 12)}",
        f"  findings: {', '.join(attempt.rules) or 'none'}",
    ]
