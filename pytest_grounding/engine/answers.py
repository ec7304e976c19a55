"""What is done with a verdict: clean the answer, show its sources, offer citations, warn its users."""

from __future__ import annotations

from typing import NoReturn

from pytest_grounding import registry
from pytest_grounding._wording import a_kind
from pytest_grounding.citations.clean import clean_answer as cleaned
from pytest_grounding.citations.naming import InlineCitation, source_line
from pytest_grounding.citations.naming import inline_citations as inlined
from pytest_grounding.engine import guard
from pytest_grounding.engine.loading import Given, GivenSettings, as_transcript
from pytest_grounding.engine.validation import validate
from pytest_grounding.errors import InputError, UncheckedError
from pytest_grounding.model.transcript import Chunk, ChunkMetadata, Transcript
from pytest_grounding.model.verdict import ClaimVerdict, Verdict
from pytest_grounding.settings import Settings

NOTE = "Note: not every statement in this answer is backed by the sources it cites."


def clean_answer(transcript: Given, settings: GivenSettings = None) -> str:
    """The answer without its invalid citation markers; every other character as it was.

    Args:
        transcript: a Transcript or a mapping.
        settings: decides what is valid.

    Raises:
        UncheckedError: nothing of it could be checked, so that no marker is known to be valid.
    """
    in_force = Settings.of(settings)
    recorded = as_transcript(transcript, in_force)
    citations = checked(recorded, in_force).citations
    return guard.otherwise(
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
        UncheckedError: nothing of it could be checked, so that no citation is known to be valid.
    """
    in_force = Settings.of(settings)
    recorded = as_transcript(transcript, in_force)
    citations = checked(recorded, in_force).citations
    return guard.otherwise(lambda: inlined(recorded, citations, in_force), _refuse)


def format_citations(verdict: Verdict, settings: GivenSettings = None) -> str:
    """The provenance of each checked claim for people: sources, their metadata, scores and the method.

    Args:
        verdict: what was found.
        settings: give the bases of the sources' addresses; a Settings, a mapping, or None for the defaults.
    """
    in_force = Settings.of(settings)
    _refuse_other(verdict)
    lines: list[str] = []
    for claim in verdict.claims:
        if claim.status == "unchecked":
            continue
        support = "not scored" if claim.support is None else f"{claim.support:.2f}"
        lines.append(f"{claim.status} ({support}, {claim.method}): {claim.text}")
        lines.extend(f"  {line}" for line in _source_lines(claim, in_force))
    return "\n".join(lines)


def _refuse_other(verdict: object) -> None:
    if not isinstance(verdict, Verdict):
        problem = f"a verdict is needed, and this is {a_kind(verdict)}"
        raise InputError(problem, hint="write validate(transcript)")


def _source_lines(claim: ClaimVerdict, settings: Settings) -> list[str]:
    lines = []
    for source in claim.sources:
        chunk = Chunk(id=source.chunk_id, text="", metadata=ChunkMetadata.model_validate(source.metadata))
        named = source_line(chunk, settings)
        facts = [f"chunk {source.chunk_id}", *([named] if named != source.chunk_id else [])]
        if source.retrieval_score is not None:
            facts.append(f"retrieved with {source.retrieval_score:.2f}")
        quote = next((item.text for item in claim.evidence if item.chunk_id == source.chunk_id), "")
        lines.append(f"{', '.join(facts)}: “{quote}”")
    return lines or ["no source"]


def suggest_citations(verdict: Verdict) -> dict[int, tuple[str, ...]]:
    """For each supported claim that cites nothing, the chunks that it could cite.

    Returns:
        Index of the claim -> chunk ids, best first.
    """
    _refuse_other(verdict)
    return {claim.index: claim.suggested_chunk_ids for claim in verdict.claims if claim.suggested_chunk_ids}


def annotate_uncertain(transcript: Given, verdict: Verdict, settings: GivenSettings = None) -> str:
    """The answer, with the note for users appended when its citations are not grounded.

    An answer that ends in the note already is left as it is.
    """
    answer = as_transcript(transcript, settings).answer
    if not verdict.uncertain or answer.rstrip().endswith(NOTE):
        return answer
    return f"{answer.rstrip()}\n\n{NOTE}"
