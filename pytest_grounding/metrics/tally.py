"""What verdicts add to the counters, and the suite figures that follow from the counters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pytest_grounding._wording import measured
from pytest_grounding.metrics.families import (
    ABSTENTION,
    ANSWERS,
    CLAIMS,
    CONFIDENCE,
    HALLUCINATIONS,
    PARTS,
    REPORTED,
    UNGROUNDED,
    VALIDATIONS,
    Family,
)
from pytest_grounding.model.baseline import counts, is_overruled
from pytest_grounding.model.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of one or many verdicts."""

    counted: Mapping[tuple[str, str], int] = field(default_factory=dict)

    @classmethod
    def of(cls, verdicts: Iterable[Verdict], *, confident: float = 0.7) -> Tally:
        """Count verdicts."""
        found: Counter[tuple[str, str]] = Counter()
        for verdict in verdicts:
            _count(found, verdict, confident)
        return cls(dict(found))

    def of_family(self, family: Family) -> dict[str, int]:
        """Counts of one family by the value of its label: the known values first, then others by name."""
        others = sorted(label for name, label in self.counted if name == family.name)
        labels = dict.fromkeys([*(family.values if family.label else ("",)), *others])
        return {label: self.counted.get((family.name, label), 0) for label in labels}

    def figures(self) -> dict[str, float | None]:
        """The suite figures; None where there is nothing to measure."""
        citations = self.of_family(VALIDATIONS)
        claims = self.of_family(CLAIMS)
        answers = sum(self.of_family(ANSWERS).values())
        levels = self.of_family(CONFIDENCE)
        reported = self.of_family(REPORTED)
        both = reported["too_high"] + reported["other"]
        hallucinated = claims["unsupported"] + claims["contradicted"]
        return {
            "citation_accuracy": _share(
                citations["valid"], citations["valid"] + citations["invalid_removed"]
            ),
            "ungrounded_answers": _share(self.of_family(UNGROUNDED)[""], answers),
            "hallucination_rate": _share(
                hallucinated, hallucinated + claims["supported"] + claims["borderline"]
            ),
            "confident_share": _share(levels["confident"], sum(levels.values())),
            "with_confidence": _with_confidence(both, levels, sum(levels.values())),
            "over_confident": _share(reported["too_high"], both),
        }


def _count(found: Counter[tuple[str, str]], verdict: Verdict, confident: float) -> None:
    found[ANSWERS.name, verdict.shown_status] += 1
    if not verdict.switched_off:
        found[CONFIDENCE.name, _level(verdict.confidence, confident)] += 1
        found[REPORTED.name, _reported(verdict)] += 1
    for claim in verdict.claims:
        # What a person overruled is no fault, and nothing shows that it is supported.
        found[CLAIMS.name, claim.status if claim.waived is None else "unchecked"] += 1
    if "validation" in verdict.switched_off:
        return
    found[ABSTENTION.name, verdict.abstention] += 1
    if verdict.completeness is not None and not is_overruled(verdict):
        found[PARTS.name, "complete" if verdict.completeness.complete else "incomplete"] += 1
    citations = [item for item in verdict.citations if counts(item)]
    invalid = [item for item in citations if not item.valid]
    found[VALIDATIONS.name, "valid"] += len(citations) - len(invalid)
    found[VALIDATIONS.name, "invalid_removed"] += len(invalid)
    found[VALIDATIONS.name, "missing"] += not citations
    found[UNGROUNDED.name, ""] += bool(invalid)
    for item in invalid:
        found[HALLUCINATIONS.name, item.syntax] += 1


def _level(confidence: float | None, confident: float) -> str:
    known = measured(confidence)
    if known is None:
        return "none"
    return "confident" if known >= confident else "unsure"


def _reported(verdict: Verdict) -> str:
    if verdict.reported_confidence is None or _level(verdict.confidence, 0.0) == "none":
        return "none"
    return "too_high" if verdict.is_over_confident else "other"


def _with_confidence(both: int, levels: Mapping[str, int], answers: int) -> float | None:
    """Answers with a confidence, as the suite counts them: see `pytest_grounding.baseline.reported`."""
    if both:
        return _share(both, answers)
    return _share(answers - levels["none"], answers) if levels["none"] else None


def _share(count: int, total: int) -> float | None:
    return count / total if total else None
