"""A run in parts from its plan to what became of each part."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Generator
from pathlib import Path

from pytest_grounding.errors import SettingsError
from pytest_grounding.scale import folder as work
from pytest_grounding.scale.ledger import Ledger, WholeNeededError
from pytest_grounding.scale.plan import Plan
from pytest_grounding.scale.progress import Progress

#: Makes the plan, with these inputs kept in one piece.
Make = Callable[[set[str]], Plan]
#: Does the parts of a ledger, and yields after each event.
Execute = Callable[[Ledger], Generator[None, None, None]]

VARIABLE = "GROUNDING_JOBS"


def number_of_jobs(text: str) -> int:
    """The number of worker processes that an option or a variable names.

    Args:
        text: a number from 1, or ``auto``: one for each core that this process may use.

    Raises:
        SettingsError: it is neither.
    """
    if text.strip().lower() == "auto":
        return max(1, _cores())
    if text.strip().isascii() and text.strip().isdigit() and 1 <= int(text) <= 10_000:
        return int(text)
    raise SettingsError(f"jobs = {text!r} is no number of worker processes; write a number from 1, or auto")


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def drive(folder: Path, make: Make, execute: Execute, progress: Progress, *, replace: bool) -> Ledger:
    """Make the plan, do its parts, and give back what became of each; who calls holds the folder alone.

    Args:
        folder: the work folder.
        make: makes the plan.
        execute: does parts, in processes or on a cluster.
        progress: says how far it is.
        replace: take the place of another plan in the folder, instead of refusing it.

    Raises:
        GroundingError: the run cannot go on; what is finished is kept.
    """
    while True:
        plan = make(work.whole_inputs(folder))
        ledger = Ledger(plan, work.enter(plan, replace=replace))
        try:
            with contextlib.closing(execute(ledger)) as steps:
                for _ in steps:
                    progress.show(ledger)
            progress.show(ledger, last=True)
            # What a killed worker left half done.
            work.remove_unfinished(folder)
            return ledger
        except WholeNeededError as error:
            work.keep_whole(folder, work.whole_inputs(folder) | {error.path})
        except KeyboardInterrupt:
            progress.clear()
            raise Interrupted(ledger) from None
        finally:
            progress.clear()


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run in parts; its message says what is kept."""

    def __init__(self, ledger: Ledger) -> None:
        done = len(ledger.results) - len(ledger.unscored)
        super().__init__(
            f"interrupted: {done} of {len(ledger.plan.parts)} parts are done and kept in "
            f"{ledger.plan.shown}; the same command goes on from there"
        )
