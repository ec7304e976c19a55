"""Calling what writes a better answer: a function, or a coroutine function."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    import asyncio

Generate = Callable[[str], str | Awaitable[str]]


class Generating:
    """Calls a generator; to be used as a context.

    All its coroutines run in one event loop in a thread of its own, so that a client which belongs to a loop
    serves all calls, and it does not matter whether the caller's thread runs a loop.

    Args:
        generate: takes a prompt, returns an answer.
    """

    def __init__(self, generate: Generate) -> None:
        self._generate = generate
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        return self

    def __call__(self, prompt: str) -> Any:
        """What the generator gives for a prompt, awaited where that is needed."""
        __tracebackhide__ = True
        returned = self._generate(prompt)
        if not inspect.isawaitable(returned):
            return returned

        async def awaited() -> Any:
            return await returned

        # Who has a plain function loads nothing for it.
        import asyncio

        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(
                target=self._loop.run_forever, name="grounding-correction", daemon=True
            )
            self._thread.start()
        waiting = asyncio.run_coroutine_threadsafe(awaited(), self._loop)
        try:
            return waiting.result()
        finally:
            # Where somebody presses Ctrl-C meanwhile.
            waiting.cancel()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._loop is not None and self._thread is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
