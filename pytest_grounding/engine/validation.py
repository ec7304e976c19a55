"""The three entrances: a whole transcript, one claim, a retrieval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from pytest_grounding import registry
from pytest_grounding.checks import retrieval
from pytest_grounding.engine import guard
from pytest_grounding.engine.budget import excess, excess_of_claim
from pytest_grounding.engine.loading import Given, GivenSettings, as_transcript
from pytest_grounding.engine.road import extract_and_score, judge, language_of
from pytest_grounding.engine.screening import screening
from pytest_grounding.engine.telling import tell_extraction, tell_failures, tell_retrieval, tell_verdict
from pytest_grounding.errors import InputError
from pytest_grounding.model.shapes import texts_of
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.model.verdict import RetrievalVerdict, Verdict
from pytest_grounding.scorers.base import ClaimText, SupportScore
from pytest_grounding.settings import Settings
from pytest_grounding.text.injected import screened

if TYPE_CHECKING:
    from pytest_grounding.waivers import Waiver


def validate(
    transcript: Given, settings: GivenSettings = None, *, waivers: Sequence[Waiver | Mapping[str, Any]] = ()
) -> Verdict:
    """Run the whole validation core over one transcript.

    Args:
        transcript: a Transcript, or a mapping that becomes one.
        settings: a Settings, a mapping of settings by name, or None for the defaults.
        waivers: what people overrule, besides what stands in the file that ``waivers_file`` names: waivers or
            mappings with ``rule``, ``claim`` (its words) and ``reason``, and as they like ``transcript``,
            ``evidence``, ``by`` and ``expires``.

    Returns:
        The verdict; equal input gives an equal verdict, byte for byte in `Verdict.to_json`. A transcript that
        is too large (``docs/engine.md``) is rejected by the rule ``too_large``; one on which this package
        itself fails by ``internal_error``.

    Raises:
        InputError: the mapping is no transcript, a waiver is none, or their file cannot be read.
        SettingsError: a setting is unknown or out of range, or there is no file of the waivers.
        UnreadableCassetteError: the recorded judgements of a scorer or judge cannot be read.
    """
    __tracebackhide__ = True
    in_force = Settings.of(settings)
    recorded = as_transcript(transcript, in_force)
    held: tuple[Waiver, ...] = ()
    if waivers:
        # Who has no waivers loads nothing for them.
        from pytest_grounding.engine.waiving import given_waivers

        held = given_waivers(waivers)
    own, road = own_settings(recorded, in_force), partial(_walk, waivers=held)
    if own.record != "none":
        # Who replays, as nearly everybody does, loads nothing for it.
        from pytest_grounding.engine.ahead import ask_for

        ask_for(recorded, own)
    verdict = guard.guarded(recorded, own, road)
    tell_verdict(verdict)
    return verdict


def own_settings(transcript: Transcript, settings: Settings) -> Settings:
    """The settings in force for a transcript: those that the table ``by`` has for it, over the others."""
    if not settings.by or not settings.enabled:
        return settings
    # Who has no such table loads nothing for it.
    from pytest_grounding.engine.narrowed import settings_for

    return settings_for(transcript, settings, language_of(transcript, settings))


def _walk(transcript: Transcript, settings: Settings, *, waivers: Sequence[Waiver] = ()) -> Verdict:
    """The road from end to end."""
    scorers = registry.scorers(settings)
    context, failures = extract_and_score(transcript, settings, scorers)
    tell_extraction(context)
    return judge(context, scorers, failures, waivers)


def unjudged_walk(transcript: Transcript, settings: Settings) -> Verdict:
    """The road without a word about it, for who wants to know what it asks for."""
    scorers = registry.scorers(settings)
    context, failures = extract_and_score(transcript, settings, scorers)
    return judge(context, scorers, failures)


def support(
    claim: str,
    chunks: Sequence[str],
    *,
    question: str = "",
    language: str = "en",
    glossary: str | Sequence[str] = "",
) -> SupportScore:
    """Ask the built-in engine alone: how well do the chunks support one claim.

    Orders to the model that stand in the chunks support nothing (``docs/security.md``).

    Args:
        claim: one statement.
        chunks: texts of the passages, or chunks; their ids in the evidence are "1", "2", ...
        question: the question it answers, if any.
        language: BCP 47 tag.
        glossary: your own terms, as the setting of that name.

    Returns:
        The probability in [0, 1] (None: abstained), verbatim evidence and typed conflicts.

    Raises:
        InputError: the chunks are no list.
        SettingsError: the glossary is wrong.
    """
    # Deferred for cost: a validation of a transcript needs it not.
    from pytest_grounding.citations.naming import list_of_chunks

    texts = texts_of(list_of_chunks(chunks))
    wrong = next((number for number, text in enumerate(texts) if not isinstance(text, str)), None)
    if wrong is not None:
        raise InputError("is not text", field=f"chunks[{wrong}]", hint="write the words of the passage")
    passages = [Chunk(id=str(number), text=text) for number, text in enumerate(texts, start=1)]
    builtin = registry.scorers(Settings.of({"glossary": glossary} if glossary else None))[-1:]
    too_large = excess_of_claim(claim, texts)
    if too_large:
        return SupportScore(None, reason=f"too large to finish: {too_large}")

    def score() -> SupportScore:
        [scorer] = screening(builtin, passages, screened(passages))
        return scorer.support([ClaimText(claim)], passages, question=question, language=language)[0]

    return guard.otherwise(score, lambda reason: SupportScore(None, reason=reason))


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
        chunks: the retrieved chunks: Chunk, mapping, or text (which gets its position as id).
        settings: a Settings, a mapping, or None for the defaults.
        language: BCP 47 tag; empty: detected.

    Raises:
        InputError: the question or a chunk is not usable.
    """
    in_force = Settings.of(settings)
    from pytest_grounding.citations.naming import list_of_chunks

    mapping = {"id": "retrieval", "question": question, "chunks": list_of_chunks(chunks), "answer": ""}
    if language:
        mapping["language"] = language
    recorded = as_transcript(mapping, in_force)
    in_force = own_settings(recorded, in_force)
    too_large = excess(recorded)
    if too_large:
        return guard.unread_retrieval(f"too large to finish: {too_large}")
    found = guard.otherwise(
        lambda: retrieval.validate_retrieval(
            recorded.question,
            recorded.chunks,
            scorers=registry.scorers(in_force),
            settings=in_force,
            language=language_of(recorded, in_force),
        ),
        guard.unread_retrieval,
    )
    tell_failures(found.scorer_failures)
    tell_retrieval(found)
    return found
