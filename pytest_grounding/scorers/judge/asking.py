"""Ask judges within the limits of a run: several requests at once, and no more than `judge_max_requests`."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pytest_grounding.errors import BudgetError, ScorerError
from pytest_grounding.scorers.judge.base import Complete

T = TypeVar("T")


def spread(calls: Sequence[Callable[[], T]], threads: int) -> list[T | ScorerError]:
    """Make calls, several at once, and give what each gave or why it failed, in their order."""
    if threads <= 1 or len(calls) <= 1:
        return [_outcome(call) for call in calls]
    # Deferred for cost: a replay asks nothing.
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(min(threads, len(calls)), thread_name_prefix="grounding-judge") as pool:
        return list(pool.map(_outcome, calls))


def _outcome(call: Callable[[], T]) -> T | ScorerError:
    try:
        return call()
    except ScorerError as error:
        return error


def workers(environ: Mapping[str, str] = os.environ) -> int:
    """How many processes share the limit of this run: workers of pytest-xdist, or the jobs of a check."""
    told = environ.get("PYTEST_XDIST_WORKER_COUNT", "") or environ.get("GROUNDING_RUN_PROCESSES", "")
    return max(1, int(told)) if told.isascii() and told.isdigit() else 1


class RequestLimit:
    """Counts the requests of a run to its judges; each of several processes may use an equal part."""

    def __init__(self, most: int, processes: int = 1) -> None:
        self._most = most
        self._processes = processes
        self._made = 0
        self._lock = threading.Lock()

    @property
    def left(self) -> int | None:
        """How many requests may still be made; None without a limit."""
        return self._most // self._processes - self._made if self._most else None

    def bound(self, complete: Complete) -> Complete:
        """The same function, which raises `BudgetError` once the limit is reached."""

        def asked(system: str, user: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
            with self._lock:
                if self.left is not None and self.left <= 0:
                    share = f", shared by {self._processes} processes" if self._processes > 1 else ""
                    problem = f"not asked: the run has made {self._made} requests to judges"
                    raise BudgetError(f"{problem} (judge_max_requests = {self._most}{share})")
                self._made += 1
            return complete(system, user, schema)

        return asked
