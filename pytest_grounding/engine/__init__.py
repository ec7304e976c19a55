"""The road a transcript takes, from the recording to the verdict. The only orchestration."""

from pytest_grounding.engine.answers import (
    annotate_uncertain,
    clean_answer,
    format_citations,
    inline_citations,
    suggest_citations,
)
from pytest_grounding.engine.correction import correction_prompt, self_correct
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
