"""The suite's figures as text, the same in every output."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from heapq import nsmallest
from operator import itemgetter

from pytest_grounding._wording import by_status, counted, measured
from pytest_grounding._wording import signed as of_gain
from pytest_grounding.model.finding import Finding, Rate
from pytest_grounding.model.run import Gate, RunReport, Summary, Threshold
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.rules import ORDER

OUTCOMES = {"pass": "ok", "fail": "failed", "nothing": "nothing to measure", "off": "switched off"}

_RANK = {"reject": 0, "review": 1, "pass": 2}


def number(value: float | None) -> str:
    """The value with three decimals, or a dash where there is none."""
    return "-" if value is None else f"{value:.3f}"


def signed(value: float | None) -> str:
    """The value with its sign and three decimals, or a dash where there is none."""
    return "-" if value is None else f"{value:+.3f}"


def value_of(item: Threshold) -> str:
    """The value with three decimals, or a dash where there was nothing to measure."""
    return number(item.value)


def limit_of(item: Threshold) -> str:
    """The limit with its comparison."""
    return f"{item.comparison} {item.limit:g}"


def interval_of(item: Threshold) -> str:
    """The 95 % interval, or a dash."""
    return "-" if item.low is None or item.high is None else f"{item.low:.3f} to {item.high:.3f}"


def decision_of(report: RunReport) -> str:
    """The decision on the run in one word."""
    return report.gate.status if report.gate is not None else "undecided"


def tally(report: RunReport) -> str:
    """How many transcripts got which status."""
    summary = report.summary
    if summary is None:
        return f"{len(report.transcripts)} transcripts"
    return f"{counted(summary.transcripts, 'transcript')}: {verdicts_of(summary)}{failing(report)}"


def verdicts_of(summary: Summary) -> str:
    """How many verdicts have which status."""
    skipped = f", {summary.skipped} skipped" if summary.skipped else ""
    return f"{summary.passed} passed, {summary.review} to review, {summary.rejected} rejected{skipped}"


def failing(report: RunReport) -> str:
    """How many transcripts fail the build, where that is another number than that of the rejected ones."""
    statuses = report.failed_statuses
    rejected = report.summary.rejected if report.summary is not None else 0
    if statuses == ({"reject": rejected} if rejected else {}):
        return ""
    return f"; {sum(statuses.values())} failed ({by_status(statuses)})" if statuses else "; none failed"


def is_told(reason: str, gate: Gate) -> bool:
    """A reason of the gate that a tally, a limit or the section of the baseline says as well."""
    told = [f"{item.label}: " for item in gate.thresholds] + ["baseline: ", "baseline inconclusive: "]
    return reason.startswith(tuple(told)) or re.match(r"\d+ transcripts? failed: ", reason) is not None


def worst_first(report: RunReport) -> Iterable[Verdict]:
    """The verdicts: failed ones first, then by status, confidence and id."""
    failed = frozenset(report.run.failed)
    return sorted(
        report.transcripts,
        key=lambda item: (
            item.id not in failed,
            _RANK[item.status],
            -1.0 if (known := measured(item.confidence)) is None else known,
            item.id,
        ),
    )


def gravest(report: RunReport, most: int) -> tuple[list[tuple[Verdict, Finding]], int]:
    """The gravest findings in order, and how many there are in all."""
    found: list[tuple[tuple[int, int, int], Verdict, Finding]] = []
    for place, verdict in enumerate(worst_first(report)):
        turns: Counter[str] = Counter()
        for finding in verdict.findings:
            if finding.severity != "info":
                key = (ORDER[finding.severity], turns[finding.severity], place)
                found.append((key, verdict, finding))
                turns[finding.severity] += 1
    return [item[1:] for item in nsmallest(most, found, key=itemgetter(0))], len(found)


def estimated(report: RunReport) -> int:
    """Answers in languages for which the built-in engine is not calibrated."""
    return sum(
        any(finding.rule == "not_calibrated" for finding in verdict.causes) for verdict in report.transcripts
    )


def left_out(report: RunReport) -> list[tuple[str, str]]:
    """What counts for no figure: a name and how many, in words."""
    summary = report.summary
    if summary is None:
        return []
    rows = [(name.replace("_", " "), f"{number}") for name, number in sorted(summary.not_checked.items())]
    counted = (
        ("claims that could not be scored", summary.claims_abstained),
        ("answers that decline", summary.declined),
        ("answers without any citation", summary.answers_without_citation),
        ("answers in a language without calibration", estimated(report)),
        ("expected to fail, in no figure", summary.expected_failures),
        ("rows that could not be read", len(report.run.problems)),
        ("transcripts that nothing validated", len(report.run.missing)),
    )
    rows += [(name, f"{number}") for name, number in counted if number]
    if summary.correction_gain is not None:
        gain = f"{summary.corrected}, mean gain of confidence {of_gain(summary.correction_gain)}"
        rows.append(("self-corrected answers", gain))
    rows += [(f"switched off: {name}", f"in {number}") for name, number in summary.switched_off.items()]
    return rows


def abstentions(report: RunReport) -> list[tuple[str, str]]:
    """The four cells of abstention: name, share and 95 % interval; nothing where no answer is in one."""
    summary = report.summary
    if summary is None or not any(rate.count for rate in summary.abstention_rates):
        return []
    return [(rate.label, _rate(rate)) for rate in summary.abstention_rates]


def _rate(rate: Rate) -> str:
    counted = f"{rate.count} of {rate.total}"
    if rate.value is None or rate.low is None or rate.high is None:
        return counted
    return f"{counted} ({rate.value:.3f}, {rate.low:.3f} to {rate.high:.3f})"
