"""A run against its baseline: pairs by id, what moved and why, and what the policy makes of it."""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import NormalDist
from typing import Literal, TypeAlias

from pytest_grounding._io.wording import LISTED, counted, listed_of
from pytest_grounding.engine import ENGINE_VERSION
from pytest_grounding.model.baseline_values import Baseline, Entry
from pytest_grounding.model.comparison import (
    Comparison,
    ComparisonOutcome,
    Difference,
    FigureChange,
    FigureOutcome,
)
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.rules import ORDER
from pytest_grounding.settings import FIELDS, Settings, parse_baseline_policy
from pytest_grounding.suite import stats
from pytest_grounding.suite.baseline_file import deciding
from pytest_grounding.suite.ratchet import KnownFindings, judge, ratchet_of
from pytest_grounding.suite.stats import Change, Part, Question

#: Questions that are resampled; more of them make no interval narrower that anyone would see.
SAMPLE = 100_000
SEED = b"20240601"

#: One recording: for each figure what is counted, and what it is counted in, one after the other.
Row: TypeAlias = "array[float]"


class Sides:
    """Collects the recordings of both sides by question."""

    def __init__(self, parts: Sequence[Callable[[Entry], Part]], most: int = SAMPLE) -> None:
        self._parts = parts
        self._most = most
        self._rows: dict[str, tuple[list[Row], list[Row]]] = {}
        self._highest = b""
        #: For each side and figure whether there is anything to measure.
        self.measured = ([False] * len(parts), [False] * len(parts))

    def add(self, side: Literal[0, 1], entry: Entry) -> None:
        """Take one recording of the baseline (0) or of the run (1)."""
        row = array("d", [number for part in self._parts for number in part(entry)])
        measured = self.measured[side]
        for index in range(len(measured)):
            measured[index] = measured[index] or bool(row[2 * index + 1])
        question = entry.question
        if self._highest and question not in self._rows and _hash(question) > self._highest:
            return
        self._rows.setdefault(question, ([], []))[side].append(row)
        if len(self._rows) > 2 * self._most:
            self._keep(self._rows)

    @property
    def is_sample(self) -> bool:
        """Whether questions were left out."""
        return bool(self._highest)

    def questions(self) -> list[tuple[list[Row], list[Row]]]:
        """The recordings of each question that both sides hold, in the order of the questions."""
        both = [question for question, (old, new) in self._rows.items() if old and new]
        if len(both) > self._most:
            self._keep(both)
            both = list(self._rows)
        return [self._rows[question] for question in sorted(both)]

    def _keep(self, questions: Sequence[str] | dict[str, tuple[list[Row], list[Row]]]) -> None:
        kept = sorted((_hash(question), question) for question in questions)[: self._most]
        self._highest = kept[-1][0]
        self._rows = {question: self._rows[question] for _, question in kept}


def part_of(row: Row, figure: int) -> Part:
    """What a recording adds to one figure."""
    return row[2 * figure], row[2 * figure + 1]


def _hash(question: str) -> bytes:
    return hashlib.blake2b(question.encode("utf-8", "surrogatepass"), key=SEED, digest_size=16).digest()


#: Level of the detectable drop where the policy names none.
ALPHA = 0.05

