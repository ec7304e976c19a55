"""Whether a Dask cluster is alive: does its scheduler answer, and has it a worker."""

from __future__ import annotations

import asyncio
import concurrent.futures
from time import monotonic
from typing import Any, Literal

#: Seconds between two questions, at most, and what counts at most of the time between two looks: a driver
#: that was itself stopped, or asleep, could hear nobody.
_PAUSE_S = 1.0

#: Why a cluster is given up; "" where it is not.
Trouble = Literal["", "no worker", "no answer"]


class Pulse:
    """Asks a cluster for its workers now and then, and notes for how long there was none.

    A question is never waited for: a scheduler that hangs is a trouble that must be noticed.

    Args:
        client: of the cluster.
        patience_s: seconds without a worker after which the cluster is given up.

    Attributes:
        threads: of all its workers, when it answered last; 0 where it has none.
        silent_s: seconds since the last sign of life.
    """

    def __init__(self, client: Any, patience_s: float) -> None:
        self.threads = 1
        self._client, self._patience_s = client, patience_s
        self._pause_s = min(_PAUSE_S, patience_s / 4)
        self.silent_s = 0.0
        self._is_answering = True
        self._looked_at = monotonic()
        self._asked_at = float("-inf")
        self._answer: concurrent.futures.Future[Any] | None = None

    @property
    def is_connected(self) -> bool:
        """Whether there is a scheduler to give parts to."""
        return bool(self._client.status == "running")

    def heard(self) -> None:
        """Note a sign of life: a part has ended."""
        self.silent_s = 0.0

    def look(self) -> Trouble:
        """Take the answer that has come, ask anew, and say whether the cluster is to be given up."""
        now = monotonic()
        self.silent_s += min(now - self._looked_at, self._pause_s)
        self._looked_at = now
        if self._answer is not None and self._answer.done():
            self._take(self._answer)
            self._answer = None
        if self._answer is None and self.is_connected and now - self._asked_at >= self._pause_s:
            self._asked_at = now
            asked = self._client.scheduler.ncores(workers=None)
            self._answer = asyncio.run_coroutine_threadsafe(asked, self._client.loop.asyncio_loop)
        if self.silent_s < self._patience_s and self._client.status not in ("closing", "closed"):
            return ""
        is_late = self._answer is not None and now - self._asked_at > self._pause_s
        return "no worker" if self._is_answering and self.is_connected and not is_late else "no answer"

    def close(self) -> None:
        """Ask no more."""
        if self._answer is not None:
            self._answer.cancel()

    def _take(self, answer: concurrent.futures.Future[Any]) -> None:
        self._is_answering = not answer.cancelled() and answer.exception() is None
        if self._is_answering:
            self.threads = sum(answer.result().values())
            if self.threads:
                self.heard()
