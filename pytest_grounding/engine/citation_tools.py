"""Check citations alone: all rules except semantic alignment, without a scorer, in a few milliseconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pytest_grounding.checks.citation.citation_check import check
from pytest_grounding.citations.editing import clean_markers
from pytest_grounding.citations.naming import list_of_chunks
from pytest_grounding.engine import registry
from pytest_grounding.engine.findings import ordered
from pytest_grounding.engine.screening import unscored
from pytest_grounding.engine.transcript_input import GivenSettings, excess
from pytest_grounding.errors import GroundingError, ScorerError, UncheckedError
from pytest_grounding.importers.native import to_transcript
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.model.verdict import CitationReport
from pytest_grounding.questions import language_by_look
from pytest_grounding.scorers import RelevanceScore, SupportScore
from pytest_grounding.settings import Settings, refuse_missing_folder

_NO_QUESTION = "?"  # placeholder question; it shares no word with an answer


class _NoScorer:
    """A placeholder for the scorer; no claim is scored, so it is never called."""

    name = "none"

    def relevance(self, *_: object, **__: object) -> list[RelevanceScore]:
        raise ScorerError("check_citations scores nothing")

    def support(self, *_: object, **__: object) -> list[SupportScore]:
        raise ScorerError("check_citations scores nothing")


def check_citations(
    answer: str,
    chunks: Sequence[Chunk | Mapping[str, Any] | str],
    settings: GivenSettings = None,
    *,
    question: str = "",
    cited_indices: Sequence[int] | None = None,
) -> CitationReport:
    """Check the citations of an answer, without scoring a claim.

    Do they resolve to retrieved sources, do the cited lines exist, are quoted words in the source,
    is each claim cited if the policy ``require_citations`` asks for it. Whether a source supports its claim
    is checked by `validate`.

    Args:
        answer: the answer; it may be empty.
        chunks: the retrieved chunks, in order: Chunk, mapping, or text (its position is its id).
        settings: a Settings, a mapping, or None for the defaults.
        question: the question; its words may be quoted.
        cited_indices: a structured response's list of numbers, verbatim.

    Returns:
        The citations with their findings and accuracy, and the answer without invalid markers.

    Raises:
        InputError: the answer or a chunk is not usable.
        SettingsError: a setting is unknown or out of range, or the source root is not a folder.
        UncheckedError: the answer is too large, or a bug of this package prevented the check.
    """
    in_force = Settings.of(settings)
    refuse_missing_folder(in_force)
    asked = question or _NO_QUESTION
    given = {"id": "citations", "question": asked, "chunks": list_of_chunks(chunks), "answer": answer}
    longest = in_force.question_max_length
    transcript = to_transcript({**given, "cited_indices": cited_indices}, question_max_length=longest)
    too_large = excess(transcript)
    if too_large:
        raise UncheckedError(f"the answer could not be checked: too large to finish: {too_large}")
    try:
        return report_of(transcript, in_force)
    except GroundingError:
        raise
    except Exception as error:
        from pytest_grounding.engine.guard import is_raising

        if is_raising():
            raise
        kind = type(error).__name__
        raise UncheckedError(f"the answer could not be checked: internal error: {kind}: {error}") from error


def report_of(transcript: Transcript, settings: Settings) -> CitationReport:
    """The citations of a transcript, checked without scoring a claim."""
    language = settings.language or language_by_look(transcript.answer)
    asked = "" if transcript.question == _NO_QUESTION else transcript.question
    outcome = check(unscored(transcript, settings, language, asked, _NoScorer()))
    cited = [item for item in outcome.citations if item.start >= 0 or item.syntax != "list"]
    status: Literal["valid", "invalid", "missing", "off"] = "valid" if cited else "missing"
    if not all(item.valid for item in outcome.citations):
        status = "invalid"
    return CitationReport(
        status=status if settings.enabled else "off",
        citations=outcome.citations,
        findings=ordered(outcome.findings),
        citation_accuracy=outcome.accuracy,
        cleaned=clean_markers(transcript, outcome.citations, settings=settings, syntaxes=registry.syntaxes()),
    )
