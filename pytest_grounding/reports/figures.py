"""Figures and short words of verdicts and runs, the same in every output."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from heapq import nsmallest
from operator import itemgetter

from pytest_grounding._wording import by_status, counted, measured
from pytest_grounding._wording import signed as of_gain
from pytest_grounding.baseline.store import failing as findings_that_fail
from pytest_grounding.model.answering import Rate
from pytest_grounding.model.finding import Finding, Severity
from pytest_grounding.model.opinions import said_by
from pytest_grounding.model.run import Gate, RunReport, Summary, Threshold
from pytest_grounding.model.verdict import ClaimVerdict, Verdict
from pytest_grounding.rules import ORDER


def said_by_pipeline(verdict: Verdict) -> list[tuple[str, str]]:
    """What the pipeline says of one answer: a name and the words, which may hold its own text."""
    found = []
    reported = verdict.reported_confidence
    if reported is not None:
        words = f"{reported:.2f}"
        if not verdict.declined and verdict.confidence is not None:
            difference = round(reported - verdict.confidence, 9)
            words += f" ({_compared(difference)})" if difference == difference else ""
        found.append(("confidence by the pipeline", words))
    if verdict.reported_missing is not None:
        words = "; ".join(verdict.reported_missing) or "nothing"
        found.append(("missing, says the pipeline", words))
    return found


def said_by_pipelines(summary: Summary | None) -> list[tuple[str, str]]:
    """What the pipelines of a run say of themselves: a name and the figure; empty where none does."""
    found: list[tuple[str, str]] = []
    if summary is None:
        return found
    if summary.answers_reporting:
        words = f"{summary.answers_reporting} of {summary.transcripts} answers"
        if summary.confidence_difference is not None:
            words += f", on average {_compared(summary.confidence_difference)}"
        if summary.over_confident:
            words += f"; {summary.answers_over_confident} too high ({summary.over_confident:.0%})"
        found.append(("confidence by the pipeline", words))
    if summary.missing_named:
        found.append(("answers that say what is missing", f"{summary.missing_named}"))
    return found


def _compared(difference: float) -> str:
    """How far a reported confidence is from the computed one."""
    shown = f"{abs(difference):.2f}"
    if shown == "0.00":
        return "as computed"
    return f"{shown} {'above' if difference > 0 else 'below'} the computed one"


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


def only_new(report: RunReport) -> RunReport:
    """The run without the findings that its baseline holds; the same run where everything counts."""
    against = report.gate.baseline if report.gate is not None else None
    if against is None or against.ratchet is None:
        return report
    new = Counter((item.transcript, item.severity, item.rule, item.hash) for item in against.ratchet.new)
    left = Counter(new)
    keys: dict[str, list[tuple[str, Severity, str, str]]] = {}
    for key in new:
        keys.setdefault(key[0], []).append(key)

    def without_known(verdict: Verdict) -> Verdict:
        known: set[int] = set()
        fresh: set[int] = set()
        for finding, line in findings_that_fail(verdict):
            key = (verdict.id, line.severity, line.rule, line.hash)
            if left[key]:
                left[key] -= 1
                fresh.add(id(finding))
            else:
                known.add(id(finding))
        kept = tuple(item for item in verdict.findings if id(item) not in known - fresh)
        return verdict.model_copy(update={"findings": kept})

    return report.model_copy(update={"transcripts": tuple(map(without_known, report.transcripts))})


#: Name of the suite's figure.
OVERRULED = "judge overruled the engine"


def opinions_of(claim: ClaimVerdict) -> list[tuple[str, str]]:
    """Both opinions on a claim: who, and what in words; mostly empty."""
    found = claim.opinions
    if found is None:
        return []
    engine = found.engine
    support = "" if engine.support is None else f" (support {engine.support:.2f})"
    lines = [("engine", f"{engine.status}{support}" + (f": {engine.reason}" if engine.reason else ""))]
    return [*lines, ("judge", said_by(found.judge).removeprefix("judge ").removeprefix("judge: "))]


def overruled(verdict: Verdict) -> list[tuple[int, str]]:
    """The claims on which the judge overruled the engine: their indexes, and both opinions in words."""
    return [
        (claim.index, str(claim.opinions))
        for claim in verdict.claims
        if claim.opinions is not None and claim.opinions.differ
    ]


def overruled_figure(summary: Summary | None) -> str:
    """How many of the claims that a judge ruled on it decided against the engine, or "" without a judge."""
    if summary is None or not summary.claims_judged:
        return ""
    return f"{summary.judge_overruled} of {summary.claims_judged} claims"


def overruled_claims(report: RunReport) -> Iterator[tuple[str, int, str]]:
    """The same over a run: transcript, index of the claim, and both opinions in words."""
    return ((verdict.id, *found) for verdict in report.transcripts for found in overruled(verdict))
