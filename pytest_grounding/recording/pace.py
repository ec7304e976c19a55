"""How fast a program is asked: a rate, and the loop that its coroutines share."""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any


class Pace:
    """Spaces calls evenly."""

    def __init__(
        self,
        per_minute: float | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._gap = 60.0 / per_minute if per_minute else 0.0
        self._clock = clock
        self._sleep = sleep
        self._next: float | None = None
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Wait for one's turn; turns are given in the order of asking."""
        if not self._gap:
            return
        with self._lock:
            now = self._clock()
            turn = now if self._next is None else max(now, self._next)
            self._next = turn + self._gap
        if turn > now:
            self._sleep(turn - now)


class Caller:
    """Calls a program that is a function or a coroutine function."""

    def __init__(self, program: Callable[[str], Any]) -> None:
        self._program = program
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()

    def __call__(self, question: str) -> Any:
        """What the program returns for a question."""
        returned = self._program(question)
        if not inspect.isawaitable(returned):
            return returned

        async def awaited() -> Any:
            return await returned

        return self._run(awaited())

    def _run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=self._loop.run_forever, name="grounding-recording", daemon=True
                )
                self._thread.start()
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    def close(self) -> None:
        """End the loop, if one was started."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
            self._loop = None
