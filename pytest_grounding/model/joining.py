"""What several rules found on one thing as one finding."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding.model.finding import Cause, Finding
from pytest_grounding.rules import ORDER, RULES

#: Which rule leads among equally grave ones: what is said before what is cited for it.
_RANK = {rule: rank for rank, rule in enumerate(RULES)}


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
            ORDER["info" if part.waived else part.severity],
            part.waived is None,
            _RANK.get(part.rule, len(_RANK)),
        ),
    )
    lead, *others = placed
    return Finding(**{name: getattr(lead, name) for name in Cause.model_fields}, causes=tuple(others))
