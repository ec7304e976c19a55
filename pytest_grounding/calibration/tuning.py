"""Choose thresholds from labels: the grid that is tried, its report, and the text of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pytest_grounding._io.wording import wilson
from pytest_grounding.calibration.labels import FOLDS, Label, fold_of, refuse_thin
from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.engine import registry
from pytest_grounding.engine.guard import guarded, is_unchecked
from pytest_grounding.engine.pipeline import extract_and_score, judge
from pytest_grounding.engine.validation import validate
from pytest_grounding.errors import SettingsError
from pytest_grounding.gate import fails
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.model.verdict import ScorerFailure, Verdict
from pytest_grounding.scorers import Claims, RelevanceScore, Scorer, SupportScore
from pytest_grounding.settings import FIELDS, Settings

_SHARES = tuple(round(0.3 + 0.05 * step, 2) for step in range(14))
_CONFIDENCES = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_RATES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)
#: Right answers that each changed part of the settings must gain more than: one may be chance.
_COST = 1.5
#: How far the share of planted faults that are named may fall.
FAULT_DROP = 0.05
#: With fewer answers, or fewer of either kind, a choice does not predict the next answer.
LEAST, LEAST_OF_EACH = 20, 5
_DIGITS = 9
#: Settings that are compared with supports.
_SUPPORTS = ("supported_threshold", "borderline_threshold", "alignment_threshold")

#: For each answer whether something is true of it.
Flags: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Goal:
    """The required figures."""

    catch: float | None = None
    reject: float | None = None


@dataclass(frozen=True, slots=True)
class Trial:
    """A point of the grid: what it changes, in how many parts of the settings, and how far."""

    changes: dict[str, Any]
    settings: Settings
    parts: int
    distance: float


def grid(settings: Settings) -> Iterator[Trial]:
    """Every combination of the values that are tried; the settings in force come first."""
    held = settings.as_dict()
    for parts in product(_support_thresholds(settings), _conflict_policies(), _limits(settings)):
        asked = {name: new for part in parts for name, new in part.items() if new != held[name]}
        changes = {name: asked[name] for name in FIELDS if name in asked}
        differing = [part for part in parts if not asked.keys().isdisjoint(part)]
        moves = [abs(new - held[name]) for name, new in changes.items() if isinstance(new, float)]
        try:
            tried = settings.with_values(changes)
        except SettingsError:
            # The values contradict each other.
            continue
        yield Trial(changes, tried, len(differing), round(sum(moves), _DIGITS))


def _support_thresholds(settings: Settings) -> Iterator[dict[str, Any]]:
    yield {}
    for share in _SHARES:
        yield {"alignment_threshold": share}
        own = {"borderline_threshold": share, "supported_threshold": max(share, settings.supported_threshold)}
        yield own
        # A claim that is not supported as a whole is not supported by its citations: both thresholds move.
        yield {**own, "alignment_threshold": share}


def _conflict_policies() -> Iterator[dict[str, Any]]:
    yield {}
    for policy in ("off", "warn"):
        yield {"possible_conflicts": policy}


def _limits(settings: Settings) -> Iterator[dict[str, Any]]:
    yield {}
    if settings.fail_on != "reject":
        for confidence in _CONFIDENCES:
            yield {"accept_confidence": confidence}
        return
    for confidence in _CONFIDENCES:
        above = max(confidence, settings.accept_confidence)
        yield {"reject_confidence": confidence, "accept_confidence": above}
    for rate in _RATES:
        yield {"max_hallucination_rate": rate}


class _Remembering:
    """A scorer that caches each request, and collects the supports it returned."""

    def __init__(self, scorer: Scorer, scores: set[float], kinds: set[str]) -> None:
        self._scorer = scorer
        self._scores = scores
        self._kinds = kinds
        self._known: dict[Any, Any] = {}
        self.name = scorer.name

    def relevance(
        self, question: str, chunks: Sequence[Chunk], *, language: str = "en"
    ) -> list[RelevanceScore]:
        key = (question, tuple(chunk.id for chunk in chunks), language)
        if key not in self._known:
            self._known[key] = self._scorer.relevance(question, chunks, language=language)
        return list(self._known[key])

    def support(
        self, claims: Claims, chunks: Sequence[Chunk], *, question: str = "", language: str = "en"
    ) -> list[SupportScore]:
        key = (tuple(claims), tuple(chunk.id for chunk in chunks), question, language)
        if key not in self._known:
            found = self._scorer.support(claims, chunks, question=question, language=language)
            self._known[key] = found
            for score in found:
                if score.probability is not None:
                    self._scores.add(round(score.probability, _DIGITS))
                self._kinds.update(conflict.kind for conflict in score.conflicts)
        return list(self._known[key])


class Replay:
    """One answer under many settings that differ only in what `calibrate` chooses."""

    def __init__(self, transcript: Transcript, settings: Settings) -> None:
        self.transcript = transcript
        self._has_conflicts: set[str] = set()
        self._scores: set[float] = set()
        self._context: CheckContext | None = None
        self._scorers: list[Scorer] = []
        self._failures: tuple[ScorerFailure, ...] = ()
        self._known: dict[tuple[object, ...], Verdict] = {}
        self._figures: dict[tuple[object, ...], tuple[float | None, float | None]] = {}
        first = guarded(transcript, settings, self._start)
        # A transcript that cannot be checked is rejected, whatever the thresholds are.
        self._fixed = first if self._context is None or is_unchecked(first) else None
        if self._fixed is None:
            self._keep(settings, first)

    def _start(self, transcript: Transcript, settings: Settings) -> Verdict:
        scorers = registry.scorers(settings)
        self._scorers = [_Remembering(scorer, self._scores, self._has_conflicts) for scorer in scorers]
        self._context, self._failures = extract_and_score(transcript, settings, self._scorers)
        return judge(self._context, self._scorers, self._failures)

    def verdict(self, settings: Settings) -> Verdict:
        """The verdict with these settings."""
        if self._fixed is not None:
            return self._fixed
        found = self._known.get(self._key(settings))
        if found is None:
            found = guarded(self.transcript, settings, self._again)
            self._keep(settings, found)
        return found

    def is_stopped(self, settings: Settings) -> bool:
        """Whether the answer fails with these settings."""
        return fails(self.verdict(settings), settings)

    def _again(self, transcript: Transcript, settings: Settings) -> Verdict:
        assert self._context is not None
        seen = len(self._scores)
        found = judge(replace(self._context, settings=settings), self._scorers, self._failures)
        if len(self._scores) != seen:
            # Settings that were equivalent before may now differ.
            self._known.clear()
            self._figures.clear()
        return found

    def _keep(self, settings: Settings, verdict: Verdict) -> None:
        self._figures[self._place(settings)] = verdict.confidence, verdict.hallucination_rate
        self._known[self._key(settings)] = verdict

    def _place(self, settings: Settings) -> tuple[object, ...]:
        """The positions of the thresholds among the scores."""
        counts = []
        for name in _SUPPORTS:
            threshold = getattr(settings, name)
            counts.append(sum(score >= threshold for score in self._scores))
        return (*counts, settings.possible_conflicts if self._has_conflicts else "")

    def _key(self, settings: Settings) -> tuple[object, ...]:
        """The same, with the values that the gate compares."""
        place = self._place(settings)
        figures = self._figures.get(place)
        if figures is None:
            return ()
        confidence, rate = figures
        confidence = -1.0 if confidence is None else confidence
        return (
            *place,
            confidence >= settings.accept_confidence,
            confidence >= settings.reject_confidence,
            rate is not None and rate <= settings.max_hallucination_rate,
        )


@dataclass(frozen=True, slots=True)
class Planted:
    """A right answer with a planted fault."""

    transcript: Transcript
    origin: int
    is_named: Callable[[Verdict, Verdict], bool]


@dataclass(frozen=True, slots=True)
class Figures:
    """How a gate treats the labelled answers."""

    passed: int
    right: int
    stopped: int
    wrong: int
    named: int = 0
    planted: int = 0


@dataclass(frozen=True, slots=True)
class Tuning:
    """The choice, and its effect."""

    changes: dict[str, Any]
    before: Figures
    after: Figures
    cross_validated: Figures
    reached: bool
    tried: dict[str, Any]


def tune(
    labels: Sequence[Label], settings: Settings, goal: Goal | None = None, planted: Sequence[Planted] = ()
) -> Tuning:
    """Choose thresholds, the policy of possible conflicts and the accepted confidence together."""
    whole = [label.correct for label in labels if label.transcript is not None]
    kinds = whole.count(True), whole.count(False)
    refuse_thin(*kinds, LEAST, LEAST_OF_EACH, what=" with a transcript", to="choose settings")
    return _Bench(labels, settings, planted).tuned(goal or Goal())


@dataclass(frozen=True, slots=True)
class _Answers:
    right: Flags
    wrong: Flags
    planted: Flags

    def figures(self, stopped: Flags) -> Figures:
        """How many of each kind pass, are stopped or named."""
        right = int(self.right.sum())
        return Figures(
            passed=right - int((stopped & self.right).sum()),
            right=right,
            stopped=int((stopped & self.wrong).sum()),
            wrong=int(self.wrong.sum()),
            named=int((stopped & self.planted).sum()),
            planted=int(self.planted.sum()),
        )

    def within(self, part: Flags) -> _Answers:
        return _Answers(self.right & part, self.wrong & part, self.planted & part)


def value(found: Figures, held: Figures, goal: Goal) -> tuple[float, float, float, float]:
    """The value of what a choice does, beside the settings in force: higher is better."""
    lacking = max(0.0, held.named - FAULT_DROP * held.planted - found.named) / max(1, held.planted)
    if goal.catch is not None:
        lacking += max(0.0, goal.catch * found.wrong - found.stopped) / max(1, found.wrong)
    elif goal.reject is None:
        lacking += max(0, held.stopped - found.stopped) / max(1, found.wrong)
    if goal.reject is not None:
        lacking += max(0.0, (1 - goal.reject) * found.right - found.passed) / max(1, found.right)
    passed, stopped = float(found.passed), float(found.stopped)
    is_to_stop = goal.reject is not None and goal.catch is None
    first, second = (stopped, passed) if is_to_stop else (passed, stopped)
    return -round(lacking, _DIGITS), first, second, float(found.named)


class _Bench:
    """The labelled answers and the planted faults, under every point of the grid."""

    def __init__(self, labels: Sequence[Label], settings: Settings, planted: Sequence[Planted]) -> None:
        whole = [(number, label) for number, label in enumerate(labels) if label.transcript is not None]
        place = {number: index for index, (number, _) in enumerate(whole)}
        self._planted = [replace(item, origin=place[item.origin]) for item in planted]
        transcripts = [label.transcript for _, label in whole if label.transcript is not None]
        self._replays = [Replay(transcript, settings) for transcript in transcripts]
        self._mutants = [Replay(item.transcript, settings) for item in self._planted]
        self._known: dict[tuple[int, int, int], tuple[Verdict, Verdict, bool]] = {}
        correct = [label.correct for _, label in whole]
        faults = [False] * len(planted)
        self._answers = _Answers(
            right=np.array([*correct, *faults]),
            wrong=np.array([*(not is_right for is_right in correct), *faults]),
            planted=np.array([False] * len(correct) + [True] * len(planted)),
        )
        groups = [label.group for _, label in whole]
        groups += [groups[item.origin] for item in self._planted]
        self._folds = np.array([fold_of(f"tuning:{group}") for group in groups])
        self._trials = list(grid(settings))
        self._stopped = [self._stopped_by(trial.settings) for trial in self._trials]

    def _stopped_by(self, settings: Settings) -> Flags:
        """Which answers fail, and which planted faults are named."""
        return np.array([*(replay.is_stopped(settings) for replay in self._replays), *self._named(settings)])

    def _named(self, settings: Settings) -> Iterator[bool]:
        for number, (item, replay) in enumerate(zip(self._planted, self._mutants, strict=True)):
            pair = self._replays[item.origin].verdict(settings), replay.verdict(settings)
            key = number, id(pair[0]), id(pair[1])
            if key not in self._known:
                # The verdicts are kept with the result, so that their ids are not reused.
                self._known[key] = (*pair, item.is_named(*pair))
            yield self._known[key][2]

    def _best(self, part: Flags, goal: Goal) -> Trial:
        answers = self._answers.within(part)
        held = answers.figures(self._stopped[0])

        def rank(number: int) -> tuple[float, ...]:
            trial = self._trials[number]
            lacking, first, second, named = value(answers.figures(self._stopped[number]), held, goal)
            return lacking, first - _COST * trial.parts, second, named, -len(trial.changes), -trial.distance

        return self._trials[max(range(len(self._trials)), key=rank)]

    def tuned(self, goal: Goal) -> Tuning:
        """The best choice for a goal, and its value out of fold."""
        base = self._trials[0]
        choice = self._best(self._folds >= 0, goal)
        held = seen = out = self._measured([base] * FOLDS)
        if choice.changes:
            seen = self._measured([choice] * FOLDS)
            out = self._measured([self._best(self._folds != fold, goal) for fold in range(FOLDS)])
        before = self._answers.figures(self._stopped[0])
        worth = [value(figures, before, goal) for figures in (held, seen, out)]
        is_kept = bool(choice.changes) and _is_better(held, out, worth, goal)
        # Only numeric goals can be missed.
        is_asked = goal.catch is not None or goal.reject is not None
        lacking = worth[1][0] + worth[2][0] if is_kept else worth[0][0]
        return Tuning(
            changes=choice.changes if is_kept else {},
            before=held,
            after=seen if is_kept else held,
            cross_validated=out,
            reached=lacking == 0 or not is_asked,
            tried=choice.changes,
        )

    def _measured(self, choices: Sequence[Trial]) -> Figures:
        """The figures if each fold is validated with its own choice, as ``check`` does it."""
        stopped = np.zeros(len(self._folds), dtype=bool)
        for fold, trial in enumerate(choices):
            named = list(self._named(trial.settings))
            for number in np.flatnonzero(self._folds == fold):
                if number < len(self._replays):
                    found = validate(self._replays[number].transcript, trial.settings)
                    stopped[number] = fails(found, trial.settings)
                else:
                    stopped[number] = named[number - len(self._replays)]
        return self._answers.figures(stopped)


def _is_better(before: Figures, after: Figures, worth: Sequence[tuple[float, ...]], goal: Goal) -> bool:
    """Whether held-out answers gain: what was required, or more than they lose."""
    if goal.catch is not None or goal.reject is not None:
        return worth[2] > worth[0]
    if before.named - after.named > FAULT_DROP * before.planted:
        return False
    gain = (after.passed - before.passed) / max(1, before.right)
    return gain > (before.stopped - after.stopped) / max(1, before.wrong)


def rate(count: int, total: int) -> str:
    """``20 of 36, 56 % (40-70 %)``."""
    ends = wilson(count, total)
    if ends is None:
        return "none to measure"
    return f"{count} of {total}, {100 * count / total:.0f} % ({100 * ends[0]:.0f}-{100 * ends[1]:.0f} %)"


def tuning_lines(tuning: Tuning, goal: Goal) -> Iterator[str]:
    """The figures and the settings of a choice; intervals are at 95 %."""
    right, wrong = tuning.before.right, tuning.before.wrong
    yield (
        f"on your {right + wrong} labels, {right} right and {wrong} wrong, through the whole gate "
        "(95 % intervals):"
    )
    yield from _rows_of_tuning(tuning)
    if tuning.changes:
        yield "settings for this:"
        yield from (f"  grounding_{name} = {value}" for name, value in tuning.changes.items())
    elif tuning.tried:
        told = ", ".join(f"{name} = {value}" for name, value in tuning.tried.items())
        yield f"nothing is changed: {told} serves these labels better, but not those that did not choose it"
    else:
        yield "nothing is changed: the settings in force serve these labels best"
    if not tuning.reached:
        yield _unreached(tuning, goal)


def _rows_of_tuning(tuning: Tuning) -> Iterator[str]:
    def row(name: str, count: Callable[[Figures], tuple[int, int]]) -> str:
        before, after, out = (
            rate(*count(item)) for item in (tuning.before, tuning.after, tuning.cross_validated)
        )
        if not tuning.changes:
            return f"  {name}: {before}"
        return f"  {name}: {before} -> {after}; cross-validated {out}"

    yield row("right answers that pass", lambda item: (item.passed, item.right))
    yield row("wrong answers stopped", lambda item: (item.stopped, item.wrong))
    if tuning.before.planted:
        yield row("planted faults named", lambda item: (item.named, item.planted))


def _unreached(tuning: Tuning, goal: Goal) -> str:
    """The goal that cannot be reached, and the nearest that can."""
    asked = []
    if goal.catch is not None:
        asked.append(f"to stop {goal.catch:.0%} of the wrong answers")
    if goal.reject is not None:
        asked.append(f"to fail at most {goal.reject:.0%} of the right ones")
    found = tuning.cross_validated if tuning.changes else tuning.before
    failed = found.right - found.passed
    return (
        f"not reachable: {' and '.join(asked) or 'what is held now'}; the nearest on answers that "
        f"did not choose: {found.stopped / max(1, found.wrong):.0%} of the wrong ones stopped, "
        f"{failed / max(1, found.right):.0%} of the right ones failed"
    )
