"""What `calibrate` says: figures before and after, with their intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from pytest_grounding.calibration.refit import Refit
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
    if tuning.dearer is not None:
        yield _dearer(tuning.dearer, tuning.before)


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


def _dearer(found: Figures, before: Figures) -> str:
    """What could be had if more planted faults might go unnamed."""
    drop = (before.named - found.named) / max(1, before.planted)
    return (
        f"with --fault-drop {math.ceil(100 * drop) / 100:g}: {found.passed} of {found.right} right answers "
        f"pass, {found.stopped} of {found.wrong} wrong ones are stopped, {found.named} of {found.planted} "
        "planted faults are named (cross-validated)"
    )


def refit_lines(found: Refit, interval: Interval) -> Iterator[str]:
    """The figures of fitted weights."""
    yield (
        f"on your {found.claims} labelled claims, {found.supported} supported, in {found.answers} answers "
        "(all figures after the arrow are of answers that did not fit the weights):"
    )
    for gain in found.gains:
        yield (
            f"  {gain.model}: log loss {gain.before:.4f} -> {gain.after:.4f}, "
            f"gain {gain.low:.4f} to {gain.high:.4f} (95 %), {gain.rows} rows, ridge {gain.ridge:g}"
        )
    before, after = (
        rate(count, found.answers, interval) for count in (found.right_before, found.right_after)
    )
    yield f"  answers decided as you decided: {before} -> {after}"
    if found.planted:
        before, after = (
            rate(count, found.planted, interval) for count in (found.named_before, found.named_after)
        )
        yield f"  planted faults named: {before} -> {after}"
    if found.document is None:
        yield f"the weights stay as they ship: {found.reason}"
