"""Every pattern of the package is linear by its form, or reads no more than so many characters."""

import re
import time
from functools import cache

import pytest
from ambiguity import exponential, polynomial
from every import each, table
from finding import Found, patterns
from pumping import hostile

LENGTH = 8_000
#: Patterns that are not linear by their form -> the longest input in characters, and why; without a length,
#: they never fail where their form says that they could.
BOUNDED = {name: tuple(found) for name, found in table(__file__, "bounded").items()}


def entry(where):
    """The entry of a pattern, or of the first part of its name; ""."""
    return max((name for name in BOUNDED if where.startswith(name)), key=len, default="")


def ways(one):
    """What makes a pattern more than linear by its form, or ""."""
    char = exponential(one.source, one.flags)
    if char:
        return f"exponential over {char!r}"
    char = polynomial(one.source, one.flags, searched=one.searched)
    return f"polynomial over {char!r}" if char else ""


def test_every_pattern_is_linear_or_bounded():
    # One test, so that with several workers only one of them collects the patterns.
    assert len(patterns()) >= 440
    assert any(":" in one.where for one in patterns())
    guilty = {one.where: found for one in patterns() if not entry(one.where) and (found := ways(one))}
    assert guilty == {}, "make it unambiguous, or bound its input and say so in the table"
    assert slow_ones([one for one in patterns() if entry(one.where)]) == []


@pytest.mark.slow
def test_no_exception_excuses_nothing():
    used = {entry(one.where) for one in patterns() if entry(one.where) and ways(one)}
    assert used == set(BOUNDED)


@cache
def floor():
    """What this machine needs for a fixed piece of matching, some hundredths of a second; less is noise."""
    words = Found("here", "[a-z]+ ", 0, searched=True)
    return min(seconds(words, "word " * 100_000) for _ in range(3))


def seconds(one, text):
    compiled = re.compile(one.source, one.flags)
    start = time.process_time()
    if one.searched:
        for _ in compiled.finditer(text):
            pass
    else:
        compiled.match(text)
    return time.process_time() - start


def slow_ones(bounded):
    """Those that are slow on texts made from their own form, as long as the bound says."""
    slow = []
    for one in bounded:
        longest = BOUNDED[entry(one.where)][0]
        length = longest or LENGTH
        pairs = zip(
            hostile(one.source, one.flags, length), hostile(one.source, one.flags, length // 4), strict=True
        )
        for text, quarter in pairs:
            taken = seconds(one, text)
            # What is bounded has to be fast at its bound; the rest may take four times as long, and noise.
            # The machine may have been busy: what looks slow is looked at again.
            if taken > floor() and min(taken, *(seconds(one, text) for _ in range(3))) > (
                10 * floor() if longest else 8 * max(floor() / 8, seconds(one, quarter))
            ):
                slow.append((one.where, text[:60], taken))
    return slow


@each(*table(__file__, "test_the_checker_tells_them_apart"))
def test_the_checker_tells_them_apart(source, is_searched, found):
    assert ways(Found("here", source, 0, is_searched)).partition(" ")[0] == found
