"""The families that are exported: name, meaning and labels of each, defined once for every door."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pytest_grounding.citations import builtin_syntaxes
from pytest_grounding.citations.base import PROVIDER
from pytest_grounding.citations.extract import LIST
from pytest_grounding.model.finding import CELLS

#: Upper bounds of the histogram of durations, in seconds.
BUCKETS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1)

CITATION_STATUSES = ("valid", "invalid_removed", "missing")
#: The built-in ways to write a citation; an extension's syntax adds its own name.
SYNTAXES = tuple(sorted({*(syntax.name for syntax in builtin_syntaxes()), LIST, PROVIDER}))
ANSWER_STATUSES = ("pass", "review", "reject")
CLAIM_STATUSES = ("supported", "borderline", "unsupported", "contradicted", "abstained", "unchecked")
CONFIDENCE_LEVELS = ("confident", "unsure", "none")
ABSTENTION_CELLS = (*CELLS, "untold")
COMPLETENESS = ("complete", "incomplete")


@dataclass(frozen=True, slots=True)
class Family:
    """One metric."""

    name: str
    kind: Literal["counter", "gauge", "histogram"]
    help: str
    label: str = ""
    values: tuple[str, ...] = ()


VALIDATIONS = Family(
    "citation_validation_total",
    "counter",
    "Citations that are valid, citations that cleaning removes, answers without any citation.",
    "status",
    CITATION_STATUSES,
)
HALLUCINATIONS = Family(
    "citation_hallucinations_total",
    "counter",
    "Citations that point to nothing that was retrieved, by the way they are written.",
    "kind",
    SYNTAXES,
)
ANSWERS = Family(
    "grounding_answers_total", "counter", "Answers validated, by their status.", "status", ANSWER_STATUSES
)
UNGROUNDED = Family(
    "grounding_answers_ungrounded_total",
    "counter",
    "Answers with a citation that points to nothing that was retrieved.",
)
CONFIDENCE = Family(
    "grounding_answers_confidence_total",
    "counter",
    "Answers by confidence: at or above the limit suite_confidence, below it, without one.",
    "level",
    CONFIDENCE_LEVELS,
)
REPORTED = Family(
    "grounding_answers_reported_total",
    "counter",
    "Answers by whether their pipeline reported a confidence of its own: too high by more than the limit "
    "confidence_difference, another one, none.",
    "confidence",
    ("too_high", "other", "none"),
)
CLAIMS = Family(
    "grounding_claims_total",
    "counter",
    "Claims of the answers by status; unsupported and contradicted ones are hallucinations.",
    "status",
    CLAIM_STATUSES,
)
ABSTENTION = Family(
    "grounding_answers_abstention_total",
    "counter",
    "Answers by whether they decline and whether the sources hold the answer.",
    "cell",
    ABSTENTION_CELLS,
)
PARTS = Family(
    "grounding_answers_in_parts_total",
    "counter",
    "Answers to questions of several parts: complete ones, and those that leave out a part without a word.",
    "completeness",
    COMPLETENESS,
)
DURATION = Family(
    "citation_validation_duration_seconds", "histogram", "Seconds that the validation of one answer took."
)

#: The counters, in the order of the export.
COUNTERS = (VALIDATIONS, HALLUCINATIONS, ANSWERS, UNGROUNDED, CONFIDENCE, REPORTED, CLAIMS, ABSTENTION, PARTS)

#: Suite figure -> its meaning; exported as the gauge ``grounding_<figure>``.
FIGURES = {
    "citation_accuracy": "citation accuracy",
    "ungrounded_answers": "answers with an ungrounded citation",
    "hallucination_rate": "hallucination rate of the claims",
    "confident_share": "answers with a confidence at or above the limit suite_confidence",
    "with_confidence": "answers with a confidence, of the pipeline and computed",
    "over_confident": "answers that report too high a confidence",
}


def gauge_of(figure: str) -> Family:
    """The gauge of a suite figure."""
    return Family(f"grounding_{figure}", "gauge", f"Suite figure: {FIGURES.get(figure, figure)}.")


def limit_of(figure: str, comparison: str) -> Family:
    """The gauge of the limit that a suite figure is held to."""
    return Family(
        f"grounding_{figure}_limit", "gauge", f"Limit of the suite figure, which must be {comparison} this."
    )
