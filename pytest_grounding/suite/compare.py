"""Compare a run with its baseline: pairs, what changed and why, a permutation test, the policy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from pytest_grounding._io.wording import counted, counted_list, listed
from pytest_grounding.engine.pipeline import ENGINE_VERSION
from pytest_grounding.model.baseline_values import Baseline, BaselineEntry
from pytest_grounding.model.comparison import (
    Comparison,
    ComparisonOutcome,
    FigureChange,
    FigureOutcome,
    TranscriptChange,
)
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.model.verdict import STATUS_RANK, Verdict
from pytest_grounding.rules import ORDER
from pytest_grounding.settings import FIELDS, Settings, parse_baseline_policy
from pytest_grounding.suite.baseline_file import deciding
from pytest_grounding.suite.known_findings import KnownFindings, judge_ratchet, ratchet_of
from pytest_grounding.suite.tally import LABELS, by_policy

#: Resamples of the bootstrap, and random swaps of the test.
RESAMPLES = 2_000
SWAPS = 4_999
SEED = 20_240_601
#: Up to this many changed questions, every way to swap their sides is tried: the test is exact.
_ALL_SWAPS = 12
_CELLS = 2_000_000  # cells of the largest array in memory
Array = npt.NDArray[np.float64]
#: One recording: numerator and denominator.
Part = tuple[float, float]
#: The recordings of one question in the baseline and in the run.
Sides: TypeAlias = tuple[list[BaselineEntry], list[BaselineEntry]]
#: Significance level of the tests if the policy gives none.
ALPHA = 0.05
_DIGITS = 6
# Figures are computed from rounded numbers, and sums in another order differ in their last digits.
_EQUAL = 1e-9
#: Figures without a value in many suites; they are compared if both sides have one.
_RARE = set("completeness over_refusal answered_absent expected_facts source_recall reciprocal_rank".split())
_EXPECTED = "expected to fail now, so that it counts for no figure"


def holm(p_values: Sequence[float], alpha: float) -> list[bool]:
    """Which of several tests are significant together (Holm 1979, Scand. J. Stat. 6:65-70)."""
    order = sorted(range(len(p_values)), key=lambda i: math.inf if math.isnan(p_values[i]) else p_values[i])
    found = [False] * len(p_values)
    for place, index in enumerate(order):
        if not p_values[index] <= alpha / (len(p_values) - place):
            break
        found[index] = True
    return found


@dataclass(frozen=True, slots=True)
class PairedQuestion:
    """One question on both sides, with a part for each repetition; neither side is empty."""

    before: tuple[Part, ...]
    after: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class RatioChange:
    """How a ratio of sums changed."""

    before: float | None
    after: float | None
    rise: float | None = None
    low: float | None = None
    high: float | None = None
    p_higher: float | None = None
    p_lower: float | None = None


def ratio_change(
    questions: Sequence[PairedQuestion], *, seed: int = SEED, resamples: int = RESAMPLES
) -> RatioChange:
    """Compare a ratio of sums, such as the hallucination rate, before and after."""
    rows = [[*_mean_part(item.before), *_mean_part(item.after)] for item in questions]
    means = np.array(rows, dtype=np.float64).reshape(len(questions), 4)
    totals = means.sum(axis=0)
    before, after = _ratio(totals[0], totals[1]), _ratio(totals[2], totals[3])
    if before is None or after is None:
        return RatioChange(before, after)
    rise = after - before
    generator = np.random.Generator(np.random.PCG64(seed))
    if np.array_equal(means[:, :2], means[:, 2:]):
        return RatioChange(before, after, rise, 0.0, 0.0, 1.0, 1.0)
    whole = _bootstrap(means, generator, resamples)
    ends = np.quantile(whole, [0.025, 0.975]) if len(whole) else (rise, rise)
    swapped = _rises_after_swaps(means, generator)
    return RatioChange(
        before,
        after,
        rise=rise,
        low=float(ends[0]),
        high=float(ends[1]),
        p_higher=_chance(swapped >= rise - _EQUAL),
        p_lower=_chance(swapped <= rise + _EQUAL),
    )


def _mean_part(parts: tuple[Part, ...]) -> Part:
    counts, totals = zip(*parts, strict=True)
    return math.fsum(counts) / len(parts), math.fsum(totals) / len(parts)


def _ratio(count: Any, total: Any) -> float | None:
    return float(count) / float(total) if total > 0 else None


def _chance(hits: npt.NDArray[np.bool_]) -> float:
    """Share of swaps, including the observed sides, so that it is never 0."""
    return float((1 + int(hits.sum())) / (1 + len(hits)))


def _rises_of_sums(sums: Array) -> Array:
    """The rises of resampled sums, without resamples in which a denominator is 0."""
    usable = sums[(sums[:, 1] > 0) & (sums[:, 3] > 0)]
    rises: Array = usable[:, 2] / usable[:, 3] - usable[:, 0] / usable[:, 1]
    return rises


def _bootstrap(means: Array, generator: np.random.Generator, resamples: int) -> Array:
    size = len(means)
    sums = [
        _draw_counts((generator.random((number, size)) * size).astype(np.intp), size) @ means
        for number in _batches(resamples, size)
    ]
    return _rises_of_sums(np.vstack(sums))


def _batches(total: int, cells: int) -> Iterator[int]:
    step = max(1, _CELLS // cells)
    for start in range(0, total, step):
        yield min(step, total - start)


def _draw_counts(drawn: npt.NDArray[np.intp], size: int) -> Array:
    rows = len(drawn)
    flat = (drawn + np.arange(rows)[:, None] * size).ravel()
    counted: Array = np.bincount(flat, minlength=rows * size).reshape(rows, size).astype(np.float64)
    return counted


def _rises_after_swaps(means: Array, generator: np.random.Generator) -> Array:
    """Rises with sides swapped: the paired permutation test (Fisher 1935, section 21), or McNemar's."""
    changed = means[np.any(means[:, :2] != means[:, 2:], axis=1)]
    differences = changed[:, 2:] - changed[:, :2]
    number = len(changed)
    if number <= _ALL_SWAPS:
        swaps = ((np.arange(2**number)[:, None] >> np.arange(number)) & 1).astype(np.float64)
        # The observed one is among them, and is counted separately.
        return _after_swaps(means, differences, swaps[1:])
    found = [
        _after_swaps(means, differences, (generator.random((rows, number)) < 0.5).astype(np.float64))
        for rows in _batches(SWAPS, number)
    ]
    return np.concatenate(found)


