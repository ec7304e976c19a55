"""Choose settings together: a search over what decides, on sets of answers that are numbers' bits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_grounding.errors import SettingsError
from pytest_grounding.settings import FIELDS, Settings

#: A change of one setting more must be worth so many right answers: less is luck.
_LEAST_GAIN = 2
_MOST_STEPS = 6
_SHARES = tuple(round(0.3 + 0.05 * step, 2) for step in range(14))
_CONFIDENCES = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
#: How far the share of planted faults that are named may fall.
FAULT_DROP = 0.05

#: Changed settings by name, in the order of the names.
Choice = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Answers:
    """Which of the numbered answers are what; each field is a set of them, as the bits of a number."""

    right: int
    wrong: int
    planted: int

    def within(self, part: int) -> Answers:
        """Those of a part."""
        return Answers(self.right & part, self.wrong & part, self.planted & part)


@dataclass(frozen=True, slots=True)
class Goal:
    """What is wanted."""

    catch: float | None = None
    reject: float | None = None


class Outcomes:
    """Which answers each choice of settings stops, and which planted faults it names."""

    def __init__(self, settings: Settings, stopped: Callable[[Settings], int]) -> None:
        self.settings = settings
        self._stopped = stopped
        self._known: dict[Choice, int | None] = {}

    def settings_of(self, choice: Choice) -> Settings:
        """The settings in force with a choice laid over them."""
        return self.settings.with_values(dict(choice))

    def of(self, choice: Choice) -> int | None:
        """What fails under a choice; None where its settings contradict each other."""
        if choice not in self._known:
            try:
                settings = self.settings_of(choice)
            except SettingsError:
                self._known[choice] = None
            else:
                self._known[choice] = self._stopped(settings)
        return self._known[choice]


class Search:
    """A greedy search: the best single step, again and again, then back with what changed nothing."""

    def __init__(self, outcomes: Outcomes) -> None:
        self._outcomes = outcomes
        self._steps = list(steps(outcomes.settings))

    def best(self, answers: Answers, goal: Goal) -> Choice:
        """The choice that serves a goal best on some answers; () where the settings in force do."""
        choice: Choice = ()
        value = self._value(choice, answers, goal)
        for _ in range(_MOST_STEPS):
            found = max(
                ((self._value(new, answers, goal), new) for new in self._around(choice)),
                key=lambda pair: (pair[0], [str(item) for item in pair[1]]),
            )
            if not _is_worth(found[0], value):
                break
            value, choice = found
        return self._shortened(choice, answers, goal)

    def _around(self, choice: Choice) -> Iterable[Choice]:
        """Every choice that is one step away."""
        now = dict(choice)
        for step in self._steps:
            new = _laid_over(self._outcomes.settings, {**now, **step})
            if self._outcomes.of(new) is not None:
                yield new

    def _shortened(self, choice: Choice, answers: Answers, goal: Goal) -> Choice:
        """A choice without the settings that it does as well without."""
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
        """How far a choice moves the thresholds that are shares."""
        held = self._outcomes.settings
        moves = (abs(new - float(getattr(held, name))) for name, new in choice if isinstance(new, float))
        return round(sum(moves), 6)


def value(stopped: int, held: int, answers: Answers, goal: Goal) -> tuple[float, float, float, float]:
    """What a set of stopped answers is worth: the higher, the better."""
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


def _is_worth(new: Sequence[float], old: Sequence[float]) -> bool:
    """Whether a step is: it comes nearer to the goal, or gains enough of what is wanted most."""
    return new[0] > old[0] or (new[0] == old[0] and new[1] >= old[1] + _LEAST_GAIN)


def steps(settings: Settings) -> Iterable[Mapping[str, Any]]:
    """The single steps: what each changes."""
    for support in _SHARES:
        above = max(support, settings.supported_threshold)
        own = {"borderline_threshold": support, "supported_threshold": above}
        yield own
        # A claim that is not supported as a whole is not by what it cites: the two move together.
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


def _laid_over(settings: Settings, values: Mapping[str, Any]) -> Choice:
    """The changes that are any, in the order of the settings' names."""
    return tuple(
        (name, values[name]) for name in FIELDS if name in values and values[name] != getattr(settings, name)
    )
