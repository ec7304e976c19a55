"""What `calibrate` says: figures before and after, with their intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pytest_grounding.calibration.search import Goal
from pytest_grounding.calibration.tuning import Figures, Tuning

#: Lower and upper end of a 95 % interval for so many of so many, or None when there were none at all.
Interval = Callable[[int, int], tuple[float, float] | None]


def rate(count: int, total: int, interval: Interval) -> str:
    """``20 of 36, 56 % (40-70 %)``."""
    ends = interval(count, total)
    if ends is None:
        return "none to measure"
    return f"{count} of {total}, {100 * count / total:.0f} % ({100 * ends[0]:.0f}-{100 * ends[1]:.0f} %)"


def tuning_lines(tuning: Tuning, goal: Goal, interval: Interval) -> Iterator[str]:
    """The figures and the settings of a choice; intervals are at 95 %."""
    right, wrong = tuning.before.right, tuning.before.wrong
    yield (
        f"on your {right + wrong} labels, {right} right and {wrong} wrong, through the whole gate "
        "(95 % intervals):"
    )
    yield from _rows(tuning, interval)
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


def _rows(tuning: Tuning, interval: Interval) -> Iterator[str]:
    def row(name: str, count: Callable[[Figures], tuple[int, int]]) -> str:
        before, after, out = (
            rate(*count(item), interval) for item in (tuning.before, tuning.after, tuning.cross_validated)
        )
        if not tuning.changes:
            return f"  {name}: {before}"
        return f"  {name}: {before} -> {after}; cross-validated {out}"

    yield row("right answers that pass", lambda item: (item.passed, item.right))
    yield row("wrong answers stopped", lambda item: (item.stopped, item.wrong))
    if tuning.before.planted:
        yield row("planted faults named", lambda item: (item.named, item.planted))


def _unreached(tuning: Tuning, goal: Goal) -> str:
    """What was asked for and cannot be had, and what can."""
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
