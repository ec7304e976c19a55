"""What one verdict adds to the result of its part: integers alone, so that any order gives the same sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from pytest_grounding._wording import measured
from pytest_grounding.baseline.suite import summarise
from pytest_grounding.model.run import RunReport
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.scale.result import MICRO, Table
from pytest_grounding.settings import Settings


class Tally:
    """Running sums over the verdicts of a part.

    Args:
        settings: the settings of the suite, which say what counts as confident.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._counts: Counter[str] = Counter()
        self._tables: dict[str, Counter[str]] = {}

    def add(self, verdict: Verdict) -> None:
        """Count a verdict that counts for the suite's figures."""
        summary = summarise(RunReport(transcripts=(verdict,)), self._settings)
        for name, value in summary:
            if isinstance(value, int):
                self._counts[name] += value
            elif isinstance(value, Mapping):
                self._table(name).update(value)
        # As a share of one answer this is a count too.
        self._counts["answers_confident"] += round(
            (summary.confident_share or 0.0) * summary.answers_asked_for_confidence
        )
        self._counts["answers_looked_at"] += "validation" not in verdict.switched_off
        self._counts["answers_ungrounded"] += round(summary.ungrounded_answers or 0.0)
        self._table("findings").update(f"{cause.severity} {cause.rule}" for cause in verdict.causes)
        confidence = measured(verdict.confidence)
        if confidence is not None:
            micro = round(confidence * MICRO)
            self._counts["confidence_micro"] += micro
            self._counts["confidence_micro_squared"] += micro * micro
            self._table("confidence")[f"{micro * 100 // MICRO:03d}"] += 1

    def count(self, name: str, number: int = 1) -> None:
        """Add to one of the counts."""
        self._counts[name] += number

    @property
    def counts(self) -> Table:
        """The sums by name."""
        return {name: self._counts[name] for name in sorted(self._counts)}

    @property
    def tables(self) -> Mapping[str, Table]:
        """The tables by name."""
        return {
            name: {key: table[key] for key in sorted(table)} for name, table in sorted(self._tables.items())
        }

    def _table(self, name: str) -> Counter[str]:
        return self._tables.setdefault(name, Counter())
