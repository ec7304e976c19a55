"""The road a transcript takes, from the recording to the verdict. The only orchestration."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pytest_grounding.engine.loading import (
    Given,
    GivenSettings,
    as_transcript,
    can_be_transcript,
    iter_transcripts,
    load_transcripts,
)
from pytest_grounding.engine.road import ENGINE_VERSION
from pytest_grounding.engine.validation import support, validate, validate_retrieval

if TYPE_CHECKING:
    from pytest_grounding.engine.answers import (
        annotate_uncertain,
        clean_answer,
        format_citations,
        inline_citations,
        suggest_citations,
    )
    from pytest_grounding.engine.correction import correction_prompt, self_correct

__all__ = [
    "ENGINE_VERSION",
    "Given",
    "GivenSettings",
    "annotate_uncertain",
    "as_transcript",
    "can_be_transcript",
    "clean_answer",
    "correction_prompt",
    "format_citations",
    "inline_citations",
    "iter_transcripts",
    "load_transcripts",
    "self_correct",
    "suggest_citations",
    "support",
    "validate",
    "validate_retrieval",
]

#: What is done with a verdict comes in at its first use: a validation needs none of it.
_HOMES = {
    "annotate_uncertain": "answers",
    "clean_answer": "answers",
    "correction_prompt": "correction",
    "format_citations": "answers",
    "inline_citations": "answers",
    "self_correct": "correction",
    "suggest_citations": "answers",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
