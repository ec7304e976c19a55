"""The three entry points: a transcript, a claim, a retrieval."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from pytest_grounding._io import listeners
from pytest_grounding._io.listeners import DEBUG, INFO, WARNING, log
from pytest_grounding._io.wording import counted, decimals, one_line, terminal
from pytest_grounding.checks import retrieval
from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.checks.citation.resolution import retrieved
from pytest_grounding.engine import guard, registry
from pytest_grounding.engine import transcript_input as given
from pytest_grounding.engine.pipeline import extract_and_score, judge, language_of
from pytest_grounding.engine.screening import screening
from pytest_grounding.engine.transcript_input import Given, GivenSettings, as_transcript
from pytest_grounding.errors import InputError, SettingsError
from pytest_grounding.gate import GateOutcome, outcome_of
from pytest_grounding.gate.confidence import NEEDS_MAP, load_calibration
from pytest_grounding.model.chunks import texts_of
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.model.verdict import RetrievalVerdict, ScorerFailure, Verdict
from pytest_grounding.reading.injected import screened
from pytest_grounding.scorers import ClaimText, SupportScore
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from pytest_grounding.gate.waivers import Waiver
    from pytest_grounding.suite.known_findings import KnownFindings

_log = logging.getLogger("pytest_grounding.validation")
_of_citations = logging.getLogger("pytest_grounding.citations")
_of_retrieval = logging.getLogger("pytest_grounding.retrieval")
_of_scorers = logging.getLogger("pytest_grounding.scorers")
_PARTS = ("sentences", "claims", "citations")


def log_extraction(context: CheckContext) -> None:
    """Log what was extracted from an answer."""
    if not _log.isEnabledFor(DEBUG):
        return
    transcript = context.transcript
    counts: dict[str, Any] = {part: len(getattr(context, part)) for part in _PARTS}
    checked, length = sum(claim.checked for claim in context.claims), len(transcript.answer)
    log(
        _log,
        DEBUG,
        "extraction",
        f"{_named(transcript.id)}: {counts['sentences']} sentences, {counts['claims']} claims "
        f"({checked} checked), {counts['citations']} citations in {length} characters, "
        f"language {terminal(one_line(context.language))}",
        transcript_id=transcript.id,
        claims_checked=checked,
        markers=[[citation.syntax, citation.start, citation.end] for citation in context.citations],
        characters=length,
        language=context.language,
        chunks=len(transcript.chunks),
        scorer=context.scorer.name,
        **counts,
    )


def log_retrieval(retrieval: RetrievalVerdict, transcript_id: str = "") -> None:
    """Log the decision on a retrieval: its rating, and each chunk."""
    if not _of_retrieval.isEnabledFor(INFO):
        return
    relevant = sum(item.relevant for item in retrieval.relevance)
    elapsed = sum(retrieval.stage_ms.values())
    told = ("rating", "question_type", "answer_present", "mean_relevance", "mean_all", "scorer")
    log(
        _of_retrieval,
        INFO,
        "retrieval",
        f"{_named(transcript_id)}: retrieval {retrieval.rating}, {relevant} of {len(retrieval.relevance)} "
        f"chunks relevant, answer {retrieval.answer_present}, "
        f"scored by {terminal(one_line(retrieval.scorer)) or 'no scorer'}, {elapsed:.1f} ms",
        transcript_id=transcript_id or None,
        relevant=relevant,
        chunks=len(retrieval.relevance),
        decisions=[[item.chunk_id, item.score, item.relevant] for item in retrieval.relevance],
        elapsed_ms=elapsed,
        **{name: getattr(retrieval, name) for name in told},
    )


def log_failures(failures: Iterable[ScorerFailure], transcript_id: str = "") -> None:
    """Log failures of scorers or judges, with the class of the error; its message may quote texts."""
    for failure in dict.fromkeys(failures) if _of_scorers.isEnabledFor(WARNING) else ():
        log(
            _of_scorers,
            WARNING,
            "scorer_fallback",
            f"{_named(transcript_id)}: {terminal(one_line(failure.scorer)) or 'the scorer'} did not serve "
            f"({terminal(one_line(failure.error)) or 'no reason known'})",
            transcript_id=transcript_id or None,
            scorer=failure.scorer,
            error=failure.error,
        )


def log_verdict(verdict: Verdict) -> None:
    """Log the findings and the decision."""
    if verdict.switched_off != ("validation",):
        log_failures(verdict.fallbacks, verdict.id)
        log_retrieval(verdict.retrieval, verdict.id)
        _log_missing_citations(verdict)
    log_summary(verdict)


def _log_missing_citations(verdict: Verdict) -> None:
    """Log that an answer with claims cites no source at all."""
    if not any(finding.holds("missing_citations") for finding in verdict.findings):
        return
    checked, chunks = sum(claim.checked for claim in verdict.claims), len(verdict.retrieval.relevance)
    claims = f"{counted(checked, 'claim')} {'was' if checked == 1 else 'were'} checked"
    said = f"{_named(verdict.id)}: no citation; {claims}, {retrieved(chunks)}"
    facts = {"transcript_id": verdict.id, "claims": checked, "chunks": chunks}
    log(_of_citations, WARNING, "missing_citations", said, **facts)


def _named(transcript_id: str) -> str:
    return f"transcript {terminal(one_line(transcript_id))}" if transcript_id else "a retrieval"


def log_summary(verdict: Verdict) -> None:
    """Log the decision."""
    if not _log.isEnabledFor(INFO):
        return
    cited = [citation.valid for citation in verdict.citations if citation.counts]
    told = ("status", "reason", "confidence", "hallucination_rate", "citation_accuracy")
    facts = {name: getattr(verdict, name) for name in (*told, "transcript_hash", "settings_hash")}
    log(
        _log,
        INFO,
        "summary",
        f"{_named(verdict.id)}: {verdict.status} ({terminal(one_line(verdict.reason))}), "
        f"confidence {decimals(verdict.confidence)}, {len(verdict.hallucinated)} hallucinated claims, "
        f"{sum(cited)} of {len(cited)} citations valid",
        transcript_id=verdict.id,
        hallucinations=len(verdict.hallucinated),
        citations_valid=sum(cited),
        citations_invalid=len(cited) - sum(cited),
        rules=sorted({finding.rule for finding in verdict.causes if finding.severity != "info"}),
        switched_off=list(verdict.switched_off),
        **facts,
    )


def validate(
    transcript: Given, settings: GivenSettings = None, *, waivers: Sequence[Waiver | Mapping[str, Any]] = ()
) -> Verdict:
    """Run the whole validation core over one transcript.

    Args:
        transcript: a Transcript, or a mapping that becomes one.
        settings: a Settings, a mapping of settings by name, or None for the defaults.
        waivers: overruled findings, in addition to the file named by ``waivers_file``: waivers or
            mappings with ``rule``, ``claim`` (its words) and ``reason``, and optionally ``transcript``,
            ``evidence``, ``by`` and ``expires``.

    Returns:
        The verdict; equal input gives an equal verdict, byte for byte in `Verdict.to_json`. A transcript that
        is too large (``docs/engine.md``) is rejected by the rule ``too_large``; one on which this package
        itself fails by ``internal_error``.

    Raises:
        InputError: the mapping is not a transcript, a waiver is invalid, or their file cannot be read.
        SettingsError: a setting is unknown or out of range, or the waivers file is missing.
        UnreadableCassetteError: the recorded judgements of a scorer or judge cannot be read.
    """
    __tracebackhide__ = True
    in_force = Settings.of(settings)
    recorded = as_transcript(transcript, in_force)
    held: tuple[Waiver, ...] = ()
    if waivers:
        from pytest_grounding.engine.waiving import wrong_rule
        from pytest_grounding.gate.waivers import from_given

        held = from_given(waivers, wrong_rule)
    if in_force.record != "none":
        from pytest_grounding.engine.prefetch_judgements import ask_for

        ask_for(recorded, in_force)
    verdict = guard.guarded(recorded, in_force, partial(_run, waivers=held))
    log_verdict(verdict)
    return verdict


def _run(transcript: Transcript, settings: Settings, *, waivers: Sequence[Waiver] = ()) -> Verdict:
    scorers = registry.scorers(settings)
    context, failures = extract_and_score(transcript, settings, scorers)
    log_extraction(context)
    return judge(context, scorers, failures, waivers)


def support(
    claim: str,
    chunks: Sequence[str],
    *,
    question: str = "",
    language: str = "en",
    glossary: str | Sequence[str] = "",
) -> SupportScore:
    """Ask the built-in engine alone how well the chunks support one claim.

    Orders to the model in the chunks are no evidence (``docs/security.md``).

    Args:
        claim: one statement.
        chunks: texts of the passages, or chunks; their ids in the evidence are "1", "2", ...
        question: the question it answers, if any.
        language: BCP 47 tag.
        glossary: your own terms, like the setting with that name.

    Returns:
        The probability in [0, 1] (None: abstained), verbatim evidence and typed conflicts.

    Raises:
        InputError: the chunks are not a list.
        SettingsError: the glossary is invalid.
    """
    from pytest_grounding.citations.naming import list_of_chunks

    texts = texts_of(list_of_chunks(chunks))
    wrong = next((number for number, text in enumerate(texts) if not isinstance(text, str)), None)
    if wrong is not None:
        raise InputError("is not text", field=f"chunks[{wrong}]", hint="write the words of the passage")
    passages = [Chunk(id=str(number), text=text) for number, text in enumerate(texts, start=1)]
    builtin = registry.scorers(Settings.of({"glossary": glossary} if glossary else None))[-1:]
    too_large = given.excess_of_claim(claim, texts)
    if too_large:
        return SupportScore(None, reason=f"too large to finish: {too_large}")

    def score() -> SupportScore:
        [scorer] = screening(builtin, passages, screened(passages))
        return scorer.support([ClaimText(claim)], passages, question=question, language=language)[0]

    return guard.with_fallback(score, lambda reason: SupportScore(None, reason=reason))


def validate_retrieval(
    question: str,
    chunks: Sequence[Chunk | Mapping[str, Any] | str],
    settings: GivenSettings = None,
    *,
    language: str = "",
) -> RetrievalVerdict:
    """Judge a retrieval before or without an answer.

    Args:
        question: the question, 1 to 2000 characters.
        chunks: the retrieved chunks: Chunk, mapping, or text (its position is its id).
        settings: a Settings, a mapping, or None for the defaults.
        language: BCP 47 tag; empty: detected.

    Raises:
        InputError: the question or a chunk is not usable.
    """
    in_force = Settings.of(settings)
    from pytest_grounding.citations.naming import list_of_chunks

    mapping = {"id": "retrieval", "question": question, "chunks": list_of_chunks(chunks), "answer": ""}
    mapping |= {"language": language} if language else {}
    recorded = as_transcript(mapping, in_force)
    too_large = given.excess(recorded)
    if too_large:
        return guard.unread_retrieval(f"too large to finish: {too_large}")

    def judged() -> RetrievalVerdict:
        scorers, tongue = registry.scorers(in_force), language_of(recorded, in_force)
        return retrieval.retrieval_verdict(
            recorded.question, recorded.chunks, scorers=scorers, settings=in_force, language=tongue
        )

    found = guard.with_fallback(judged, guard.unread_retrieval)
    log_failures(found.scorer_failures)
    log_retrieval(found)
    return found


def examine(
    transcript: Transcript,
    settings: Settings,
    *,
    waivers: Sequence[Waiver] = (),
    place: Mapping[str, Any] | None = None,
    known: KnownFindings | None = None,
) -> GateOutcome:
    """Validate a transcript and determine its outcome."""
    marked = observer.waivers() if (observer := listeners.current()) is not None else ()
    started = perf_counter()
    verdict = validate(transcript, settings, waivers=(*marked, *waivers))
    elapsed_ms = (perf_counter() - started) * 1000
    if place:
        verdict = verdict.model_copy(update=dict(place))
    return outcome_of(verdict, settings, transcript=transcript, known=known, elapsed_ms=elapsed_ms)


def refuse_unusable(settings: Settings) -> None:
    """Refuse settings with which no transcript could be validated."""
    if not settings.enabled:
        return
    registry.scorers(settings)
    registry.judge(settings)
    if settings.waivers_file and settings.waivers != "off":
        from pytest_grounding.engine.waiving import waivers_of

        waivers_of(settings.waivers_file)
    if settings.calibration:
        load_calibration(settings.calibration)
    elif settings.confidence_model == "calibrated":
        raise SettingsError(NEEDS_MAP)