_DIGITS = 6
# Figures are made of rounded numbers; less than this is no change.
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure as a ratio of sums."""

    name: str
    label: str
    good: Literal["high", "low"]
    part: Callable[[Entry], Part]
    per_answer: bool


def figures(settings: Settings) -> list[Figure]:
    """The figures that a baseline is held to under these settings."""
    limit = settings.suite_confidence
    found = [
        Figure("pass_share", "answers that pass", "high", lambda e: (float(e.status == "pass"), 1.0), True),
        Figure(
            "citation_accuracy",
            "citation accuracy",
            "high",
            lambda e: (float(e.citations_valid), float(e.citations)),
            False,
        ),
        Figure(
            "ungrounded_answers",
            "answers with an ungrounded citation",
            "low",
            lambda e: (float(e.is_ungrounded), 1.0),
            True,
        ),
        Figure(
            "hallucination_rate",
            "hallucination rate of the claims",
            "low",
            lambda e: (float(e.hallucinated), float(e.claims)),
            False,
        ),
        Figure(
            "confident_share",
            f"answers with confidence >= {limit:g}",
            "high",
            lambda e: (float(e.confidence is not None and e.confidence >= limit), 1.0),
            True,
        ),
        Figure("mean_confidence", "mean confidence", "high", _confidence, False),
        Figure(
            "completeness",
            "complete answers to questions of several parts",
            "high",
            lambda e: (float(e.complete), float(e.in_parts)),
            False,
        ),
        Figure(
            "over_refusal",
            "declined though the sources hold the answer",
            "low",
            lambda e: _cell(e, "over_refusal", "answered"),
            False,
        ),
        Figure(
            "answered_absent",
            "answered though the sources do not hold the answer",
            "low",
            lambda e: _cell(e, "answered_absent", "rightly_declined"),
            False,
        ),
    ]
    if not settings.hallucination_detection:
        found = [item for item in found if item.name in ("citation_accuracy", "ungrounded_answers")]
    return found


#: Figures that many suites have nothing to measure for; they are compared where both sides have something.
_RARE = frozenset({"completeness", "over_refusal", "answered_absent"})


def _cell(entry: Entry, cell: str, other: str) -> Part:
    """What an answer adds to the share of one cell among two."""
    return (float(entry.abstention == cell), float(entry.abstention in (cell, other)))


def _confidence(entry: Entry) -> Part:
    # An answer without a confidence is missed by the share of confident ones; a mean cannot hold it.
    return (entry.confidence, 1.0) if entry.confidence is not None else (0.0, 0.0)


def sides_of(settings: Settings) -> Sides:
    """What collects the recordings of both sides for these figures."""
    return Sides([item.part for item in figures(settings)])


def changes(
    before: Mapping[str, Entry], after: Mapping[str, Entry], settings: Settings
) -> tuple[FigureChange, ...]:
    """Compare all figures over the questions that both sides hold, where both are in memory."""
    sides = sides_of(settings)
    for identifier in sorted(before):
        sides.add(0, before[identifier])
    for identifier in sorted(after):
        sides.add(1, after[identifier])
    return changes_over(sides, settings)


def changes_over(sides: Sides, settings: Settings) -> tuple[FigureChange, ...]:
    """Compare all figures over the questions that both sides hold."""
    policy, number = parse_baseline_policy(settings.baseline_policy)
    wanted = [
        (place, item)
        for place, item in enumerate(figures(settings))
        if item.name not in _RARE or all(side[place] for side in sides.measured)
    ]
    alpha = number if policy == "significant" else ALPHA
    questions = sides.questions()
    found = [_change(item, place, questions, alpha / len(wanted)) for place, item in wanted]
    tested = [item for item in found if item.p_value is not None]
    significant = dict(
        zip(
            [item.name for item in tested],
            stats.holm([item.p_value for item in tested if item.p_value is not None], alpha),
            strict=True,
        )
    )
    return tuple(
        item.model_copy(update={"outcome": _outcome(item, policy, number, significant.get(item.name, False))})
        for item in found
    )


def _change(
    figure: Figure, place: int, sides: Sequence[tuple[list[Row], list[Row]]], alpha: float
) -> FigureChange:
    questions = [
        Question(tuple(part_of(row, place) for row in old), tuple(part_of(row, place) for row in new))
        for old, new in sides
    ]
    change = stats.ratio_change(questions)
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
    moves = [sign * (_value(item.after) - _value(item.before)) for item in questions if _measured(item)]
    worse, better = sum(move > _EQUAL for move in moves), sum(move < -_EQUAL for move in moves)
    p_value = change.p_higher if sign > 0 else change.p_lower
    single = all(len(item.before) == len(item.after) == 1 for item in questions)
    exact = figure.per_answer and single
    low, high = sorted((sign * change.low, sign * change.high))
    return base.model_copy(
        update={
            "drop": _rounded(sign * change.rise),
            "low": _rounded(low),
            "high": _rounded(high),
            "p_value": _rounded(stats.mcnemar(worse, better) if exact else p_value),
            "test": "mcnemar" if exact else "bootstrap",
            "worse": worse,
            "better": better,
            "detectable": _rounded(_detectable(change, questions, min(worse, better), alpha)),
        }
    )


def _measured(item: Question) -> bool:
    return sum(part[1] for part in item.before) > 0 and sum(part[1] for part in item.after) > 0


def _value(parts: Sequence[Part]) -> float:
    return sum(part[0] for part in parts) / sum(part[1] for part in parts)


def _detectable(change: Change, questions: Sequence[Question], noise: int, alpha: float) -> float | None:
    """The smallest drop found in 4 of 5 cases."""
    counted = stats.detectable_drop(len(questions), noise / len(questions), alpha=alpha)
    if counted is None or change.error is None:
        return None
    normal = NormalDist()
    spread = (normal.inv_cdf(1 - alpha) + normal.inv_cdf(stats.POWER)) * change.error
    found = max(counted, spread)
    return found if found <= 1 else None


def _outcome(item: FigureChange, policy: str, number: float, is_significant: bool) -> FigureOutcome:
    if item.before is None:
        return "nothing"
    if item.after is None or item.drop is None:
        return "lost"
    if not item.drop > _EQUAL:
        # "not above" also holds for a NaN, which the model cannot carry.
        return "better" if item.drop < -_EQUAL else "same"
    if policy == "significant":
        return "worse" if is_significant else "inconclusive"
    return "worse" if item.drop > number + _EQUAL else "same"


def _rounded(value: float | None) -> float | None:
    # Adding 0.0 turns -0.0 into 0.0.
    return None if value is None else round(value, _DIGITS) + 0.0


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
