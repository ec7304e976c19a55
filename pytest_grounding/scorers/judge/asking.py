"""Ask judges within the limits of a run: many requests at once, so many a minute, no more than the budget.

The order of requests is fixed by who asks, and every decision about a request is made in that order, so that
neither the number of threads nor the speed of a service changes what is asked, a verdict, or a byte.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pytest_grounding.errors import ScorerError
from pytest_grounding.scorers.cassette import Tokens
from pytest_grounding.scorers.judge.base import Complete, Completion
from pytest_grounding.scorers.judge.budget import Ledger, most_tokens
from pytest_grounding.scorers.wire import CHAT_TOKENS

T = TypeVar("T")


_MINUTE = 60.0


class Turns:
    """Lets threads through a gate in the order of their numbers."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._passed: set[int] = set()
        self._next = 0

    def wait(self, number: int) -> None:
        """Wait until all numbers before this one have passed."""
        with self._changed:
            self._changed.wait_for(lambda: self._next >= number)

    def passed(self, number: int) -> None:
        """Let the next one through; to say it twice does no harm."""
        with self._changed:
            self._passed.add(number)
            while self._next in self._passed:
                self._passed.remove(self._next)
                self._next += 1
            self._changed.notify_all()


_TURN: ContextVar[tuple[Turns, int] | None] = ContextVar("grounding_turn", default=None)


def spread(calls: Sequence[Callable[[], T]], threads: int) -> list[T | ScorerError]:
    """Make calls, several at once, and give what each gave or why it failed, in their order.

    Args:
        calls: each asks at most one question.
        threads: how many may be under way.
    """
    if threads <= 1 or len(calls) <= 1:
        return [_outcome(call) for call in calls]
    # Deferred for cost: a replay asks nobody.
    from concurrent.futures import ThreadPoolExecutor

    turns = Turns()

    def run(number: int) -> T | ScorerError:
        _TURN.set((turns, number))
        try:
            return _outcome(calls[number])
        finally:
            turns.passed(number)

    with ThreadPoolExecutor(min(threads, len(calls)), thread_name_prefix="grounding-judge") as pool:
        futures = [pool.submit(copy_context().run, run, number) for number in range(len(calls))]
        return [future.result() for future in futures]


def _outcome(call: Callable[[], T]) -> T | ScorerError:
    try:
        return call()
    except ScorerError as error:
        return error


@dataclass
class Pace:
    """Holds requests back so that a run begins at most so many a minute.

    Args:
        per_minute: the limit; 0: none.
        workers: how many processes share it, each taking an equal part.
        clock: seconds from any start.
        sleep: waits so many seconds.
    """

    per_minute: int
    workers: int = 1
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    _begun: deque[float] = field(default_factory=deque)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wait(self) -> None:
        """Wait until the next request may begin."""
        if not self.per_minute:
            return
        share = self.per_minute / self.workers
        # So many in a window; who has less than one a minute waits for longer windows.
        most, window = (int(share), _MINUTE) if share >= 1 else (1, _MINUTE / share)
        with self._lock:
            now = self.clock()
            while self._begun and self._begun[0] <= now - window:
                self._begun.popleft()
            if len(self._begun) >= most:
                self.sleep(self._begun.popleft() + window - now)
            self._begun.append(self.clock())


def workers(environ: Mapping[str, str] = os.environ) -> int:
    """How many processes share the limits of this run: workers of pytest-xdist, or the jobs of a check."""
    told = environ.get("PYTEST_XDIST_WORKER_COUNT", "") or environ.get("GROUNDING_RUN_PROCESSES", "")
    return max(1, int(told)) if told.isascii() and told.isdigit() else 1


@dataclass
class Limits:
    """What bounds the requests of a run to its judges; one for all of them.

    Args:
        ledger: the budget; None without one.
        pace: the limit a minute.
    """

    ledger: Ledger | None
    pace: Pace

    def bound(self, complete: Complete, model: str, *, most_output: int = CHAT_TOKENS) -> Complete:
        """The same function, asked within the limits.

        Args:
            complete: asks the model.
            model: its name, as in the table of prices.
            most_output: the longest reply that it asks for, in tokens.
        """

        def asked(system: str, user: str, schema: Mapping[str, Any]) -> Completion:
            turn = _TURN.get()
            amount = 0.0
            try:
                if turn is not None:
                    turn[0].wait(turn[1])
                if self.ledger is not None:
                    most = most_tokens(system, user, schema)
                    amount = self.ledger.reserve(model, most, most_output)
                self.pace.wait()
            finally:
                if turn is not None:
                    turn[0].passed(turn[1])
            tokens: Tokens | None = None
            try:
                given = complete(system, user, schema)
                # A function of an extension may give the object alone.
                completion = given if isinstance(given, Completion) else Completion(given)
                tokens = Tokens.of_usage(completion.usage)
            finally:
                if self.ledger is not None:
                    self.ledger.settle(amount, model, tokens)
            return completion

        return asked


__all__ = ["Limits", "Pace", "Turns", "spread", "workers"]
