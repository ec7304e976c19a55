"""A run against its baseline: pairs by id, what moved and why, and what the policy makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pytest_grounding._wording import counted, listed
from pytest_grounding.baseline.figures import changes
from pytest_grounding.baseline.ratchet import KnownFindings, judge, ratchet_of
from pytest_grounding.baseline.store import deciding
from pytest_grounding.engine import ENGINE_VERSION
from pytest_grounding.model.baseline import Baseline, Entry
from pytest_grounding.model.comparison import Comparison, ComparisonOutcome, Difference, FigureChange
from pytest_grounding.model.run import RunReport
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import FIELDS, Settings

_RANK = {"reject": 0, "review": 1, "pass": 2}
_SEVERITY = {"error": 0, "warning": 1}
_EQUAL = 1e-9


def compare(
    baseline: Baseline, report: RunReport, settings: Settings, *, refresh: str = "", is_whole: bool = True
) -> Comparison:
    """Hold a run against its baseline.

    Args:
        baseline: the accepted figures.
        report: the run; its own decision does not matter.
        settings: the policy and the settings of the run.
        refresh: the command that writes the baseline anew, for messages.
        is_whole: the run saw the whole suite; if not, nothing is said to have vanished or decided.

    Returns:
        The comparison with its outcome.
    """
    verdicts = _by_id(report.transcripts)
    before = {entry.id: entry for entry in baseline.transcripts}
    after = {key: Entry.of(verdict, settings_hash=settings.fingerprint) for key, verdict in verdicts.items()}
    pairs = sorted(before.keys() & after.keys())
    differences = [
        item
        for key in pairs
        if not verdicts[key].skipped
        and (item := _difference(before[key], after[key], verdicts[key])) is not None
    ]
    differences.sort(key=lambda item: (not item.is_worse, item.id))
    vanished = (
        {key: _why_gone(key, report) for key in sorted(before.keys() - after.keys())} if is_whole else {}
    )
    is_ratchet = settings.baseline_gate == "new"
    found = Comparison(
        outcome="undecided",
        policy=settings.baseline_policy,
        drift=tuple(_drift(baseline, settings, before, after)),
        refresh=refresh,
        pairs=len(pairs),
        # Where known findings decide, they say what got worse, and nothing else does.
        flipped=tuple(item for item in differences if item.before != item.after and not is_ratchet),
        moved=tuple(item for item in differences if item.before == item.after and not is_ratchet),
        added=tuple(sorted(after.keys() - before.keys())),
        changed=tuple(key for key in pairs if before[key].hash != after[key].hash),
        vanished=vanished,
        unscored=tuple(key for key in pairs if _is_unscored(before[key], after[key], settings)),
        figures=() if is_ratchet else changes(before, after, settings),
        ratchet=ratchet_of(KnownFindings(baseline, refresh), report.transcripts) if is_ratchet else None,
    )
    if not is_whole:
        reason = "the run is not a whole one: nothing is decided against the baseline"
        return found.model_copy(update={"reasons": (reason,)})
    outcome, reasons, notes = _decide(found, settings)
    if skipped := [key for key in pairs if verdicts[key].skipped]:
        number = counted(len(skipped), "transcript")
        notes.append(f"{number} of the baseline skipped, as a check is switched off: {listed(skipped)}")
    return found.model_copy(update={"outcome": outcome, "reasons": tuple(reasons), "notes": tuple(notes)})


def _by_id(verdicts: Iterable[Verdict]) -> dict[str, Verdict]:
    """One verdict for each id; of several contents under one id the worst."""
    found: dict[str, Verdict] = {}
    for verdict in verdicts:
        other = found.get(verdict.id)
        if other is None or _RANK[verdict.status] < _RANK[other.status]:
            found[verdict.id] = verdict
    return found


def _why_gone(identifier: str, report: RunReport) -> str:
    if identifier in report.run.missing:
        return report.run.missing[identifier]
    if identifier in report.run.expected:
        return "expected to fail now, so that it counts for no figure"
    return "not in this run"


def _is_unscored(before: Entry, after: Entry, settings: Settings) -> bool:
    """Claims were scored in the baseline, and now some or all of them could not be."""
    if not settings.hallucination_detection:
        return False
    return after.abstained > before.abstained and after.claims < before.claims


def _difference(before: Entry, after: Entry, verdict: Verdict) -> Difference | None:
    if before.status != after.status:
        is_worse = _RANK[after.status] < _RANK[before.status]
        why = _why_flipped(before, after, verdict, is_worse=is_worse)
    else:
        moves = list(_moves(before, after))
        if not moves:
            return None
        is_worse = any(worse for worse, _ in moves)
        why = "; ".join(text for worse, text in moves if worse or not is_worse)
    return Difference(
        id=after.id,
        before=before.status,
        after=after.status,
        is_worse=is_worse,
        why=why,
        source=verdict.source,
        line=verdict.line,
    )


def _why_flipped(before: Entry, after: Entry, verdict: Verdict, *, is_worse: bool) -> str:
    """The gravest finding that came or went with the flip; else the reason of the verdict."""
    if not is_worse:
        gone = sorted(key for key, number in before.findings.items() if number > after.findings.get(key, 0))
        return f"gone: {', '.join(gone)}" if gone else verdict.reason
    findings = [item for item in verdict.causes if item.severity in _SEVERITY]
    for item in sorted(findings, key=lambda finding: _SEVERITY[finding.severity]):
        key = f"{item.severity} {item.rule}"
        if after.findings.get(key, 0) > before.findings.get(key, 0):
            return f"{key}: {item.message}"
    return verdict.reason


def _moves(before: Entry, after: Entry) -> Iterator[tuple[bool, str]]:
    """What moved without a flip: whether it got worse, and the figure in words."""
    pairs = (
        ("hallucination rate", (before.hallucinated, before.claims), (after.hallucinated, after.claims), 1),
        (
            "citation accuracy",
            (before.citations_valid, before.citations),
            (after.citations_valid, after.citations),
            -1,
        ),
    )
    for name, old, new, sign in pairs:
        if old[1] and not new[1]:
            yield True, f"{name} {old[0]} of {old[1]} -> nothing to measure"
        elif old[1] and new[1] and old[0] * new[1] != new[0] * old[1]:
            yield sign * (new[0] / new[1] - old[0] / old[1]) > 0, f"{name} {_of(old)} -> {_of(new)}"
    if before.confidence != after.confidence:
        worse = after.confidence is None or (
            before.confidence is not None and after.confidence < before.confidence
        )
        yield worse, f"confidence {_shown(before.confidence)} -> {_shown(after.confidence)}"
    came = [key for key, number in after.findings.items() if number > before.findings.get(key, 0)]
    gone = [key for key, number in before.findings.items() if number > after.findings.get(key, 0)]
    yield from ((True, f"new: {key}") for key in sorted(came))
    yield from ((False, f"gone: {key}") for key in sorted(gone))


def _of(pair: tuple[int, int]) -> str:
    return f"{pair[0]} of {pair[1]}"


def _shown(value: float | None) -> str:
    return "none" if value is None else f"{value:.4g}"


def drift(baseline: Baseline, settings: Settings) -> Iterator[str]:
    """What of engine and settings is another one than in the baseline, in words."""
    if baseline.engine_version != ENGINE_VERSION:
        yield f"the engine changed: {baseline.engine_version} -> {ENGINE_VERSION}"
    if baseline.settings_hash != settings.fingerprint:
        old, new = baseline.settings, deciding(settings)
        names = sorted(key for key in {*old, *new} if old.get(key, ...) != new.get(key, ...))
        moved = [f"{name} {_setting(old, name)} -> {_setting(new, name)}" for name in names]
        hashes = f"fingerprint {baseline.settings_hash} -> {settings.fingerprint}"
        yield f"the settings changed: {', '.join(moved) or hashes}"


def _drift(
    baseline: Baseline, settings: Settings, before: Mapping[str, Entry], after: Mapping[str, Entry]
) -> Iterator[str]:
    """What besides the transcripts is another one than in the baseline."""
    yield from drift(baseline, settings)
    if baseline.settings_hash != settings.fingerprint:
        return
    own = [
        key
        for key in sorted(before.keys() & after.keys())
        if before[key].settings_hash != after[key].settings_hash
    ]
    if own:
        yield f"the settings of {counted(len(own), 'transcript')} changed by folder or mark: {listed(own)}"


def _setting(values: Mapping[str, object], name: str) -> str:
    if name in values:
        return str(values[name])
    return f"{FIELDS[name].default or 'none'}" if name in FIELDS else "unknown"


def _decide(found: Comparison, settings: Settings) -> tuple[ComparisonOutcome, list[str], list[str]]:
    """Outcome, reasons and notes of a whole run."""
    failed: list[str] = []
    notes: list[str] = []
    for text in _absences(found):
        if settings.baseline_missing == "fail":
            failed.append(text)
        elif settings.baseline_missing == "warn":
            notes.append(text)
    if found.ratchet is not None:
        reasons, further = judge(found.ratchet, settings.baseline_gone)
        failed += reasons
        notes += further
    elif settings.baseline_policy == "any":
        worse = [f"{item.id} ({item.before} -> {item.after})" for item in found.flipped if item.is_worse]
        if worse:
            failed.append(f"{counted(len(worse), 'transcript')} flipped to the worse: {listed(worse)}")
        moved = [item.id for item in found.moved if item.is_worse]
        if moved:
            failed.append(f"{counted(len(moved), 'transcript')} got worse: {listed(moved)}")
    failed += [_dropped(item) for item in found.figures if item.outcome == "worse"]
    unsure = [_dropped(item) for item in found.figures if item.outcome == "inconclusive"]
    if not found.pairs:
        unsure.append("no transcript of the baseline is in this run")
    if found.added:
        notes.append(f"{counted(len(found.added), 'transcript')} not in the baseline: {listed(found.added)}")
    if found.changed:
        notes.append(
            f"{counted(len(found.changed), 'transcript')} with other content: {listed(found.changed)}"
        )
    if failed:
        return "fail", failed, notes
    return ("inconclusive", unsure, notes) if unsure else ("pass", [], notes)


def _absences(found: Comparison) -> Iterator[str]:
    """What the baseline holds and the run does not."""
    if found.vanished:
        gone = [f"{key} ({why})" for key, why in found.vanished.items()]
        yield f"{counted(len(gone), 'transcript')} of the baseline vanished: {listed(gone)}"
    if found.unscored:
        number = counted(len(found.unscored), "transcript")
        yield f"{number} of the baseline could no longer be scored: {listed(found.unscored)}"
    lost = [item.label for item in found.figures if item.outcome == "lost"]
    if lost and found.pairs:
        yield f"nothing to measure any more: {', '.join(lost)}"


def _dropped(item: FigureChange) -> str:
    return f"{item.label}: {item.before:.3f} -> {item.after:.3f} (p = {item.p_value:.3g}, {item.test})"
