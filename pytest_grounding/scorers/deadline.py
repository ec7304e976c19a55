"""Time limits around calls that may never come back."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic
from typing import Any, TypeVar

from pytest_grounding.errors import RefusedError, ScorerError

T = TypeVar("T")

#: After so many failed calls in a row a remote side is not asked again in the run.
FAILURES_IN_A_ROW = 3
#: No remote side answers in less: with this many seconds left, a run's deadline counts as over.
_LEAST_LEFT = 0.005


class DeadlineError(Exception):
    """A call did not come back in its time."""


def within(seconds: float, call: Callable[[], T], *, cut: Callable[[], None] | None = None) -> T:
    """Run a call in a thread of its own, and give it up after a time.

    A time limit on single reads is none on the whole: a server that sends a byte now and then would keep
    a client forever.

    Args:
        seconds: the time that the call has, from start to end.
        call: the call.
        cut: what ends it from outside, such as closing its connection.

    Raises:
        DeadlineError: the time is over; the thread is left behind and does not keep the process alive.
    """
    result: list[T] = []
    raised: list[BaseException] = []

    def body() -> None:
        try:
            result.append(call())
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=body, name="grounding-remote-call", daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        if cut is not None:
            cut()
        raise DeadlineError
    if raised:
        raise raised[0]
    return result[0]


class Purse:
    """The seconds that a run has spent on remote sides so far."""

    def __init__(self) -> None:
        self.spent = 0.0
        self._lock = threading.Lock()

    def take(self, seconds: float) -> None:
        """Note that so many seconds more were spent."""
        with self._lock:
            self.spent += seconds


class Budget:
    """What a run may still spend on one remote side.

    Args:
        seconds: the time that all calls of the run may take together.
        clock: seconds from any start.
        purse: the time that several sides spend together; None is one of its own.
    """

    def __init__(
        self, seconds: float, clock: Callable[[], float] = monotonic, *, purse: Purse | None = None
    ) -> None:
        self.seconds = seconds
        self._clock = clock
        self._purse = purse or Purse()
        self._failures = 0
        self._last = ""

    def run(self, limit: float, call: Callable[[float], Any]) -> Any:
        """Make a call with the time that it may take: its own limit, or what is left of the run's.

        Raises:
            ScorerError: nothing is left, the remote side failed too often, or the call failed.
        """
        if self._failures >= FAILURES_IN_A_ROW:
            raise ScorerError(f"not asked any more in this run after {self._failures} failures: {self._last}")
        left = self.seconds - self._purse.spent
        if left <= min(_LEAST_LEFT, self.seconds / 10):
            raise ScorerError(f"the deadline of the run is over: {self.seconds:g} s for all remote calls")
        start = self._clock()
        try:
            answer = call(min(limit, left))
        except RefusedError:
            # It answers, if only with a no to this text; a no to all is remembered by who asks.
            raise
        except ScorerError as error:
            self._failures += 1
            self._last = str(error)
            raise
        finally:
            self._purse.take(self._clock() - start)
        self._failures = 0
        return answer
