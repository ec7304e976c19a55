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
    """A share with its 95 % interval.

    Attributes:
        count: how often it was so.
        total: how often it could have been so.
        rate: count / total in [0, 1], or None when the total is 0.
        low: lower end of the interval, or None.
        high: upper end of the interval, or None.
    """

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
    """A mutant whose fault the verdict does not name.

    Attributes:
        transcript: id of the transcript.
        claim: index of the claim in the untouched verdict.
        change: what was changed, in words.
        before: the claim before.
        after: the claim after.
        status: status of the changed claim in the mutant's verdict ("" where no claim holds the change).
        support: its support, or None.
        gate: the gate's status of the mutant.
    """

    transcript: str
    claim: int
    change: str
    before: str
    after: str
    status: str
    support: float | None
    gate: str


class FaultResult(Model):
    """One kind of fault over all transcripts.

    Attributes:
        fault: name of the fault.
        about: what it does.
        caught: mutants that were named, of those that were planted.
        named_by: how often each means named one: contradicted, unsupported, abstained, citation, finding.
        gate_worse: mutants on which the gate's status got worse, of those where it could (no reject before).
        survivors: all mutants that were not named, ordered by transcript and claim.
    """

    fault: str
    about: str
    caught: Rate
    named_by: Mapping[str, int] = Field(default_factory=dict)
    gate_worse: Rate
    survivors: tuple[Survivor, ...] = ()


class Untouched(Model):
    """The transcripts as recorded.

    Attributes:
        transcripts: those that the gate does not pass, of all that were used.
        claims: checked claims that count as hallucinated or were not scored, of all checked ones.
        not_passed: ids of the transcripts that the gate does not pass, in order.
    """

    transcripts: Rate
    claims: Rate
    not_passed: tuple[str, ...] = ()


class Minimum(Model):
    """A catch rate that was asked for.

    Attributes:
        fault: the fault, or "" for all faults together.
        wanted: the rate that was asked for, in [0, 1].
        rate: the rate that was found; None (nothing was planted) never reaches a minimum.
        reached: whether it is enough.
    """

    fault: str
    wanted: float
    rate: float | None
    reached: bool


class MutationReport(Model):
    """A whole run.

    Attributes:
        seed: the seed that chose places and words.
        limit: most mutants of a fault.
        settings_hash: fingerprint of the settings.
        engine_version: version of the engine that validated.
        supported_claims: claims that faults could be planted into.
        left_out: ids of transcripts whose author expects them to fail.
        untouched: false rejections.
        overall: mutants that were named, of all that were planted.
        faults: the same for each fault, in the order of the registry.
        minimums: catch rates that were asked for.
        status: pass, fail, or none when no minimum was asked for.
    """

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
        """The report with catch rates that were asked for, and whether they were reached.

        Args:
            wanted: pairs of a fault's name ("" for all together) and the least catch rate.
        """
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
