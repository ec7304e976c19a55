"""Counts the calls that a piece of work makes: the same on every machine, however busy it is."""

import sys
from collections.abc import Callable


def calls_of(work: Callable[[], object]) -> int:
    """How many functions, those written in C among them, are called by a piece of work."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls
