"""The garbage collector waits until a validation is over.

A validation makes some ten thousand small values, frees nearly all of them by itself, and makes no circles.
Python's collector still looks through the young ones thirty times meanwhile: a seventh of the whole time, and
now and then a pause of 50 ms.
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")
_pausing = threading.Lock()


def without_pauses(call: Callable[[], Result], *, lasting: bool = False) -> Result:
    """What a call returns; the garbage collector starts after it.

    Where the collector is off, or waits for a validation of another thread already, nothing is changed. It
    starts again at the next value that is made, so that threads which validate all the time collect as well.

    Args:
        call: work of milliseconds to seconds.
        lasting: what it makes stays for good, as modules and tables do; the collector's look through all of
            it (a twentieth of an import) is left out.
    """
    if not gc.isenabled() or not _pausing.acquire(blocking=False):
        return call()
    gc.disable()
    try:
        return call()
    finally:
        if lasting:
            _settle()
        gc.enable()
        _pausing.release()


def _settle() -> None:
    """Put all values with the old ones, as if the collector had found them in use already."""
    # Who has frozen values keeps them frozen. Not every Python can freeze.
    if hasattr(gc, "freeze") and not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()


def _resume() -> None:
    """In a process that was forked meanwhile nobody ends the pause of the thread that is gone."""
    if _pausing.locked():
        gc.enable()
        _pausing.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_resume)
