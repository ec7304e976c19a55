"""From the verdicts of a run to the decision on the build."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pytest_grounding._visible import one_line
from pytest_grounding._wording import by_status, counted, listed, listed_of
from pytest_grounding.baseline.advising import warned
from pytest_grounding.baseline.answering import answering, completeness_limit
from pytest_grounding.baseline.limits import COMPARE as COMPARE
from pytest_grounding.baseline.limits import threshold
from pytest_grounding.baseline.ratchet import KnownFindings, left_out
from pytest_grounding.baseline.reported import confidence_counts, over_confident, reported_figures
from pytest_grounding.baseline.tally import PICO, Tally
from pytest_grounding.baseline.waived import idle, waived_note
from pytest_grounding.baseline.wholeness import PROMISE, broken, by_policy, cut_off, nothing_kept, wholeness
from pytest_grounding.model.baseline import Baseline
from pytest_grounding.model.comparison import Comparison as Against
from pytest_grounding.model.run import Decision, Gate, RunReport, Summary, Threshold
from pytest_grounding.settings import Settings

#: Figures that there are only where claims are checked.
_OF_CLAIMS = frozenset({"hallucination_rate", "confident_share", "with_confidence"})
_DIGITS = 9


def decide(
    report: RunReport,
    settings: Settings,
    baseline: Baseline | None = None,
    *,
    refresh: str = "",
) -> RunReport:
    """Compute the figures of a run and decide."""
    found = Tally.of(report.transcripts, settings)
    summary = summarise(report, settings, found)
    known = _known(report, settings, baseline, refresh)
    thresholds = [_without_known(item, known.get(item.name, 0)) for item in _thresholds(summary, settings)]
    unscored = summary.claims_abstained - known.get("abstained", 0)
    judged = summary.model_copy(update={"claims_abstained": unscored})
    suite, reasons, notes = _suite_decision(report, judged, thresholds, settings)
    against = None
    if baseline is not None and suite != "off":
        # Only a comparison needs numpy, which costs every other run a tenth of a second.
        from pytest_grounding.baseline.compare import compare

        against = compare(baseline, report, settings, refresh=refresh, is_whole=report.run.whole)
        suite = _with_baseline(suite, against, settings, reasons, notes)
    own = _own_failures(report)
    by_policy(settings.scorer_fallback, _fallback(found), own, notes)
    said = [item[-1] for item in found.firsts.get("waived", ())]
    by_policy("warn", waived_note(found.counts["waived"], said), own, notes)
    by_policy("warn", warned(found), own, notes)
    by_policy("fail" if settings.waivers == "strict" else "warn", idle(report), own, notes)
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


def _known(
    report: RunReport, settings: Settings, baseline: Baseline | None, refresh: str
) -> Mapping[str, int]:
    """How many bad ones of each figure count for nothing, because the baseline holds them."""
    if baseline is None or settings.baseline_gate == "all":
        return {}
    held = KnownFindings(baseline, refresh)
    return left_out(held, report.transcripts, settings.suite_confidence)


#: Figures that count what is bad; the others count what is good.
_COUNT_BAD = frozenset({"hallucination_rate", "ungrounded_answers"})


def _without_known(item: Threshold, known: int) -> Threshold:
    """The same figure over what the baseline does not hold."""
    if not known or item.outcome == "off":
        return item
    count = item.count - known if item.name in _COUNT_BAD else item.count
    anew = threshold(item.name, item.label, item.comparison, item.limit, count, item.total - known)
    return anew.model_copy(update={"known": known})


def _with_baseline(
    suite: Decision, against: Against, settings: Settings, reasons: list[str], notes: list[str]
) -> Decision:
    """The suite's decision with that of the baseline; its reasons and notes are added to the others."""
    notes.extend(f"baseline: {text}" for text in against.notes)
    if against.outcome == "fail":
        reasons.extend(f"baseline: {text}" for text in against.reasons)
        return "fail"
    if against.outcome == "inconclusive":
        for text in against.reasons:
            notes.append(f"baseline inconclusive: {text}")
    return suite


def summarise(report: RunReport, settings: Settings, tally: Tally | None = None) -> Summary:
    """The figures over all verdicts of a report that count; what a tally counted is not counted again."""
    known = Tally.of(report.transcripts, settings)
    found = known.counts
    return Summary(
        transcripts=found["transcripts"],
        passed=found["status.pass"],
        review=found["status.review"] - found["skipped"],
        rejected=found["status.reject"],
        declined=found["declined"],
        expected_failures=_expected_failures(report),
        answers_asked_for_confidence=found["asked"],
        answers_without_confidence=found["asked_without"],
        citation_accuracy=_share(found["citations_valid"], found["citations"]),
        ungrounded_answers=_share(found["ungrounded"], found["looked_at"]),
        hallucination_rate=_share(found["claims_hallucinated"], found["claims_scored"]),
        confident_share=_share(found["asked_confident"], found["asked"]),
        **reported_figures(found, _mean(found["difference"], found["compared"])),
        citations=found["citations"],
        citations_valid=found["citations_valid"],
        answers_without_citation=found["without_citation"],
        claims_scored=found["claims_scored"],
        claims_hallucinated=found["claims_hallucinated"],
        claims_abstained=found["claims.abstained"],
        waived=found["waived"],
        skipped=found["skipped"],
        corrected=found["corrected"],
        corrected_gained=found["corrected_gained"],
        correction_gain=_mean(found["correction_gain"], found["corrected"]),
        not_checked=known.with_prefix("not_checked"),
        **answering(found),
        switched_off=known.with_prefix("switched_off"),
        claims_judged=found["judged"],
        judge_overruled=found["judge_overruled"],
    )


