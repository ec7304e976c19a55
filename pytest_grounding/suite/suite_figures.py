"""The figures of a suite, and the gate's decision on them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from pytest_grounding._io.wording import counted, counted_list, if_known, one_line, share_or_none, wilson
from pytest_grounding.errors import RECORD_JUDGE
from pytest_grounding.model.baseline_values import Baseline
from pytest_grounding.model.comparison import Comparison as Against
from pytest_grounding.model.finding import CELLS
from pytest_grounding.model.run_report import Decision, Gate, Outcome, RunReport, Summary, Threshold
from pytest_grounding.settings import Settings
from pytest_grounding.suite import tally as tallied
from pytest_grounding.suite.known_findings import KnownFindings, left_out_findings
from pytest_grounding.suite.tally import LABELS, PICO, SHARES, Tally, by_policy, confidence_counts

#: Announces that this run has transcripts, even if it is only part of the suite.
PROMISE = "--grounding"
Comparison = Literal[">=", ">", "<=", "<"]
#: Each reads "value <comparison> limit"; a NaN on either side gives False, so it never passes.
COMPARE: dict[Comparison, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
}
#: Figures that need checked claims.
_OF_CLAIMS = frozenset({"hallucination_rate", "confident_share", "with_confidence"})
_DIGITS = 9
#: Figures that count bad items; the others count good ones.
_COUNT_BAD = frozenset({"hallucination_rate", "ungrounded_answers"})
#: Shares with a limit that each keeps: they are shown if they have a value.
_ANY_PASSES: dict[str, tuple[Comparison, float]] = {
    **dict.fromkeys(("completeness", "expected_facts", "source_recall", "source_hits"), (">=", 0.0)),
    "over_confident": ("<=", 1.0),
}
#: The fields of `Summary` that are counted under their own names.
_COUNTED = [name for name, field in Summary.model_fields.items() if field.annotation is int]


def warned(tally: Tally) -> str:
    """The warnings of a judge in warning mode, in words, or ""."""
    transcripts, rejected = tally.counts["judge_warned"], tally.counts["judge_warned_claims"]
    if not transcripts:
        return ""
    where = f"{counted(rejected, 'claim')} in {counted(transcripts, 'transcript')}"
    return f"{tally.judge_warned}; it alone rejects {where}, which fails nothing"


def unrecorded(tally: Tally) -> str:
    """That a judge was not asked about supported claims, in words, or ""."""
    transcripts, claims = tally.counts["unrecorded"], tally.counts["unrecorded_claims"]
    if not transcripts:
        return ""
    where = f"{counted(claims, 'supported claim')} in {counted(transcripts, 'transcript')}"
    return f"no answer of the judge is recorded on {where}, which the engine decided; {RECORD_JUDGE}"


def missing_ones(report: RunReport) -> str:
    """The transcripts of the run that were not validated, in words; "" without any."""
    items = [f"{name} ({why})" for name, why in report.run.missing.items()]
    return counted_list("transcript", items, "without a verdict")


def gaps_in(report: RunReport, summary: Summary, settings: Settings) -> tuple[list[str], list[str]]:
    """Reasons and notes on what is missing."""
    reasons: list[str] = []
    notes: list[str] = []
    reasons += shared_ids(report, notes)
    # Transcripts left out by xfail were not judged, so they do not count as validated.
    unjudged = len({*report.run.expected} & {*report.run.left_out})
    seen = summary.transcripts + summary.expected_failures - unjudged
    if seen < settings.expect:
        reasons.append(f"{counted(seen, 'transcript')} validated, at least {settings.expect} expected")
    elif not (seen or unjudged or report.run.missing) and report.run.promised:
        by_policy(settings.missing, broken(report.run.promised), reasons, notes)
    by_policy(settings.missing, missing_ones(report), reasons, notes)
    if not summary.transcripts and report.run.promised:
        by_policy(settings.missing, _none_counts(report), reasons, notes)
    return reasons, notes


def _none_counts(report: RunReport) -> str:
    """That all transcripts were to be rejected and were, so that none is in the figures, or ""."""
    if number := len({*report.run.expected} - {*report.run.left_out}):
        return f"no transcript counts: {counted(number, 'answer')} expected to be rejected"
    return ""


def broken(promises: Sequence[str]) -> str:
    """A message that nothing was found despite such an announcement."""
    return f"no transcript was found where {'; '.join(promises)} promised some"


def shared_ids(report: RunReport, notes: list[str]) -> list[str]:
    """Different contents under one id: an error between files, a note between values made in code."""
    # Place of each verdict; "" for a value made in code.
    found: dict[str, list[str]] = {}
    for head in report.heads:
        place = f"{head.source}:{head.line}" if head.source else ""
        found.setdefault(head.id, []).append(place)
    reasons: list[str] = []
    for identifier, given in found.items():
        if len(given) == 1:
            continue
        places = [place for place in given if place]
        in_code = ["a value made in code"] if len(places) < len(given) else []
        shown = ", ".join([*places, *in_code])
        text = f"{len(given)} different transcripts share the id {identifier!r}: {shown}"
        (reasons if len(places) > 1 else notes).append(text)
    return reasons


def threshold(
    name: str, label: str, comparison: Comparison, limit: float, count: int, total: int
) -> Threshold:
    """A share of counts with its interval, compared with a limit."""
    value = share_or_none(count, total)
    low, high = wilson(count, total) or (None, None)
    outcome: Outcome = "nothing"
    if value is not None:
        outcome = "pass" if COMPARE[comparison](value, limit) else "fail"
    return Threshold(
        name=name,
        label=label,
        value=value,
        comparison=comparison,
        limit=limit,
        count=count,
        total=total,
        low=low,
        high=high,
        outcome=outcome,
    )


def decide_suite(
    report: RunReport, settings: Settings, baseline: Baseline | None = None, *, refresh: str = ""
) -> RunReport:
    """Compute the figures of a run and decide."""
    found = Tally(report.transcripts, settings)
    summary = _summary(report, found)
    known: Mapping[str, int] = {}
    if baseline is not None and settings.baseline_gate != "all":
        known = left_out_findings(KnownFindings(baseline), report.transcripts, settings.suite_confidence)
    decided = _thresholds(found.counts, summary.reciprocal_rank, settings)
    thresholds = [_without_known(item, known.get(item.name, 0)) for item in decided]
    unscored = summary.claims_abstained - known.get("abstained", 0)
    judged = summary.model_copy(update={"claims_abstained": unscored})
    suite, reasons, notes = _suite_decision(report, judged, thresholds, settings)
    against = None
    if baseline is not None and suite != "off":
        # Only a comparison needs numpy, which takes a tenth of a second to import.
        from pytest_grounding.suite.compare import compare_runs

        against = compare_runs(baseline, report, settings, refresh=refresh, is_whole=report.run.whole)
        suite = _with_baseline(suite, against, settings, reasons, notes)
    own = _own_failures(report)
    by_policy("fail", _fallback(found), own, notes)
    by_policy("warn", counted_list("finding", found.waived, "waived", tallied.WAIVERS_SHOWN), own, notes)
    by_policy("warn", warned(found), own, notes)
    by_policy("warn", unrecorded(found), own, notes)
    by_policy("fail" if settings.waivers == "strict" else "warn", tallied.idle_in_words(report), own, notes)
    status: Decision = "fail" if own else suite
    gate = Gate(
        status=status,
        suite=suite,
        reasons=(*own, *reasons),
        notes=tuple(notes),
        thresholds=tuple(thresholds),
        failed=report.run.failed,
        baseline=against,
    )
    return report.model_copy(update={"summary": summary, "gate": gate})


def _without_known(item: Threshold, known: int) -> Threshold:
    if not known or item.outcome == "off":
        return item
    count = item.count - known if item.name in _COUNT_BAD else item.count
    anew = threshold(item.name, item.label, item.comparison, item.limit, count, item.total - known)
    return anew.model_copy(update={"known": known})


def _with_baseline(
    suite: Decision, against: Against, settings: Settings, reasons: list[str], notes: list[str]
) -> Decision:
    notes.extend(f"baseline: {text}" for text in against.notes)
    if against.outcome == "fail":
        reasons.extend(f"baseline: {text}" for text in against.reasons)
        return "fail"
    if against.outcome == "inconclusive":
        notes.extend(f"baseline inconclusive: {text}" for text in against.reasons)
    return suite


def _summary(report: RunReport, tally: Tally) -> Summary:
    found = tally.counts
    expected = {*report.run.expected} - {head.id for head in report.heads}
    shares = {name: share_or_none(found[part], found[whole]) for name, (part, whole) in SHARES.items()}
    figures: dict[str, Any] = {
        **{name: found[name] for name in _COUNTED},
        **{name: share for name, share in shares.items() if name in Summary.model_fields},
        "passed": found["status.pass"],
        "review": found["status.review"] - found["skipped"],
        "rejected": found["status.reject"],
        "expected_failures": len(expected),
        "with_confidence": share_or_none(*confidence_counts(found)),
        "confidence_difference": _mean_of_sum(found["difference"], found["answers_compared"]),
        "correction_gain": _mean_of_sum(found["correction_gain"], found["corrected"]),
        "abstention": {name: found[f"abstention.{name}"] for name in (*CELLS, "unknown")},
        "not_checked": tally.with_prefix("not_checked"),
        "switched_off": tally.with_prefix("switched_off"),
        "reciprocal_rank": _mean_of_sum(found["reciprocal_rank"], found["answers_with_sources"]),
        "most_cited": tally.most_cited(),
    }
    return Summary(**figures)


def _mean_of_sum(total: int, number: int) -> float | None:
    """The mean of a sum in `PICO`; adding 0.0 turns -0.0 into 0.0."""
    return round(total / (number * PICO), _DIGITS) + 0.0 if number else None


def _thresholds(counts: Mapping[str, int], mean_rank: float | None, settings: Settings) -> list[Threshold]:
    limits: dict[str, tuple[Comparison, float]] = {
        "citation_accuracy": (">=", settings.suite_min_citation_accuracy),
        "ungrounded_answers": ("<", settings.suite_max_ungrounded_answers),
        "hallucination_rate": ("<=", settings.suite_max_hallucination_rate),
        "confident_share": (">", settings.suite_min_confident_share),
        "with_confidence": (">=", 1.0),
        **_ANY_PASSES,
    }
    found = []
    for name, (comparison, limit) in limits.items():
        part, whole = SHARES.get(name, ("", ""))
        count, total = (counts[part], counts[whole]) if part else confidence_counts(counts)
        if total or name not in _ANY_PASSES:
            label = LABELS[name].format(limit=settings.suite_confidence)
            found.append(threshold(name, label, comparison, limit, count, total))
    if mean_rank is not None:
        # A mean, whose interval does not follow from the counts.
        hits = threshold("reciprocal_rank", LABELS["reciprocal_rank"], ">=", 0.0, 0, 1)
        given = {"count": counts["answers_hit"], "total": counts["answers_with_sources"]}
        found.append(hits.model_copy(update={**given, "value": mean_rank, "low": None, "high": None}))
    for place, item in enumerate(found):
        if not settings.enabled or (item.name in _OF_CLAIMS and not settings.hallucination_detection):
            found[place] = item.model_copy(update={"outcome": "off"})
    return found


def _own_failures(report: RunReport) -> list[str]:
    failed, statuses = counted_list("transcript", report.run.failed, "failed"), report.failed_statuses
    if failed and statuses.keys() != {"reject"}:
        failed += f" ({tallied.status_words(statuses)})"
    places = [problem.place for problem in report.run.problems]
    unreadable = counted_list("row", places, "could not be read")
    return [*filter(None, (failed, unreadable)), *report.run.slow]


def _suite_decision(
    report: RunReport, summary: Summary, thresholds: list[Threshold], settings: Settings
) -> tuple[Decision, list[str], list[str]]:
    if not settings.enabled:
        return "off", ["validation is switched off (enabled = false)"], []
    if settings.suite == "off":
        return "off", ["the suite's gate is switched off (suite = off)"], []
    if report.run.interrupted:
        reasons, notes = [f"the run was cut short: {'; '.join(report.run.interrupted)}"], list[str]()
        by_policy(settings.missing, missing_ones(report), reasons, notes)
        # Transcripts known to be missing fail it all the same.
        return ("fail" if len(reasons) > 1 else "undecided"), reasons, notes
    if report.run.narrowed:
        reason = f"a partial run ({'; '.join(report.run.narrowed)})"
        run = report.run
        found = summary.transcripts or run.expected or run.problems or run.missing
        if PROMISE in run.promised and not found and settings.missing == "fail":
            return "fail", [broken([PROMISE]), reason], []
        if settings.partial_runs == "fail":
            return "fail", [f"{reason}, and a whole run is required (partial_runs = fail)"], []
        return "undecided", [f"{reason}: the suite's thresholds are not decided"], []
    if not report.run.whole:
        return "undecided", ["a part of the run does not say that it was whole"], []
    reasons, notes = gaps_in(report, summary, settings)
    for item in thresholds:
        if item.outcome == "fail":
            known = if_known(", {} known left out", item.known or None)
            limit = f"({item.count} of {item.total}{known}), must be {item.comparison} {item.limit:g}"
            reasons.append(f"{item.label}: {item.value:.3f} {limit}")
    for policy, text in _policies(summary, settings):
        by_policy(policy, text, reasons, notes)
    if not reasons and not summary.transcripts and (text := _none_counts(report)):
        return "undecided", [text], notes
    return ("fail" if reasons else "pass"), reasons, notes


def _policies(summary: Summary, settings: Settings) -> Iterable[tuple[str, str]]:
    if summary.claims_abstained:
        yield settings.abstained, f"{counted(summary.claims_abstained, 'claim')} could not be scored"
    checked = summary.claims_scored or summary.waived
    if summary.transcripts and not checked and settings.hallucination_detection:
        text = "no claim of any answer was checked, so there is no hallucination rate"
        yield settings.nothing_checked, text


def _fallback(tally: Tally) -> str:
    if not tally.fallbacks:
        return ""
    names = [name for name, _ in tally.fallbacks]
    why = one_line(tally.fallbacks[0][1], 300)
    return f"{counted_list('transcript', names, 'not judged by all that was asked for')} ({why})"
