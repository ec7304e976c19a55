"""Choose thresholds from labels: the search, its report, and the text of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

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

#: Right answers that one more changed setting must gain: fewer may be chance.
_LEAST_GAIN = 2
_MOST_STEPS = 6
_SHARES = tuple(round(0.3 + 0.05 * step, 2) for step in range(14))
_CONFIDENCES = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
#: How far the share of planted faults that are named may fall.
FAULT_DROP = 0.05

#: Changed settings by name, sorted by name.
Choice = tuple[tuple[str, Any], ...]


class Answers(NamedTuple):
    """Sets of answers by kind, as bit masks over the numbers of the answers."""

    right: int
    wrong: int
    planted: int

    def within(self, part: int) -> Answers:
        """The answers that are also in a part."""
        return Answers(self.right & part, self.wrong & part, self.planted & part)


class Goal(NamedTuple):
    """The required figures."""

    catch: float | None = None
    reject: float | None = None


class Outcomes:
    """Which answers each choice of settings stops, and which planted faults it names."""

    def __init__(self, settings: Settings, stopped: Callable[[Settings], int]) -> None:
        self.settings = settings
        self._stopped = stopped
        self._known: dict[Choice, int | None] = {}

    def settings_of(self, choice: Choice) -> Settings:
        """The current settings, overridden by a choice."""
        return self.settings.with_values(dict(choice))

    def of(self, choice: Choice) -> int | None:
        """What fails with a choice; None if its settings contradict each other."""
        if choice not in self._known:
            try:
                settings = self.settings_of(choice)
            except SettingsError:
                self._known[choice] = None
            else:
                self._known[choice] = self._stopped(settings)
        return self._known[choice]


class Search:
    """A greedy search: repeat the best single step, then undo changes without effect."""

    def __init__(self, outcomes: Outcomes) -> None:
        self._outcomes = outcomes
        self._steps = list(steps(outcomes.settings))

    def best(self, answers: Answers, goal: Goal) -> Choice:
        """The best choice for a goal on some answers; () if that is the current settings."""
        choice: Choice = ()
        value = self._value(choice, answers, goal)
        for _ in range(_MOST_STEPS):
            found = max(
                ((self._value(new, answers, goal), new) for new in self._around(choice)),
                key=lambda pair: (pair[0], [str(item) for item in pair[1]]),
            )
            # A step comes nearer to the goal, or gains enough of what matters most.
            nearer, gain = found[0][0] - value[0], found[0][1] - value[1]
            if nearer < 0 or (nearer == 0 and gain < _LEAST_GAIN):
                break
            value, choice = found
        return self._shortened(choice, answers, goal)

    def _around(self, choice: Choice) -> Iterable[Choice]:
        now = dict(choice)
        for step in self._steps:
            values, held = {**now, **step}, self._outcomes.settings
            changed = (name for name in FIELDS if name in values and values[name] != getattr(held, name))
            new = tuple((name, values[name]) for name in changed)
            if self._outcomes.of(new) is not None:
                yield new

    def _shortened(self, choice: Choice, answers: Answers, goal: Goal) -> Choice:
        for name, _ in choice:
            less = tuple(item for item in choice if item[0] != name)
            if self._outcomes.of(less) is not None:
                there, here = (self._value(item, answers, goal)[:4] for item in (less, choice))
                if there >= here:
                    choice = less
        return choice

    def _value(self, choice: Choice, answers: Answers, goal: Goal) -> tuple[float, ...]:
        stopped = self._outcomes.of(choice) or 0
        held = self._outcomes.of(()) or 0
        short, first, second, third = value(stopped, held, answers, goal)
        return short, first, second, third, -float(len(choice)), -self._distance(choice)

    def _distance(self, choice: Choice) -> float:
        """How far a choice moves the numeric thresholds."""
        held = self._outcomes.settings
        moves = (abs(new - float(getattr(held, name))) for name, new in choice if isinstance(new, float))
        return round(sum(moves), 6)


def value(stopped: int, held: int, answers: Answers, goal: Goal) -> tuple[float, float, float, float]:
    """The value of a set of stopped answers: higher is better."""
    right, wrong = answers.right.bit_count(), answers.wrong.bit_count()
    passed = right - (stopped & answers.right).bit_count()
    caught = (stopped & answers.wrong).bit_count()
    named = (stopped & answers.planted).bit_count()
    least = (held & answers.planted).bit_count() - FAULT_DROP * answers.planted.bit_count()
    lacking = max(0.0, least - named) / max(1, answers.planted.bit_count())
    if goal.catch is not None:
        lacking += max(0.0, goal.catch * wrong - caught) / max(1, wrong)
    elif goal.reject is None:
        lacking += max(0, (held & answers.wrong).bit_count() - caught) / max(1, wrong)
    if goal.reject is not None:
        lacking += max(0.0, (1 - goal.reject) * right - passed) / max(1, right)
        if goal.catch is None:
            return -round(lacking, 9), float(caught), float(passed), float(named)
    return -round(lacking, 9), float(passed), float(caught), float(named)


def steps(settings: Settings) -> Iterable[Mapping[str, Any]]:
    """The single steps: the settings that each changes."""
    for support in _SHARES:
        above = max(support, settings.supported_threshold)
        own = {"borderline_threshold": support, "supported_threshold": above}
        yield own
        # A claim that is not supported as a whole is not supported by its citations: both thresholds move.
        yield {**own, "alignment_threshold": support}
    for alignment in _SHARES:
        yield {"alignment_threshold": alignment}
    for policy in ("off", "warn"):
        yield {"possible_conflicts": policy}
    for confidence in _CONFIDENCES:
        yield {"accept_confidence": confidence}
    if settings.fail_on == "reject":
        for share in _CONFIDENCES:
            yield {"reject_confidence": share}
        for share in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0):
            yield {"max_hallucination_rate": share}


_DIGITS = 9
#: Settings that are compared with supports.
_SUPPORTS = ("supported_threshold", "borderline_threshold", "alignment_threshold")


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
        counts = (sum(score >= getattr(settings, name) for score in self._scores) for name in _SUPPORTS)
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


#: With fewer answers, or fewer of either kind, a choice does not predict the next answer.
LEAST, LEAST_OF_EACH = 20, 5


class Planted(NamedTuple):
    """A right answer with a planted fault."""

    transcript: Transcript
    origin: int
    is_named: Callable[[Verdict, Verdict], bool]


class Figures(NamedTuple):
    """How a gate treats the labelled answers."""

    passed: int
    right: int
    stopped: int
    wrong: int
    named: int = 0
    planted: int = 0


class Tuning(NamedTuple):
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


class _Bench:
    """The labelled answers and the planted faults, numbered, for any settings."""

    def __init__(self, labels: Sequence[Label], settings: Settings, planted: Sequence[Planted]) -> None:
        whole = [(number, label) for number, label in enumerate(labels) if label.transcript is not None]
        place = {number: index for index, (number, _) in enumerate(whole)}
        self._labels = [label for _, label in whole]
        self._settings = settings
        self._planted = [item._replace(origin=place[item.origin]) for item in planted]
        transcripts = [label.transcript for label in self._labels if label.transcript is not None]
        self._replays = [Replay(transcript, settings) for transcript in transcripts]
        self._mutants = [Replay(item.transcript, settings) for item in self._planted]
        self._told: dict[tuple[int, int, int], tuple[Verdict, Verdict, bool]] = {}
        count = len(self._labels)
        self._answers = Answers(
            right=_bits(n for n, label in enumerate(self._labels) if label.correct),
            wrong=_bits(n for n, label in enumerate(self._labels) if not label.correct),
            planted=_bits(range(count, count + len(self._planted))),
        )
        groups = [label.group for label in self._labels]
        groups += [groups[item.origin] for item in self._planted]
        folds = [fold_of(f"tuning:{group}") for group in groups]
        self._parts = [_bits(n for n, own in enumerate(folds) if own == fold) for fold in range(FOLDS)]
        self._outcomes = Outcomes(settings, self._stopped)
        self._search = Search(self._outcomes)

    def _stopped(self, settings: Settings) -> int:
        return _bits(
            n for n, replay in enumerate(self._replays) if replay.is_stopped(settings)
        ) | self._named(settings)

    def _named(self, settings: Settings) -> int:
        start = len(self._replays)
        found = 0
        for number, (item, replay) in enumerate(zip(self._planted, self._mutants, strict=True)):
            pair = self._replays[item.origin].verdict(settings), replay.verdict(settings)
            key = number, id(pair[0]), id(pair[1])
            known = self._told.get(key)
            if known is None:
                # The verdicts are kept with the result, so that their ids are not reused.
                known = self._told[key] = (*pair, item.is_named(*pair))
            found |= known[2] << (start + number)
        return found

    def tuned(self, goal: Goal) -> Tuning:
        """The best choice for a goal, and its value out of fold."""
        everything = sum(self._parts)
        choice = self._search.best(self._answers, goal)
        held = self._measured([()] * FOLDS)
        seen = out = held
        if choice:
            seen = self._measured([choice] * FOLDS)
            out = self._measured(
                [self._search.best(self._answers.within(everything & ~part), goal) for part in self._parts]
            )
        base = self._outcomes.of(()) or 0
        worth = [value(stopped, base, self._answers, goal) for stopped in (held, seen, out)]
        kept = bool(choice) and self._is_better(held, out, goal)
        # Only numeric goals can be missed.
        is_asked = goal.catch is not None or goal.reject is not None
        lacking = worth[1][0] + worth[2][0] if kept else worth[0][0]
        return Tuning(
            changes=dict(choice) if kept else {},
            before=self._figures(held),
            after=self._figures(seen if kept else held),
            cross_validated=self._figures(out),
            reached=lacking == 0 or not is_asked,
            tried=dict(choice),
        )

    def _is_better(self, held: int, out: int, wanted: Goal) -> bool:
        """Whether held-out answers gain: what was required, or more than they lose."""
        base = self._outcomes.of(()) or 0
        if wanted.catch is not None or wanted.reject is not None:
            return value(out, base, self._answers, wanted) > value(held, base, self._answers, wanted)
        before, after = self._figures(held), self._figures(out)
        if before.named - after.named > FAULT_DROP * before.planted:
            return False
        gain = (after.passed - before.passed) / max(1, before.right)
        return gain > (before.stopped - after.stopped) / max(1, before.wrong)

    def _measured(self, choices: Sequence[Choice]) -> int:
        """What fails if each fold is validated with its own choice, as ``check`` does it."""
        stopped = 0
        for part, choice in zip(self._parts, choices, strict=True):
            settings = self._outcomes.settings_of(choice)
            stopped |= part & _bits(
                n
                for n, replay in enumerate(self._replays)
                if part >> n & 1 and fails(validate(replay.transcript, settings), settings)
            )
            stopped |= part & self._named(settings)
        return stopped

    def _figures(self, stopped: int) -> Figures:
        answers = self._answers
        right = answers.right.bit_count()
        return Figures(
            passed=right - (stopped & answers.right).bit_count(),
            right=right,
            stopped=(stopped & answers.wrong).bit_count(),
            wrong=answers.wrong.bit_count(),
            named=(stopped & answers.planted).bit_count(),
            planted=answers.planted.bit_count(),
        )


def _bits(numbers: Any) -> int:
    found = 0
    for number in numbers:
        found |= 1 << number
    return found


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
    yield from _rows(tuning)
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


def _rows(tuning: Tuning) -> Iterator[str]:
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
