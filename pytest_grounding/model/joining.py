"""What several rules found on one thing as one finding."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding.model.finding import Cause, Finding

#: Which rule leads among equally grave ones: what is said before what is cited for it.
_LEADING = (
    "contradicted",
    "unsupported_claim",
    "abstained",
    "possible_conflict",
    "unknown_entity",
    "injection",
    "internal_contradiction",
    "source_exists",
    "line_range",
    "content_match",
    "semantic_alignment",
    "better_source",
    "cited_claim",
    "borderline_claim",
)
_RANK = {rule: rank for rank, rule in enumerate(_LEADING)}
_SEVERITY = {"error": 0, "warning": 1, "info": 2}


def as_one(parts: Sequence[Cause]) -> Finding:
    """The gravest part as a finding with the others as its causes.

    A part that was waived decides nothing, so it leads only where no error or warning is left: neither a
    waiver nor a policy that makes a rule mild can hide what is graver.

    Args:
        parts: what each rule found, at least one.
    """
    placed = sorted(
        parts,
        key=lambda part: (
            _SEVERITY["info" if part.waived else part.severity],
            part.waived is None,
            _RANK.get(part.rule, len(_RANK)),
        ),
    )
    lead, *others = placed
    return Finding(**{name: getattr(lead, name) for name in Cause.model_fields}, causes=tuple(others))
