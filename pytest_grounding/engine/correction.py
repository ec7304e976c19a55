"""Self-correction: report the findings to the generator and validate again, a few times at most."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import closing

from pytest_grounding._io.wording import a_kind
from pytest_grounding.engine.recording import Caller
from pytest_grounding.engine.transcript_input import Given, GivenSettings, as_transcript
from pytest_grounding.engine.validation import validate
from pytest_grounding.errors import InputError
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Attempt, Verdict
from pytest_grounding.settings import Settings

Generate = Callable[[str], str | Awaitable[str]]


def correction_prompt(transcript: Transcript, verdict: Verdict) -> str:
    """The prompt for a better answer: the sources, the answer, and each finding with evidence."""
    sources = "\n\n".join(
        f"[{number}] {chunk.text}" for number, chunk in enumerate(transcript.chunks, start=1)
    )
    faults = [finding for finding in verdict.findings if finding.severity != "info"]
    listed = "\n".join(_fault(number, item, transcript) for number, item in enumerate(faults, start=1))
    return (
        f"Answer the question from the sources alone. Cite a source as [n] after each statement. "
        f"Say that the sources do not hold the answer where they do not.\n\n"
        f"Question: {transcript.question}\n\n"
        f"Sources:\n{sources or '(none)'}\n\n"
        f"This answer was checked and not accepted ({verdict.reason}):\n{transcript.answer}\n\n"
        f"What to fix:\n{listed or '- ' + verdict.diagnosis}\n\n"
        f"Write the corrected answer and nothing else.\n"
    )


def _fault(number: int, finding: Finding, transcript: Transcript) -> str:
    lines = [f"{number}. {finding.message}"]
    if finding.span is not None:
        lines.append(f"   In your answer: {transcript.answer[slice(*finding.span)]}")
    shown = [part for part in finding.parts if part.severity != "info"]
    for part in shown[1:]:
        # Consequences of a fault are corrected with it; an error needs an instruction of its own.
        own = f" Do: {part.suggestion}" if part.severity == "error" and part.suggestion else ""
        lines.append(f"   Also: {part.message}{own}")
    sources = dict.fromkeys((item.chunk_id, item.text) for part in shown for item in part.evidence)
    lines.extend(f"   Source {chunk_id} says: {text}" for chunk_id, text in sources)
    if finding.suggestion:
        lines.append(f"   Do: {finding.suggestion}")
    return "\n".join(lines)


def self_correct(
    transcript: Given, generate: Generate, settings: GivenSettings = None, *, max_retries: int | None = None
) -> Verdict:
    """Validate, and while the answer is not accepted, ask ``generate`` for a better one.

    Args:
        transcript: the recorded transcript; its answer is the first attempt.
        generate: takes the correction prompt, returns a new answer; may be a coroutine function.
        settings: thresholds; ``self_correction_max_retries`` (2) bounds the retries.
        max_retries: bound for this call.

    Returns:
        The verdict on the last attempt. ``attempts`` contains all of them, ``confidence_gain`` is the last
        confidence minus the first, in [-1, 1], or None if one is missing. If the last retry is
        not accepted either, its status is "reject". If ``self_correction`` is false, the verdict on the
        recorded answer, and ``generate`` is not called.

    Raises:
        InputError: ``generate`` returned something that is not text.
        SettingsError: the bound is out of range.
    """
    # A misuse of generate is reported without this frame, and its own exceptions with their frames.
    __tracebackhide__ = True
    in_force = Settings.of(settings)
    if max_retries is not None:
        in_force = in_force.with_values({"self_correction_max_retries": max_retries})
    recorded = as_transcript(transcript, in_force)
    verdict = validate(recorded, in_force)
    if not in_force.self_correction:
        return verdict
    attempts = [_attempt(0, recorded, verdict)]
    with closing(Caller(generate)) as ask:
        for number in range(1, in_force.self_correction_max_retries + 1):
            if verdict.status == "pass" or verdict.skipped:
                break
            answer = ask(correction_prompt(recorded, verdict))
            if not isinstance(answer, str):
                kind = "None" if answer is None else a_kind(answer)
                problem = f"generate returned {kind}, not text"
                raise InputError(problem, hint="return the new answer as a string")
            # Provider spans and list entries belong to the first answer, not to this one.
            changes = {"answer": answer, "citations": (), "cited_indices": None}
            recorded = as_transcript(recorded.model_dump() | changes, in_force)
            verdict = validate(recorded, in_force)
            attempts.append(_attempt(number, recorded, verdict))
    return _with_history(verdict, attempts)


def _attempt(number: int, transcript: Transcript, verdict: Verdict) -> Attempt:
    return Attempt(
        number=number,
        answer=transcript.answer,
        status=verdict.status,
        confidence=verdict.confidence,
        hallucination_rate=verdict.hallucination_rate,
        rules=tuple(dict.fromkeys(finding.rule for finding in verdict.causes)),
    )


def _with_history(verdict: Verdict, attempts: list[Attempt]) -> Verdict:
    first, last = attempts[0].confidence, attempts[-1].confidence
    gain = None if first is None or last is None else round(last - first, 9)
    changes: dict[str, object] = {"attempts": tuple(attempts), "confidence_gain": gain}
    if verdict.status != "pass" and not verdict.skipped:
        changes["status"] = "reject"
        changes["reason"] = f"not accepted after {len(attempts) - 1} retries: {verdict.reason}"
    return verdict.model_copy(update=changes)