def _expected_failures(report: RunReport) -> int:
    """Transcripts that were expected to fail and did, so that no verdict on them counts."""
    expected = set(report.run.expected)
    if expected:
        expected.difference_update(verdict.id for verdict in report.transcripts)
    return len(expected)


def _share(count: int, total: int) -> float | None:
    return count / total if total else None


def _mean(total: int, number: int) -> float | None:
    """The mean of a sum in `PICO`; adding 0.0 turns -0.0 into 0.0."""
    return round(total / (number * PICO), _DIGITS) + 0.0 if number else None


def _thresholds(summary: Summary, settings: Settings) -> list[Threshold]:
    confidence = f"answers with confidence >= {settings.suite_confidence:g}"
    known = confidence_counts(summary)
    answers = summary.transcripts - summary.switched_off.get("validation", 0)
    ungrounded = round((summary.ungrounded_answers or 0.0) * answers)
    asked = summary.answers_asked_for_confidence
    confident = round((summary.confident_share or 0.0) * asked)
    hallucination = threshold(
        "hallucination_rate",
        "hallucination rate of the claims",
        "<=",
        settings.suite_max_hallucination_rate,
        summary.claims_hallucinated,
        summary.claims_scored,
    )
    found = [
        threshold(
            "citation_accuracy",
            "citation accuracy",
            ">=",
            settings.suite_min_citation_accuracy,
            summary.citations_valid,
            summary.citations,
        ),
        threshold(
            "ungrounded_answers",
            "answers with an ungrounded citation",
            "<",
            settings.suite_max_ungrounded_answers,
            ungrounded,
            answers,
        ),
        hallucination,
        threshold("confident_share", confidence, ">", settings.suite_min_confident_share, confident, asked),
        threshold("with_confidence", "answers with a confidence", ">=", 1.0, *known),
        *(threshold(*row) for row in over_confident(summary)),
    ]
    found += completeness_limit(summary)
    off = _OF_CLAIMS if not settings.hallucination_detection else ()
    return [
        item.model_copy(update={"outcome": "off"}) if not settings.enabled or item.name in off else item
        for item in found
    ]


def _own_failures(report: RunReport) -> list[str]:
    """What fails a build whatever the suite decides: transcripts and files that failed on their own."""
    reasons = []
    if report.run.failed:
        statuses = report.failed_statuses
        told = "" if statuses.keys() == {"reject"} else f" ({by_status(statuses)})"
        number = counted(len(report.run.failed), "transcript")
        reasons.append(f"{number} failed: {listed(report.run.failed)}{told}")
    if report.run.problems:
        places = listed([problem.place for problem in report.run.problems])
        reasons.append(f"{counted(len(report.run.problems), 'row')} could not be read: {places}")
    return reasons


def _suite_decision(
    report: RunReport, summary: Summary, thresholds: list[Threshold], settings: Settings
) -> tuple[Decision, list[str], list[str]]:
    if not settings.enabled:
        return "off", ["validation is switched off (enabled = false)"], []
    if settings.suite == "off":
        return "off", ["the suite's gate is switched off (suite = off)"], []
    if report.run.interrupted:
        return cut_off(report, settings)
    if report.run.narrowed:
        reason = f"a partial run ({'; '.join(report.run.narrowed)})"
        if nothing_kept(report, summary) and settings.missing == "fail":
            return "fail", [broken([PROMISE]), reason], []
        if settings.partial_runs == "fail":
            return "fail", [f"{reason}, and a whole run is required (partial_runs = fail)"], []
        return "undecided", [f"{reason}: the suite's thresholds are not decided"], []
    if not report.run.whole:
        return "undecided", ["a part of the run does not say that it was whole"], []
    reasons, notes = wholeness(report, summary, settings)
    reasons.extend(_failed_threshold(item) for item in thresholds if item.outcome == "fail")
    for policy, text in _policies(summary, settings):
        (reasons if policy == "fail" else notes if policy == "warn" else []).append(text)
    return ("fail" if reasons else "pass"), reasons, notes


def _policies(summary: Summary, settings: Settings) -> Iterable[tuple[str, str]]:
    if summary.claims_abstained:
        yield settings.abstained, f"{counted(summary.claims_abstained, 'claim')} could not be scored"
    checked = summary.claims_scored or summary.waived
    if summary.transcripts and not checked and settings.hallucination_detection:
        yield (
            settings.nothing_checked,
            "no claim of any answer was checked, so there is no hallucination rate",
        )


def _fallback(tally: Tally) -> str:
    """That scorers or judges that were asked for failed and others served, or "": never without a word."""
    first = tally.firsts.get("fallback")
    if not first:
        return ""
    number = tally.counts["fallback"]
    return (
        f"{counted(number, 'transcript')} not judged by all that was asked for: "
        f"{listed_of(number, [item[0] for item in first])} "
        f"({one_line(first[0][2], 300)}); scorer_fallback = warn lets that pass"
    )


def _failed_threshold(item: Threshold) -> str:
    known = f", {item.known} known left out" if item.known else ""
    counted = f"{item.count} of {item.total}{known}"
    return f"{item.label}: {item.value:.3f} ({counted}), must be {item.comparison} {item.limit:g}"
