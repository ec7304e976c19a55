"""A run against its baseline: pairs by id, what moved and why, and what the policy makes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from pytest_grounding._wording import LISTED, counted, listed_of
from pytest_grounding.baseline.figures import SEED, Sides, changes_over, sides_of
from pytest_grounding.baseline.ratchet import KnownFindings, judge, ratchet_of
from pytest_grounding.baseline.store import deciding
from pytest_grounding.engine import ENGINE_VERSION
from pytest_grounding.model.baseline import Baseline, Entry
from pytest_grounding.model.comparison import Comparison, ComparisonOutcome, Difference, FigureChange
from pytest_grounding.model.run import RunReport
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.rules import ORDER
from pytest_grounding.settings import FIELDS, Settings

_RANK = {"reject": 0, "review": 1, "pass": 2}
#: Transcripts that a list names at most, for each way it moved.
MOST = 10_000


def compare(
    baseline: Baseline, report: RunReport, settings: Settings, *, refresh: str = "", is_whole: bool = True
) -> Comparison:
    """Hold a run against its baseline."""
    is_ratchet = settings.baseline_gate == "new"
    sides = sides_of(settings)
    pairs = _Pairs()
    for before, verdict in _joined(baseline.transcripts, report.transcripts):
        after = None if verdict is None else Entry.of(verdict, settings_hash=settings.fingerprint)
        if not is_ratchet:
            _collect(sides, before, after)
        if before is not None and after is not None and verdict is not None:
            pairs.take(before, after, verdict, settings, with_differences=not is_ratchet)
        elif after is not None:
            pairs.name("added", after.id)
        elif before is not None and is_whole:
            pairs.name("vanished", before.id)
    found = Comparison(
        outcome="undecided",
        policy=settings.baseline_policy,
        drift=tuple(_drift(baseline, settings, pairs)),
        refresh=refresh,
        pairs=pairs.numbers["pairs"],
        flipped=pairs.differences("flipped"),
        moved=pairs.differences("moved"),
        added=pairs.named("added"),
        changed=pairs.named("changed"),
        vanished={key: _why_gone(key, report) for key in pairs.named("vanished")},
        unscored=pairs.named("unscored"),
        figures=() if is_ratchet else changes_over(sides, settings),
        ratchet=ratchet_of(KnownFindings(baseline, refresh), report.transcripts) if is_ratchet else None,
        more=pairs.more,
    )
    if not is_whole:
        reason = "the run is not a whole one: nothing is decided against the baseline"
        return found.model_copy(update={"reasons": (reason,)})
    outcome, reasons, notes = _decide(found, pairs.numbers, settings)
    if skipped := pairs.named("skipped"):
        number = counted(pairs.numbers["skipped"], "transcript")
        listed_ = listed_of(pairs.numbers["skipped"], skipped[:LISTED])
        notes.append(f"{number} of the baseline skipped, as a check is switched off: {listed_}")
    if sides.is_sample:
        size = next((item.pairs for item in found.figures), 0)
        notes.append(
            f"the figures are compared over a sample of {size} of {found.pairs} transcripts (seed "
            f"{SEED.decode()}); who flipped, moved or vanished is told of all"
        )
    return found.model_copy(update={"outcome": outcome, "reasons": tuple(reasons), "notes": tuple(notes)})


def _collect(sides: Sides, before: Entry | None, after: Entry | None) -> None:
    if before is not None:
        sides.add(0, before)
    if after is not None:
        sides.add(1, after)


class _Pairs:
    """What is told of the transcripts of both sides: the first of each list, and how many there are."""

    def __init__(self) -> None:
        self.numbers: Counter[str] = Counter()
        self._ids: dict[str, list[str]] = {}
        self._differences: dict[str, list[Difference]] = {}

    def take(
        self, before: Entry, after: Entry, verdict: Verdict, settings: Settings, *, with_differences: bool
    ) -> None:
        """Hold a transcript against what it was."""
        self.numbers["pairs"] += 1
        if before.hash != after.hash:
            self.name("changed", after.id)
        if before.settings_hash != after.settings_hash:
            self.name("own", after.id)
        if _is_unscored(before, after, settings):
            self.name("unscored", after.id)
        if verdict.skipped:
            self.name("skipped", after.id)
        elif with_differences and (found := _difference(before, after, verdict)) is not None:
            word = "flipped" if found.before != found.after else "moved"
            name = f"{word} to the {'worse' if found.is_worse else 'better'}"
            self.numbers[name] += 1
            if self.numbers[name] <= MOST:
                self._differences.setdefault(name, []).append(found)

    def name(self, name: str, identifier: str) -> None:
        """Put an id on a list."""
        self.numbers[name] += 1
        if self.numbers[name] <= MOST:
            self._ids.setdefault(name, []).append(identifier)

    def named(self, name: str) -> tuple[str, ...]:
        """The first ids of a list."""
        return tuple(self._ids.get(name, ()))

    def differences(self, word: str) -> tuple[Difference, ...]:
        """The first that flipped or moved, the worse ones first."""
        ways = ("worse", "better")
        return tuple(item for way in ways for item in self._differences.get(f"{word} to the {way}", ()))

    @property
    def more(self) -> dict[str, int]:
        """How many each list leaves out."""
        cut = {name: number - MOST for name, number in sorted(self.numbers.items()) if name != "pairs"}
        return {name: number for name, number in cut.items() if number > 0}


def _joined(
    before: Sequence[Entry], after: Sequence[Verdict]
) -> Iterator[tuple[Entry | None, Verdict | None]]:
    """Both sides by id, in order; of several contents under one id the worst verdict counts."""
    old = iter(sorted(before, key=_id_of) if isinstance(before, tuple) else before)
    runs = groupby(sorted(after, key=_id_of) if isinstance(after, tuple) else after, key=_id_of)
    new = (min(same, key=lambda item: _RANK[item.status]) for _, same in runs)
    left, right = next(old, None), next(new, None)
    while left is not None or right is not None:
        if right is None or (left is not None and left.id < right.id):
            yield left, None
            left = next(old, None)
        elif left is None or right.id < left.id:
            yield None, right
            right = next(new, None)
        else:
            yield left, right
            left, right = next(old, None), next(new, None)


def _id_of(item: Entry | Verdict) -> str:
    return item.id


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
    findings = [item for item in verdict.causes if item.severity != "info"]
    for item in sorted(findings, key=lambda finding: ORDER[finding.severity]):
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


def _drift(baseline: Baseline, settings: Settings, pairs: _Pairs) -> Iterator[str]:
    """What besides the transcripts is another one than in the baseline."""
    yield from drift(baseline, settings)
    if baseline.settings_hash != settings.fingerprint:
        return
    own = pairs.named("own")
    if own:
        number = pairs.numbers["own"]
        names = listed_of(number, own[:LISTED])
        yield f"the settings of {counted(number, 'transcript')} changed by folder or mark: {names}"


def _setting(values: Mapping[str, object], name: str) -> str:
    if name in values:
        return str(values[name])
    return f"{FIELDS[name].default or 'none'}" if name in FIELDS else "unknown"


def _decide(
    found: Comparison, numbers: Counter[str], settings: Settings
) -> tuple[ComparisonOutcome, list[str], list[str]]:
    """Outcome, reasons and notes of a whole run."""
    failed: list[str] = []
    notes: list[str] = []
    for text in _absences(found, numbers):
        if settings.missing == "fail":
            failed.append(text)
        elif settings.missing == "warn":
            notes.append(text)
    if found.ratchet is not None:
        reasons, further = judge(found.ratchet)
        failed += reasons
        notes += further
    elif settings.baseline_policy == "any":
        worse = [f"{item.id} ({item.before} -> {item.after})" for item in found.flipped if item.is_worse]
        if number := numbers["flipped to the worse"]:
            names = listed_of(number, worse[:LISTED])
            failed.append(f"{counted(number, 'transcript')} flipped to the worse: {names}")
        moved = [item.id for item in found.moved if item.is_worse]
        if number := numbers["moved to the worse"]:
            failed.append(f"{counted(number, 'transcript')} got worse: {listed_of(number, moved[:LISTED])}")
    failed += [_dropped(item) for item in found.figures if item.outcome == "worse"]
    unsure = [_dropped(item) for item in found.figures if item.outcome == "inconclusive"]
    if not found.pairs:
        unsure.append("no transcript of the baseline is in this run")
    told = (("added", found.added, "not in the baseline"), ("changed", found.changed, "with other content"))
    for name, ids, words in told:
        if number := numbers[name]:
            notes.append(f"{counted(number, 'transcript')} {words}: {listed_of(number, ids[:LISTED])}")
    if failed:
        return "fail", failed, notes
    return ("inconclusive", unsure, notes) if unsure else ("pass", [], notes)


def _absences(found: Comparison, numbers: Counter[str]) -> Iterator[str]:
    """What the baseline holds and the run does not."""
    if found.vanished:
        number = numbers["vanished"]
        gone = listed_of(number, [f"{key} ({why})" for key, why in found.vanished.items()][:LISTED])
        yield f"{counted(number, 'transcript')} of the baseline vanished: {gone}"
    if found.unscored:
        number = numbers["unscored"]
        names = listed_of(number, found.unscored[:LISTED])
        yield f"{counted(number, 'transcript')} of the baseline could no longer be scored: {names}"
    lost = [item.label for item in found.figures if item.outcome == "lost"]
    if lost and found.pairs:
        yield f"nothing to measure any more: {', '.join(lost)}"


def _dropped(item: FigureChange) -> str:
    return f"{item.label}: {item.before:.3f} -> {item.after:.3f} (p = {item.p_value:.3g}, {item.test})"
