"""Assertion on self-correction: does the generator mend its answer when it is told what is wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_grounding.assertions.case import examine, leave_switched_off

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_grounding.assertions.case import Given, GivenSettings
    from pytest_grounding.model.verdict import Attempt, Verdict


def assert_self_corrects(
    t: Given,
    generate: Callable[[str], str],
    *,
    max_retries: int | None = None,
    settings: GivenSettings = None,
) -> Verdict:
    """Assert that the answer is accepted, at the latest after a few corrections.

    Args:
        t: a Transcript, a mapping, or a path to a file with one transcript.
        generate: takes the correction prompt, returns a new answer.
        max_retries: how often it may be asked; None takes the setting ``self_correction_max_retries``.
        settings: values that win over all other sources.

    Returns:
        The verdict on the last attempt; ``attempts`` and ``confidence_gain`` tell how it went.

    Raises:
        AssertionError: no attempt was accepted; the message says what each was refused for.
        TypeError: a Verdict was given, which holds no sources to answer from.
    """
    __tracebackhide__ = True
    from pytest_grounding.engine import self_correct

    case = examine(t, settings)
    if case.transcript is None:
        raise TypeError("a Verdict cannot be corrected; pass the transcript")
    if not case.settings.self_correction:
        leave_switched_off(case.verdict, "self-correction is switched off, so nothing was asserted")
    verdict = self_correct(case.transcript, generate, case.settings, max_retries=max_retries)
    if verdict.status != "pass":
        retries = len(verdict.attempts) - 1
        replace(case, verdict=verdict).fail(
            f"not corrected after {retries} {'retry' if retries == 1 else 'retries'} "
            f"(confidence {verdict.confidence_gain:+.2f})",
            [_attempt_lines(attempt) for attempt in verdict.attempts],
        )
    return replace(case, verdict=verdict).passed()


def _attempt_lines(attempt: Attempt) -> list[str]:
    from pytest_grounding.reports.terminal import quoted

    name = "recorded answer" if attempt.number == 0 else f"retry {attempt.number}"
    return [
        f"{name}: {attempt.status} (confidence {attempt.confidence:.2f})",
        f"  answer:   {quoted(attempt.answer, ' ' * 12)}",
        f"  findings: {', '.join(attempt.rules) or 'none'}",
    ]
