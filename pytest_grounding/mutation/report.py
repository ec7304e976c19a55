"""What a mutation run found: catch rates with intervals, false rejections, survivors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from pytest_grounding._jsonio import canonical_document
from pytest_grounding.model._base import Model

#: Lower and upper end of a 95 % interval for so many of so many, or None when there were none at all.
Interval = Callable[[int, int], tuple[float, float] | None]


class Rate(Model):
    """A share with its 95 % interval."""

    count: int
    total: int
    rate: float | None
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, count: int, total: int, interval: Interval) -> Rate:
        """The share of ``count`` in ``total``, rounded to 6 digits."""
        ends = interval(count, total)
        low, high = (None, None) if ends is None else (round(ends[0], 6), round(ends[1], 6))
        rate = round(count / total, 6) if total else None
        return cls(count=count, total=total, rate=rate, low=low, high=high)


class Survivor(Model):
    """A mutant whose fault the verdict does not name."""

    transcript: str
    claim: int
    change: str
    before: str
    after: str
    status: str
    support: float | None
    gate: str


class FaultResult(Model):
    """One kind of fault over all transcripts."""

    fault: str
    about: str
    caught: Rate
    named_by: Mapping[str, int] = Field(default_factory=dict)
    gate_worse: Rate
    survivors: tuple[Survivor, ...] = ()


class Untouched(Model):
    """The transcripts as recorded."""

    transcripts: Rate
    claims: Rate
    not_passed: tuple[str, ...] = ()


class Minimum(Model):
    """A catch rate that was asked for."""

    fault: str
    wanted: float
    rate: float | None
    reached: bool


class MutationReport(Model):
    """A whole run."""

    schema_version: Literal[1] = 1
    seed: int
    limit: int
    settings_hash: str
    engine_version: str
    supported_claims: int
    left_out: tuple[str, ...] = ()
    untouched: Untouched
    overall: Rate
    faults: tuple[FaultResult, ...]
    minimums: tuple[Minimum, ...] = ()
    status: Literal["pass", "fail", "none"] = "none"

    def as_dict(self) -> dict[str, Any]:
        """The report as plain JSON data."""
        return self.model_dump(mode="json")

    def to_json(self) -> str:
        """The report as a canonical document: equal input gives equal bytes."""
        return canonical_document(self.as_dict())

    def decided(self, wanted: Sequence[tuple[str, float]]) -> MutationReport:
        """The report with catch rates that were asked for, and whether they were reached."""
        rates = {item.fault: item.caught.rate for item in self.faults} | {"": self.overall.rate}
        minimums = tuple(
            Minimum(
                fault=fault,
                wanted=least,
                rate=rates.get(fault),
                reached=(rate := rates.get(fault)) is not None and rate >= least,
            )
            for fault, least in wanted
        )
        if not minimums:
            return self
        status = "pass" if all(item.reached for item in minimums) else "fail"
        return self.model_copy(update={"minimums": minimums, "status": status})
