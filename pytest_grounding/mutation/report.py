"""What a mutation run found: catch rates with intervals, false rejections, survivors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from pytest_grounding._jsonio import canonical_document
from pytest_grounding.model._base import Model

DEFAULT_SHOWN = 3
_LONGEST = 200


def report_lines(report: MutationReport, *, shown: int = DEFAULT_SHOWN) -> Iterator[str]:
    """The report as lines: false rejections, the table of faults, survivors, minimums."""
    untouched = report.untouched
    yield f"untouched: {untouched.transcripts.total} transcripts, {report.supported_claims} supported claims"
    yield f"  not passed by the gate: {_rate(untouched.transcripts)}"
    yield f"  checked claims rejected: {_rate(untouched.claims)}"
    if untouched.not_passed:
        yield f"  look at: {_names(untouched.not_passed)}"
    if report.left_out:
        yield f"  left out, expected to fail: {_names(report.left_out)}"
    yield ""
    yield from _table(report)
    yield from _survivors(report, shown)
    if report.minimums:
        yield ""
    for item in report.minimums:
        name = item.fault or "all faults"
        found = "nothing planted" if item.rate is None else f"{item.rate:.3f}"
        word = "ok" if item.reached else "FAIL"
        yield f"{word}: catch rate of {name} {found}, wanted at least {item.wanted:g}"


def _table(report: MutationReport) -> Iterator[str]:
    width = max(len(item.fault) for item in report.faults)
    head = f"{'caught':>9}  {'rate':>5}  {'95 % interval':<14}  {'gate worse':>10}"
    yield f"{'fault':<{width}}  {head}  named by"
    for item in report.faults:
        means = ", ".join(f"{name} {count}" for name, count in item.named_by.items())
        yield f"{item.fault:<{width}}  {_columns(item.caught)}  {_of(item.gate_worse):>10}  {means}".rstrip()
    yield f"{'all':<{width}}  {_columns(report.overall)}".rstrip()


def _columns(rate: Rate) -> str:
    if rate.rate is None or rate.low is None or rate.high is None:
        return f"{_of(rate):>9}  {'-':>5}  {'-':<14}"
    return f"{_of(rate):>9}  {rate.rate:>5.3f}  {f'{rate.low:.3f} to {rate.high:.3f}':<14}"


def _survivors(report: MutationReport, shown: int) -> Iterator[str]:
    for item in report.faults:
        if not item.survivors or not shown:
            continue
        number = len(item.survivors)
        yield ""
        yield f"survivors of {item.fault} ({min(shown, number)} of {number}): {item.about}"
        for survivor in _spread(item, shown):
            yield from _survivor_lines(survivor)


def _spread(item: FaultResult, shown: int) -> list[Survivor]:
    """Survivors of as many transcripts as can be: the first of each, then the second of each."""
    seen: dict[str, int] = {}
    ranked = []
    for survivor in item.survivors:
        rank = seen.get(survivor.transcript, 0)
        seen[survivor.transcript] = rank + 1
        ranked.append((rank, survivor))
    ranked.sort(key=lambda pair: pair[0])
    return [survivor for _, survivor in ranked[:shown]]


def _survivor_lines(survivor: Survivor) -> Iterator[str]:
    support = "not scored" if survivor.support is None else f"support {survivor.support:.2f}"
    status = survivor.status or "in no claim"
    yield f"  {_plain(survivor.transcript)}, claim {survivor.claim + 1}: {_plain(survivor.change)}"
    yield f"    before: {_plain(survivor.before)}"
    if survivor.after != survivor.before:
        yield f"    after:  {_plain(survivor.after)}"
    yield f"    {status}, {support}, gate: {survivor.gate}"


def _rate(rate: Rate) -> str:
    if rate.rate is None or rate.low is None or rate.high is None:
        return "nothing to measure"
    return f"{_of(rate)} ({rate.rate:.3f}, 95 % interval {rate.low:.3f} to {rate.high:.3f})"


def _of(rate: Rate) -> str:
    return f"{rate.count}/{rate.total}"


def _names(names: tuple[str, ...], most: int = 10) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(_plain(name) for name in names[:most]) + more


def _plain(text: str) -> str:
    """One line of printable characters: what a transcript holds must not steer a terminal."""
    line = " ".join(text.split())
    line = "".join(char if char.isprintable() else "\ufffd" for char in line)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."


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
