"""Choose thresholds from labels: the grid that is tried, its report, and the text of it."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
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
from pytest_grounding.engine.guard import guarded
from pytest_grounding.engine.pipeline import extract_and_score, judge
from pytest_grounding.errors import SettingsError
from pytest_grounding.gate import fails
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.model.verdict import ScorerFailure, Verdict
from pytest_grounding.scorers import Claims, RelevanceScore, Scorer, SupportScore
from pytest_grounding.settings import FIELDS, Settings

_SHARES = tuple(round(0.3 + 0.05 * step, 2) for step in range(14))
_CONFIDENCES = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_RATES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)
_COST = 1.5  # right answers that each changed setting must gain more than: one may be chance
FAULT_DROP = 0.05  # how far the share of planted faults that are named may fall
LEAST, LEAST_OF_EACH = 20, 5  # with fewer answers, or fewer of a kind, a choice does not predict the next
_DIGITS = 9
_SUPPORTS = ("supported_threshold", "borderline_threshold", "alignment_threshold")  # thresholds of supports
Flags: TypeAlias = NDArray[np.bool_]  # for each answer whether something is true of it


@dataclass(frozen=True, slots=True)
class Goal:
    """The required figures."""

    catch: float | None = None
    reject: float | None = None


@dataclass(frozen=True, slots=True)
class Trial:
    """A point of the grid: what it changes, and the settings."""

    changes: dict[str, Any]
    settings: Settings


def grid(settings: Settings) -> Iterator[Trial]:
    """Every combination of the values that are tried, those in force and the nearest to them first."""
    for parts in product(*_tried_values(settings)):
        asked = {name: new for part in parts for name, new in part.items() if new != getattr(settings, name)}
        changes = {name: asked[name] for name in FIELDS if name in asked}
        try:
            yield Trial(changes, settings.with_values(changes))
        except SettingsError:
            continue  # the values contradict each other


def _tried_values(settings: Settings) -> tuple[list[dict[str, Any]], ...]:
    """The values tried for each part: thresholds of support, the policy of conflicts, limits of the gate."""
    supports: list[dict[str, Any]] = [{}]
    for share in sorted(_SHARES, key=lambda share: abs(share - settings.borderline_threshold)):
        own = {"borderline_threshold": share, "supported_threshold": max(share, settings.supported_threshold)}
        cited = {"alignment_threshold": share}
        # A claim that is not supported as a whole is not supported by its citations: both thresholds move.
        supports += [cited, own, {**own, **cited}]
    policies: list[dict[str, Any]] = [{}, {"possible_conflicts": "off"}, {"possible_conflicts": "warn"}]
    limits: list[dict[str, Any]] = [{}]
    for confidence in sorted(_CONFIDENCES, key=lambda value: abs(value - settings.accept_confidence)):
        if settings.fail_on == "reject":
            above = max(confidence, settings.accept_confidence)
            limits.append({"reject_confidence": confidence, "accept_confidence": above})
        else:
            limits.append({"accept_confidence": confidence})
    if settings.fail_on == "reject":
        limits += [{"max_hallucination_rate": rate} for rate in _RATES]
    return supports, policies, limits


class _Remembering:
    """A scorer that caches each request, and collects the supports it returned."""

    def __init__(self, scorer: Scorer, scores: set[float]) -> None:
        self._scorer = scorer
        self._scores = scores
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
            for one in found:
                if one.probability is not None:
                    self._scores.add(round(one.probability, _DIGITS))
        return list(self._known[key])


class Replay:
    """One answer under many settings that differ only in what `calibrate` chooses."""

    def __init__(self, transcript: Transcript, settings: Settings) -> None:
        self._transcript = transcript
        self._scores: set[float] = set()
        self._scorers = [_Remembering(scorer, self._scores) for scorer in registry.scorers(settings)]
        self._scored: tuple[CheckContext, Sequence[ScorerFailure]] | None = None
        self._has_conflicts = False
        #: The verdicts of each place, with the limits of the gate that they keep.
        self._known: dict[tuple[object, ...], list[tuple[Verdict, tuple[bool, ...]]]] = defaultdict(list)

    def verdict(self, settings: Settings) -> Verdict:
        """The verdict with these settings."""
        for known, kept in self._known[self._place(settings)]:
            if _limits_kept(known, settings) == kept:
                return known
        found = guarded(self._transcript, settings, self._judged)
        # With scores that were asked for just now, the place is another one.
        self._known[self._place(settings)].append((found, _limits_kept(found, settings)))
        return found

    def _judged(self, transcript: Transcript, settings: Settings) -> Verdict:
        if self._scored is None:
            self._scored = extract_and_score(transcript, settings, self._scorers)
            supports = self._scored[0].supports
            self._has_conflicts = any(score is not None and score.conflicts for score in supports)
        context, failures = self._scored
        return judge(replace(context, settings=settings), self._scorers, failures)

    def _place(self, settings: Settings) -> tuple[object, ...]:
        """The positions of the thresholds among the scores, and the policy if it matters."""
        scores = sorted(self._scores)
        positions = [bisect_left(scores, getattr(settings, name)) for name in _SUPPORTS]
        return (len(scores), *positions, self._has_conflicts and settings.possible_conflicts)


def _limits_kept(verdict: Verdict, settings: Settings) -> tuple[bool, ...]:
    confidence = -1.0 if verdict.confidence is None else verdict.confidence
    rate = verdict.hallucination_rate
    keeps_rate = rate is not None and rate <= settings.max_hallucination_rate
    return confidence >= settings.accept_confidence, confidence >= settings.reject_confidence, keeps_rate


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
        held = ((number, label.transcript) for number, label in enumerate(labels))
        self._replays = {number: Replay(one, settings) for number, one in held if one is not None}
        self._mutants = [(item, Replay(item.transcript, settings)) for item in planted]
        whole = [labels[number] for number in self._replays]
        kinds = ["right" if label.correct else "wrong" for label in whole] + ["planted"] * len(planted)
        self._kinds = [np.array(kinds) == kind for kind in ("right", "wrong", "planted")]
        groups = [label.group for label in whole] + [labels[item.origin].group for item in planted]
        self._folds = np.array([fold_of(f"tuning:{group}") for group in groups])
        self._trials = list(grid(settings))
        self._stopped = [self._stopped_by(trial.settings) for trial in self._trials]

    def _stopped_by(self, settings: Settings) -> Flags:
        failing = [fails(replay.verdict(settings), settings) for replay in self._replays.values()]
        for item, replay in self._mutants:
            before = self._replays[item.origin].verdict(settings)
            failing.append(item.is_named(before, replay.verdict(settings)))
        return np.array(failing)

    def _figures(self, stopped: Flags, part: Flags) -> Figures:
        """How many answers of each kind in a part pass, are stopped or named."""
        right, wrong, planted = (kind & part for kind in self._kinds)
        counted = (right & ~stopped, right, wrong & stopped, wrong, planted & stopped, planted)
        return Figures(*(int(flags.sum()) for flags in counted))

    def _best(self, part: Flags, goal: Goal) -> int:
        """The number of the point that serves a part of the answers best."""
        held = self._figures(self._stopped[0], part)

        def rank(number: int) -> tuple[float, ...]:
            found = self._figures(self._stopped[number], part)
            lacking, first, second, named = value(found, held, goal)
            return lacking, first - _COST * len(self._trials[number].changes), second, named

        return max(range(len(self._trials)), key=rank)

    def tuned(self, goal: Goal) -> Tuning:
        """The best choice for a goal, and its value out of fold."""
        everyone = self._folds >= 0
        chosen = self._best(everyone, goal)
        stopped = self._stopped[0].copy()
        for fold in range(FOLDS):
            part = self._folds == fold
            stopped[part] = self._stopped[self._best(~part, goal)][part]
        choices = (self._stopped[0], self._stopped[chosen], stopped)
        held, seen, out = (self._figures(flags, everyone) for flags in choices)
        worth = [value(figures, held, goal) for figures in (held, seen, out)]
        changes = self._trials[chosen].changes
        is_kept = bool(changes) and _is_better(held, out, worth, goal)
        # Only numeric goals can be missed.
        is_asked = goal.catch is not None or goal.reject is not None
        lacking = worth[1][0] + worth[2][0] if is_kept else worth[0][0]
        return Tuning(
            changes=changes if is_kept else {},
            before=held,
            after=seen if is_kept else held,
            cross_validated=out,
            reached=lacking == 0 or not is_asked,
            tried=changes,
        )


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
