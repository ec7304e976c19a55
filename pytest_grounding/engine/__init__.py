"""The pipeline from a transcript to its verdict: the only orchestration."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_grounding.engine.answer_tools import (
        annotate_uncertain,
        clean_answer,
        format_citations,
        inline_citations,
        insert_citations,
        suggest_citations,
    )
    from pytest_grounding.engine.citation_tools import check_citations
    from pytest_grounding.engine.correction import correction_prompt, self_correct
    from pytest_grounding.engine.pipeline import ENGINE_VERSION
    from pytest_grounding.engine.transcript_input import (
        Given,
        GivenSettings,
        as_transcript,
        can_be_transcript,
        iter_transcripts,
        load_transcripts,
    )
    from pytest_grounding.engine.validation import support, validate, validate_retrieval

__all__ = [
    "ENGINE_VERSION",
    "Given",
    "GivenSettings",
    "annotate_uncertain",
    "as_transcript",
    "can_be_transcript",
    "check_citations",
    "clean_answer",
    "correction_prompt",
    "format_citations",
    "inline_citations",
    "insert_citations",
    "iter_transcripts",
    "load_transcripts",
    "self_correct",
    "suggest_citations",
    "support",
    "validate",
    "validate_retrieval",
]

#: Each part is imported at its first use: citation checks need no scorer, and a validation none of the
#: functions that use a verdict.
_HOMES = {
    name: home
    for home, names in {
        "pipeline": "ENGINE_VERSION",
        "transcript_input": "Given GivenSettings as_transcript can_be_transcript iter_transcripts "
        "load_transcripts",
        "answer_tools": "annotate_uncertain clean_answer format_citations inline_citations insert_citations "
        "suggest_citations",
        "citation_tools": "check_citations",
        "correction": "correction_prompt self_correct",
        "validation": "support validate validate_retrieval",
    }.items()
    for name in names.split()
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