def _after_swaps(means: Array, differences: Array, swaps: Array) -> Array:
    totals = means.sum(axis=0)
    moved = swaps @ differences
    return _rises_of_sums(np.hstack([totals[:2] + moved, totals[2:] - moved]))


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure as a ratio of sums."""

    name: str
    label: str
    good: Literal["high", "low"]
    part: Callable[[BaselineEntry], Part]

    def is_counted(self, entries: Mapping[str, BaselineEntry]) -> bool:
        """Whether it has a value over these entries."""
        return any(self.part(entry)[1] for entry in entries.values())


def _share_part(count: Callable[[BaselineEntry], float]) -> Callable[[BaselineEntry], Part]:
    return lambda entry: (float(count(entry)), 1.0)


def figures(settings: Settings) -> list[Figure]:
    """The figures that are compared with a baseline under these settings."""
    limit = settings.suite_confidence
    confident = _share_part(lambda e: e.confidence is not None and e.confidence >= limit)
    rows: list[tuple[str, Literal["high", "low"], Callable[[BaselineEntry], Part]]] = [
        ("pass_share", "high", _share_part(lambda e: e.status == "pass")),
        ("citation_accuracy", "high", lambda e: (e.citations_valid, e.citations)),
        ("ungrounded_answers", "low", _share_part(lambda e: e.is_ungrounded)),
        ("hallucination_rate", "low", lambda e: (e.hallucinated, e.claims)),
        ("confident_share", "high", confident),
        # The share of confident answers covers those without a confidence; a mean cannot.
        ("mean_confidence", "high", lambda e: (e.confidence or 0.0, float(e.confidence is not None))),
        ("completeness", "high", lambda e: (e.complete, e.in_parts)),
        ("over_refusal", "low", _cell("over_refusal", "answered")),
        ("answered_absent", "low", _cell("answered_absent", "rightly_declined")),
        ("expected_facts", "high", lambda e: (e.facts_stated, e.facts_expected)),
        ("source_recall", "high", lambda e: (e.sources_found, e.sources_expected)),
        ("reciprocal_rank", "high", lambda e: (e.reciprocal_rank, float(e.sources_expected > 0))),
    ]
    found = [Figure(row[0], LABELS[row[0]].format(limit=limit), *row[1:]) for row in rows]
    if not settings.hallucination_detection:
        found = [item for item in found if item.name in ("citation_accuracy", "ungrounded_answers")]
    return found


def _cell(cell: str, other: str) -> Callable[[BaselineEntry], Part]:
    return lambda entry: (float(entry.abstention == cell), float(entry.abstention in (cell, other)))


def changes(
    before: Mapping[str, BaselineEntry], after: Mapping[str, BaselineEntry], settings: Settings
) -> tuple[FigureChange, ...]:
    """Compare all figures over the questions of both sides."""
    sides: dict[str, Sides] = {}
    for place, entries in enumerate((before, after)):
        for identifier in sorted(entries):
            sides.setdefault(entries[identifier].question, ([], []))[place].append(entries[identifier])
    shared = [sides[question] for question in sorted(sides) if all(sides[question])]
    policy, number = parse_baseline_policy(settings.baseline_policy)
    wanted = [
        item
        for item in figures(settings)
        if item.name not in _RARE or (item.is_counted(before) and item.is_counted(after))
    ]
    alpha = number if policy == "significant" else ALPHA
    found = [_figure_change(item, shared) for item in wanted]
    tested = [item for item in found if item.p_value is not None]
    is_significant = holm([item.p_value for item in tested if item.p_value is not None], alpha)
    significant = {item.name for item, is_so in zip(tested, is_significant, strict=True) if is_so}
    return tuple(
        item.model_copy(update={"outcome": _figure_outcome(item, policy, number, item.name in significant)})
        for item in found
    )


def _figure_change(figure: Figure, sides: Sequence[Sides]) -> FigureChange:
    questions = [
        PairedQuestion(tuple(map(figure.part, old)), tuple(map(figure.part, new))) for old, new in sides
    ]
    change = ratio_change(questions)
    base = FigureChange(
        name=figure.name,
        label=figure.label,
        before=_rounded(change.before),
        after=_rounded(change.after),
        pairs=len(questions),
    )
    if change.rise is None or change.low is None or change.high is None:
        return base
    sign = -1.0 if figure.good == "high" else 1.0
    rates = [(_ratio(*_mean_part(item.before)), _ratio(*_mean_part(item.after))) for item in questions]
    moves = [sign * (new - old) for old, new in rates if old is not None and new is not None]
    worse, better = sum(move > _EQUAL for move in moves), sum(move < -_EQUAL for move in moves)
    low, high = sorted((sign * change.low, sign * change.high))
    return base.model_copy(
        update={
            "drop": _rounded(sign * change.rise),
            "low": _rounded(low),
            "high": _rounded(high),
            "p_value": _rounded(change.p_higher if sign > 0 else change.p_lower),
            "worse": worse,
            "better": better,
        }
    )


def _figure_outcome(item: FigureChange, policy: str, number: float, is_significant: bool) -> FigureOutcome:
    if item.before is None:
        return "nothing"
    if item.after is None or item.drop is None:
        return "lost"
    if not item.drop > _EQUAL:
        # "not above" is also true for a NaN, which the model does not allow.
        return "better" if item.drop < -_EQUAL else "same"
    if policy == "significant":
        return "worse" if is_significant else "inconclusive"
    return "worse" if item.drop > number + _EQUAL else "same"


def _rounded(value: float | None) -> float | None:
    # Adding 0.0 turns -0.0 into 0.0.
    return None if value is None else round(value, _DIGITS) + 0.0


def compare_runs(
    baseline: Baseline, report: RunReport, settings: Settings, *, refresh: str = "", is_whole: bool = True
) -> Comparison:
    """Compare a run with its baseline."""
    is_ratchet = settings.baseline_gate == "new"
    before = {entry.id: entry for entry in baseline.transcripts}
    verdicts: dict[str, Verdict] = {}
    # If several contents share an id, the worst verdict counts.
    for verdict in sorted(report.transcripts, key=lambda item: STATUS_RANK[item.status]):
        verdicts.setdefault(verdict.id, verdict)
    fingerprint = settings.fingerprint
    after = {key: BaselineEntry.of(verdicts[key], settings_hash=fingerprint) for key in sorted(verdicts)}
    pairs = [(before[key], entry, verdicts[key]) for key, entry in after.items() if key in before]
    compared = () if is_ratchet else pairs
    different = [moved for item in compared if not item[2].skipped for moved in _difference(*item)]
    different.sort(key=lambda item: not item.is_worse)
    vanished = sorted(before.keys() - after.keys()) if is_whole else ()
    found = Comparison(
        outcome="undecided",
        policy=settings.baseline_policy,
        drift=tuple(_drift(baseline, settings, pairs)),
        refresh=refresh,
        pairs=len(pairs),
        flipped=tuple(item for item in different if item.before != item.after),
        moved=tuple(item for item in different if item.before == item.after),
        added=tuple(key for key in after if key not in before),
        changed=tuple(new.id for old, new, _ in pairs if old.hash != new.hash),
        replaced={
            new.id: gone
            for old, new, verdict in pairs
            if verdict.status != "pass" and (gone := old.replaced_in(verdict))
        },
        vanished={
            key: report.run.missing.get(key)
            or (_EXPECTED if key in report.run.expected else "not in this run")
            for key in vanished
        },
        unscored=tuple(
            new.id
            for old, new, _ in pairs
            if settings.hallucination_detection and new.abstained > old.abstained and new.claims < old.claims
        ),
        figures=() if is_ratchet else changes(before, after, settings),
        ratchet=ratchet_of(KnownFindings(baseline), report.transcripts) if is_ratchet else None,
    )
    if not is_whole:
        reason = "the run is not a whole one: nothing is decided against the baseline"
        return found.model_copy(update={"reasons": (reason,)})
    outcome, reasons, notes = _decide_policy(found, settings)
    skipped = [new.id for _, new, verdict in pairs if verdict.skipped]
    why = "of the baseline skipped, as a check is switched off"
    by_policy("warn", counted_list("transcript", skipped, why), reasons, notes)
    return found.model_copy(update={"outcome": outcome, "reasons": tuple(reasons), "notes": tuple(notes)})


def _difference(before: BaselineEntry, after: BaselineEntry, verdict: Verdict) -> Iterator[TranscriptChange]:
    if before.status != after.status:
        is_worse = STATUS_RANK[after.status] < STATUS_RANK[before.status]
        why = _why_flipped(before, after, verdict, is_worse=is_worse)
    else:
        moves = list(_moves(before, after))
        if not moves:
            return
        is_worse = any(worse for worse, _ in moves)
        why = "; ".join(text for worse, text in moves if worse or not is_worse)
    yield TranscriptChange(
        id=after.id,
        before=before.status,
        after=after.status,
        is_worse=is_worse,
        why=why,
        source=verdict.source,
        line=verdict.line,
    )


def _why_flipped(before: BaselineEntry, after: BaselineEntry, verdict: Verdict, *, is_worse: bool) -> str:
    if not is_worse:
        gone = sorted(key for key, number in before.findings.items() if number > after.findings.get(key, 0))
        return f"gone: {', '.join(gone)}" if gone else verdict.reason
    findings = [item for item in verdict.causes if item.severity != "info"]
    for item in sorted(findings, key=lambda finding: ORDER[finding.severity]):
        key = f"{item.severity} {item.rule}"
        if after.findings.get(key, 0) > before.findings.get(key, 0):
            return f"{key}: {item.message}"
    return verdict.reason


def _moves(before: BaselineEntry, after: BaselineEntry) -> Iterator[tuple[bool, str]]:
    for name, part, whole, sign in (
        ("hallucination rate", "hallucinated", "claims", 1),
        ("citation accuracy", "citations_valid", "citations", -1),
    ):
        old, new = ((getattr(entry, part), getattr(entry, whole)) for entry in (before, after))
        if old[1] and not new[1]:
            yield True, f"{name} {old[0]} of {old[1]} -> nothing to measure"
        elif old[1] and new[1] and old[0] * new[1] != new[0] * old[1]:
            moved = f"{old[0]} of {old[1]} -> {new[0]} of {new[1]}"
            yield sign * (new[0] / new[1] - old[0] / old[1]) > 0, f"{name} {moved}"
    was, now = before.confidence, after.confidence
    if was != now:
        shown = ("none" if value is None else f"{value:.4g}" for value in (was, now))
        yield now is None or (was is not None and now < was), f"confidence {' -> '.join(shown)}"
    came = [key for key, number in after.findings.items() if number > before.findings.get(key, 0)]
    gone = [key for key, number in before.findings.items() if number > after.findings.get(key, 0)]
    yield from ((True, f"new: {key}") for key in sorted(came))
    yield from ((False, f"gone: {key}") for key in sorted(gone))


def drift(baseline: Baseline, settings: Settings) -> Iterator[str]:
    """How engine and settings differ from those of the baseline, in words."""
    if baseline.engine_version != ENGINE_VERSION:
        yield f"the engine changed: {baseline.engine_version} -> {ENGINE_VERSION}"
    if baseline.settings_hash != settings.fingerprint:
        old, new = baseline.settings, deciding(settings)
        names = sorted(key for key in {*old, *new} if old.get(key, ...) != new.get(key, ...))
        moved = [f"{name} {_setting_in_words(old, name)} -> {_setting_in_words(new, name)}" for name in names]
        hashes = f"fingerprint {baseline.settings_hash} -> {settings.fingerprint}"
        yield f"the settings changed: {', '.join(moved) or hashes}"


def _drift(
    baseline: Baseline, settings: Settings, pairs: Sequence[tuple[BaselineEntry, BaselineEntry, Verdict]]
) -> Iterator[str]:
    yield from drift(baseline, settings)
    own = [new.id for old, new, _ in pairs if old.settings_hash != new.settings_hash]
    if own and baseline.settings_hash == settings.fingerprint:
        number = counted(len(own), "transcript")
        yield f"the settings of {number} changed by folder or mark: {listed(own)}"


def _setting_in_words(values: Mapping[str, object], name: str) -> str:
    if name in values:
        return str(values[name])
    return f"{FIELDS[name].default or 'none'}" if name in FIELDS else "unknown"


def _decide_policy(found: Comparison, settings: Settings) -> tuple[ComparisonOutcome, list[str], list[str]]:
    failed: list[str] = []
    notes: list[str] = []
    for absence in _absences(found):
        by_policy(settings.missing, absence, failed, notes)
    if found.ratchet is not None:
        reasons, further = judge_ratchet(found.ratchet, found.refresh)
        failed += reasons
        notes += further
    elif settings.baseline_policy == "any":
        flipped = [f"{item.id} ({item.before} -> {item.after})" for item in found.flipped if item.is_worse]
        moved = [item.id for item in found.moved if item.is_worse]
        for names, words in ((flipped, "flipped to the worse"), (moved, "got worse")):
            by_policy("fail", counted_list("transcript", names, words), failed, notes)
    failed += [_dropped(item) for item in found.figures if item.outcome == "worse"]
    unsure = [_dropped(item) for item in found.figures if item.outcome == "inconclusive"]
    if not found.pairs:
        unsure.append("no transcript of the baseline is in this run")
    for ids, words in ((found.added, "not in the baseline"), (found.changed, "with other content")):
        by_policy("warn", counted_list("transcript", ids, words), failed, notes)
    if failed:
        return "fail", failed, notes
    return ("inconclusive", unsure, notes) if unsure else ("pass", [], notes)


def _absences(found: Comparison) -> Iterator[str]:
    """What the baseline has and the run does not, in words; "" for nothing."""
    gone = [f"{key} ({why})" for key, why in found.vanished.items()]
    yield counted_list("transcript", gone, "of the baseline vanished")
    yield counted_list("transcript", found.unscored, "of the baseline could no longer be scored")
    lost = [item.label for item in found.figures if item.outcome == "lost"]
    if lost and found.pairs:
        yield f"nothing to measure any more: {', '.join(lost)}"


def _dropped(item: FigureChange) -> str:
    return f"{item.label}: {item.before:.3f} -> {item.after:.3f} (p = {item.p_value:.3g})"
