"""Whether work grows no faster than its input: a machine is compared with itself, and never with a clock."""

import time
from collections.abc import Callable

#: How often a machine that may have been busy is asked again.
LOOKS = 8


def seconds_of(work: Callable[[], object]) -> float:
    """Processor time of one run."""
    start = time.process_time()
    work()
    return time.process_time() - start


def grows_at_most(
    times: float, short: Callable[[], object], long: Callable[[], object], *, floor: float = 0.0
) -> bool:
    """Whether the long work takes at most so many times as long as the short one.

    What else a machine does only adds, so the least of several runs counts. The long work is run again only
    as long as it looks too slow, in turn with the short one: a square stays one in every look, and a machine
    that was busy in the first is forgiven.

    Args:
        times: more than linear work takes, less than a square would.
        short: the work on little.
        long: the same on more.
        floor: seconds that the short work counts as at least; less could not be told from noise.
    """
    least = min(seconds_of(short) for _ in range(3))
    for _ in range(LOOKS):
        if seconds_of(long) <= times * max(least, floor):
            return True
        # No longer the least of all runs: the machine may be slower now than it was then.
        least = min(seconds_of(short) for _ in range(3))
    return False
