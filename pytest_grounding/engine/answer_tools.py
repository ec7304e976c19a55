"""Use a verdict: clean the answer, show its sources, suggest citations, warn the user, correct itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import closing
from typing import NoReturn

from pytest_grounding._io.wording import a_kind
from pytest_grounding.citations.editing import Insertion, place_of, shifted, with_markers
from pytest_grounding.citations.editing import clean_markers as cleaned
from pytest_grounding.citations.naming import InlineCitation, source_line
from pytest_grounding.citations.naming import valid_inline_citations as inlined
from pytest_grounding.citations.numbering import chunk_numbers
from pytest_grounding.engine import guard, registry
from pytest_grounding.engine.recording import Caller
from pytest_grounding.engine.transcript_input import Given, GivenSettings, as_transcript
from pytest_grounding.engine.validation import validate
from pytest_grounding.errors import InputError, UncheckedError
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.transcript import Chunk, ChunkMetadata, Transcript
from pytest_grounding.model.verdict import Attempt, Verdict
from pytest_grounding.settings import Settings

NOTE = "Note: not every statement in this answer is backed by the sources it cites."
_MOST_TRIES = 5  # attempts without the markers that failed, before none is inserted
Generate = Callable[[str], str | Awaitable[str]]


def clean_answer(transcript: Given, settings: GivenSettings = None) -> str:
    """The answer without its invalid citation markers; all other characters stay.

    Raises:
        UncheckedError: nothing could be checked, so no marker is known to be valid.
    """
    in_force = Settings.of(settings)
    recorded = as_transcript(transcript, in_force)
    citations = checked(recorded, in_force).citations
    return guard.with_fallback(
        lambda: cleaned(recorded, citations, settings=in_force, syntaxes=registry.syntaxes()), _refuse
    )


def checked(transcript: Transcript, settings: Settings) -> Verdict:
    """The verdict on a transcript that could be checked."""
    verdict = validate(transcript, settings)
    if guard.is_unchecked(verdict):
        _refuse(verdict.findings[0].message)
    return verdict


def _refuse(reason: str) -> NoReturn:
    raise UncheckedError(f"the answer could not be checked: {reason}")


def inline_citations(transcript: Given, settings: GivenSettings = None) -> list[InlineCitation]:
    """The valid citations with number, position, title and address, for a front end to show.

    Args:
        transcript: a Transcript or a mapping.
        settings: gives ``index_base`` and the bases of addresses.

    Raises:
        UncheckedError: nothing could be checked, so no citation is known to be valid.
    """
    in_force = Settings.of(settings)
    recorded = as_transcript(transcript, in_force)
    citations = checked(recorded, in_force).citations
    return guard.with_fallback(lambda: inlined(recorded, citations, in_force), _refuse)


def format_citations(verdict: Verdict, settings: GivenSettings = None) -> str:
    """The provenance of each checked claim, for people: sources, their metadata, scores and the method.

    Args:
        verdict: the verdict.
        settings: for the base addresses of sources; a Settings, a mapping, or None for the defaults.
    """
    in_force = Settings.of(settings)
    _refuse_other(verdict)
    lines: list[str] = []
    for claim in verdict.claims:
        if claim.status == "unchecked":
            continue
        support = "not scored" if claim.support is None else f"{claim.support:.2f}"
        lines.append(f"{claim.status} ({support}, {claim.method}): {claim.text}")
        for source in claim.sources:
            chunk = Chunk(id=source.chunk_id, text="", metadata=ChunkMetadata.model_validate(source.metadata))
            named = source_line(chunk, in_force)
            facts = [f"chunk {source.chunk_id}", *([named] if named != source.chunk_id else [])]
            if source.retrieval_score is not None:
                facts.append(f"retrieved with {source.retrieval_score:.2f}")
            quote = next((item.text for item in claim.evidence if item.chunk_id == source.chunk_id), "")
            lines.append(f"  {', '.join(facts)}: “{quote}”")
        lines += [] if claim.sources else ["  no source"]
    return "\n".join(lines)


def _refuse_other(verdict: object) -> None:
    if not isinstance(verdict, Verdict):
        problem = f"a verdict is needed, and this is {a_kind(verdict)}"
        raise InputError(problem, hint="write validate(transcript)")


def suggest_citations(verdict: Verdict) -> dict[int, tuple[str, ...]]:
    """For each supported claim without a citation, the chunks that it could cite.

    Returns:
        Index of the claim -> chunk ids, best first.
    """
    _refuse_other(verdict)
    return {claim.index: claim.suggested_chunk_ids for claim in verdict.claims if claim.suggested_chunk_ids}


def annotate_uncertain(transcript: Given, verdict: Verdict, settings: GivenSettings = None) -> str:
    """The answer, with the note for users appended if its citations are not grounded.

    An answer that already ends with the note is returned unchanged.
    """
    answer = as_transcript(transcript, settings).answer
    if not verdict.uncertain or answer.rstrip().endswith(NOTE):
        return answer
    return f"{answer.rstrip()}\n\n{NOTE}"


def insert_citations(transcript: Given, settings: GivenSettings = None) -> str:
    """Insert a marker ``[n]`` after each supported claim without a citation.

    A marker names the chunk that supports the claim, or several that do so together (``[1][3]``).
    It goes before the full stop, or behind it where the answer's own markers do; never in code, and inside
    the last cell of a table's row. Only markers stay with which the answer validates without a new error or
    warning. No character of the answer is taken away, and doing it twice changes nothing.

    Args:
        transcript: a Transcript or a mapping.
        settings: thresholds; ``index_base`` is the number of the first chunk.

    Returns:
        The new answer; the answer itself if nothing is inserted. The offsets of a provider's
        ``citations`` still refer to the old one.

    Raises:
        UncheckedError: nothing of it could be checked.
    """
    in_force = Settings.of(settings)
    recorded = as_transcript(transcript, in_force)
    verdict = checked(recorded, in_force)
    numbers = chunk_numbers(recorded.chunks, in_force)
    wishes: list[tuple[int, str, Insertion]] = []
    for claim in verdict.claims:
        place = place_of(recorded.answer, claim.start, claim.end)
        if claim.status == "supported" and claim.suggested_chunk_ids and place is not None:
            name = claim.suggested_chunk_ids[0]
            wishes.append((claim.index, name, Insertion(place, f"[{numbers[name]}]")))
    for _ in range(_MOST_TRIES):
        answer, spans, moves = with_markers(recorded.answer, [wish[2] for wish in wishes])
        changes = {"answer": answer, "citations": shifted(recorded.citations, moves)}
        judged = checked(recorded.model_copy(update=changes), in_force)
        placed = zip(wishes, spans, strict=True)
        holding = [wish for wish, span in placed if _holds(judged, span, wish[1])]
        is_split = len(judged.claims) != len(verdict.claims)
        holding = [] if is_split else [wish for wish in holding if judged.claims[wish[0]].citations]
        if holding == wishes:
            # A rule may not hold the new answer back more often than the old one.
            return answer if _faults_of(judged) <= _faults_of(verdict) else recorded.answer
        wishes = holding
    return recorded.answer


def _faults_of(verdict: Verdict) -> Counter[tuple[str, str]]:
    return Counter((part.rule, part.severity) for part in verdict.causes if part.severity != "info")


def _holds(verdict: Verdict, span: tuple[int, int], wanted: str) -> bool:
    """Whether the marker of a span is read as the wanted citation, without findings."""
    inside = [item for item in verdict.citations if span[0] <= item.start < item.end <= span[1]]
    found = {name for item in inside for name in item.chunk_ids}
    parts = [part for item in inside for finding in item.findings for part in finding.parts]
    is_clean = all(part.severity == "info" for part in parts)
    return wanted in found and is_clean and all(item.valid for item in inside)


def correction_prompt(transcript: Transcript, verdict: Verdict) -> str:
    """The prompt for a better answer: the sources, the answer, and each finding with evidence."""
    numbered = enumerate(transcript.chunks, start=1)
    sources = "\n\n".join(f"[{number}] {chunk.text}" for number, chunk in numbered)
    faults = [finding for finding in verdict.findings if finding.severity != "info"]
    listed = "\n".join(_fault(number, item, transcript) for number, item in enumerate(faults, start=1))
    return (
        f"Answer the question from the sources alone. Cite a source as [n] after each statement. "
        f"Say that the sources do not contain the answer where they do not.\n\n"
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
    first, last = attempts[0].confidence, attempts[-1].confidence
    gain = None if first is None or last is None else round(last - first, 9)
    told: dict[str, object] = {"attempts": tuple(attempts), "confidence_gain": gain}
    if verdict.status != "pass" and not verdict.skipped:
        reason = f"not accepted after {len(attempts) - 1} retries: {verdict.reason}"
        told |= {"status": "reject", "reason": reason}
    return verdict.model_copy(update=told)


def _attempt(number: int, transcript: Transcript, verdict: Verdict) -> Attempt:
    figures = {name: getattr(verdict, name) for name in ("status", "confidence", "hallucination_rate")}
    rules = tuple(dict.fromkeys(finding.rule for finding in verdict.causes))
    return Attempt(number=number, answer=transcript.answer, rules=rules, **figures)
