"""One test of many cases, which reports all that are wrong with their reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


def misses(check: Callable[..., None], cases: Iterable[Any]) -> list[str]:
    """The cases that a check fails on, each with the first line of why; a tuple is several arguments."""
    found, every = [], list(cases)
    assert every, "there is no case"
    for case in every:
        try:
            check(*case if type(case) is tuple else (case,))
        except AssertionError as error:
            found.append(f"{case!r}: {str(error).partition(chr(10))[0]}")
    return found
